"""What the tests of the dialects share."""

from collections.abc import Callable, Iterable

import pytest

from nova_review.analysis.dialects.registry import LOCALISATION
from nova_review.analysis.dialects.scores import DialectName, Score
from nova_review.analysis.draws import draw_cases
from nova_review.analysis.scored_boxes import SliceBoxes, scored_boxes

Values = dict[tuple[str, float | str | None], float | None]
"""By (metric, threshold); None where the dialect says undefined."""
ScoresOf = Callable[[DialectName, Iterable[SliceBoxes]], tuple[Score, ...]]
ValuesOf = Callable[[DialectName, Iterable[SliceBoxes]], Values]


@pytest.fixture(scope="session")
def scores_of() -> ScoresOf:
    """Scores of plain rows, without intervals."""

    def scores(dialect: DialectName, rows: Iterable[SliceBoxes]) -> tuple[Score, ...]:
        boxes = scored_boxes(list(rows))
        return LOCALISATION[dialect](boxes, draw_cases(boxes.cases, resamples=0, seed=1))

    return scores


@pytest.fixture(scope="session")
def values_of(scores_of: ScoresOf) -> ValuesOf:
    """Values of plain rows by (metric, threshold); undefined (NaN with a reason) as None."""

    def values(dialect: DialectName, rows: Iterable[SliceBoxes]) -> Values:
        found: Values = {}
        for score in scores_of(dialect, rows):
            assert (score.metric, score.threshold) not in found
            undefined = score.value != score.value
            assert not undefined or score.missing
            found[(score.metric, score.threshold)] = None if undefined else score.value
        return found

    return values
