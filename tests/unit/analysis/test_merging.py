"""Gold by rule: the published gold is given back, and whatever does not agree is left alone."""

from pathlib import Path

import pytest

from nova_review.analysis.merging import (
    Gate,
    Layer,
    MergedSlice,
    MergeRule,
    Source,
    check_gate,
    drawn_for_check,
    enclosing_box,
    merge,
    readers_without_weight,
    shared_box,
)
from nova_review.analysis.weights import MergedExample, estimate_weights
from nova_review.domain.adjudication import Provenance
from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Finding, Normality, Side
from tests.helpers.box_tables import box_of, rows_of

# The weights as they are published, to three digits.
PUBLISHED = {
    "Dr.NeuronNinja": 0.256,
    "Dr.ScanSleuth": 0.744,
    "Dr.MRIMaverick": 0.401,
    "Dr.RadiantRay": 0.599,
    "Dr.CortexCommander": 0.398,
    "Dr.EchoLobe": 0.602,
    "Dr.PixelPathologist": 0.651,
    "Dr.SynapseScout": 0.349,
}
MEAN = Gate()


def _layer(reader: str, *boxes: Box, **said: object) -> Layer:
    return Layer(reader, tuple(Finding(f"{reader}{k}", box) for k, box in enumerate(boxes)), **said)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def examples(shared_data: Path) -> list[MergedExample]:
    folder = shared_data / "nova_annotations"
    layers: dict[str, dict[str, list[Finding]]] = {}
    for k, row in enumerate(rows_of(folder / "bboxes_raters.csv")):
        layers.setdefault(row["filename"], {}).setdefault(row["rater"], []).append(
            Finding(str(k), box_of(row))
        )
    gold: dict[str, list[Box]] = {}
    for row in rows_of(folder / "bboxes_gold.csv"):
        gold.setdefault(row["filename"], []).append(box_of(row))
    return [
        MergedExample(name, tuple(Layer(r, tuple(f)) for r, f in own.items()), tuple(gold[name]))
        for name, own in layers.items()
    ]


def _error(merged: MergedSlice, gold: tuple[Box, ...]) -> float:
    """Largest difference in x, y, width or height, boxes paired by nearest corner."""
    assert len(merged.boxes) == len(gold)
    left = list(gold)
    worst = 0.0
    for own in (m.box for m in merged.boxes):
        other = min(left, key=lambda b: abs(b.x - own.x) + abs(b.y - own.y) + abs(b.width - own.width))
        left.remove(other)
        numbers = ((b.x, b.y, b.width, b.height) for b in (own, other))
        worst = max(worst, *(abs(p - q) for p, q in zip(*numbers, strict=True)))
    return worst


def test_the_published_gold(examples: list[MergedExample]) -> None:
    gate = check_gate(Gate(MergeRule.WEIGHTED, weights=PUBLISHED))
    merged = {e.file_name: merge(e.layers, gate) for e in examples}
    two = [e for e in examples if len(e.layers) == 2]
    one = [e for e in examples if len(e.layers) == 1]
    assert (len(two), len(one)) == (358, 89)
    assert all(merged[e.file_name].provenance in (Provenance.RULE, Provenance.UNANIMOUS) for e in two)
    assert max(_error(merged[e.file_name], e.gold) for e in two) < 1e-4
    for e in one:
        assert merged[e.file_name].provenance is Provenance.SINGLE_READER
        assert [b.box for b in merged[e.file_name].boxes] == [f.box for f in e.layers[0].findings]
        assert _error(merged[e.file_name], e.gold) < 1e-4
    assert readers_without_weight([e.layers for e in examples], gate) == ()


def test_a_gate_on_every_pair_would_lose_published_slices(examples: list[MergedExample]) -> None:
    found = [merge(e.layers, MEAN) for e in examples if len(e.layers) == 2]
    assert all(m.agreed for m in found)
    assert min(m.mean_iou for m in found if m.mean_iou) >= 0.3


