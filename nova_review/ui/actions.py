"""Everything that can be done on the reading page: names, words, keys, and when each is allowed.

`family` is the name in the protocol's frozen set of actions ("" for what the protocol does not
speak of). Keys are Qt key sequences; a reader's own choice of preset and keys is remembered.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSettings

from nova_review.ui.canvas.window_level import PRESETS as PRESETS_OF_WINDOW

PRESETS = ("default", "labelme", "Horos", "CVAT")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What the rules look at. `may_edit` is of the slice, `may_edit_case` of the case."""

    has_slice: bool = False
    has_picture: bool = False
    may_edit: bool = False
    may_edit_case: bool = False
    has_selection: bool = False
    findings: int = 0
    has_outcome: bool = False
    can_undo: bool = False
    can_redo: bool = False
    is_paused: bool = False
    may_reopen: bool = False
    has_previous_sibling: bool = False
    siblings: int = 1
    is_unsaved: bool = False
    in_conflict: bool = False
    allowed: frozenset[str] = frozenset()


Rule = Callable[[Any], bool]
"""Looks at the snapshot of its page."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do. `keys` are those of the preset "default"; `repeats` allows a held key."""

    name: str
    words: str
    group: str
    keys: tuple[str, ...]
    enabled_when: Rule
    family: str = ""
    repeats: bool = False


def always(_snapshot: Snapshot) -> bool:
    return True


def with_slice(snapshot: Snapshot) -> bool:
    return snapshot.has_slice and not snapshot.is_paused


def with_picture(snapshot: Snapshot) -> bool:
    return snapshot.has_picture and not snapshot.is_paused


def editing(snapshot: Snapshot) -> bool:
    return snapshot.may_edit and not snapshot.is_paused


def with_selection(snapshot: Snapshot) -> bool:
    return editing(snapshot) and snapshot.has_selection


def with_findings(snapshot: Snapshot) -> bool:
    return with_slice(snapshot) and snapshot.findings > 0


def answering(snapshot: Snapshot) -> bool:
    return snapshot.may_edit or snapshot.may_edit_case


def can_undo(snapshot: Snapshot) -> bool:
    return snapshot.can_undo and not snapshot.is_paused


def can_redo(snapshot: Snapshot) -> bool:
    return snapshot.can_redo and not snapshot.is_paused


def can_reopen(snapshot: Snapshot) -> bool:
    return snapshot.may_reopen and not snapshot.is_paused


def can_copy(snapshot: Snapshot) -> bool:
    return editing(snapshot) and snapshot.has_previous_sibling


def in_conflict(snapshot: Snapshot) -> bool:
    return snapshot.in_conflict


def _moves(name: str, words: str, family: str, prefix: str) -> tuple[Action, ...]:
    return tuple(
        Action(
            f"{name}-{side.lower()}", f"{words} {side.lower()}", "Boxes", (f"{prefix}+{side}",),
            with_selection, family, repeats=True,
        )
        for side in ("Left", "Right", "Up", "Down")
    )  # fmt: skip


def _confidences() -> tuple[Action, ...]:
    return tuple(
        Action(
            f"confidence-{n}", f"Confidence {n} of the selected finding", "Findings", (str(n),),
            with_selection, "confidence",
        )
        for n in range(1, 6)
    )  # fmt: skip


def _windows() -> tuple[Action, ...]:
    return tuple(
        Action(f"window-{n}", f"Window: {preset.name}", "View", (f"F{n + 1}",), with_picture, "window")
        for n, preset in enumerate(PRESETS_OF_WINDOW, start=1)
    )


