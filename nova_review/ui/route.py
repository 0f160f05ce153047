"""The way through a worklist: which slice comes next. Pure."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from nova_review.domain.reading import SliceMark
from nova_review.services.ports import CaseMark, Place, Worklist, WorklistEntry, WorklistSlice

_ANSWERED = frozenset(
    {
        SliceMark.LOCKED,
        SliceMark.SUBMITTED_FINDINGS,
        SliceMark.SUBMITTED_NO_FINDING,
        SliceMark.SUBMITTED_CANNOT_READ,
        SliceMark.WITHDRAWN,
    }
)
_CLOSED_CASES = frozenset({CaseMark.SUBMITTED, CaseMark.WITHDRAWN})


@dataclass(frozen=True, slots=True)
class Route:
    """All places of a worklist in order. Built once a worklist; a step is a look-up."""

    worklist: Worklist
    places: tuple[Place, ...]
    index: dict[Place, int]
    entries: dict[str, WorklistEntry]
    rows: dict[str, int]

    def entry(self, place: Place) -> WorklistEntry:
        """The presentation of a place."""
        return self.entries[place.presentation_id]

    def knows(self, place: Place) -> bool:
        """Whether the worklist has this place."""
        return place in self.index

    def step(self, place: Place, by: int) -> Place | None:
        """The next openable place in a direction (1 or -1), None at the end."""
        at = self.index[place] + by
        while 0 <= at < len(self.places):
            if self.entry(self.places[at]).openable:
                return self.places[at]
            at += by
        return None

    def first_from(self, at: int, by: int) -> Place | None:
        """The first openable place from an index on."""
        while 0 <= at < len(self.places):
            if self.entry(self.places[at]).openable:
                return self.places[at]
            at += by
        return None

    def siblings(self, place: Place) -> tuple[Place, ...]:
        """The places of the same presentation, in scan order, this one included."""
        entry = self.entry(place)
        return tuple(Place(entry.presentation_id, s.slice_id) for s in entry.slices)

    def around(self, place: Place, *, ahead: int, behind: int) -> tuple[Place, ...]:
        """The places to have ready: nearest first, forward before backward."""
        forward = self._run(place, 1, ahead)
        return forward + self._run(place, -1, behind)

    def next_unanswered_sibling(self, place: Place) -> Place | None:
        """The next slice of the case that is not locked, in order and then from the start."""
        entry = self.entry(place)
        numbers = [s.slice_id for s in entry.slices]
        start = numbers.index(place.slice_id)
        ring = entry.slices[start + 1 :] + entry.slices[:start]
        found = next((s for s in ring if s.mark not in _ANSWERED), None)
        return Place(entry.presentation_id, found.slice_id) if found else None

    def next_open_case(self, place: Place) -> Place | None:
        """The first unanswered slice of the next presentation that is still open, round the worklist."""
        order = list(self.worklist.entries)
        start = self.rows[place.presentation_id]
        for entry in order[start + 1 :] + order[:start]:
            if entry.openable and entry.slices and _is_open(entry):
                return _entry_place(entry)
        return None

    def previous_sibling(self, place: Place) -> Place | None:
        """The slice before this one in the same case."""
        places = self.siblings(place)
        at = places.index(place)
        return places[at - 1] if at else None

    def with_mark(self, place: Place, mark: SliceMark) -> "Route":
        """The same way with another mark on one slice."""
        entry = self.entry(place)
        slices = tuple(replace(s, mark=mark) if s.slice_id == place.slice_id else s for s in entry.slices)
        return self._with_entry(replace(entry, slices=slices, mark=_begun(entry.mark)))

    def with_opened(self, places: Collection[Place]) -> "Route":
        """The same way with slices marked as opened that the study does not know as such yet."""
        route = self
        for place in places:
            if route.knows(place) and route.slice_of(place).mark is SliceMark.NEVER_SHOWN:
                route = route.with_mark(place, SliceMark.OPENED)
        return route

    def with_case_mark(self, place: Place, mark: CaseMark) -> "Route":
        """The same way with another mark on one case."""
        return self._with_entry(replace(self.entry(place), mark=mark))

    def with_seen_before(self, place: Place, *, seen: bool) -> "Route":
        """The same way with "seen before" noted or taken back on one case."""
        return self._with_entry(replace(self.entry(place), seen_before=seen))

    def slice_of(self, place: Place) -> WorklistSlice:
        """The worklist's row of a slice."""
        return next(s for s in self.entry(place).slices if s.slice_id == place.slice_id)

    def _with_entry(self, new: WorklistEntry) -> "Route":
        at = self.rows[new.presentation_id]
        rows = (*self.worklist.entries[:at], new, *self.worklist.entries[at + 1 :])
        entries = {**self.entries, new.presentation_id: new}
        return Route(replace(self.worklist, entries=rows), self.places, self.index, entries, self.rows)

    def _run(self, place: Place, by: int, count: int) -> tuple[Place, ...]:
        found: list[Place] = []
        following = self.step(place, by)
        while len(found) < count and following is not None:
            found.append(following)
            following = self.step(following, by)
        return tuple(found)


def route_of(worklist: Worklist) -> Route:
    """Build the way through a worklist."""
    places = tuple(Place(e.presentation_id, s.slice_id) for e in worklist.entries for s in e.slices)
    return Route(
        worklist,
        places,
        {place: at for at, place in enumerate(places)},
        {e.presentation_id: e for e in worklist.entries},
        {e.presentation_id: row for row, e in enumerate(worklist.entries)},
    )


def start_place(route: Route) -> Place | None:
    """Where the reader stopped, else the first place that can be opened."""
    resume = route.worklist.resume
    if resume is not None and route.knows(resume) and route.entry(resume).openable:
        return resume
    return route.first_from(0, 1)


def _is_open(entry: WorklistEntry) -> bool:
    """Whether something is still to be answered at a presentation."""
    if entry.mark in _CLOSED_CASES:
        return False
    return entry.answers_case or any(s.mark not in _ANSWERED for s in entry.slices)


def _entry_place(entry: WorklistEntry) -> Place:
    unanswered = next((s for s in entry.slices if s.mark not in _ANSWERED), entry.slices[0])
    return Place(entry.presentation_id, unanswered.slice_id)


def _begun(mark: CaseMark) -> CaseMark:
    return CaseMark.STAGE_1 if mark is CaseMark.UNTOUCHED else mark
