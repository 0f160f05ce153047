"""What scoring is asked for and what it gives: one table of readers and models, and what stands behind it."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from nova_review.analysis.boxes import FloatArray
from nova_review.analysis.dialects.scores import DialectName, Task
from nova_review.analysis.draws import Draws
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.froc import FrocPoint
from nova_review.domain.errors import UserError
from nova_review.domain.prediction import PredictionKind
from nova_review.services.prediction_content import PredictionOptions

GOLD, OTHERS = "gold", "others"
CONTAINS_READER = "gold contains this reader"
Threshold = float | str | None


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """What is asked for.

    Attributes
    ----------
    sets : names of prediction sets, readers or files; empty means all of the source
    against : "gold", "others" or a reader; None means gold if every set is a model's, else others
    dialects : whose rules; empty means our own
    options : how the boxes of files are written
    resamples : draws of cases for intervals; 0 leaves them out
    joint : whether only slices count that all rows answered, task by task
    by_slice : whether the numbers of single slices are wanted
    """

    sets: tuple[str, ...] = ()
    against: str | None = None
    dialects: tuple[DialectName, ...] = (DialectName.NOVA_REVIEW,)
    options: PredictionOptions = PredictionOptions()
    resamples: int = 1_000
    seed: int = 1
    joint: bool = False
    by_slice: bool = False

    def __post_init__(self) -> None:
        if not 0 <= self.resamples <= 100_000:
            raise UserError(f"The number of resamples must be from 0 to 100,000 (got {self.resamples}).")
        if self.seed < 0:
            raise UserError(f"The seed must not be below 0 (got {self.seed}).")


@dataclass(frozen=True, slots=True)
class Column:
    """One score of one dialect; `threshold` is an IoU, "50:95" or None."""

    dialect: DialectName
    task: Task
    metric: str
    threshold: Threshold

    @property
    def name(self) -> str:
        """The metric with its threshold, as it heads a column: "mAP@50:95"."""
        at = f"{self.threshold:g}" if isinstance(self.threshold, float) else self.threshold
        return self.metric if at is None else f"{self.metric}@{at}"


@dataclass(frozen=True, slots=True)
class Mark:
    """Whether one unit (a slice or a case) was got right, where a score is a share of such units."""

    case: str
    hit: bool


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """One score of one row.

    Attributes
    ----------
    definition : one line; it carries the ceiling in words where that is below 1
    replicates : (R,) the score in each draw of cases, shared by the whole table
    ceiling : what the reference scored against itself gets, None where that is 1
    marks : hits by unit, where the score is a share of hits; else empty
    """

    estimate: Estimate
    definition: str
    replicates: FloatArray
    ceiling: float | None = None
    marks: Mapping[str, Mark] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class ScoredSet:
    """One row of the table.

    Attributes
    ----------
    against : "gold", "others", or the reader whose answers stand in for gold
    n : slices (of diagnoses: cases) that each task rests on
    visible : in words, what was seen when the answers were given
    undecided : pairs of diagnoses that nobody has judged and that would change a score
    cells : by column; a column of a task that no row answered is not there
    """

    name: str
    kind: PredictionKind
    against: str
    n: Mapping[Task, int]
    visible: str
    undecided: int
    cells: Mapping[Column, Cell]

    @property
    def is_reader(self) -> bool:
        """Whether a person gave these answers."""
        return self.kind is PredictionKind.READER


@dataclass(frozen=True, slots=True)
class SliceValue:
    """One number of one slice under a dialect's rules; None where it is undefined there."""

    set: str
    against: str
    dialect: DialectName
    metric: str
    threshold: Threshold
    file_name: str
    data_set: str
    value: float | None


@dataclass(frozen=True, slots=True)
class GroupValue:
    """A score on a part of the units: cases by frequency of their diagnosis, lesions by size ..."""

    set: str
    against: str
    column: Column
    group: str
    estimate: Estimate
    definition: str


@dataclass(frozen=True, slots=True)
class Ceiling:
    """What gold scored against itself gets, where that is below 1."""

    dialect: DialectName
    metric: str
    value: float
    n: int


@dataclass(frozen=True, slots=True)
class Curve:
    """Free-response curve of one set at one overlap; `is_point` says that it gave no confidences."""

    set: str
    threshold: float
    points: tuple[FrocPoint, ...]
    is_point: bool


@dataclass(frozen=True, slots=True)
class ReliabilityBin:
    """Answers of about one confidence: how sure, how often right (0..1), how many."""

    confidence: float
    right: float
    n: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """Confidence against being right, of boxes (IoU .5, our own rules) or of first diagnoses.

    `brier` is the mean squared distance of confidence from 0 or 1, None without answers that have one.
    """

    set: str
    task: Task
    bins: tuple[ReliabilityBin, ...]
    brier: float | None
    n: int


@dataclass(frozen=True, slots=True)
class Gap:
    """Mean of the readers beside one model in one column, on the same slices; `readers` are named."""

    column: Column
    model: str
    readers: tuple[str, ...]
    reader_mean: float
    model_value: float
    difference: Estimate


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """A figure from a publication: never like for like with a row; `rules` says how it was counted."""

    name: str
    task: Task
    metric: str
    threshold: Threshold
    value: float
    rules: str
    source: str


@dataclass(frozen=True, slots=True, eq=False)
class ScorePlots:
    """What the plots draw."""

    froc: tuple[Curve, ...] = ()
    frequency: tuple[GroupValue, ...] = ()
    reliability: tuple[Reliability, ...] = ()
    gaps: tuple[Gap, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """Everything that one call computed.

    Attributes
    ----------
    title : what a person calls the source
    rows, columns : in their order; `columns` are all that any row has
    draws : the draws of cases that all replicates share
    slices : numbers of single slices, where they were asked for
    groups : parts of cases and lesions
    left_out, notes : sentences that must stand beside the table
    before_lock : the reason for an early look at a study, or None
    """

    title: str
    request: ScoreRequest
    rows: tuple[ScoredSet, ...]
    columns: tuple[Column, ...]
    draws: Draws
    slices: tuple[SliceValue, ...] = ()
    groups: tuple[GroupValue, ...] = ()
    ceilings: tuple[Ceiling, ...] = ()
    plots: ScorePlots = ScorePlots()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    before_lock: str | None = None

    def row(self, name: str) -> ScoredSet:
        """Return the row of a set; KeyError where the table has none."""
        return {row.name: row for row in self.rows}[name]


@dataclass(frozen=True, slots=True)
class Difference:
    """Row `a` minus row `b` in one column.

    Attributes
    ----------
    estimate : with its interval; undefined with the sentence why not
    p : two-sided, None where no test is made
    test : which test p is of, "" without one
    inference : to whom it generalises ("these readers (cases random)" ...)
    note : what must be said with it ("rough: 3 readers"), or ""
    """

    a: str
    b: str
    column: Column
    estimate: Estimate
    p: float | None = None
    test: str = ""
    inference: str = ""
    note: str = ""
