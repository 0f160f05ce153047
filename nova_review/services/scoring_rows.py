"""Scores of one set against its references, by one dialect; averaged where there are several."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from nova_review.analysis.calibration import SureAnswers
from nova_review.analysis.dialects import croissant_texts, gaze_texts, nova_review_texts
from nova_review.analysis.dialects.lesion_sizes import relative_sizes, sensitivity_by_size
from nova_review.analysis.dialects.registry import LOCALISATION, SLICE_ROWS
from nova_review.analysis.dialects.scores import DialectName, Score, Task
from nova_review.analysis.draws import Draws
from nova_review.analysis.froc import FrocPoint, froc
from nova_review.analysis.scored_boxes import ScoredBoxes
from nova_review.analysis.texts.diagnoses import Scorer, by_group, frequency_groups
from nova_review.analysis.texts.judge import Judge
from nova_review.analysis.texts.pairs import CaptionPair, DiagnosisPair, TextTools
from nova_review.services.answer_sets import AnswerSet
from nova_review.services.score_views import Column, SliceRow
from nova_review.services.scoring_content import ScoringContent
from nova_review.services.scoring_marks import Marks, box_marks, diagnosis_marks, sure_boxes
from nova_review.services.scoring_pairs import (
    Answered,
    as_given,
    box_rows,
    caption_rows,
    case_rows,
    cut,
    slice_rows,
)
from nova_review.services.scoring_references import Reference

IN_GOLD = "gold contains this reader"
IN_CAPTIONS = "the reference captions contain this reader"
NOBODY = "there is no other reader to score against"
HIT = 0.5
Captions = Callable[[Sequence[CaptionPair], Draws, TextTools], tuple[Score, ...]]
CAPTIONS: Mapping[DialectName, Captions] = {
    DialectName.NOVA_REVIEW: nova_review_texts.captions,
    DialectName.GAZE: gaze_texts.captions,
    DialectName.CROISSANT: croissant_texts.captions,
}
DIAGNOSES: Mapping[DialectName, Scorer] = {
    DialectName.NOVA_REVIEW: nova_review_texts.diagnoses,
    DialectName.GAZE: gaze_texts.diagnoses,
    DialectName.CROISSANT: croissant_texts.diagnoses,
}


@dataclass(frozen=True, slots=True, eq=False)
class Tools:
    """What scoring needs besides the answers; `captions` keeps text scores that were computed before."""

    draws: Draws
    judge: Judge
    texts: Callable[[], TextTools]
    captions: dict[object, tuple[Score, ...]]


@dataclass(frozen=True, slots=True, eq=False)
class Scored:
    """All that one dialect says of one set: whole-set scores, and those of parts."""

    scores: tuple[Score, ...]
    groups: tuple[Score, ...]


class SetScorer:
    """Scores one set against its references."""

    def __init__(
        self,
        content: ScoringContent,
        answers: AnswerSet,
        references: Sequence[Reference],
        only: Answered,
        tools: Tools,
    ) -> None:
        self._content, self._answers, self._only, self._tools = content, answers, only, tools
        self._references = tuple(references)
        self._boxes = [box_rows(content, answers, r, only.boxes) for r in self._references]

    def score(self, dialect: DialectName) -> Scored:
        """Return what a dialect says; undefined with its reason where the set may not be scored so."""
        scores = (*self._localisation(dialect), *self._captions(dialect), *self._diagnoses(dialect))
        return Scored(scores, (*self._by_size(dialect), *self._by_frequency(dialect)))

    def slice_scores(self, dialect: DialectName, against: str) -> tuple[SliceRow, ...]:
        """Return single slices, against the first reference."""
        if not self._boxes or self._is_in_gold():
            return ()
        places = {one.name: one.key for one, _ in self._boxes[0]}
        return tuple(
            SliceRow(
                self._answers.name,
                against,
                dialect,
                row.metric,
                row.threshold,
                *places[row.slice],
                value=row.value,
            )
            for row in SLICE_ROWS[dialect](self._scored_boxes(dialect, 0))
        )

    def froc(self) -> tuple[FrocPoint, ...]:
        """Return the free-response curve at IoU .5 against the first reference."""
        if not self._boxes or not self._boxes[0] or self._is_in_gold():
            return ()
        return froc(cut(self._boxes[0]), threshold=HIT)

    def marks(self, dialects: Sequence[DialectName]) -> Marks:
        """Return which slices and cases are right, for columns that are a share of those.

        {} with several references.
        """
        found: dict[Column, Mapping[str, bool]] = {}
        if len(self._references) == 1:
            for dialect in dialects:
                if self._boxes[0] and not self._is_in_gold():
                    found |= box_marks(dialect, self._scored_boxes(dialect, 0))
                found |= diagnosis_marks(dialect, self._lists(dialect, 0), self._tools.judge)
        return found

    def sure(self) -> SureAnswers:
        """Return the boxes with a confidence and whether they hit, at IoU .5 against the first reference."""
        rows = self._boxes[0] if self._boxes and not self._is_in_gold() else []
        return sure_boxes(cut(rows), self._tools.draws, threshold=HIT)

    def _lists(self, dialect: DialectName, place: int) -> Sequence[DiagnosisPair]:
        rows_of = case_rows if dialect is DialectName.NOVA_REVIEW else slice_rows
        return rows_of(self._content, self._answers, self._references[place], self._only.cases)

    def _is_in_gold(self) -> bool:
        return self._is_against_gold() and self._answers.name in self._content.in_gold

    def _is_against_gold(self) -> bool:
        return len(self._references) == 1 and self._references[0].name == "gold"

    def _scored_boxes(self, dialect: DialectName, place: int) -> ScoredBoxes:
        rows = self._boxes[place]
        return cut(rows) if dialect is DialectName.NOVA_REVIEW else as_given(rows)

    def _localisation(self, dialect: DialectName) -> tuple[Score, ...]:
        if not any(p.boxes is not None for p in self._answers.answers.values()):
            return ()
        score = LOCALISATION[dialect]
        each = [
            score(self._scored_boxes(dialect, k), self._tools.draws) for k in range(len(self._references))
        ]
        if not each:
            return withheld(score(as_given([]), self._tools.draws), NOBODY)
        found = averaged(each)
        return withheld(found, IN_GOLD) if self._is_in_gold() else found

    def _captions(self, dialect: DialectName) -> tuple[Score, ...]:
        if dialect not in CAPTIONS or not any(p.caption for p in self._answers.answers.values()):
            return ()
        each = []
        for reference in self._references:
            rows = caption_rows(self._content, self._answers, reference, self._only.captions)
            each.append(self._captions_of(dialect, rows))
        if not each:
            return withheld(self._captions_of(dialect, ()), NOBODY)
        found = averaged(each)
        is_own = self._is_against_gold() and self._answers.name in self._content.in_captions
        return withheld(found, IN_CAPTIONS) if is_own else found

    def _captions_of(self, dialect: DialectName, rows: tuple[CaptionPair, ...]) -> tuple[Score, ...]:
        return scored_captions(dialect, rows, self._tools)

    def _diagnoses(self, dialect: DialectName) -> tuple[Score, ...]:
        if dialect not in DIAGNOSES:
            return ()
        rows_of = case_rows if dialect is DialectName.NOVA_REVIEW else slice_rows
        each = []
        for reference in self._references:
            rows = rows_of(self._content, self._answers, reference, self._only.cases)
            if rows:
                each.append(DIAGNOSES[dialect](rows, self._tools.draws, self._tools.judge))
        return averaged(each) if each else ()

    def _by_frequency(self, dialect: DialectName) -> tuple[Score, ...]:
        """Diagnoses by how often the disease occurs: the long tail. Against gold alone."""
        if dialect not in DIAGNOSES or not self._is_against_gold():
            return ()
        rows_of = case_rows if dialect is DialectName.NOVA_REVIEW else slice_rows
        rows = rows_of(self._content, self._answers, self._references[0], self._only.cases)
        named = {s.case: s.diagnosis for s in self._content.slices}
        known = {r.case: r.reference for r in rows if r.has_reference}
        groups = frequency_groups({c: d for c, d in named.items() if d.strip()})
        kept = {name: groups[name] for name in known.values() if name in groups}
        return by_group(rows, kept, self._tools.draws, self._tools.judge, DIAGNOSES[dialect])

    def _by_size(self, dialect: DialectName) -> tuple[Score, ...]:
        """Sensitivity by the size of the lesion, by our own rules and against gold alone."""
        if dialect is not DialectName.NOVA_REVIEW or not self._is_against_gold() or self._is_in_gold():
            return ()
        rows = self._boxes[0]
        if not rows or any(one.size is None for one, _ in rows):
            return ()
        boxes = cut(rows)
        areas = np.array([one.size.width * one.size.height for one, _ in rows if one.size], dtype=np.float64)
        sizes = relative_sizes(boxes, areas)
        if not len(sizes):
            return ()
        borders = self._content.size_bands or tuple(np.quantile(sizes, (1 / 3, 2 / 3)).tolist())
        return sensitivity_by_size(
            boxes, self._tools.draws, picture_areas=areas, borders=borders, threshold=HIT
        )


def scored_captions(dialect: DialectName, rows: tuple[CaptionPair, ...], tools: Tools) -> tuple[Score, ...]:
    """Return the caption scores of a dialect; equal rows are not scored twice."""
    key = (dialect, rows, tools.draws.cases, tools.draws.count, tools.draws.seed)
    if key not in tools.captions:
        tools.captions[key] = CAPTIONS[dialect](rows, tools.draws, tools.texts())
    return tools.captions[key]


def withheld(scores: Sequence[Score], reason: str) -> tuple[Score, ...]:
    """Return the scores without their values, which may not be told: `reason` stands in their place."""
    return tuple(
        replace(s, value=np.nan, replicates=np.full_like(s.replicates, np.nan), missing=reason, trials=None)
        for s in scores
    )


def averaged(each: Sequence[Sequence[Score]]) -> tuple[Score, ...]:
    """Return the mean of each score over several references, draw by draw.

    References for which a score is undefined are left out of its mean; n is the largest of theirs.
    """
    if len(each) == 1:
        return tuple(each[0])
    by_key: dict[tuple[Task, str, float | str | None, str], list[Score]] = {}
    for scores in each:
        for s in scores:
            by_key.setdefault((s.task, s.metric, s.threshold, s.group), []).append(s)
    return tuple(_mean(found) for found in by_key.values())


def _mean(found: Sequence[Score]) -> Score:
    good = [s for s in found if np.isfinite(s.value)]
    if not good:
        return found[0]
    stacked = np.stack([s.replicates for s in good])
    defined = np.isfinite(stacked)
    counts = defined.sum(axis=0)
    total = np.where(defined, stacked, 0.0).sum(axis=0)
    replicates = np.divide(total, counts, out=np.full(len(total), np.nan), where=counts > 0)
    words = f"{good[0].definition}; mean over {len(good)} other readers in turn"
    value = float(np.mean([s.value for s in good]))
    n = max(s.n for s in good)
    return replace(good[0], value=value, replicates=replicates, n=n, definition=words, trials=None)
