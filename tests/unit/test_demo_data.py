"""The shipped demo data: whole, in the published layout, and made again from its own gold."""

import csv
import json
import sys
from pathlib import Path

import pytest
from PIL import Image

from nova_review.domain.protocol import DEFAULT_VOCABULARIES

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "resources" / "demo"
DATA_SET = DEMO / "dataset"
LABELS = {
    "lesion", "mass", "oedema", "haemorrhage", "infarct", "cyst", "malformation", "artefact", "other",
}  # fmt: skip
PLACES = {
    "frontal", "parietal", "temporal", "occipital", "insula", "deep grey matter", "brainstem", "cerebellum",
    "ventricle", "corpus callosum", "extra-axial", "sella", "pineal", "whole brain",
}  # fmt: skip
SIDES = {"image-left", "image-right", "midline", "bilateral", "not-applicable", "cannot-tell"}
OUTCOMES = {"findings", "no-finding", "cannot-be-read"}
STEPS = {0.1, 0.3, 0.5, 0.7, 0.9}


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of one table of the data set."""
    with (DATA_SET / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def gold_rects() -> dict[str, list[tuple[float, float, float, float]]]:
    """Return the gold boxes by file name, slices without a box included."""
    gold: dict[str, list[tuple[float, float, float, float]]] = {
        row["filename"]: [] for row in rows("captions.csv")
    }
    for row in rows("bboxes_gold.csv"):
        gold[row["filename"]].append(
            (float(row["x"]), float(row["y"]), float(row["width"]), float(row["height"]))
        )
    return gold


def answers(name: str) -> dict[str, object]:
    """Return one JSON file of the demo."""
    value: dict[str, object] = json.loads((DEMO / name).read_text(encoding="utf-8"))
    return value


@pytest.fixture
def maker(monkeypatch: pytest.MonkeyPatch):
    """The modules that made the demo, importable for the length of one test."""
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))
    before = set(sys.modules)
    yield
    for name in set(sys.modules) - before:
        if name == "demo" or name.startswith("demo."):
            del sys.modules[name]


def test_there_are_enough_slices_and_cases_and_each_has_its_picture():
    captions = rows("captions.csv")
    by_case: dict[str, list[str]] = {}
    for row in captions:
        by_case.setdefault(row["case_id"], []).append(row["filename"])
    assert len(captions) >= 30
    assert len(by_case) >= 10
    assert all(1 <= len(names) <= 5 for names in by_case.values())
    assert {row["case_id"] for row in rows("case_metadata.csv")} == set(by_case)
    assert {path.name for path in (DATA_SET / "images").iterdir()} == {row["filename"] for row in captions}


def test_pictures_are_480_by_480_grey_and_hold_no_metadata():
    for path in sorted((DATA_SET / "images").iterdir()):
        with Image.open(path) as picture:
            assert (picture.size, picture.mode, picture.info) == ((480, 480), "L", {}), path.name
            low, high = picture.getextrema()
        assert low == 0, path.name
        assert high > 120, path.name


def test_files_stay_small():
    assert all(path.stat().st_size < 70_000 for path in (DATA_SET / "images").iterdir())
    own = [path for path in DEMO.rglob("*") if path.is_file() and path.suffix != ".nova"]
    assert sum(path.stat().st_size for path in own) < 4_500_000


def test_gold_boxes_lie_inside_the_pictures_and_some_slices_have_none():
    gold = gold_rects()
    for name, boxes in gold.items():
        for x, y, width, height in boxes:
            assert min(x, y) >= 0, name
            assert min(width, height) > 0, name
            assert max(x + width, y + height) <= 480, name
    assert sum(not boxes for boxes in gold.values()) >= 3


def test_gold_boxes_are_not_air():
    for name, boxes in gold_rects().items():
        with Image.open(DATA_SET / "images" / name) as picture:
            for x, y, width, height in boxes:
                inside = picture.crop((int(x), int(y), int(x + width), int(y + height)))
                low, high = inside.getextrema()
                assert high - low >= 12, (name, x, y)


def test_it_says_everywhere_that_it_is_synthetic():
    assert all(row["clinical_history"].startswith("Synthetic case. ") for row in rows("case_metadata.csv"))
    assert all(row["caption"].endswith("(Synthetic case)") for row in rows("captions.csv"))
    notice = (DEMO / "NOTICE.md").read_text(encoding="utf-8")
    assert "Everything here is synthetic" in notice
    assert "McConnell Brain Imaging Centre" in notice
    for name in ("readers.json", "predictions/model-a.json", "predictions/model-b.json"):
        assert str(answers(name)["note"]).startswith("Synthetic"), name


def test_no_history_names_its_diagnosis_but_some_titles_do():
    leaking = 0
    for row in rows("case_metadata.csv"):
        words = {word.strip(",.").lower() for word in row["final_diagnosis"].split() if len(word) > 4}
        history = {word.strip(",.").lower() for word in row["clinical_history"].split()}
        assert not words & history or row["final_diagnosis"] == "No abnormality", row["case_id"]
        leaking += bool(words & {word.strip(",.").lower() for word in row["title"].split()})
    assert leaking >= 3


def test_some_cases_share_a_diagnosis_and_links_lead_nowhere_real():
    table = rows("case_metadata.csv")
    names = [row["final_diagnosis"] for row in table]
    assert len(set(names)) < len(names)
    assert all(row["link"].startswith("https://example.org/") for row in table)


@pytest.fixture
def readers() -> list[dict]:
    return list(answers("readers.json")["readers"])


def test_each_reader_answers_every_slice_and_case(readers):
    gold, cases = gold_rects(), {row["case_id"] for row in rows("case_metadata.csv")}
    assert [reader["name"] for reader in readers] == ["Reader North", "Reader South"]
    for reader in readers:
        assert set(reader["slices"]) == set(gold)
        assert set(reader["cases"]) == cases


def test_readers_keep_to_the_vocabulary(readers):
    for answer in (answer for reader in readers for answer in reader["slices"].values()):
        assert answer["outcome"] in OUTCOMES
        assert bool(answer["findings"]) == (answer["outcome"] == "findings")
        assert bool(answer["cannot_read_reason"]) == (answer["outcome"] == "cannot-be-read")
        assert answer["caption"]["plane"] in {"axial", "coronal", "sagittal"}
        assert answer["caption"]["normality"] in {"normal", "abnormal"}
        for finding in answer["findings"]:
            x, y, width, height = finding["box"]
            assert x >= 0
            assert y >= 0
            assert x + width <= 480.05
            assert y + height <= 480.05
            assert finding["label"] in LABELS
            assert finding["place"] in PLACES
            assert finding["side"] in SIDES
            assert finding["confidence"] in STEPS


def test_the_vocabulary_here_is_the_study_s_own():
    assert set(DEFAULT_VOCABULARIES.labels) == LABELS
    assert set(DEFAULT_VOCABULARIES.places) == PLACES


def test_diagnosis_lists_are_ranked_by_confidence_and_hold_no_name_twice(readers):
    for answer in (answer for reader in readers for answer in reader["cases"].values()):
        names = [line["name"] for line in answer["diagnoses"]]
        levels = [line["confidence"] for line in answer["diagnoses"]]
        assert 1 <= len(names) <= 5
        assert len(set(names)) == len(names)
        assert set(levels) <= STEPS
        assert levels == sorted(levels, reverse=True)


def iou(a, b) -> float:
    """Return the overlap of two (x, y, width, height) boxes over their union."""
    across = max(0.0, min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0]))
    down = max(0.0, min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1]))
    return across * down / (a[2] * a[3] + b[2] * b[3] - across * down)


def test_readers_are_surer_where_they_are_right(readers):
    gold = gold_rects()
    for reader in readers:
        right, wrong = [], []
        for name, answer in reader["slices"].items():
            for finding in answer["findings"]:
                best = max((iou(finding["box"], box) for box in gold[name]), default=0.0)
                (right if best >= 0.3 else wrong).append(finding["confidence"])
        assert wrong, reader["name"]
        assert sum(right) / len(right) > sum(wrong) / len(wrong) + 0.1, reader["name"]


def test_readers_disagree_as_people_do(readers):
    north, south = (reader["slices"] for reader in readers)
    counts = [(len(north[name]["findings"]), len(south[name]["findings"])) for name in north]
    assert sum(a != b for a, b in counts) >= 8
    assert any(a and not b for a, b in counts)
    assert any(b and not a for a, b in counts)
    assert any(answer["outcome"] == "cannot-be-read" for answer in south.values())


@pytest.mark.parametrize("name", ["model-a", "model-b"])
def test_models_answer_every_slice_in_declared_corners(name):
    value = answers(f"predictions/{name}.json")
    assert (value["boxes"], value["units"]) == ("xyxy", "pixel")
    assert [one["filename"] for one in value["predictions"]] == list(gold_rects())
    for one in value["predictions"]:
        assert len(one["boxes"]) == len(one["scores"]) == len(one["labels"])
        assert one["scores"] == sorted(one["scores"], reverse=True)
        assert len(set(one["diagnoses"])) == len(one["diagnoses"]) == 5
        assert one["caption"]
        for left, top, right, bottom in one["boxes"]:
            assert 0 <= left < right <= 480
            assert 0 <= top < bottom <= 480


def test_models_fail_each_in_its_own_way():
    gold = gold_rects()
    model_a, model_b = (answers(f"predictions/{name}.json")["predictions"] for name in ("model-a", "model-b"))
    whole = [
        box for one in model_a for box in one["boxes"] if (box[2] - box[0]) * (box[3] - box[1]) > 110_000
    ]
    invented = [one for one in model_b if one["boxes"] and not gold[one["filename"]]]
    assert len(whole) >= 4
    assert len(invented) >= 3


@pytest.mark.usefixtures("maker")
def test_the_same_gold_gives_the_same_readers_and_models():
    from demo.models import simulate_model
    from demo.plan import CASES
    from demo.readers import simulate_readers

    gold = {name: [tuple(int(part) for part in box) for box in boxes] for name, boxes in gold_rects().items()}
    made = json.loads(json.dumps(simulate_readers(CASES, gold)))
    assert made == answers("readers.json")
    for name in ("model-a", "model-b"):
        assert json.loads(json.dumps(simulate_model(name, CASES, gold))) == answers(
            f"predictions/{name}.json"
        )


@pytest.mark.usefixtures("maker")
def test_the_tables_say_what_the_plan_says():
    from demo.plan import CASES

    captions = {row["filename"]: row["caption"] for row in rows("captions.csv")}
    histories = {row["case_id"]: row["clinical_history"] for row in rows("case_metadata.csv")}
    for plan in CASES:
        assert histories[plan.code] == f"Synthetic case. {plan.history}"
        for index, one in enumerate(plan.slices):
            assert captions[plan.file_name(index)] == f"{one.caption} (Synthetic case)"
