"""Small pictures and what stands on them, made in the reading worker for what is in sight, kept in bounds."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QImage

from nova_review.domain.errors import NovaReviewError
from nova_review.services.answer_sets import SliceKey
from nova_review.services.comparing_views import ComparedSlice
from nova_review.services.ports import Picture
from nova_review.ui.canvas.items import CanvasImage
from nova_review.ui.picture_cache import canvas_image
from nova_review.ui.tasks import Task, Worker

SIDE = 192
"""Longest side of a small picture, in pixels."""

MOST_SMALL = 1200
"""Small pictures that are kept: 44 MB at most."""

MOST_LARGE = 16
ReadPicture = Callable[[SliceKey], Picture]
ReadSlice = Callable[[SliceKey], ComparedSlice]
T = TypeVar("T")


@dataclass(frozen=True, slots=True, eq=False)
class Thumbnail:
    """One slice small: its picture (None where it cannot be shown) and what became of the boxes."""

    shown: ComparedSlice
    image: QImage | None


@dataclass(frozen=True, slots=True)
class LargeSlice:
    """One slice in full, ready for the panels; `problem` stands in the place of a picture."""

    shown: ComparedSlice
    image: CanvasImage | None
    problem: str


class CompareSlices(QObject):
    """Slices for the gallery and the panels; the newest wish is read first.

    Signals: `small_made(SliceKey)`, `large_made(SliceKey, LargeSlice)`, `failed(str)`.
    Verdicts change with the thresholds: `forget_verdicts` keeps the pictures and drops the rest.
    """

    small_made = Signal(object)
    large_made = Signal(object, object)
    failed = Signal(str)

    def __init__(
        self, read_slice: ReadSlice, read_picture: ReadPicture, worker: Worker, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._read_slice, self._read_picture, self._worker = read_slice, read_picture, worker
        self._small: OrderedDict[SliceKey, Thumbnail] = OrderedDict()
        self._pictures: OrderedDict[SliceKey, QImage | None] = OrderedDict()
        self._large: OrderedDict[SliceKey, LargeSlice] = OrderedDict()
        self._images: OrderedDict[SliceKey, tuple[CanvasImage | None, str]] = OrderedDict()
        self._waiting: list[SliceKey] = []
        self._small_task: Task | None = None
        self._large_tasks: dict[SliceKey, Task] = {}

    def small(self, key: SliceKey) -> Thumbnail | None:
        """Return a small slice if it is ready."""
        return self._small.get(key)

    def large(self, key: SliceKey) -> LargeSlice | None:
        """Return a slice in full if it is ready."""
        return self._large.get(key)

    def want_small(self, keys: Sequence[SliceKey]) -> None:
        """Make these small ones, in this order, and no others any more."""
        self._waiting = [key for key in keys if key not in self._small]
        if self._small_task is None:
            self._next_small()

    def want_large(self, keys: Sequence[SliceKey]) -> None:
        """Read these in full, the first first; drop what is being read for any other."""
        for key in set(self._large_tasks) - set(keys):
            self._large_tasks.pop(key).drop()
        for key in keys:
            if key not in self._large and key not in self._large_tasks:
                self._large_tasks[key] = self._worker.run(
                    partial(self._make_large, key, self._images.get(key)),
                    done=partial(self._keep_large, key),
                    failed=partial(self._on_failed, key),
                )

    def forget_verdicts(self) -> None:
        """Let go of everything that thresholds, tags or judgements change."""
        self._small.clear()
        self._large.clear()
        for task in self._large_tasks.values():
            task.drop()
        self._large_tasks.clear()
        if self._small_task is not None:
            self._small_task.drop()
            self._small_task = None

    def forget(self, key: SliceKey) -> None:
        """Let go of one slice's verdicts and tags."""
        self._small.pop(key, None)
        self._large.pop(key, None)

    def stop(self) -> None:
        """Read no more."""
        self._waiting = []
        self.forget_verdicts()

    def _make_large(self, key: SliceKey, kept: tuple[CanvasImage | None, str] | None) -> LargeSlice:
        image, problem = kept or _in_full(self._read_picture, key)
        return LargeSlice(self._read_slice(key), image, problem)

    def _keep_large(self, key: SliceKey, large: LargeSlice) -> None:
        self._large_tasks.pop(key, None)
        _keep(self._large, key, large, MOST_LARGE)
        _keep(self._images, key, (large.image, large.problem), MOST_LARGE)
        self.large_made.emit(key, large)

    def _on_failed(self, key: SliceKey, error: NovaReviewError) -> None:
        self._large_tasks.pop(key, None)
        self.failed.emit(str(error))

    def _next_small(self) -> None:
        if not self._waiting:
            return
        key = self._waiting.pop(0)
        has_picture = key in self._pictures
        self._small_task = self._worker.run(
            partial(self._make_small, key, self._pictures.get(key), has_picture=has_picture),
            done=partial(self._keep_small, key),
            failed=self._on_small_failed,
        )

    def _make_small(self, key: SliceKey, kept: QImage | None, *, has_picture: bool) -> Thumbnail:
        image = kept if has_picture else _reduced(self._read_picture, key)
        return Thumbnail(self._read_slice(key), image)

    def _keep_small(self, key: SliceKey, small: Thumbnail) -> None:
        self._small_task = None
        _keep(self._small, key, small, MOST_SMALL)
        _keep(self._pictures, key, small.image, MOST_SMALL)
        self.small_made.emit(key)
        self._next_small()

    def _on_small_failed(self, error: NovaReviewError) -> None:
        self._small_task = None
        self.failed.emit(str(error))
        self._next_small()


def _keep(kept: OrderedDict[SliceKey, T], key: SliceKey, value: T, most: int) -> None:
    kept[key] = value
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)


def _in_full(read: ReadPicture, key: SliceKey) -> tuple[CanvasImage | None, str]:
    try:
        return canvas_image(read(key)), ""
    except NovaReviewError as error:
        return None, str(error)


def _reduced(read: ReadPicture, key: SliceKey) -> QImage | None:
    try:
        picture = read(key)
    except NovaReviewError:
        return None  # the large one says why
    pixels = bytes(picture.pixels)
    whole = QImage(pixels, picture.width, picture.height, picture.width, QImage.Format.Format_Grayscale8)
    return whole.scaled(
        SIDE, SIDE, Qt.AspectRatioMode.KeepAspectRatio, Qt.TransformationMode.SmoothTransformation
    )
