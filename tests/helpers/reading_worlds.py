"""One study, planned once and held twice: in memory and in a study file.

Everything that a reader must not see carries the word LEAK; `World` gives tests the store, the
keys, and a look behind it that no desk has.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, Engine, create_engine, select, update

from nova_review.domain.audit import ViewInterval
from nova_review.domain.dataset import (
    CaseRecord,
    DataSet,
    GoldBox,
    ImageState,
    ReaderBox,
    SliceRecord,
)
from nova_review.domain.geometry import Box
from nova_review.domain.protocol import Unit, default_protocol
from nova_review.domain.study import Phase, PresentationRole, Reader
from nova_review.services.reader_plan import plan_order, plan_readers
from nova_review.services.reading_records import (
    ImageRow,
    ReadingStore,
    StoredSliceAnswer,
    StudyFacts,
)
from nova_review.services.studies import PictureBytes
from nova_review.services.study_plan import (
    PlannedReader,
    StudyPlan,
    plan_data_sets,
    showable,
)
from nova_review.storage.engine import Store, create_store, finish, open_store
from nova_review.storage.faults import spoken
from nova_review.storage.reading_queries import ReaderQueries
from nova_review.storage.reading_rows import interval_of, record_of
from nova_review.storage.reading_store import SqlReadingStore
from nova_review.storage.schema import metadata
from nova_review.storage.schema_log import deviation, view_log
from nova_review.storage.schema_reading import case_answer, slice_answer
from nova_review.storage.schema_study import study
from nova_review.storage.study_writer import write_study
from tests.helpers.memory_reading_store import MemoryReadingStore, MemoryStudy

READERS = ("LEAK-ada", "LEAK-bruno")
SLICES_OF_CASES = (2, 1, 3)


class PostgresqlStudy:
    """A study in a PostgreSQL database, with the units of work of `storage.engine.Store`."""

    def __init__(self, engine: Engine, path: Path) -> None:
        self.path = path
        self._engine = engine

    @contextmanager
    def begin(self) -> Iterator[Connection]:
        with spoken(self.path), self._engine.begin() as connection:
            yield connection

    @contextmanager
    def read(self) -> Iterator[Connection]:
        calm = self._engine.execution_options(isolation_level="REPEATABLE READ")
        with spoken(self.path), calm.begin() as connection:
            yield connection

    def close(self) -> None:
        self._engine.dispose()


@dataclass
class World:
    """A study with two readers; `memory` or `file` is set, by the kind of store."""

    plan: StudyPlan
    store: ReadingStore
    memory: MemoryReadingStore | None = None
    file: Store | PostgresqlStudy | None = None

    @property
    def reader_ids(self) -> list[str]:
        """The ids of the study's own two readers."""
        return [r.id for r in self.plan.readers if r.presentations]

    def set_phase(self, phase: Phase) -> None:
        """Move the study on, as the coordinator would."""
        if self.memory is not None:
            self.memory.set_phase(phase)
        if self.file is not None:
            with self.file.begin() as connection:
                connection.execute(update(study).values(phase=phase))

    def slice_versions(self, reader_id: str) -> list[StoredSliceAnswer]:
        """Every version of every slice answer of a reader, by slice and version."""
        found: list[StoredSliceAnswer] = []
        if self.memory is not None:
            found = self.memory.slice_versions(reader_id)
        if self.file is not None:
            with self.file.read() as connection:
                rows = connection.execute(select(slice_answer).where(slice_answer.c.reader_id == reader_id))
                reader = ReaderQueries(connection, reader_id, study_file=self.file.path)
                found = [reader._slice_answer(row) for row in rows]
        return sorted(found, key=lambda r: (r.slice_id, r.record.version))

    def case_states(self, reader_id: str) -> list[str]:
        """The states of every version of every case answer of a reader."""
        if self.memory is not None:
            return [str(r.record.state) for r in self.memory.case_versions(reader_id)]
        assert self.file is not None
        with self.file.read() as connection:
            rows = connection.execute(select(case_answer).where(case_answer.c.reader_id == reader_id))
            return [str(record_of(row).state) for row in rows]

    def deviations(self, reader_id: str) -> list[tuple[str, str]]:
        """Kind and note of a reader's deviations."""
        if self.memory is not None:
            return [(str(d.kind), d.note) for d in self.memory.deviations(reader_id)]
        assert self.file is not None
        with self.file.read() as connection:
            mine = select(deviation.c.kind, deviation.c.note).where(deviation.c.reader_id == reader_id)
            return [(row.kind, row.note) for row in connection.execute(mine.order_by(deviation.c.number))]

    def views(self, reader_id: str) -> list[ViewInterval]:
        """A reader's view log, in the order in which it was written."""
        if self.memory is not None:
            return list(self.memory.views(reader_id))
        assert self.file is not None
        with self.file.read() as connection:
            mine = select(view_log).where(view_log.c.reader_id == reader_id).order_by(view_log.c.number)
            return [interval_of(row) for row in connection.execute(mine)]

    def close(self) -> None:
        """Give the file back."""
        if self.file is not None:
            self.file.close()


def embedded(_data_set: DataSet, record: SliceRecord) -> bytes:
    """The bytes that are embedded for a slice (`desks.decode_grey` decodes them)."""
    return _picture(record)


