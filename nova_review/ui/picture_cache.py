"""Slices made ready ahead: picture and answer read in the reading worker, kept in bounded memory."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from nova_review.domain.errors import NovaReviewError, UserError
from nova_review.services.ports import OpenedSlice, Picture, Place, ReadingDesk
from nova_review.ui.canvas.items import CanvasImage
from nova_review.ui.tasks import Task, Worker

MOST_BYTES = 24_000_000
MOST_PICTURES = 24
_WIDEST = 65_535


@dataclass(frozen=True, slots=True)
class LoadedSlice:
    """A slice ready to be shown; `problem` is the sentence in the place of a picture."""

    opened: OpenedSlice
    image: CanvasImage | None
    problem: str


class SliceCache(QObject):
    """Gives slices that are ready at once, and reads the others.

    Signals: `arrived(Place, LoadedSlice)` and `failed(Place, str)`.
    What was read for a place that nobody wants any more is dropped.
    """

    arrived = Signal(object, object)
    failed = Signal(object, str)

    def __init__(self, desk: ReadingDesk, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._desk = desk
        self._worker = worker
        self._ready: OrderedDict[Place, LoadedSlice] = OrderedDict()
        self._bytes = 0
        self._reading: dict[Place, Task] = {}

    def get(self, place: Place) -> LoadedSlice | None:
        """Return the slice if it is ready."""
        loaded = self._ready.get(place)
        if loaded is not None:
            self._ready.move_to_end(place)
        return loaded

    def want(self, places: Iterable[Place]) -> None:
        """Read these places, in this order, and drop what is being read for any other."""
        wanted = tuple(dict.fromkeys(places))
        for place in set(self._reading) - set(wanted):
            self._reading.pop(place).drop()
        for place in wanted:
            if place not in self._ready and place not in self._reading:
                self._read(place)

    def forget(self, is_stale: Callable[[Place], bool]) -> None:
        """Let go of what may have changed in the study file, and of what is being read of it."""
        for place in [p for p in self._ready if is_stale(p)]:
            self._bytes -= _size(self._ready.pop(place))
        for place in [p for p in self._reading if is_stale(p)]:
            self._reading.pop(place).drop()

    def _read(self, place: Place) -> None:
        self._reading[place] = self._worker.run(
            partial(load_slice, self._desk, place),
            done=partial(self._on_read, place),
            failed=partial(self._on_failed, place),
        )

    def _on_read(self, place: Place, loaded: LoadedSlice) -> None:
        self._reading.pop(place, None)
        self._keep(place, loaded)
        self.arrived.emit(place, loaded)

    def _on_failed(self, place: Place, error: NovaReviewError) -> None:
        self._reading.pop(place, None)
        self.failed.emit(place, str(error))

    def _keep(self, place: Place, loaded: LoadedSlice) -> None:
        old = self._ready.pop(place, None)
        self._bytes += _size(loaded) - (_size(old) if old else 0)
        self._ready[place] = loaded
        while len(self._ready) > 1 and (self._bytes > MOST_BYTES or len(self._ready) > MOST_PICTURES):
            self._bytes -= _size(self._ready.popitem(last=False)[1])


def load_slice(desk: ReadingDesk, place: Place) -> LoadedSlice:
    """Read a slice and decode its picture; a picture that cannot be shown is a sentence."""
    opened = desk.open_slice(place)
    if opened.image_problem:
        return LoadedSlice(opened, None, opened.image_problem)
    try:
        return LoadedSlice(opened, canvas_image(desk.picture(place.slice_id)), "")
    except UserError as error:
        return LoadedSlice(opened, None, str(error))


def canvas_image(picture: Picture) -> CanvasImage:
    """Turn a decoded picture into what the canvas shows; wider data keeps its stored values."""
    wide = getattr(picture, "wide", None)
    if not wide:
        return CanvasImage(picture.width, picture.height, bytes(picture.pixels))
    return _wide_image(picture, wide)


def _wide_image(picture: Picture, wide: bytes) -> CanvasImage:
    import numpy as np  # slow import, needed for wide data only

    values = np.frombuffer(wide, "<f4")
    low, high = float(values.min()), float(values.max())
    if low < 0 or high > _WIDEST or not np.array_equal(values, np.rint(values)):
        return CanvasImage(picture.width, picture.height, bytes(picture.pixels))
    stored = values.astype("<u2").tobytes()
    return CanvasImage(
        picture.width, picture.height, b"", wide=stored, low=int(low), high=max(int(high), int(low) + 1)
    )


def _size(loaded: LoadedSlice) -> int:
    image = loaded.image
    return len(image.pixels) + len(image.wide or b"") if image else 0
