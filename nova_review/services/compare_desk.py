"""The desk of the compare page in one study: everything the page asks for, after the database lock only."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Lock
from typing import TypeVar

from nova_review.domain.errors import NotAllowedError
from nova_review.services.agreement_desk import PictureRows
from nova_review.services.answer_sets import SliceKey
from nova_review.services.compare_export import CompareExport
from nova_review.services.comparing import Compared, CompareService, head_of, set_errors
from nova_review.services.comparing_choices import filter_choices
from nova_review.services.comparing_lists import (
    ExportWish,
    FilterChoices,
    Matrix,
    Order,
    Quantity,
    Scatter,
    Selection,
    SetErrors,
)
from nova_review.services.comparing_pairs import matrix, scatter
from nova_review.services.comparing_selection import selection
from nova_review.services.comparing_shown import shown_slice, slice_line
from nova_review.services.comparing_views import (
    CompareChoice,
    ComparedSlice,
    CompareRequest,
    ComparisonHead,
    SliceLine,
)
from nova_review.services.comparison import Comparison
from nova_review.services.failure_notes import (
    FLAG,
    FailureNote,
    FailureTag,
    NoteSpot,
    SavedFilter,
    TagCount,
)
from nova_review.services.failure_tagging import tag_counts
from nova_review.services.ports import Picture
from nova_review.services.reading_pictures import Decode, PictureShelf

T = TypeVar("T")


class CompareDesk:
    """A `services.comparing_ports.ComparisonDesk`.

    The study is read when other sets are opened, or after `refresh`; other thresholds only judge anew.
    """

    def __init__(
        self,
        file: Path,
        service: CompareService,
        export: CompareExport,
        pictures: PictureRows,
        decode: Decode,
    ) -> None:
        self._file, self._service, self._export = file, service, export
        self._pictures, self._shelf = pictures, PictureShelf(decode)
        self._lock = Lock()
        self._opened: Compared | None = None

    def choices(self) -> tuple[CompareChoice, ...]:
        """Return what can be compared, readers first."""
        return self._service.choices(self._file)

    def open(self, request: CompareRequest) -> ComparisonHead:
        """Compare; UserError for an unknown set or more than four, or numbers that cannot be used."""
        with self._lock:
            old = self._opened
            if old is not None and _same_content(old.request, request):
                judged = old.comparison.judged_by(request.thresholds, request.min_scores)
                self._opened = replace(old, comparison=judged, request=request)
            else:
                self._opened = self._service.compare(self._file, request)
            return head_of(self._opened)

    def refresh(self) -> None:
        """Forget what was read, so that the next `open` reads the study anew."""
        with self._lock:
            self._opened = None

    def select(self, where: str = "", order: Order = Order.STUDY) -> Selection:
        """Return the slices that a filter lets through; UserError with one sentence for a bad filter."""
        return selection(self._now, where, order)

    def lines(self, keys: Sequence[SliceKey]) -> tuple[SliceLine, ...]:
        """Return slices as the list and the gallery show them."""
        now = self._now
        return tuple(slice_line(now, key) for key in keys)

    def slice(self, key: SliceKey) -> ComparedSlice:
        """Return one slice with all that the panels show."""
        return shown_slice(self._now, key)

    def filter_choices(self, where: str = "") -> tuple[FilterChoices, ...]:
        """Return, field by field, what can be added to a filter and how many slices would stay."""
        return filter_choices(self._now, where)

    def errors(self) -> tuple[SetErrors, ...]:
        """Return what each set gets wrong, and what each kind of error costs, over all slices."""
        return set_errors(self._now)

    def matrix(self, a: str, b: str, where: str = "") -> Matrix:
        """Return right and wrong of set `a` against right and wrong of set `b`."""
        return matrix(self._now, a, b, where)

    def scatter(self, a: str, b: str, quantity: Quantity, where: str = "") -> Scatter:
        """Return one point a slice."""
        return scatter(self._now, a, b, quantity, where)

    def picture(self, key: SliceKey) -> Picture:
        """Return a slice's picture; UserError naming what is wrong with it."""
        now = self._now
        place = now.content.places[now.place(key)]
        row, embedded = self._pictures.image(place.slice_id)
        return self._shelf.picture(row, embedded, words=key[1])

    def tags(self) -> tuple[FailureTag, ...]:
        """Return the taxonomy in order, retired tags last."""
        return self._service.tagging.tags(self._file)

    def edit_tags(self, tags: Sequence[FailureTag]) -> tuple[FailureTag, ...]:
        """Store the taxonomy: new order and names, retired ones; a tag with "" as id is new."""
        return self._written(lambda: self._service.tagging.edit_tags(self._file, tags))

    def put_note(self, spot: NoteSpot, *, tag: str = "", note: str = "", by: str = "") -> FailureNote:
        """Tag something (once: the same tag again changes its note), or note something without a tag."""
        return self._written(
            lambda: self._service.tagging.put_note(self._file, spot, tag=tag, note=note, by=by)
        )

    def remove_note(self, note_id: str) -> None:
        """Take a tag or note away."""
        self._written(lambda: self._service.tagging.remove_note(self._file, note_id))

    def flag(self, key: SliceKey, *, flagged: bool, by: str = "") -> None:
        """Flag a slice for all sets, or take the flag away."""
        spot = NoteSpot("", key)
        if flagged:
            self.put_note(spot, tag=FLAG, by=by)
            return
        for one in self.notes(key):
            if one.spot == spot and one.tag == FLAG:
                self.remove_note(one.note_id)

    def notes(self, key: SliceKey) -> tuple[FailureNote, ...]:
        """Return what was said of a slice, its boxes with it, in the order in which it was said."""
        return tuple(self._now.notes.of_slice(key))

    def tag_counts(self) -> tuple[TagCount, ...]:
        """Return how often each tag was used, set by set."""
        return tag_counts(self._service.tagging.notes(self._file))

    def saved_filters(self) -> tuple[SavedFilter, ...]:
        """Return the saved filters by name."""
        return self._service.tagging.filters(self._file)

    def save_filter(self, name: str, words: str) -> tuple[SavedFilter, ...]:
        """Store a filter under a name, in place of one that has it; returns all. UserError for a bad one."""
        self._now.where(words)
        return self._service.tagging.save_filter(self._file, name, words)

    def remove_filter(self, name: str) -> tuple[SavedFilter, ...]:
        """Forget a saved filter; returns the others."""
        return self._service.tagging.remove_filter(self._file, name)

    def export(self, chosen: Selection, wanted: ExportWish, folder: Path) -> tuple[str, ...]:
        """Write a selection into a folder, whole or not at all; returns the names of the files."""
        opened = self._opened_now()
        return self._export.write(self._file, opened, chosen, wanted, folder, picture=self.picture).files

    @property
    def _now(self) -> Comparison:
        return self._opened_now().comparison

    def _opened_now(self) -> Compared:
        opened = self._opened
        if opened is None:
            raise NotAllowedError("Nothing is compared yet. Choose the sets first.")
        return opened

    def _written(self, write: Callable[[], T]) -> T:
        """Write, then read back what is noted, so that filters and panels show it."""
        with self._lock:
            done = write()
            if self._opened is not None:
                tagging = self._service.tagging
                noted = self._opened.comparison.noted(tagging.notes(self._file), tagging.tags(self._file))
                self._opened = replace(self._opened, comparison=noted)
            return done


def _same_content(old: CompareRequest, new: CompareRequest) -> bool:
    return (old.sets, old.gold) == (new.sets, new.gold)