def test_the_published_weights_are_recovered(examples: list[MergedExample]) -> None:
    found = estimate_weights(examples)
    assert found.weights == pytest.approx(PUBLISHED, abs=5e-7)
    assert found.largest_residual == pytest.approx(2.03e-5, abs=1e-7)
    assert found.unused == ()
    assert sum(g.slices for g in found.groups) == 358
    assert {g.readers for g in found.groups} == {
        ("Dr.NeuronNinja", "Dr.ScanSleuth"),
        ("Dr.MRIMaverick", "Dr.RadiantRay"),
        ("Dr.CortexCommander", "Dr.EchoLobe"),
        ("Dr.PixelPathologist", "Dr.SynapseScout"),
    }


def test_boxes_are_paired_by_place_and_never_by_order() -> None:
    a = _layer("A", Box(0, 0, 20, 20), Box(100, 100, 40, 40))
    b = _layer("B", Box(104, 100, 40, 44), Box(0, 0, 20, 24))
    found = merge([a, b], MEAN)
    assert [m.box for m in found.boxes] == [Box(0, 0, 20, 22), Box(102, 100, 40, 42)]
    assert found.boxes[0].sources == (Source("A", "A0", 0.5), Source("B", "B1", 0.5))
    assert (found.provenance, found.why_not) == (Provenance.RULE, None)
    assert found.mean_iou == pytest.approx((400 / 480 + 36 * 40 / (1600 + 1760 - 1440)) / 2)


def test_weights_are_normalised_among_the_readers_of_the_slice() -> None:
    gate = Gate(MergeRule.WEIGHTED, weights={"A": 3.0, "B": 1.0, "C": 16.0})
    found = merge([_layer("A", Box(0, 0, 20, 20)), _layer("B", Box(4, 0, 20, 24))], gate)
    assert found.boxes[0].box == Box(1, 0, 20, 21)
    assert [s.weight for s in found.boxes[0].sources] == [0.75, 0.25]


def test_a_reader_who_reads_alone_needs_no_weight() -> None:
    gate = Gate(MergeRule.WEIGHTED, weights={"A": 1.0})
    alone = [_layer("B", Box(1.5, 2, 3, 4), Box(0, 0, 1, 1))]
    together = [_layer("A", Box(0, 0, 9, 9)), _layer("C", Box(0, 0, 9, 9))]
    found = merge(alone, gate)
    assert [m.box for m in found.boxes] == [Box(1.5, 2, 3, 4), Box(0, 0, 1, 1)]
    assert found.boxes[0].sources == (Source("B", "B0", 1.0),)
    assert found.provenance is Provenance.SINGLE_READER
    assert readers_without_weight([alone, together], gate) == ("C",)
    assert readers_without_weight([alone, together], MEAN) == ()
    assert merge(together, gate).why_not == "no weight is given for C"


def test_all_found_nothing_or_the_very_same() -> None:
    nothing = merge([_layer("A"), _layer("B")], MEAN)
    assert (nothing.boxes, nothing.provenance, nothing.mean_iou) == ((), Provenance.UNANIMOUS, None)
    same = merge([_layer("A", Box(0.1, 0.2, 0.3, 0.7)), _layer("B", Box(0.1, 0.2, 0.3, 0.7))], MEAN)
    assert (same.boxes[0].box, same.provenance) == (Box(0.1, 0.2, 0.3, 0.7), Provenance.UNANIMOUS)


BOX, FAR = Box(0, 0, 20, 20), Box(90, 90, 9, 9)


