"""Scoring: sets of a study or a data set, by any dialect, on one long table with shared draws.

A study is scored after its database lock; an earlier look needs a reason, which goes to the audit log
and stands in the result.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from nova_review.analysis.dialects.scores import DialectName, Score, Task, estimate_of
from nova_review.analysis.draws import draw_cases
from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.analysis.texts.judge import Judge
from nova_review.analysis.texts.pairs import TextTools, against_itself
from nova_review.domain.dataset import DataSet
from nova_review.domain.errors import FormatError, UserError
from nova_review.domain.judging import JudgedPair
from nova_review.domain.prediction import Prediction, PredictionKind, PredictionSet, StoredSet
from nova_review.domain.snapshot import StudySnapshot
from nova_review.domain.visibility import Page, is_past_lock, may_open
from nova_review.services.answer_sets import AnswerSet, SliceKey, answer_sets, set_of
from nova_review.services.ports import Progress
from nova_review.services.prediction_content import PredictionOptions, ReadPredictions, SlicePlace
from nova_review.services.score_files import ScoreWriters, save_table, write_table
from nova_review.services.score_views import (
    GOLD,
    Ceiling,
    ScoreRequest,
    ScoreRow,
    ScoreTable,
    SetHead,
    SliceRow,
)
from nova_review.services.scoring_content import ScoringContent, content_of_data_set, content_of_study
from nova_review.services.scoring_heads import head_of
from nova_review.services.scoring_pairs import Answered, caption_rows, shared_by
from nova_review.services.scoring_references import gold_reference, references_of, usual_against
from nova_review.services.scoring_rows import CAPTIONS, SetScorer, Tools, scored_captions

STUDY_SUFFIX = ".nova"
UNDECIDED = "undecided"


class ScoreSource(Protocol):
    """Where a study is read from, and where an early look is written down."""

    def snapshot(self, file: Path) -> StudySnapshot: ...
    def prediction_sets(self, file: Path) -> tuple[StoredSet, ...]: ...
    def judged_pairs(self, file: Path) -> tuple[JudgedPair, ...]: ...
    def note(self, file: Path, *, action: str, reason: str, details: str) -> None: ...


@dataclass(frozen=True, slots=True)
class ScoreFiles:
    """How files are read and written; each is a function of `formats`."""

    read_data_set: Callable[[Path, Progress], DataSet]
    read_predictions: Callable[[Path, Sequence[SlicePlace], PredictionOptions], ReadPredictions]
    text_tools: Callable[[], TextTools]
    synonyms: Callable[[], DiagnosisSynonyms]
    writers: ScoreWriters


class ScoringService:
    """Scores sources. Keeps text scores, and the content of the study that it read last."""

    def __init__(self, studies: ScoreSource, files: ScoreFiles) -> None:
        self._studies, self._files = studies, files
        self._texts: TextTools | None = None
        self._captions: dict[object, tuple[Score, ...]] = {}

    def score(
        self, source: Path, request: ScoreRequest, *, progress: Progress, early_reason: str | None = None
    ) -> ScoreTable:
        """Return the table of a study file or a data-set folder.

        Raises NotAllowedError for a study before its database lock unless a reason is given (which is
        audited), and UserError for an unknown set or reader, or where there is nothing to score.
        """
        if source.suffix == STUDY_SUFFIX and source.is_file():
            return self.score_study(source, request, early_reason=early_reason)
        if not source.exists():
            raise UserError(f"There is nothing at {source}. Give a study file or a data-set folder.")
        return self._table(content_of_data_set(self._files.read_data_set(source, progress)), request, None)

    def score_study(
        self, file: Path, request: ScoreRequest, *, early_reason: str | None = None
    ) -> ScoreTable:
        """Return the table of a study as its answers and judgements stand now."""
        snapshot = self._studies.snapshot(file)
        may_open(Page.SCORE, snapshot.phase, early_reason=early_reason).require()
        early = early_reason if not is_past_lock(snapshot.phase) else None
        if early:
            details = json.dumps({"sets": list(request.sets), "early": True})
            self._studies.note(file, action="score", reason=early, details=details)
        stored, judged = self._studies.prediction_sets(file), self._studies.judged_pairs(file)
        return self._table(content_of_study(snapshot, stored, judged, request.gold), request, early)

    def set_names(self, file: Path) -> tuple[str, ...]:
        """Return the readers and sets of a study; NotAllowedError before its database lock."""
        snapshot = self._studies.snapshot(file)
        may_open(Page.SCORE, snapshot.phase).require()
        return tuple(one.name for one in answer_sets(snapshot, self._studies.prediction_sets(file)))

    def write(self, table: ScoreTable, folder: Path, *, overwrite: bool = False) -> tuple[str, ...]:
        """Write the object, tables and figures into a folder, all or none; returns their names."""
        return write_table(table, folder, self._files.writers, overwrite=overwrite)

    def save_table(self, table: ScoreTable, file: Path) -> None:
        """Write the long table, as LaTeX to a .tex file, else as CSV; StorageError where it cannot be."""
        save_table(table, file, self._files.writers)

    def _table(self, content: ScoringContent, request: ScoreRequest, early: str | None) -> ScoreTable:
        sets, judged = self._chosen(content, request)
        against = request.against or usual_against(sets)
        dialects = request.dialects or (DialectName.NOVA_REVIEW,)
        draws = draw_cases((s.case for s in content.slices), resamples=request.resamples, seed=request.seed)
        judge = Judge((*content.judged, *judged), self._files.synonyms())
        tools = Tools(draws, judge, self._text_tools, self._captions)
        only = shared_by(content, sets) if request.joint else Answered()
        ceilings = self._ceilings(content, dialects, tools) if against == GOLD else ()
        run = _Run(content, against, dialects, tools, only, request, ceilings)
        parts = [run.part(one) for one in sets]
        return ScoreTable(
            title=content.title,
            request=request,
            against=against,
            dialects=tuple(dialects),
            rows=tuple(r for p in parts for r in p.rows),
            groups=tuple(r for p in parts for r in p.groups),
            slices=tuple(r for p in parts for r in p.slices),
            ceilings=ceilings,
            heads=tuple(p.head for p in parts),
            draws=draws,
            left_out=_left_out(content, against),
            froc={one.name: p.scorer.froc() for one, p in zip(sets, parts, strict=True)},
            marks={one.name: p.scorer.marks(dialects) for one, p in zip(sets, parts, strict=True)},
            case_of={s.name: s.case for s in content.slices} | {s.case: s.case for s in content.slices},
            sure={one.name: p.scorer.sure() for one, p in zip(sets, parts, strict=True)},
            before_lock=early,
            synthetic=content.synthetic,
        )

    def _chosen(
        self, content: ScoringContent, request: ScoreRequest
    ) -> tuple[tuple[AnswerSet, ...], tuple[JudgedPair, ...]]:
        """The sets asked for, files among them, and what the files say of diagnoses."""
        if not request.sets:
            if not content.sets:
                raise UserError(f"{content.title} holds no sets to score: name a file with --set FILE.")
            return content.sets, ()
        found: list[AnswerSet] = []
        judged: list[JudgedPair] = []
        for word in request.sets:
            hits = _called(content, word)
            if not hits:
                own, pairs = self._from_file(content, Path(word), request.options, found)
                hits = (own,)
                judged += pairs
            found += [h for h in hits if h not in found]
        return tuple(found), tuple(judged)

    def _from_file(
        self, content: ScoringContent, path: Path, options: PredictionOptions, before: Sequence[AnswerSet]
    ) -> tuple[AnswerSet, tuple[JudgedPair, ...]]:
        if not path.exists():
            known = ", ".join(s.name for s in content.sets) or "none"
            raise UserError(
                f"There is no set, reader or file {str(path)!r}. The sets and readers are: {known}."
            )
        try:
            read = self._files.read_predictions(path, content.places(), options)
        except FormatError as error:
            raise UserError(f"{path.name} cannot be scored: {error}") from error
        taken = {s.name for s in (*content.sets, *before)}
        name = path.name if path.stem in taken else path.stem
        if name in taken:
            name = str(path)
        # Names of readers and sets stay whole; the file's own stands in the result as it was given.
        stored = StoredSet(
            PredictionSet(name, PredictionKind.MODEL, source=path.name, convention=read.convention),
            _with_data_set(content, read),
            read.judgements,
        )
        judged = tuple(replace(p, judged_by=p.judged_by or f"{name} judge") for p in read.pairs)
        return set_of(stored), judged

    def _text_tools(self) -> TextTools:
        if self._texts is None:
            self._texts = self._files.text_tools()
        return self._texts

    def _ceilings(
        self, content: ScoringContent, dialects: Sequence[DialectName], tools: Tools
    ) -> tuple[Ceiling, ...]:
        """What gold captions get when they are scored against themselves, where that is below 1."""
        gold = gold_reference(content)
        own = AnswerSet(GOLD, PredictionKind.RUN, _as_answers(content))
        rows = against_itself(caption_rows(content, own, gold, None))
        plain = replace(tools, draws=draw_cases(tools.draws.cases, resamples=0, seed=tools.draws.seed))
        found = []
        for dialect in dialects:
            if dialect in CAPTIONS and rows:
                found += [
                    Ceiling(dialect, s.metric, s.value, s.n)
                    for s in scored_captions(dialect, rows, plain)
                    if s.value < 1 - 1e-9
                ]
        return tuple(found)


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    scorer: SetScorer
    rows: tuple[ScoreRow, ...]
    groups: tuple[ScoreRow, ...]
    slices: tuple[SliceRow, ...]
    head: SetHead


@dataclass(frozen=True, slots=True, eq=False)
class _Run:
    """One table in the making."""

    content: ScoringContent
    against: str
    dialects: Sequence[DialectName]
    tools: Tools
    only: Answered
    request: ScoreRequest
    ceilings: Sequence[Ceiling]

    def part(self, answers: AnswerSet) -> _Part:
        """Return everything about one set."""
        references = references_of(self.content, self.against, answers)
        scorer = SetScorer(self.content, answers, references, self.only, self.tools)
        rows: list[ScoreRow] = []
        groups: list[ScoreRow] = []
        slices: list[SliceRow] = []
        pending = 0
        for dialect in self.dialects:
            scored = scorer.score(dialect)
            pending = max([pending, *(int(s.value) for s in scored.scores if s.metric == UNDECIDED)])
            rows += [self._row(answers, dialect, s) for s in scored.scores if s.metric != UNDECIDED]
            groups += [self._row(answers, dialect, s) for s in scored.groups if s.metric != UNDECIDED]
            if self.request.by_slice:
                slices += scorer.slice_scores(dialect, self.against)
        head = head_of(self.content, answers, references, self.only, undecided=pending)
        return _Part(scorer, tuple(rows), tuple(groups), tuple(slices), head)

    def _row(self, answers: AnswerSet, dialect: DialectName, score: Score) -> ScoreRow:
        ceiling = None
        if score.task is Task.CAPTION:
            named = (c.value for c in self.ceilings if (c.dialect, c.metric) == (dialect, score.metric))
            ceiling = next(named, None)
        words = score.definition
        if ceiling is not None:
            words += f"; ceiling {ceiling:.3f}: the gold captions scored against themselves"
        return ScoreRow(
            set_name=answers.name,
            kind=answers.kind,
            against=self.against,
            dialect=dialect,
            score=score,
            estimate=estimate_of(score, self.tools.draws),
            definition=words,
            ceiling=ceiling,
        )


def _called(content: ScoringContent, word: str) -> tuple[AnswerSet, ...]:
    code = content.aliases.get(word, word)
    return tuple(
        s
        for s in content.sets
        if s.name in (word, code) or (s.is_reader and s.name.partition(".")[0] == code)
    )


def _with_data_set(content: ScoringContent, read: ReadPredictions) -> tuple[Prediction, ...]:
    codes = {s.key[0] for s in content.slices}
    only = next(iter(codes)) if len(codes) == 1 else ""
    return tuple(p if p.data_set else replace(p, data_set=only) for p in read.predictions)


def _as_answers(content: ScoringContent) -> dict[SliceKey, Prediction]:
    return {
        s.key: Prediction(s.key[1], s.key[0], caption=s.caption)
        for s in content.slices
        if s.caption is not None
    }


def _left_out(content: ScoringContent, against: str) -> tuple[str, ...]:
    if against != GOLD:
        return ()
    unknown = sum(s.gold is None for s in content.slices)
    return (f"{unknown} slices without known gold boxes.",) if unknown else ()
