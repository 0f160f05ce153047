"""A study's life outside the reading page: made, looked at, closed, filled from files."""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol as Port

from nova_review.domain.dataset import DataSet, SliceRecord
from nova_review.domain.errors import StorageError, UserError
from nova_review.domain.judging import JudgedPair
from nova_review.domain.prediction import (
    Prediction,
    PredictionJudgement,
    PredictionSet,
    StoredSet,
    check_set_name,
)
from nova_review.domain.protocol import DEFAULT_ADJUDICATION, AdjudicationPlan, Unit, default_protocol
from nova_review.domain.snapshot import CaseReading, SliceReading, StudySnapshot
from nova_review.domain.study import Phase, PresentationRole, ReaderKind
from nova_review.services.importing import Added
from nova_review.services.judging_content import DiagnosisJudge, JudgementsPut
from nova_review.services.orders import WANTED_GAP, CaseSlices, Shortfall
from nova_review.services.ports import Clock, Progress
from nova_review.services.reader_plan import (
    check_names,
    ignored_files,
    plan_order,
    plan_readers,
    remarks_on,
)
from nova_review.services.study_plan import (
    PlannedDataSet,
    PlannedReader,
    StudyPlan,
    new_key,
    plan_data_sets,
    showable,
)
from nova_review.services.study_views import (
    Closed,
    OpenReading,
    PredictionsAdded,
    StudyInfo,
    StudyShape,
)

PictureBytes = Callable[[DataSet, SliceRecord], bytes]
"""The bytes to embed for a slice: the picture alone, without anything else its file may hold."""


class StudyArchive(Port):
    """Where study files are written and read; every method is one transaction on one file."""

    def create(
        self, plan: StudyPlan, file: Path, *, picture_bytes: PictureBytes | None, progress: Progress | None
    ) -> None:
        """Write a new file, whole or not at all; embeds the pictures where `picture_bytes` is given."""
        ...

    def info(self, file: Path, *, with_orders: bool) -> StudyInfo: ...
    def shape(self, file: Path) -> StudyShape: ...
    def snapshot(self, file: Path) -> StudySnapshot: ...
    def open_readings(self, file: Path) -> tuple[OpenReading, ...]: ...

    def lock_database(self, file: Path, *, at_utc: str, reason: str) -> tuple[OpenReading, ...]:
        """Move a study from reading to past its database lock; returns what was open."""
        ...

    def add_reader(self, file: Path, reader: PlannedReader, *, at_utc: str) -> None: ...

    def add_readings(
        self,
        file: Path,
        *,
        slice_readings: Sequence[SliceReading],
        case_readings: Sequence[CaseReading],
        same_study: bool,
        source: str,
        at_utc: str,
    ) -> Added: ...

    def add_prediction_set(
        self,
        file: Path,
        prediction_set: PredictionSet,
        predictions: Sequence[Prediction],
        *,
        at_utc: str,
        judgements: Sequence[PredictionJudgement] = (),
        pairs: Sequence[JudgedPair] = (),
    ) -> PredictionsAdded: ...

    def prediction_sets(self, file: Path) -> tuple[StoredSet, ...]: ...

    def judged_pairs(self, file: Path) -> tuple[JudgedPair, ...]: ...

    def put_judgements(
        self,
        file: Path,
        pairs: Sequence[JudgedPair],
        *,
        at_utc: str,
        source: str = "",
        early_reason: str | None = None,
    ) -> JudgementsPut: ...

    def judge_called(self, file: Path, name: str, *, at_utc: str) -> DiagnosisJudge: ...

    def append_audit(self, file: Path, *, action: str, reason: str, details: str, at_utc: str) -> None: ...


