"""Study files on disk, behind the port `services.studies.StudyArchive`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from sqlalchemy import Connection, func, select, update

from nova_review import __version__
from nova_review.domain.audit import AuditEntry
from nova_review.domain.errors import StorageError, UserError
from nova_review.domain.judging import JudgedPair
from nova_review.domain.prediction import Prediction, PredictionJudgement, PredictionSet, StoredSet
from nova_review.domain.snapshot import CaseReading, SliceReading, StudySnapshot
from nova_review.domain.study import Phase
from nova_review.domain.visibility import Page, is_past_lock, may_open
from nova_review.services.adjudication_counts import adjudication_counts
from nova_review.services.importing import Added
from nova_review.services.judging_content import DiagnosisJudge, JudgementsPut
from nova_review.services.ports import Progress
from nova_review.services.studies import PictureBytes
from nova_review.services.study_plan import PlannedReader, StudyPlan
from nova_review.services.study_views import (
    OpenReading,
    PredictionsAdded,
    StudyInfo,
    StudyShape,
)
from nova_review.storage.audit import append_audit
from nova_review.storage.decision_store import SqlAdjudicationRows
from nova_review.storage.engine import create_store, finish, open_store
from nova_review.storage.import_writer import add_readings
from nova_review.storage.judgement_store import judge_called, put_judged_pairs, read_judged_pairs
from nova_review.storage.place import refuse_network_path
from nova_review.storage.prediction_reader import read_prediction_sets
from nova_review.storage.prediction_writer import add_prediction_set
from nova_review.storage.reader_writer import write_reader
from nova_review.storage.rows import RowWriter
from nova_review.storage.schema_log import COORDINATOR
from nova_review.storage.schema_study import reader, study
from nova_review.storage.snapshot import read_snapshot
from nova_review.storage.staging import staged
from nova_review.storage.study_reader import (
    protocol_of,
    read_info,
    read_open,
    read_shape,
    study_row,
)
from nova_review.storage.study_writer import write_study


class SqliteArchive:
    """One method is one transaction on one file, which is opened and closed by it."""

    def create(
        self, plan: StudyPlan, file: Path, *, picture_bytes: PictureBytes | None, progress: Progress | None
    ) -> None:
        """Write a new file, whole or not at all: built beside its place, then moved there."""
        file = file.absolute()
        _check_new(file)
        with staged(file) as half:
            store = create_store(half, named=file)
            with store.begin() as connection:
                write_study(
                    connection,
                    plan,
                    file=file,
                    made_by=__version__,
                    picture_bytes=picture_bytes,
                    progress=progress,
                )
                _note(connection, action="study made", at_utc=plan.created_utc)
            finish(store)
            _check_new(file)

    def info(self, file: Path, *, with_orders: bool) -> StudyInfo:
        """Return a study in figures."""
        with _reading(file) as connection:
            info = read_info(connection, with_orders=with_orders)
            rows = SqlAdjudicationRows(connection, COORDINATOR, study_file=file)
            return replace(info, adjudication=adjudication_counts(rows))

    def shape(self, file: Path) -> StudyShape:
        """Return what planning a further reader needs."""
        with _reading(file) as connection:
            return read_shape(connection)

    def snapshot(self, file: Path) -> StudySnapshot:
        """Return all of a study that may leave it."""
        with _reading(file) as connection:
            return read_snapshot(connection)

    def open_readings(self, file: Path) -> tuple[OpenReading, ...]:
        """Return the main readings that are not submitted."""
        with _reading(file) as connection:
            return read_open(connection)

    def lock_database(self, file: Path, *, at_utc: str, reason: str) -> tuple[OpenReading, ...]:
        """Move a study past its database lock; UserError if it is past it already."""
        with _writing(file) as connection:
            row = study_row(connection)
            if is_past_lock(Phase(row.phase)):
                when = (
                    f" since {_minute(row.closed_utc)}"
                    if row.closed_utc
                    else " (it had no readers of its own)"
                )
                raise UserError(f"The study is past its database lock{when}; it cannot be closed again.")
            left = read_open(connection)
            connection.execute(update(study).values(phase=Phase.DATABASE_LOCKED, closed_utc=at_utc))
            details = f"{len(left)} readings were open"
            _note(connection, action="database locked", reason=reason, details=details, at_utc=at_utc)
            return left

    def add_reader(self, file: Path, reader_plan: PlannedReader, *, at_utc: str) -> None:
        """Write a further reader with his order."""
        with _writing(file) as connection:
            write = RowWriter(connection, study_row(connection).id)
            ordinal = (connection.scalar(select(func.max(reader.c.ordinal))) or 0) + 1
            unit = protocol_of(connection).unit
            write_reader(write, reader_plan, ordinal=ordinal, unit=unit, at_utc=at_utc)
            _note(connection, action="reader added", details=reader_plan.code, at_utc=at_utc)

    def add_readings(
        self,
        file: Path,
        *,
        slice_readings: Sequence[SliceReading],
        case_readings: Sequence[CaseReading],
        same_study: bool,
        source: str,
        at_utc: str,
    ) -> Added:
        """Add answers from a file; a stored version never changes."""
        with _writing(file) as connection:
            added = add_readings(
                connection,
                slice_readings=slice_readings,
                case_readings=case_readings,
                same_study=same_study,
                source=source,
                at_utc=at_utc,
            )
            counts = f"{added.slice_readings} slice answers, {added.case_readings} case answers"
            details = f"{source}: {counts}, {added.already_there} there already, {added.conflicts} conflicts"
            _note(connection, action="readings added", details=details, at_utc=at_utc)
            return added

    def add_prediction_set(
        self,
        file: Path,
        prediction_set: PredictionSet,
        predictions: Sequence[Prediction],
        *,
        at_utc: str,
        judgements: Sequence[PredictionJudgement] = (),
        pairs: Sequence[JudgedPair] = (),
    ) -> PredictionsAdded:
        """Store a prediction set under a new name, with what judges said of it."""
        with _writing(file) as connection:
            added = add_prediction_set(
                connection, prediction_set, predictions, at_utc=at_utc, judgements=judgements
            )
            if pairs:
                put_judged_pairs(connection, pairs, at_utc=at_utc, source=prediction_set.source or added.name)
            details = f"{added.name}: {added.stored} answers, {len(added.unknown)} unknown"
            _note(connection, action="prediction set added", details=details, at_utc=at_utc)
            return added

    def prediction_sets(self, file: Path) -> tuple[StoredSet, ...]:
        """Return all prediction sets with their answers, in the order in which they came."""
        with _reading(file) as connection:
            return read_prediction_sets(connection)

    def judged_pairs(self, file: Path) -> tuple[JudgedPair, ...]:
        """Return what judges, persons and programs, said of pairs of diagnoses."""
        with _reading(file) as connection:
            return read_judged_pairs(connection)

    def put_judgements(
        self,
        file: Path,
        pairs: Sequence[JudgedPair],
        *,
        at_utc: str,
        source: str = "",
        early_reason: str | None = None,
    ) -> JudgementsPut:
        """Store words of judges, each in place of that judge's earlier one; refused before the lock."""
        with _writing(file) as connection:
            phase = Phase(study_row(connection).phase)
            may_open(Page.JUDGE, phase, early_reason=early_reason).require()
            return put_judged_pairs(connection, pairs, at_utc=at_utc, source=source)

    def judge_called(self, file: Path, name: str, *, at_utc: str) -> DiagnosisJudge:
        """Return who judges under this name, with a code of his own."""
        with open_store(file) as store:
            return judge_called(store, name, at_utc=at_utc)

    def append_audit(self, file: Path, *, action: str, reason: str, details: str, at_utc: str) -> None:
        """Append an act of the coordinator."""
        with _writing(file) as connection:
            _note(connection, action=action, reason=reason, details=details, at_utc=at_utc)


@contextmanager
def _reading(file: Path) -> Iterator[Connection]:
    with open_store(file) as store, store.read() as connection:
        yield connection


@contextmanager
def _writing(file: Path) -> Iterator[Connection]:
    with open_store(file) as store, store.begin() as connection:
        yield connection


def _note(connection: Connection, *, action: str, at_utc: str, reason: str = "", details: str = "") -> None:
    entry = AuditEntry(action, COORDINATOR, at_utc, reason, details)
    append_audit(connection, study_id=study_row(connection).id, actor=COORDINATOR, entry=entry)


def _check_new(file: Path) -> None:
    if file.exists():
        raise StorageError(f"{file} exists already. Choose another name, or remove that study first.")
    if not file.parent.is_dir():
        raise StorageError(f"There is no folder {file.parent}. Make it first, or choose another place.")
    refuse_network_path(file)


def _minute(utc: str) -> str:
    """A stored time as a person reads it: "2026-01-31 08:05 UTC"."""
    return f"{utc[:10]} {utc[11:16]} UTC"
