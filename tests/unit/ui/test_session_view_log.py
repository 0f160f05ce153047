"""Intervals of the view log, by a clock that moves only when told to."""

import pytest

from nova_review.domain.audit import ViewInterval, ViewKind, active_seconds
from nova_review.services.ports import Place
from nova_review.ui.view_log import ViewClock
from tests.helpers.desks import FixedClock

A, B = Place("case", "a"), Place("case", "b")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock()


def _lasting(log: list[ViewInterval]) -> list[tuple[str, ViewKind, float]]:
    return [(v.slice_id, v.kind, v.ended - v.started) for v in log if v.ended > v.started]


def test_a_slice_is_noted_when_it_comes_and_again_when_it_goes(clock: FixedClock) -> None:
    log: list[ViewInterval] = []
    views = ViewClock(clock, log.append)
    views.show(A, 1)
    assert [(v.slice_id, v.started, v.ended) for v in log] == [("a", 1000.0, 1000.0)]
    clock.advance(3)
    views.show(B, 2)
    clock.advance(2)
    views.stop()
    assert _lasting(log) == [("a", ViewKind.VISIBLE, 3.0), ("b", ViewKind.VISIBLE, 2.0)]
    assert [v.stage for v in log] == [1, 1, 2, 2]


def test_time_without_focus_and_last_input_are_kept_apart(clock: FixedClock) -> None:
    log: list[ViewInterval] = []
    views = ViewClock(clock, log.append)
    views.show(A, 1)
    clock.advance(2)
    views.touch()
    clock.advance(3)
    views.set_focus(False)
    clock.advance(100)
    views.set_focus(True)
    clock.advance(1)
    views.stop()
    last = log[-1]
    assert (last.focused_seconds, last.last_input - last.started, last.ended - last.started) == (
        6.0,
        2.0,
        106.0,
    )
    assert active_seconds(last, idle_limit=60) == 6.0


def test_a_pause_is_an_interval_of_its_own_and_the_first_mark_is_noted_once(clock: FixedClock) -> None:
    log: list[ViewInterval] = []
    views = ViewClock(clock, log.append)
    views.show(A, 1)
    clock.advance(5)
    views.note_mark()
    views.note_mark()
    views.pause()
    assert views.is_paused
    clock.advance(60)
    views.resume()
    clock.advance(1)
    views.stop()
    assert _lasting(log) == [
        ("a", ViewKind.FIRST_MARK, 5.0),
        ("a", ViewKind.VISIBLE, 5.0),
        ("a", ViewKind.PAUSE, 60.0),
        ("a", ViewKind.VISIBLE, 1.0),
    ]


def test_nothing_is_logged_before_a_slice_is_shown(clock: FixedClock) -> None:
    log: list[ViewInterval] = []
    views = ViewClock(clock, log.append)
    views.touch()
    views.set_focus(False)
    views.pause()
    views.note_mark()
    views.stop()
    assert log == []
    assert not views.is_paused
