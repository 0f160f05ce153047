"""`croissant` results: the order of the box's numbers, the judge's words, and what is null."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nova_review.domain.geometry import Box
from nova_review.domain.judging import JudgedPair, JudgeKind, Judgement
from nova_review.domain.prediction import PredictedBox, PredictionJudgement
from nova_review.formats.exchange.croissant import remarks_on_croissant, write_croissant
from nova_review.formats.predictions.reading import read_predictions
from nova_review.services.export_material import Remark
from nova_review.services.prediction_content import PredictionOptions
from tests.helpers.exports import AWKWARD, HOSTILE, answer, content_of, laid, model_set, slice_places, written
from tests.helpers.studies import NAMES, case_reading, data_set, finding, slice_reading

CAPTION_VERDICT = {
    "Standardized_Keywords": {"GT": ["flair", "mass"], "Pred": ["t1", "mass"]},
    "Consistency": {"GT": "abnormal", "Pred": "abnormal", "Is_Consistent": True},
}
REASONING = {"Top_1": "Wrong", "Reason_for_Top1": "no", "Top_5": "Correct", "Reason_for_Top5": "second"}


def results(content: Any, name: str = "model-a") -> list[Any]:
    found: list[Any] = json.loads(written(write_croissant(content))[f"{name}/full_results.json"])["results"]
    return found


def judged(
    answer_name: str, word: Judgement, by: str = "ADJ1", kind: JudgeKind = JudgeKind.PERSON
) -> JudgedPair:
    return JudgedPair("Glioma", answer_name, word, by, kind)


def test_a_row_holds_prediction_gold_and_a_null_evaluation() -> None:
    box = PredictedBox(Box(10.0, 20.0, 30.0, 40.0), 0.5, "mass")
    sets = [model_set([answer(boxes=[box], caption=HOSTILE, diagnoses=[*"abcdefg"])])]
    (row,) = results(content_of(sets))
    assert row == {
        "filename": NAMES[0],
        "answered": ["localization", "caption", "diagnosis"],
        "predictions": {
            # [ymin, xmin, ymax, xmax]: 20, 10, 20 + 40, 10 + 30.
            "localization": [{"bbox_2d": [20.0, 10.0, 60.0, 40.0], "label": "mass", "score": 0.5}],
            "caption": HOSTILE,
            "diagnosis": {"most_likely_diagnosis": "a", "other_possible_diagnoses": [*"bcde"]},
        },
        "ground_truth": {
            "boxes": [{"x": 100.0, "y": 100.0, "width": 100.0, "height": 100.0}],
            "caption": f"Caption of {NAMES[0]}",
            "diagnosis": "Glioma",
        },
        "evaluation": None,
    }


def test_the_three_files_of_answers_hold_what_was_answered() -> None:
    sets = [model_set([answer(boxes=[PredictedBox(Box(1, 2, 3, 4))]), answer(NAMES[1], None, caption="c")])]
    files = written(write_croissant(content_of(sets)))
    assert json.loads(files["model-a/localization_preds.json"]) == [
        {"filename": NAMES[0], "predictions": [{"bbox_2d": [2, 1, 6, 4], "label": ""}]}
    ]
    assert json.loads(files["model-a/captioning_preds.json"]) == [{"filename": NAMES[1], "predictions": "c"}]
    assert json.loads(files["model-a/reasoning_preds.json"]) == []


def test_what_the_scorer_lacks_is_told() -> None:
    told = remarks_on_croissant(content_of([model_set([answer()])]))
    assert told.missing == (
        "model-a: a judge's verdict on diagnoses, 1 slices",
        "model-a: a judge's keywords of captions, 1 slices",
    )
    assert told.counted == (
        Remark("slices not answered or not readable", 2, "model-a"),
        Remark("slices without caption, written empty", 1, "model-a"),
        Remark("slices without diagnosis, written empty", 1, "model-a"),
    )
    bare = remarks_on_croissant(content_of([model_set([answer()])], one_data_set=data_set(gold=False)))
    assert bare.missing[0] == "gold boxes: ground_truth.boxes is empty"


@pytest.mark.parametrize(
    ("pairs", "top_1", "top_5"),
    [
        ([judged("abscess", Judgement.SAME)], "Correct", "Correct"),
        ([judged("abscess", Judgement.DIFFERENT)], "Wrong", None),
        ([judged("abscess", Judgement.DIFFERENT), judged("mass", Judgement.RELATED)], "Wrong", "Wrong"),
        ([judged("abscess", Judgement.UNSURE), judged("mass", Judgement.SAME)], None, "Correct"),
        # A person's word counts more than a program's.
        (
            [
                judged("abscess", Judgement.SAME),
                judged("abscess", Judgement.DIFFERENT, "x", JudgeKind.PROGRAM),
            ],
            "Correct",
            "Correct",
        ),
    ],
)
def test_verdicts_follow_from_judged_pairs(pairs: list[JudgedPair], top_1: Any, top_5: Any) -> None:
    (row,) = results(content_of([model_set([answer(diagnoses=["abscess", "mass"])])], pairs=pairs))
    reasoning = row["evaluation"]["reasoning"]
    assert (reasoning["Top_1"], reasoning["Top_5"]) == (top_1, top_5)
    assert row["evaluation"]["caption"] is None
    assert ("ADJ1" in reasoning["Reason_for_Top1"]) is (top_1 is not None)


def test_a_name_that_is_the_reference_s_own_needs_no_judge_once_somebody_judges() -> None:
    sets = [model_set([answer(diagnoses=["glioma"]), answer(NAMES[1], diagnoses=["abscess"])])]
    first, second = results(content_of(sets, pairs=[judged("cyst", Judgement.DIFFERENT)]))
    assert first["evaluation"]["reasoning"]["Top_1"] == "Correct"
    assert second["evaluation"] is None  # nobody has judged this pair
    assert [row["evaluation"] for row in results(content_of(sets))] == [None, None]


def test_a_case_without_a_known_diagnosis_is_never_judged() -> None:
    (row,) = results(
        content_of([model_set([answer(NAMES[2], diagnoses=["x"])])], pairs=[judged("x", Judgement.SAME)])
    )
    assert row["ground_truth"]["diagnosis"] == "Final Diagnosis not found."
    assert row["evaluation"] is None


def test_what_came_with_a_set_stands_as_it_came_under_the_judge_s_name() -> None:
    details = json.dumps({"caption": CAPTION_VERDICT, "reasoning": REASONING})
    said = [PredictionJudgement(NAMES[0], "gemini", details, "demo")]
    sets = [model_set([answer(diagnoses=["abscess"], caption="c")], judgements=said)]
    (row,) = results(content_of(sets, pairs=[judged("abscess", Judgement.SAME)]))
    assert row["evaluation"] == {"caption": CAPTION_VERDICT, "reasoning": REASONING, "judged_by": "gemini"}
    assert not remarks_on_croissant(content_of(sets)).missing


def test_a_stored_caption_verdict_and_a_judged_diagnosis_stand_together() -> None:
    details = json.dumps({"caption": CAPTION_VERDICT, "reasoning": None})
    said = [PredictionJudgement(NAMES[0], "gemini", details, "demo")]
    sets = [model_set([answer(diagnoses=["abscess"])], judgements=said)]
    (row,) = results(content_of(sets, pairs=[judged("abscess", Judgement.SAME)]))
    assert row["evaluation"]["caption"] == CAPTION_VERDICT
    assert row["evaluation"]["reasoning"]["Top_1"] == "Correct"


def test_a_reader_s_list_of_a_case_stands_on_each_of_its_slices() -> None:
    slices = [slice_reading(NAMES[0], [finding()]), slice_reading(NAMES[1])]
    rows = results(content_of(slices=slices, cases=[case_reading()]), "R02")
    assert [row["predictions"]["diagnosis"]["most_likely_diagnosis"] for row in rows] == ["glioma"] * 2


def test_slices_whose_gold_is_not_decided_are_not_scored() -> None:
    sets = [model_set([answer(name) for name in NAMES])]
    content = content_of(sets, one_data_set=data_set(decided=NAMES[:1]))
    assert [row["filename"] for row in results(content)] == [NAMES[0]]
    assert len(json.loads(written(write_croissant(content))["model-a/localization_preds.json"])) == 3
    assert Remark("slices whose gold is not known, not in full_results", 2, "model-a") in (
        remarks_on_croissant(content).counted
    )


def test_the_scorer_s_own_reading_of_boxes_gives_ours_back() -> None:
    """Its steps, by its description: y and x swapped back, corners to width and height."""
    (row,) = results(content_of([model_set([answer(boxes=[PredictedBox(AWKWARD)])])]))
    ymin, xmin, ymax, xmax = row["predictions"]["localization"][0]["bbox_2d"]
    assert (xmin, ymin) == (AWKWARD.x, AWKWARD.y)
    assert (xmax - xmin, ymax - ymin) == pytest.approx((AWKWARD.width, AWKWARD.height), abs=1e-9)


@pytest.mark.parametrize(
    "name", ["full_results", "localization_preds", "captioning_preds", "reasoning_preds"]
)
def test_each_file_comes_back(name: str, tmp_path: Path) -> None:
    own = answer(boxes=[PredictedBox(AWKWARD, 0.5, "m")], caption=HOSTILE, diagnoses=["a", "b"])
    root = laid(tmp_path, write_croissant(content_of([model_set([own])])))
    found = read_predictions(root / "model-a" / f"{name}.json", slice_places(), PredictionOptions())
    (one,) = found.predictions
    has = {"localization_preds": one.boxes, "captioning_preds": one.caption, "reasoning_preds": one.diagnoses}
    if name != "full_results":
        assert [key for key, value in has.items() if value is not None] == [name]
        return
    assert (one.caption, [d.name for d in one.diagnoses or ()]) == (HOSTILE, ["a", "b"])
    (box,) = one.boxes or ()
    assert (box.score, box.label) == (0.5, "m")
    assert (box.box.width, box.box.height) == pytest.approx((AWKWARD.width, AWKWARD.height), abs=1e-9)


def test_parts_that_were_not_answered_stay_unanswered(tmp_path: Path) -> None:
    root = laid(
        tmp_path,
        write_croissant(content_of([model_set([answer(boxes=None, caption="c"), answer(NAMES[1])])])),
    )
    first, second = read_predictions(root / "model-a", slice_places(), PredictionOptions()).predictions
    assert (first.boxes, first.caption, first.diagnoses) == (None, "c", None)
    assert (second.boxes, second.caption, second.diagnoses) == ((), None, None)


def test_gold_without_boxes_and_texts_that_are_not_there() -> None:
    own = data_set()
    own = replace(
        own, slices=(replace(own.slices[0], caption=None), *own.slices[1:]), cases=(), gold=own.gold[:0]
    )
    (row,) = results(content_of([model_set([answer()])], one_data_set=own))
    assert row["ground_truth"] == {"boxes": [], "caption": "N/A", "diagnosis": "N/A"}
