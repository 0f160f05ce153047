"""What judges said, taken along with predictions: kept as it is, and what follows for diagnoses."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from nova_review.bootstrap import HouseServices
from nova_review.domain.judging import JudgedPair, JudgeKind, Judgement
from nova_review.formats.predictions.reading import read_predictions
from nova_review.services.export_content import ExportChoice
from nova_review.services.prediction_content import PredictionOptions, ReadPredictions
from tests.helpers.exports import slice_places
from tests.helpers.studies import NAMES

CAPTION = {"Standardized_Keywords": {"GT": ["flair"], "Pred": []}, "Consistency": {"GT": "abnormal"}}


def row(
    evaluation: Any, *, listed: tuple[str, ...] = ("a", "b", "c"), name: str = NAMES[0], **truth: Any
) -> dict[str, Any]:
    diagnosis = {"most_likely_diagnosis": listed[0], "other_possible_diagnoses": list(listed[1:])}
    return {
        "filename": name,
        "predictions": {"localization": [], "caption": "", "diagnosis": diagnosis},
        "ground_truth": {"diagnosis": "Glioma", **truth},
        "evaluation": evaluation,
    }


def verdict(top_1: str | None, top_5: str | None) -> dict[str, Any]:
    said = {"Top_1": top_1, "Reason_for_Top1": "why 1", "Top_5": top_5, "Reason_for_Top5": "why 5"}
    return {"caption": None, "reasoning": said}


def read(folder: Path, rows: list[Any], **top: Any) -> ReadPredictions:
    file = folder / "full_results.json"
    file.write_text(json.dumps({"results": rows, **top}))
    return read_predictions(file, slice_places(), PredictionOptions())


def pairs(found: ReadPredictions) -> list[tuple[str, Judgement, str]]:
    return [(one.answer, one.judgement, one.note) for one in found.pairs]


@pytest.fixture(scope="module")
def fresh_demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("demo") / "demo.nova"
    return HouseServices(log_file=None).demo.write(file, lambda _done, _total: True)


@pytest.fixture
def study(fresh_demo: Path, tmp_path: Path) -> Path:
    """A demo study of this test's own."""
    return Path(shutil.copy(fresh_demo, tmp_path / "demo.nova"))


SAME, DIFFERENT = Judgement.SAME, Judgement.DIFFERENT


@pytest.mark.parametrize(
    ("top_1", "top_5", "expected"),
    [
        ("Correct", "Correct", [("a", SAME, "why 1")]),
        ("Wrong", "Wrong", [("a", DIFFERENT, "why 1"), ("b", DIFFERENT, "why 5"), ("c", DIFFERENT, "why 5")]),
        ("Incorrect", "Correct", [("a", DIFFERENT, "why 1")]),  # b or c: nobody knows which
        (None, "Wrong", [("a", DIFFERENT, "why 5"), ("b", DIFFERENT, "why 5"), ("c", DIFFERENT, "why 5")]),
        ("correct ", None, [("a", SAME, "why 1")]),
        ("Correct", "Wrong", [("a", SAME, "why 1")]),  # it contradicts itself; the first is said outright
        ("perhaps", 7, []),
    ],
)
def test_verdicts_become_judged_pairs(
    top_1: Any, top_5: Any, expected: list[tuple[str, Judgement, str]], tmp_path: Path
) -> None:
    found = read(tmp_path, [row(verdict(top_1, top_5))])
    assert pairs(found) == expected
    assert {(one.reference, one.kind, one.judged_by) for one in found.pairs} <= {
        ("Glioma", JudgeKind.PROGRAM, "")
    }
    assert len(found.judgements) == 1


def test_a_right_top_5_singles_out_the_only_other_diagnosis(tmp_path: Path) -> None:
    found = read(tmp_path, [row(verdict("Wrong", "Correct"), listed=("a", "b"))])
    assert pairs(found) == [("a", DIFFERENT, "why 1"), ("b", SAME, "why 5")]


@pytest.mark.parametrize("diagnosis", ["Final Diagnosis not found.", "N/A", "", None, 3])
def test_nothing_is_said_of_a_case_without_a_diagnosis(diagnosis: Any, tmp_path: Path) -> None:
    found = read(tmp_path, [row(verdict("Wrong", "Wrong"), diagnosis=diagnosis)])
    assert found.pairs == ()
    assert len(found.judgements) == 1


def test_what_a_judge_said_is_kept_as_the_file_gives_it(tmp_path: Path) -> None:
    said = {"caption": CAPTION, "reasoning": None, "extra": ["ü", 1.5]}
    (one,) = read(tmp_path, [row(said), row(None, name=NAMES[1])]).judgements
    assert (one.file_name, one.data_set, one.judged_by) == (NAMES[0], "demo", "")
    assert json.loads(one.details) == said


def test_an_evaluation_that_says_nothing_is_none(tmp_path: Path) -> None:
    found = read(tmp_path, [row({"caption": None, "reasoning": None, "judged_by": "x"})])
    assert (found.judgements, found.pairs) == ((), ())


