"""A dialect's scores of plain rows, without intervals."""

from collections.abc import Iterable

from nova_review.analysis.dialects.registry import LOCALISATION
from nova_review.analysis.dialects.scores import DialectName, Score
from nova_review.analysis.draws import draw_cases
from nova_review.analysis.scored_boxes import SliceBoxes, scored_boxes

Values = dict[tuple[str, float | str | None], float | None]
"""By (metric, threshold); None where the dialect says undefined."""


def scores_of(dialect: DialectName, rows: Iterable[SliceBoxes]) -> tuple[Score, ...]:
    """All scores, in order."""
    boxes = scored_boxes(list(rows))
    return LOCALISATION[dialect](boxes, draw_cases(boxes.cases, resamples=0, seed=1))


def values_of(dialect: DialectName, rows: Iterable[SliceBoxes]) -> Values:
    """Values by (metric, threshold), each of which occurs once; undefined (NaN with a reason) as None."""
    found: Values = {}
    for score in scores_of(dialect, rows):
        assert (score.metric, score.threshold) not in found
        undefined = score.value != score.value
        assert not undefined or score.missing
        found[(score.metric, score.threshold)] = None if undefined else score.value
    return found
