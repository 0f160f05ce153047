"""Export of the filtered list: sheets, page, table, pictures; asked for in a menu, written in a worker."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QPoint
from PySide6.QtWidgets import QFileDialog, QMenu, QWidget

from nova_review.domain.errors import NovaReviewError
from nova_review.services.comparing_lists import ExportWish, Selection
from nova_review.services.comparing_ports import ComparisonDesk
from nova_review.ui.messages import Messages
from nova_review.ui.widgets.file_dialog import FileDialog
from nova_review.ui.workers import Workers

_FAULT = "compare-export"
WISHES: tuple[tuple[str, ExportWish], ...] = (
    ("Contact sheets (PNG) and table of verdicts", ExportWish()),
    ("Sheets as PNG and PDF, and the table", ExportWish(pdf=True)),
    ("HTML page that opens anywhere, sheets and table", ExportWish(html=True)),
    ("Everything, with a picture of every slice", ExportWish(pdf=True, html=True, images=True)),
)


class ExportMenu(QObject):
    """Asks what and where, then writes."""

    def __init__(self, desk: ComparisonDesk, workers: Workers, messages: Messages, parent: QWidget) -> None:
        super().__init__(parent)
        self._desk, self._workers, self._messages, self._page = desk, workers, messages, parent
        self.menu: QMenu | None = None
        self.dialog: QFileDialog | None = None

    def popup(self, under: QWidget, selection: Selection) -> None:
        """Offer what can be written of these slices."""
        menu = QMenu(self._page)
        menu.setAccessibleName(f"Export {selection.n} slices")
        for words, wish in WISHES:
            menu.addAction(words).triggered.connect(partial(self._ask_folder, selection, wish))
        menu.aboutToHide.connect(menu.deleteLater)
        self.menu = menu
        menu.popup(under.mapToGlobal(QPoint(0, under.height())))

    def write(self, selection: Selection, wish: ExportWish, folder: Path) -> None:
        """Write into a new folder, whole or not at all."""
        self._messages.info("Writing the sheets...")
        self._workers.analysis.run(
            partial(self._desk.export, selection, wish, folder),
            done=partial(self._on_written, folder),
            failed=self._fail,
        )

    def _ask_folder(self, selection: Selection, wish: ExportWish, _checked: bool = False) -> None:
        dialog = FileDialog(self._page, "A new folder for the export")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile("failures")
        dialog.fileSelected.connect(lambda name: self.write(selection, wish, Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        self.dialog = dialog
        dialog.open()

    def _on_written(self, folder: Path, names: tuple[str, ...]) -> None:
        self._messages.resolve(_FAULT)
        self._messages.info(f"{len(names)} files are in {folder.name}.")

    def _fail(self, error: NovaReviewError) -> None:
        self._messages.error(str(error), key=_FAULT)
