"""The keys of the compare page: one table for what they do and for what F1 lists."""

from dataclasses import dataclass

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

_NO_KEYPAD = ~Qt.KeyboardModifier.KeypadModifier


@dataclass(frozen=True, slots=True)
class CompareKey:
    """One action: its name in the page, its group and words on the help sheet, its keys."""

    name: str
    group: str
    words: str
    keys: tuple[str, ...]


_SLICES, _PANELS, _FILTER, _NUMBERS, _NOTES, _WINDOW, _PAGE = (
    "Slices",
    "Panels",
    "Filter and list",
    "Numbers",
    "Tags and notes",
    "Window and zoom",
    "Page",
)
COMPARE_KEYS: tuple[CompareKey, ...] = (
    CompareKey("next", _SLICES, "Next slice of the list", ("Right", "PgDown")),
    CompareKey("previous", _SLICES, "Previous slice", ("Left", "PgUp")),
    CompareKey("first", _SLICES, "First slice", ("Home",)),
    CompareKey("last", _SLICES, "Last slice", ("End",)),
    *(CompareKey(f"alone-{n}", _PANELS, f"Panel {n} alone, and back", (str(n),)) for n in range(1, 6)),
    CompareKey("panels", _PANELS, "Side by side", ("S",)),
    CompareKey("overlay", _PANELS, "All sets in one panel", ("O",)),
    CompareKey("wipe", _PANELS, "Wipe between two sets", ("W",)),
    CompareKey("wipe-left", _PANELS, "Move the line of the wipe left", ("Alt+Left",)),
    CompareKey("wipe-right", _PANELS, "Move the line of the wipe right", ("Alt+Right",)),
    CompareKey("flicker", _PANELS, "Flicker: the other of two sets", ("Space",)),
    CompareKey("pair", _PANELS, "Other two sets for wipe and flicker", ("P",)),
    CompareKey("hide", _PANELS, "Hide the boxes while held", ("H",)),
    CompareKey("texts", _PANELS, "Captions and diagnoses, or larger pictures", ("X",)),
    CompareKey("link", _PANELS, "Link or part zoom and pan", ("Ctrl+L",)),
    CompareKey("choices", _FILTER, "Filter by: fields and counts", ("L",)),
    CompareKey("type", _FILTER, "Type the filter", ("/",)),
    CompareKey("clear", _FILTER, "Take the filter away", ("Shift+L",)),
    CompareKey("order", _FILTER, "Next order of the list", ("R",)),
    CompareKey("saved", _FILTER, "Saved filters", ("Shift+S",)),
    CompareKey("gallery", _FILTER, "Gallery, and back", ("G",)),
    CompareKey("two", _FILTER, "Two sets: matrix, scatter, costs", ("M",)),
    CompareKey("hit", _NUMBERS, "IoU of a hit (arrows)", ("U",)),
    CompareKey("background", _NUMBERS, "IoU of background (arrows)", ("B",)),
    CompareKey("confidence", _NUMBERS, "Least confidence (arrows)", ("C",)),
    *(CompareKey(f"set-{n}", _NUMBERS, f"Set {n} in or out", (f"Ctrl+{n}",)) for n in range(1, 10)),
    CompareKey("tags", _NOTES, "Tags and notes of the slice", ("T",)),
    CompareKey("flag", _NOTES, "Flag the slice, or take the flag away", ("F",)),
    *(CompareKey(f"preset-{n}", _WINDOW, f"Window preset {n}", (f"F{n + 1}",)) for n in range(1, 8)),
    CompareKey("reset", _WINDOW, "Window as it opened", ("0",)),
    CompareKey("invert", _WINDOW, "Invert", ("I",)),
    CompareKey("full", _WINDOW, "100%", ("Ctrl+0",)),
    CompareKey("fit", _WINDOW, "Fit", ("Ctrl+F",)),
    CompareKey("export", _PAGE, "Export the list as it is filtered", ("Ctrl+E",)),
    CompareKey("renew", _PAGE, "Compare anew", ("F5",)),
    CompareKey("help", _PAGE, "Keys", ("F1",)),
    CompareKey("back", _PAGE, "Close what is open, else leave", ("Esc",)),
)
_FAMILIES = {
    "alone": ("1 to 5", "One panel alone, and back"),
    "set": ("Ctrl+1 to 9", "A set in or out"),
    "preset": ("F2 to F8", "Window presets"),
}
_BY_KEY = {QKeySequence(key).toString(): one.name for one in COMPARE_KEYS for key in one.keys}


def name_of(event: QKeyEvent) -> str | None:
    """Return the action of a key press, None where it has none."""
    modifiers = event.modifiers() & _NO_KEYPAD
    key = Qt.Key(event.key())
    if key == Qt.Key.Key_Slash:  # Shift+7 on many keyboards
        modifiers &= ~Qt.KeyboardModifier.ShiftModifier
    return _BY_KEY.get(QKeySequence(QKeyCombination(modifiers, key)).toString())


def help_groups() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the keys by group, as the help sheet lists them; keys of one kind are one line."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for one in COMPARE_KEYS:
        line = _FAMILIES.get(one.name.rpartition("-")[0]) or (", ".join(one.keys), one.words)
        lines = groups.setdefault(one.group, [])
        if line not in lines:
            lines.append(line)
    groups["Mouse"] = [
        ("Right-drag", "Window: width, level"),
        ("Middle-drag", "Pan"),
        ("Ctrl+wheel", "Zoom at the pointer"),
        ("Wheel", "Next, previous slice"),
        ("Double click", "One panel alone, and back"),
        ("Click a box", "Choose it for a tag"),
    ]
    return list(groups.items())
