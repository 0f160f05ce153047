"""Everything that can be done on the adjudication page: names, words, keys, and when each is allowed.

One table for both of its stages. Where a key means the own answer's tool on the bare slice and a
decision once the layers are shown (N, D, U, 1 to 5), it has two rows, and the stage decides. I is
taken by "intersection" here, so that inverting is Ctrl+I on this page, in both stages.
The names are frozen: key settings and the view log hold them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from nova_review.domain.adjudication import ReasonCode
from nova_review.ui.actions import Action
from nova_review.ui.canvas.window_level import PRESETS as PRESETS_OF_WINDOW

LETTERS = "ABC"
TEXTS = "Captions and diagnoses"
REASONS: tuple[ReasonCode, ...] = tuple(ReasonCode)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the rules look at. `on_texts` says that captions and diagnoses are open, not the findings."""

    has_slice: bool = False
    has_picture: bool = False
    shows_layers: bool = False
    on_texts: bool = False
    letters: str = ""
    may_edit_own: bool = False
    may_edit: bool = False
    may_edit_case: bool = False
    has_finding: bool = False
    has_group: bool = False
    has_several: bool = False
    has_gold: bool = False
    has_accepted: bool = False
    has_boxes: bool = False
    can_undo: bool = False
    can_redo: bool = False
    is_paused: bool = False
    may_reopen: bool = False
    may_reopen_case: bool = False
    in_conflict: bool = False


def _always(_s: Snapshot) -> bool:
    return True


def _with_slice(s: Snapshot) -> bool:
    return s.has_slice and not s.is_paused


def _with_picture(s: Snapshot) -> bool:
    return s.has_picture and not s.is_paused


def _own(s: Snapshot) -> bool:
    return s.may_edit_own and not s.shows_layers


def _own_finding(s: Snapshot) -> bool:
    return _own(s) and s.has_finding


def _own_boxes(s: Snapshot) -> bool:
    return not s.shows_layers and s.has_boxes and not s.is_paused


def _layers(s: Snapshot) -> bool:
    return s.shows_layers and not s.is_paused


def _deciding(s: Snapshot) -> bool:
    return s.may_edit and s.shows_layers


def _boxes(s: Snapshot) -> bool:
    return _deciding(s) and not s.on_texts


def _group(s: Snapshot) -> bool:
    return _boxes(s) and s.has_group


def _several(s: Snapshot) -> bool:
    return _group(s) and s.has_several


def _gold(s: Snapshot) -> bool:
    return _boxes(s) and s.has_gold


def _accepted(s: Snapshot) -> bool:
    return _boxes(s) and s.has_accepted


def _texts(s: Snapshot) -> bool:
    return _deciding(s) and s.on_texts


def _on_texts(s: Snapshot) -> bool:
    return _layers(s) and s.on_texts


def _own_rows() -> tuple[Action, ...]:
    group = "Own answer"
    confidences = tuple(
        Action(f"confidence-{n}", f"Confidence {n} of the selected finding", group, (str(n),), _own_finding)
        for n in range(1, 6)
    )
    return (
        Action("own-draw", "Draw a box anywhere", group, ("D", "W"), _own),
        Action("own-confirm", "Select the next finding", group, ("Return",), _own_boxes),
        Action("own-delete", "Delete the selected finding", group, ("Delete", "Backspace"), _own_finding),
        *confidences,
        Action("own-label", "Label of the selected finding", group, ("L",), _own_finding),
        Action("own-place", "Anatomical place of the selected finding", group, ("O",), _own_finding),
        Action("own-side", "Side of the selected finding", group, ("S",), _own_finding),
        Action("own-no-finding", "Nothing abnormal (again: take it back)", group, ("N",), _own),
        Action("own-cannot-be-read", "Cannot be read", group, ("U",), _own),
        Action("own-sequence", "Sequence", group, ("E",), _own),
        Action("own-plane", "Plane", group, ("V",), _own),
        Action("own-normality", "Normal or abnormal", group, ("G",), _own),
        Action("own-text", "Write the caption", group, ("T",), _own),
        Action("own-lock", "Lock my answer: the layers come", group, ("Ctrl+Return",), _own),
    )


