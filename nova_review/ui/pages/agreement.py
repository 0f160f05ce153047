"""The agreement page: how well readers agree, and on which slices they do not."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Protocol as Port

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QFileDialog, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from nova_review.domain.errors import NovaReviewError
from nova_review.services.agreement import AgreementResult
from nova_review.services.agreement_measures import Linked, Measured
from nova_review.services.agreement_readings import AgreementRequest, SliceFacts
from nova_review.services.agreement_tables import Table
from nova_review.services.ports import Picture
from nova_review.ui.canvas.items import CanvasImage
from nova_review.ui.messages import MessageBar, Messages
from nova_review.ui.pages.agreement_head import AgreementHead, CountedBar, StripHead
from nova_review.ui.pages.agreement_headline import EndpointsColumn
from nova_review.ui.pages.agreement_large import LargeSlice
from nova_review.ui.pages.agreement_pictures import SlicePictures
from nova_review.ui.pages.agreement_plots import LinkedPlots
from nova_review.ui.pages.agreement_slices import ShownSlice, shown_slices
from nova_review.ui.pages.agreement_strip import SliceStripView
from nova_review.ui.theme import GROUND
from nova_review.ui.widgets.file_dialog import FileDialog
from nova_review.ui.widgets.measure import px
from nova_review.ui.workers import Workers

_LEFT = 500


class Desk(Port):
    """What the page asks for (`services.agreement_desk.AgreementDesk`)."""

    def measure(self, request: AgreementRequest) -> AgreementResult: ...
    def linked(self, measured: Measured, threshold: float) -> Linked: ...
    def picture(self, slice_facts: SliceFacts) -> Picture: ...
    def save_table(self, table: Table, file: Path) -> None: ...
    def write(self, result: AgreementResult, folder: Path) -> tuple[str, ...]: ...


class AgreementPage(QWidget):
    """Endpoints at the left, linked views at the right, slices below.

    Numbers are made in the analysis worker; while they are, the page says so and keeps what it
    shows. Signals: `left()` when the person goes back, `shown()` when numbers stand on the page.
    """

    left = Signal()
    shown = Signal()

    def __init__(
        self, desk: Desk, workers: Workers, messages: Messages, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName("Agreement")
        self._desk, self._workers, self._messages = desk, workers, messages
        self._result: AgreementResult | None = None
        self._view: Linked | None = None
        self._slices: dict[str, ShownSlice] = {}
        self._asked = 0
        self.pictures = SlicePictures(desk.picture, workers.read, self)
        self.head, self.counted, self.strip_head = AgreementHead(), CountedBar(), StripHead()
        self.endpoints, self.plots, self.large = EndpointsColumn(), LinkedPlots(), LargeSlice()
        self.strip = SliceStripView(self.pictures.small)
        self.right = QStackedWidget()
        self._lay_out()
        self._connect()
        self._bar = MessageBar(messages, self.right)

    def begin(self) -> None:
        """Measure the study as it stands now."""
        self._asked += 1
        self.head.show_busy(busy=True)
        self._workers.analysis.run(
            lambda: self._desk.measure(AgreementRequest()),
            done=self._on_measured,
            failed=self._on_failed,
        )

    def result(self) -> AgreementResult | None:
        """Return the numbers that are shown."""
        return self._result

    def end(self) -> None:
        """Read no more pictures."""
        self.pictures.stop()

    def show_threshold(self, threshold: float) -> None:
        """Show what stands behind the numbers at another threshold."""
        if self._result is None:
            return
        self._asked += 1
        self.head.show_busy(busy=True)
        self._workers.analysis.run(
            partial(self._behind, self._result, threshold),
            done=partial(self._on_linked, self._asked),
            failed=self._on_failed,
        )

    def open_slice(self, key: str) -> None:
        """Show a slice large."""
        one = self._slices.get(key)
        if one is None:
            return
        self.large.show_slice(one)
        self.strip.show_current(key)
        self.right.setCurrentWidget(self.large)
        self.pictures.want_large(key, one.facts)

    def close_slice(self) -> None:
        """Go back from the large slice to the plots."""
        self.right.setCurrentWidget(self.plots)
        self.strip.clearSelection()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = self._act_of(event)
        if act is None:
            super().keyPressEvent(event)
        else:
            act()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), QColor(GROUND))

    def _act_of(self, event: QKeyEvent) -> Callable[[], object] | None:
        plain: dict[int, Callable[[], object]] = {
            Qt.Key.Key_Escape: self._back,
            Qt.Key.Key_PageDown: lambda: self.strip.step(1),
            Qt.Key.Key_PageUp: lambda: self.strip.step(-1),
            Qt.Key.Key_T: self.plots.as_table.toggle,
            Qt.Key.Key_A: self._show_all,
            Qt.Key.Key_F5: self.begin,
        }
        control: dict[int, Callable[[], object]] = {
            Qt.Key.Key_S: lambda: self._ask_table_file(self.plots.table()),
            Qt.Key.Key_E: self._ask_folder,
        }
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if self._result is None:
            return self.left.emit if event.key() == Qt.Key.Key_Escape else None
        if modifiers == Qt.KeyboardModifier.ControlModifier:
            return control.get(event.key())
        return plain.get(event.key()) if not modifiers else None

    def _back(self) -> None:
        if self.right.currentWidget() is self.large:
            self.close_slice()
        else:
            self.left.emit()

    def _lay_out(self) -> None:
        self.right.addWidget(self.plots)
        self.right.addWidget(self.large)
        middle = QSplitter(Qt.Orientation.Horizontal)
        middle.addWidget(self.endpoints)
        middle.addWidget(self.right)
        middle.setStretchFactor(0, 0)
        middle.setStretchFactor(1, 1)
        middle.setSizes([px(_LEFT), px(796)])
        middle.setChildrenCollapsible(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(1)
        for part in (self.head, self.counted):
            column.addWidget(part)
        column.addWidget(middle, 1)
        column.addWidget(self.strip_head)
        column.addWidget(self.strip)

    def _connect(self) -> None:
        self.head.back.clicked.connect(self.left)
        self.head.export.clicked.connect(self._ask_folder)
        self.head.threshold_chosen.connect(self.show_threshold)
        self.plots.slices_chosen.connect(self._show_slices)
        self.plots.slice_wanted.connect(self.open_slice)
        self.plots.table_saving_wanted.connect(self._ask_table_file)
        self.strip.slice_opened.connect(lambda one: self.open_slice(one.key))
        self.strip.in_sight.connect(self._want_small)
        self.strip_head.all_wanted.connect(self._show_all)
        self.pictures.small_made.connect(self.strip.strip_model().picture_came)
        self.pictures.large_made.connect(self._on_picture)
        self.large.closed.connect(self.close_slice)
        self.large.stepped.connect(self.strip.step)

    def _on_measured(self, result: AgreementResult) -> None:
        self._result = result
        self.head.show_measured(result.measured)
        self.counted.show_measured(result.measured)
        self.endpoints.show_measured(result.measured)
        self.show_threshold(result.measured.headline_threshold)

    def _behind(
        self, result: AgreementResult, threshold: float
    ) -> tuple[AgreementResult, Linked, tuple[ShownSlice, ...]]:
        """Runs in the worker."""
        view = self._desk.linked(result.measured, threshold)
        return result, view, shown_slices(result.measured, view)

    def _on_linked(self, asked: int, made: tuple[AgreementResult, Linked, tuple[ShownSlice, ...]]) -> None:
        if asked != self._asked:
            return  # another threshold was asked for in the meantime
        result, view, slices = made
        self._view = view
        self._slices = {one.key: one for one in slices}
        self.head.show_threshold(view.threshold)
        self.plots.show_measured(result.measured, view)
        self._show_all()
        self.head.show_busy(busy=False)
        self.shown.emit()

    def _on_failed(self, error: NovaReviewError) -> None:
        self.head.show_busy(busy=False)
        self._messages.error(str(error), key="agreement")

    def _show_slices(self, words: str, keys: tuple[str, ...]) -> None:
        self._fill_strip(words, [self._slices[k] for k in keys if k in self._slices], is_all=False)

    def _show_all(self) -> None:
        self.plots.forget_choice()
        self._fill_strip("All slices, lowest agreement first", list(self._slices.values()), is_all=True)

    def _fill_strip(self, words: str, slices: list[ShownSlice], *, is_all: bool) -> None:
        self.strip_head.show_choice(words, len(slices), len(self._slices), is_all=is_all)
        self.strip.show_slices(slices)
        shown = self.large.shown()
        if shown is not None and self.right.currentWidget() is self.large:
            self.strip.show_current(shown.key)

    def _want_small(self, slices: tuple[ShownSlice, ...]) -> None:
        self.pictures.want_small([(one.key, one.facts) for one in slices if one.facts.slice_id])

    def _on_picture(self, key: str, image: CanvasImage | None, problem: str) -> None:
        shown = self.large.shown()
        if shown is not None and shown.key == key:
            self.large.show_picture(image, problem)

    def _ask_table_file(self, table: Table) -> None:
        dialog = FileDialog(self, "Save the table", f"{table.name}.csv", "Tables (*.csv)")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv")
        dialog.fileSelected.connect(lambda name: self.save_table(table, Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def save_table(self, table: Table, file: Path) -> None:
        """Write a table to a file, in the writing worker."""
        self._workers.write.run(
            lambda: self._desk.save_table(table, file),
            done=lambda _none: self._messages.info(f"The table is in {file.name}."),
            failed=self._on_failed,
        )

    def _ask_folder(self) -> None:
        dialog = FileDialog(self, "A new folder for tables and figures")
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.selectFile("agreement")
        dialog.fileSelected.connect(lambda name: self.export_to(Path(name)))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def export_to(self, folder: Path) -> None:
        """Write all tables and figures into a folder, in the analysis worker."""
        result = self._result
        if result is None:
            return
        self.head.show_busy(busy=True)
        self._workers.analysis.run(
            lambda: self._desk.write(result, folder),
            done=partial(self._on_written, folder),
            failed=self._on_failed,
        )

    def _on_written(self, folder: Path, names: tuple[str, ...]) -> None:
        self.head.show_busy(busy=False)
        self._messages.info(f"{len(names)} files are in {folder.name}.")
