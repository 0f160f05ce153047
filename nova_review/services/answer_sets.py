"""Readers and models as the same thing: named sets of answers on slices, to be scored or exported.

A reader is a prediction set too: his findings are its boxes (confidence as score), his composed
caption its caption, his ranked list of a case its diagnoses. The first locked version of submitted
main readings counts, as in exports.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from nova_review.domain.errors import UserError
from nova_review.domain.prediction import (
    PredictedBox,
    Prediction,
    PredictionJudgement,
    PredictionKind,
    StoredSet,
)
from nova_review.domain.reading import Diagnosis, Finding, Outcome, composed_caption
from nova_review.domain.snapshot import CaseReading, SliceReading, StudySnapshot
from nova_review.domain.study import ReaderKind
from nova_review.services.export_content import ExportChoice, ExportContent, select

SliceKey = tuple[str, str]
"""(data set code, file name)."""

CaseKey = tuple[str, str]
"""(data set code, case code)."""


@dataclass(frozen=True, slots=True)
class AnswerSet:
    """What one model, run or reader answered.

    Attributes
    ----------
    name : the set's name, or the reader's code (with ".ARM" where he read in several arms)
    kind : whose answers they are
    answers : by slice; a slice that is not here was not answered
    case_lists : ranked diagnoses by case, where they were given per case (readers); None where
        diagnoses stand with the slices
    visible : what was seen for the slice answers and for the case answers, sorted words; () where
        it is not known (models)
    came_with_data : whether a reader came with the data set (its gold may be made of his boxes)
    source, convention : as in `PredictionSet`
    judgements : what judges said of single answers, as their file gave it
    """

    name: str
    kind: PredictionKind
    answers: Mapping[SliceKey, Prediction]
    case_lists: Mapping[CaseKey, tuple[Diagnosis, ...]] | None = None
    visible: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    came_with_data: bool = False
    source: str = ""
    convention: str = ""
    judgements: Mapping[SliceKey, tuple[PredictionJudgement, ...]] = field(default_factory=dict)

    @property
    def is_reader(self) -> bool:
        """Whether a person gave these answers."""
        return self.kind is PredictionKind.READER


def answer_sets(
    snapshot: StudySnapshot, stored: Sequence[StoredSet], *, names: Collection[str] = ()
) -> tuple[AnswerSet, ...]:
    """Return the readers, then the stored sets of a study; only those asked for, if any are.

    A reader may be named by code, by name or by his published pseudonym. Raises UserError for a
    name that is neither reader nor set, or is both.
    """
    readers = reader_sets(snapshot)
    models = tuple(set_of(one) for one in stored)
    if not names:
        return readers + models
    aliases = {r.name: r.code for r in snapshot.readers}
    found: list[AnswerSet] = []
    for name in names:
        hits = [s for s in models if s.name == name] + _readers_called(readers, name, aliases)
        if not hits:
            known = ", ".join(s.name for s in readers + models) or "none"
            raise UserError(f"The study has no prediction set or reader {name!r}. It has: {known}.")
        found += [s for s in hits if s not in found]
    return tuple(found)


def _readers_called(readers: Sequence[AnswerSet], name: str, aliases: Mapping[str, str]) -> list[AnswerSet]:
    code = aliases.get(name, name)
    return [s for s in readers if s.name == code or s.name.partition(".")[0] == code]


def set_of(stored: StoredSet) -> AnswerSet:
    """Return a stored prediction set as a set of answers."""
    judged: dict[SliceKey, list[PredictionJudgement]] = {}
    for one in stored.judgements:
        judged.setdefault((one.data_set, one.file_name), []).append(one)
    return AnswerSet(
        name=stored.prediction_set.name,
        kind=stored.prediction_set.kind,
        answers={(p.data_set, p.file_name): p for p in stored.predictions},
        source=stored.prediction_set.source,
        convention=stored.prediction_set.convention,
        judgements={key: tuple(said) for key, said in judged.items()},
    )


def reader_sets(snapshot: StudySnapshot) -> tuple[AnswerSet, ...]:
    """Return every reader who has submitted something as a set, in order of codes (and arms)."""
    with_data = {r.code for r in snapshot.readers if r.kind is ReaderKind.DATA_SET}
    return sets_of_contents(select(snapshot, ExportChoice()).contents, with_data=with_data)


def sets_of_contents(
    contents: Sequence[ExportContent], *, with_data: Collection[str] = ()
) -> tuple[AnswerSet, ...]:
    """Return the readers of what was selected as sets; `with_data` are codes that came with the data."""
    slices, cases = _by_reader_and_arm(contents)
    arms = {
        code: len({a for c, a in slices.keys() | cases.keys() if c == code}) for code, _ in slices | cases
    }
    return tuple(
        AnswerSet(
            name=code if arms[code] == 1 else f"{code}.{arm}",
            kind=PredictionKind.READER,
            answers={
                (r.context.data_set, r.file_name): prediction_of(r) for r in slices.get((code, arm), ())
            },
            case_lists=_lists(cases.get((code, arm), ())),
            visible=(_visible(slices.get((code, arm), ())), _visible(cases.get((code, arm), ()))),
            came_with_data=code in with_data,
        )
        for code, arm in sorted(slices.keys() | cases.keys())
    )


def prediction_of(reading: SliceReading) -> Prediction:
    """Return a reader's slice answer as a prediction; "cannot be read" answers nothing, as in exports.

    The rank of a box is its place: findings stand by falling confidence (none counts as 1.0), ties
    as drawn.
    """
    answer = reading.answer
    unread = answer.outcome is Outcome.CANNOT_READ
    ranked = in_rank_order(answer.findings)
    boxes = tuple(PredictedBox(f.box, f.confidence, f.label) for f in ranked)
    caption = composed_caption(answer.caption)
    return Prediction(
        file_name=reading.file_name,
        data_set=reading.context.data_set,
        boxes=None if unread else boxes,
        caption=None if unread else caption or None,
    )


def in_rank_order(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings by falling confidence (none counts as 1.0), ties as drawn."""
    return sorted(findings, key=lambda f: -(1.0 if f.confidence is None else f.confidence))


