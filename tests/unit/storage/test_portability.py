"""The statements of today are those of the frozen steps, and PostgreSQL understands them all."""

import re
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_mock_engine, event
from sqlalchemy.dialects import postgresql, sqlite

from nova_review.storage import migrate
from nova_review.storage.schema import metadata
from tests.helpers.data_sets import data_set, study_service
from tests.unit.services.test_studies import case_reading, slice_reading

DIALECTS = {"sqlite": sqlite.dialect(), "postgresql": postgresql.dialect()}  # type: ignore[no-untyped-call]


def statements(dialect: str) -> list[str]:
    """All statements that make today's schema."""
    made: list[str] = []
    url = "sqlite://" if dialect == "sqlite" else "postgresql+psycopg://"

    def note(statement: Any, *_: object, **__: object) -> None:
        made.append(str(statement.compile(dialect=engine.dialect)))

    engine = create_mock_engine(url, note)
    metadata.create_all(engine, checkfirst=False)
    return made


def frozen(dialect: str) -> list[str]:
    steps = sorted((Path(migrate.FOLDER) / "versions").glob(f"r*_{dialect}.sql"))
    made: list[str] = []
    for step in steps:
        for one in step.read_text(encoding="utf-8").split("\n--\n"):
            gone = re.match(r"DROP TABLE (\w+)$", one.strip())
            if gone is None:
                made.append(one)
            else:  # what made the table and its indices counts no more
                of_it = re.compile(rf"^CREATE (TABLE {gone[1]} |INDEX \w+ ON {gone[1]} )")
                assert any(of_it.match(kept) for kept in made)
                made = [kept for kept in made if not of_it.match(kept)]
    return made


def spaceless(texts: list[str]) -> list[str]:
    return sorted("".join(text.split()) for text in texts)


@pytest.mark.parametrize(
    "dialect", ["sqlite", pytest.param("postgresql", marks=pytest.mark.filterwarnings("default"))]
)
def test_the_steps_make_todays_tables(dialect: str) -> None:
    if dialect == "postgresql":
        pytest.importorskip("psycopg", reason="psycopg is not installed here")
    assert spaceless(statements(dialect)) == spaceless(frozen(dialect))


def test_both_databases_have_the_same_tables_and_guards() -> None:
    def names(dialect: str, kind: str) -> list[str]:
        return sorted(re.findall(rf"^CREATE {kind} \"?(\w+)", "\n".join(frozen(dialect)), flags=re.MULTILINE))

    assert names("sqlite", "TABLE") == names("postgresql", "TABLE")
    assert len(names("sqlite", "TABLE")) == len(metadata.tables)
    assert names("sqlite", "TRIGGER") == names("postgresql", "TRIGGER")


def test_every_table_says_whose_it_is() -> None:
    """Rules on rows need the study in every row and the reader in every row of a reader."""
    of_a_reader = {"slice_answer", "finding", "case_answer", "diagnosis", "reading", "presentation"}
    of_a_reader |= {"presentation_slice", "view_log", "deviation", "pack"}
    for name, table in metadata.tables.items():
        assert name == "study" or "study_id" in table.columns, name
        assert name not in of_a_reader or not table.columns["reader_id"].nullable, name


def test_keys_are_given_by_the_client() -> None:
    for name, table in metadata.tables.items():
        for column in table.primary_key:
            assert column.autoincrement is False or column.type.python_type is str, f"{name}.{column.name}"


def test_no_statement_is_only_sqlites(tmp_path: Path) -> None:
    """Every statement that a study's life runs compiles for PostgreSQL."""
    ran: list[Any] = []

    def note(_: object, statement: Any, *__: object) -> None:
        if hasattr(statement, "compile"):
            ran.append(statement)

    event.listen(Engine, "before_execute", note)
    try:
        service = study_service()
        file = tmp_path / "s.nova"
        code = service.new_study([data_set(readers=["Dr.X"])], file, readers=["Ada"]).readers[0].code
        service.add_readings(file, slice_readings=[slice_reading(code)], case_readings=[case_reading(code)])
        service.info(file, with_orders=True)
        service.snapshot(file)
        service.close(file, reason="done")
        service.add_training_place(file, "Visitor")
    finally:
        event.remove(Engine, "before_execute", note)
    queries = [s for s in ran if not type(s).__module__.endswith("ddl")]
    assert len(queries) > 50
    for query in queries:
        assert str(query.compile(dialect=DIALECTS["postgresql"]))
