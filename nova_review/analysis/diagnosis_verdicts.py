"""What became of a ranked diagnosis list: where it names the data set's diagnosis, as judged."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from nova_review.analysis.texts.pairs import DiagnosisPair
from nova_review.domain.judging import Judgement

NO_REFERENCE = "undefined: the data set has no diagnosis here"


class DiagnosisOutcome(StrEnum):
    """The list in one word. A pair that nobody has decided keeps a list without a match undecided."""

    FIRST = "first"
    LISTED_LATER = "listed_later"
    UNDECIDED = "undecided"
    NEAR_MISS = "near_miss"
    NEVER_LISTED = "never_listed"


@dataclass(frozen=True, slots=True)
class DiagnosisVerdict:
    """A ranked list beside the data set's diagnosis; ranks count from 1.

    Attributes
    ----------
    rank : of the first entry judged the same, None without one
    near_miss_rank : of the first entry judged related, None without one
    undecided : ranks that nobody has judged, or that were judged unsure
    outcome : the list in one word; None where it is undefined
    undefined_because : why, else None
    """

    rank: int | None = None
    near_miss_rank: int | None = None
    undecided: tuple[int, ...] = ()
    outcome: DiagnosisOutcome | None = None
    undefined_because: str | None = None

    @property
    def never_listed(self) -> bool:
        """Whether every entry is decided and none is the same; a near miss is not the same."""
        return self.outcome in (DiagnosisOutcome.NEAR_MISS, DiagnosisOutcome.NEVER_LISTED)


def diagnosis_verdict(
    reference: str, answers: Sequence[str], verdict_of: Callable[[str, str], Judgement | None]
) -> DiagnosisVerdict:
    """Return what became of the ranked list `answers`.

    `verdict_of(reference, answer)` tells what was judged of a pair, None where nobody has. Undefined
    where the data set has no diagnosis ("", or its sentence that none was found). An empty list
    names nothing: never listed.
    """
    if not DiagnosisPair("", "", reference, ()).has_reference:
        return DiagnosisVerdict(undefined_because=NO_REFERENCE)
    ranked = list(enumerate((verdict_of(reference, answer) for answer in answers), start=1))
    rank = next((r for r, judged in ranked if judged is Judgement.SAME), None)
    near = next((r for r, judged in ranked if judged is Judgement.RELATED), None)
    undecided = tuple(r for r, judged in ranked if judged in (None, Judgement.UNSURE))
    return DiagnosisVerdict(rank, near, undecided, _outcome(rank, near, undecided))


def _outcome(rank: int | None, near: int | None, undecided: Sequence[int]) -> DiagnosisOutcome:
    if rank is not None:
        return DiagnosisOutcome.FIRST if rank == 1 else DiagnosisOutcome.LISTED_LATER
    if undecided:
        return DiagnosisOutcome.UNDECIDED
    return DiagnosisOutcome.NEVER_LISTED if near is None else DiagnosisOutcome.NEAR_MISS
