"""What scoring is asked for, and the table that it gives: rows with their definitions and intervals."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from nova_review.analysis.calibration import SureAnswers
from nova_review.analysis.dialects.scores import DialectName, Score, Task
from nova_review.analysis.draws import Draws
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.froc import FrocPoint
from nova_review.domain.errors import UserError
from nova_review.domain.prediction import PredictionKind
from nova_review.services.answer_sets import AnswerSet
from nova_review.services.export_content import GoldSource
from nova_review.services.prediction_content import PredictionOptions

GOLD, OTHERS = "gold", "others"
"""What `against` says besides the code of a reader."""

Column = tuple[DialectName, str, float | str | None]
"""(dialect, metric, threshold): one column of the table."""


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """What is asked for.

    Attributes
    ----------
    sets : names of prediction sets, codes of readers, or files of predictions; () is all sets
    against : "gold", "others" or a reader; None is gold, or others once a reader is among the sets
    dialects : whose rules; () is ours
    options : how boxes of files are written, as for `predictions add`
    resamples, seed : of the intervals; 0 resamples leave them out
    by_slice : rows for single slices too
    joint : only slices that every set answered
    gold : where gold comes from, as in exports
    extra : sets that are not stored with the source (read from files)
    """

    sets: tuple[str, ...] = ()
    against: str | None = None
    dialects: tuple[DialectName, ...] = ()
    options: PredictionOptions = field(default_factory=PredictionOptions)
    resamples: int = 2_000
    seed: int = 1
    by_slice: bool = False
    joint: bool = False
    gold: GoldSource | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.resamples <= 100_000:
            raise UserError(f"The number of resamples must be from 0 to 100,000 (got {self.resamples}).")
        if self.seed < 0:
            raise UserError(f"The seed must not be below 0 (got {self.seed}).")


@dataclass(frozen=True, slots=True, eq=False)
class ScoreRow:
    """One number of one set.

    `estimate` is that of `score` with its interval; `definition` carries the ceiling in words where
    the gold scored against itself stays below 1; `ceiling` is that value, else None.
    """

    set_name: str
    kind: PredictionKind
    against: str
    dialect: DialectName
    score: Score
    estimate: Estimate
    definition: str
    ceiling: float | None = None

    @property
    def task(self) -> Task:
        return self.score.task

    @property
    def column(self) -> Column:
        return self.dialect, self.score.metric, self.score.threshold


@dataclass(frozen=True, slots=True)
class SliceRow:
    """One number of one set on one slice; `value` is None where it is undefined."""

    set_name: str
    against: str
    dialect: DialectName
    metric: str
    threshold: float | str | None
    data_set: str
    file_name: str
    value: float | None


@dataclass(frozen=True, slots=True)
class Ceiling:
    """What the gold gets when it is scored against itself, where that is below 1."""

    dialect: DialectName
    metric: str
    value: float
    n: int


@dataclass(frozen=True, slots=True)
class SetHead:
    """One scored set: what it answered, what was seen for it, and what of it is left out and why.

    `slices`, `captions` and `cases` count answers that are compared, each for its task.
    """

    name: str
    kind: PredictionKind
    slices: int
    captions: int
    cases: int
    visible: tuple[tuple[str, ...], tuple[str, ...]]
    came_with_data: bool
    undecided: int
    left_out: tuple[str, ...]

    @property
    def is_reader(self) -> bool:
        return self.kind is PredictionKind.READER


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """All that was computed in one go, on one set of draws: differences of its rows are paired.

    Attributes
    ----------
    rows : whole-set numbers, in order of sets, dialects and tasks
    groups : the same for parts (frequency of the diagnosis, size of the lesion); `score.group` names it
    slices : single slices, where asked for
    ceilings : gold against itself, where below 1
    heads : the sets, in order
    undecided : pairs of diagnoses that nobody has judged, by set
    froc : by set, points (false boxes per slice, sensitivity) at IoU .5 against the same gold
    marks : by set and column, whether each unit (slice or case) is right, where a column is a share of those
    case_of : the case of each unit
    sure : by set, boxes with a confidence and whether they hit, at IoU .5 against the same gold
    undecided_pairs : the pairs that nobody has judged, each once though several sets have it
    left_out : sentences for all sets
    before_lock : the reason for an early look, or None
    """

    title: str
    request: ScoreRequest
    against: str
    dialects: tuple[DialectName, ...]
    rows: tuple[ScoreRow, ...]
    groups: tuple[ScoreRow, ...]
    slices: tuple[SliceRow, ...]
    ceilings: tuple[Ceiling, ...]
    heads: tuple[SetHead, ...]
    draws: Draws
    left_out: tuple[str, ...]
    froc: Mapping[str, tuple[FrocPoint, ...]] = field(default_factory=dict)
    before_lock: str | None = None
    synthetic: bool = False
    marks: Mapping[str, Mapping[Column, Mapping[str, bool]]] = field(default_factory=dict)
    case_of: Mapping[str, str] = field(default_factory=dict)
    sure: Mapping[str, SureAnswers] = field(default_factory=dict)
    undecided_pairs: int = 0

    @property
    def undecided(self) -> Mapping[str, int]:
        return {head.name: head.undecided for head in self.heads}

    def columns(self) -> tuple[Column, ...]:
        """Return the columns in the order of the rows, each once."""
        return tuple(dict.fromkeys(row.column for row in self.rows))

    def cell(self, set_name: str, column: Column) -> ScoreRow | None:
        """Return the row of a set in a column, None where the dialect gave none."""
        return next((r for r in self.rows if r.set_name == set_name and r.column == column), None)


@dataclass(frozen=True, slots=True)
class FileSet:
    """A set that was read from a file for this table alone."""

    path: Path
    answers: AnswerSet
