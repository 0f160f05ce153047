"""Which findings stand together, by hand."""

from itertools import permutations

from hypothesis import given
from hypothesis import strategies as st

from nova_review.analysis.grouping import compare
from nova_review.domain.adjudication import Comparison, Layer
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Finding, Outcome


def layers(*boxes: list[Box]) -> list[Layer]:
    """Layers A, B, ... with these boxes."""
    return [
        Layer(
            letter,
            Outcome.FINDINGS if own else Outcome.NO_FINDING,
            tuple(Finding(f"{letter}{n}", box) for n, box in enumerate(own, start=1)),
        )
        for letter, own in zip("ABCDE", boxes, strict=False)
    ]


def members(comparison: Comparison) -> list[str]:
    return [" ".join(m.finding_id for m in g.members) for g in comparison.groups]


def test_overlapping_boxes_stand_together_with_their_iou() -> None:
    found = compare(layers([Box(0, 0, 10, 10)], [Box(5, 0, 10, 10)]))
    assert members(found) == ["A1 B1"]
    (pair,) = found.groups[0].ious
    assert pair.iou == 50 / 150  # 5 x 10 shared of 100 + 100 - 50


def test_disjoint_boxes_are_groups_of_their_own_from_the_top() -> None:
    found = compare(layers([Box(0, 200, 10, 10)], [Box(50, 100, 10, 10)]))
    assert members(found) == ["B1", "A1"]
    assert [g.number for g in found.groups] == [1, 2]


def test_one_box_against_two_takes_the_better_half() -> None:
    found = compare(layers([Box(0, 0, 100, 10)], [Box(0, 0, 40, 10), Box(45, 0, 55, 10)]))
    assert members(found) == ["A1 B2", "B1"]


def test_the_largest_sum_decides_and_not_the_best_single_pair() -> None:
    # A1-B1 is the best pair (.67), but A1-B2 and A2-B1 together are more than it alone.
    a = [Box(0, 0, 10, 10), Box(-6, 0, 10, 10)]
    b = [Box(-2, 0, 10, 10), Box(4, 0, 10, 10)]
    assert sorted(members(compare(layers(a, b)))) == ["A1 B2", "A2 B1"]


def test_nothing_found_is_no_group() -> None:
    assert compare(layers([], [])).groups == ()
    assert members(compare(layers([Box(0, 0, 1, 1)], []))) == ["A1"]


def test_three_readers_go_through_the_one_in_the_middle() -> None:
    # A and C do not touch; both overlap B.
    found = compare(layers([Box(0, 0, 10, 10)], [Box(6, 0, 10, 10)], [Box(12, 0, 10, 10)]))
    assert members(found) == ["A1 B1 C1"]
    assert [round(p.iou, 3) for p in found.groups[0].ious] == [0.25, 0, 0.25]  # 40 of 160


def test_two_who_share_what_the_middle_one_lacks_stand_together() -> None:
    shared, far = Box(0, 0, 50, 50), Box(200, 200, 20, 20)
    found = compare(layers([shared], [shared, far], [shared, far]))
    assert sorted(members(found)) == ["A1 B1 C1", "B2 C2"]


boxes = st.builds(Box, st.integers(0, 60), st.integers(0, 60), st.integers(5, 30), st.integers(5, 30))


@given(st.lists(st.lists(boxes, max_size=4), min_size=1, max_size=4))
def test_every_finding_stands_in_exactly_one_group_and_no_layer_twice(own: list[list[Box]]) -> None:
    found = compare(layers(*own))
    seen = [m.finding_id for g in found.groups for m in g.members]
    assert sorted(seen) == sorted(f.id for one in found.layers for f in one.findings)
    for group in found.groups:
        letters = [m.letter for m in group.members]
        assert len(letters) == len(set(letters))
        assert len(group.ious) == len(letters) * (len(letters) - 1) // 2


def test_the_order_of_two_layers_changes_no_group() -> None:
    own = [[Box(0, 0, 30, 30), Box(100, 0, 20, 20)], [Box(5, 5, 30, 30)]]
    together = {
        frozenset(str(found.finding(m).box) for m in g.members)
        for order in permutations(own)
        for found in [compare(layers(*order))]
        for g in found.groups
    }
    assert len(together) == 2