ACTIONS: tuple[Action, ...] = (
    Action("next-slice", "Next slice", "Slices", ("Right", "PgDown"), with_slice, "next-slice", True),
    Action(
        "previous-slice", "Previous slice", "Slices", ("Left", "PgUp"), with_slice, "previous-slice", True
    ),
    Action("first-slice", "First slice", "Slices", ("Home",), with_slice, "previous-slice"),
    Action("last-slice", "Last slice", "Slices", ("End",), with_slice, "next-slice"),
    Action("draw", "Draw a box anywhere", "Boxes", ("W",), editing, "draw"),
    Action("cancel", "Cancel, or select nothing", "Boxes", ("Escape",), with_slice),
    Action("confirm", "Confirm: select the next finding", "Boxes", ("Return",), with_findings),
    Action(
        "delete", "Delete the selected finding", "Boxes", ("Delete", "Backspace"), with_selection, "delete"
    ),
    Action("duplicate", "Duplicate the selected finding", "Boxes", ("Ctrl+D",), with_selection, "duplicate"),
    *_moves("nudge", "Move 1 px", "nudge", "Alt"),
    *_moves("nudge-far", "Move 10 px", "nudge", "Alt+Shift"),
    *_moves("resize", "Move the right or lower edge 1 px", "resize", "Ctrl"),
    *_moves("resize-far", "Move the right or lower edge 10 px", "resize", "Ctrl+Shift"),
    *_confidences(),
    Action("label", "Label of the selected finding", "Findings", ("L",), with_selection),
    Action("place", "Anatomical place of the selected finding", "Findings", ("O",), with_selection),
    Action("side", "Side of the selected finding", "Findings", ("S",), with_selection),
    Action("no-finding", "Nothing abnormal (again: take it back)", "Findings", ("N",), editing, "no-finding"),
    Action("cannot-be-read", "Cannot be read", "Findings", ("U",), editing, "cannot-be-read"),
    Action("sequence", "Sequence", "Caption", ("E",), editing),
    Action("plane", "Plane", "Caption", ("V",), editing),
    Action("normality", "Normal or abnormal", "Caption", ("G",), editing),
    Action("text", "Write: the caption, or the first diagnosis", "Caption", ("T",), answering),
    Action(
        "copy-previous", "Copy the previous slice of this case", "Caption", ("C",), can_copy, "copy-previous"
    ),
    Action(
        "lock", "Lock findings, or submit the case, and go on", "Reading", ("Ctrl+Return",), answering, "lock"
    ),
    Action("reopen", "Reopen the locked slice", "Reading", ("R",), can_reopen),
    Action("defer", "Come back later (again: take it back)", "Reading", ("D",), editing, "defer"),
    Action("seen-before", "I have seen this case before", "Reading", ("B",), with_slice, "seen-before"),
    Action("note", "Note something unusual", "Reading", ("J",), with_slice),
    Action("pause", "Pause: canvas black, clock stopped", "Reading", ("P",), with_slice, "pause"),
    Action("undo", "Undo", "Reading", ("Ctrl+Z",), can_undo, "undo", True),
    Action("redo", "Redo", "Reading", ("Ctrl+Shift+Z", "Ctrl+Y"), can_redo, "redo", True),
    Action("save", "Save now, or try again", "Reading", ("Ctrl+S",), always),
    Action("keep-mine", "Changed elsewhere: keep mine", "Reading", ("Ctrl+K",), in_conflict),
    Action("take-theirs", "Changed elsewhere: take theirs", "Reading", ("Ctrl+T",), in_conflict),
    Action("hide-boxes", "Hide the boxes while held", "View", ("H",), with_picture, "hide-boxes"),
    Action("invert", "Invert", "View", ("I",), with_picture, "invert"),
    Action("window-reset", "Reset the window", "View", ("0",), with_picture, "window"),
    *_windows(),
    Action("zoom-actual", "100 %", "View", ("Ctrl+0",), with_picture, "zoom"),
    Action("zoom-fit", "Fit", "View", ("Ctrl+F",), with_picture, "zoom"),
    Action("zoom-in", "Zoom in", "View", ("+", "="), with_picture, "zoom", True),
    Action("zoom-out", "Zoom out", "View", ("-",), with_picture, "zoom", True),
    Action("interpolation", "Smooth or sharp pixels", "View", ("K",), with_picture, "zoom"),
    Action("layout-1", "One slice", "View", ("Ctrl+1",), with_slice, "layout"),
    Action("layout-2", "Two slices of the case", "View", ("Ctrl+2",), with_slice, "layout"),
    Action("layout-4", "Four slices of the case", "View", ("Ctrl+4",), with_slice, "layout"),
    Action("link-views", "Link zoom and pan", "View", ("Ctrl+L",), with_slice, "layout"),
    Action("wheel", "Mouse wheel goes through the case", "View", ("Ctrl+M",), always),
    Action("text-larger", "Larger text", "Program", ("Ctrl++", "Ctrl+="), always),
    Action("text-smaller", "Smaller text", "Program", ("Ctrl+-",), always),
    Action("full-screen", "Full screen", "Program", ("F11",), always),
    Action("help", "All keys", "Program", ("F1",), always),
    Action("change-keys", "Change keys", "Program", ("Shift+F1",), always),
    Action("quit", "Close", "Program", ("Ctrl+Q",), always),
)
ACTIONS_BY_NAME: Mapping[str, Action] = {action.name: action for action in ACTIONS}

