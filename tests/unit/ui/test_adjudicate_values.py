"""What the adjudication page works with below its widgets: rows, route, keys, terms, places of figures."""

from dataclasses import replace

import pytest

from nova_review.analysis.grouping import compare
from nova_review.domain.adjudication import (
    Comparison,
    GroupState,
    Layer,
    MadeBy,
    Mode,
    ReasonCode,
    SliceDecision,
)
from nova_review.domain.decision_edits import accept, draw, merge, reject, set_group_reason
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Finding, Outcome, Side, SliceAnswer
from nova_review.services.adjudication_ports import AdjudicationQueue, QueueEntry, QueueMark
from nova_review.ui.canvas.match_lines import MatchLine, figure_places
from nova_review.ui.canvas.tags import crosses_edge
from nova_review.ui.decision_route import QueueRoute, QueueView
from nova_review.ui.pages.adjudicate import adjudication_keys
from nova_review.ui.pages.adjudicate_actions import ACTIONS, ACTIONS_BY_NAME, Snapshot, rivals
from nova_review.ui.pages.adjudicate_help import help_groups
from nova_review.ui.pages.adjudicate_rows import difference_words, own_matches, rows_of
from nova_review.ui.pages.adjudication.term_marks import as_html, marked_texts


def _finding(key: str, box: Box, *, label: str = "lesion", side: Side | None = None) -> Finding:
    return Finding(key, box, label=label, side=side)


def _layer(letter: str, *findings: Finding) -> Layer:
    return Layer(letter, Outcome.FINDINGS if findings else Outcome.NO_FINDING, findings)


@pytest.fixture
def comparison() -> Comparison:
    """One group that A and B share, one that only B has."""
    return compare(
        [
            _layer("A", _finding("A1", Box(10, 10, 40, 40), side=Side.IMAGE_LEFT)),
            _layer(
                "B",
                _finding("B1", Box(12, 10, 40, 40), side=Side.IMAGE_RIGHT),
                _finding("B2", Box(200, 200, 20, 20), label="cyst"),
            ),
        ]
    )


def _settled(comparison: Comparison) -> SliceDecision:
    decision = merge(comparison, 1, MadeBy.MEAN, new_id="m")(SliceDecision())
    decision = set_group_reason(1, ReasonCode.EXTENT)(decision)
    decision = reject(comparison, 2, new_id="r")(decision)
    return draw(Box(300, 300, 10, 10), new_id="d")(decision)


# The table.


def test_a_row_a_group_says_what_each_layer_has_and_what_sets_it_apart(comparison: Comparison) -> None:
    one, two = rows_of(comparison, SliceDecision(), own=None, agreeing_iou=0.5)
    assert [(c.letter, c.has_box, c.short) for c in one.cells] == [
        ("A", True, "img left"),
        ("B", True, "img right"),
    ]
    assert [(c.letter, c.has_box, c.short) for c in two.cells] == [("A", False, "none"), ("B", True, "cyst")]
    assert (one.state, two.state) == (GroupState.DISAGREE, GroupState.ONLY_SOME)
    assert (one.gold, one.own, one.name) == ("open", None, "1")


def test_rows_tell_gold_reason_and_what_is_wanted(comparison: Comparison) -> None:
    rows = rows_of(comparison, _settled(comparison), own=SliceAnswer(), agreeing_iou=0.5)
    assert [(r.name, r.state, r.gold, r.why, r.is_wanting) for r in rows] == [
        ("1", GroupState.ACCEPTED, "mean", "extent", False),
        ("2", GroupState.REJECTED, "none", "why?", True),
        ("+", GroupState.ACCEPTED, "drawn", "why?", True),
    ]
    assert [r.own for r in rows] == ["none", "none", "none"]


def test_an_accepted_box_is_named_by_its_letter(comparison: Comparison) -> None:
    decision = accept(comparison, 1, "B", new_id="x")(SliceDecision())
    assert rows_of(comparison, decision, own=None, agreeing_iou=0.5)[0].gold == "B"


