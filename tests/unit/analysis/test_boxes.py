"""Readings from plain rows: what counts as read, and what is refused."""

import math

import pytest

from nova_review.analysis.boxes import Absent, clip, only_readers, read_boxes
from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box, Size

BOX = Box(1, 2, 3, 4)
ROWS = [
    ("s2", "c1", "B", BOX),
    ("s1", "c2", "A", None),
    ("s2", "c1", "A", Box(5, 5, 5, 5)),
    ("s2", "c1", "B", BOX),
]


def test_rows_in_any_order() -> None:
    read = read_boxes(ROWS)
    assert (read.slices, read.cases, read.readers) == (("s2", "s1"), ("c1", "c2"), ("A", "B"))
    assert read.reading_slice.tolist() == [0, 0, 1]
    assert read.reading_reader.tolist() == [0, 1, 0]
    assert read.counts.tolist() == [1, 2, 0]
    assert read.corners.tolist() == [[5, 5, 10, 10], [1, 2, 4, 6], [1, 2, 4, 6]]
    assert read.areas.tolist() == [25, 12, 12]
    assert read.readings_per_slice.tolist() == [2, 1]


def test_no_row_means_unread_unless_said_otherwise() -> None:
    named = {"slices": [("s3", "c3")], "readers": ["C"]}
    unread = read_boxes(ROWS, **named)  # type: ignore[arg-type]
    assert (unread.slices, unread.readers) == (("s3", "s2", "s1"), ("A", "B", "C"))
    assert unread.readings_per_slice.tolist() == [0, 2, 1]
    read = read_boxes(ROWS, **named, absent=Absent.NO_FINDING)  # type: ignore[arg-type]
    assert read.readings_per_slice.tolist() == [3, 3, 3]
    assert len(read.corners) == 3


def test_nothing_at_all() -> None:
    read = read_boxes([])
    assert (len(read.slices), len(read.reading_slice), read.corners.shape) == (0, 0, (0, 4))


@pytest.mark.parametrize(
    "box", [Box(math.nan, 0, 1, 1), Box(0, 0, math.inf, 1), Box(1e308, 0, 1, 1), Box(0, -1e308, 1, 1)]
)
def test_boxes_that_are_none(box: Box) -> None:
    with pytest.raises(UserError, match="A box of B on s2 must have finite numbers"):
        read_boxes([("s2", "c1", "B", box)])


def test_a_slice_of_two_cases_is_refused() -> None:
    with pytest.raises(UserError, match="s2 is given to two cases, c1 and c9"):
        read_boxes([*ROWS, ("s2", "c9", "A", None)])


def test_clipping() -> None:
    rows = [
        ("s1", "c", "A", Box(-5, -5, 10, 20)),
        ("s1", "c", "A", Box(90, 0, 5, 5)),
        ("s2", "c", "A", Box(90, 0, 5, 5)),
    ]
    cut = clip(read_boxes(rows), Size(80, 10))
    assert cut.corners.tolist() == [[0, 0, 5, 10]]
    assert (cut.counts.tolist(), cut.lost) == ([1, 0], 2)
    per_slice = clip(read_boxes(rows), [Size(80, 10), None])
    assert per_slice.corners.tolist() == [[0, 0, 5, 10], [90, 0, 95, 5]]
    assert (per_slice.counts.tolist(), per_slice.lost) == ([1, 1], 1)
    assert clip(read_boxes([]), Size(1, 1)).lost == 0


def test_some_readers_only() -> None:
    read = only_readers(read_boxes(ROWS), ["B"])
    assert (read.readers, read.slices) == (("B",), ("s2", "s1"))
    assert (read.reading_slice.tolist(), read.reading_reader.tolist()) == ([0], [0])
    assert read.corners.tolist() == [[1, 2, 4, 6]] * 2
    with pytest.raises(UserError, match="no reader Z here; the readers are A, B"):
        only_readers(read_boxes(ROWS), ["Z"])


def test_a_box_of_a_data_set_with_a_negative_side_counts_and_matches_nothing() -> None:
    """As it is kept: without area, so that one such row does not end the measuring of a study."""
    read = read_boxes([("a.png", "c", "A", Box(5, 5, -1, -2)), ("a.png", "c", "B", Box(0, 0, 9, 9))])
    assert read.counts.tolist() == [1, 1]
    assert read.areas.tolist() == [0.0, 81.0]