def make_world(
    kind: str,
    folder: Path,
    *,
    unit: Unit = Unit.CASE,
    role: PresentationRole = PresentationRole.MAIN,
    phase: Phase = Phase.READING,
    slices_of_cases: Sequence[int] = SLICES_OF_CASES,
) -> World:
    """Make the same study in a store of this kind, "memory" or "sqlite"."""
    plan = make_plan(unit=unit, role=role, phase=phase, slices_of_cases=slices_of_cases)
    if kind == "memory":
        memory = MemoryReadingStore(_memory_study(plan), phase=phase)
        return World(plan, memory, memory=memory)
    file = write_plan(plan, folder / "study.nova")
    return World(plan, SqlReadingStore(file), file=file)


def make_postgresql_world(server: str, folder: Path) -> World:
    """Make the study in an empty database of this server."""
    plan = make_plan()
    engine = create_engine(server)
    with engine.begin() as connection:
        connection.exec_driver_sql("DROP SCHEMA public CASCADE")
        connection.exec_driver_sql("CREATE SCHEMA public")
        metadata.create_all(connection)
        _write(connection, plan, folder / "study.nova")
    study_there = PostgresqlStudy(engine, folder / "study.nova")
    return World(plan, SqlReadingStore(study_there), file=study_there)


def write_plan(plan: StudyPlan, path: Path, *, picture_bytes: PictureBytes | None = embedded) -> Store:
    """Write a plan into a study file, with tiny embedded pictures unless None is given, and open it."""
    building = create_store(path)
    with building.begin() as connection:
        _write(connection, plan, path, picture_bytes=picture_bytes)
    finish(building)
    return open_store(path)


def _write(
    connection: Connection, plan: StudyPlan, path: Path, *, picture_bytes: PictureBytes | None = embedded
) -> None:
    write_study(
        connection,
        plan,
        file=path,
        made_by="tests",
        picture_bytes=picture_bytes,
        progress=None,
    )


def make_plan(
    *,
    unit: Unit = Unit.CASE,
    role: PresentationRole = PresentationRole.MAIN,
    phase: Phase = Phase.READING,
    slices_of_cases: Sequence[int] = SLICES_OF_CASES,
    root: str = "/LEAK-root",
) -> StudyPlan:
    """Plan a study of two readers, one more that came with the data set, gold and every secret."""
    data_sets = plan_data_sets([_data_set(slices_of_cases, root)])
    chosen = default_protocol(unit=unit)
    readers = []
    for reader in plan_readers(READERS, data_sets, seed="seed"):
        if reader.name in READERS:
            order, _ = plan_order(
                reader.id, showable(data_sets), protocol=chosen, role=role, seed="s", purpose=reader.name
            )
            reader = PlannedReader(reader.id, reader.name, reader.code, reader.kind, order)
        readers.append(reader)
    return StudyPlan(
        id="11111111-1111-4111-8111-111111111111",
        title="A reader study",
        seed="seed",
        phase=phase,
        protocol=chosen,
        is_demo=False,
        created_utc="2024-03-01T00:00:00Z",
        data_sets=data_sets,
        readers=tuple(readers),
        remarks=(),
    )


def history_of(case: int) -> str:
    """The history of case number `case` (from 1)."""
    return f"History-{case}: headache and a fall"


def _data_set(slices_of_cases: Sequence[int], root: str) -> DataSet:
    slices = tuple(
        _slice(c, n) for c, count in enumerate(slices_of_cases, start=1) for n in range(1, count + 1)
    )
    return DataSet(
        code="LEAK-set",
        root=root,
        slices=slices,
        cases=tuple(_case(c) for c in range(1, len(slices_of_cases) + 1)),
        gold=tuple(GoldBox(s.file_name, Box(77.77, 66.66, 55.55, 44.44)) for s in slices),
        reader_boxes=tuple(
            ReaderBox(s.file_name, "LEAK-published", Box(33.33, 22.22, 11.11, 9.9)) for s in slices
        ),
        warnings=(),
        errors=(),
        ignored=(),
        refused=False,
    )


def _slice(case: int, number: int) -> SliceRecord:
    name = f"LEAK-file-{case}-{number}.png"
    return SliceRecord(
        file_name=name,
        case_code=f"LEAK-case-{case}",
        scan_id=f"LEAK-scan-{number}",
        caption=f"LEAK-caption of {name}",
        image_path=f"images/{name}",
        image_state=ImageState.USABLE,
        width=480,
        height=479,
        sha256="0" * 64,
    )


def _case(case: int) -> CaseRecord:
    return CaseRecord(
        code=f"LEAK-case-{case}",
        clinical_history=history_of(case),
        title=f"LEAK-title-{case}",
        publication_date=f"LEAK-date-{case}",
        differential_diagnosis=f"LEAK-differential-{case}",
        final_diagnosis=f"LEAK-final-{case}",
        link=f"https://LEAK-link/{case}",
    )


def _picture(record: SliceRecord) -> bytes:
    _, _, case, number = record.file_name.removesuffix(".png").split("-")
    return f"48 48 {case} {number}".encode()


def _memory_study(plan: StudyPlan) -> MemoryStudy:
    planned = [(case, s) for d in plan.data_sets for case in d.cases for s in case.slices]
    image = ImageRow(ImageState.USABLE, 480, 479, "0" * 64, embedded=True, path=None)
    return MemoryStudy(
        facts=StudyFacts(plan.title, plan.is_demo, plan.protocol),
        readers=[Reader(r.id, r.name, r.code, r.kind) for r in plan.readers],
        presentations={r.id: r.presentations for r in plan.readers},
        images={s.id: image for _, s in planned},
        pictures={s.id: _picture(s.record) for _, s in planned},
        histories={case.id: case.record.clinical_history or "" for case, _ in planned},
        file_names={s.id: s.record.file_name for _, s in planned},
    )
