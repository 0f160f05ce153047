"""What a prediction file gave: answers on the slices of a study, and everything odd about it."""

from collections.abc import Mapping
from dataclasses import dataclass

from nova_review.domain.dataset import Oddity
from nova_review.domain.geometry import Size
from nova_review.domain.prediction import Prediction


@dataclass(frozen=True, slots=True)
class SlicePlace:
    """Where a prediction can go: a slice by data set and file name, with its size in pixels."""

    data_set: str
    file_name: str
    case_code: str
    size: Size


@dataclass(frozen=True, slots=True)
class ReadPredictions:
    """`convention` says how the boxes were written ("xyxy in pixel"); `shape` names the layout."""

    predictions: tuple[Prediction, ...]
    convention: str
    shape: str
    warnings: tuple[Oddity, ...]


@dataclass(frozen=True, slots=True)
class PredictionOptions:
    """What the person says about the file: words of --boxes and --units, None for nothing."""

    boxes: str | None = None
    units: str | None = None

    def words(self) -> Mapping[str, str | None]:
        """Return the options by their names."""
        return {"boxes": self.boxes, "units": self.units}
