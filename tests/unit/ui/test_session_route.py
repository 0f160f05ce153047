"""The way through a worklist."""

from dataclasses import replace

from nova_review.domain.reading import SliceMark
from nova_review.domain.study import PresentationRole
from nova_review.services.ports import CaseMark, Place, Worklist, WorklistEntry, WorklistSlice
from nova_review.ui.route import Route, route_of, start_place


def _entry(
    name: str, *marks: SliceMark, openable: bool = True, mark: CaseMark = CaseMark.UNTOUCHED
) -> WorklistEntry:
    slices = tuple(WorklistSlice(f"{name}{n}", n, m) for n, m in enumerate(marks, start=1))
    return WorklistEntry(
        presentation_id=name,
        position=1,
        mark=mark,
        role=PresentationRole.MAIN,
        slices=slices,
        answers_slices=True,
        answers_case=True,
        openable=openable,
        why_not="" if openable else "later",
        seen_before=False,
    )


NEW, LOCKED = SliceMark.NEVER_SHOWN, SliceMark.LOCKED
A1, A2, C1 = Place("A", "A1"), Place("A", "A2"), Place("C", "C1")


def _route(*entries: WorklistEntry, resume: Place | None = None) -> Route:
    return route_of(Worklist("study", "R01", entries, 0, resume, ""))


def _three() -> Route:
    return _route(_entry("A", NEW, LOCKED), _entry("B", NEW, openable=False), _entry("C", NEW))


def test_a_step_passes_over_what_cannot_be_opened() -> None:
    route = _three()
    assert route.step(A1, 1) == A2
    assert route.step(A2, 1) == C1
    assert route.step(C1, -1) == A2
    assert route.step(C1, 1) is None


def test_what_is_read_ahead_is_nearest_first_and_forward_first() -> None:
    assert _three().around(A2, ahead=2, behind=1) == (C1, A1)


def test_after_a_lock_the_ring_of_the_case_is_searched_from_here() -> None:
    route = _route(_entry("A", NEW, LOCKED, SliceMark.DEFERRED))
    assert route.next_unanswered_sibling(A2) == Place("A", "A3")
    assert route.with_mark(Place("A", "A3"), LOCKED).next_unanswered_sibling(A2) == A1
    done = _route(_entry("A", LOCKED, LOCKED))
    assert done.next_unanswered_sibling(A1) is None


def test_after_a_case_the_next_open_one_comes_round_the_list() -> None:
    submitted = replace(_entry("C", NEW), mark=CaseMark.SUBMITTED)
    route = _route(_entry("A", LOCKED, NEW), submitted, _entry("D", NEW))
    assert route.next_open_case(A1) == Place("D", "D1")
    assert route.next_open_case(Place("D", "D1")) == A2  # its first slice without an answer
    assert _route(submitted).next_open_case(C1) is None


def test_reading_starts_where_it_stopped_or_at_the_first_open_place() -> None:
    assert start_place(_route(_entry("A", NEW), _entry("C", NEW), resume=C1)) == C1
    assert start_place(_route(_entry("B", NEW, openable=False), _entry("C", NEW))) == C1
    assert start_place(_route(_entry("C", NEW), resume=Place("gone", "x"))) == C1
    assert start_place(_route()) is None


def test_a_mark_changes_one_slice_and_begins_its_case() -> None:
    route = _three().with_mark(A1, SliceMark.DRAFT)
    assert [s.mark for s in route.entry(A1).slices] == [SliceMark.DRAFT, LOCKED]
    assert route.entry(A1).mark is CaseMark.STAGE_1
    assert route.entry(C1) is not route.entry(A1)
    assert _three().with_opened({C1, Place("gone", "x")}).slice_of(C1).mark is SliceMark.OPENED
    assert _three().with_opened({A2}).slice_of(A2).mark is LOCKED


def test_the_previous_slice_is_of_the_same_case() -> None:
    assert _three().previous_sibling(A2) == A1
    assert _three().previous_sibling(C1) is None
