"""Scoring a study: what its gold is, whom gold contains, what judges said, and the lock."""

import json
from dataclasses import replace

import pytest

from nova_review.analysis.dialects.scores import DialectName
from nova_review.domain.errors import NotAllowedError, UserError
from nova_review.domain.geometry import Box
from nova_review.domain.judging import JudgedPair, Judgement
from nova_review.domain.prediction import PredictionJudgement
from nova_review.domain.reading import Caption, Normality
from nova_review.domain.snapshot import DecisionBox, DecisionSource, SnapshotDecision
from nova_review.domain.study import Phase
from nova_review.services.score_object import score_lines, score_object
from nova_review.services.score_views import ScoreRequest, ScoreTable
from tests.helpers.scoring import FILE, Source, model, prediction, scoring_over
from tests.helpers.studies import (
    NAMES,
    NORTH,
    PUBLISHED,
    SOUTH,
    case_reading,
    data_set,
    finding,
    slice_reading,
    snapshot,
)

GOLD_BOX = (100.0, 100.0, 100.0, 100.0)  # of the first slice; the two others hold no lesion
QUICK = ScoreRequest(resamples=0)


def asked(
    *sets: str, against: str | None = None, dialect: str = "nova_review", **more: object
) -> ScoreRequest:
    plain = ScoreRequest(sets, against, (DialectName(dialect),), resamples=0)
    return replace(plain, **more)  # type: ignore[arg-type]


def value(
    table: ScoreTable, name: str, metric: str, at: float | None = None
) -> tuple[float | None, int, str | None]:
    found = next(r for r in table.rows if r.set_name == name and r.column[1:] == (metric, at))
    return found.estimate.value, found.estimate.n, found.estimate.undefined_because


def test_the_data_sets_own_gold_where_nothing_is_decided() -> None:
    perfect = model("m", prediction(NAMES[0], GOLD_BOX), prediction(NAMES[1]), prediction(NAMES[2]))
    table = scoring_over(Source(snapshot(), perfect)).score_study(FILE, asked("m", dialect="gaze"))
    assert value(table, "m", "mAP", 0.5)[:2] == (1.0, 3)
    # a slice without gold has no true positive: the accuracy of gold itself is 1/3
    assert value(table, "m", "ACC", 0.5)[:2] == (pytest.approx(1 / 3), 3)
    ceilings = {c.metric: (c.value, c.n) for c in table.ceilings}
    assert ceilings["ACC"] == (pytest.approx(1 / 3), 3)
    assert "mAP" not in ceilings
    accuracy = next(r for r in table.rows if r.score.metric == "ACC")
    assert "ceiling 0.333: gold scored against itself (n 3)" in accuracy.definition
    assert accuracy.ceiling == pytest.approx(1 / 3)


def test_decisions_are_gold_and_undecided_slices_are_left_out() -> None:
    decided = snapshot(data_sets=[data_set(decided=NAMES[:1])])  # its box: 1, 2, 3, 4
    own = model("m", prediction(NAMES[0], (1.0, 2.0, 3.0, 4.0)), prediction(NAMES[1], GOLD_BOX))
    table = scoring_over(Source(decided, own)).score_study(FILE, asked("m"))
    assert value(table, "m", "F1", 0.5)[:2] == (1.0, 1)
    assert "2 slices left out whose gold is not decided." in table.left_out


def test_boxes_are_clipped_for_our_rules_alone() -> None:
    edge = replace(data_set(), gold=(replace(data_set().gold[0], box=Box(400.0, 0.0, 80.0, 100.0)),))
    over = model("m", prediction(NAMES[0], (400.0, 0.0, 240.0, 100.0)))  # IoU 80 / 240 as given, 1 clipped
    service = scoring_over(Source(snapshot(data_sets=[edge]), over))
    assert value(service.score_study(FILE, asked("m")), "m", "F1", 0.5)[0] == 1.0
    assert value(service.score_study(FILE, asked("m", dialect="waldo")), "m", "mAP", 0.5)[0] == 0.0


def _source_box(code: str) -> DecisionBox:
    plain = data_set(decided=NAMES[:1]).decisions[0]
    return replace(plain, source_boxes=(DecisionSource(code, "f", Box(*GOLD_BOX), 0.5),))