# What other programs' users have in their fingers, and where that pushes ours.
_PRESET_KEYS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "default": {},
    "labelme": {
        "next-slice": ("D", "Right", "PgDown"),
        "previous-slice": ("A", "Left", "PgUp"),
        "draw": ("Ctrl+R", "W"),
        "defer": ("Shift+D",),
        "hide-boxes": ("Ctrl+H", "H"),
    },
    "Horos": {
        "next-slice": ("Down", "Right", "PgDown"),
        "previous-slice": ("Up", "Left", "PgUp"),
        "invert": ("Ctrl+I", "I"),
        "zoom-fit": ("Ctrl+F", "F"),
        "zoom-actual": ("Ctrl+0", "Ctrl+Alt+0"),
    },
    "CVAT": {
        "next-slice": ("F", "Right", "PgDown"),
        "previous-slice": ("D", "Left", "PgUp"),
        "draw": ("N", "W"),
        "no-finding": ("Shift+N",),
        "defer": ("Shift+D",),
    },
}


def is_enabled(action: Action, snapshot: Snapshot) -> bool:
    """Whether an action can be done now: by its own rule and by the protocol's frozen set."""
    if action.family and action.family not in snapshot.allowed:
        return False
    return action.enabled_when(snapshot)


def preset_keys(preset: str) -> dict[str, tuple[str, ...]]:
    """Return the keys of every action in a preset; an unknown preset is "default"."""
    changed = _PRESET_KEYS.get(preset, {})
    return {action.name: changed.get(action.name, action.keys) for action in ACTIONS}


def clashes(keys: Mapping[str, Iterable[str]]) -> tuple[str, ...]:
    """Return the keys that stand for more than one action."""
    seen: dict[str, str] = {}
    double = []
    for name, of_action in keys.items():
        double += [key for key in of_action if seen.setdefault(key, name) != name]
    return tuple(double)


class KeyBook:
    """The reader's keys: a preset and his own changes, remembered in `settings`.

    `keys_of(preset)` gives the keys of every action of a page; `section` names the page in the
    settings, so that what is bound on one page changes nothing on another.
    """

    def __init__(
        self,
        settings: QSettings,
        *,
        keys_of: Callable[[str], dict[str, tuple[str, ...]]] = preset_keys,
        section: str = "keys",
    ) -> None:
        self._settings = settings
        self._keys_of = keys_of
        self._section = section

    @property
    def preset(self) -> str:
        stored = str(self._settings.value(f"{self._section}/preset", PRESETS[0]))
        return stored if stored in PRESETS else PRESETS[0]

    def choose_preset(self, preset: str) -> None:
        """Take another preset; own changes stay."""
        self._settings.setValue(f"{self._section}/preset", preset)

    def bind(self, name: str, keys: tuple[str, ...]) -> None:
        """Remember the reader's own keys of an action; none goes back to the preset."""
        if keys:
            self._settings.setValue(f"{self._section}/own/{name}", list(keys))
        else:
            self._settings.remove(f"{self._section}/own/{name}")

    def rebind(self, changed: Mapping[str, tuple[str, ...]]) -> None:
        """Remember the reader's own keys of several actions; those of the preset are no own keys."""
        usual = self._keys_of(self.preset)
        for name, keys in changed.items():
            self.bind(name, keys if keys != usual[name] else ())

    def own_names(self) -> tuple[str, ...]:
        """Return the actions whose keys are the reader's own."""
        return tuple(name for name in self._keys_of(self.preset) if self._own(name))

    def in_words(self) -> str:
        """Return preset and own keys in one line, for the view log: "default; delete=X"."""
        own = (f"{name}={' '.join(self._own(name))}" for name in self.own_names())
        return "; ".join((self.preset, *own))

    def keys(self) -> dict[str, tuple[str, ...]]:
        """Return the keys of every action."""
        return {name: self._own(name) or keys for name, keys in self._keys_of(self.preset).items()}

    def _own(self, name: str) -> tuple[str, ...]:
        stored = self._settings.value(f"{self._section}/own/{name}")
        if isinstance(stored, str):
            return (stored,)
        return tuple(str(key) for key in stored) if isinstance(stored, list | tuple) else ()
