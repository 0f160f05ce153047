"""A reader at the window, for every test of the reading page."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.desks import FixedClock, make_memory_store
from tests.helpers.reading_hand import ReadingHand


@pytest.fixture
def open_reading(qtbot: Any, tmp_path: Path) -> Iterator[Callable[..., ReadingHand]]:
    """`open_reading(cases=..., slices_per_case=...)` opens the window; it is closed at the end."""
    hands: list[ReadingHand] = []

    def open_it(**study: Any) -> ReadingHand:
        clock = study.pop("clock", None) or FixedClock()
        store = study.pop("store", None) or make_memory_store(**study)
        hands.append(ReadingHand(qtbot, store, tmp_path, clock=clock))
        return hands[-1]

    yield open_it
    for hand in hands:
        hand.close()


@pytest.fixture
def hand(open_reading: Callable[..., ReadingHand]) -> ReadingHand:
    """A reader at a study of three cases with 1, 2 and 3 slices."""
    return open_reading()
