"""What sets are scored against: the gold, or a reader in the place of gold."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box
from nova_review.services.answer_sets import AnswerSet, SliceKey
from nova_review.services.score_views import GOLD, OTHERS
from nova_review.services.scoring_content import CaseKey, ScoringContent


@dataclass(frozen=True, slots=True, eq=False)
class Reference:
    """Boxes and captions by slice, diagnoses by case; `name` is "gold" or a reader's.

    `final` says whether the diagnoses are the data set's, whose cases without one keep their row.
    """

    name: str
    boxes: Mapping[SliceKey, tuple[Box, ...]]
    captions: Mapping[SliceKey, str]
    diagnoses: Mapping[CaseKey, str]


def gold_reference(content: ScoringContent) -> Reference:
    """Return the gold of a source; every case has its diagnosis as written, also the word for none."""
    return Reference(
        GOLD,
        {s.key: s.gold for s in content.slices if s.gold is not None},
        {s.key: s.caption for s in content.slices if s.caption is not None},
        {s.case_key: s.diagnosis for s in content.slices},
    )


def reader_reference(reader: AnswerSet) -> Reference:
    """Return a reader in the place of gold: his boxes, his captions, his first diagnoses."""
    return Reference(
        reader.name,
        {
            key: tuple(b.box for b in own.boxes)
            for key, own in reader.answers.items()
            if own.boxes is not None
        },
        {key: own.caption for key, own in reader.answers.items() if own.caption},
        {case: names[0].name for case, names in (reader.case_lists or {}).items() if names},
    )


def references_of(content: ScoringContent, against: str, scored: AnswerSet) -> tuple[Reference, ...]:
    """Return what one set is scored against: gold, one reader, or every other reader in turn.

    () where nobody else read, and for a reader against himself. Raises UserError for one who is not there.
    """
    if against == GOLD:
        return (gold_reference(content),)
    readers = [s for s in content.sets if s.is_reader]
    if against == OTHERS:
        own = content.person_of(scored)
        others = [r for r in readers if content.person_of(r) != own]
        return tuple(reader_reference(r) for r in others)
    code = content.aliases.get(against, against)
    found = [r for r in readers if code in (r.name, content.person_of(r))]
    if not found:
        known = ", ".join(r.name for r in readers) or "none"
        raise UserError(
            f"There is no reader {against!r} to score against. The readers are: {known}; "
            "--against also takes gold and others."
        )
    return tuple(reader_reference(r) for r in found[:1] if content.person_of(r) != content.person_of(scored))


def usual_against(sets: Sequence[AnswerSet]) -> str:
    """Return "gold" if every set is a model's, else "others"."""
    return OTHERS if any(s.is_reader for s in sets) else GOLD
