"""One comparison: content, rows, verdicts and notes together. A value: other thresholds make another one."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nova_review.analysis.boxes import BoolArray
from nova_review.domain.errors import UserError
from nova_review.domain.verdicts import Thresholds, check_thresholds
from nova_review.domain.where import Where, parse_where, written
from nova_review.services.answer_sets import SliceKey
from nova_review.services.comparing_columns import FieldColumns
from nova_review.services.comparing_content import CompareContent
from nova_review.services.comparing_fields import Column, Field, filter_fields
from nova_review.services.comparing_filter import matching_rows
from nova_review.services.comparing_notes import NotesOf
from nova_review.services.comparing_rows import Layout, Verdicts, layout_of, verdicts_of
from nova_review.services.comparing_texts import DiagnosisJudge, SetTexts
from nova_review.services.failure_notes import FailureNote, FailureTag

EVERYTHING = Where(())
"""The filter that lets everything through."""


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """What is compared and what became of it.

    Attributes
    ----------
    content, layout, texts : what no threshold changes
    thresholds, min_scores, verdicts : the numbers, and what they make of the rows
    notes, tags : what was said of the slices, and the words for it
    columns : values of the filter's fields
    """

    content: CompareContent
    layout: Layout
    texts: SetTexts
    thresholds: Thresholds
    min_scores: tuple[float, ...]
    verdicts: Verdicts
    notes: NotesOf
    tags: tuple[FailureTag, ...]
    columns: FieldColumns

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the sets, in order of the panels."""
        return tuple(s.name for s in self.content.sets)

    @property
    def keys(self) -> tuple[SliceKey, ...]:
        """All compared slices in the order of the study."""
        return tuple(p.key for p in self.content.places)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields that rows can be filtered by."""
        data_sets = dict.fromkeys(p.key[0] for p in self.content.places)
        return filter_fields(self.names, tuple(data_sets), [t.name for t in self.tags])

    def judged_by(self, thresholds: Thresholds, min_scores: Sequence[float] = ()) -> "Comparison":
        """Return the same comparison under other numbers."""
        scores = _checked(thresholds, min_scores, len(self.content.sets))
        verdicts = verdicts_of(self.content, self.layout, thresholds, scores)
        return replace(self, thresholds=thresholds, min_scores=scores, verdicts=verdicts)

    def noted(self, notes: Iterable[FailureNote], tags: Sequence[FailureTag]) -> "Comparison":
        """Return the same comparison with other notes and tags."""
        return replace(self, notes=NotesOf(notes), tags=tuple(tags))

    def where(self, words: str) -> Where:
        """Return the filter that words say, everything for none; UserError where they say none."""
        return parse_where(words, [f.spec for f in self.fields]) if words.strip() else EVERYTHING

    def column(self, name: str) -> Column:
        """Return the values of a field."""
        return self.columns.column(name, self.verdicts, self.notes)

    def matching(self, where: Where) -> BoolArray:
        """Return (N,) which rows count and match; rows of boxes that are not shown never do."""
        return matching_rows(where, self.layout, self.column) & self.verdicts.shown

    def place(self, key: SliceKey) -> int:
        """Return the place of a slice; UserError where it is not compared."""
        place = self.content.place_of.get(key)
        if place is None:
            raise UserError(f"The slice {key[1]} of {key[0]} is not compared: none of the sets answered it.")
        return place

    def rows_of(self, place: int) -> slice:
        """Return the rows of one slice."""
        first, last = np.searchsorted(self.layout.slice, (place, place + 1)).tolist()
        return slice(first, last)


def comparison(
    content: CompareContent, judge: DiagnosisJudge, thresholds: Thresholds, min_scores: Sequence[float] = ()
) -> Comparison:
    """Compare; UserError for numbers that cannot be used."""
    scores = _checked(thresholds, min_scores, len(content.sets))
    layout, texts = layout_of(content), SetTexts(content, judge)
    return Comparison(
        content=content,
        layout=layout,
        texts=texts,
        thresholds=thresholds,
        min_scores=scores,
        verdicts=verdicts_of(content, layout, thresholds, scores),
        notes=NotesOf(()),
        tags=(),
        columns=FieldColumns(content, layout, texts),
    )


def words_of(where: Where) -> str:
    """Return a filter in its normal spelling, "" for everything."""
    return written(where) if where.conditions else ""


def _checked(thresholds: Thresholds, min_scores: Sequence[float], sets: int) -> tuple[float, ...]:
    check_thresholds(thresholds)
    for least in min_scores:
        check_thresholds(replace(thresholds, min_score=least))
    if min_scores and len(min_scores) != sets:
        raise UserError(f"Give one least confidence for all sets, or one for each of the {sets}.")
    return tuple(min_scores)
