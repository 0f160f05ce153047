"""The desk of the score page, method by method; `score_desk.ScoreDesk` is one."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol as Port

from nova_review.analysis.dialects.scores import DialectName
from nova_review.analysis.estimate import Estimate
from nova_review.services.failure_notes import TagCount
from nova_review.services.score_views import Column, ScoreRequest, ScoreTable


@dataclass(frozen=True, slots=True)
class Difference:
    """Set `a` minus set `b` in one column, on the slices that both answered.

    `inference` says in words to whom it generalises ("these readers: cases are random"); `p` and `test`
    are of a paired test where one fits; `why_not` is the sentence where nothing may be subtracted.
    """

    a: str
    b: str
    column: Column
    estimate: Estimate
    inference: str
    test: str = ""
    p: float | None = None
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class GapRow:
    """How far one model is from the readers in one column, by both inferences.

    `fixed` takes the readers as they are ("these readers"), `random` as a sample ("readers like these");
    `words` says what is rough about it.
    """

    model: str
    column: Column
    readers: int
    fixed: Estimate
    random: Estimate
    p: float | None
    words: str


@dataclass(frozen=True, slots=True)
class ReliabilityPoint:
    """Boxes of about one confidence: its mean, the share that are hits, how many boxes."""

    confidence: float
    hits: float
    n: int


@dataclass(frozen=True, slots=True)
class Reliability:
    """How far a set's confidence can be believed; undefined where it gives none."""

    set_name: str
    points: tuple[ReliabilityPoint, ...]
    brier: Estimate


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """A published figure: whose, by which rules, what, and where it stands. Never subtracted from ours."""

    name: str
    rules: DialectName | None
    metric: str
    threshold: float | str | None
    value: float
    n: int | None
    words: str
    source: str


class ScoringDesk(Port):
    """Everything the score page asks for. Methods may be called from a worker thread.

    `score` refuses before the database lock (NotAllowedError); everything else needs a table.
    """

    def set_names(self) -> tuple[str, ...]:
        """Return what can be scored, readers first."""
        ...

    def score(self, request: ScoreRequest) -> ScoreTable:
        """Return the table; UserError for an unknown set or reader."""
        ...

    def difference(self, table: ScoreTable, a: str, b: str, column: Column) -> Difference:
        """Return a paired difference."""
        ...

    def gaps(self, table: ScoreTable, columns: Sequence[Column]) -> tuple[GapRow, ...]:
        """Return every model against the readers of the table."""
        ...

    def reliability(self, table: ScoreTable) -> tuple[Reliability, ...]:
        """Return how far each set's confidence can be believed (hits at IoU .5 against the same gold)."""
        ...

    def published(self) -> tuple[PublishedScore, ...]:
        """Return the published figures of the benchmark."""
        ...

    def tag_counts(self) -> tuple[TagCount, ...]:
        """Return the failures that were tagged, set by set."""
        ...

    def save_table(self, table: ScoreTable, file: Path) -> None:
        """Write the table as CSV or, where the name ends in .tex, as LaTeX."""
        ...

    def write(self, table: ScoreTable, folder: Path) -> tuple[str, ...]:
        """Write the object, tables (CSV, LaTeX) and figures (PNG, SVG, PDF) into an empty folder."""
        ...
