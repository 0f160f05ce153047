"""Filters that somebody gave a name: kept with the study, taken from a menu."""

from functools import partial

from PySide6.QtCore import QObject, QPoint, Signal
from PySide6.QtWidgets import QInputDialog, QMenu, QWidget

from nova_review.domain.errors import NovaReviewError
from nova_review.services.comparing_ports import ComparisonDesk
from nova_review.services.failure_notes import SavedFilter
from nova_review.ui.messages import Messages
from nova_review.ui.workers import Workers

_FAULT = "compare-saved"
PRESETS: tuple[tuple[str, str], ...] = (
    ("All models wrong", "models_right = 0"),
    ("Missed, under 1% of the picture", "verdict = miss and relative_size < 0.01"),
    ("Wrong where the readers agreed", "models_right = 0 and readers = agreed"),
    ("Wrong where the readers disagreed too", "models_right = 0 and readers = disagreed"),
)


class SavedMenu(QObject):
    """Signals: `chosen(where)`."""

    chosen = Signal(str)

    def __init__(self, desk: ComparisonDesk, workers: Workers, messages: Messages, parent: QWidget) -> None:
        super().__init__(parent)
        self._desk, self._workers, self._messages, self._page = desk, workers, messages, parent
        self._is_over = False
        self.menu: QMenu | None = None

    def popup(self, under: QWidget, where: str) -> None:
        """Read the saved filters and offer them under a button."""
        self._workers.read.run(
            self._desk.saved_filters, done=partial(self._offer, under, where), failed=self._fail
        )

    def stop(self) -> None:
        """Offer nothing any more."""
        self._is_over = True

    def keep(self, name: str, where: str) -> None:
        """Store the filter under a name."""
        if name.strip():
            self._workers.write.run(
                partial(self._desk.save_filter, name.strip(), where),
                done=lambda _all: self._say(f"The filter is kept as {name.strip()}."),
                failed=self._fail,
            )

    def _offer(self, under: QWidget, where: str, saved: tuple[SavedFilter, ...]) -> None:
        if self._is_over:
            return
        menu = QMenu(self._page)
        menu.setAccessibleName("Saved filters")
        for words, condition in PRESETS:
            menu.addAction(words).triggered.connect(partial(self._take, condition))
        if saved:
            menu.addSeparator()
        for one in saved:
            menu.addAction(_plain(one.name)).triggered.connect(partial(self._take, one.words))
        menu.addSeparator()
        keep = menu.addAction("Keep this filter...")
        keep.setEnabled(bool(where))
        keep.triggered.connect(partial(self._ask_name, where))
        if saved:
            forget = menu.addMenu("Forget")
            for one in saved:
                forget.addAction(_plain(one.name)).triggered.connect(partial(self._forget, one.name))
        menu.aboutToHide.connect(menu.deleteLater)
        self.menu = menu
        menu.popup(under.mapToGlobal(QPoint(0, under.height())))

    def _take(self, where: str, _checked: bool = False) -> None:
        self.chosen.emit(where)

    def _forget(self, name: str, _checked: bool = False) -> None:
        self._workers.write.run(
            partial(self._desk.remove_filter, name),
            done=lambda _all: self._say(f"The filter {name} is forgotten."),
            failed=self._fail,
        )

    def _ask_name(self, where: str, _checked: bool = False) -> None:
        dialog = QInputDialog(self._page)
        dialog.setWindowTitle("Keep this filter")
        dialog.setLabelText("Name of the filter")
        dialog.textValueSelected.connect(lambda name: self.keep(name, where))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _say(self, words: str) -> None:
        self._messages.resolve(_FAULT)
        self._messages.info(words)

    def _fail(self, error: NovaReviewError) -> None:
        self._messages.error(str(error), key=_FAULT)


def _plain(name: str) -> str:
    """A name as a menu shows it: "&" is no mnemonic there."""
    return name.replace("&", "&&")
