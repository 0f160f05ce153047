"""Whether two diagnoses mean the same: what somebody judged, kept with the name of who judged."""

from dataclasses import dataclass
from enum import StrEnum


class Judgement(StrEnum):
    """The answer to "same core diagnosis?".

    RELATED is a "no" that comes close (a near miss); UNSURE is an answer, yet leaves the pair open.
    """

    SAME = "same"
    RELATED = "related"
    DIFFERENT = "different"
    UNSURE = "unsure"


class JudgeKind(StrEnum):
    """What kind of judge gave it: a person at the screen, or a program whose verdicts were imported."""

    PERSON = "person"
    PROGRAM = "program"


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """One judge's word on one pair: the data set's diagnosis and an answer, both as they are written.

    `judged_by` is a person's code or the name of a program; it stays with the verdict everywhere.
    `judged_utc` is ISO 8601, "" where a file told none.
    """

    reference: str
    answer: str
    judgement: Judgement
    judged_by: str
    kind: JudgeKind = JudgeKind.PERSON
    judged_utc: str = ""
    note: str = ""
