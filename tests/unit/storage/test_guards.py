"""Closed versions never change and logs only grow, whatever statement tries it."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from nova_review.domain.errors import BugError, ConflictError
from nova_review.domain.reading import AnswerState
from nova_review.storage.engine import Store, open_store
from tests.helpers.data_sets import data_set, study_service
from tests.unit.services.test_studies import case_reading, slice_reading

CHANGES = [
    "UPDATE slice_answer SET caption_text = 'other'",
    "UPDATE slice_answer SET outcome = NULL",
    "UPDATE slice_answer SET version = 7",
    "UPDATE slice_answer SET closed_utc = 'later'",
    "UPDATE slice_answer SET state = 'draft'",
    "UPDATE slice_answer SET state = 'reopened'",
    "UPDATE slice_answer SET reader_id = 'someone'",
    "DELETE FROM slice_answer",
    "INSERT OR REPLACE INTO slice_answer SELECT * FROM slice_answer",
    "UPDATE OR REPLACE slice_answer SET caption_text = 'other'",
    "UPDATE finding SET x = x + 1",
    "UPDATE finding SET slice_answer_id = 'other'",
    "DELETE FROM finding",
    "INSERT INTO finding SELECT slice_answer_id, study_id, ordinal + 10, reader_id, 'new', x, y, width,"
    " height, label, place, side, confidence, copied_from FROM finding",
    "INSERT OR REPLACE INTO finding SELECT * FROM finding",
    "UPDATE case_answer SET rationale = 'other'",
    "UPDATE case_answer SET state = 'locked'",
    "DELETE FROM case_answer",
    "UPDATE diagnosis SET name = 'other'",
    "DELETE FROM diagnosis",
    "UPDATE protocol SET document = '{}'",
    "DELETE FROM protocol",
]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A study with one submitted slice answer and one submitted case answer."""
    path = tmp_path / "s.nova"
    service = study_service()
    code = service.new_study([data_set()], path, readers=["Ada"], seed="1").readers[0].code
    service.add_readings(path, slice_readings=[slice_reading(code)], case_readings=[case_reading(code)])
    return path


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    with open_store(file) as opened:
        yield opened


def content(store: Store) -> list[Any]:
    with store.read() as connection:
        tables = ("slice_answer", "finding", "case_answer", "diagnosis", "protocol")
        return [connection.execute(text(f"SELECT * FROM {name}")).all() for name in tables]


@pytest.mark.parametrize("statement", CHANGES)
def test_no_statement_changes_a_closed_version(store: Store, statement: str) -> None:
    before = content(store)
    with pytest.raises(ConflictError, match="never changes"), store.begin() as connection:
        connection.execute(text(statement))
    assert content(store) == before


@pytest.mark.parametrize("statement", CHANGES)
def test_not_even_past_our_own_code(file: Path, statement: str) -> None:
    """A bare connection has none of our settings; the guards are in the file."""
    with closing(sqlite3.connect(file)) as raw, pytest.raises(sqlite3.IntegrityError, match="never changes"):
        raw.execute(statement)


def test_the_guards_do_not_stop_what_may_happen(store: Store) -> None:
    with store.begin() as connection:
        connection.execute(
            text("UPDATE slice_answer SET state='withdrawn', withdrawn_utc='now', revision=revision+1")
        )
    with pytest.raises(ConflictError), store.begin() as connection:
        connection.execute(text("UPDATE slice_answer SET state='submitted'"))


def test_locked_moves_on_to_submitted_with_its_content_kept(tmp_path: Path) -> None:
    service = study_service()
    path = tmp_path / "s.nova"
    code = service.new_study([data_set()], path, readers=["Ada"]).readers[0].code
    one = slice_reading(code, state=AnswerState.LOCKED)
    service.add_readings(path, slice_readings=[one], case_readings=[])
    with open_store(path) as store, store.begin() as connection:
        connection.execute(text("UPDATE slice_answer SET state='submitted', submitted_utc='now'"))
    found = service.snapshot(path).slice_readings[0]
    assert found.context.state is AnswerState.SUBMITTED
    assert found.answer == one.answer


def test_a_draft_may_change(tmp_path: Path) -> None:
    service = study_service()
    path = tmp_path / "s.nova"
    code = service.new_study([data_set()], path, readers=["Ada"]).readers[0].code
    one = slice_reading(code)
    draft = replace(one, context=replace(one.context, state=AnswerState.DRAFT, closed_utc=None))
    service.add_readings(path, slice_readings=[draft], case_readings=[])
    with open_store(path) as store, store.begin() as connection:
        connection.execute(text("UPDATE slice_answer SET caption_text='other'"))
        connection.execute(text("DELETE FROM finding"))
    assert service.snapshot(path).slice_readings[0].answer.findings == ()


@pytest.mark.parametrize("statement", ["UPDATE audit_log SET reason = 'none'", "DELETE FROM audit_log"])
def test_a_log_only_grows(store: Store, statement: str) -> None:
    with pytest.raises(BugError, match="a log was to be changed"), store.begin() as connection:
        connection.execute(text(statement))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE study SET phase = 'over'",
        "UPDATE reader SET kind = 'boss'",
        "UPDATE presentation SET position = 0",
        "INSERT INTO case_history (case_id, study_id, clinical_history) VALUES ('x', 'x', 'x')",
    ],
)
def test_words_and_links_are_checked_by_the_file_itself(store: Store, statement: str) -> None:
    with pytest.raises(BugError, match="refused"), store.begin() as connection:
        connection.execute(text(statement))
