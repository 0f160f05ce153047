"""What a prediction file gave: answers on the slices of a study, and everything odd about it."""

from collections.abc import Mapping
from dataclasses import dataclass

from nova_review.domain.dataset import Oddity
from nova_review.domain.geometry import Box, Size
from nova_review.domain.judging import JudgedPair
from nova_review.domain.prediction import Prediction, PredictionJudgement

SLACK = 0.02
"""Share of a side by which a box may leave its picture in a reading that still counts as possible."""


@dataclass(frozen=True, slots=True)
class SlicePlace:
    """Where a prediction can go: a slice by data set and file name, with its size in pixels."""

    data_set: str
    file_name: str
    case_code: str
    size: Size


@dataclass(frozen=True, slots=True)
class ReadPredictions:
    """`convention` says how the boxes were written ("xyxy in pixel"); `shape` names the layout.

    `judgements` and `pairs` are what a judge said, with `judged_by` "" where the file names no judge.
    """

    predictions: tuple[Prediction, ...]
    convention: str
    shape: str
    warnings: tuple[Oddity, ...]
    judgements: tuple[PredictionJudgement, ...] = ()
    pairs: tuple[JudgedPair, ...] = ()


@dataclass(frozen=True, slots=True)
class PredictionOptions:
    """What the person says about the file: words of --boxes and --units, None for nothing."""

    boxes: str | None = None
    units: str | None = None

    def words(self) -> Mapping[str, str | None]:
        """Return the options by their names."""
        return {"boxes": self.boxes, "units": self.units}


def fits(box: Box, size: Size) -> bool:
    """Whether a box (pixels) has an area and lies in its picture, but for a little slack."""
    dx, dy = SLACK * size.width, SLACK * size.height
    return (
        box.width > 0
        and box.height > 0
        and box.x >= -dx
        and box.y >= -dy
        and box.right <= size.width + dx
        and box.bottom <= size.height + dy
    )
