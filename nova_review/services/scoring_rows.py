"""Scores of one set against its references, by one dialect; averaged where there are several."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

import numpy as np

from nova_review.analysis.dialects.lesion_sizes import relative_sizes, sensitivity_by_size
from nova_review.analysis.dialects.registry import LOCALISATION
from nova_review.analysis.dialects.scores import DialectName, Score, Task
from nova_review.analysis.dialects.text_registry import CAPTIONS, DIAGNOSES
from nova_review.analysis.draws import Draws
from nova_review.analysis.scored_boxes import ScoredBoxes
from nova_review.analysis.texts.diagnoses import by_group, frequency_groups
from nova_review.analysis.texts.judge import Judge
from nova_review.analysis.texts.pairs import CaptionPair, DiagnosisPair, TextTools
from nova_review.services.answer_sets import AnswerSet
from nova_review.services.score_views import GOLD
from nova_review.services.scoring_content import ScoringContent
from nova_review.services.scoring_means import averaged, withheld
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
NOBODY = "there is no other reader to score against"
NOTHING = "nothing was answered"
NO_REFERENCE = {
    Task.LOCALISATION: "there are no gold boxes",
    Task.CAPTION: "there are no reference captions",
    Task.DIAGNOSIS: "there are no reference diagnoses",
}
HIT = 0.5
MOST_KEPT = 200  # sets by dialects; beyond that nobody comes back to the first ones


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
        self.content, self.answers, self.tools = content, answers, tools
        self.references = tuple(references)
        self._only = only
        self.boxes = [box_rows(content, answers, r, only.boxes) for r in self.references]
        self.captions = [caption_rows(content, answers, r, only.captions) for r in self.references]

    def score(self, dialect: DialectName) -> Scored:
        """Return what a dialect says; undefined with its reason where the set may not be scored so."""
        scores = (*self._localisation(dialect), *self._captions(dialect), *self._diagnoses(dialect))
        return Scored(scores, (*self._by_size(dialect), *self._by_frequency(dialect)))

    @property
    def is_against_gold(self) -> bool:
        """Whether the reference is gold."""
        return len(self.references) == 1 and self.references[0].name == GOLD

    def is_withheld(self, task: Task) -> bool:
        """Whether the set is a reader whose answers to this task went into the gold."""
        inside = {Task.LOCALISATION: self.content.in_gold, Task.CAPTION: self.content.in_captions}
        return self.is_against_gold and self.answers.name in inside.get(task, ())

    def boxes_for(self, dialect: DialectName, place: int) -> ScoredBoxes:
        """Return the boxes beside one reference, cut to the pictures for our own rules alone."""
        rows = self.boxes[place]
        return cut(rows) if dialect is DialectName.NOVA_REVIEW else as_given(rows)

    def lists_for(self, dialect: DialectName, place: int) -> tuple[DiagnosisPair, ...]:
        """Return the diagnoses beside one reference: a row a case by our own rules, else a row a slice."""
        rows_of = case_rows if dialect is DialectName.NOVA_REVIEW else slice_rows
        return tuple(rows_of(self.content, self.answers, self.references[place], self._only.cases))

    def _localisation(self, dialect: DialectName) -> tuple[Score, ...]:
        score = LOCALISATION[dialect]
        if not any(p.boxes is not None for p in self.answers.answers.values()):
            nothing = withheld(score(as_given([]), self.tools.draws), NOTHING)
            return () if has_texts(self.answers) else nothing
        each = [score(self.boxes_for(dialect, k), self.tools.draws) for k in with_rows(self.boxes)]
        empty = withheld(score(as_given([]), self.tools.draws), self._nothing(Task.LOCALISATION))
        involved = {boxes.slice for rows in self.boxes for _, boxes in rows}
        return self._settled(Task.LOCALISATION, each, empty, involved)

    def _captions(self, dialect: DialectName) -> tuple[Score, ...]:
        if dialect not in CAPTIONS or not any(p.caption for p in self.answers.answers.values()):
            return ()
        each = [scored_captions(dialect, self.captions[k], self.tools) for k in with_rows(self.captions)]
        empty = withheld(scored_captions(dialect, (), self.tools), self._nothing(Task.CAPTION))
        return self._settled(Task.CAPTION, each, empty, {r.slice for rows in self.captions for r in rows})

    def _diagnoses(self, dialect: DialectName) -> tuple[Score, ...]:
        if dialect not in DIAGNOSES or not has_lists(self.answers):
            return ()
        rows = [self.lists_for(dialect, k) for k in range(len(self.references))]
        draws, judge = self.tools.draws, self.tools.judge
        each = [DIAGNOSES[dialect](rows[k], draws, judge) for k in with_rows(rows)]
        empty = withheld(DIAGNOSES[dialect]((), draws, judge), self._nothing(Task.DIAGNOSIS))
        return self._settled(Task.DIAGNOSIS, each, empty, {r.unit for own in rows for r in own})

    def _settled(
        self, task: Task, each: Sequence[Sequence[Score]], empty: tuple[Score, ...], involved: Collection[str]
    ) -> tuple[Score, ...]:
        """The mean over references; `empty` where there is none, and no values where gold has the reader."""
        if not each or not any(self._has(reference, task) for reference in self.references):
            return empty
        found = averaged(each, involved=len(involved))
        return withheld(found, IN_GOLD) if self.is_withheld(task) else found

    def _nothing(self, task: Task) -> str:
        return NO_REFERENCE[task] if self.references else NOBODY

    def _has(self, reference: Reference, task: Task) -> bool:
        if task is Task.DIAGNOSIS:
            said = (DiagnosisPair("", "", words, ()) for words in reference.diagnoses.values())
            return any(pair.has_reference for pair in said)
        return bool(reference.boxes if task is Task.LOCALISATION else reference.captions)

    def _by_frequency(self, dialect: DialectName) -> tuple[Score, ...]:
        """Diagnoses by how often the disease occurs: the long tail. Against gold alone."""
        if dialect not in DIAGNOSES or not self.is_against_gold or not has_lists(self.answers):
            return ()
        rows = self.lists_for(dialect, 0)
        named = {s.case: s.diagnosis for s in self.content.slices}
        known = {r.case: r.reference for r in rows if r.has_reference}
        groups = frequency_groups({c: d for c, d in named.items() if d.strip()})
        kept = {name: groups[name] for name in known.values() if name in groups}
        return by_group(rows, kept, self.tools.draws, self.tools.judge, DIAGNOSES[dialect])

    def _by_size(self, dialect: DialectName) -> tuple[Score, ...]:
        """Sensitivity by the size of the lesion, by our own rules and against gold alone."""
        is_ours = dialect is DialectName.NOVA_REVIEW
        if not is_ours or not self.is_against_gold or self.is_withheld(Task.LOCALISATION):
            return ()
        areas = [one.size.width * one.size.height for one, _ in self.boxes[0] if one.size]
        boxes = cut(self.boxes[0])
        if not len(boxes.gold) or len(areas) < len(self.boxes[0]):
            return ()
        pictures = np.array(areas, dtype=np.float64)
        sizes = relative_sizes(boxes, pictures)
        borders = self.content.size_bands or tuple(np.quantile(sizes, (1 / 3, 2 / 3)).tolist())
        return sensitivity_by_size(
            boxes, self.tools.draws, picture_areas=pictures, borders=borders, threshold=HIT
        )


def with_rows(rows: Sequence[Sequence[object]]) -> Sequence[int]:
    """Return the places of the references that share something with the set; the first if none does.

    One that shares nothing would count as 0 in means of totals.
    """
    return [k for k, own in enumerate(rows) if own] or range(min(1, len(rows)))


def has_texts(answers: AnswerSet) -> bool:
    """Whether a set gives captions or diagnoses."""
    return has_lists(answers) or any(p.caption for p in answers.answers.values())


def has_lists(answers: AnswerSet) -> bool:
    """Whether a set gives diagnoses at all."""
    return bool(answers.case_lists) or any(p.diagnoses is not None for p in answers.answers.values())


def scored_captions(dialect: DialectName, rows: tuple[CaptionPair, ...], tools: Tools) -> tuple[Score, ...]:
    """Return the caption scores of a dialect; equal rows are not scored twice."""
    key = (dialect, rows, tools.draws.cases, tools.draws.count, tools.draws.seed)
    if key not in tools.captions:
        if len(tools.captions) >= MOST_KEPT:
            tools.captions.clear()
        tools.captions[key] = CAPTIONS[dialect](rows, tools.draws, tools.texts())
    return tools.captions[key]
