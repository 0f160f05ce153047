"""The menu of the right mouse button: what can be said about what is selected, and how to look at it."""

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtWidgets import QMenu, QWidget

from nova_review.ui.keys import key_words
from nova_review.ui.pages.adjudicate_actions import ACTIONS_BY_NAME

OWN = ("own-no-finding", "own-cannot-be-read", "own-delete")
SETTLE = ("mean", "union", "intersection", "draw", "reject", "take-back")
WHOLE = ("no-lesion", "cannot-be-read", "flag", "reopen")
VIEW = ("own-shown", "zoom-fit", "zoom-actual", "invert", "window-reset")


class DecisionMenu(QMenu):
    """Made anew for each use. `do(name)` does an action, `may_do(name)` tells whether it is allowed now."""

    def __init__(
        self,
        parent: QWidget,
        *,
        keys: Mapping[str, tuple[str, ...]],
        do: Callable[[str], object],
        may_do: Callable[[str], bool],
    ) -> None:
        super().__init__(parent)
        self._keys, self._do, self._may_do = keys, do, may_do

    def fill(self, *, shows_layers: bool, letters: Sequence[str]) -> None:
        """Offer what this stage knows."""
        accepts = [f"accept-{letter.lower()}" for letter in letters]
        known = [name for name in accepts if name in ACTIONS_BY_NAME]
        groups = (known, SETTLE, WHOLE, VIEW) if shows_layers else (OWN, VIEW[1:])
        for number, names in enumerate(groups):
            if number:
                self.addSeparator()
            for name in names:
                self._add(name)

    def _add(self, name: str) -> None:
        entry = self.addAction(f"{ACTIONS_BY_NAME[name].words}\t{key_words(self._keys[name][:1])}")
        entry.setEnabled(self._may_do(name))
        entry.triggered.connect(lambda _checked=False: self._do(name))
