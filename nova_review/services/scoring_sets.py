"""Which sets are scored: those of the source by name, and files read for one table alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nova_review.analysis.estimate import counted
from nova_review.domain.errors import FormatError, UserError
from nova_review.domain.judging import JudgedPair
from nova_review.domain.prediction import (
    PredictedBox,
    Prediction,
    PredictionKind,
    PredictionSet,
    StoredSet,
)
from nova_review.domain.reading import Diagnosis
from nova_review.services.answer_sets import AnswerSet, set_of
from nova_review.services.prediction_content import PredictionOptions, ReadPredictions, SlicePlace
from nova_review.services.score_views import ScoreRequest
from nova_review.services.scoring_content import ScoringContent

ReadPredictionsFile = Callable[[Path, Sequence[SlicePlace], PredictionOptions], ReadPredictions]

_MOST_REMARKS = 20


@dataclass(frozen=True, slots=True)
class ChosenSets:
    """The sets of a table; `judged` is what files say of diagnoses, `notes` what must be told of a choice."""

    sets: tuple[AnswerSet, ...]
    judged: tuple[JudgedPair, ...] = ()
    notes: tuple[str, ...] = ()


def choose_sets(content: ScoringContent, request: ScoreRequest, read: ReadPredictionsFile) -> ChosenSets:
    """Return the sets asked for, all of the source if none is.

    Raises UserError for a name that is neither set, reader nor file, for a file that is refused, and
    where there is nothing to score.
    """
    if not request.sets:
        if not content.sets:
            raise UserError(
                f"{content.title} holds nothing to score: no reader has submitted, and no prediction set "
                "was added."
            )
        return _silences_counted(ChosenSets(content.sets))
    chosen = ChosenSets(())
    for word in request.sets:
        chosen = _with(chosen, content, word, request.options, read)
    return _silences_counted(chosen)


def _silences_counted(chosen: ChosenSets) -> ChosenSets:
    """The sets with an empty answer where one was asked for and none came: a scorer counts it so.

    Only for tasks that the set answers elsewhere. A slice that is not in the set at all stays left out.
    """
    notes = list(chosen.notes)
    for one in chosen.sets:
        silent = sum(not p.answered for p in one.answers.values())
        if silent:
            where = counted(silent, "slice")
            notes.append(f"{one.name}: no answer came on {where}; there it counts as an empty one.")
    return replace(chosen, sets=tuple(map(_spoken, chosen.sets)), notes=tuple(notes))


def _spoken(one: AnswerSet) -> AnswerSet:
    given = one.answers.values()
    if all(p.answered for p in given):
        return one
    boxes: tuple[PredictedBox, ...] | None = () if any(p.boxes is not None for p in given) else None
    caption = "" if any(p.caption is not None for p in given) else None
    names: tuple[Diagnosis, ...] | None = () if any(p.diagnoses is not None for p in given) else None
    answers = {
        key: p if p.answered else replace(p, boxes=boxes, caption=caption, diagnoses=names)
        for key, p in one.answers.items()
    }
    return replace(one, answers=answers)


def _with(
    chosen: ChosenSets,
    content: ScoringContent,
    word: str,
    options: PredictionOptions,
    read: ReadPredictionsFile,
) -> ChosenSets:
    """The choice with what one word means."""
    taken = {one.name for one in chosen.sets}
    hits = called(content, word)
    if hits:
        also = (f"{word} is a set and a file: the set was taken.",) if _is_there(word) else ()
        new = tuple(one for one in hits if one.name not in taken)
        return replace(chosen, sets=(*chosen.sets, *new), notes=(*chosen.notes, *also))
    if not _is_there(word):
        known = ", ".join(s.name for s in content.sets) or "none"
        raise UserError(f"There is no set, reader or file {word!r}. The sets and readers are: {known}.")
    own, judged, notes = _from_file(content, Path(word), options, read, taken)
    return ChosenSets((*chosen.sets, own), (*chosen.judged, *judged), (*chosen.notes, *notes))


def called(content: ScoringContent, word: str) -> tuple[AnswerSet, ...]:
    """Return the sets of this name, and the readers of this code, name or published pseudonym."""
    code = content.aliases.get(word, word)
    return tuple(
        s for s in content.sets if s.name in (word, code) or (s.is_reader and content.person_of(s) == code)
    )


def _is_there(word: str) -> bool:
    try:
        return bool(word) and Path(word).exists()
    except (OSError, ValueError):  # too long for a path, or no path at all
        return False


def _from_file(
    content: ScoringContent,
    path: Path,
    options: PredictionOptions,
    read: ReadPredictionsFile,
    taken: set[str],
) -> tuple[AnswerSet, tuple[JudgedPair, ...], tuple[str, ...]]:
    try:
        found = read(path, content.places(), options)
    except FormatError as error:
        raise UserError(f"{path.name} cannot be scored: {error}") from error
    name = _free_name(path, taken | {s.name for s in content.sets})
    stored = StoredSet(
        PredictionSet(name, PredictionKind.MODEL, source=path.name, convention=found.convention),
        _in_data_set(content, found.predictions),
        found.judgements,
    )
    judged = tuple(replace(p, judged_by=p.judged_by or f"{name} judge") for p in found.pairs)
    return set_of(stored), judged, _remarks(name, [odd.message for odd in found.warnings])


def _remarks(name: str, said: Sequence[str]) -> tuple[str, ...]:
    """What was odd in a file, each by itself: an answer that was left out is told with its place."""
    told = tuple(f"{name}: {message}" for message in said[:_MOST_REMARKS])
    more = len(said) - len(told)
    return (*told, f"{name}: {counted(more, 'more remark')} on the file.") if more else told


def _free_name(path: Path, taken: set[str]) -> str:
    """The file's name without its ending, or as much of its path as tells it from the other sets."""
    tries = (path.stem, path.name, str(path), *(f"{path} ({k})" for k in range(2, len(taken) + 3)))
    return next(name for name in tries if name and name not in taken)


def _in_data_set(content: ScoringContent, predictions: Sequence[Prediction]) -> tuple[Prediction, ...]:
    """The predictions with their data set, where the source has only one."""
    codes = {s.key[0] for s in content.slices}
    only = next(iter(codes)) if len(codes) == 1 else ""
    return tuple(p if p.data_set else replace(p, data_set=only) for p in predictions)
