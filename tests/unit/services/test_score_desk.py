"""The desk of the score page: differences and when there is none, gaps, reliability, files, the lock."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from scipy import stats

from nova_review.analysis.dialects.scores import DialectName
from nova_review.domain.errors import NotAllowedError, StorageError
from nova_review.domain.geometry import Box
from nova_review.domain.snapshot import SliceReading, StudySnapshot
from nova_review.domain.study import Phase, Reader
from nova_review.services.score_desk import ScoreDesk
from nova_review.services.score_views import Column, ScoreRequest
from tests.helpers.scoring import FILE, Source, model, prediction, scoring_over
from tests.helpers.studies import (
    NAMES,
    NORTH,
    SOUTH,
    case_reading,
    data_set,
    finding,
    slice_reading,
    snapshot,
)

HIT, MISS = (100.0, 100.0, 100.0, 100.0), (300.0, 300.0, 50.0, 50.0)
F1: Column = (DialectName.NOVA_REVIEW, "F1", 0.5)
HITS: Column = (DialectName.WALDO, "mAP", 0.5)
TOP1: Column = (DialectName.NOVA_REVIEW, "top1", None)
JOINT = ScoreRequest(dialects=(DialectName.NOVA_REVIEW, DialectName.WALDO), joint=True, resamples=300)


def desk_over(study: StudySnapshot, *sets: object) -> ScoreDesk:
    return ScoreDesk(FILE, scoring_over(Source(study, *sets)), lambda: ())  # type: ignore[arg-type]


def lesions_everywhere() -> StudySnapshot:
    """Gold of the same place on all three slices, two of case 1 and one of case 2."""
    whole = data_set()
    return snapshot(
        data_sets=[replace(whole, gold=tuple(replace(whole.gold[0], file_name=n) for n in NAMES))]
    )


def two_models() -> ScoreDesk:
    one = model("one", *(prediction(name, HIT) for name in NAMES))
    two = model("two", prediction(NAMES[0], HIT), prediction(NAMES[1], MISS), prediction(NAMES[2], MISS))
    return desk_over(lesions_everywhere(), one, two)


def test_differences_are_paired_by_the_draws() -> None:
    desk = two_models()
    table = desk.score(JOINT)
    found = desk.difference(table, "one", "two", F1)
    # one: F1 1; two: 1 TP, 2 FP, 2 FN: 1/3. Drawn twice, case 1 gives 1 - 1/2 and case 2 gives 1 - 0.
    assert found.estimate.value == pytest.approx(2 / 3)
    assert (found.estimate.low, found.estimate.high) == (pytest.approx(0.5), pytest.approx(1.0))
    assert found.inference == "these models (cases random)"
    assert (found.test, found.why_not) == ("bootstrap over cases", "")
    turned = desk.difference(table, "two", "one", F1)
    assert turned.estimate.value == pytest.approx(-2 / 3)
    assert turned.p == found.p
    # all 300 draws lie on one side: 2 x (1 + 0) / 301
    assert found.p == pytest.approx(2 / 301)


def test_a_share_of_hits_is_tested_with_cases_as_clusters() -> None:
    desk = two_models()
    found = desk.difference(desk.score(JOINT), "one", "two", HITS)
    # one is right alone on one slice of each case: 1/2 x (1 + 1)^2 / (1 + 1) = 1
    assert found.p == pytest.approx(stats.chi2.sf(1.0, 1))
    assert "Obuchowski" in found.test


def test_diagnoses_of_cases_and_of_slices_are_paired() -> None:
    whole = data_set()
    second = replace(whole.cases[1], final_diagnosis="Glioma")
    study = snapshot(  # a reader says glioma, which is right twice
        data_sets=[replace(whole, cases=(whole.cases[0], second))],
        cases=[case_reading(), case_reading("case0002")],
    )
    said = ("abscess", "Glioma", "abscess")
    own = model("m", *(prediction(n, diagnoses=[d]) for n, d in zip(NAMES, said, strict=True)))
    desk = desk_over(study, own)
    table = desk.score(replace(JOINT, against="gold"))
    found = desk.difference(table, "R02", "m", TOP1)
    assert found.estimate.value == 0.75  # 1 and 1 against 1/2 and 0
    assert set(table.marks["R02"][TOP1]) == {"case0001", "case0002"}
    assert set(table.marks["m"][TOP1]) == set(NAMES)
    # every case weighs the same: (1/2 + 1)^2 / (1/4 + 1) = 1.8
    assert found.p == pytest.approx(stats.chi2.sf(1.8, 1))
    assert "Durkalski" in found.test


def _reading(
    name: str, reader: Reader, *boxes: tuple[float, float, float, float], **more: object
) -> SliceReading:
    findings = [finding(k, box=Box(*box)) for k, box in enumerate(boxes)]
    return slice_reading(name, findings, reader=reader, **more)


def test_when_rows_are_not_subtracted() -> None:
    desk = two_models()
    loose = desk.score(replace(JOINT, joint=False))
    assert "may rest on different slices" in desk.difference(loose, "one", "two", F1).why_not
    table = desk.score(JOINT)
    none = desk.difference(table, "one", "two", (DialectName.COCO, "mAP", 0.5))
    assert none.why_not == "one has no value here."
    assert desk.difference(table, "one", "three", F1).why_not == "three has no value here."


def test_rows_with_different_visible_sets_are_not_subtracted() -> None:
    study = snapshot(
        slices=[
            _reading(NAMES[0], NORTH, HIT, visible=("image",)),
            _reading(NAMES[0], SOUTH, HIT, visible=("history", "image")),
        ]
    )
    desk = desk_over(study)
    found = desk.difference(desk.score(JOINT), "R02", "R01", F1)
    assert found.estimate.value is None
    assert found.why_not == (
        "Rows with different visible sets are not subtracted: R02 saw image; R01 saw history, image."
    )


def test_undefined_rows_are_not_subtracted() -> None:
    own = model("m", prediction(NAMES[0]))
    desk = desk_over(snapshot(slices=[_reading(NAMES[0], NORTH, HIT)]), own)
    table = desk.score(JOINT)
    assert "R02 is undefined here" in desk.difference(table, "R02", "m", F1).why_not


def test_gaps_of_readers_and_models() -> None:
    readings = [_reading(name, reader, HIT) for name in NAMES for reader in (NORTH, SOUTH)]
    own = model("m", prediction(NAMES[0], HIT), prediction(NAMES[1], MISS), prediction(NAMES[2], MISS))
    study = replace(lesions_everywhere(), slice_readings=tuple(readings))
    desk = desk_over(study, own)
    table = desk.score(JOINT)
    (gap,) = desk.gaps(table, [F1])
    assert (gap.model, gap.column, gap.readers) == ("m", F1, 2)
    assert gap.fixed.value == gap.random.value == pytest.approx(1 - 1 / 3)
    assert (gap.fixed.low, gap.fixed.high) == (pytest.approx(0.5), pytest.approx(1.0))
    assert "rough" in gap.words
    # equal readers: the error over readers is that over cases, and the interval a normal one around 2/3
    assert gap.random.low is not None
    assert gap.random.high is not None
    assert gap.random.low + gap.random.high == pytest.approx(4 / 3)
    assert desk.gaps(desk.score(replace(JOINT, sets=("m",))), [F1]) == ()


def test_reliability_of_boxes() -> None:
    own = model(
        "m",
        prediction(NAMES[0], HIT, score=0.8),
        prediction(NAMES[1], MISS, score=0.8),
        prediction(NAMES[2], HIT, score=0.4),
    )
    desk = desk_over(lesions_everywhere(), own, model("n", prediction(NAMES[0], HIT)))
    first, second = desk.reliability(desk.score(JOINT))
    assert [(p.confidence, p.hits, p.n) for p in first.points] == [(0.8, 1.0, 1)]  # joint: slice 1
    first, second = desk.reliability(desk.score(replace(JOINT, joint=False)))
    assert [(p.confidence, p.hits, p.n) for p in first.points] == [(0.4, 1.0, 1), (0.8, 0.5, 2)]
    assert first.brier.value == pytest.approx((0.6**2 + 0.2**2 + 0.8**2) / 3)
    assert (second.points, second.brier.value) == ((), None)


def test_published_figures_are_marked_with_their_rules_and_source() -> None:
    found = two_models().published()
    human = next(p for p in found if (p.metric, p.threshold, p.rules) == ("mAP", 0.5, DialectName.GAZE))
    assert (human.value, human.n) == (0.694, 718)
    assert "gate" in human.words
    qwen = next(p for p in found if p.name.startswith("Qwen") and p.threshold == 0.3)
    assert qwen.value == 0.3766
    assert all(p.source and p.words and 0 < p.value <= 1 for p in found)


def test_nothing_before_the_lock() -> None:
    desk = desk_over(snapshot(phase=Phase.READING), model("m", prediction(NAMES[0])))
    for ask in (desk.set_names, lambda: desk.score(JOINT)):
        with pytest.raises(NotAllowedError):
            ask()
    assert two_models().set_names() == ("one", "two")


def test_tables_are_saved_by_their_ending(tmp_path: Path) -> None:
    desk = two_models()
    table = desk.score(JOINT)
    desk.save_table(table, tmp_path / "t.csv")
    rows = list(csv.DictReader((tmp_path / "t.csv").read_text().splitlines()))
    assert [
        r["set"] for r in rows if (r["dialect"], r["metric"], r["threshold"]) == ("waldo", "mAP", "0.5")
    ] == [
        "one",
        "two",
    ]
    desk.save_table(table, tmp_path / "t.tex")
    text = (tmp_path / "t.tex").read_text()
    assert text.count(r"\begin{table}") == text.count(r"\end{table}") == 2
    assert r"mAP@.5 & 1.000, n 3 & .333 (.000 to .500), n 3 \\" in text
    assert "a hit rate, not an average precision" in text
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError):
        desk.save_table(table, tmp_path / "file" / "t.csv")


def test_all_files_are_written(tmp_path: Path) -> None:
    desk = two_models()
    names = desk.write(desk.score(JOINT), tmp_path / "out")
    assert names == tuple(sorted(names))
    assert {"score.json", "scores.csv", "scores.tex", "groups.csv"} <= set(names)
    assert {"froc.svg", "froc.pdf", "froc.png"} <= set(names)
    assert json.loads((tmp_path / "out" / "score.json").read_text())["seed"] == 1