def test_a_layer_that_could_not_read_the_slice_says_so() -> None:
    unread = Layer("B", Outcome.CANNOT_READ, (), cannot_read_reason="motion")
    found = compare([_layer("A", _finding("A1", Box(0, 0, 9, 9))), unread])
    (row,) = rows_of(found, SliceDecision(), own=None, agreeing_iou=0.5)
    assert (row.cells[1].short, row.cells[1].words) == ("unread", "cannot be read: motion")


# The own answer beside the layers.


def test_own_boxes_are_matched_by_the_largest_overlap_each_once(comparison: Comparison) -> None:
    near, far = _finding("n", Box(11, 10, 40, 40)), _finding("f", Box(30, 10, 40, 40))
    assert own_matches(comparison, (far, near)) == {1: near}


@pytest.mark.parametrize(
    ("own", "words"),
    [
        (None, ""),
        (SliceAnswer(outcome=Outcome.NO_FINDING), "You: nothing abnormal."),
        (SliceAnswer(outcome=Outcome.CANNOT_READ, cannot_read_reason="motion"), "You: cannot be read."),
        (
            SliceAnswer((_finding("n", Box(10, 10, 40, 40)), _finding("f", Box(400, 0, 9, 9)))),
            "You: 2 boxes; none of yours in group 2; 1 box where no reader has one.",
        ),
    ],
)
def test_the_difference_in_a_sentence(comparison: Comparison, own: SliceAnswer | None, words: str) -> None:
    assert difference_words(comparison, own) == words


# The queue.


def _entry(number: int, mark: QueueMark = QueueMark.PENDING, *, openable: bool = True) -> QueueEntry:
    return QueueEntry(f"s{number}", "case", number, mark, None, False, openable, "" if openable else "read")


def _route(*entries: QueueEntry) -> QueueRoute:
    queue = AdjudicationQueue("t", "ADJ1", Mode.LAYERS_AT_ONCE, entries, 0, len(entries), None, "")
    return QueueRoute(queue)


def test_going_skips_what_may_not_be_opened_or_is_not_shown() -> None:
    route = _route(_entry(1), _entry(2, openable=False), _entry(3, QueueMark.DECIDED), _entry(4))
    assert route.step("s1", 1) == "s3"
    assert route.through(QueueView.PENDING).step("s1", 1) == "s4"
    assert route.step("s1", -1) is None
    assert (route.end(-1), route.end(1)) == ("s1", "s4")
    assert route.following("s1", count=2) == ("s3", "s4")


def test_after_the_last_slice_come_those_left_open_before() -> None:
    route = _route(_entry(1), _entry(2, QueueMark.DECIDED), _entry(3))
    assert route.next_open("s3") == "s1"
    assert route.with_entry(_entry(1, QueueMark.DECIDED)).next_open("s3") is None


def test_a_slice_that_leaves_the_view_still_has_neighbours() -> None:
    route = _route(_entry(1), _entry(2), _entry(3)).through(QueueView.PENDING)
    route = route.with_entry(_entry(2, QueueMark.DECIDED))
    assert [e.slice_id for e in route.shown] == ["s1", "s3"]
    assert (route.step("s2", 1), route.step("s2", -1)) == ("s3", "s1")
    assert route.queue.done == 1


# Keys.

_FROZEN = """
next-slice previous-slice first-slice last-slice defer pause undo redo save keep-mine take-theirs
own-draw own-confirm own-delete confidence-1 confidence-2 confidence-3 confidence-4 confidence-5
own-label own-place own-side own-no-finding own-cannot-be-read own-sequence own-plane own-normality
own-text own-lock next-group previous-group accept-a accept-all-a accept-b accept-all-b accept-c
accept-all-c mean union intersection draw reject no-lesion cannot-be-read reason-1 reason-2 reason-3
reason-4 reason-5 reason-6 take-back label place side note flag close reopen texts caption-a
caption-b caption-c caption-text diagnosis close-case reopen-case cancel nudge-left nudge-right
nudge-up nudge-down nudge-far-left nudge-far-right nudge-far-up nudge-far-down resize-left
resize-right resize-up resize-down resize-far-left resize-far-right resize-far-up resize-far-down
hide-boxes own-shown invert window-reset window-1 window-2 window-3 window-4 window-5 window-6
window-7 zoom-actual zoom-fit zoom-in zoom-out interpolation text-larger text-smaller full-screen
help quit
"""


