"""Pictures for the agreement page: small ones for the strip, one large; the newest wish first."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QImage

from nova_review.domain.errors import NovaReviewError
from nova_review.services.agreement_readings import SliceFacts
from nova_review.services.ports import Picture
from nova_review.ui.canvas.items import CanvasImage
from nova_review.ui.picture_cache import canvas_image
from nova_review.ui.tasks import Task, Worker

SIDE = 192
MOST_SMALL = 600
ReadPicture = Callable[[SliceFacts], Picture]


class SlicePictures(QObject):
    """Signals: `small_made(key)`, `large_made(key, CanvasImage or None, problem)`.

    One small picture is read at a time, so that a wish for a large one never waits for many.
    """

    small_made = Signal(str)
    large_made = Signal(str, object, str)

    def __init__(self, read: ReadPicture, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._read = read
        self._worker = worker
        self._small: OrderedDict[str, QImage | None] = OrderedDict()
        self._waiting: list[tuple[str, SliceFacts]] = []
        self._task: Task | None = None
        self._large: Task | None = None

    def small(self, key: str) -> QImage | None:
        """Return the small picture if it is there."""
        return self._small.get(key)

    def want_small(self, slices: Sequence[tuple[str, SliceFacts]]) -> None:
        """Make the small pictures of these slices, and of no others any more."""
        self._waiting = [s for s in slices if s[0] not in self._small]
        if self._task is None:
            self._next()

    def want_large(self, key: str, facts: SliceFacts) -> None:
        """Read one picture in full; an earlier wish is dropped."""
        if self._large is not None:
            self._large.drop()
        self._large = self._worker.run(
            partial(self._canvas_image, facts),
            done=lambda image: self.large_made.emit(key, image, ""),
            failed=lambda error: self.large_made.emit(key, None, str(error)),
        )

    def stop(self) -> None:
        """Read no more."""
        self._waiting = []
        for task in (self._task, self._large):
            if task is not None:
                task.drop()
        self._task = self._large = None

    def _canvas_image(self, facts: SliceFacts) -> CanvasImage:
        return canvas_image(self._read(facts))

    def _next(self) -> None:
        if not self._waiting:
            return
        key, facts = self._waiting.pop(0)
        self._task = self._worker.run(
            partial(_reduced, self._read, facts),
            done=partial(self._keep, key),
            failed=partial(self._keep_none, key),
        )

    def _keep_none(self, key: str, _error: NovaReviewError) -> None:
        self._keep(key, None)  # the large view tells why

    def _keep(self, key: str, image: QImage | None) -> None:
        self._task = None
        self._small[key] = image
        while len(self._small) > MOST_SMALL:
            self._small.popitem(last=False)
        self.small_made.emit(key)
        self._next()


def _reduced(read: ReadPicture, facts: SliceFacts) -> QImage:
    picture = read(facts)
    pixels, width = bytes(picture.pixels), picture.width
    image = QImage(pixels, width, picture.height, width, QImage.Format.Format_Grayscale8)
    modes = Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    return image.scaled(SIDE, SIDE, *modes).convertToFormat(QImage.Format.Format_RGB32)
