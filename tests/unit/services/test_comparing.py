"""Compare: verdicts, filters, orders, choices, matrix and scatter of a small study worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest

from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box
from nova_review.domain.prediction import Prediction, PredictionKind
from nova_review.domain.verdicts import BoxKind, Thresholds, Verdict
from nova_review.services.comparing import set_errors
from nova_review.services.comparing_choices import filter_choices
from nova_review.services.comparing_fields import Level
from nova_review.services.comparing_filter import owner
from nova_review.services.comparing_lists import Order, Quantity
from nova_review.services.comparing_pairs import matrix, scatter
from nova_review.services.comparing_rows import SLICE
from nova_review.services.comparing_selection import selection
from nova_review.services.comparing_shown import shown_slice, slice_line
from nova_review.services.comparing_views import ReadersAgreement
from nova_review.services.comparison import Comparison
from nova_review.services.failure_notes import FLAG, FailureNote, FailureTag, NoteSpot, Part
from tests.helpers.compared import (
    G1,
    G3,
    MODEL_A,
    MODEL_B,
    ONE,
    THREE,
    TWO,
    compared,
    content,
    demo_data_set,
    readers_study,
    stored_set,
    stored_sets,
)
from tests.helpers.studies import NAMES, data_set, snapshot

FILTERS = (
    ("", [ONE, TWO, THREE], 13),
    ("verdict = miss and relative_size < 0.01", [ONE], 1),  # g2 of model-a: 1600 / 230400
    ("verdict = miss", [ONE, THREE], 3),
    ("set = model-b and verdict = miss", [ONE, THREE], 2),
    ("verdict = poor_location and iou > 0.33 and iou < 0.34", [ONE], 1),
    ("right = model-a and wrong = model-b", [THREE], 4),
    ("models_right = 0", [ONE], 8),
    ("models_right = 1", [TWO, THREE], 5),
    ("right = model-b", [TWO], 1),  # the slice itself is let through though model-b has no box there
    ("wrong = model-a and readers = agreed", [ONE, TWO], 9),
    ("wrong = model-b and readers = disagreed", [THREE], 4),
    ("kind = prediction and confidence >= 0.7", [ONE, THREE], 3),
    ("lesions = 2", [ONE], 8),
    ("boxes = 0", [TWO], 0),
    ("side = image-right", [ONE, THREE], 4),  # g2 beside each set, p2 of slice 1, p1 of slice 3
    ("plane = axial", [ONE, THREE], 12),
    ("term = oedema", [ONE], 8),
    ("missing_term = oedema", [ONE], 8),
    ("diagnosis = glioma", [ONE, TWO], 9),
    ("group = single", [ONE, TWO], 9),
    ("diagnosis_rank = 2", [ONE, TWO], 9),
    ("diagnosis_verdict = listed_later", [ONE, TWO], 9),
    ("text contains cerebellar", [THREE], 4),
    ("filename contains _002", [TWO], 1),
    ("case = case0002", [THREE], 4),
    ("data_set = demo and verdict = duplicate", [ONE], 1),
    ("iou > 2", [], 0),
)


def test_every_box_has_the_verdict_worked_out_by_hand() -> None:
    counts = {(c.set_name, c.verdict): c.count for c in selection(compared()).counts if c.count}
    assert counts == {
        ("model-a", Verdict.TRUE_POSITIVE): 2,
        ("model-a", Verdict.DUPLICATE): 1,
        ("model-a", Verdict.BACKGROUND): 1,
        ("model-a", Verdict.FOUND): 2,
        ("model-a", Verdict.MISS): 1,
        ("model-b", Verdict.TRUE_POSITIVE): 1,
        ("model-b", Verdict.POOR_LOCATION): 1,
        ("model-b", Verdict.BACKGROUND): 1,
        ("model-b", Verdict.FOUND): 1,
        ("model-b", Verdict.MISS): 2,
    }


def test_a_slice_shows_boxes_partners_and_ious() -> None:
    a, b = shown_slice(compared(), ONE).sets
    assert [(x.number, x.verdict, x.iou, x.partner, x.score) for x in a.boxes] == [
        (1, Verdict.TRUE_POSITIVE, 1.0, 1, 0.9),
        (2, Verdict.DUPLICATE, pytest.approx(0.8), 1, 0.8),
    ]
    assert [(g.found, g.iou, g.partner) for g in a.gold] == [(True, 1.0, 1), (False, None, None)]
    assert a.gold[1].relative_size == pytest.approx(1600 / 230400)
    assert [(x.verdict, x.iou, x.partner) for x in b.boxes] == [
        (Verdict.POOR_LOCATION, pytest.approx(1 / 3), 1),
        (Verdict.TRUE_POSITIVE, 1.0, 2),
    ]
    assert [(g.verdict, g.iou, g.partner) for g in b.gold] == [
        (Verdict.MISS, pytest.approx(1 / 3), 1),
        (Verdict.FOUND, 1.0, 2),
    ]
    assert (a.right, b.right) == (False, False)


def test_a_slice_without_gold_is_right_where_nothing_was_marked() -> None:
    a, b = shown_slice(compared(), TWO).sets
    assert (a.right, b.right) == (False, True)
    assert [x.verdict for x in a.boxes] == [Verdict.BACKGROUND]
    assert (b.answered, b.boxes) == (True, ())


@pytest.mark.parametrize(("words", "keys", "rows"), FILTERS)
def test_a_filter_lets_through_what_it_says(words: str, keys: list[object], rows: int) -> None:
    chosen = selection(compared(), words)
    assert (list(chosen.keys), chosen.n_of) == (keys, 3)
    assert chosen.rows == rows


@pytest.mark.parametrize("words", [f[0] for f in FILTERS if f[0]])
def test_columns_and_rows_one_by_one_say_the_same(words: str) -> None:
    now = compared()
    where = now.where(words)
    expected = [where.matches(_row(now, k)) for k in range(len(now.layout.slice))]
    assert now.matching(where).tolist() == expected


def _row(now: Comparison, place: int) -> dict[str, object]:
    """One row as the language of filters sees it, value by value."""
    found: dict[str, object] = {}
    for field in now.fields:
        column = now.column(field.spec.name)
        at = int(owner(column.level, now.layout)[place])
        numbers = column.numbers
        found[field.spec.name] = column.values[at] if numbers is None else float(numbers[at])
    return found


def test_every_field_has_a_value_for_each_of_what_it_belongs_to() -> None:
    now = compared()
    sizes = {Level.BOX: len(now.layout.slice), Level.ANSWER: 2 * 3, Level.SET: 2, Level.SLICE: 3}
    for field in now.fields:
        column = now.column(field.spec.name)
        given = column.values if column.numbers is None else column.numbers
        assert len(given) == sizes[column.level], field.spec.name
        assert field.meaning


def test_true_and_false_positives_make_up_all_boxes_and_hits_and_misses_all_gold() -> None:
    for thresholds in (Thresholds(), Thresholds(0.3, 0.05), Thresholds(0.9, 0.9), Thresholds(min_score=0.55)):
        now = compared(thresholds=thresholds)
        for key in now.keys:
            for one in shown_slice(now, key).sets:
                wrong = sum(b.verdict is not Verdict.TRUE_POSITIVE for b in one.boxes)
                assert one.count(Verdict.TRUE_POSITIVE) + wrong + one.hidden == _given(one.name, key)
                assert one.count(Verdict.TRUE_POSITIVE) == one.count(Verdict.FOUND)
                assert one.count(Verdict.FOUND) + one.count(Verdict.MISS) == len(one.gold)


def _given(name: str, key: tuple[str, str]) -> int:
    return len((MODEL_A if name == "model-a" else MODEL_B)[key[1]])


def test_other_thresholds_judge_the_same_boxes_anew() -> None:
    now = compared()
    loose = now.judged_by(Thresholds(hit=0.3))
    verdicts = [b.verdict for b in shown_slice(loose, ONE).sets[1].boxes]
    assert verdicts == [Verdict.TRUE_POSITIVE, Verdict.TRUE_POSITIVE]  # 1/3 reaches .3
    strict = now.judged_by(Thresholds(background=0.35))
    assert shown_slice(strict, ONE).sets[1].boxes[0].verdict is Verdict.BACKGROUND  # 1/3 does not reach .35
    assert shown_slice(now, ONE).sets[1].boxes[0].verdict is Verdict.POOR_LOCATION


def test_boxes_below_the_least_confidence_are_as_if_not_there() -> None:
    now = compared(min_scores=(0.85, 0.0))
    a = shown_slice(now, ONE).sets[0]
    assert ([b.number for b in a.boxes], a.hidden) == ([1], 1)
    assert shown_slice(now, THREE).sets[0].right is False  # its .7 is hidden, so g1 is missed
    assert shown_slice(now, TWO).sets[0].right is True
    assert selection(now, "kind = prediction and set = model-a").rows == 1


@pytest.mark.parametrize("scores", [(0.1, 0.2, 0.3), (-0.1, 0.2), (float("nan"), 0.0)])
def test_least_confidences_that_fit_no_set_are_refused(scores: tuple[float, ...]) -> None:
    with pytest.raises(UserError, match="confidence"):
        compared(min_scores=scores)


def test_a_hidden_box_stays_hidden_whatever_the_filter() -> None:
    now = compared(thresholds=Thresholds(min_score=0.85))
    assert selection(now, "confidence < 0.85").keys == ()
    assert selection(now, "verdict != miss and kind = prediction").rows == 1


def test_perfect_answers_have_no_error_of_any_kind() -> None:
    perfect = {NAMES[0]: [(G1, 0.5), (Box(300, 300, 40, 40), 0.5)], NAMES[1]: [], NAMES[2]: [(G3, None)]}
    now = compared(["p"], stored=[stored_set("p", perfect)])
    (errors,) = set_errors(now)
    assert (errors.precision, [(s.count, s.share, s.cost) for s in errors.shares]) == (
        pytest.approx(1.0),
        [(0, None, pytest.approx(0.0))] * 5,
    )
    assert selection(now, "right = p").n == 3


def test_shares_of_the_error_by_kind() -> None:
    a, _ = set_errors(compared())
    assert {s.verdict: (s.count, s.share) for s in a.shares if s.count} == {
        Verdict.DUPLICATE: (1, pytest.approx(1 / 3)),
        Verdict.BACKGROUND: (1, pytest.approx(1 / 3)),
        Verdict.MISS: (1, pytest.approx(1 / 3)),
    }
    assert (a.set_name, a.slices) == ("model-a", 3)


def test_the_order_of_sets_changes_no_verdict() -> None:
    one, other = compared(["model-a", "model-b"]), compared(["model-b", "model-a"])
    for key in one.keys:
        assert shown_slice(one, key).sets == shown_slice(other, key).sets[::-1]


def test_the_order_of_gold_and_boxes_changes_no_verdict() -> None:
    turned = {name: list(reversed(given)) for name, given in MODEL_A.items()}
    demo = replace(demo_data_set(), gold=demo_data_set().gold[::-1])
    now = compared(["model-a"], stored=[stored_set("model-a", turned)], study=snapshot(data_sets=[demo]))
    old = compared(["model-a"])
    for key in old.keys:
        (before,), (after,) = shown_slice(old, key).sets, shown_slice(now, key).sets
        assert {(b.box, b.verdict, b.iou) for b in before.boxes} == {
            (b.box, b.verdict, b.iou) for b in after.boxes
        }
        assert {(g.box, g.verdict) for g in before.gold} == {(g.box, g.verdict) for g in after.gold}


@pytest.mark.parametrize(
    ("order", "keys"),
    [
        (Order.STUDY, [ONE, TWO, THREE]),
        (Order.ERRORS, [ONE, THREE, TWO]),  # a: dup + miss, b: poor + miss = 4; 2 (b); 1 (a)
        (Order.MISSES, [ONE, THREE, TWO]),  # 2, 1, 0
        (Order.IOU, [THREE, ONE, TWO]),  # means (1 + 0) / 2 and (1 + 0 + 1/3 + 1) / 4; without gold last
        (Order.CONFIDENCE, [ONE, THREE, TWO]),  # false positives of .8, .4, .3
        (Order.SMALLEST, [ONE, THREE, TWO]),
        (Order.LESIONS, [ONE, THREE, TWO]),
        # F1 of a and b: 2/4 and 2/4; 0 and nothing to find, which is as good as 1; 1 and 0
        (Order.DISAGREEMENT, [TWO, THREE, ONE]),
    ],
)
def test_orders(order: Order, keys: list[object]) -> None:
    chosen = selection(compared(), "", order)
    assert chosen.order is order
    assert list(chosen.keys) == keys


def test_counts_beside_choices_are_slices_that_stay() -> None:
    now = compared()
    for words in ("", "verdict = miss"):
        for field in filter_choices(now, words):
            for choice in field.choices:
                joined = f"{words} and {choice.condition}" if words else choice.condition
                assert selection(now, joined).n == choice.count, joined


def test_choices_of_verdicts_stand_in_their_own_order() -> None:
    (field,) = [f for f in filter_choices(compared()) if f.field == "verdict"]
    assert [(c.value, c.count) for c in field.choices] == [
        ("true_positive", 2),
        ("poor_location", 1),
        ("duplicate", 1),
        ("background", 2),
        ("found", 2),
        ("miss", 2),
    ]


def test_a_matrix_tells_right_from_wrong_and_opens_the_slices() -> None:
    found = matrix(compared(), "model-a", "model-b")
    assert {(c.a, c.b): c.keys for c in found.cells} == {
        ("right", "right"): (),
        ("right", "wrong"): (THREE,),
        ("wrong", "right"): (TWO,),
        ("wrong", "wrong"): (ONE,),
    }
    for cell in found.cells:
        assert selection(compared(), cell.condition).keys == cell.keys
    assert matrix(compared(), "model-a", "model-b", "lesions > 0").cell("wrong", "right").n == 0


def test_a_scatter_has_one_point_a_slice() -> None:
    best = scatter(compared(), "model-a", "model-b", Quantity.BEST_IOU)
    # slice 1: a 1 and 0, b 1/3 and 1; slice 3: a 1, b 0; slice 2 has no gold
    assert {p.key: (p.a, p.b) for p in best.points} == {
        ONE: (0.5, pytest.approx(2 / 3)),
        THREE: (1.0, 0.0),
    }
    assert best.undefined == 1
    f1 = scatter(compared(), "model-a", "model-b", Quantity.F1)
    assert {p.key: (p.a, p.b) for p in f1.points} == {ONE: (0.5, 0.5), THREE: (1.0, 0.0)}
    sure = scatter(compared(), "model-a", "model-b", Quantity.CONFIDENCE)
    assert {p.key: (p.a, p.b) for p in sure.points} == {ONE: (0.9, 0.6), THREE: (0.7, 0.4)}


def test_sets_that_are_not_compared_have_no_matrix() -> None:
    with pytest.raises(UserError, match="model-c is not compared"):
        matrix(compared(), "model-a", "model-c")


def test_slices_that_a_set_did_not_answer_are_left_out_and_counted() -> None:
    partial = stored_set("model-b", {NAMES[0]: MODEL_B[NAMES[0]]})
    silent = replace(
        partial, predictions=(*partial.predictions, Prediction(NAMES[1], "demo", answered=False))
    )
    now = compared(stored=[stored_sets()[0], silent])
    assert [(r.what, r.count) for r in now.content.left_out] == [("slices that model-b did not answer", 2)]
    b = shown_slice(now, THREE).sets[1]
    assert (b.answered, b.right, b.boxes, b.gold) == (False, None, (), ())
    assert selection(now, "set = model-b").keys == (ONE,)
    assert selection(now, "wrong = model-b").keys == (ONE,)
    assert slice_line(now, THREE).right == (True, None)


def test_a_set_without_boxes_is_compared_by_its_captions() -> None:
    told = stored_set("m", MODEL_A)
    only_captions = replace(told, predictions=tuple(replace(p, boxes=None) for p in told.predictions))
    now = compared(["m"], stored=[only_captions])
    assert now.keys == (ONE, TWO, THREE)
    assert [r.words for r in now.content.left_out] == ["3 slices on which m gave no boxes but other answers"]
    one = shown_slice(now, ONE).sets[0]
    assert (one.answered, one.right, one.boxes, one.gold) == (False, None, (), ())
    assert one.caption is not None
    assert selection(now, "caption_verdict = wrong_plane").keys == (ONE, THREE)  # coronal for axial
    assert (selection(now).rows, selection(now, "right = m").n, selection(now, "verdict = miss").n) == (
        0,
        0,
        0,
    )
    assert set_errors(now)[0].precision is None
    assert [c.field for c in filter_choices(now) if c.field in ("right", "verdict", "plane")] == ["plane"]


def test_nothing_is_compared_where_no_set_answered() -> None:
    silent = replace(stored_set("m", {}), predictions=(Prediction(NAMES[0], "demo", answered=False),))
    now = compared(["m"], stored=[silent])
    assert (now.keys, selection(now, "", Order.IOU).keys) == ((), ())
    assert [r.words for r in now.content.left_out] == ["3 slices with gold that none of the sets answered"]
    assert (filter_choices(now), set_errors(now)[0].precision) == ((), None)
    assert [len(scatter(now, "m", "m", q).points) for q in Quantity] == [0, 0, 0]


def test_slices_without_known_gold_are_left_out_and_counted() -> None:
    demo = data_set(gold=False, decided=[NAMES[0]])
    now = compared(["model-a"], study=snapshot(data_sets=[demo]))
    assert now.keys == (ONE,)
    assert [(r.what, r.count) for r in now.content.left_out] == [("slices without known gold", 2)]


def test_a_study_without_any_gold_says_so() -> None:
    with pytest.raises(UserError, match="No slice of this study has known gold"):
        content(study=snapshot(data_sets=[data_set(gold=False)]))


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        ([], "name 1 to 4"),
        (["model-c"], "no prediction set or reader 'model-c'"),
        (["a", "b", "c", "d", "e"], "At most 4 sets"),
    ],
)
def test_sets_that_cannot_be_compared(names: list[str], sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        content(names, stored=[*stored_sets(), *(stored_set(n, MODEL_A) for n in "abcde")])


def test_readers_are_sets_too_and_a_reader_in_the_gold_is_told() -> None:
    now = compared(["R02", "model-a"])
    assert shown_slice(now, THREE).sets[0].right is True
    assert now.content.sets[0].answers.kind is PredictionKind.READER
    assert now.content.notes == ()
    assert selection(now, "models_right = 1").keys == (THREE,)  # model-a alone is a model


def test_whether_the_readers_of_a_slice_agreed() -> None:
    now = compared()
    told = [shown_slice(now, key).readers for key in (ONE, TWO, THREE)]
    assert told == [ReadersAgreement.AGREED, ReadersAgreement.AGREED, ReadersAgreement.DISAGREED]
    assert now.content.readers_f1.tolist() == [1.0, 1.0, 0.0]
    alone = compared(study=replace(readers_study(), slice_readings=readers_study().slice_readings[:1]))
    assert np.isnan(alone.content.readers_f1).all()
    assert selection(alone, "readers = undefined").n == 3


def test_boxes_are_cut_to_the_picture_before_they_are_compared() -> None:
    # 400..560 of a picture 480 wide: 80 x 80 are left, and that is the gold box
    demo = replace(demo_data_set(), gold=(replace(demo_data_set().gold[0], box=Box(400, 0, 80, 80)),))
    beyond = stored_set("m", {NAMES[0]: [(Box(400, -80, 160, 160), 0.5)]})
    one = shown_slice(compared(["m"], study=snapshot(data_sets=[demo]), stored=[beyond]), ONE).sets[0]
    assert (one.boxes[0].verdict, one.boxes[0].iou) == (Verdict.TRUE_POSITIVE, 1.0)
    assert one.boxes[0].box == Box(400, -80, 160, 160)


def test_captions_and_diagnoses_stand_beside_those_of_the_data_set() -> None:
    one = shown_slice(compared(), ONE).sets[0]
    assert one.caption is not None
    assert one.diagnoses is not None
    assert "oedema" in one.caption.missing
    assert "wrong_plane" in one.caption.verdicts  # coronal for axial
    assert any("side unknown" in words for words in one.caption.remarks)
    assert (one.diagnoses.matched_rank, one.diagnoses.undecided_ranks) == (2, (1,))
    three = shown_slice(compared(), THREE).sets[0]
    assert three.diagnoses is not None
    assert three.diagnoses.words == ""  # the case has no final diagnosis


def test_tags_notes_and_flags_are_filtered_and_shown() -> None:
    said = [
        FailureNote("1", NoteSpot("model-a", ONE, Part.GOLD, 2), "missed small lesion", "", "x", "t"),
        FailureNote("2", NoteSpot("model-a", TWO), "artefact", "motion <b>", "x", "t"),
        FailureNote("3", NoteSpot("", THREE), FLAG, "", "x", "t"),
        FailureNote("4", NoteSpot("model-z", ("demo", "gone.png")), "artefact", "", "x", "t"),
    ]
    tags = [FailureTag("t1", "missed small lesion"), FailureTag("t2", "artefact", retired=True)]
    now = compared().noted(said, tags)
    assert selection(now, 'tag = "missed small lesion"').rows == 1
    assert selection(now, "tag = artefact").keys == (TWO,)
    assert selection(now, "flagged = yes").keys == (THREE,)
    assert selection(now, "note contains motion").keys == (TWO,)
    assert selection(now, "text contains motion").keys == (TWO,)
    assert selection(now, "tag != artefact").keys == (ONE, TWO, THREE)  # model-b's answer on slice 2
    assert shown_slice(now, ONE).sets[0].gold[1].tags == ("missed small lesion",)
    assert shown_slice(now, TWO).sets[0].note == "motion <b>"
    assert shown_slice(now, THREE).flagged
    assert slice_line(now, ONE).tags == ("missed small lesion",)
    with pytest.raises(UserError, match="tag must be one of"):
        now.where("tag = unheard-of")


def test_a_slice_that_is_not_compared_is_named() -> None:
    with pytest.raises(UserError, match=r"gone\.png of demo is not compared"):
        shown_slice(compared(), ("demo", "gone.png"))


def test_two_data_sets_with_one_file_name_are_two_slices() -> None:
    other = replace(demo_data_set(), code="other")
    study = snapshot(data_sets=[demo_data_set(), other])
    both = stored_set("m", MODEL_A)
    more = replace(
        both, predictions=both.predictions + stored_set("m", MODEL_B, data_set="other").predictions
    )
    now = compared(["m"], study=study, stored=[more])
    assert len(now.keys) == 6
    assert selection(now, "data_set = other and verdict = poor_location").keys == (("other", NAMES[0]),)


def test_lines_count_verdicts_set_by_set() -> None:
    line = slice_line(compared(), ONE)
    assert line.verdicts[1] == {
        Verdict.POOR_LOCATION: 1,
        Verdict.TRUE_POSITIVE: 1,
        Verdict.FOUND: 1,
        Verdict.MISS: 1,
    }
    assert (line.right, line.flagged, line.tags) == ((False, False), False, ())


def test_rows_of_slices_are_never_counted_as_boxes() -> None:
    now = compared()
    assert int((now.layout.kind == SLICE).sum()) == 6
    assert sum(c.count for c in selection(now).counts) == 13
    assert {c.kind for c in selection(now).counts if c.verdict is Verdict.MISS} == {BoxKind.GOLD}
