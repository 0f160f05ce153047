"""An adjudicator sees no name, code, time, confidence, gold, file name or figure, by any door."""

import re
from collections.abc import Iterator
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from nova_review.services.adjudication_layers import shuffled
from nova_review.ui.canvas.items import BoxRole
from nova_review.ui.decision_route import QueueView
from nova_review.ui.pages.adjudicate_rows import NONE
from tests.helpers.adjudication_desks import (
    ALL_AGREE,
    DISJOINT,
    NOTHING,
    ONE_SAW,
    READERS,
    SPLIT,
    UNREADABLE,
)
from tests.helpers.adjudication_hand import AdjudicationHand
from tests.helpers.all_texts import PaintedTexts, Text, all_texts

SLICES = (ALL_AGREE, DISJOINT, NOTHING, ONE_SAW, SPLIT, UNREADABLE)
_SECRET = re.compile(r"LEAK[\w-]*|\bR\d\d\b|2025-01|0\.1\b|42\.5|kappa|alpha|F1@|agreement of", re.IGNORECASE)
"""Names, file names, cases, codes, times and confidences of `adjudication_desks`, and agreement figures."""


@pytest.fixture
def hand(qtbot: Any, tmp_path: Path) -> Iterator[AdjudicationHand]:
    made = AdjudicationHand(qtbot, tmp_path)
    made.wait(lambda: made.session.opened is not None)
    yield made
    made.close()


def _leaks(texts: list[Text]) -> list[str]:
    return [f"{where}: {text!r}" for where, text in texts if _SECRET.search(text)]


def _everything(hand: AdjudicationHand) -> list[Text]:
    """What the window says now, painted once."""
    with PaintedTexts() as painted:
        hand.paint()
        hand.window.grab()
    tips = [("box", f"{b.id} {b.caption} {b.tooltip} {b.role}") for b in hand.view._scene.boxes]
    return [*all_texts(), *painted.texts, *tips, ("window", hand.window.windowTitle())]


def test_no_door_of_the_page_leaks_before_or_after_the_lock(hand: AdjudicationHand) -> None:
    seen: list[Text] = []
    for name in SLICES:
        hand.open(name)
        seen += _everything(hand)
        hand.lock_own((150, 150, 200, 200))
        seen += _everything(hand)
        hand.key(Qt.Key.Key_X)
        seen += _everything(hand)
        hand.key(Qt.Key.Key_J)
        seen += _everything(hand)
        hand.key(Qt.Key.Key_J)
    hand.key(Qt.Key.Key_F1)
    seen += _everything(hand)
    hand.key(Qt.Key.Key_Escape)
    assert len(seen) > 5_000
    assert _leaks(seen) == []


def test_the_sweep_would_find_a_leak(hand: AdjudicationHand) -> None:
    hand.page.parts.groups.note.setToolTip(f"by {READERS[0]}")
    hand.window.setWindowTitle(f"nova-review - {ALL_AGREE}")
    found = _leaks(_everything(hand))
    assert any("toolTip" in line for line in found)
    assert any("LEAK0001_001" in line for line in found)


def test_before_the_lock_the_page_does_not_even_hold_the_layers(hand: AdjudicationHand) -> None:
    for name in SLICES:
        hand.open(name)
        assert hand.session.comparison.layers == ()
        assert hand.session.decision is not None
        assert hand.session.decision.boxes == ()
        case = hand.session.opened_case
        assert case is not None
        assert case.diagnoses == ()
        assert all(one.captions == () for one in case.captions)
    assert {entry.state for entry in hand.session.route.queue.entries} == {None}


def test_filters_tell_nothing_of_slices_whose_layers_are_not_shown(hand: AdjudicationHand) -> None:
    for view in (QueueView.ACCEPTED, QueueView.REJECTED, QueueView.FLAGGED, QueueView.DISJOINT):
        hand.session.choose_view(view)
        assert hand.session.route.shown == ()


def test_letters_and_so_colours_do_not_follow_a_reader(hand: AdjudicationHand) -> None:
    """A colour belongs to a letter, and letters are dealt anew for each slice, in every order."""
    orders = {shuffled(READERS, seed="7", subject=f"slice {n}") for n in range(60)}
    assert orders == set(permutations(READERS))
    for name in (ALL_AGREE, DISJOINT, SPLIT):
        hand.open(name)
        hand.lock_own()
        of_layers = [box for box in hand.view._scene.boxes if box.id.startswith("layer ")]
        assert {(box.id.split()[1], box.role) for box in of_layers} == {
            ("A", BoxRole.LAYER_A),
            ("B", BoxRole.LAYER_B),
            ("C", BoxRole.LAYER_C),
        }


def test_a_row_says_the_same_of_a_layer_whoever_it_is(hand: AdjudicationHand) -> None:
    """Only letters and what was said: a row of the table is all that a layer leaves on the page."""
    hand.open(DISJOINT)
    hand.lock_own()
    rows = [row.row() for row in hand.page.parts.groups.table.rows()]
    words = {cell.words for row in rows for cell in row.cells}
    assert words == {NONE, "mass · frontal · img left"}
    assert [cell.letter for cell in rows[0].cells] == ["A", "B", "C"]


def test_undo_texts_and_settings_tell_nothing(hand: AdjudicationHand) -> None:
    hand.open(SPLIT)
    hand.lock_own()
    hand.key(Qt.Key.Key_X)
    stack = hand.session.undo_stack
    assert stack is not None
    assert {stack.text(n) for n in range(stack.count())} == {"change"}
    hand.settings.sync()
    kept = [(key, str(hand.settings.value(key))) for key in hand.settings.allKeys()]
    assert _leaks(kept) == []


def test_what_is_stored_while_looking_names_no_reader(hand: AdjudicationHand) -> None:
    logged = []
    log = hand.world.desk.log_view
    hand.desk.desk = _Listening(hand.world.desk, logged)
    hand.open(SPLIT)
    hand.lock_own()
    hand.wait(lambda: any(view.stage == 2 for view in logged))
    assert _leaks([("view", f"{view.view} {view.kind} {view.stage}") for view in logged]) == []
    assert log is not None


class _Listening:
    """A desk that also keeps the views that are logged."""

    def __init__(self, desk: Any, views: list[Any]) -> None:
        self._desk, self._views = desk, views

    def __getattr__(self, name: str) -> Any:
        if name != "log_view":
            return getattr(self._desk, name)

        def log(*intervals: Any) -> None:
            self._views.extend(intervals)
            self._desk.log_view(*intervals)

        return log