@pytest.mark.parametrize(
    ("decided", "named", "contained"),
    [
        ((), None, {PUBLISHED.code}),  # the data set's own gold may be made of who came with it
        (NAMES[:1], None, {NORTH.code, PUBLISHED.code}),  # both read the decided slice
        (NAMES[2:], None, set()),  # nobody read the decided slice
        (NAMES[2:], SOUTH.code, {SOUTH.code}),  # a decision names his box
    ],
)
def test_whom_gold_contains(decided: tuple[str, ...], named: str | None, contained: set[str]) -> None:
    whole = data_set(decided=decided)
    if named is not None:
        whole = replace(whole, decisions=(replace(_source_box(named), file_name=NAMES[2]),))
    readings = [
        slice_reading(NAMES[0], [finding()], reader=NORTH),
        slice_reading(NAMES[0], [finding()], reader=PUBLISHED),
        slice_reading(NAMES[1], [finding()], reader=SOUTH),
    ]
    study = snapshot(data_sets=[whole], slices=readings)
    table = scoring_over(Source(study)).score_study(FILE, asked(against="gold"))
    said = {
        row.set_name for row in table.rows if row.estimate.undefined_because == "gold contains this reader"
    }
    assert said == contained


def test_readers_are_undefined_for_boxes_and_not_for_the_data_sets_captions() -> None:
    study = snapshot(slices=[slice_reading(NAMES[0], [finding()], reader=PUBLISHED)])
    table = scoring_over(Source(study)).score_study(
        FILE, asked(PUBLISHED.name, against="gold", dialect="gaze")
    )
    tasks = {row.task.value: row.estimate.undefined_because for row in table.rows if row.score.metric != "FN"}
    assert tasks["localisation"] == "gold contains this reader"
    assert value(table, PUBLISHED.code, "bleu")[1] == 1
    assert value(table, PUBLISHED.code, "bleu")[0] is not None


def _with_panel(words: str) -> Source:
    decision = SnapshotDecision(
        file_name=NAMES[0],
        outcome="findings",
        provenance="adjudicated",
        mode="layers",
        rule="",
        decided_by="ADJ1",
        decided_utc="",
        version=1,
        reason_code="",
        note="",
        flagged=False,
        flag_reason="",
        checked=False,
        has_withdrawn=False,
        visible=(),
        caption=Caption((), None, None, words, None),
    )
    study = snapshot(
        data_sets=[replace(data_set(), slice_decisions=(decision,))],
        slices=[slice_reading(NAMES[0], [finding()]), slice_reading(NAMES[1], [finding()], reader=SOUTH)],
    )
    said = "A ring in the left lobe of the brain."
    return Source(study, model("m", prediction(NAMES[0], caption=said)))


def test_the_panels_caption_is_the_reference_and_contains_who_read_the_slice() -> None:
    service = scoring_over(_with_panel("A ring in the left lobe of the brain."))
    table = service.score_study(FILE, asked("m", NORTH.code, SOUTH.code, against="gold", dialect="gaze"))
    assert value(table, "m", "bleu")[0] == pytest.approx(1.0)
    assert value(table, NORTH.code, "bleu")[2] == "gold contains this reader"
    assert value(table, SOUTH.code, "bleu")[0] is not None
    assert (
        value(scoring_over(_with_panel("")).score_study(FILE, asked("m", dialect="gaze")), "m", "bleu")[0]
        < 0.5
    )  # type: ignore[operator]


def test_a_readers_list_counts_once_a_case_and_on_every_slice_of_it() -> None:
    study = snapshot(cases=[case_reading(), case_reading("case0002")], slices=[slice_reading(NAMES[0])])
    service = scoring_over(Source(study))
    # case0001 has two slices and is a glioma, case0002 has no diagnosis
    assert value(service.score_study(FILE, asked("R02", against="gold")), "R02", "top1")[:2] == (1.0, 1)
    assert value(service.score_study(FILE, asked("R02", against="gold", dialect="gaze")), "R02", "top1")[
        :2
    ] == (1.0, 2)
    croissant = service.score_study(FILE, asked("R02", against="gold", dialect="croissant"))
    assert value(croissant, "R02", "top1")[:2] == (pytest.approx(2 / 3), 3)


def test_against_others_the_first_diagnosis_of_the_other_is_the_reference() -> None:
    study = snapshot(cases=[case_reading(), case_reading(reader_code=SOUTH.code)])
    own = model("m", prediction(NAMES[0], diagnoses=["abscess", "glioma"]))
    table = scoring_over(Source(study, own)).score_study(FILE, asked(against="others"))
    assert value(table, "R02", "top1")[:2] == (1.0, 1)
    assert (value(table, "m", "top1")[0], value(table, "m", "top5")[0]) == (0.0, 1.0)


