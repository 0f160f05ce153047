"""What the tests of the numbers share: the published boxes, and readings made from plain tables."""

import json
from pathlib import Path
from typing import Any

import pytest

from nova_review.analysis.boxes import BoxRow, ReadBoxes, clip, read_boxes
from nova_review.domain.geometry import Size
from tests.helpers.box_tables import box_of, rows_of


@pytest.fixture(scope="session")
def metric_cases(shared_data: Path) -> Path:
    """The folder of worked examples."""
    return shared_data / "metric_cases"


@pytest.fixture(scope="session")
def box_cases(metric_cases: Path) -> list[dict[str, Any]]:
    """The 18 tricky pairs of box lists."""
    cases: list[dict[str, Any]] = json.loads((metric_cases / "box_cases.json").read_text())["cases"]
    return cases


@pytest.fixture(scope="session")
def crowd(shared_data: Path) -> ReadBoxes:
    """196 crowd workers on 200 pictures."""
    rows = rows_of(shared_data / "crowd_boxes" / "crowd_boxes.csv")
    return read_boxes([(r["image_id"], r["case_id"], r["reader"], box_of(r)) for r in rows])


@pytest.fixture(scope="session")
def published(shared_data: Path) -> ReadBoxes:
    """The published readers' boxes of the even-numbered cases, cut to 480 x 480."""
    folder = shared_data / "nova_annotations"
    case_of = {r["filename"]: r["case_id"] for r in rows_of(folder / "captions.csv")}
    rows: list[BoxRow] = [
        (r["filename"], case_of[r["filename"]], r["rater"], box_of(r))
        for r in rows_of(folder / "bboxes_raters.csv")
    ]
    return clip(read_boxes(rows), Size(480, 480))
