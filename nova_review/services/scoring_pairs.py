"""What one set answered beside one reference: boxes, captions, diagnoses, each for its dialects."""

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from nova_review.analysis.failures import cut_to_pictures
from nova_review.analysis.scored_boxes import ScoredBoxes, SliceBoxes, scored_boxes
from nova_review.analysis.texts.pairs import CaptionPair, DiagnosisPair
from nova_review.domain.prediction import PredictionJudgement
from nova_review.services.answer_sets import AnswerSet, SliceKey
from nova_review.services.scoring_content import ScoredSlice, ScoringContent
from nova_review.services.scoring_references import Reference


@dataclass(frozen=True, slots=True)
class Answered:
    """The slices, by task, that one set answered and that may count (None: no limit)."""

    boxes: Collection[SliceKey] | None = None
    captions: Collection[SliceKey] | None = None
    cases: Collection[tuple[str, str]] | None = None


def box_rows(
    content: ScoringContent, answers: AnswerSet, reference: Reference, only: Collection[SliceKey] | None
) -> list[tuple[ScoredSlice, SliceBoxes]]:
    """Return the slices that both the set and the reference answered, in the order of the source."""
    found = []
    for one in content.slices:
        own = answers.answers.get(one.key)
        if own is None or own.boxes is None or one.key not in reference.boxes:
            continue
        if only is None or one.key in only:
            gold = reference.boxes[one.key]
            found.append((one, SliceBoxes(one.name, one.case, gold=gold, predicted=own.boxes)))
    return found


def as_given(rows: list[tuple[ScoredSlice, SliceBoxes]]) -> ScoredBoxes:
    """Return the boxes as they were given: scorers do not clip."""
    return scored_boxes([boxes for _, boxes in rows])


def cut(rows: list[tuple[ScoredSlice, SliceBoxes]]) -> ScoredBoxes:
    """Return the boxes cut to their pictures, as our own numbers take them."""
    return cut_to_pictures(as_given(rows), [one.size for one, _ in rows])


def caption_rows(
    content: ScoringContent, answers: AnswerSet, reference: Reference, only: Collection[SliceKey] | None
) -> tuple[CaptionPair, ...]:
    """Return the captions of slices where both have one, with a judge's keywords where he gave some."""
    found = []
    for one in content.slices:
        own = answers.answers.get(one.key)
        if own is None or own.caption is None or one.key not in reference.captions:
            continue
        if only is None or one.key in only:
            said = keywords_of(answers.judgements.get(one.key, ()))
            found.append(CaptionPair(one.name, one.case, reference.captions[one.key], own.caption, *said))
    return tuple(found)


_Keywords = tuple[tuple[str, ...] | None, tuple[str, ...] | None, str | None, str | None]


def keywords_of(judgements: Collection[PredictionJudgement]) -> _Keywords:
    """Return a judge's terms of reference and answer, and what he called each (see `croissant`)."""
    for one in judgements:
        caption = _mapping(_mapping(json.loads(one.details)).get("caption"))
        terms = _mapping(caption.get("Standardized_Keywords"))
        called = _mapping(caption.get("Consistency"))
        if terms or called:
            return (
                _words(terms.get("GT")),
                _words(terms.get("Pred")),
                _state(called.get("GT")),
                _state(called.get("Pred")),
            )
    return None, None, None, None


def _mapping(value: object) -> Mapping[str, object]:
    return value if isinstance(value, dict) else {}


def _words(value: object) -> tuple[str, ...] | None:
    return tuple(str(word) for word in value) if isinstance(value, list) else None


def _state(value: object) -> str | None:
    return value.strip().casefold() if isinstance(value, str) and value.strip() else None


def case_rows(
    content: ScoringContent,
    answers: AnswerSet,
    reference: Reference,
    only: Collection[tuple[str, str]] | None,
) -> tuple[DiagnosisPair, ...]:
    """Return one row a case where lists were given per case, else one a slice (cases count once anyhow)."""
    if answers.case_lists is None:
        return slice_rows(content, answers, reference, only)
    found: dict[tuple[str, str], DiagnosisPair] = {}
    for one in content.slices:
        key = one.case_key
        if key in found or key not in answers.case_lists or key not in reference.diagnoses:
            continue
        if only is None or key in only:
            names = tuple(d.name for d in answers.case_lists[key])
            found[key] = DiagnosisPair(one.case, one.case, reference.diagnoses[key], names)
    return tuple(found.values())


def slice_rows(
    content: ScoringContent,
    answers: AnswerSet,
    reference: Reference,
    only: Collection[tuple[str, str]] | None,
) -> tuple[DiagnosisPair, ...]:
    """Return one row a slice; a list that was given for a case stands on every slice of it."""
    found = []
    for one in content.slices:
        names = _names(answers, one)
        if names is None or one.case_key not in reference.diagnoses:
            continue
        if only is None or one.case_key in only:
            found.append(DiagnosisPair(one.name, one.case, reference.diagnoses[one.case_key], names))
    return tuple(found)


def _names(answers: AnswerSet, one: ScoredSlice) -> tuple[str, ...] | None:
    if answers.case_lists is not None:
        listed = answers.case_lists.get(one.case_key)
    else:
        own = answers.answers.get(one.key)
        listed = own.diagnoses if own is not None else None
    return None if listed is None else tuple(d.name for d in listed)


def answered_by(content: ScoringContent, answers: AnswerSet) -> Answered:
    """Return what a set answered, task by task, among the slices of the source."""
    boxes = {k for k, p in answers.answers.items() if p.boxes is not None}
    captions = {k for k, p in answers.answers.items() if p.caption is not None}
    cases = {s.case_key for s in content.slices if _names(answers, s) is not None}
    return Answered(boxes, captions, cases)


def shared_by(content: ScoringContent, sets: Collection[AnswerSet]) -> Answered:
    """Return what every set answered; a task that some set did not answer at all does not bind the others."""
    told = [answered_by(content, s) for s in sets]

    def all_of(parts: list[Collection[object]]) -> set[object] | None:
        given = [set(part) for part in parts if part]
        return set.intersection(*given) if given else None

    return Answered(
        all_of([t.boxes or () for t in told]),  # type: ignore[arg-type]
        all_of([t.captions or () for t in told]),  # type: ignore[arg-type]
        all_of([t.cases or () for t in told]),  # type: ignore[arg-type]
    )
