"""Presence: two readers by their table, more readers by shares."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nova_review.analysis.boxes import BoxRow, read_boxes
from nova_review.analysis.categorical import Level, fleiss_kappa, gwet_ac1, krippendorff_alpha
from nova_review.analysis.pairs import pair_readings
from nova_review.analysis.presence import Presence, presence
from nova_review.analysis.resampling import Bootstrap
from nova_review.domain.geometry import Box

Answers = list[dict[str, bool]]


def _presence(answers: Answers, resamples: int = 0) -> Presence:
    rows: list[BoxRow] = [
        (f"s{k}", f"c{k}", reader, Box(0, 0, 9, 9) if yes else None)
        for k, slice_answers in enumerate(answers)
        for reader, yes in slice_answers.items()
    ]
    pairs = pair_readings(read_boxes(rows))
    return presence(pairs, bootstrap=Bootstrap(len(pairs.unit_names), resamples, 1))


def _table(a: int, b: int, c: int, d: int) -> Answers:
    cells = ((a, True, True), (b, True, False), (c, False, True), (d, False, False))
    return [{"A": x, "B": y} for count, x, y in cells for _ in range(count)]


def test_gwets_example_of_a_frequent_trait() -> None:
    found = _presence(_table(118, 5, 2, 0), resamples=500)
    assert (found.table.both, found.table.only_a, found.table.only_b, found.table.neither) == (118, 5, 2, 0)
    assert found.kappa_of == "Cohen"
    assert found.kappa.value == pytest.approx(-0.0233918, abs=5e-8)
    assert found.ac1.value == pytest.approx(0.9407763, abs=5e-8)
    assert found.pabak.value == pytest.approx(0.888)
    assert found.positive_agreement.value == pytest.approx(0.9711934, abs=5e-8)
    assert found.negative_agreement.value == 0.0
    assert found.kappa.n == 125
    assert found.ac1.low is not None
    assert found.ac1.high is not None
    assert found.ac1.low < 0.9407763 < found.ac1.high


def test_four_agree_among_ten() -> None:
    # po = 35/50, pe = (25 * 30 + 25 * 20) / 2500 = .5: kappa = .2 / .5.
    assert _presence(_table(20, 5, 10, 15)).kappa.value == pytest.approx(0.4)


@settings(deadline=None)
@given(
    st.lists(
        st.dictionaries(st.sampled_from("ABCD"), st.booleans(), min_size=2), min_size=2, max_size=8
    ).filter(lambda a: len({r for one in a for r in one}) > 2)
)
def test_many_readers_equal_the_general_formulas(answers: Answers) -> None:
    found = _presence(answers)
    counts = np.array([[list(a.values()).count(True), list(a.values()).count(False)] for a in answers], float)
    values = [[float(a[r]) if r in a else None for a in answers] for r in "ABCD"]
    assert found.kappa_of == "Fleiss"
    expected = (fleiss_kappa(counts), gwet_ac1(counts), krippendorff_alpha(values, level=Level.NOMINAL))
    for estimate, value in zip((found.kappa, found.ac1, found.alpha), expected, strict=True):
        assert estimate.value == (None if value is None else pytest.approx(value, abs=1e-12))
