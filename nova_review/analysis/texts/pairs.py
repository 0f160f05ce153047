"""What is compared: the caption or the diagnoses of an answer, beside the data set's own."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nova_review.analysis.texts.synonyms import SynonymTable

NO_DIAGNOSIS = "Final Diagnosis not found."
"""What the data set writes where it has no diagnosis."""


@dataclass(frozen=True, slots=True)
class CaptionPair:
    """One slice's caption in the data set, and an answer's.

    Attributes
    ----------
    slice, case : names
    reference, answer : the captions
    reference_keywords, answer_keywords : terms that a language-model judge took from each, None if none did
    reference_state, answer_state : "normal", "abnormal" or "unknown" by such a judge, None if none did
    """

    slice: str
    case: str
    reference: str
    answer: str
    reference_keywords: tuple[str, ...] | None = None
    answer_keywords: tuple[str, ...] | None = None
    reference_state: str | None = None
    answer_state: str | None = None


@dataclass(frozen=True, slots=True)
class DiagnosisPair:
    """The data set's diagnosis of one unit (a slice or a case), and an answer's list, most likely first."""

    unit: str
    case: str
    reference: str
    answers: tuple[str, ...]

    @property
    def has_reference(self) -> bool:
        """Whether the data set knows the diagnosis."""
        return bool(self.reference.strip()) and self.reference.strip() != NO_DIAGNOSIS


@dataclass(frozen=True, slots=True)
class TextTools:
    """The tables that scoring captions needs."""

    synonyms: SynonymTable


def against_itself(rows: Sequence[CaptionPair]) -> tuple[CaptionPair, ...]:
    """Return the rows with each reference as its own answer: what a perfect answer would get."""
    return tuple(
        replace(
            row,
            answer=row.reference,
            answer_keywords=row.reference_keywords,
            answer_state=row.reference_state,
        )
        for row in rows
    )