def _letter_rows(letter: str) -> tuple[Action, ...]:
    def has(rule_holds: bool, s: Snapshot) -> bool:
        return rule_holds and letter in s.letters

    return (
        Action(
            f"accept-{letter.lower()}", f"Take layer {letter}'s box for the group", "Decision", (letter,),
            lambda s: has(_group(s), s),
        ),
        Action(
            f"accept-all-{letter.lower()}", f"Take all of layer {letter}", "Decision", (f"Shift+{letter}",),
            lambda s: has(_boxes(s), s),
        ),
        Action(
            f"caption-{letter.lower()}", f"Take layer {letter}'s caption", TEXTS, (letter,),
            lambda s: has(_texts(s), s),
        ),
    )  # fmt: skip


def _decision_rows() -> tuple[Action, ...]:
    group = "Decision"
    by_letter = [_letter_rows(letter) for letter in LETTERS]
    reasons = tuple(
        Action(f"reason-{n}", f"Why: {code.value}", group, (str(n),), _boxes)
        for n, code in enumerate(REASONS, start=1)
    )
    return (
        Action("next-group", "Next group", group, ("Down",), _layers, repeats=True),
        Action("previous-group", "Previous group", group, ("Up",), _layers, repeats=True),
        *(row for rows in by_letter for row in rows[:2]),
        Action("mean", "Mean of the group's boxes", group, ("M",), _several),
        Action("union", "Union: the smallest box around all", group, ("U",), _several),
        Action("intersection", "Intersection: what all share", group, ("I",), _several),
        Action("draw", "Draw anew, for the selected group", group, ("D", "W"), _boxes),
        Action("reject", "None: the group is no lesion", group, ("X",), _group),
        Action("no-lesion", "No lesion: all readers wrong", group, ("N", "0"), _boxes),
        Action("cannot-be-read", "The slice cannot be read", group, ("Shift+U",), _boxes),
        *reasons,
        Action("take-back", "Open the group again", group, ("Delete", "Backspace"), _gold),
        Action("label", "Label of the gold box", group, ("L",), _accepted),
        Action("place", "Anatomical place of the gold box", group, ("O",), _accepted),
        Action("side", "Side of the gold box", group, ("S",), _accepted),
        Action("note", "Write a note", group, ("T",), _boxes),
        Action("flag", "Flag, with the reason (again: take it away)", group, ("F",), _deciding),
        Action(
            "close", "Close the decision and go on", group, ("Ctrl+Return", "Return"), _deciding
        ),
        Action("reopen", "Reopen the decision", group, ("R",), lambda s: s.may_reopen and not s.is_paused),
    )  # fmt: skip


def _text_rows() -> tuple[Action, ...]:
    group = TEXTS
    return (
        Action("texts", "Findings, or captions and diagnoses", group, ("J",), _layers),
        *(_letter_rows(letter)[2] for letter in LETTERS),
        Action("caption-text", "Write the reference caption", group, ("T",), _texts),
        Action("diagnosis", "Write the panel's diagnosis", group, ("G",), _on_texts),
        Action(
            "close-case", "Close the panel's diagnosis", group, ("Shift+Return",),
            lambda s: s.may_edit_case and s.on_texts,
        ),
        Action(
            "reopen-case", "Reopen the panel's diagnosis", group, ("Shift+R",),
            lambda s: s.may_reopen_case and not s.is_paused,
        ),
    )  # fmt: skip


def _moves(name: str, words: str, prefix: str) -> tuple[Action, ...]:
    def box_selected(s: Snapshot) -> bool:
        return _accepted(s) or _own_finding(s)

    return tuple(
        Action(
            f"{name}-{side.lower()}", f"{words} {side.lower()}", "Boxes", (f"{prefix}+{side}",), box_selected,
            repeats=True,
        )
        for side in ("Left", "Right", "Up", "Down")
    )  # fmt: skip