_Key = tuple[str, str]


def _by_reader_and_arm(
    contents: Sequence[ExportContent],
) -> tuple[dict[_Key, list[SliceReading]], dict[_Key, list[CaseReading]]]:
    """Readings of the first occasion by (reader code, arm)."""
    slices: dict[_Key, list[SliceReading]] = {}
    cases: dict[_Key, list[CaseReading]] = {}
    for content in contents:
        for reading in content.slice_readings:
            slices.setdefault((reading.context.reader_code, reading.context.arm), []).append(reading)
        for case in content.case_readings:
            cases.setdefault((case.context.reader_code, case.context.arm), []).append(case)
    return slices, cases


def _lists(readings: Sequence[CaseReading]) -> Mapping[CaseKey, tuple[Diagnosis, ...]]:
    """Lists by case: the first question, round and attempt."""
    found: dict[CaseKey, tuple[tuple[int, int, int], tuple[Diagnosis, ...]]] = {}
    for reading in readings:
        key = (reading.context.data_set, reading.context.case_code)
        place = (reading.question, reading.round, reading.attempt)
        if key not in found or place < found[key][0]:
            found[key] = (place, reading.answer.diagnoses)
    return {key: diagnoses for key, (_, diagnoses) in found.items()}


def _visible(readings: Sequence[SliceReading | CaseReading]) -> tuple[str, ...]:
    """What all of these answers were given under; words seen only for some are marked "(some)"."""
    sets = [set(r.context.visible) for r in readings]
    if not sets:
        return ()
    always, ever = set.intersection(*sets), set.union(*sets)
    return tuple(sorted(always) + [f"{word} (some)" for word in sorted(ever - always)])
