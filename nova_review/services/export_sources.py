"""What an export is filled from beside the snapshot, and whom of it the person named."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.analysis.texts.judge import Judge
from nova_review.domain.errors import UserError
from nova_review.domain.judging import JudgedPair
from nova_review.domain.prediction import StoredSet
from nova_review.domain.snapshot import StudySnapshot
from nova_review.services.answer_sets import AnswerSet, set_of
from nova_review.services.export_content import ExportChoice, Selection, select
from nova_review.services.export_material import NO_MATERIAL, DataSetMaterial

Materials = Mapping[str, DataSetMaterial]


def _no_sets(_: Path) -> Sequence[StoredSet]:
    return ()


def _no_pairs(_: Path) -> Sequence[JudgedPair]:
    return ()


def _no_materials(_: Path) -> AbstractContextManager[Materials]:
    return nullcontext({})


def _no_synonyms() -> DiagnosisSynonyms:
    return DiagnosisSynonyms(())


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportSources:
    """Where prediction sets, judgements, synonyms and what lies with the data sets come from.

    `materials` is by data set code, and open only while the export is written.
    """

    prediction_sets: Callable[[Path], Sequence[StoredSet]] = _no_sets
    judged_pairs: Callable[[Path], Sequence[JudgedPair]] = _no_pairs
    synonyms: Callable[[], DiagnosisSynonyms] = _no_synonyms
    materials: Callable[[Path], AbstractContextManager[Materials]] = _no_materials


NO_SOURCES = ExportSources()


@dataclass(frozen=True, slots=True)
class Gathered:
    """The selection, and the stored sets that go with it."""

    selection: Selection
    sets: tuple[AnswerSet, ...]


def gather(
    snapshot: StudySnapshot, stored: Sequence[StoredSet], choice: ExportChoice, *, holds_sets: bool
) -> Gathered:
    """Return whom `choice` names; readers and sets alike, and all of both where nobody is named.

    Raises UserError for a name that the study does not have, and for a set where the format holds none.
    """
    models = [one for one in stored if one.prediction_set.name in choice.sets]
    names = {one.prediction_set.name for one in models}
    if models and not holds_sets:
        raise UserError(
            f"This format holds the data set and its readers, not prediction sets (got --set "
            f"{models[0].prediction_set.name}). Choose a format of answers, such as gaze-lines or coco."
        )
    readers = (*choice.readers, *(n for n in choice.sets if n not in names))
    _check_known(readers, snapshot, stored)
    if not choice.readers and not choice.sets:
        models = list(stored) if holds_sets else []
    selection = select(snapshot, replace(choice, readers=readers))
    if models and not readers and choice.sets:
        selection = _without_readers(selection)
    return Gathered(selection, tuple(set_of(one) for one in models))


def _check_known(names: Sequence[str], snapshot: StudySnapshot, stored: Sequence[StoredSet]) -> None:
    for name in names:
        if not any(name in (r.code, r.name) for r in snapshot.readers):
            known = sorted(r.code for r in snapshot.readers) + [s.prediction_set.name for s in stored]
            listed = ", ".join(known) or "none"
            raise UserError(f"The study has no reader or prediction set {name!r}. It has: {listed}.")


def _without_readers(selection: Selection) -> Selection:
    contents = tuple(replace(c, slice_readings=(), case_readings=()) for c in selection.contents)
    return Selection(contents, (), ())


def filled(
    gathered: Gathered,
    pairs: Sequence[JudgedPair],
    materials: Materials,
    synonyms: Callable[[], DiagnosisSynonyms] = _no_synonyms,
) -> Selection:
    """Return the selection with sets, judged pairs and material in each content."""
    judge = Judge(pairs, synonyms()) if pairs else None
    contents = tuple(
        replace(
            content,
            judge=judge,
            sets=tuple(_cut(one, content.data_set.code) for one in gathered.sets),
            pairs=tuple(pairs),
            material=materials.get(content.data_set.code, NO_MATERIAL),
        )
        for content in gathered.selection.contents
    )
    return replace(gathered.selection, contents=contents)


def _cut(one: AnswerSet, code: str) -> AnswerSet:
    """The part of a set that answers one data set."""
    return replace(
        one,
        answers={key: answer for key, answer in one.answers.items() if key[0] == code},
        judgements={key: said for key, said in one.judgements.items() if key[0] == code},
    )