def _page_rows() -> tuple[Action, ...]:
    windows = tuple(
        Action(f"window-{n}", f"Window: {preset.name}", "View", (f"F{n + 1}",), _with_picture)
        for n, preset in enumerate(PRESETS_OF_WINDOW, start=1)
    )
    return (
        Action("hide-boxes", "Hide the boxes while held", "View", ("H",), _with_picture),
        Action("own-shown", "Show or hide your own answer", "View", ("V",), _layers),
        Action("invert", "Invert", "View", ("Ctrl+I",), _with_picture),
        Action("window-reset", "Reset the window", "View", ("Ctrl+R",), _with_picture),
        *windows,
        Action("zoom-actual", "100 %", "View", ("Ctrl+0",), _with_picture),
        Action("zoom-fit", "Fit", "View", ("Ctrl+F",), _with_picture),
        Action("zoom-in", "Zoom in", "View", ("+", "="), _with_picture, repeats=True),
        Action("zoom-out", "Zoom out", "View", ("-",), _with_picture, repeats=True),
        Action("interpolation", "Smooth or sharp pixels", "View", ("K",), _with_picture),
        Action("text-larger", "Larger text", "Program", ("Ctrl++", "Ctrl+="), _always),
        Action("text-smaller", "Smaller text", "Program", ("Ctrl+-",), _always),
        Action("full-screen", "Full screen", "Program", ("F11",), _always),
        Action("help", "All keys", "Program", ("F1",), _always),
        Action("quit", "Close", "Program", ("Ctrl+Q",), _always),
    )


ACTIONS: tuple[Action, ...] = (
    Action("next-slice", "Next slice", "Slices", ("Right", "PgDown"), _with_slice, repeats=True),
    Action("previous-slice", "Previous slice", "Slices", ("Left", "PgUp"), _with_slice, repeats=True),
    Action("first-slice", "First slice", "Slices", ("Home",), _with_slice),
    Action("last-slice", "Last slice", "Slices", ("End",), _with_slice),
    Action("defer", "Come back later (again: take it back)", "Slices", ("Shift+D",), _with_slice),
    Action("pause", "Pause: canvas black, clock stopped", "Slices", ("P",), _with_slice),
    Action("undo", "Undo", "Slices", ("Ctrl+Z",), lambda s: s.can_undo and not s.is_paused, repeats=True),
    Action(
        "redo", "Redo", "Slices", ("Ctrl+Shift+Z", "Ctrl+Y"), lambda s: s.can_redo and not s.is_paused,
        repeats=True,
    ),
    Action("save", "Save now, or try again", "Slices", ("Ctrl+S",), _always),
    Action("keep-mine", "Changed elsewhere: keep mine", "Slices", ("Ctrl+K",), lambda s: s.in_conflict),
    Action("take-theirs", "Changed elsewhere: take theirs", "Slices", ("Ctrl+T",), lambda s: s.in_conflict),
    *_own_rows(),
    *_decision_rows(),
    *_text_rows(),
    Action("cancel", "Cancel, or select nothing", "Boxes", ("Escape",), _with_slice),
    *_moves("nudge", "Move 1 px", "Alt"),
    *_moves("nudge-far", "Move 10 px", "Alt+Shift"),
    *_moves("resize", "Move the right or lower edge 1 px", "Ctrl"),
    *_moves("resize-far", "Move the right or lower edge 10 px", "Ctrl+Shift"),
    *_page_rows(),
)  # fmt: skip
ACTIONS_BY_NAME: Mapping[str, Action] = {action.name: action for action in ACTIONS}


def is_enabled(action: Action, snapshot: Snapshot) -> bool:
    """Whether an action can be done now."""
    return action.enabled_when(snapshot)


def rivals(keys: Mapping[str, Iterable[str]], snapshot: Snapshot) -> dict[str, tuple[str, ...]]:
    """Return the keys that would do more than one thing in a situation: there must be none."""
    found: dict[str, tuple[str, ...]] = {}
    for name, of_action in keys.items():
        if is_enabled(ACTIONS_BY_NAME[name], snapshot):
            for key in of_action:
                found[key] = (*found.get(key, ()), name)
    return {key: names for key, names in found.items() if len(names) > 1}
