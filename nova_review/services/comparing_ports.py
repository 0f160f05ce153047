"""The desk of the compare page (`CompareDesk` in `compare_desk`), method by method."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol as Port

from nova_review.services.answer_sets import SliceKey
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
from nova_review.services.comparing_views import (
    CompareChoice,
    ComparedSlice,
    CompareRequest,
    ComparisonHead,
    SliceLine,
)
from nova_review.services.failure_notes import (
    FailureNote,
    FailureTag,
    NoteSpot,
    SavedFilter,
    TagCount,
)
from nova_review.services.ports import Picture


class ComparisonDesk(Port):
    """Everything the compare page asks for. Methods may be called from a worker thread.

    `open` refuses before the database lock (NotAllowedError); everything else needs what it opened.
    `open` with other thresholds of the same sets is quick: boxes are read once.
    """

    def choices(self) -> tuple[CompareChoice, ...]:
        """Return what can be compared, readers first."""
        ...

    def open(self, request: CompareRequest) -> ComparisonHead:
        """Compare; UserError for an unknown set or more than four, or numbers that cannot be used."""
        ...

    def refresh(self) -> None:
        """Forget what was read of the study, so that the next `open` reads it anew."""
        ...

    def select(self, where: str = "", order: Order = Order.STUDY) -> Selection:
        """Return the slices that a filter lets through; UserError with one sentence for a bad filter."""
        ...

    def lines(self, keys: Sequence[SliceKey]) -> tuple[SliceLine, ...]:
        """Return slices as the list and the gallery show them."""
        ...

    def slice(self, key: SliceKey) -> ComparedSlice:
        """Return one slice with all that the panels show."""
        ...

    def filter_choices(self, where: str = "") -> tuple[FilterChoices, ...]:
        """Return, field by field, what can be added to a filter and how many slices would stay."""
        ...

    def errors(self) -> tuple[SetErrors, ...]:
        """Return what each set gets wrong, and what each kind of error costs, over all slices."""
        ...

    def matrix(self, a: str, b: str, where: str = "") -> Matrix:
        """Return right and wrong of set `a` against right and wrong of set `b`."""
        ...

    def scatter(self, a: str, b: str, quantity: Quantity, where: str = "") -> Scatter:
        """Return one point a slice."""
        ...

    def picture(self, key: SliceKey) -> Picture:
        """Return a slice's picture; UserError naming what is wrong with it."""
        ...

    def tags(self) -> tuple[FailureTag, ...]:
        """Return the taxonomy in order, retired tags last."""
        ...

    def edit_tags(self, tags: Sequence[FailureTag]) -> tuple[FailureTag, ...]:
        """Store the taxonomy: new order and names, retired ones; a tag with "" as id is new."""
        ...

    def put_note(self, spot: NoteSpot, *, tag: str = "", note: str = "", by: str = "") -> FailureNote:
        """Tag something (once: the same tag again changes its note), or note something without a tag."""
        ...

    def remove_note(self, note_id: str) -> None:
        """Take a tag or note away."""
        ...

    def flag(self, key: SliceKey, *, flagged: bool, by: str = "") -> None:
        """Flag a slice for all sets, or take the flag away."""
        ...

    def notes(self, key: SliceKey) -> tuple[FailureNote, ...]:
        """Return what was said of a slice, its boxes with it, in the order in which it was said."""
        ...

    def tag_counts(self) -> tuple[TagCount, ...]:
        """Return how often each tag was used, set by set."""
        ...

    def saved_filters(self) -> tuple[SavedFilter, ...]:
        """Return the saved filters by name."""
        ...

    def save_filter(self, name: str, words: str) -> tuple[SavedFilter, ...]:
        """Store a filter under a name, in place of one that has it; returns all."""
        ...

    def remove_filter(self, name: str) -> tuple[SavedFilter, ...]:
        """Forget a saved filter; returns the others."""
        ...

    def export(self, selection: Selection, wanted: ExportWish, folder: Path) -> tuple[str, ...]:
        """Write a selection into a folder, whole or not at all; returns the names of the files."""
        ...