def test_the_names_of_actions_are_frozen() -> None:
    assert [action.name for action in ACTIONS] == _FROZEN.split()
    assert len(ACTIONS_BY_NAME) == len(ACTIONS)


_BARE = Snapshot(has_slice=True, has_picture=True, may_edit_own=True, has_finding=True, has_boxes=True)
_FULL = Snapshot(
    has_slice=True,
    has_picture=True,
    shows_layers=True,
    letters="ABC",
    may_edit=True,
    may_edit_case=True,
    has_group=True,
    has_several=True,
    has_gold=True,
    has_accepted=True,
    has_boxes=True,
    can_undo=True,
    can_redo=True,
    in_conflict=True,
)


@pytest.mark.parametrize("texts", [False, True])
@pytest.mark.parametrize("bare", [False, True])
def test_no_key_means_two_things_at_once(bare: bool, texts: bool) -> None:
    snapshot = replace(_BARE if bare else _FULL, on_texts=texts)
    assert rivals(adjudication_keys("default"), snapshot) == {}


def test_while_paused_nothing_is_decided() -> None:
    paused = replace(_FULL, is_paused=True, may_edit=False, may_edit_case=False, in_conflict=False)
    able = {a.name for a in ACTIONS if a.enabled_when(paused)}
    assert able == {"save", "text-larger", "text-smaller", "full-screen", "help", "quit"}


def test_help_folds_letters_and_reasons_and_lists_the_rest() -> None:
    groups = dict(help_groups(adjudication_keys("default")))
    assert ("A, B, C", "Take that layer's box for the group") in groups["Decision"]
    assert ("I", "Intersection: what all share") in groups["Decision"]
    assert ("Ctrl+I", "Invert") in groups["View"]
    assert sum(key == "1 to 6" for key, _ in groups["Decision"]) == 1


# Terms.


def test_terms_that_are_not_in_every_text_differ_whatever_their_case() -> None:
    one, two = marked_texts(["Axial FLAIR: left lesion", "axial flair: right lesion."])
    assert [p.text for p in one if p.differs] == ["left"]
    assert [p.text for p in two if p.differs] == ["right"]
    assert "".join(p.text for p in one) == "Axial FLAIR: left lesion"


def test_of_one_text_nothing_differs_and_markup_is_text() -> None:
    (only,) = marked_texts(["<b>a & b</b>\nc"])
    assert as_html(only) == "&lt;b&gt;a &amp; b&lt;/b&gt;<br>c"
    assert as_html(marked_texts(["a<x", "a"])[0]) == "a&lt;<u>x</u>"


# Figures of match lines.

_AREA = Box(0, 0, 800, 600)


def test_a_figure_stands_by_the_lower_right_corner_and_covers_no_edge() -> None:
    a, b = Box(100, 100, 200, 100), Box(100, 100, 120, 100)
    lines = [MatchLine(a, b, "A-B"), MatchLine(a, b, "A-C"), MatchLine(b, b, "B-C")]
    places = figure_places(lines, [(60.0, 18.0)] * 3, [a, b], _AREA)
    found = [place for place in places if place is not None]
    assert len(found) == 3
    assert all(not crosses_edge(place, box) for place in found for box in (a, b))
    assert len(set(found)) == 3
    assert abs(found[0].x - 300) < 70
    assert abs(found[0].y - 200) < 30


def test_without_room_a_figure_is_left_out() -> None:
    box = Box(2, 2, 36, 36)
    assert figure_places([MatchLine(box, box, "x")], [(60.0, 18.0)], [box], Box(0, 0, 40, 40)) == (None,)
