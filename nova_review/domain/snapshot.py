"""A study's content as plain values: what exports, reports and analysis read.

Made by storage in one transaction; nothing in it can be traced back to a row, so a
writer of files cannot change a study. Names of readers are here beside their codes;
writers use codes only.
"""

from dataclasses import dataclass

from nova_review.domain.dataset import CaseRecord, GoldBox, ImageState
from nova_review.domain.geometry import Box
from nova_review.domain.protocol import DEFAULT_ANALYSIS, AnalysisPlan
from nova_review.domain.reading import AnswerState, Caption, CaseAnswer, SliceAnswer
from nova_review.domain.study import Occasion, Phase, PresentationRole, Reader


@dataclass(frozen=True, slots=True)
class SnapshotSlice:
    """One slice of one data set; `caption` is the data set's own."""

    id: str
    file_name: str
    case_code: str
    scan_id: str
    caption: str | None
    image_path: str | None
    image_state: ImageState
    width: int | None
    height: int | None
    sha256: str | None


@dataclass(frozen=True, slots=True)
class DecisionSource:
    """One reader's box that went into a decided one; `weight` only where a rule gave it one."""

    reader_code: str
    finding_id: str
    box: Box | None
    weight: float | None


@dataclass(frozen=True, slots=True)
class DecisionBox:
    """One box of adjudicated or rule-made gold with its provenance."""

    file_name: str
    number: int
    box_x: float
    box_y: float
    box_width: float
    box_height: float
    label: str
    provenance: str
    decided_by: str
    decided_utc: str
    sources: str
    place: str = ""
    side: str = ""
    made_by: str = ""
    reason_code: str = ""
    source_boxes: tuple[DecisionSource, ...] = ()


@dataclass(frozen=True, slots=True)
class SnapshotDecision:
    """The newest closed decision on one slice, also where it holds no lesion.

    `decided_by` is an adjudicator's code, or "rule"; `rule` is JSON, "" without one. `checked`
    says that a rule's gold was drawn for an adjudicator to see as well, `has_withdrawn` that an
    answer it was made with has been withdrawn since. `caption` is the panel's reference caption.
    """

    file_name: str
    outcome: str
    provenance: str
    mode: str
    rule: str
    decided_by: str
    decided_utc: str
    version: int
    reason_code: str
    note: str
    flagged: bool
    flag_reason: str
    checked: bool
    has_withdrawn: bool
    visible: tuple[str, ...]
    caption: Caption | None = None


@dataclass(frozen=True, slots=True)
class PanelDiagnosis:
    """The panel's diagnosis of one case; it stands beside the data set's own."""

    case_code: str
    diagnosis: str
    decided_by: str
    decided_utc: str
    reason_code: str
    note: str
    visible: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SnapshotDataSet:
    """One data set of the study, in case order and scan order.

    `decided` are the file names of slices whose gold is decided (also those decided to hold
    no lesion), `decisions` their boxes, `rejected_boxes` the places of findings that were decided
    to be none; `slice_decisions` also has slices that were decided to
    be unreadable, which have no gold.
    """

    code: str
    content_hash: str
    has_gold: bool
    slices: tuple[SnapshotSlice, ...]
    cases: tuple[CaseRecord, ...]
    gold: tuple[GoldBox, ...]
    decided: tuple[str, ...]
    decisions: tuple[DecisionBox, ...]
    rejected_boxes: tuple[DecisionBox, ...] = ()
    slice_decisions: tuple[SnapshotDecision, ...] = ()
    panel_diagnoses: tuple[PanelDiagnosis, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerContext:
    """When, where and under what an answer was given. Seconds; UTC in ISO 8601; None = not known.

    `visible` is the sorted visible set of the stage; `siblings_seen` are file names;
    `imported` says that the answer came from a file (times are then those of the file).
    """

    reader_code: str
    data_set: str
    case_code: str
    arm: str
    occasion: Occasion
    role: PresentationRole
    stage: int
    visible: tuple[str, ...]
    siblings_seen: tuple[str, ...]
    position: int | None
    version: int
    state: AnswerState
    started_utc: str | None
    closed_utc: str | None
    active_seconds: float | None
    first_mark_seconds: float | None
    sitting_minutes: float | None
    seen_before: bool
    reopen_reason: str
    imported: bool


@dataclass(frozen=True, slots=True)
class SliceReading:
    """One version of one reader's answer on one slice."""

    file_name: str
    context: AnswerContext
    answer: SliceAnswer


@dataclass(frozen=True, slots=True)
class CaseReading:
    """One version of one reader's answer on one case (question, round and attempt from 1)."""

    question: int
    round: int
    attempt: int
    context: AnswerContext
    answer: CaseAnswer


@dataclass(frozen=True, slots=True)
class StudySnapshot:
    """All of a study that may leave it. Readings are in reader-code, case and slice order.

    All versions of all answers are here; the writer's selection decides what goes out. `analysis`
    is what the protocol fixed about the analysis before the first reading, `side_convention` which side
    of the pictures it declares to be the patient's left ("radiological", "neurological" or "unknown").
    """

    study_id: str
    title: str
    phase: Phase
    is_demo: bool
    protocol_hash: str
    unit: str
    data_sets: tuple[SnapshotDataSet, ...]
    readers: tuple[Reader, ...]
    slice_readings: tuple[SliceReading, ...]
    case_readings: tuple[CaseReading, ...]
    analysis: AnalysisPlan = DEFAULT_ANALYSIS
    side_convention: str = "unknown"