class StudyService:
    """The coordinator's use cases.

    `fresh_seed` returns a new random seed; `picture_bytes` reads the pictures to embed.
    """

    def __init__(
        self,
        archive: StudyArchive,
        clock: Clock,
        *,
        fresh_seed: Callable[[], str],
        picture_bytes: PictureBytes,
    ) -> None:
        self._archive = archive
        self._clock = clock
        self._fresh_seed = fresh_seed
        self._picture_bytes = picture_bytes

    def new_study(
        self,
        data_sets: Sequence[DataSet],
        file: Path,
        *,
        readers: Sequence[str] = (),
        seed: str | None = None,
        unit: Unit = Unit.CASE,
        arm: str = "image-history",
        title: str = "",
        is_demo: bool = False,
        embed: bool = False,
        adjudication: AdjudicationPlan = DEFAULT_ADJUDICATION,
        progress: Progress | None = None,
    ) -> StudyInfo:
        """Make a study file under the default protocol, locked at once; whole or not at all.

        With `embed` the pictures are stored in the file, else their paths and hashes. Raises
        UserError for names of readers, for data sets that were refused or have no slices (or, with
        readers, no picture) and for a file in the way.
        """
        if file.exists():
            raise StorageError(f"{file} exists already. Choose another name, or remove that study first.")
        plan = self._plan(data_sets, file, readers=readers, seed=seed, unit=unit, arm=arm)
        protocol = replace(plan.protocol, adjudication=adjudication)
        plan = replace(plan, is_demo=is_demo, title=title or plan.title, protocol=protocol)
        pictures = self._picture_bytes if embed else None
        self._archive.create(plan, file, picture_bytes=pictures, progress=progress)
        return self._archive.info(file, with_orders=False)

    def info(self, file: Path, *, with_orders: bool = False) -> StudyInfo:
        """Return a study in figures; `with_orders` adds each reader's order (the coordinator's)."""
        return self._archive.info(file, with_orders=with_orders)

    def snapshot(self, file: Path) -> StudySnapshot:
        """Return all of a study that may leave it, as it stands at one moment."""
        return self._archive.snapshot(file)

    def open_readings(self, file: Path) -> tuple[OpenReading, ...]:
        """Return the main readings that are not submitted."""
        return self._archive.open_readings(file)

    def close(self, file: Path, *, reason: str) -> Closed:
        """Lock the database: answers of main readings are final. UserError if that was done before."""
        now = self._clock.utc_now()
        return Closed(now, reason, self._archive.lock_database(file, at_utc=now, reason=reason))

    def note(self, file: Path, *, action: str, reason: str, details: str) -> None:
        """Append an act of the coordinator to the audit log."""
        now = self._clock.utc_now()
        self._archive.append_audit(file, action=action, reason=reason, details=details, at_utc=now)

    def add_readings(
        self,
        file: Path,
        *,
        slice_readings: Sequence[SliceReading],
        case_readings: Sequence[CaseReading],
        same_study: bool = True,
        source: str = "",
    ) -> Added:
        """Add answers from a file: new versions only, with their own times; no stored one changes.

        With `same_study`, `context.reader_code` may hold a code of this study; else it is a name.
        Readers that the study does not have are made, of the kind that comes with data. `source`
        names the file, for warnings and the audit log.
        """
        return self._archive.add_readings(
            file,
            slice_readings=slice_readings,
            case_readings=case_readings,
            same_study=same_study,
            source=source,
            at_utc=self._clock.utc_now(),
        )

    def add_training_place(self, file: Path, reader_name: str) -> PlannedReader:
        """Give a visitor a place: a reader with an order in the role training, in every phase."""
        shape = self._archive.shape(file)
        check_names([reader_name], shape.names)
        reader_id = new_key()
        order, _ = plan_order(
            reader_id,
            shape.cases,
            protocol=shape.protocol,
            role=PresentationRole.TRAINING,
            seed=shape.seed,
            purpose=f"training {len(shape.codes)}",
        )
        reader = PlannedReader(reader_id, reader_name, _free_code(shape.codes), ReaderKind.STUDY, order)
        self._archive.add_reader(file, reader, at_utc=self._clock.utc_now())
        return reader

    def add_prediction_set(
        self,
        file: Path,
        prediction_set: PredictionSet,
        predictions: Sequence[Prediction],
        *,
        judgements: Sequence[PredictionJudgement] = (),
        pairs: Sequence[JudgedPair] = (),
    ) -> PredictionsAdded:
        """Store the answers of one model, reader or run; refuses a name that the study has.

        `judgements` (of single answers) and `pairs` (of diagnoses) are what programs said that judged
        them; they come in with the set, in every phase, and are shown to nobody before the lock.
        """
        check_set_name(prediction_set.name)
        now = self._clock.utc_now()
        return self._archive.add_prediction_set(
            file, prediction_set, predictions, at_utc=now, judgements=judgements, pairs=pairs
        )

    def prediction_sets(self, file: Path) -> tuple[StoredSet, ...]:
        """Return all prediction sets with their answers, in the order in which they came."""
        return self._archive.prediction_sets(file)

    def judged_pairs(self, file: Path) -> tuple[JudgedPair, ...]:
        """Return what judges, persons and programs, said of pairs of diagnoses."""
        return self._archive.judged_pairs(file)

    def put_judgements(
        self, file: Path, pairs: Sequence[JudgedPair], *, source: str = "", early_reason: str | None = None
    ) -> JudgementsPut:
        """Store words of judges, each in place of that judge's earlier one, with an audit entry.

        Raises NotAllowedError before the database lock, unless there is a reason for an earlier look.
        """
        now = self._clock.utc_now()
        return self._archive.put_judgements(file, pairs, at_utc=now, source=source, early_reason=early_reason)

    def judge_called(self, file: Path, name: str) -> DiagnosisJudge:
        """Return the judge of this name: a reader by his code, else with a code that stays his."""
        return self._archive.judge_called(file, name, at_utc=self._clock.utc_now())

    def _plan(
        self,
        data_sets: Sequence[DataSet],
        file: Path,
        *,
        readers: Sequence[str],
        seed: str | None,
        unit: Unit,
        arm: str,
    ) -> StudyPlan:
        _refuse_damaged(data_sets)
        check_names(readers, {name for d in data_sets for name in d.readers})
        planned = plan_data_sets(data_sets)
        chosen = seed if seed is not None else self._fresh_seed()
        plan = StudyPlan(
            id=new_key(),
            title=file.stem,
            seed=chosen,
            phase=Phase.READING if readers else Phase.DATABASE_LOCKED,
            protocol=default_protocol(unit=unit, arm=arm),
            is_demo=False,
            created_utc=self._clock.utc_now(),
            data_sets=planned,
            readers=plan_readers(readers, planned, seed=chosen),
            remarks=(),
        )
        return _with_orders(plan)


