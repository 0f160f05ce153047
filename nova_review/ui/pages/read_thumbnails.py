"""Small pictures of the case's slices, made one after the other when nothing else is read."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QImage

from nova_review.domain.errors import NovaReviewError, UserError
from nova_review.services.ports import ReadingDesk
from nova_review.ui.tasks import Task, Worker

SIDE = 160
AT_ONCE = 4
"""Made in one go: a slice that is read ahead waits for no more, and the strip is painted once."""


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
        slice_ids, self._waiting = self._waiting[:AT_ONCE], self._waiting[AT_ONCE:]
        self._task = self._worker.run(
            partial(_all_small, self._desk, slice_ids), done=self._on_made, failed=self._on_failed
        )

    def _on_made(self, images: dict[str, QImage]) -> None:
        self._task = None
        for slice_id, image in images.items():
            self.made.emit(slice_id, image)
        self._next()

    def _on_failed(self, _error: NovaReviewError) -> None:
        self._task = None
        self._next()


def _all_small(desk: ReadingDesk, slice_ids: Sequence[str]) -> dict[str, QImage]:
    """Return those that can be shown; the canvas tells why another cannot."""
    made: dict[str, QImage] = {}
    for slice_id in slice_ids:
        with suppress(UserError):
            made[slice_id] = _small(desk, slice_id)
    return made


def _small(desk: ReadingDesk, slice_id: str) -> QImage:
    picture = desk.picture(slice_id)
    pixels, width = bytes(picture.pixels), picture.width
    image = QImage(pixels, width, picture.height, width, QImage.Format.Format_Grayscale8)
    modes = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return image.scaled(SIDE, SIDE, *modes).convertToFormat(QImage.Format.Format_RGB32)
