"""Agreement on published data, against an oracle of plain loops, and where there is next to none."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nova_review.analysis.agreement import Agreement, agreement_object, measure_agreement
from nova_review.analysis.boxes import BoxRow, ReadBoxes, clip, read_boxes
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.pairs import Unit, pair_readings
from nova_review.analysis.resampling import Bootstrap
from nova_review.analysis.set_alpha import set_alpha
from nova_review.analysis.union_dice import union_dice
from nova_review.domain.geometry import Box, Size
from tests.helpers import agreement_oracle as oracle
from tests.helpers.box_tables import box_of, rows_of

HERE, THERE = Box(10, 10, 20, 20), Box(200, 200, 20, 20)


def _near(estimate: Estimate, value: float, low: float, high: float, within: float = 0.0025) -> None:
    assert estimate.value == pytest.approx(value, abs=0.0005)
    assert estimate.low == pytest.approx(low, abs=within)
    assert estimate.high == pytest.approx(high, abs=within)


def test_crowd_workers(crowd: ReadBoxes) -> None:
    found = measure_agreement(crowd)
    at_3, at_5 = found.boxes
    _near(at_3.f1, 0.707, 0.682, 0.731)
    _near(at_5.f1, 0.611, 0.585, 0.638)
    assert at_3.matched_iou.value == pytest.approx(0.709, abs=0.0005)
    assert at_5.matched_iou.value == pytest.approx(0.755, abs=0.0005)
    assert found.set_alpha.value == pytest.approx(0.499, abs=0.001)
    dice = union_dice(found.pairs, bootstrap=Bootstrap(200, 0, 1))
    assert dice.value == pytest.approx(0.735, abs=0.0005)
    assert (found.pairs.slices, found.pairs.cases, len(found.pairs.read.readers)) == (200, 200, 196)


def test_crowd_workers_against_their_gold(crowd: ReadBoxes, shared_data: Path) -> None:
    gold = rows_of(shared_data / "crowd_boxes" / "crowd_gold.csv")
    boxes = {s: [] for s in crowd.slices}  # type: ignore[var-annotated]
    for row in gold:
        boxes[row["image_id"]].append(box_of(row))
    tp = n = m = 0
    for k, (place, first, last) in enumerate(
        zip(crowd.reading_slice, crowd.first, crowd.first[1:], strict=False)
    ):
        name = f"{crowd.slices[place]} {k}"
        own = [Box(x, y, r - x, b - y) for x, y, r, b in crowd.corners[first:last].tolist()]
        rows: list[BoxRow] = [(name, name, "worker", box) for box in own]
        rows += [(name, name, "gold", box) for box in boxes[crowd.slices[place]]]
        counts = measure_agreement(read_boxes(rows), thresholds=[0.5], resamples=0).boxes[0].counts
        tp, n, m = tp + counts.tp, n + counts.tp + counts.only_a, m + counts.tp + counts.only_b
    assert 2 * tp / (n + m) == pytest.approx(0.624, abs=0.0005)


def test_published_readers(published: ReadBoxes) -> None:
    found = measure_agreement(published)
    at_3, at_5 = found.boxes
    assert at_3.f1.value == pytest.approx(0.98526, abs=5e-6)
    assert at_5.f1.value == pytest.approx(0.72236, abs=5e-6)
    assert at_3.matched_iou.value == pytest.approx(0.62697, abs=5e-6)
    assert at_5.matched_iou.value == pytest.approx(0.71046, abs=5e-6)
    assert (at_5.counts.tp, at_5.counts.only_a, at_5.counts.only_b) == (294, 407 - 294, 407 - 294)
    assert (found.pairs.slices, len(found.pairs.left), at_3.f1.n) == (358, 358, 358)
    # No published slice is normal.
    assert found.presence.negative_agreement.undefined_because == (
        "no negatives: every reader found something on every slice"
    )
    assert found.presence.kappa.value is None
    assert found.warnings == ("Left out: 89 slices that fewer than two readers have read.",)


def test_intervals_by_slice_are_too_narrow_and_say_so() -> None:
    # Ten slices of each case say the same: by slice the interval is sqrt(10) times too narrow.
    rows: list[BoxRow] = []
    for case in range(40):
        second = HERE if case % 3 else THERE
        for k in range(10):
            rows += [(f"{case}.{k}", f"c{case}", "A", HERE), (f"{case}.{k}", f"c{case}", "B", second)]
    by_case = measure_agreement(read_boxes(rows))
    by_slice = measure_agreement(read_boxes(rows), resample=Unit.SLICE)
    assert by_slice.boxes[1].f1.value == by_case.boxes[1].f1.value
    assert _width(by_case.boxes[1].f1) == pytest.approx(10**0.5 * _width(by_slice.boxes[1].f1), rel=0.1)
    assert by_case.warnings == ()
    assert by_slice.warnings == (
        "Slices of one case are not independent: intervals made by slice may be too narrow.",
    )
    assert agreement_object(by_slice)["resample"] == "slice"


def _width(estimate: Estimate) -> float:
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.high - estimate.low


def test_the_real_second_readings_are_few_and_say_so(shared_data: Path) -> None:
    folder = shared_data / "realset"
    real = {
        r["filename"]
        for r in rows_of(folder / "box_provenance.csv")
        if r["reader"] == "rater2" and r["origin"].startswith("real")
    }
    rows: list[BoxRow] = [
        (r["filename"], r["filename"][:8], r["rater"], box_of(r))
        for r in rows_of(folder / "bboxes_raters.csv")
        if r["filename"] in real
    ]
    found = measure_agreement(clip(read_boxes(rows), Size(480, 480)))
    assert found.pairs.slices == 16
    at_5 = found.boxes[1].f1
    expected = oracle.pooled(_as_readings(rows), 0.5)
    assert at_5.value == pytest.approx(expected["f1"], abs=1e-12)
    assert at_5.low is not None
    assert at_5.high is not None
    assert at_5.low < at_5.value < at_5.high  # type: ignore[operator]
    assert "Only 16 cases: the intervals are rough (fewer than 20)." in found.warnings


def _as_readings(rows: list[BoxRow]) -> oracle.Readings:
    readings: oracle.Readings = {}
    for name, _, reader, box in rows:
        own = readings.setdefault((name, reader), [])
        if box is not None:
            own.append((max(box.x, 0.0), max(box.y, 0.0), min(box.right, 480.0), min(box.bottom, 480.0)))
    return readings


side = st.integers(0, 30)
boxes = st.builds(lambda x, y, w, h: Box(x, y, w, h), side, side, st.integers(1, 20), st.integers(1, 20))
readings = st.dictionaries(
    st.tuples(st.sampled_from(["s1", "s2", "s3", "s4"]), st.sampled_from("ABC")), st.lists(boxes, max_size=4)
)


def _rows(given_readings: dict[tuple[str, str], list[Box]]) -> list[BoxRow]:
    rows: list[BoxRow] = [(s, s, r, None) for s, r in given_readings]
    return rows + [(s, s, r, box) for (s, r), own in given_readings.items() for box in own]


@settings(deadline=None)
@given(readings, st.sampled_from([0.3, 0.5]))
def test_against_plain_loops(given_readings: dict[tuple[str, str], list[Box]], t: float) -> None:
    rows = _rows(given_readings)
    found = measure_agreement(read_boxes(rows), thresholds=[t], resamples=0)
    plain = oracle.pooled(_as_readings(rows), t)
    at = found.boxes[0]
    for name, estimate in (("f1", at.f1), ("matched_iou", at.matched_iou), ("pq", at.pq)):
        expected = plain[name]
        assert estimate.value == (None if expected is None else pytest.approx(expected, abs=1e-12))
        assert (estimate.value is None) == (estimate.undefined_because != "no resamples were asked for")
    assert (at.counts.tp, at.counts.only_a, at.counts.only_b) == tuple(
        plain[name] for name in ("tp", "only_a", "only_b")
    )
    alpha = oracle.set_alpha(_as_readings(rows))
    assert found.set_alpha.value == (None if alpha is None else pytest.approx(alpha, abs=1e-9))


@settings(deadline=None)
@given(readings, st.randoms(use_true_random=False))
def test_neither_rows_nor_names_matter(given_readings: dict[tuple[str, str], list[Box]], rng: Any) -> None:
    rows = _rows(given_readings)
    first = measure_agreement(read_boxes(rows), resamples=50)
    rng.shuffle(rows)
    assert _object(measure_agreement(read_boxes(rows), resamples=50)) == _object(first)
    other_names = [(s, c, {"A": "Z", "B": "Y", "C": "X"}[r], box) for s, c, r, box in rows]
    second = measure_agreement(read_boxes(other_names), resamples=50)
    assert _symmetric(second) == _symmetric(first)


def _object(agreement: Agreement) -> object:
    """The object with numbers rounded: sums in another order differ in their last bits."""
    return json.loads(json.dumps(agreement_object(agreement)), parse_float=lambda text: round(float(text), 9))


def _symmetric(agreement: Agreement) -> list[object]:
    found: Any = _object(agreement)
    both = (found["presence"]["table"]["both"], found["presence"]["table"]["neither"])
    numbers = [found["presence"][k] for k in ("positive_agreement", "negative_agreement", "kappa", "ac1")]
    return [found["detection"], found["localisation"], found["set_alpha"], both, numbers]


def test_the_object_has_exactly_its_keys() -> None:
    rows: list[BoxRow] = [(f"s{k}", f"c{k}", r, HERE) for k in range(3) for r in "AB"]
    found: Any = agreement_object(
        measure_agreement(read_boxes(rows), thresholds=[0.5, 1 / 3], seed=7, resamples=10)
    )
    assert list(found) == [
        "readers", "slices", "cases", "reader_pairs", "detection", "localisation", "set_alpha",
        "presence", "counts", "seed", "resamples", "resample",
    ]  # fmt: skip
    assert (found["readers"], found["slices"], found["cases"], found["reader_pairs"]) == (["A", "B"], 3, 3, 3)
    assert list(found["detection"]) == ["f1@0.5", "f1@0.333333"]
    assert list(found["localisation"]) == [
        "matched_iou@0.5", "pq@0.5", "matched_iou@0.333333", "pq@0.333333",
    ]  # fmt: skip
    assert found["counts"]["tp@0.5"] == 3
    assert list(found["presence"]) == ["table", "positive_agreement", "negative_agreement", "kappa", "ac1"]
    assert found["presence"]["table"] == {"both": 3, "only_a": 0, "only_b": 0, "neither": 0}
    assert list(found["set_alpha"]) == ["value", "low", "high", "n", "dropped", "undefined_because"]
    assert (found["seed"], found["resamples"], found["resample"]) == (7, 10, "case")
    json.dumps(found, allow_nan=False)


def test_all_readers_normal() -> None:
    found = measure_agreement(read_boxes([(f"s{k}", f"c{k}", r, None) for k in range(25) for r in "AB"]))
    for estimate in (found.boxes[0].f1, found.boxes[0].matched_iou, found.boxes[0].pq):
        assert estimate.value is None
        assert estimate.undefined_because == "nobody drew a box on a slice that two readers read"
    assert found.presence.positive_agreement.undefined_because == (
        "no positives: no reader found anything on any slice"
    )
    negative = found.presence.negative_agreement
    # 25 of 25 answers agree: the exact interval ends at .025 ** (1 / 25) = .8628.
    assert (negative.value, negative.low, negative.high) == (1.0, pytest.approx(0.8628, abs=5e-5), 1.0)
    assert found.presence.ac1.value == 1.0
    assert found.presence.ac1.undefined_because == "no variation in 25 cases"
    assert found.presence.kappa.value is None
    assert found.set_alpha.undefined_because == (
        "readings of different slices do not differ, so that chance cannot be told from agreement"
    )


def test_one_reader() -> None:
    found = measure_agreement(read_boxes([("s", "c", "A", HERE)]))
    every = [
        found.set_alpha,
        found.presence.kappa,
        found.presence.ac1,
        found.boxes[0].f1,
        found.boxes[0].matched_iou,
    ]
    assert {e.undefined_because for e in every} == {"no slice was read by two readers"}
    assert {e.value for e in every} == {None}
    assert found.pairs.slices == 0
    assert found.warnings == ("Left out: 1 slice that fewer than two readers have read.",)
    assert measure_agreement(read_boxes([])).warnings == ()


def test_one_slice() -> None:
    found = measure_agreement(read_boxes([("s", "c", "A", HERE), ("s", "c", "B", HERE)]))
    f1 = found.boxes[0].f1
    # One of one: exact, and next to nothing: .025 to 1.
    assert (f1.value, f1.low, f1.high, f1.n) == (1.0, pytest.approx(0.025), 1.0, 1)
    matched = found.boxes[0].matched_iou
    assert (matched.value, matched.low, matched.undefined_because) == (1.0, None, "no variation in 1 case")
    assert found.set_alpha.undefined_because == (
        "only one slice was read by two readers: there is no other slice to compare with"
    )
    assert found.warnings == ("Only 1 case: the intervals are rough (fewer than 20).",)


def test_disjoint_boxes() -> None:
    rows: list[BoxRow] = [
        (f"s{k}", f"c{k}", r, box) for k in range(30) for r, box in (("A", HERE), ("B", THERE))
    ]
    found = measure_agreement(read_boxes(rows))
    f1 = found.boxes[1].f1
    assert (f1.value, f1.low) == (0.0, 0.0)
    assert f1.high == pytest.approx(1 - 0.025 ** (1 / 30))
    assert found.boxes[1].matched_iou.undefined_because == "no two boxes match"
    assert found.boxes[1].counts.only_a == 30
    assert found.presence.positive_agreement.value == 1.0


def test_one_split_into_two() -> None:
    rows: list[BoxRow] = [("s", "c", "A", Box(0, 0, 100, 60))]
    rows += [("s", "c", "B", Box(0, 0, 50, 60)), ("s", "c", "B", Box(50, 0, 50, 60))]
    at = measure_agreement(read_boxes(rows), thresholds=[0.5]).boxes[0]
    assert (at.counts.tp, at.counts.only_a, at.counts.only_b) == (1, 0, 1)
    assert (at.f1.value, at.matched_iou.value) == (pytest.approx(2 / 3), 0.5)
    assert at.f1.undefined_because == "no variation in 1 case"  # no yes or no, so nothing exact


def test_boxes_lost_by_clipping_are_told() -> None:
    rows: list[BoxRow] = [("s", "c", "A", Box(90, 0, 5, 5)), ("s", "c", "A", HERE), ("s", "c", "B", HERE)]
    found = measure_agreement(clip(read_boxes(rows), Size(80, 80)))
    assert found.boxes[0].f1.value == 1.0
    assert "Left out: 1 box wholly outside the picture." in found.warnings


def test_resamples_without_a_value_are_dropped_and_counted() -> None:
    # Boxes in one case of two: a resample without it (1 in 4) has no F1.
    rows: list[BoxRow] = [("s1", "c1", "A", HERE), ("s1", "c1", "B", HERE), ("s1", "c1", "B", THERE)]
    rows += [("s2", "c2", "A", None), ("s2", "c2", "B", None)]
    f1 = measure_agreement(read_boxes(rows), resamples=400).boxes[0].f1
    assert 60 <= f1.dropped <= 140
    assert f1.undefined_because == "no variation in 2 cases"


def test_alpha_by_drawn_pairs_is_near_the_exact_one(published: ReadBoxes) -> None:
    pairs = pair_readings(published)
    bootstrap = Bootstrap(len(pairs.unit_names), 0, 1)
    exact = set_alpha(pairs, bootstrap=bootstrap, chance_pairs=10**9)
    drawn = set_alpha(pairs, bootstrap=bootstrap, chance_pairs=20_000)
    assert exact.value == pytest.approx(0.58193, abs=5e-6)
    assert drawn.value == pytest.approx(exact.value, abs=0.001)


def test_the_interval_of_alpha_follows_the_cases() -> None:
    # Against recomputing everything from the drawn cases, one by one.
    rng = np.random.default_rng(11)
    base = {(f"s{k}", r): [Box(*rng.uniform(0, 60, 2), 25, 25)] for k in range(30) for r in "A"}
    base |= {(s, "B"): [Box(b[0].x + rng.uniform(0, 9), b[0].y, 25, 25)] for (s, _), b in base.items()}
    found = measure_agreement(read_boxes(_rows(base)), resamples=2_000).set_alpha
    values = []
    for _ in range(400):
        drawn = rng.integers(0, 30, 30)
        again = {(f"t{i}", r): base[f"s{k}", r] for i, k in enumerate(drawn.tolist()) for r in "AB"}
        pairs = pair_readings(read_boxes(_rows(again)))
        values.append(set_alpha(pairs, bootstrap=Bootstrap(30, 0, 1)).value)
    low, high = np.percentile(np.array(values, float), [2.5, 97.5])
    # Slices drawn twice count as other slices of each other above, a bias of about 1 / 30.
    assert _width(found) == pytest.approx(high - low, rel=0.25)
