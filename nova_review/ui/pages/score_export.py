"""Export of scores: everything into a folder, or the table into one file; written in a worker."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QWidget

from nova_review.domain.errors import NovaReviewError
from nova_review.services.score_ports import ScoringDesk
from nova_review.services.score_views import ScoreTable
from nova_review.ui.messages import Messages
from nova_review.ui.widgets.file_dialog import FileDialog
from nova_review.ui.workers import Workers

_FAULT = "score-export"
CSV, LATEX = "Table as CSV (*.csv)", "Table as LaTeX (*.tex)"


class ScoreExport(QObject):
    """Asks where, then writes."""

    def __init__(self, desk: ScoringDesk, workers: Workers, messages: Messages, parent: QWidget) -> None:
        super().__init__(parent)
        self._desk, self._workers, self._messages, self._page = desk, workers, messages, parent
        self.dialog: QFileDialog | None = None

    def ask_folder(self, table: ScoreTable) -> None:
        """Ask for a new folder, and write everything there."""
        dialog = self._open("A new folder for tables and figures", "scores")
        dialog.fileSelected.connect(lambda name: self.write(table, Path(name)))

    def ask_file(self, table: ScoreTable) -> None:
        """Ask for a file, and write the table there."""
        dialog = self._open("Save this table", "scores.csv", kinds=(CSV, LATEX))
        dialog.fileSelected.connect(lambda name: self.save(table, _named(name, dialog.selectedNameFilter())))

    def write(self, table: ScoreTable, folder: Path) -> None:
        """Write object, tables and figures into a folder."""
        self._messages.info("Writing tables and figures...")
        self._workers.analysis.run(
            partial(self._desk.write, table, folder),
            done=lambda names: self._say(f"{len(names)} files are in {folder.name}."),
            failed=self._fail,
        )

    def save(self, table: ScoreTable, file: Path) -> None:
        """Write the table into one file."""
        self._workers.analysis.run(
            partial(self._desk.save_table, table, file),
            done=lambda _none: self._say(f"The table is in {file.name}."),
            failed=self._fail,
        )

    def _open(self, title: str, name: str, *, kinds: Sequence[str] = ()) -> QFileDialog:
        dialog = FileDialog(self._page, title)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        if kinds:
            dialog.setNameFilters(kinds)
        dialog.selectFile(name)  # last: then it is marked, and typing takes its place
        dialog.finished.connect(dialog.deleteLater)
        self.dialog = dialog
        dialog.open()
        return dialog

    def _say(self, words: str) -> None:
        self._messages.resolve(_FAULT)
        self._messages.info(words)

    def _fail(self, error: NovaReviewError) -> None:
        self._messages.error(str(error), key=_FAULT)


def _named(name: str, chosen: str) -> Path:
    """A name without an ending gets that of the chosen kind."""
    file = Path(name)
    if file.suffix:
        return file
    return file.with_suffix(".tex" if chosen == LATEX else ".csv")
