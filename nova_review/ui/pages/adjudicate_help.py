"""What F1 lists on the adjudication page."""

from PySide6.QtWidgets import QWidget

from nova_review.domain.adjudication import GroupState
from nova_review.ui.keys import key_words
from nova_review.ui.pages.adjudicate_actions import ACTIONS, LETTERS, REASONS
from nova_review.ui.pages.adjudication.queue import QUEUE_SIGNS
from nova_review.ui.widgets.group_shapes import GroupShape
from nova_review.ui.widgets.state_shapes import MarkShape

_SIDES = ("left", "right", "up", "down")
_FAMILIES: dict[str, tuple[str, str]] = {
    "nudge": ("Alt+arrows", "Move the selected gold box 1 px"),
    "nudge-far": ("Alt+Shift+arrows", "Move it 10 px"),
    "resize": ("Ctrl+arrows", "Move its right or lower edge 1 px"),
    "resize-far": ("Ctrl+Shift+arrows", "Move that edge 10 px"),
}
_OTHER_KEYS = (
    ("Drag", "Draw: over an open group for it, elsewhere a new box"),
    ("Drag it, or its edge", "Move or resize the selected gold box"),
    ("Click", "Select a group; again: the next one there"),
    ("Right-drag", "Window: width, level"),
    ("Middle-drag, or Space+drag", "Pan"),
    ("Ctrl+wheel", "Zoom at the pointer"),
    ("F9, F10", "Answer a message"),
    ("F12", "Take a message away"),
)

Lines = list[tuple[str, str]]


def help_legends() -> list[tuple[str, list[tuple[QWidget, str]]]]:
    """Return the signs of groups and of the queue, each with its words."""
    groups: list[tuple[QWidget, str]] = [(GroupShape(state), state.value) for state in GroupState]
    queue: list[tuple[QWidget, str]] = [(MarkShape(sign), mark.value) for mark, sign in QUEUE_SIGNS.items()]
    return [("Signs of a group", groups), ("Signs of a slice in the queue", queue)]


def help_groups(keys: dict[str, tuple[str, ...]]) -> list[tuple[str, Lines]]:
    """Return the keys of all actions by group; rows that differ in a letter or a number are one line."""
    groups: dict[str, Lines] = {}
    for action in ACTIONS:
        lines = groups.setdefault(action.group, [])
        line = _folded(action.name) or (key_words(keys[action.name]), action.words)
        if line not in lines:
            lines.append(line)
    return [*groups.items(), ("Mouse and messages", list(_OTHER_KEYS))]


def _folded(name: str) -> tuple[str, str] | None:
    stem, _, end = name.rpartition("-")
    if stem in _FAMILIES and end in _SIDES:
        return _FAMILIES[stem]
    if end.upper() in LETTERS:
        return _of_letters(stem)
    if stem == "reason":
        return f"1 to {len(REASONS)}", "Why: " + ", ".join(code.value for code in REASONS)
    if stem == "confidence":
        return "1 to 5", "Confidence of the selected finding"
    return None


def _of_letters(stem: str) -> tuple[str, str] | None:
    return {
        "accept": ("A, B, C", "Take that layer's box for the group"),
        "accept-all": ("Shift+A, B, C", "Take all of that layer"),
        "caption": ("A, B, C", "Take that layer's caption"),
    }.get(stem)
