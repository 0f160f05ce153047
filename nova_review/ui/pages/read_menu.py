"""The menu of the right mouse button: what can be said about the box under it."""

from collections.abc import Callable, Sequence

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QWidget

from nova_review.ui.actions import ACTIONS_BY_NAME
from nova_review.ui.keys import key_words
from nova_review.ui.pages.read_palette import Question

ON_BOX = ("label", "place", "side")
ON_SLICE = ("no-finding", "cannot-be-read", "defer", "copy-previous")
AFTER = ("duplicate", "delete")
ON_VIEW = ("zoom-fit", "zoom-actual", "invert", "window-reset")


class CanvasMenu(QMenu):
    """Made anew for each use. `do(name)` does an action, `ask(name)` gives its question."""

    def __init__(
        self,
        parent: QWidget,
        *,
        keys: dict[str, tuple[str, ...]],
        do: Callable[[str], object],
        ask: Callable[[str], Question],
        may_do: Callable[[str], bool],
    ) -> None:
        super().__init__(parent)
        self._keys = keys
        self._do = do
        self._may_do = may_do
        self._ask = ask

    def fill_for_box(self, confidences: Sequence[str]) -> None:
        """Offer what can be said about the selected box."""
        for name in ON_BOX:
            self._add_question(name)
        choices = self.addMenu("Confidence")
        for number, words in enumerate(confidences, start=1):
            name = f"confidence-{number}"
            self._add(choices, name, words)
        self.addSeparator()
        for name in AFTER:
            self._add(self, name)

    def fill_for_slice(self) -> None:
        """Offer what can be said about the slice, and how to look at it."""
        for name in ON_SLICE:
            self._add(self, name)
        self.addSeparator()
        for name in ON_VIEW:
            self._add(self, name)

    def _add_question(self, name: str) -> None:
        question = self._ask(name)
        choices = self.addMenu(question.title)
        choices.setEnabled(self._may_do(name))
        for word in question.words:
            entry = choices.addAction(word)
            entry.setCheckable(True)
            entry.setChecked(word in question.chosen)
            entry.triggered.connect(lambda _checked=False, word=word: question.pick(word))

    def _add(self, menu: QMenu, name: str, words: str = "") -> QAction:
        shown = words or ACTIONS_BY_NAME[name].words
        entry = menu.addAction(f"{shown}\t{key_words(self._keys[name][:1])}")
        entry.setEnabled(self._may_do(name))
        entry.triggered.connect(lambda _checked=False: self._do(name))
        return entry
