"""Reading at the window, by real keys and mouse: boxes, captions, stages, views."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from nova_review.domain.audit import ViewKind
from nova_review.domain.geometry import Box
from nova_review.domain.reading import (
    AnswerState,
    Diagnosis,
    Normality,
    Outcome,
    Side,
    SliceMark,
)
from nova_review.domain.study import PresentationRole
from nova_review.services.ports import CaseMark
from nova_review.ui.canvas.window_level import PRESETS
from tests.helpers.desks import READER_ID, FixedClock
from tests.helpers.reading_hand import ALT, CTRL, LEFT, NO_KEYS, SHIFT, ReadingHand

Opener = Callable[..., ReadingHand]
KEYS = Qt.Key


def _box(hand: ReadingHand, number: int = 0) -> Box:
    return hand.answer.findings[number].box


def _messages(hand: ReadingHand) -> list[str]:
    return [message.text for message in hand.window.messages.standing()]


# Boxes.


def test_a_drawn_box_is_selected_with_the_first_label_and_no_confidence(hand: ReadingHand) -> None:
    hand.drag(50, 60, 150, 160)
    finding = hand.answer.findings[0]
    assert hand.session.selected == finding
    assert (finding.label, finding.confidence, finding.side) == ("lesion", None, None)
    assert finding.box.x == pytest.approx(50, abs=1)
    assert finding.box.bottom == pytest.approx(160, abs=1)
    assert hand.answer.outcome is Outcome.FINDINGS


@pytest.mark.parametrize(("key", "value"), [(KEYS.Key_1, 0.1), (KEYS.Key_3, 0.5), (KEYS.Key_5, 0.9)])
def test_a_digit_says_the_confidence_at_once(hand: ReadingHand, key: Qt.Key, value: float) -> None:
    hand.drag(50, 60, 150, 160)
    hand.key(key)
    assert hand.answer.findings[0].confidence == value


def test_label_place_and_side_by_two_keys_each(hand: ReadingHand) -> None:
    hand.drag(50, 60, 150, 160)
    for opens, picks in ((KEYS.Key_L, KEYS.Key_3), (KEYS.Key_O, KEYS.Key_2), (KEYS.Key_S, KEYS.Key_2)):
        hand.key(opens)
        hand.key(picks)
    finding = hand.answer.findings[0]
    assert (finding.label, finding.place, finding.side) == ("oedema", "parietal", Side.IMAGE_RIGHT)


def test_the_next_box_gets_the_last_label(hand: ReadingHand) -> None:
    hand.drag(50, 60, 150, 160)
    hand.key(KEYS.Key_L)
    hand.key(KEYS.Key_2)
    hand.drag(200, 200, 260, 260)
    assert [f.label for f in hand.answer.findings] == ["mass", "mass"]


def test_escape_leaves_a_question_without_a_pick_and_enter_picks_nothing_unmarked(hand: ReadingHand) -> None:
    hand.drag(50, 60, 150, 160)
    before = hand.answer
    for key in (KEYS.Key_Escape, KEYS.Key_Return):
        hand.key(KEYS.Key_O)
        hand.key(key)
        assert not hand.page.parts.palette_of_words.is_open
    assert hand.answer == before


def test_arrows_and_enter_pick_in_a_question(hand: ReadingHand) -> None:
    hand.drag(50, 60, 150, 160)
    hand.key(KEYS.Key_O)
    hand.key(KEYS.Key_Down)
    hand.key(KEYS.Key_Down)
    hand.key(KEYS.Key_Return)
    assert hand.answer.findings[0].place == "parietal"


def test_plus_in_a_question_leads_to_words_of_ones_own(hand: ReadingHand) -> None:
    hand.drag(50, 60, 150, 160)
    hand.paint()
    hand.key(KEYS.Key_O)
    hand.key(KEYS.Key_Plus)
    hand.type("uncus")
    assert hand.answer.findings[0].place == "uncus"


def test_an_open_question_keeps_every_key_from_the_slice(hand: ReadingHand) -> None:
    hand.drag(50, 60, 150, 160)
    place, before = hand.place, hand.answer
    hand.key(KEYS.Key_L)
    for key in (KEYS.Key_Right, KEYS.Key_Delete, KEYS.Key_W):
        hand.key(key)
    assert (hand.place, hand.answer) == (place, before)


@pytest.mark.parametrize(
    ("key", "modifiers", "moves"),
    [
        (KEYS.Key_Left, ALT, (-1, 0, 0, 0)),
        (KEYS.Key_Down, ALT, (0, 1, 0, 0)),
        (KEYS.Key_Right, ALT | SHIFT, (10, 0, 0, 0)),
        (KEYS.Key_Right, CTRL, (0, 0, 1, 0)),
        (KEYS.Key_Up, CTRL, (0, 0, 0, -1)),
        (KEYS.Key_Down, CTRL | SHIFT, (0, 0, 0, 10)),
    ],
)
def test_arrows_move_and_resize_the_selected_box(
    hand: ReadingHand, key: Qt.Key, modifiers: Qt.KeyboardModifier, moves: tuple[int, int, int, int]
) -> None:
    hand.drag(100, 100, 200, 200)
    before = _box(hand)
    hand.key(key, modifiers)
    after = _box(hand)
    changes = (
        after.x - before.x,
        after.y - before.y,
        after.width - before.width,
        after.height - before.height,
    )
    assert changes == pytest.approx(moves)


def test_delete_duplicate_and_enter_go_by_the_selection(hand: ReadingHand) -> None:
    hand.drag(100, 100, 150, 150)
    hand.key(KEYS.Key_D, CTRL)
    first, copy = hand.answer.findings
    assert (copy.copied_from, copy.box.x - first.box.x) == (first.id, pytest.approx(12))
    assert hand.session.selected == copy
    hand.key(KEYS.Key_Return)
    assert hand.session.selected == first
    hand.key(KEYS.Key_Delete)
    assert hand.answer.findings == (copy,)
    assert hand.session.selected is None


def test_w_draws_inside_the_selected_box_and_escape_cancels(hand: ReadingHand) -> None:
    hand.drag(100, 100, 300, 300)
    hand.key(KEYS.Key_W)
    hand.key(KEYS.Key_Escape)
    assert not hand.view.is_drawing()
    hand.key(KEYS.Key_W)
    hand.drag(150, 150, 250, 250)
    assert len(hand.answer.findings) == 2
    hand.key(KEYS.Key_Escape)
    assert hand.session.selected is None


def test_boxes_are_hidden_while_h_is_held(hand: ReadingHand) -> None:
    hand.drag(100, 100, 300, 300)
    QTest.keyPress(QApplication.focusWidget(), KEYS.Key_H)
    assert hand.view._scene.hidden
    QTest.keyRelease(QApplication.focusWidget(), KEYS.Key_H)
    assert not hand.view._scene.hidden


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_menu_says_things_about_the_box_under_it(hand: ReadingHand) -> None:
    hand.drag(100, 100, 200, 200)
    hand.key(KEYS.Key_Escape)
    QTest.mouseClick(hand.view, Qt.MouseButton.RightButton, NO_KEYS, hand.spot(150, 150))
    menu = next(m for m in hand.page.parts.grid.findChildren(QMenu) if m.isVisible())
    sides = next(a.menu() for a in menu.actions() if a.text() == "Side on the image")
    next(a for a in sides.actions() if a.text() == "midline").trigger()
    menu.close()
    assert hand.answer.findings[0].side is Side.MIDLINE


# What is said of the slice.


def test_n_says_nothing_abnormal_and_takes_it_back(hand: ReadingHand) -> None:
    hand.key(KEYS.Key_N)
    assert hand.answer.outcome is Outcome.NO_FINDING
    hand.key(KEYS.Key_N)
    assert hand.answer.outcome is None


def test_n_with_boxes_is_refused_in_words_and_changes_nothing(hand: ReadingHand) -> None:
    hand.drag(100, 100, 200, 200)
    before = hand.answer
    hand.key(KEYS.Key_N)
    assert hand.answer == before
    assert any("has 1 finding(s)" in text for text in _messages(hand))


def test_u_asks_why_and_stores_the_reason(hand: ReadingHand) -> None:
    hand.key(KEYS.Key_U)
    hand.key(KEYS.Key_1)
    assert hand.answer.outcome is Outcome.CANNOT_READ
    assert hand.answer.cannot_read_reason == "motion or artefact"


def test_the_caption_by_keys(hand: ReadingHand) -> None:
    hand.fill_caption()
    hand.key(KEYS.Key_E)
    hand.key(KEYS.Key_1)
    hand.key(KEYS.Key_Escape)
    caption = hand.answer.caption
    assert (caption.sequences, caption.plane) == (("T1", "FLAIR"), "axial")
    assert caption.normality is Normality.ABNORMAL


def test_c_copies_the_previous_slice_of_the_case_as_one_step(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(2,))
    hand.drag(100, 100, 200, 200)
    hand.key(KEYS.Key_4)
    hand.fill_caption()
    source = hand.answer
    hand.key(KEYS.Key_Right)
    hand.wait_for("slice-1-2")
    hand.key(KEYS.Key_C)
    copy = hand.answer.findings[0]
    assert copy.box == source.findings[0].box
    assert (copy.confidence, copy.copied_from) == (None, source.findings[0].id)
    assert hand.answer.caption.copied_from == "slice-1-1"
    hand.key(KEYS.Key_Z, CTRL)
    assert hand.answer.findings == ()
    assert hand.answer.caption.sequences == ()


# Going on.


def test_lock_says_what_is_missing_and_stays(hand: ReadingHand) -> None:
    hand.drag(100, 100, 200, 200)
    hand.key(KEYS.Key_Return, CTRL)
    assert "Still to answer: confidence of finding 1, sequence, plane, normal or abnormal." in _messages(hand)
    assert hand.place.slice_id == "slice-1-1"
    hand.wait_saved()
    assert hand.store.slice_versions(READER_ID)[0].record.state is AnswerState.DRAFT


def test_lock_goes_to_the_next_slice_of_the_case_and_then_opens_the_history(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(2, 1))
    hand.read_whole_case(1)
    hand.wait_for("slice-1-2")
    assert hand.session.opened_case is None
    assert "case-1" not in hand.store.history_reads
    hand.read_whole_case(1)
    hand.wait(lambda: hand.session.opened_case is not None)
    case = hand.session.opened_case
    assert case is not None
    assert case.history == "Clinical history of case 1: sudden headache on day 1."
    assert not hand.session.may_edit
    assert len(hand.answer.findings) == 1  # seen, locked


def test_a_held_lock_key_locks_one_slice_only(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(3,))
    hand.key(KEYS.Key_N)
    hand.fill_caption(call=KEYS.Key_1)
    hand.key(KEYS.Key_Return, CTRL)
    hand.wait_for("slice-1-2")
    hand.wait_saved()
    states = {r.slice_id: r.record.state for r in hand.store.slice_versions(READER_ID)}
    assert states == {"slice-1-1": AnswerState.LOCKED}


def test_a_locked_slice_takes_no_edit_and_says_why(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(2,))
    hand.read_whole_case(1)
    hand.key(KEYS.Key_Left)
    hand.wait_for("slice-1-1")
    before = hand.answer
    hand.drag(200, 200, 300, 300)
    hand.key(KEYS.Key_Z, CTRL)
    hand.key(KEYS.Key_N)
    assert hand.answer == before
    assert any("locked" in text for text in _messages(hand))


def test_a_locked_slice_is_reopened_with_a_reason(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(2,))
    hand.read_whole_case(1)
    hand.key(KEYS.Key_Left)
    hand.wait_for("slice-1-1")
    hand.key(KEYS.Key_R)
    hand.type("missed one")
    hand.key(KEYS.Key_Return)
    hand.wait(lambda: hand.session.may_edit)
    hand.drag(200, 200, 300, 300)
    hand.wait_saved()
    versions = [r for r in hand.store.slice_versions(READER_ID) if r.slice_id == "slice-1-1"]
    assert [len(v.answer.findings) for v in sorted(versions, key=lambda v: v.record.version)] == [1, 2]
    assert versions[-1].record.reopen_reason == "missed one"


def test_a_case_is_ranked_and_submitted_and_the_next_one_opens(open_reading: Opener) -> None:
    hand = open_reading(cases=2, slices_per_case=(1, 2))
    hand.read_whole_case(1)
    hand.wait(lambda: hand.session.opened_case is not None)
    hand.paint()
    hand.key(KEYS.Key_Return, CTRL)
    assert "Still to answer: at least one diagnosis." in _messages(hand)
    hand.key(KEYS.Key_T)
    hand.type("glioma 4")
    hand.key(KEYS.Key_Tab)
    hand.key(KEYS.Key_4)
    assert hand.session.case_answer is not None
    assert hand.session.case_answer.diagnoses == (Diagnosis("glioma 4", 0.7),)
    hand.key(KEYS.Key_Return, CTRL)
    hand.wait_for("slice-2-1")
    stored = hand.store.case_versions(READER_ID)
    assert [(r.record.state, r.answer.diagnoses) for r in stored] == [
        (AnswerState.SUBMITTED, (Diagnosis("glioma 4", 0.7),))
    ]
    hand.wait(lambda: hand.session.route is not None and hand.session.route.worklist.done == 1)
    assert hand.session.route is not None
    first = hand.session.route.worklist.entries[0]
    assert first.mark is CaseMark.SUBMITTED
    assert first.slices[0].mark is SliceMark.SUBMITTED_FINDINGS


def test_undo_in_stage_2_is_of_the_case_only(open_reading: Opener) -> None:
    hand = open_reading(cases=1, slices_per_case=(1,))
    hand.read_whole_case(1)
    hand.wait(lambda: hand.session.opened_case is not None)
    hand.paint()
    findings = hand.answer.findings
    hand.key(KEYS.Key_T)
    hand.type("glioma")
    hand.key(KEYS.Key_Escape)
    hand.key(KEYS.Key_Z, CTRL)
    assert hand.session.case_answer is not None
    assert hand.session.case_answer.diagnoses == ()
    assert hand.answer.findings == findings


def test_d_defers_and_goes_on_and_again_takes_it_back(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(2,))
    hand.key(KEYS.Key_D)
    hand.wait_for("slice-1-2")
    hand.wait_saved()
    assert hand.store.slice_versions(READER_ID)[0].record.state is AnswerState.DEFERRED
    hand.key(KEYS.Key_Left)
    hand.wait_for("slice-1-1")
    hand.key(KEYS.Key_D)
    hand.wait_saved()
    assert hand.store.slice_versions(READER_ID)[0].record.state is AnswerState.DRAFT
    assert hand.place.slice_id == "slice-1-1"


def test_b_notes_that_the_case_was_seen_before(hand: ReadingHand) -> None:
    hand.key(KEYS.Key_B)
    hand.wait(lambda: hand.session.route is not None and hand.session.route.entry(hand.place).seen_before)
    hand.key(KEYS.Key_B)
    hand.wait(lambda: hand.session.route is not None and not hand.session.route.entry(hand.place).seen_before)


def test_reading_resumes_where_it_stopped(open_reading: Opener) -> None:
    hand = open_reading()
    hand.key(KEYS.Key_End)
    hand.wait_for("slice-3-3")
    store = hand.store
    hand.close()
    again = open_reading(store=store)
    assert again.place.slice_id == "slice-3-3"


def test_isolated_slices_show_no_sibling(open_reading: Opener) -> None:
    hand = open_reading(unit="slice", cases=2, slices_per_case=(2,))
    hand.paint()
    assert not hand.page.parts.strip.isVisible()
    hand.key(KEYS.Key_2, CTRL)
    hand.wait_saved()
    assert [place for place in hand.page.parts.grid._places if place] == [hand.place]


# Looking.


def test_pause_blackens_the_slice_and_any_key_goes_on(hand: ReadingHand) -> None:
    hand.drag(100, 100, 200, 200)
    before = hand.answer
    hand.key(KEYS.Key_P)
    assert not hand.view.has_image()
    hand.drag(220, 220, 300, 300)
    hand.key(KEYS.Key_Delete)  # ends the pause and does nothing else
    assert hand.view.has_image()
    assert hand.answer == before
    assert len(hand.view._scene.boxes) == 1


def test_each_slice_keeps_its_window_and_zoom(hand: ReadingHand) -> None:
    hand.key(KEYS.Key_F5)
    hand.key(KEYS.Key_0, CTRL)
    hand.key(KEYS.Key_I)
    seen = hand.view.view_state()
    assert (seen.window, seen.zoom, seen.inverted) == (
        PRESETS[3].window_for(hand.view.picture()),
        1.0,
        True,
    )
    hand.key(KEYS.Key_Right)
    hand.wait_for("slice-2-1")
    assert not hand.view.view_state().inverted
    hand.key(KEYS.Key_Left)
    hand.wait_for("slice-1-1")
    assert hand.view.view_state() == seen


@pytest.mark.parametrize(("key", "count"), [(KEYS.Key_2, 2), (KEYS.Key_4, 4)])
def test_layouts_show_slices_of_the_case_and_a_click_makes_one_active(
    open_reading: Opener, key: Qt.Key, count: int
) -> None:
    hand = open_reading(slices_per_case=(4,))
    hand.key(key, CTRL)
    grid = hand.page.parts.grid
    hand.wait(lambda: all(panel.has_image() for panel in grid._panels))
    assert len(grid._panels) == count
    other = grid._panels[1]
    QTest.mouseClick(other, LEFT, NO_KEYS, QPoint(5, 5))
    assert hand.place.slice_id == "slice-1-2"
    assert hand.view is other
    hand.drag(100, 100, 200, 200)
    assert len(hand.answer.findings) == 1
    assert len(grid._panels[0]._scene.boxes) == 0


def test_linked_panels_zoom_together(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(2,))
    hand.key(KEYS.Key_2, CTRL)
    grid = hand.page.parts.grid
    hand.wait(lambda: all(panel.has_image() for panel in grid._panels))
    hand.key(KEYS.Key_0, CTRL)
    assert grid._panels[1].view_state().zoom != 1.0
    hand.key(KEYS.Key_L, CTRL)
    assert grid._panels[1].view_state().zoom == 1.0


def test_double_click_shows_one_slice_and_all_again(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(2,))
    hand.key(KEYS.Key_2, CTRL)
    grid = hand.page.parts.grid
    hand.wait(lambda: all(panel.has_image() for panel in grid._panels))
    QTest.mouseDClick(hand.view, LEFT, NO_KEYS, hand.view.rect().center())
    assert grid.count == 1
    QTest.mouseDClick(hand.view, LEFT, NO_KEYS, hand.view.rect().center())
    assert grid.count == 2


def test_keys_work_after_a_click_anywhere(hand: ReadingHand) -> None:
    parts = hand.page.parts
    hand.key(KEYS.Key_T)
    for widget in (
        parts.header,
        parts.findings,
        parts.footer,
        parts.worklist.list_view().viewport(),
        hand.view,
    ):
        hand.key(KEYS.Key_Home)
        hand.wait_for("slice-1-1")
        QTest.mouseClick(widget, LEFT, NO_KEYS, QPoint(3, 3))
        hand.wait_for("slice-1-1")
        hand.key_at_window(KEYS.Key_Right)
        hand.wait_for("slice-2-1")


def test_the_wheel_changes_slices_only_when_switched_on(hand: ReadingHand) -> None:
    hand.page.control.turn_wheel(1)
    assert hand.place.slice_id == "slice-1-1"
    hand.key(KEYS.Key_M, CTRL)
    hand.page.control.turn_wheel(1)
    hand.wait_for("slice-2-1")


def test_f1_lists_the_keys_and_holds_every_key_from_the_slice(hand: ReadingHand) -> None:
    hand.key(KEYS.Key_F1)
    assert hand.page.parts.help.isVisible()
    hand.key(KEYS.Key_Right)
    hand.key(KEYS.Key_N)
    assert hand.place.slice_id == "slice-1-1"
    assert hand.answer.outcome is None
    hand.key(KEYS.Key_F1)
    assert not hand.page.parts.help.isVisible()
    hand.key(KEYS.Key_N)
    assert hand.answer.outcome is Outcome.NO_FINDING


# What is written down, and what is not told.


def test_the_view_log_has_what_was_seen_without_the_pause(open_reading: Opener) -> None:
    clock = FixedClock()
    hand = open_reading(clock=clock)
    clock.advance(4)
    hand.drag(100, 100, 200, 200)
    clock.advance(6)
    hand.key(KEYS.Key_P)
    clock.advance(100)
    hand.key(KEYS.Key_P)
    clock.advance(5)
    hand.close()
    views = hand.store._tables.views[READER_ID]
    lasting = [(v.kind, v.ended - v.started) for v in views if v.ended > v.started]
    assert lasting == [
        (ViewKind.FIRST_MARK, 4.0),
        (ViewKind.VISIBLE, 10.0),
        (ViewKind.PAUSE, 100.0),
        (ViewKind.VISIBLE, 5.0),
    ]
    assert views[0].ended == views[0].started  # opened, noted at once
    assert '"zoom"' in views[-1].view


def test_training_is_marked_on_the_page(open_reading: Opener) -> None:
    hand = open_reading(role=PresentationRole.TRAINING)
    hand.paint()
    assert hand.page.parts.header._training.isVisible()


def test_nothing_on_the_page_names_file_reader_or_counts_of_others(hand: ReadingHand) -> None:
    hand.drag(100, 100, 200, 200)
    hand.paint()
    assert hand.window.windowTitle() == "nova-review"
    stack = hand.session.undo_stack
    assert stack is not None
    assert stack.undoText() == "change"
    texts = [w.toolTip() + w.accessibleName() + w.windowTitle() for w in QApplication.allWidgets()]
    assert not [t for t in texts if "slice-1-1" in t or "Ada" in t or "reader-1" in t or ".png" in t]


def test_tab_goes_from_the_slice_through_the_answers_and_back(hand: ReadingHand) -> None:
    hand.paint()
    hand.page.parts.grid.focus()
    names = []
    for _ in range(40):
        hand.key(KEYS.Key_Tab)
        focus = QApplication.focusWidget()
        assert focus is not None
        names.append(focus.accessibleName())
        if focus is hand.view:
            break
    assert names[0] == "Nothing abnormal"
    assert names.index("Cannot be read") < names.index("Caption: free text") < names.index("Lock findings")
    assert names[-1] == "Slice"
    assert all(names), "every control has a name"


def test_isolated_slices_lead_to_the_cases_after_the_last_one(open_reading: Opener) -> None:
    hand = open_reading(unit="slice", cases=2, slices_per_case=(1, 2))
    for slice_id in ("slice-1-1", "slice-2-1", "slice-2-2"):
        assert hand.place.slice_id == slice_id
        place = hand.place
        hand.key(KEYS.Key_N)
        hand.fill_caption(call=KEYS.Key_1)
        assert hand.store.history_reads == []
        hand.key(KEYS.Key_Return, CTRL)
        hand.wait(lambda place=place: hand.place != place)
    hand.wait(lambda: hand.session.opened_case is not None)
    case = hand.session.opened_case
    assert case is not None
    assert case.history == "Clinical history of case 1: sudden headache on day 1."


def test_fifty_minutes_suggest_a_break_and_a_pause_of_five_is_one(hand: ReadingHand) -> None:
    header = hand.page.parts.header
    for _ in range(49):
        hand.page.note_minute()
    assert not any("break" in text for text in _messages(hand))
    hand.page.note_minute()
    assert any("break" in text for text in _messages(hand))
    assert header._sitting.text() == "50 min"
    hand.key(KEYS.Key_P)
    for _ in range(5):
        hand.page.note_minute()
    assert header._sitting.text() == "0 min"


def test_going_to_another_slice_ends_a_pause(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(2,))
    hand.paint()
    hand.key(KEYS.Key_P)
    hand.click(hand.page.parts.strip.thumbnail("slice-1-2"))
    hand.wait_for("slice-1-2")
    assert not hand.session.is_paused
    assert hand.view.has_image()


def test_own_captions_are_named_by_the_number_of_their_slice(open_reading: Opener) -> None:
    hand = open_reading(cases=1, slices_per_case=(2,))
    hand.read_whole_case(2)
    hand.wait(lambda: hand.session.opened_case is not None)
    hand.paint()
    shown = hand.page.parts.case._own.toPlainText()
    assert "Slice 1" in shown
    assert "Slice 2" in shown
    assert "slice-1" not in shown


def test_keys_are_shortcuts_in_a_text_that_can_only_be_read(open_reading: Opener) -> None:
    hand = open_reading(cases=2, slices_per_case=(1,))
    hand.read_whole_case(1)
    hand.wait(lambda: hand.session.opened_case is not None)
    hand.paint()
    hand.page.parts.case._history.setFocus()
    hand.key(KEYS.Key_Right)
    hand.wait_for("slice-2-1")
