"""Where the reader is in his worklist, and which slices are made ready around him."""

from collections.abc import Collection

from PySide6.QtCore import QObject, QTimer, Signal

from nova_review.domain.reading import SliceMark
from nova_review.services.ports import Place, ReadingDesk, Worklist
from nova_review.ui.picture_cache import LoadedSlice, SliceCache
from nova_review.ui.route import Route, route_of, start_place
from nova_review.ui.tasks import Worker

READ_AHEAD, READ_BEHIND = 2, 1


class Navigator(QObject):
    """Goes from slice to slice.

    The place changes only when the slice that was asked for is ready; a slice that cannot be
    opened leaves everything as it was.

    Signals: `leaving()` before another slice is asked for, `came(Place, LoadedSlice)`,
    `neighbour_came(Place, LoadedSlice)` for the other slices on the screen,
    `route_changed(Route)`, `refused(str)`, `noticed(str)`.
    """

    leaving = Signal()
    came = Signal(object, object)
    neighbour_came = Signal(object, object)
    route_changed = Signal(object)
    refused = Signal(str)
    noticed = Signal(str)

    def __init__(self, desk: ReadingDesk, worker: Worker, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cache = SliceCache(desk, worker, self)
        self._route: Route | None = None
        self._place: Place | None = None
        self._target: Place | None = None
        self._neighbours: tuple[Place, ...] = ()
        self._opened: set[Place] = set()
        self._ahead = QTimer(self)  # after the paint: a worker that starts before it would delay it
        self._ahead.setSingleShot(True)
        self._ahead.setInterval(0)
        self._ahead.timeout.connect(self._read_ahead)
        self._cache.arrived.connect(self._on_arrived)
        self._cache.failed.connect(self._on_failed)

    @property
    def route(self) -> Route | None:
        return self._route

    @property
    def place(self) -> Place | None:
        """The slice on the screen; None before the first one."""
        return self._place

    @property
    def is_going(self) -> bool:
        """Whether another slice was asked for and is not ready yet."""
        return self._target is not None

    def stands_at(self, place: Place) -> bool:
        """Whether the reader is at this place and not on his way to another."""
        return self._place == place and self._target is None

    def begin(self, worklist: Worklist) -> None:
        """Take the worklist and open the slice where the reader stopped."""
        route = route_of(worklist)
        self.set_route(route)
        place = start_place(route)
        if place is None:
            self.noticed.emit("There is nothing to read here now.")
        else:
            self.go_to(place)

    def renew(self, worklist: Worklist) -> None:
        """Take the worklist anew; what was opened in this sitting stays opened."""
        self.set_route(route_of(worklist).with_opened(self._opened))

    def set_route(self, route: Route) -> None:
        self._route = route
        self.route_changed.emit(route)

    def go_to(self, place: Place) -> None:
        """Open a slice."""
        route = self._route
        if route is None or not route.knows(place):
            return
        entry = route.entry(place)
        if not entry.openable:
            self.refused.emit(entry.why_not)
            return
        self.leaving.emit()
        self._target = place
        loaded = self._cache.get(place)
        if loaded is not None:
            self._arrive(place, loaded)
        else:
            self._cache.want((place,))

    def step(self, by: int) -> None:
        """Go to the next (1) or previous (-1) slice of the worklist."""
        start = self._target or self._place
        if self._route is None or start is None or not self._route.knows(start):
            return
        place = self._route.step(start, by)
        if place is None:
            self.noticed.emit("This is the last slice." if by > 0 else "This is the first slice.")
        else:
            self.go_to(place)

    def go_to_end(self, by: int) -> None:
        """Go to the first (-1) or the last (1) slice of the worklist."""
        if self._route is None:
            return
        start = len(self._route.places) - 1 if by > 0 else 0
        place = self._route.first_from(start, -by)
        if place is not None:
            self.go_to(place)

    def show_neighbours(self, places: Collection[Place]) -> None:
        """Say which other slices are on the screen; they come by `neighbour_came`."""
        self._neighbours = tuple(p for p in places if p != self._place)
        for place in self._neighbours:
            loaded = self._cache.get(place)
            if loaded is not None:
                self.neighbour_came.emit(place, loaded)
        self._ahead.start()

    def forget(self, presentation_id: str) -> None:
        """Read the slices of a presentation anew: their stage or state has changed."""
        self._cache.forget(lambda place: place.presentation_id == presentation_id)

    def stop(self) -> None:
        """The window has closed."""
        self._ahead.stop()

    def _arrive(self, place: Place, loaded: LoadedSlice) -> None:
        self._place, self._target = place, None
        self.came.emit(place, loaded)
        self._note_opened(place)
        self._ahead.start()

    def _read_ahead(self) -> None:
        if self._route is None or self._place is None or self._target is not None:
            return
        if self._route.knows(self._place):
            around = self._route.around(self._place, ahead=READ_AHEAD, behind=READ_BEHIND)
            self._cache.want((*self._neighbours, *around))

    def _on_arrived(self, place: Place, loaded: LoadedSlice) -> None:
        if place == self._target:
            self._arrive(place, loaded)
        elif place in self._neighbours:
            self.neighbour_came.emit(place, loaded)

    def _on_failed(self, place: Place, reason: str) -> None:
        if place == self._target:
            self._target = None
            self.refused.emit(reason)

    def _note_opened(self, place: Place) -> None:
        self._opened.add(place)
        if self._route is not None and self._route.slice_of(place).mark is SliceMark.NEVER_SHOWN:
            self.set_route(self._route.with_mark(place, SliceMark.OPENED))
