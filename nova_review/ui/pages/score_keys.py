"""The keys of the score page: one table for what they do and for what F1 lists."""

from PySide6.QtCore import QKeyCombination, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from nova_review.analysis.dialects.scores import DialectName
from nova_review.ui.pages.compare_keys import CompareKey
from nova_review.ui.pages.scoring.words import DIALECT_WORDS

_NO_KEYPAD = ~Qt.KeyboardModifier.KeypadModifier
_RULES, _ROWS, _PLOTS, _PAGE = "Whose rules, against whom", "Rows and columns", "Plots", "Page"
SCORE_KEYS: tuple[CompareKey, ...] = (
    *(
        CompareKey(f"dialect-{k}", _RULES, f"By {DIALECT_WORDS[d]} rules", (str(k),))
        for k, d in enumerate(DialectName, start=1)
    ),
    CompareKey("gold", _RULES, "Against gold", ("G",)),
    CompareKey("others", _RULES, "Against the other readers", ("O",)),
    CompareKey("reader", _RULES, "Against one reader", ("A",)),
    CompareKey("joint", _RULES, "Only slices that all rows answered, or all", ("T",)),
    CompareKey("mark", _ROWS, "Mark the row: two marked rows are subtracted", ("M", "Space")),
    CompareKey("sort", _ROWS, "Sort by the column: falling, rising, as it was", ("S", "Return", "Enter")),
    CompareKey("more", _ROWS, "More columns, or fewer", ("C",)),
    CompareKey("published", _ROWS, "Published figures as reference rows", ("P",)),
    CompareKey("judge", _ROWS, "Judge the undecided pairs", ("J",)),
    CompareKey("plot-dots", _PLOTS, "The column: sets with intervals", ("D",)),
    CompareKey("plot-gap", _PLOTS, "Readers minus models, task by task", ("R",)),
    CompareKey("plot-froc", _PLOTS, "FROC: sensitivity against false boxes", ("F",)),
    CompareKey("plot-tail", _PLOTS, "By frequency of the diagnosis", ("L",)),
    CompareKey("plot-sure", _PLOTS, "Reliability of confidence", ("K",)),
    CompareKey("plot", _PLOTS, "Into the plot and back: arrows walk its marks", ("X",)),
    CompareKey("export", _PAGE, "Export everything into a folder", ("Ctrl+E",)),
    CompareKey("save", _PAGE, "Save this table as CSV or LaTeX", ("Ctrl+S",)),
    CompareKey("renew", _PAGE, "Score anew", ("F5",)),
    CompareKey("help", _PAGE, "Keys", ("F1",)),
    CompareKey("back", _PAGE, "Leave", ("Esc",)),
)
_BY_KEY = {QKeySequence(key).toString(): one.name for one in SCORE_KEYS for key in one.keys}


def name_of(event: QKeyEvent) -> str | None:
    """Return the action of a key press, None where it has none."""
    modifiers = event.modifiers() & _NO_KEYPAD
    return _BY_KEY.get(QKeySequence(QKeyCombination(modifiers, Qt.Key(event.key()))).toString())


def help_groups() -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the keys by group, as the help sheet lists them."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for one in SCORE_KEYS:
        keys = "1 to 5" if one.name.startswith("dialect") else ", ".join(k for k in one.keys if k != "Return")
        words = "By another scorer's rules" if one.name.startswith("dialect") else one.words
        lines = groups.setdefault(one.group, [])
        if (keys, words) not in lines:
            lines.append((keys, words))
    groups[_ROWS].insert(0, ("Arrows", "Walk the cells; the plot follows the column"))
    groups["Mouse"] = [
        ("Click a head", "Sort by the column"),
        ("Click a name", "Mark the row"),
        ("Hover", "Interval, n, definition, why undefined"),
    ]
    return list(groups.items())
