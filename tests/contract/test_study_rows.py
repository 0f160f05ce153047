"""The same on every database: a study written, read, filled from files, and its closed versions kept."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import Connection, text
from sqlalchemy.exc import DBAPIError

from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictedBox, Prediction, PredictionKind, PredictionSet
from nova_review.domain.protocol import default_protocol
from nova_review.domain.reading import Diagnosis
from nova_review.domain.study import Phase, PresentationRole, ReaderKind
from nova_review.services.importing import Added
from nova_review.services.reader_plan import plan_order, plan_readers
from nova_review.services.study_plan import (
    StudyPlan,
    new_key,
    plan_data_sets,
    showable,
)
from nova_review.storage.import_writer import add_readings
from nova_review.storage.prediction_writer import add_prediction_set
from nova_review.storage.snapshot import read_snapshot
from nova_review.storage.study_reader import read_info, read_open, read_shape
from nova_review.storage.study_writer import write_study
from tests.contract.conftest import Database
from tests.helpers.data_sets import NOON, data_set
from tests.unit.services.test_studies import case_reading, slice_reading


def write(database: Database) -> str:
    """Write a study with the reader Ada and one published reader; returns Ada's code."""
    planned = plan_data_sets([data_set((2, 1, 3), readers=["Dr.X"])])
    protocol = default_protocol()
    ada, published = plan_readers(["Ada"], planned, seed="1")
    order, _ = plan_order(
        ada.id, showable(planned), protocol=protocol, role=PresentationRole.MAIN, seed="1", purpose="order 1"
    )
    plan = StudyPlan(
        id=new_key(),
        title="contract",
        seed="1",
        phase=Phase.READING,
        protocol=protocol,
        is_demo=False,
        created_utc=NOON,
        data_sets=planned,
        readers=(replace(ada, presentations=order), published),
        remarks=(),
    )
    with database.begin() as connection:
        write_study(
            connection,
            plan,
            file=Path("/x/s.nova"),
            made_by="0",
            picture_bytes=lambda *_: b"\x00\xff",
            progress=None,
        )
    return ada.code


def add(connection: Connection, code: str) -> Added:
    return add_readings(
        connection,
        slice_readings=[slice_reading(code)],
        case_readings=[case_reading(code)],
        same_study=True,
        source="x.csv",
        at_utc=NOON,
    )


def test_a_study_reads_back_as_it_was_planned(database: Database) -> None:
    write(database)
    with database.begin() as connection:
        info = read_info(connection, with_orders=True)
        shape = read_shape(connection)
        found = read_snapshot(connection)
    assert [(d.slices, d.usable_slices, d.cases, d.gold_boxes, d.reader_boxes) for d in info.data_sets] == [
        (6, 6, 3, 6, 3)
    ]
    assert [(r.name, r.kind, r.presentations) for r in info.readers] == [
        ("Ada", ReaderKind.STUDY, 3),
        ("Dr.X", ReaderKind.DATA_SET, 0),
    ]
    assert info.embedded == 6
    assert sorted(shape.names) == ["Ada", "Dr.X"]
    source = data_set((2, 1, 3), readers=["Dr.X"])
    assert found.data_sets[0].cases == source.cases
    assert found.data_sets[0].gold == source.gold
    assert [(s.file_name, s.case_code, s.caption) for s in found.data_sets[0].slices] == [
        (s.file_name, s.case_code, s.caption) for s in source.slices
    ]


def test_answers_read_back_to_the_last_bit(database: Database) -> None:
    code = write(database)
    with database.begin() as connection:
        assert add(connection, code).slice_readings == 1
    with database.begin() as connection:
        found = read_snapshot(connection)
        assert add(connection, code).already_there == 2
        left = read_open(connection)
    mine = [r for r in found.slice_readings if r.context.reader_code == code]
    given = slice_reading(code)
    assert mine == [replace(given, context=replace(given.context, imported=True))]
    assert [r.answer for r in found.case_readings] == [case_reading(code).answer]
    assert len(left) == 2  # of three cases one is submitted


def test_prediction_sets_are_stored(database: Database) -> None:
    write(database)
    answer = Prediction(
        "case0001_001.png",
        boxes=(PredictedBox(Box(1, 2, 3, 4), None, "x"),),
        diagnoses=(Diagnosis("abscess"),),
    )
    with database.begin() as connection:
        one = PredictionSet("m", PredictionKind.MODEL)
        assert add_prediction_set(connection, one, [answer], at_utc=NOON).stored == 1
        assert read_info(connection, with_orders=False).prediction_sets == ("m",)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE slice_answer SET caption_text = 'other'",
        "UPDATE slice_answer SET state = 'draft'",
        "DELETE FROM finding",
        "UPDATE finding SET x = x + 1",
        "UPDATE case_answer SET rationale = 'other'",
        "DELETE FROM diagnosis",
        "UPDATE protocol SET document = '{}'",
        "UPDATE study SET phase = 'over'",
    ],
)
def test_the_database_itself_keeps_closed_versions(database: Database, statement: str) -> None:
    code = write(database)
    with database.begin() as connection:
        add(connection, code)
    with (
        pytest.raises(Exception, match=r"never change|refused|phase") as caught,
        database.begin() as connection,
    ):
        connection.execute(text(statement))
    assert isinstance(caught.value, DBAPIError) or isinstance(caught.value.__cause__, DBAPIError)


def test_a_closed_version_may_be_withdrawn(database: Database) -> None:
    code = write(database)
    with database.begin() as connection:
        add(connection, code)
        connection.execute(text("UPDATE slice_answer SET state = 'withdrawn', withdrawn_utc = 'now'"))