@pytest.mark.parametrize(
    ("layers", "why"),
    [
        ([_layer("A", BOX), _layer("B", BOX, Box(50, 50, 9, 9))], "different numbers of boxes (1, 2)"),
        ([_layer("A", BOX), _layer("B")], "different numbers of boxes (1, 0)"),
        (
            [_layer("A", BOX), _layer("B", Box(90, 90, 9, 9))],
            "a box of one reader overlaps no box of another",
        ),
        ([_layer("A", BOX), _layer("B", Box(15, 0, 20, 20))], "mean IoU 0.14 is below 0.3"),
        (
            [_layer("A", normality=Normality.NORMAL), _layer("B", normality=Normality.ABNORMAL)],
            "normal for one reader, abnormal for another",
        ),
        (
            [Layer("A", (Finding("1", BOX, "tumour"),)), Layer("B", (Finding("2", BOX, "cyst"),))],
            "paired boxes have different labels",
        ),
        (
            [
                Layer("A", (Finding("1", BOX, side=Side.IMAGE_LEFT),)),
                Layer("B", (Finding("2", BOX, side=Side.MIDLINE),)),
            ],
            "paired boxes have different sides",
        ),
    ],
)
def test_what_stands_against_gold(layers: list[Layer], why: str) -> None:
    found = merge(layers, MEAN)
    assert (found.boxes, found.provenance, found.why_not) == ((), Provenance.UNRESOLVED, why)
    assert not found.agreed
    assert merge(layers[::-1], MEAN).provenance is Provenance.UNRESOLVED


def test_the_gate_is_the_mean_of_the_slice() -> None:
    # IoU 1 and 5/35 = .143: the mean .571 passes .5, though one pair alone would not.
    a = _layer("A", BOX, Box(100, 0, 20, 20))
    b = _layer("B", BOX, Box(115, 0, 20, 20))
    assert merge([a, b], Gate(min_iou=0.57)).agreed
    assert not merge([a, b], Gate(min_iou=0.58)).agreed


def test_what_was_said_by_one_reader_is_kept() -> None:
    first = Layer("A", (Finding("1", BOX, "", "", None),), None)
    second = Layer("B", (Finding("2", BOX, "cyst", "frontal", Side.MIDLINE),), Normality.ABNORMAL)
    (box,) = merge([first, second], MEAN).boxes
    assert (box.label, box.place, box.side) == ("cyst", "frontal", Side.MIDLINE)


def test_three_readers_are_paired_through_the_middle_one() -> None:
    # A and C overlap little; B lies between them and is the one that both are paired with.
    a = _layer("A", Box(0, 0, 40, 10), Box(200, 0, 10, 10))
    b = _layer("B", Box(200, 0, 10, 10), Box(10, 0, 40, 10))
    c = _layer("C", Box(20, 0, 40, 10), Box(200, 0, 10, 10))
    found = merge([a, b, c], MEAN)
    assert [m.box for m in found.boxes] == [Box(200, 0, 10, 10), Box(10, 0, 40, 10)]
    assert [s.finding_id for s in found.boxes[1].sources] == ["A0", "B1", "C0"]
    # IoU .6, .6, 1/3 and three times 1.
    assert found.mean_iou == pytest.approx((0.6 + 0.6 + 1 / 3 + 3) / 6)
    away = _layer("C", Box(20, 0, 40, 10), Box(300, 0, 10, 10))
    assert merge([a, b, away], MEAN).why_not == "a box of one reader overlaps no box of another"


@pytest.mark.parametrize(
    ("gate", "words"),
    [
        (Gate(min_iou=1.5), "least mean IoU must be from 0 to 1"),
        (Gate(MergeRule.WEIGHTED), "needs a weight for each reader"),
        (Gate(MergeRule.WEIGHTED, weights={"A": 0.0}), "weight of A must be a number above 0"),
        (Gate(MergeRule.WEIGHTED, weights={"A": float("nan")}), "weight of A must be a number above 0"),
    ],
)
def test_rules_that_cannot_be_used(gate: Gate, words: str) -> None:
    with pytest.raises(UserError, match=words):
        check_gate(gate)


def _example(name: str, weights: dict[str, float], *shifts: float) -> MergedExample:
    """One slice whose gold is the weighted mean of boxes at these places."""
    total = sum(weights.values())
    place = sum(w * s for w, s in zip(weights.values(), shifts, strict=True)) / total
    layers = tuple(_layer(r, Box(s, 0, 50, 50 + s)) for r, s in zip(weights, shifts, strict=True))
    return MergedExample(name, layers, (Box(place, 0, 50, 50 + place),))


