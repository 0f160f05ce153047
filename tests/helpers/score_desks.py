"""A desk for the score page with numbers written by hand: any number of readers and models."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, current_thread, main_thread

import numpy as np

from nova_review.analysis.dialects.scores import DialectName, Score, Task
from nova_review.analysis.draws import draw_cases
from nova_review.analysis.estimate import Estimate, undefined
from nova_review.analysis.froc import FrocPoint
from nova_review.domain.errors import NovaReviewError
from nova_review.domain.prediction import PredictionKind
from nova_review.services.failure_notes import TagCount
from nova_review.services.published_scores import published_scores
from nova_review.services.score_ports import Difference, GapRow, PublishedScore, Reliability, ReliabilityPoint
from nova_review.services.score_views import GOLD, OTHERS, Column, ScoreRequest, ScoreRow, ScoreTable, SetHead

SHOWN: tuple[tuple[Task, str, float | str | None], ...] = (
    (Task.LOCALISATION, "mAP", 0.3),
    (Task.LOCALISATION, "mAP", 0.5),
    (Task.LOCALISATION, "mAP", "50:95"),
    (Task.LOCALISATION, "F1", 0.5),
    (Task.LOCALISATION, "fp_per_slice", 0.5),
    (Task.CAPTION, "bleu", None),
    (Task.CAPTION, "clinical_f1", None),
    (Task.DIAGNOSIS, "top1", None),
    (Task.DIAGNOSIS, "top5", None),
)
MORE: tuple[tuple[Task, str, float | str | None], ...] = (
    (Task.LOCALISATION, "TP", 0.5),
    (Task.LOCALISATION, "FP", 0.5),
    (Task.LOCALISATION, "F1", 0.3),
)
IN_GOLD = "gold contains this reader"
MAP_50 = {"R01": 0.6, "R02": 0.5, "model-a": 0.4, "model-b": 0.7}
"""mAP@.5 against the other readers; against gold readers have none. Further sets go down by .01."""


@dataclass
class HandScoreDesk:
    """Readers R01 ... saw image and history, models saw nothing that is stated; `hold` stops the scoring."""

    readers: int = 2
    models: int = 2
    undecided: int = 37
    tags: tuple[TagCount, ...] = ()
    refusal: NovaReviewError | None = None
    asked: list[ScoreRequest] = field(default_factory=list)
    subtracted: list[tuple[str, str, Column]] = field(default_factory=list)
    written: list[Path] = field(default_factory=list)
    saved: list[Path] = field(default_factory=list)
    hold: Event | None = None
    asked_in_window: list[str] = field(default_factory=list)

    def set_names(self) -> tuple[str, ...]:
        names = [f"R{k:02}" for k in range(1, self.readers + 1)]
        return (*names, *(f"model-{chr(96 + k)}" for k in range(1, self.models + 1)))

    def score(self, request: ScoreRequest) -> ScoreTable:
        self._note_thread("score")
        self.asked.append(request)
        if self.hold is not None:
            self.hold.wait(10)
        if self.refusal is not None:
            raise self.refusal
        against = request.against or OTHERS
        (dialect,) = request.dialects
        columns = (*SHOWN, *MORE) if dialect is not DialectName.COCO else SHOWN[:3]
        names = self.set_names()
        rows = tuple(_row(n, k, c, dialect, against) for k, n in enumerate(names) for c in columns)
        return ScoreTable(
            title="By hand",
            request=request,
            against=against,
            dialects=(dialect,),
            rows=rows,
            groups=_groups(names, dialect) if against == GOLD and len(columns) > 3 else (),
            slices=(),
            ceilings=(),
            heads=tuple(self._head(n) for n in names),
            draws=draw_cases(["c1", "c2"], resamples=0, seed=1),
            left_out=("Intervals are rough: they rest on 2 cases.",),
            undecided_pairs=self.undecided if len(columns) > 3 else 0,
            froc={n: _froc(k) for k, n in enumerate(names) if against != GOLD or not n.startswith("R")},
        )

    def difference(self, table: ScoreTable, a: str, b: str, column: Column) -> Difference:
        self._note_thread("difference")
        self.subtracted.append((a, b, column))
        one, other = table.cell(a, column), table.cell(b, column)
        assert one is not None
        assert other is not None
        for cell in (one, other):
            if cell.estimate.value is None:
                words = f"{cell.set_name} is undefined here: {cell.estimate.undefined_because}."
                return Difference(a, b, column, undefined(words), "these readers", why_not=words)
        if not table.request.joint:
            words = "The rows may rest on different slices, so they are not subtracted."
            return Difference(a, b, column, undefined(words), "these readers", why_not=words)
        value = (one.estimate.value or 0) - (other.estimate.value or 0)
        found = Estimate(value, value - 0.1, value + 0.1, 40)
        return Difference(a, b, column, found, "these readers (cases random)", "bootstrap over cases", 0.034)

    def gaps(self, table: ScoreTable, columns: Sequence[Column]) -> tuple[GapRow, ...]:
        self._note_thread("gaps")
        if table.against == GOLD:
            return ()
        return tuple(
            GapRow(
                model=name,
                column=column,
                readers=self.readers,
                fixed=Estimate(0.05, -0.02, 0.12, 40),
                random=Estimate(0.05, -0.2, 0.3, 40),
                p=0.4,
                words="rough: fewer than 5 readers",
            )
            for column in columns
            for name in self.set_names()
            if name.startswith("model")
        )

    def reliability(self, table: ScoreTable) -> tuple[Reliability, ...]:
        self._note_thread("reliability")
        points = tuple(ReliabilityPoint(c, c * 0.8, 10) for c in (0.1, 0.3, 0.5, 0.7, 0.9))
        return tuple(Reliability(h.name, points, Estimate(0.2, 0.1, 0.3, 50)) for h in table.heads)

    def published(self) -> tuple[PublishedScore, ...]:
        return published_scores()

    def tag_counts(self) -> tuple[TagCount, ...]:
        return self.tags

    def save_table(self, table: ScoreTable, file: Path) -> None:
        del table
        self._note_thread("save_table")
        self.saved.append(file)

    def write(self, table: ScoreTable, folder: Path) -> tuple[str, ...]:
        del table
        self._note_thread("write")
        self.written.append(folder)
        return ("score.json", "scores.csv")

    def _note_thread(self, method: str) -> None:
        """What is asked for in the window's own thread would freeze it."""
        if current_thread() is main_thread():
            self.asked_in_window.append(method)

    def _head(self, name: str) -> SetHead:
        is_reader = name.startswith("R")
        return SetHead(
            name=name,
            kind=PredictionKind.READER if is_reader else PredictionKind.MODEL,
            slices=40,
            captions=40,
            cases=18,
            visible=(("image",), ("image", "history")) if is_reader else ((), ()),
            came_with_data=False,
            undecided=self.undecided if name.startswith("model") else 0,  # all models have the same pairs
            left_out=(),
        )


