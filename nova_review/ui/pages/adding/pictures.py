"""Pictures of the slices on which readings are shown, read one after the other in the reading worker."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from nova_review.domain.errors import NovaReviewError
from nova_review.services.ports import Picture
from nova_review.services.prediction_content import SlicePlace
from nova_review.ui.tasks import Task, Worker


class ExamplePictures(QObject):
    """Signals: `made(SlicePlace)` when a picture has come, or the sentence in its place."""

    made = Signal(object)

    def __init__(
        self, read: Callable[[SlicePlace], Picture], worker: Worker, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._read, self._worker = read, worker
        self._images: dict[SlicePlace, QImage] = {}
        self._problems: dict[SlicePlace, str] = {}
        self._tasks: list[Task] = []

    def image(self, place: SlicePlace) -> QImage | None:
        """Return a slice's picture if it is there."""
        return self._images.get(place)

    def problem(self, place: SlicePlace) -> str:
        """Return why there is no picture, "" while it may still come."""
        return self._problems.get(place, "")

    def want(self, places: Sequence[SlicePlace]) -> None:
        """Read the pictures of these slices, and keep no others."""
        self.stop()
        self._images = {p: i for p, i in self._images.items() if p in places}
        self._problems = {}
        self._tasks = [
            self._worker.run(
                partial(_image, self._read, place),
                done=partial(self._keep, place),
                failed=partial(self._keep_problem, place),
            )
            for place in places
            if place not in self._images
        ]

    def stop(self) -> None:
        """Read no more."""
        for task in self._tasks:
            task.drop()
        self._tasks = []

    def _keep(self, place: SlicePlace, image: QImage) -> None:
        self._images[place] = image
        self.made.emit(place)

    def _keep_problem(self, place: SlicePlace, error: NovaReviewError) -> None:
        self._problems[place] = str(error)
        self.made.emit(place)


def _image(read: Callable[[SlicePlace], Picture], place: SlicePlace) -> QImage:
    picture = read(place)
    pixels, width = bytes(picture.pixels), picture.width
    return QImage(pixels, width, picture.height, width, QImage.Format.Format_Grayscale8).copy()
