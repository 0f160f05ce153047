"""The saver: one pending value an answer, its own revisions, nothing dropped."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest

from nova_review.domain.errors import ConflictError, NotAllowedError, StorageError
from nova_review.domain.reading import AnswerState, Caption, SliceAnswer
from nova_review.services.ports import Place, Saved
from nova_review.ui import saver as saver_module
from nova_review.ui.saver import AnswerKey, Saver, SaveStatus, Write, WriteKind, write_reading
from nova_review.ui.tasks import Worker

KEY = AnswerKey("presentation", "slice")
OTHER = AnswerKey("presentation", "slice 2")


def _said(text: str) -> SliceAnswer:
    return SliceAnswer(caption=Caption(text=text))


class _Desk:
    """Stores values with revisions, like a desk; `errors` are raised one a save."""

    def __init__(self) -> None:
        self.stored: dict[Place, tuple[int, SliceAnswer, str]] = {}
        self.errors: list[Exception] = []
        self.saves: list[tuple[str, int]] = []

    def save_slice(self, place: Place, answer: SliceAnswer, *, revision: int) -> Saved:
        return self._save(place, answer, revision, "draft", AnswerState.DRAFT)

    def defer_slice(self, place: Place, answer: SliceAnswer, *, revision: int, deferred: bool) -> Saved:
        state = AnswerState.DEFERRED if deferred else AnswerState.DRAFT
        return self._save(place, answer, revision, "defer" if deferred else "resume", state)

    def lock_slice(self, place: Place, answer: SliceAnswer, *, revision: int) -> Saved:
        return self._save(place, answer, revision, "lock", AnswerState.LOCKED)

    def _save(self, place: Place, answer: SliceAnswer, revision: int, kind: str, state: AnswerState) -> Saved:
        self.saves.append((answer.caption.text, revision))
        if self.errors:
            raise self.errors.pop(0)
        if self.stored.get(place, (0,))[0] != revision:
            raise ConflictError("changed elsewhere")
        self.stored[place] = (revision + 1, answer, kind)
        return Saved(version=1, revision=revision + 1, state=state)


@pytest.fixture
def desk() -> _Desk:
    return _Desk()


@pytest.fixture
def saver(qapp: Any, desk: _Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Saver]:
    monkeypatch.setattr(saver_module, "SAVE_DELAY_MS", 0)
    monkeypatch.setattr(saver_module, "FIRST_RETRY_MS", 3_600_000)
    worker = Worker("write")
    made = Saver(partial(write_reading, desk), worker)  # type: ignore[arg-type]
    made._retry_ms = saver_module.FIRST_RETRY_MS
    made.adopt(KEY, 0)
    made.adopt(OTHER, 0)
    yield made
    worker.close()
    made.stop()
    made.deleteLater()
    worker.deleteLater()


def _put(saver: Saver, text: str, *, kind: WriteKind = WriteKind.DRAFT, key: AnswerKey = KEY) -> None:
    saver.put(key, Write(kind, _said(text)))


def _wait(qtbot: Any, saver: Saver) -> None:
    qtbot.waitUntil(lambda: saver.is_settled)


def test_edits_that_come_together_are_one_write(qtbot: Any, saver: Saver, desk: _Desk) -> None:
    for text in ("a", "ab", "abc"):
        _put(saver, text)
    _wait(qtbot, saver)
    assert desk.saves == [("abc", 0)]


def test_the_next_write_expects_the_revision_of_our_own_last_save(
    qtbot: Any, saver: Saver, desk: _Desk
) -> None:
    _put(saver, "a")
    saver.flush()
    _put(saver, "ab")  # while the first is on its way
    saver.flush()
    _wait(qtbot, saver)
    assert desk.saves == [("a", 0), ("ab", 1)]
    assert saver.state.status is SaveStatus.SAVED


def test_two_answers_are_written_apart(qtbot: Any, saver: Saver, desk: _Desk) -> None:
    _put(saver, "one")
    _put(saver, "two", key=OTHER)
    _wait(qtbot, saver)
    assert sorted(desk.saves) == [("one", 0), ("two", 0)]


def test_what_could_not_be_stored_stays_and_says_why(qtbot: Any, saver: Saver, desk: _Desk) -> None:
    desk.errors = [StorageError("disk full")]
    _put(saver, "a")
    qtbot.waitUntil(lambda: saver.state.status is SaveStatus.FAILED)
    assert saver.state.reason == "disk full"
    assert not saver.is_settled
    saver.retry()
    _wait(qtbot, saver)
    assert desk.stored[KEY.place][1] == _said("a")


def test_success_of_another_answer_tries_the_failed_one_again(qtbot: Any, saver: Saver, desk: _Desk) -> None:
    desk.errors = [StorageError("disk full")]
    _put(saver, "a")
    qtbot.waitUntil(lambda: saver.state.status is SaveStatus.FAILED)
    _put(saver, "b", key=OTHER)
    _wait(qtbot, saver)
    assert desk.stored[KEY.place][1] == _said("a")


def test_a_newer_value_takes_the_place_of_the_failed_one(qtbot: Any, saver: Saver, desk: _Desk) -> None:
    desk.errors = [StorageError("disk full")]
    _put(saver, "a")
    qtbot.waitUntil(lambda: saver.state.status is SaveStatus.FAILED)
    _put(saver, "ab")
    _wait(qtbot, saver)
    assert desk.saves[-1] == ("ab", 0)


def test_a_lock_that_failed_leaves_a_draft_and_is_not_done_later(
    qtbot: Any, saver: Saver, desk: _Desk
) -> None:
    refused: list[tuple[AnswerKey, str]] = []
    saver.refused.connect(lambda key, _write, reason: refused.append((key, reason)))
    desk.errors = [StorageError("disk full")]
    _put(saver, "a", kind=WriteKind.CLOSE)
    _wait(qtbot, saver)
    assert refused == [(KEY, "disk full")]
    assert desk.stored[KEY.place][2] == "draft"
    assert not saver.closing(KEY)


def test_a_lock_waits_for_the_save_before_it(qtbot: Any, saver: Saver, desk: _Desk) -> None:
    _put(saver, "a")
    saver.flush()
    _put(saver, "a", kind=WriteKind.CLOSE)
    assert saver.closing(KEY)
    _wait(qtbot, saver)
    assert desk.saves == [("a", 0), ("a", 1)]
    assert desk.stored[KEY.place][2] == "lock"


def test_come_back_later_survives_the_edit_after_it(qtbot: Any, saver: Saver, desk: _Desk) -> None:
    desk.errors = [StorageError("disk full")]
    _put(saver, "a", kind=WriteKind.DEFER)
    qtbot.waitUntil(lambda: saver.state.status is SaveStatus.FAILED)
    _put(saver, "ab")
    _wait(qtbot, saver)
    assert desk.stored[KEY.place][1:] == (_said("ab"), "defer")


@pytest.mark.parametrize("mine", [True, False])
def test_a_conflict_is_held_until_it_is_settled(qtbot: Any, saver: Saver, desk: _Desk, mine: bool) -> None:
    desk.stored[KEY.place] = (7, _said("theirs"), "draft")
    with qtbot.waitSignal(saver.conflict_found) as found:
        _put(saver, "mine")
    assert found.args == [KEY]
    assert saver.state.status is SaveStatus.CONFLICT
    saver.retry()
    assert desk.saves == [("mine", 0)]  # held: a retry does not write over theirs
    if mine:
        saver.keep_mine(KEY, 7)
    else:
        saver.take_theirs(KEY, 7)
    _wait(qtbot, saver)
    assert desk.stored[KEY.place][1] == _said("mine" if mine else "theirs")
    _put(saver, "later")
    _wait(qtbot, saver)
    assert desk.stored[KEY.place][1] == _said("later")


def test_a_refused_draft_is_kept_and_told(qtbot: Any, saver: Saver, desk: _Desk) -> None:
    desk.errors = [NotAllowedError("The database is locked.")]
    _put(saver, "a")
    qtbot.waitUntil(lambda: saver.state.status is SaveStatus.FAILED)
    assert saver.state.reason == "The database is locked."
    assert not saver.is_settled


def test_a_revision_read_before_our_save_is_not_taken(qtbot: Any, saver: Saver, desk: _Desk) -> None:
    _put(saver, "a")
    _wait(qtbot, saver)
    saver.adopt(KEY, 0)  # a read that had begun before the save
    assert saver.revision(KEY) == 1


def test_a_fault_inside_a_save_keeps_the_draft(
    qtbot: Any, saver: Saver, desk: _Desk, expect_log: Any
) -> None:
    expect_log("A worker failed")
    desk.errors = [ZeroDivisionError("oops")]
    _put(saver, "a")
    qtbot.waitUntil(lambda: saver.state.status is SaveStatus.FAILED)
    assert "ZeroDivisionError" in saver.state.reason
    saver.retry()
    _wait(qtbot, saver)
    assert desk.stored[KEY.place][1] == _said("a")