def _row(
    name: str,
    place: int,
    column: tuple[Task, str, float | str | None],
    dialect: DialectName,
    against: str,
) -> ScoreRow:
    task, metric, threshold = column
    value = MAP_50.get(name, 0.4 - 0.01 * place)
    if metric in ("TP", "FP"):
        value = float(10 + place)
    elif metric == "bleu":
        value = 0.1 + 0.01 * place
    elif metric == "top1":
        value = 0.0 if name == "model-a" else 0.2 + 0.02 * place
    is_in = against == GOLD and name.startswith("R") and task is Task.LOCALISATION
    is_alone = threshold is None and metric == "bleu"
    estimate = Estimate(value, max(value - 0.1, 0.0), value + 0.1, 18 if task is Task.DIAGNOSIS else 40)
    if is_in:
        estimate = undefined(IN_GOLD, n=40)
    elif is_alone:
        estimate = Estimate(value, n=40, undefined_because="no variation in 2 cases")
    score = Score(task, metric, threshold, value, np.empty(0), 40, _definition(metric))
    kind = PredictionKind.READER if name.startswith("R") else PredictionKind.MODEL
    return ScoreRow(name, kind, against, dialect, score, estimate, _definition(metric))


def _definition(metric: str) -> str:
    return f"the whole definition of {metric}; ceiling .953: gold scored against itself (n 40)"


def _groups(names: Sequence[str], dialect: DialectName) -> tuple[ScoreRow, ...]:
    return tuple(
        ScoreRow(
            name,
            PredictionKind.READER if name.startswith("R") else PredictionKind.MODEL,
            GOLD,
            dialect,
            Score(Task.DIAGNOSIS, "top1", None, 0.5, np.empty(0), n, "share", group=group),
            Estimate(0.5, 0.3, 0.7, n),
            "share",
        )
        for name in names
        for group, n in (("1 case", 11), ("2-3 cases", 7))
    )


def _froc(place: int) -> tuple[FrocPoint, ...]:
    cuts = (0.9, 0.7, 0.5, 0.3, 0.1)
    return tuple(
        FrocPoint(0.1 * k + 0.05 * place, min(0.15 * k + 0.02 * place, 1.0), cut)
        for k, cut in enumerate(cuts, start=1)
    )
