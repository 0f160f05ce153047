"""Small pictures of the case's slices, made one after the other when nothing else is read."""

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QImage

from nova_review.domain.errors import NovaReviewError
from nova_review.services.ports import ReadingDesk
from nova_review.ui.tasks import Task, Worker

SIDE = 160


class Thumbnails(QObject):
    """Signals: `made(slice id, QImage)`."""

    made = Signal(str, object)

    def __init__(self, desk: ReadingDesk, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._worker = worker
        self._waiting: list[str] = []
        self._task: Task | None = None

    def want(self, slice_ids: Sequence[str]) -> None:
        """Make those of these slices, and of no others any more."""
        self._waiting = list(slice_ids)
        if self._task is None:
            self._next()

    def stop(self) -> None:
        """Make no more."""
        self._waiting = []
        if self._task is not None:
            self._task.drop()
            self._task = None

    def _next(self) -> None:
        if not self._waiting:
            return
        slice_id = self._waiting.pop(0)
        self._task = self._worker.run(
            partial(_small, self._desk, slice_id),
            done=partial(self._on_made, slice_id),
            failed=self._on_failed,
        )

    def _on_made(self, slice_id: str, image: QImage) -> None:
        self._task = None
        self.made.emit(slice_id, image)
        self._next()

    def _on_failed(self, _error: NovaReviewError) -> None:
        self._task = None  # the canvas tells why a picture cannot be shown
        self._next()


def _small(desk: ReadingDesk, slice_id: str) -> QImage:
    picture = desk.picture(slice_id)
    pixels, width = bytes(picture.pixels), picture.width
    image = QImage(pixels, width, picture.height, width, QImage.Format.Format_Grayscale8)
    modes = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return image.scaled(SIDE, SIDE, *modes).convertToFormat(QImage.Format.Format_RGB32)
