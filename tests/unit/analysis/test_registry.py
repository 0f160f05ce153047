"""Laws that every registered number keeps."""

import random

import numpy as np
import pytest

from nova_review.analysis.boxes import BoxRow, read_boxes
from nova_review.analysis.registry import METRICS, Metric, metric
from nova_review.domain.geometry import Box


def _rows(jitter: float) -> list[BoxRow]:
    """Twelve slices of two readers, some normal, some with several boxes; apart by `jitter` pixels."""
    rng = np.random.default_rng(17)
    rows: list[BoxRow] = []
    for k in range(12):
        rows += [(f"s{k}", f"c{k // 2}", who, None) for who in "AB"]
        for n in range(k % 4):
            box = Box(
                60 * n + rng.uniform(0, 9), rng.uniform(0, 90), rng.uniform(20, 40), rng.uniform(20, 40)
            )
            dx, dy = rng.uniform(-jitter, jitter, 2)
            rows.append((f"s{k}", f"c{k // 2}", "A", box))
            if not jitter or rng.random() < 0.8:
                rows.append(
                    (f"s{k}", f"c{k // 2}", "B", Box(box.x + dx, box.y + dy, box.width, box.height + dy))
                )
    return rows


def _renamed(rows: list[BoxRow]) -> list[BoxRow]:
    return [(s, c, {"A": "Z", "B": "Y"}[r], box) for s, c, r, box in rows]


@pytest.mark.parametrize("one", METRICS, ids=lambda m: m.key)
class TestEveryNumber:
    def test_perfect_agreement(self, one: Metric) -> None:
        assert one.of(read_boxes(_rows(0))).value == pytest.approx(one.perfect, abs=1e-12)

    def test_the_order_of_slices_and_rows(self, one: Metric) -> None:
        rows = _rows(8)
        first = one.of(read_boxes(rows)).value
        assert first is not None
        assert first != pytest.approx(one.perfect, abs=1e-3)
        # Box order counts for mAP, so slices are shuffled as wholes.
        names = list(dict.fromkeys(r[0] for r in rows))
        random.Random(3).shuffle(names)
        shuffled = [r for name in names for r in rows if r[0] == name]
        assert one.of(read_boxes(shuffled)).value == pytest.approx(first, abs=1e-12)

    def test_the_order_of_readers(self, one: Metric) -> None:
        first, second = one.of(read_boxes(_rows(8))).value, one.of(read_boxes(_renamed(_rows(8)))).value
        assert first is not None
        if one.symmetric:
            assert second == pytest.approx(first, abs=1e-12)
        elif one.key != "reader_map@0.5":
            assert second == pytest.approx(-first, abs=1e-12)

    def test_its_bounds(self, one: Metric) -> None:
        value = one.of(read_boxes(_rows(8))).value
        assert value is not None
        assert one.low is None or value >= one.low
        assert one.high is None or value <= one.high

    def test_nothing_read_is_undefined_with_a_reason(self, one: Metric) -> None:
        for empty in (read_boxes([]), read_boxes([("s", "c", "A", Box(0, 0, 9, 9))])):
            found = one.of(empty)
            assert (found.value, found.low, found.high) == (None, None, None)
            assert found.undefined_because

    def test_it_is_described(self, one: Metric) -> None:
        assert one.title
        assert one.formula
        assert one.undefined_when
        assert one.reference


def test_three_readers_in_any_order() -> None:
    rows = _rows(8)
    rows += [(s, c, "C", box) for s, c, r, box in _rows(5) if r == "B"]
    other = [(s, c, {"A": "C", "B": "A", "C": "B"}[r], box) for s, c, r, box in rows]
    first, second = read_boxes(rows), read_boxes(other)
    for one in (m for m in METRICS if m.symmetric):
        assert one.of(first).value == pytest.approx(one.of(second).value, abs=1e-12)


def test_keys() -> None:
    assert metric("f1").formula == "2 TP / (n + m)"
    assert len({m.key for m in METRICS}) == len(METRICS)
    with pytest.raises(KeyError):
        metric("nothing")
