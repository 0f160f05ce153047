"""A study: its life, the people in it, and what each reader is shown in which order."""

from dataclasses import dataclass
from enum import StrEnum


class Phase(StrEnum):
    """A study's life, in order."""

    SETUP = "setup"
    READING = "reading"
    DATABASE_LOCKED = "database locked"
    UNBLINDED = "unblinded"


class PresentationRole(StrEnum):
    """What a presentation counts for. Training is never analysed."""

    TRAINING = "training"
    MAIN = "main"
    REPEAT = "repeat"


class Occasion(StrEnum):
    """Whether a reader meets a case for the first or for a repeated time."""

    FIRST = "first"
    REPEAT = "repeat"


class ReaderKind(StrEnum):
    """A reader of this study, or one whose boxes came with the data set."""

    STUDY = "study"
    DATA_SET = "data-set"


@dataclass(frozen=True, slots=True)
class Reader:
    """`code` (R01, R02, ...) was assigned at random and names the reader in all exports."""

    id: str
    name: str
    code: str
    kind: ReaderKind


@dataclass(frozen=True, slots=True)
class Presentation:
    """One place in a reader's order.

    `position` counts from 1. `stages` are the stage numbers that are answered here: with
    unit "case" all of the arm; with unit "slice" first [1] per slice, later [2] per case.
    """

    id: str
    reader_id: str
    position: int
    case_id: str
    slice_ids: tuple[str, ...]
    stages: tuple[int, ...]
    arm: str
    role: PresentationRole
    occasion: Occasion


@dataclass(frozen=True, slots=True)
class DataSetSummary:
    """Counts of one data set of a study, as `study info` prints them."""

    code: str
    slices: int
    usable_slices: int
    cases: int
    gold_boxes: int
    reader_boxes: int
    content_hash: str