def test_what_persons_judged_counts_and_what_nobody_judged_is_counted() -> None:
    own = model("m", prediction(NAMES[0], diagnoses=["gliomatous tumour"]))
    open_ = scoring_over(Source(snapshot(), own)).score_study(FILE, asked("m"))
    assert (value(open_, "m", "top1")[0], dict(open_.undecided)) == (0.0, {"m": 1})
    pair = JudgedPair("Glioma", "gliomatous tumour", Judgement.SAME, "ADJ1")
    settled = scoring_over(Source(snapshot(), own, judged=[pair])).score_study(FILE, asked("m"))
    assert (value(settled, "m", "top1")[0], dict(settled.undecided)) == (1.0, {"m": 0})


def test_a_pair_that_two_sets_have_is_one_to_judge() -> None:
    first = model("a", prediction(NAMES[0], diagnoses=["gliomatous tumour", "abscess"]))
    second = model("b", prediction(NAMES[0], diagnoses=["Gliomatous tumour", "stroke"]))
    source = Source(snapshot(), first, second)
    table = scoring_over(source).score_study(FILE, asked("a", "b"))
    # Beside "Glioma": gliomatous tumour (in both sets), abscess, stroke
    assert dict(table.undecided) == {"a": 2, "b": 2}
    assert table.undecided_pairs == 3
    boxes = scoring_over(source).score_study(FILE, asked("a", "b", dialect="coco"))
    assert boxes.undecided_pairs == 0  # it scores no diagnosis


def test_a_judges_keywords_are_used_by_the_rules_of_croissant() -> None:
    details = json.dumps(
        {
            "caption": {
                "Standardized_Keywords": {"GT": ["ring", "t1"], "Pred": ["ring", "left"]},
                "Consistency": {"GT": "abnormal", "Pred": "Abnormal", "Is_Consistent": True},
            }
        }
    )
    said = PredictionJudgement(NAMES[0], "gpt-judge", details, "demo")
    own = model("m", prediction(NAMES[0], caption="anything"), judgements=[said])
    table = scoring_over(Source(snapshot(), own)).score_study(FILE, asked("m", dialect="croissant"))
    # clinical terms: {ring} and {ring, left}: 2 x 1 / 3; modality words: {t1} and {}
    assert value(table, "m", "clinical_f1")[0] == pytest.approx(2 / 3)
    assert value(table, "m", "modality_f1")[0] == 0.0
    assert value(table, "m", "binary_accuracy")[0] == 1.0


@pytest.mark.parametrize("details", ["[]", '{"caption": 5}', '{"caption": {"Standardized_Keywords": [1]}}'])
def test_odd_words_of_a_judge_are_passed_over(details: str) -> None:
    said = PredictionJudgement(NAMES[0], "gpt-judge", details, "demo")
    own = model("m", prediction(NAMES[0], caption="Caption of anything"), judgements=[said])
    table = scoring_over(Source(snapshot(), own)).score_study(FILE, asked("m", dialect="croissant"))
    row = next(r for r in table.rows if r.score.metric == "clinical_f1")
    assert "0 rows with a judge's keywords" in row.definition


def test_what_was_visible_is_told_for_slices_and_cases() -> None:
    study = snapshot(slices=[slice_reading(NAMES[0])], cases=[case_reading()])
    found = score_object(scoring_over(Source(study)).score_study(FILE, QUICK))
    assert found["visible"] == {"R02": {"slices": ["image", "siblings"], "cases": ["history", "image"]}}


def test_two_data_sets_may_hold_the_same_file_name() -> None:
    study = snapshot(data_sets=[data_set(), data_set(code="twin")])
    answers = [prediction(NAMES[0], GOLD_BOX), replace(prediction(NAMES[0]), data_set="twin")]
    service = scoring_over(Source(study, model("m", *answers)))
    table = service.score_study(FILE, asked("m", dialect="waldo", by_slice=True))
    assert value(table, "m", "mAP", 0.5)[:2] == (0.5, 2)
    hits = {
        (r.data_set, r.file_name): r.value for r in table.slices if (r.metric, r.threshold) == ("mAP", 0.5)
    }
    assert hits == {("demo", NAMES[0]): 1.0, ("twin", NAMES[0]): 0.0}