def test_an_evaluation_that_is_no_object_is_told(tmp_path: Path) -> None:
    found = read(tmp_path, [row("Correct")])
    assert found.judgements == ()
    assert [w.code for w in found.warnings] == ["odd_judgement"]


@pytest.mark.parametrize(
    ("top", "own", "name"),
    [
        ({"judged_by": "gemini"}, None, "gemini"),
        ({"judge_model": "gpt"}, "claude", "claude"),
        ({"judged_by": "ADJ1"}, None, ""),  # a code of this study is nobody's name from elsewhere
        ({"judged_by": "R02"}, None, ""),
        ({"judged_by": 3}, None, ""),
        ({"judged_by": "x" * 201}, None, ""),
    ],
)
def test_the_judge_is_whom_the_file_names(
    top: dict[str, Any], own: str | None, name: str, tmp_path: Path
) -> None:
    said = verdict("Correct", "Correct") | ({"judged_by": own} if own else {})
    found = read(tmp_path, [row(said)], **top)
    assert [one.judged_by for one in found.judgements] == [name]
    assert [one.judged_by for one in found.pairs] == [name]


def test_a_judge_who_contradicts_himself_leaves_the_pair_open(tmp_path: Path) -> None:
    rows = [row(verdict("Correct", None)), row(verdict("Wrong", None), name=NAMES[1], listed=("A.",))]
    found = read(tmp_path, rows)
    assert found.pairs == ()
    assert [w.code for w in found.warnings] == ["judge_contradicts"]
    assert len(found.judgements) == 2
    again = read(tmp_path, [row(verdict("Correct", None)), row(verdict("Correct", None), name=NAMES[1])])
    assert len(again.pairs) == 1


def test_both_are_stored_with_the_set_and_come_back(study: Path, tmp_path: Path) -> None:
    services = HouseServices(log_file=None)
    name = services.studies.snapshot(study).data_sets[0].slices[0].file_name
    file = tmp_path / "full_results.json"
    said = verdict("Correct", "Correct") | {"caption": CAPTION}
    file.write_text(json.dumps({"results": [row(said, name=name, diagnosis="Multiple sclerosis")]}))
    taken = services.predictions.add(study, file, name="judged", options=PredictionOptions())
    assert (taken.judged, taken.errors) == (1, ())
    stored = next(s for s in services.studies.prediction_sets(study) if s.prediction_set.name == "judged")
    (one,) = stored.judgements
    assert (one.file_name, one.data_set, one.judged_by) == (name, "demo", "judged judge")
    assert json.loads(one.details) == said
    (pair,) = services.studies.judged_pairs(study)
    assert isinstance(pair, JudgedPair)
    assert (pair.reference, pair.answer, pair.judgement, pair.judged_by, pair.kind) == (
        "Multiple sclerosis",
        "a",
        SAME,
        "judged judge",
        JudgeKind.PROGRAM,
    )


def test_a_refused_name_stores_no_judgement(study: Path, tmp_path: Path) -> None:
    services = HouseServices(log_file=None)
    file = tmp_path / "full_results.json"
    file.write_text(json.dumps({"results": [row(verdict("Correct", None), name="case0001_001.png")]}))
    with pytest.raises(Exception, match="Choose another name"):
        services.predictions.add(study, file, name="model-a", options=PredictionOptions())
    assert services.studies.judged_pairs(study) == ()


def test_verdicts_survive_import_export_and_import_under_their_judge_s_name(
    study: Path, tmp_path: Path
) -> None:
    services = HouseServices(log_file=None)
    name = services.studies.snapshot(study).data_sets[0].slices[0].file_name
    said = verdict("Wrong", "Wrong") | {"caption": CAPTION, "judged_by": "gemini"}
    file = tmp_path / "full_results.json"
    file.write_text(json.dumps({"results": [row(said, name=name, diagnosis="Multiple sclerosis")]}))
    services.predictions.add(study, file, name="judged", options=PredictionOptions())
    out = tmp_path / "out"
    choice = ExportChoice(sets=("judged",))
    services.exporting.export(study, format_name="croissant", folder=out, choice=choice)
    (exported,) = json.loads((out / "judged/full_results.json").read_text())["results"]
    assert exported["evaluation"] == said
    services.predictions.add(study, out / "judged", name="again", options=PredictionOptions())
    sets = {s.prediction_set.name: s for s in services.studies.prediction_sets(study)}
    first, again = (sets[name].judgements[0] for name in ("judged", "again"))
    assert (again.judged_by, json.loads(again.details)) == ("gemini", json.loads(first.details))
    assert sets["again"].predictions == sets["judged"].predictions
    judged = {(p.answer, p.judgement, p.judged_by) for p in services.studies.judged_pairs(study)}
    assert judged == {(answer, DIFFERENT, "gemini") for answer in "abc"}
