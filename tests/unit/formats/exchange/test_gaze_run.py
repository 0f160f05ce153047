"""Run folders: the row numbers, the clipping, the shape of a response."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictedBox
from nova_review.formats.exchange.gaze_run import remarks_on_gaze_run, write_gaze_run
from nova_review.formats.exchange.material import parquet_names
from nova_review.formats.exchange.nova_parquet import write_nova_parquet
from nova_review.formats.predictions.reading import read_predictions
from nova_review.services.export_material import DataSetMaterial, Remark
from nova_review.services.prediction_content import PredictionOptions
from tests.helpers.exports import AWKWARD, HOSTILE, answer, content_of, laid, model_set, slice_places, written
from tests.helpers.studies import NAMES, case_reading, data_set, finding, slice_reading

ENDS_OUTSIDE = PredictedBox(Box(400.0, -3.0, 149.0, 100.0), 0.8)
FAR_OUTSIDE = PredictedBox(Box(481.0, 0.0, 10.0, 10.0), 0.7)


def response(data: bytes) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(data)["response"]
    return found


def test_boxes_are_clipped_and_what_is_left_of_none_is_dropped() -> None:
    content = content_of([model_set([answer(boxes=[ENDS_OUTSIDE, FAR_OUTSIDE, PredictedBox(AWKWARD)])])])
    found = response(written(write_gaze_run(content))["model-a/sample_0.json"])["localization"]
    # 400 + 149 = 549 is cut to 480, -3 to 0; the third box lies inside and keeps its corners.
    inside = [10.37, 20.61, 10.37 + 55.123, 20.61 + 70.999]
    assert [one["bounding_box"] for one in found["localizations"]] == [[400.0, 0.0, 480.0, 97.0], inside]
    assert [one["confidence"] for one in found["localizations"]] == [0.8, 1.0]
    assert found["image_dimensions"] == {"width": 480, "height": 480}
    assert found["coordinate_system"] == "absolute_pixels"
    assert remarks_on_gaze_run(content).counted == (
        Remark("boxes outside the picture, dropped", 1, "model-a"),
        Remark("boxes clipped to the picture", 1, "model-a"),
        Remark("slices not answered or not readable", 2, "model-a"),
    )


def test_a_picture_of_another_size_clips_at_its_own_border() -> None:
    own = data_set()
    small = replace(own, slices=(replace(own.slices[0], width=300, height=420), *own.slices[1:]))
    content = content_of([model_set([answer(boxes=[PredictedBox(Box(0, 0, 480, 480))])])], one_data_set=small)
    found = response(written(write_gaze_run(content))["model-a/sample_0.json"])["localization"]
    assert found["localizations"][0]["bounding_box"] == [0.0, 0.0, 300.0, 420.0]
    assert found["image_dimensions"] == {"width": 300, "height": 420}


def test_n_is_the_row_of_the_data_set_s_own_parquet(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as parquet

    (tmp_path / "data").mkdir()
    rows = {"filename": ["other.png", NAMES[2], NAMES[0]]}
    parquet.write_table(pa.table(rows), tmp_path / "data" / "nova-v1.parquet")
    material = DataSetMaterial(parquet_names=parquet_names(tmp_path))
    sets = [model_set([answer(name) for name in NAMES])]
    content = content_of(sets, material=material)
    files = written(write_gaze_run(content))
    assert {path: json.loads(data)["filename"] for path, data in files.items()} == {
        "model-a/sample_1.json": NAMES[2],
        "model-a/sample_2.json": NAMES[0],
    }
    remarks = remarks_on_gaze_run(content)
    assert Remark("slices without a row in the parquet", 1, "model-a") in remarks.counted
    assert "the data set's own parquet" in remarks.notes[0]


def test_without_a_parquet_n_is_the_row_of_ours() -> None:
    import io

    import pyarrow.parquet as parquet

    content = content_of([model_set([answer(NAMES[2])])])
    ours = written(write_nova_parquet(content))["data/nova-v1.parquet"]
    names = parquet.read_table(io.BytesIO(ours))["filename"].to_pylist()
    assert set(written(write_gaze_run(content))) == {f"model-a/sample_{names.index(NAMES[2])}.json"}


def test_a_reader_s_response_says_what_he_said_and_nothing_else() -> None:
    content = content_of(slices=[slice_reading(findings=[finding()])], cases=[case_reading()])
    document = json.loads(written(write_gaze_run(content))["R02/sample_0.json"])
    assert document["answered"] == ["caption", "diagnosis", "localization"]
    assert document["response"] == {
        "caption": {
            "description": "Axial T1/FLAIR, abnormal: a bright spot",
            "sequence_characteristics": "T1, FLAIR",
            "orientation": "axial",
            "confidence": 1.0,
            "findings": ["mass"],
            "anatomical_regions": ["frontal"],
        },
        "diagnosis": {
            "primary_diagnosis": "glioma",
            "differential_diagnoses": [{"diagnosis": "abscess", "confidence": 1.0}],
            "confidence": 0.7,
            "evidence": [],
            "clinical_recommendations": "",
        },
        "localization": {
            "localizations": [
                {
                    "finding": "mass",
                    "bounding_box": [10.37, 20.61, 10.37 + 55.123, 20.61 + 70.999],
                    "anatomical_location": "frontal",
                    "confidence": 0.7,
                }
            ],
            "image_dimensions": {"width": 480, "height": 480},
            "coordinate_system": "absolute_pixels",
        },
        "continue": False,
    }


def test_parts_that_were_not_answered_come_back_as_not_answered(tmp_path: Path) -> None:
    sets = [model_set([answer(boxes=None, caption=HOSTILE), answer(NAMES[1], ()), answer(NAMES[2], None)])]
    root = laid(tmp_path, write_gaze_run(content_of(sets)))
    found = read_predictions(root / "model-a", slice_places(), PredictionOptions())
    assert [(p.file_name, p.boxes, p.caption, p.diagnoses) for p in found.predictions] == [
        (NAMES[0], None, HOSTILE, None),
        (NAMES[1], (), None, None),
        (NAMES[2], None, None, None),
    ]


def test_at_most_five_diagnoses_go_out() -> None:
    content = content_of([model_set([answer(diagnoses=[*"abcdefg"])])])
    found = response(written(write_gaze_run(content))["model-a/sample_0.json"])["diagnosis"]
    assert found["primary_diagnosis"] == "a"
    assert [d["diagnosis"] for d in found["differential_diagnoses"]] == [*"bcde"]
    told = remarks_on_gaze_run(content)
    assert Remark("diagnoses beyond 1 + 4", 2, "model-a") in told.counted
    assert "the key of a language model" in told.missing[0]
    assert remarks_on_gaze_run(content_of([model_set([answer()])])).missing == ()
