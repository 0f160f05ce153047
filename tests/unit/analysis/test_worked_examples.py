"""All 48 published values, each reproduced by two independent programs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nova_review.analysis.areas import bland_altman
from nova_review.analysis.boxes import FloatArray, read_boxes
from nova_review.analysis.categorical import (
    Level,
    cohen_kappa,
    defined,
    fleiss_kappa,
    gwet_ac1,
    gwet_ac1_2x2,
    krippendorff_alpha,
    pabak,
    positive_agreement,
)
from nova_review.analysis.detection import box_agreement
from nova_review.analysis.intraclass import Form, icc
from nova_review.analysis.pairs import pair_readings
from nova_review.analysis.resampling import Bootstrap
from nova_review.domain.geometry import Box


def _counts(values: list[list[float | None]]) -> FloatArray:
    """(units, categories) counts of (readers, units) values."""
    levels = sorted({v for row in values for v in row if v is not None})
    return np.array(
        [[column.count(level) for level in levels] for column in zip(*values, strict=True)], float
    )


def _one_class_alpha(matched: int, alone: int) -> float | None:
    """Nominal alpha after matching: a matched lesion is (1, 1), one seen by one reader (1, 0)."""
    pairs = [[1.0, 1.0]] * matched + [[1.0, 0.0]] * alone
    return krippendorff_alpha(list(zip(*pairs, strict=True)), level=Level.NOMINAL)


def _f1(both: int, only_a: int, only_b: int) -> float | None:
    def row(name: str, reader: str) -> tuple[str, str, str, Box]:
        return (name, name, reader, Box(0, 0, 10, 10))

    rows = [row(f"both{k}", r) for k in range(both) for r in ("a", "b")]
    rows += [row(f"a{k}", "a") for k in range(only_a)] + [row(f"b{k}", "b") for k in range(only_b)]
    empty = [(f"a{k}", f"a{k}", "b", None) for k in range(only_a)]
    empty += [(f"b{k}", f"b{k}", "a", None) for k in range(only_b)]
    pairs = pair_readings(read_boxes([*rows, *empty]))
    return box_agreement(pairs, thresholds=[0.5], bootstrap=Bootstrap(1, 0, 1))[0].f1.value


METHODS: dict[str, Callable[[Any], float | None]] = {
    "kripp_nominal": lambda v: krippendorff_alpha(v, level=Level.NOMINAL),
    "kripp_ordinal": lambda v: krippendorff_alpha(v, level=Level.ORDINAL),
    "kripp_interval": lambda v: krippendorff_alpha(v, level=Level.INTERVAL),
    "kripp_ratio": lambda v: krippendorff_alpha(v, level=Level.RATIO),
    "fleiss": lambda v: fleiss_kappa(np.array(v, float)),
    "gwet_ac1": lambda v: gwet_ac1(_counts(v)),
    "kappa2x2": lambda v: defined(cohen_kappa(*v)),
    "ac1_2x2": lambda v: defined(gwet_ac1_2x2(*v)),
    "pabak2x2": lambda v: defined(pabak(*v)),
    "pos2x2": lambda v: defined(positive_agreement(*v[:3])),
    "ba_bias": lambda v: bland_altman(*np.array(v, float)).bias,
    "ba_sd": lambda v: bland_altman(*np.array(v, float)).sd,
    "ba_low_z2": lambda v: (bland_altman(*np.array(v, float)).limits(2) or (None, None))[0],
    "ba_high_z2": lambda v: (bland_altman(*np.array(v, float)).limits(2) or (None, None))[1],
    "nominal_box_alpha": lambda v: -(v[1] - 1) / (2 * v[0] + v[1]),
    "frk": lambda v: _f1(*v),
    **{f"icc_{form}": lambda v, form=form: icc(np.array(v, float), form=form) for form in Form},
}


def test_every_worked_example(metric_cases: Path) -> None:
    examples = json.loads((metric_cases / "worked_examples.json").read_text())
    assert len(examples) == 48
    wrong = []
    for example in examples:
        found = METHODS[example["method"]](example["input"])
        expected = example["value"]
        if found != (None if expected is None else pytest.approx(expected, abs=5e-6)):
            wrong.append((example["id"], found, expected))
    assert not wrong


def test_nominal_alpha_after_matching_is_the_closed_form_and_useless() -> None:
    # Why the set distance is used instead: 100 of 120 lesions agree, and alpha is below 0. The closed
    # form counts an unmatched box as a unit with the answers "lesion" and "nothing".
    assert _one_class_alpha(100, 20) == pytest.approx(-(20 - 1) / (2 * 100 + 20), abs=1e-12)


def test_without_variation() -> None:
    assert krippendorff_alpha([[1, 1], [1, 1]], level=Level.NOMINAL) is None
    assert krippendorff_alpha([[1, None], [None, 1]], level=Level.NOMINAL) is None
    assert fleiss_kappa(np.array([[3.0, 0.0], [3.0, 0.0]])) is None
    assert fleiss_kappa(np.array([[1.0, 0.0]])) is None
    assert gwet_ac1(np.array([[3.0, 0.0], [3.0, 0.0]])) == 1.0
    assert icc(np.ones((4, 2))) is None
    assert icc(np.array([[1.0, 2.0]])) is None


def test_limits_need_two_differences() -> None:
    one = bland_altman(np.array([3.0]), np.array([1.0]))
    assert (one.bias, one.sd, one.limits()) == (2.0, None, None)
    none = bland_altman(np.array([]), np.array([]))
    assert (none.bias, none.sd, none.limits()) == (None, None, None)
    # Differences 1 and 3: mean 2, sd sqrt(2).
    assert bland_altman(np.array([1.0, 3.0]), np.zeros(2)).limits(1.0) == pytest.approx(
        (2 - 2**0.5, 2 + 2**0.5)
    )


def test_alpha_equals_the_reference_program() -> None:
    reference = pytest.importorskip("krippendorff")
    rng = np.random.default_rng(5)
    for level in Level:
        values = rng.integers(1, 6, size=(4, 30)).astype(float)
        values[rng.random(values.shape) < 0.3] = np.nan
        ours = krippendorff_alpha(np.where(np.isnan(values), None, values).tolist(), level=level)
        theirs = reference.alpha(reliability_data=values, level_of_measurement=level.value)
        assert ours == pytest.approx(theirs, abs=1e-12)