def test_single_slices_hold_texts_too() -> None:
    own = model("m", prediction(NAMES[0], GOLD_BOX, caption=f"Caption of {NAMES[0]}", diagnoses=["Glioma"]))
    table = scoring_over(Source(snapshot(), own)).score_study(FILE, asked("m", dialect="gaze", by_slice=True))
    found = {(r.metric, r.threshold): r.value for r in table.slices}
    assert found["mAP", 0.5] == found["top1", None] == 1.0
    assert found["bleu", None] == pytest.approx(1.0)
    assert all(r.metric != "undecided" for r in table.slices)


def test_equal_texts_are_not_scored_twice() -> None:
    own = [model(name, prediction(NAMES[0], caption="A mass.")) for name in ("m", "n")]
    source = Source(snapshot(), *own)
    service = scoring_over(source)
    table = service.score_study(FILE, asked("m", "n", dialect="gaze"))
    scores = [r.score for r in table.rows if r.score.metric == "meteor"]
    assert scores[0] is scores[1]


def test_before_the_lock_only_with_a_reason_that_is_noted() -> None:
    source = Source(snapshot(phase=Phase.READING), model("m", prediction(NAMES[0])))
    service = scoring_over(source)
    with pytest.raises(NotAllowedError, match="opens after the database lock"):
        service.score_study(FILE, QUICK)
    with pytest.raises(NotAllowedError):
        service.set_names(FILE)
    table = service.score_study(FILE, QUICK, early_reason="a pilot")
    assert (table.before_lock, source.notes) == ("a pilot", [("score", "a pilot")])
    assert score_object(table)["before_lock"] == "a pilot"


def test_lines_for_a_person_tell_what_was_seen_why_it_is_early_and_what_is_open() -> None:
    readings = snapshot(slices=[slice_reading(NAMES[0])], cases=[case_reading()], phase=Phase.READING)
    own = model("m", prediction(NAMES[0], GOLD_BOX, diagnoses=["Abscess"]))
    service = scoring_over(Source(readings, own))
    table = service.score_study(FILE, asked(against="gold"), early_reason="a pilot")
    text = "\n".join(score_lines(table))
    assert "Before the database lock, because: a pilot" in text
    assert "R02 by the rules of nova_review, who saw image, siblings; for diagnoses history, image:" in text
    assert "m by the rules of nova_review:" in text
    assert "m: 1 pair of diagnoses not judged yet, counted as not the same." in text
    assert "localisation TP@.5           1, n 1 " in text


def test_a_study_without_sets() -> None:
    with pytest.raises(UserError, match="nothing to score"):
        scoring_over(Source(snapshot())).score_study(FILE, QUICK)


def test_a_set_that_answered_nothing_has_no_number() -> None:
    service = scoring_over(Source(snapshot(), model("m", replace(prediction(NAMES[0]), boxes=None))))
    table = service.score_study(FILE, asked("m"))
    assert {(r.task.value, r.estimate.value, r.estimate.undefined_because) for r in table.rows} == {
        ("localisation", None, "nothing was answered")
    }


def test_normality_without_words_is_a_caption() -> None:
    reading = slice_reading(NAMES[0], [finding()])
    said = Caption((), None, Normality.ABNORMAL, "", None)
    bare = replace(reading, answer=replace(reading.answer, caption=said))
    table = scoring_over(Source(snapshot(slices=[bare]))).score_study(FILE, asked("R02", against="gold"))
    assert value(table, "R02", "bleu")[1] == 1


def test_an_answer_that_never_came_counts_as_an_empty_one_and_is_told() -> None:
    """The lesion's slice was asked for and nothing came; the second is answered, the third is not there."""
    silent = replace(prediction(NAMES[0]), boxes=None, answered=False)
    service = scoring_over(Source(snapshot(), model("m", silent, prediction(NAMES[1]))))
    table = service.score_study(FILE, asked("m"))
    assert value(table, "m", "FN", 0.5) == (1.0, 2, "no resamples were asked for")
    assert "m: no answer came on 1 slice; there it counts as an empty one." in table.left_out
    assert "m: 1 slice without an answer of boxes left out." in table.heads[0].left_out


def test_a_set_of_silences_alone_has_no_number() -> None:
    silent = replace(prediction(NAMES[0]), boxes=None, answered=False)
    table = scoring_over(Source(snapshot(), model("m", silent))).score_study(FILE, asked("m"))
    assert table.rows
    assert all(row.estimate.value is None for row in table.rows)
