"""Orders: complete, random per reader, slices of one case apart, the same for the same seed."""

from collections import Counter

import pytest

from nova_review.services.orders import (
    CaseSlices,
    case_order,
    isolated_order,
    random_codes,
    random_source,
    shortfalls,
)


def cases(*counts: int) -> list[CaseSlices]:
    return [CaseSlices(f"c{i}", tuple(f"c{i}s{j}" for j in range(n))) for i, n in enumerate(counts)]


def test_every_case_is_shown_once_with_its_slices_in_scan_order() -> None:
    given = cases(3, 1, 17, 2)
    order = case_order(given, random_source("5", "order 1"))
    assert sorted(order, key=lambda c: c.case_id) == sorted(given, key=lambda c: c.case_id)


def test_the_same_seed_gives_the_same_order_and_other_purposes_give_others() -> None:
    given = cases(*[1] * 40)
    first = case_order(given, random_source("5", "order 1"))
    assert first == case_order(given, random_source("5", "order 1"))
    assert first != case_order(given, random_source("5", "order 2"))
    assert first != case_order(given, random_source("6", "order 1"))
    assert first != tuple(given)


def test_isolated_slices_are_all_there_once() -> None:
    given = cases(3, 1, 17, 2)
    order = isolated_order(given, random_source("1", "order 1"))
    assert Counter(order) == Counter((c.case_id, s) for c in given for s in c.slice_ids)


def test_slices_of_a_case_stand_far_apart_where_there_is_room() -> None:
    # 100 cases of 3 slices: a third of the order (100 places) between them, less the noise of the others.
    order = isolated_order(cases(*[3] * 100), random_source("1", "order 1"))
    assert shortfalls(order, wanted=60) == ()


def test_slices_of_a_case_do_not_keep_their_scan_order() -> None:
    given = cases(*[4] * 30)
    order = isolated_order(given, random_source("1", "order 1"))
    kept = sum([s for c, s in order if c == case.case_id] == list(case.slice_ids) for case in given)
    assert kept < 10  # 1 in 24 by chance


def test_a_shortfall_names_both_slices_and_the_places_between() -> None:
    order = [("a", "a1"), ("b", "b1"), ("a", "a2"), ("c", "c1"), ("c", "c2")]
    found = shortfalls(order, wanted=2)
    assert [(s.case_id, s.first, s.second, s.gap) for s in found] == [
        ("a", "a1", "a2", 1),
        ("c", "c1", "c2", 0),
    ]
    assert [s.case_id for s in shortfalls(order, wanted=1)] == ["c"]
    assert shortfalls(order, wanted=0) == ()


@pytest.mark.parametrize(
    ("count", "first", "last"), [(1, "R01", "R01"), (12, "R01", "R12"), (100, "R001", "R100")]
)
def test_codes_are_all_given_and_sort(count: int, first: str, last: str) -> None:
    codes = random_codes([f"n{i}" for i in range(count)], random_source("3", "codes"))
    assert min(codes.values()) == first
    assert max(codes.values()) == last
    assert len(set(codes.values())) == count


def test_codes_do_not_follow_the_order_of_names() -> None:
    names = [f"n{i:02d}" for i in range(20)]
    codes = random_codes(names, random_source("3", "codes"))
    assert [codes[n] for n in names] != sorted(codes.values())
