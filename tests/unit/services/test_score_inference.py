"""Differences of rows and gaps between readers and models, on a table made by hand."""

from collections.abc import Mapping

import numpy as np
import pytest
from scipy import stats

from nova_review.analysis.dialects.scores import DialectName, Score, Task, estimate_of
from nova_review.analysis.draws import Draws, draw_cases
from nova_review.domain.prediction import PredictionKind
from nova_review.services.score_differences import BOOTSTRAP, MODELS, NOT_JOINT, difference
from nova_review.services.score_gaps import EACH_OTHER, gaps
from nova_review.services.score_views import OTHERS, ScoreRequest, ScoreRow, ScoreTable, SetHead

COLUMN = (DialectName.GAZE, "ACC", 0.5)
CASES = [f"case{k:02}" for k in range(30)]
Hits = Mapping[str, np.ndarray]


def hits_of(**shares: float) -> Hits:
    rng = np.random.default_rng(21)
    hard = rng.random(30)
    return {name: (hard + rng.normal(0, 0.3, 30) < share).astype(float) for name, share in shares.items()}


def table_of(hits: Hits, *, resamples: int = 400, joint: bool = True, against: str = "gold") -> ScoreTable:
    """A table whose sets named m... are models; each case has one answer, NaN where it has none."""
    draws = draw_cases(CASES, resamples=resamples, seed=9)
    return ScoreTable(
        title="by hand",
        request=ScoreRequest(resamples=resamples, joint=joint),
        against=against,
        dialects=(DialectName.GAZE,),
        rows=tuple(row_of(name, own, draws, against) for name, own in hits.items()),
        groups=(),
        slices=(),
        ceilings=(),
        heads=tuple(head_of(name) for name in hits),
        draws=draws,
        left_out=(),
        case_of={name: name for name in CASES},
    )


def row_of(name: str, hits: np.ndarray, draws: Draws, against: str) -> ScoreRow:
    replicates = draws.weights @ hits / 30
    score = Score(Task.LOCALISATION, "ACC", 0.5, float(hits.mean()), replicates, 30, "hits", "no gold")
    return ScoreRow(name, kind_of(name), against, DialectName.GAZE, score, estimate_of(score, draws), "hits")


def kind_of(name: str) -> PredictionKind:
    return PredictionKind.MODEL if name.startswith("m") else PredictionKind.READER


def head_of(name: str, *, seen: tuple[str, ...] = ("image",)) -> SetHead:
    return SetHead(name, kind_of(name), 30, 0, 30, (seen, seen), False, 0, ())


def test_both_inferences_about_three_readers() -> None:
    hits = hits_of(R1=0.7, R2=0.8, R3=0.6, m1=0.5)
    (gap,) = gaps(table_of(hits), [COLUMN])
    readers = np.stack([hits["R1"], hits["R2"], hits["R3"]])
    mean = readers.mean() - hits["m1"].mean()
    weights = draw_cases(CASES, resamples=400, seed=9).weights / 30
    assert gap.fixed.value == pytest.approx(mean)
    expected = np.percentile(weights @ (readers.mean(axis=0) - hits["m1"]), [2.5, 97.5])
    assert [gap.fixed.low, gap.fixed.high] == pytest.approx(expected.tolist())

    d = (readers - hits["m1"]).mean(axis=1)
    covariance = np.cov(weights @ (readers - hits["m1"]).T, rowvar=False)
    shared = (covariance[0, 1] + covariance[0, 2] + covariance[1, 2]) / 3
    total = d.var(ddof=1) + 3 * shared
    degrees = total**2 / (d.var(ddof=1) ** 2 / 2)
    error = (total / 3) ** 0.5
    assert gap.random.value == pytest.approx(mean)
    assert gap.random.high == pytest.approx(mean + stats.t.ppf(0.975, degrees) * error)
    assert gap.p == pytest.approx(2 * stats.t.sf(abs(mean) / error, degrees))
    assert (gap.model, gap.readers, gap.fixed.n) == ("m1", 3, 30)
    assert gap.words == "mean of 3 readers minus the model; rough: fewer than 5 readers"


def test_one_reader_is_no_sample_of_readers() -> None:
    (gap,) = gaps(table_of(hits_of(R1=0.7, m1=0.5)), [COLUMN])
    assert gap.fixed.low is not None
    assert (gap.random.low, gap.random.undefined_because, gap.p) == (
        None,
        "one reader is no sample of readers",
        None,
    )


def test_two_readers_scored_against_each_other_are_told_apart() -> None:
    hits = hits_of(R1=0.7, R2=0.8, m1=0.5)
    assert EACH_OTHER in gaps(table_of(hits, against=OTHERS), [COLUMN])[0].words
    assert EACH_OTHER not in gaps(table_of(hits), [COLUMN])[0].words
    three = hits_of(R1=0.7, R2=0.8, R3=0.8, m1=0.5)
    assert EACH_OTHER not in gaps(table_of(three, against=OTHERS), [COLUMN])[0].words


def test_without_resamples_no_inference_is_made() -> None:
    (gap,) = gaps(table_of(hits_of(R1=0.7, R2=0.8, m1=0.5), resamples=0), [COLUMN])
    assert gap.fixed.undefined_because == gap.random.undefined_because == "no resamples were asked for"
    assert (gap.fixed.low, gap.random.low, gap.p) == (None, None, None)
    assert gap.random.value == pytest.approx(gap.fixed.value)


def test_a_reader_without_a_value_does_not_count_and_a_model_without_one_has_no_gap() -> None:
    hits = {**hits_of(R1=0.7, R2=0.8, m1=0.5), "R3": np.full(30, np.nan), "m2": np.full(30, np.nan)}
    found = gaps(table_of(hits), [COLUMN])
    assert [(gap.model, gap.readers) for gap in found] == [("m1", 2)]


def test_rows_on_their_own_slices_have_no_gap_and_no_difference() -> None:
    table = table_of(hits_of(R1=0.7, m1=0.5), joint=False)
    assert gaps(table, [COLUMN]) == ()
    assert difference(table, "R1", "m1", COLUMN).why_not == NOT_JOINT


def test_a_difference_is_paired_by_the_shared_draws() -> None:
    hits = hits_of(m1=0.7, m2=0.6)
    found = difference(table_of(hits), "m1", "m2", COLUMN)
    gains = hits["m1"] - hits["m2"]
    expected = draw_cases(CASES, resamples=400, seed=9).weights @ gains / 30
    assert found.estimate.value == pytest.approx(gains.mean())
    assert [found.estimate.low, found.estimate.high] == pytest.approx(
        np.percentile(expected, [2.5, 97.5]).tolist()
    )
    assert (found.inference, found.test) == (MODELS, BOOTSTRAP)
    beyond = min(int((expected <= 1e-12).sum()), int((expected >= -1e-12).sum()))
    assert found.p == pytest.approx(min(1.0, 2 * (1 + beyond) / 401))
