"""`waldo` results, with the overlaps worked out by hand."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nova_review.domain.dataset import GoldBox
from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictedBox
from nova_review.domain.snapshot import SnapshotDataSet
from nova_review.formats.exchange.waldo import remarks_on_waldo, write_waldo
from nova_review.formats.predictions.reading import read_predictions
from nova_review.services.export_material import Remark
from nova_review.services.prediction_content import PredictionOptions
from tests.helpers.exports import AWKWARD, answer, content_of, laid, model_set, slice_places, written
from tests.helpers.studies import NAMES, data_set

G1, G2 = Box(100, 100, 100, 100), Box(300, 300, 100, 100)
P1, P2 = PredictedBox(Box(110, 110, 100, 100), 0.9), PredictedBox(Box(0, 0, 50, 50), 0.8)


def worked() -> SnapshotDataSet:
    return replace(data_set(), gold=(GoldBox(NAMES[0], G1), GoldBox(NAMES[0], G2)))


def document(content: Any) -> Any:
    (data,) = written(write_waldo(content)).values()
    return json.loads(data)


def test_the_worked_example_of_the_scorers() -> None:
    sets = [model_set([answer(boxes=[P1, P2]), answer(NAMES[1], [P2])])]
    content = content_of(sets, one_data_set=worked())
    assert set(written(write_waldo(content))) == {"model-a/nova/nova_zeroshot_model-a.json"}
    found = document(content)
    first, second = found["results"]
    # IoU(P1, G1) = 90 * 90 / (2 * 100 * 100 - 8100) = 8100 / 11900.
    assert first["iou"] == pytest.approx(8100 / 11900, abs=1e-15)
    assert (first["hit_30"], first["hit_50"], first["n_pred"], first["n_gt"]) == (True, True, 2, 2)
    assert first["pred_boxes"] == [[110, 110, 210, 210], [0, 0, 50, 50]]
    assert first["gt_boxes"] == [[100, 100, 200, 200], [300, 300, 400, 400]]
    # No gold on the second slice: no overlap, no hit.
    assert (second["iou"], second["hit_30"], second["n_gt"]) == (0.0, False, 0)
    # One hit on two slices; mean of 8100/11900 and 0.
    assert found["metrics"]["mAP@30"] == 0.5
    assert found["metrics"]["avg_iou"] == pytest.approx(8100 / 11900 / 2, abs=1e-15)
    assert found["detailed_results"][0] == {
        key: first[key] for key in ("filename", "iou", "hit_30", "hit_50")
    }
    assert remarks_on_waldo(content).counted == (
        Remark("slices without gold or without an answer on boxes", 1, "model-a"),
    )


def test_an_overlap_just_below_a_threshold_is_no_hit() -> None:
    # IoU of two boxes of 100 x 100 shifted by d along one axis: (100 - d) / (100 + d); 0.3 at d = 700 / 13.
    for d, hit in ((700 / 13 - 1e-9, True), (700 / 13 + 1e-9, False)):
        content = content_of(
            [model_set([answer(boxes=[PredictedBox(Box(100 + d, 100, 100, 100))])])], one_data_set=worked()
        )
        assert document(content)["results"][0]["hit_30"] is hit


def test_without_gold_there_is_nothing_to_write() -> None:
    content = content_of([model_set([answer(boxes=[P1])])], one_data_set=data_set(gold=False))
    assert written(write_waldo(content)) == {}
    assert "gold boxes" in remarks_on_waldo(content).missing[0]


def test_boxes_scores_and_labels_come_back(tmp_path: Path) -> None:
    boxes = [PredictedBox(AWKWARD, 0.5, "mass"), PredictedBox(Box(-3.0, 470.0, 50.0, 79.0))]
    root = laid(tmp_path, write_waldo(content_of([model_set([answer(boxes=boxes)])])))
    (found,) = read_predictions(root / "model-a", slice_places(), PredictionOptions()).predictions
    assert [(b.score, b.label) for b in found.boxes or ()] == [(0.5, "mass"), (None, "")]
    for one, other in zip(boxes, found.boxes or (), strict=True):
        assert (other.box.x, other.box.y) == (one.box.x, one.box.y)
        assert other.box.width == pytest.approx(one.box.width, abs=1e-9)
        assert other.box.height == pytest.approx(one.box.height, abs=1e-9)