def test_groups_that_share_readers_come_to_one_scale() -> None:
    examples = [
        _example("s1", {"A": 2, "B": 1}, 0, 9),
        _example("s2", {"B": 1, "C": 5}, 3, 8),
        _example("s3", {"X": 1, "Y": 1}, 0, 6),
        _example("s4", {"A": 2, "B": 1, "C": 5}, 0, 4, 9),
        _example("s5", {"A": 2, "B": 1, "C": 5}, 7, 2, 1),
        MergedExample("alone", (_layer("Z", BOX),), (BOX,)),
    ]
    found = estimate_weights(examples)
    assert found.weights == pytest.approx({"A": 0.25, "B": 0.125, "C": 0.625, "X": 0.5, "Y": 0.5}, abs=1e-9)
    assert found.largest_residual < 1e-9
    assert [(g.readers, g.slices, g.boxes) for g in found.groups] == [
        (("A", "B"), 1, 1),
        (("A", "B", "C"), 2, 2),
        (("B", "C"), 1, 1),
        (("X", "Y"), 1, 1),
    ]


def test_groups_that_contradict_one_another_show_it_in_the_residual() -> None:
    examples = [
        _example("s1", {"A": 1, "B": 1}, 0, 8),
        _example("s2", {"B": 1, "C": 1}, 0, 8),
        _example("s3", {"A": 3, "C": 1}, 0, 8),
    ]
    found = estimate_weights(examples)
    # The three ratios 1, 1, 3 cannot all be kept: each gives a third of the logarithm.
    assert found.weights["A"] / found.weights["C"] == pytest.approx(3 ** (2 / 3))
    assert found.largest_residual > 0.5
    assert found.groups[0].worst_slice == "s1"


def test_slices_that_tell_nothing_of_weights_are_named() -> None:
    examples = [
        _example("good", {"A": 1, "B": 3}, 0, 8),
        MergedExample("count", (_layer("A", BOX), _layer("B")), (BOX,)),
        MergedExample("gold elsewhere", (_layer("A", BOX), _layer("B", BOX)), (Box(99, 99, 5, 5),)),
        MergedExample("apart", (_layer("A", BOX), _layer("B", Box(99, 99, 5, 5))), (BOX,)),
        MergedExample("empty", (_layer("A"), _layer("B")), ()),
    ]
    found = estimate_weights(examples)
    assert found.unused == ("count", "gold elsewhere", "apart", "empty")
    assert found.weights == pytest.approx({"A": 0.25, "B": 0.75})


def test_weights_that_cannot_be_told() -> None:
    with pytest.raises(UserError, match="at least two readers"):
        estimate_weights([MergedExample("alone", (_layer("Z", BOX),), (BOX,))])
    with pytest.raises(UserError, match="boxes of A and B are too much alike"):
        estimate_weights([_example("s", {"A": 1, "B": 1}, 5, 5)])
    beyond = MergedExample("s", (_layer("A", BOX), _layer("B", Box(4, 0, 20, 20))), (Box(5, 0, 20, 20),))
    with pytest.raises(UserError, match=r"A would have the weight -0\.250"):
        estimate_weights([beyond])


def test_union_and_intersection_of_boxes() -> None:
    boxes = [Box(0, 0, 10, 10), Box(5, -2, 20, 6)]
    assert enclosing_box(boxes) == Box(0, -2, 25, 12)
    assert shared_box(boxes) == Box(5, 0, 5, 4)
    assert shared_box([Box(0, 0, 10, 10), Box(10, 0, 5, 5)]) is None
    assert enclosing_box([BOX]) == shared_box([BOX]) == BOX


def test_the_share_that_is_looked_at_again() -> None:
    names = [f"s{k:02d}" for k in range(41)]
    drawn = drawn_for_check(names, share=0.1, seed=5)
    assert len(drawn) == 5
    assert drawn == drawn_for_check(reversed(names), share=0.1, seed=5)
    assert drawn != drawn_for_check(names, share=0.1, seed=6)
    assert drawn_for_check(names, share=0, seed=5) == frozenset()
    assert drawn_for_check(names, share=1, seed=5) == frozenset(names)
    assert len(drawn_for_check(names[:30], share=0.1, seed=5)) == 3