def fresh_seed() -> str:
    """Return a new random seed; it is stored with the study."""
    return str(secrets.randbelow(2**53))


def _with_orders(plan: StudyPlan) -> StudyPlan:
    """Draw the order of each of the study's own readers, by his place among them."""
    cases = showable(plan.data_sets)
    readers: list[PlannedReader] = []
    spread: dict[str, Sequence[Shortfall]] = {}
    for index, reader in enumerate(plan.readers):
        if reader.kind is ReaderKind.STUDY:
            _require_pictures(plan.data_sets, cases)
            order, spread[reader.code] = plan_order(
                reader.id,
                cases,
                protocol=plan.protocol,
                role=PresentationRole.MAIN,
                seed=plan.seed,
                purpose=f"order {index + 1}",
            )
            reader = replace(reader, presentations=order)
        readers.append(reader)
    remarks = remarks_on(plan.data_sets, spread, wanted=WANTED_GAP) if spread else ()
    return replace(plan, readers=tuple(readers), remarks=(*remarks, *ignored_files(plan.data_sets)))


def _refuse_damaged(data_sets: Sequence[DataSet]) -> None:
    for data_set in data_sets:
        if data_set.refused:
            why = data_set.errors[0].message if data_set.errors else "a table could not be used"
            where = f"{data_set.errors[0].file}: " if data_set.errors else ""
            raise UserError(
                f"The data set {data_set.code} was refused ({where}{why}) "
                "Run `dataset check` on it, repair the table or take it away."
            )


def _require_pictures(data_sets: Sequence[PlannedDataSet], cases: Sequence[CaseSlices]) -> None:
    if not cases:
        codes = ", ".join(d.code for d in data_sets)
        raise UserError(
            f"No slice of {codes} has a picture that can be shown, so nobody can read it. "
            "Add the pictures, or leave out --reader to make a study of the boxes alone."
        )


def _free_code(codes: Sequence[str]) -> str:
    """Return the next code that nobody has (R01, R02, ...)."""
    number = 1
    while f"R{number:02d}" in codes or f"R{number:03d}" in codes:
        number += 1
    return f"R{number:02d}"
