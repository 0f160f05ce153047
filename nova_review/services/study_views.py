"""What is told about a study: to the coordinator, on the command line and in the window."""

from collections.abc import Mapping
from dataclasses import dataclass

from nova_review.domain.dataset import Oddity
from nova_review.domain.protocol import Protocol
from nova_review.domain.study import DataSetSummary, Phase, ReaderKind
from nova_review.services.adjudication_counts import AdjudicationCounts
from nova_review.services.orders import CaseSlices
from nova_review.services.study_plan import Remark


@dataclass(frozen=True, slots=True)
class ReaderSummary:
    """One reader with his code and how far he is; counts of states, no box.

    `presentations` and `submitted` count places of his order; a data-set reader has none.
    `is_visitor` says that all of them are training. `slice_states` counts the newest versions of
    his slice answers by state.
    """

    name: str
    code: str
    kind: ReaderKind
    presentations: int
    submitted: int
    is_visitor: bool
    slice_states: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class StudyInfo:
    """A study in figures: what `study info` prints.

    `readers` lists the study's own readers in the order they were named, then those that came
    with the data sets or were imported. `orders` (asked for by the coordinator only) maps reader
    names to file names in their order. `adjudication` is None where nothing is decided.
    """

    study_id: str
    title: str
    phase: Phase
    is_demo: bool
    seed: str
    unit: str
    arm: str
    protocol_hash: str
    protocol_version: int
    created_utc: str
    closed_utc: str | None
    made_by: str
    data_sets: tuple[DataSetSummary, ...]
    readers: tuple[ReaderSummary, ...]
    prediction_sets: tuple[str, ...]
    warnings: tuple[Oddity, ...]
    errors: tuple[Oddity, ...]
    remarks: tuple[Remark, ...]
    embedded: int
    decisions: int
    orders: Mapping[str, tuple[str, ...]] | None = None
    adjudication: AdjudicationCounts | None = None


@dataclass(frozen=True, slots=True)
class StudyShape:
    """What planning a further reader needs to know of a study."""

    phase: Phase
    protocol: Protocol
    seed: str
    cases: tuple[CaseSlices, ...]
    names: tuple[str, ...]
    codes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OpenReading:
    """A main reading that is not submitted; `state` in words, `position` in the reader's order."""

    reader: str
    code: str
    position: int
    case_code: str
    state: str


@dataclass(frozen=True, slots=True)
class Closed:
    """The database lock: when, why, and what was still open (it stays as it is)."""

    at_utc: str
    reason: str
    open_readings: tuple[OpenReading, ...]


@dataclass(frozen=True, slots=True)
class PredictionsAdded:
    """What became of a prediction set: answers stored, file names that the study does not have."""

    name: str
    stored: int
    unknown: tuple[str, ...]
