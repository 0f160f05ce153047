"""Worklist, strip, header, footer and help: what stands round the slice."""

from dataclasses import replace
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from nova_review.domain.protocol import IMAGE_HISTORY
from nova_review.domain.reading import SliceMark
from nova_review.domain.study import PresentationRole
from nova_review.services.ports import CaseMark, Place, Worklist, WorklistEntry, WorklistSlice
from nova_review.ui.models.worklist_model import WorklistModel, entry_words, place_to_open
from nova_review.ui.pages.panels.footer import ReadingFooter
from nova_review.ui.pages.panels.header import ReadingHeader, SaveState, stage_colour
from nova_review.ui.pages.panels.help import HelpOverlay
from nova_review.ui.pages.panels.strip import SliceStrip, Thumbnail
from nova_review.ui.pages.panels.worklist import WorklistPanel, shape_at, shape_place
from nova_review.ui.widgets.badge import Badge
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.progress_line import ProgressLine
from nova_review.ui.widgets.scroll_column import ScrollColumn
from nova_review.ui.widgets.state_shapes import MarkShape
from tests.helpers.panel_hand import PanelHand, heard_of, part

LEFT = Qt.MouseButton.LeftButton
NO_KEYS = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def hand(qtbot: QtBot) -> PanelHand:
    return PanelHand(qtbot)


def entry(
    position: int,
    *marks: SliceMark,
    mark: CaseMark = CaseMark.STAGE_1,
    role: PresentationRole = PresentationRole.MAIN,
) -> WorklistEntry:
    slices = tuple(WorklistSlice(f"p{position}s{n}", n, m) for n, m in enumerate(marks, start=1))
    return WorklistEntry(f"p{position}", position, mark, role, slices, True, True, True, "", False)


def worklist(*entries: WorklistEntry, done: int = 0) -> Worklist:
    return Worklist("Pilot", "R01", entries, done, None, "")


THREE = worklist(
    entry(1, SliceMark.SUBMITTED_FINDINGS, mark=CaseMark.SUBMITTED),
    entry(2, SliceMark.LOCKED, SliceMark.DRAFT, SliceMark.NEVER_SHOWN),
    entry(3, SliceMark.NEVER_SHOWN, mark=CaseMark.UNTOUCHED),
    done=1,
)


# Worklist


def test_the_worklist_tells_progress_and_nothing_else_on_show(hand: PanelHand) -> None:
    panel = hand.show(WorklistPanel())
    heard = heard_of(panel.place_chosen)
    panel.show_worklist(THREE, Place("p2", "p2s2"))
    panel.show_current(Place("p2", "p2s3"))
    panel.update_entry(replace(THREE.entries[0], mark=CaseMark.WITHDRAWN))
    assert heard == []
    assert part(panel, ElidedText).text() == "1 of 3 done"
    assert part(panel, ProgressLine).accessibleName() == "1 of 3 done"


def row_centre(panel: WorklistPanel, row: int) -> QPoint:
    view = panel.list_view()
    return view.visualRect(view.model().index(row, 0)).center()


def test_a_click_on_a_row_opens_its_first_open_slice(hand: PanelHand) -> None:
    panel = hand.show(WorklistPanel())
    panel.show_worklist(THREE, Place("p1", "p1s1"))
    heard = heard_of(panel.place_chosen)
    view = panel.list_view()
    rect = view.visualRect(view.model().index(1, 0))
    QTest.mouseClick(view.viewport(), LEFT, NO_KEYS, QPoint(rect.left() + 20, rect.center().y()))
    assert heard == [Place("p2", "p2s2")]


def test_a_row_is_opened_by_keyboard(hand: PanelHand) -> None:
    panel = hand.show(WorklistPanel())
    panel.show_worklist(THREE, Place("p1", "p1s1"))
    heard = heard_of(panel.place_chosen)
    view = panel.list_view()
    view.setFocus()
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(view, key)
    assert heard == [Place("p3", "p3s1")]


def test_a_click_on_a_shape_opens_that_slice(hand: PanelHand) -> None:
    panel = hand.show(WorklistPanel())
    panel.show_worklist(THREE, Place("p1", "p1s1"))
    heard = heard_of(panel.place_chosen)
    view = panel.list_view()
    rect = QRectF(view.visualRect(view.model().index(1, 0)))
    QTest.mouseClick(view.viewport(), LEFT, NO_KEYS, shape_place(rect, 2, 3).center().toPoint())
    assert heard == [Place("p2", "p2s3")]


def test_a_click_on_the_worklist_takes_no_keyboard(hand: PanelHand) -> None:
    panel = WorklistPanel()
    ground, other = QWidget(), QLineEdit()
    column = QVBoxLayout(ground)
    column.addWidget(panel)
    column.addWidget(other)
    hand.show(ground)
    panel.show_worklist(THREE, None)
    panel.list_view().clearFocus()
    QTest.mouseClick(panel.list_view().viewport(), LEFT, NO_KEYS, row_centre(panel, 0))
    assert not panel.list_view().hasFocus()


@pytest.mark.parametrize("count", range(1, 19))
def test_shapes_of_a_row_lie_apart_and_inside(count: int) -> None:
    row = QRectF(0, 0, 148, 32)
    places = [shape_place(row, number, count) for number in range(count)]
    for number, place in enumerate(places):
        assert row.adjusted(48, 0, -22, 0).contains(place)
        assert not any(place.intersects(other) for other in places[:number])
        centre = place.center()
        assert shape_at(row, centre.x(), centre.y(), count) == number
    assert shape_at(row, 10, 10, count) is None


def test_the_worklist_names_no_file_reader_or_repeat(hand: PanelHand) -> None:
    repeat = entry(4, SliceMark.NEVER_SHOWN, mark=CaseMark.UNTOUCHED, role=PresentationRole.REPEAT)
    main = replace(repeat, role=PresentationRole.MAIN)
    assert entry_words(repeat) == entry_words(main) == "4: not begun\n1 slice: never shown"
    training = replace(repeat, role=PresentationRole.TRAINING)
    assert "training - not analysed" in entry_words(training)

    def painted(one: WorklistEntry) -> QImage:
        panel = hand.show(WorklistPanel())
        panel.show_worklist(worklist(one), None)
        return panel.list_view().viewport().grab().toImage()

    assert painted(repeat) == painted(main)
    assert painted(training) != painted(main)


def test_a_presentation_whose_time_has_not_come_says_why() -> None:
    later = replace(THREE.entries[2], openable=False, why_not="After your last slice.")
    assert entry_words(later).endswith("After your last slice.")


def test_a_presentation_that_is_done_opens_at_its_first_slice() -> None:
    assert place_to_open(THREE.entries[0]) == Place("p1", "p1s1")


def test_the_same_order_is_not_reset(qtbot: QtBot, qtmodeltester: object) -> None:
    model = WorklistModel()
    resets: list[str] = []
    model.modelReset.connect(lambda: resets.append("reset"))
    model.show_worklist(THREE, None)
    changed = heard_of(model.dataChanged)
    model.show_worklist(
        replace(THREE, entries=(replace(THREE.entries[0], seen_before=True), *THREE.entries[1:])), None
    )
    assert resets == ["reset"]
    assert len(changed) == 1
    qtmodeltester.check(model)  # type: ignore[attr-defined]


def test_twenty_thousand_presentations_need_no_widget_each(hand: PanelHand) -> None:
    panel = hand.show(WorklistPanel())
    few = len(panel.findChildren(QWidget))
    many = worklist(*(entry(n, SliceMark.NEVER_SHOWN) for n in range(1, 20_001)))
    panel.show_worklist(many, Place("p20000", "p20000s1"))
    assert panel.list_view().visualRect(panel.list_view().model().index(19_999, 0)).isValid()
    assert len(panel.findChildren(QWidget)) == few


# Strip


def test_the_strip_is_hidden_for_a_slice_alone(hand: PanelHand) -> None:
    ground = QWidget()
    strip = SliceStrip(ground)
    hand.show(ground)
    strip.show_slices(THREE.entries[2].slices, "p3s1")
    assert not strip.isVisible()
    strip.show_slices(THREE.entries[1].slices, "p2s1")
    assert strip.isVisible()
    assert strip.minimumHeight() == strip.maximumHeight()


def test_thumbnails_keep_their_picture_and_tell_which_was_chosen(hand: PanelHand) -> None:
    ground = QWidget()
    strip = SliceStrip(ground)
    hand.show(ground)
    slices = THREE.entries[1].slices
    strip.show_slices(slices, "p2s1")
    strip.resize(360, strip.height())
    image = QImage(48, 48, QImage.Format.Format_Grayscale8)
    image.fill(QColor("grey"))
    strip.set_thumbnail("p2s2", image)
    strip.set_thumbnail("of another case", image)
    heard = heard_of(strip.slice_chosen)
    strip.show_slices((slices[0], replace(slices[1], mark=SliceMark.LOCKED), slices[2]), "p2s2")
    assert heard == []
    thumb = part(strip, Thumbnail, "Slice 2 of 3: stage 1 locked")
    assert thumb.has_image()
    QTest.mouseClick(thumb, LEFT)
    assert heard == ["p2s2"]
    assert QApplication.focusWidget() is not thumb


# Header


def test_the_header_says_where_and_which_stage(hand: PanelHand) -> None:
    header = hand.show(ReadingHeader(), width=1280, height=44)
    header.show_header("case 12 of 45 · slice 2 of 3", IMAGE_HISTORY.stages[0])
    assert part(header, ElidedText, "case 12 of 45 · slice 2 of 3").isVisible()
    assert part(header, Badge, "Stage 1: image only").isVisible()
    assert part(header, ElidedText, "Mark what you see").isVisible()
    first = header.grab().toImage().pixelColor(5, 1)
    header.show_header("case 12 of 45 · slice 2 of 3", IMAGE_HISTORY.stages[1])
    second = header.grab().toImage().pixelColor(5, 1)
    assert first != second
    assert second == QColor(stage_colour(IMAGE_HISTORY.stages[1]))


def test_figures_move_nothing_in_the_header(hand: PanelHand) -> None:
    header = hand.show(ReadingHeader(), width=1400, height=44)
    header.show_header("case 1 of 45 · slice 1 of 3", IMAGE_HISTORY.stages[0])
    header.show_window(1, 1)
    QApplication.processEvents()
    before = [w.geometry() for w in header.findChildren(QWidget)]
    header.show_header("case 45 of 45 · slice 17 of 17", IMAGE_HISTORY.stages[0])
    header.show_window(2048, -1024)
    header.show_zoom(1600)
    header.show_pixel(1023, 1023, 65535)
    header.show_distance(724.1, 100.0)
    header.show_sitting(120, break_due=True)
    header.show_saved(SaveState.SAVING)
    header.show_saved(SaveState.FAILED, reason="the disk is full")
    QApplication.processEvents()
    assert [w.geometry() for w in header.findChildren(QWidget)] == before


def test_a_failed_save_says_why_and_can_be_tried_again(hand: PanelHand) -> None:
    header = hand.show(ReadingHeader(), width=1280, height=44)
    header.show_header("case 1 of 1 · slice 1 of 1", IMAGE_HISTORY.stages[0])
    badge = part(header, QAbstractButton)
    tried: list[str] = []
    header.retry_requested.connect(lambda: tried.append("retry"))
    QTest.mouseClick(badge, LEFT)
    assert tried == []
    header.show_saved(SaveState.FAILED, reason="the disk is full")
    assert badge.text() == "NOT SAVED · retry"
    assert part(header, ElidedText, "Not saved: the disk is full.").isVisible()
    QTest.mouseClick(badge, LEFT)
    assert tried == ["retry"]
    header.show_saved(SaveState.SAVED)
    assert badge.text() == "saved"
    assert part(header, ElidedText, "Mark what you see").isVisible()


@pytest.mark.parametrize("width", [640, 960, 1280])
def test_a_narrow_header_leaves_out_and_overlaps_nothing(hand: PanelHand, width: int) -> None:
    header = hand.show(ReadingHeader(), width=width, height=44)
    header.show_header("case 12 of 45 · slice 2 of 3", IMAGE_HISTORY.stages[0])
    header.show_notes(training=True, paused=True)
    header.show_pixel(1, 2, 3)
    QApplication.processEvents()
    parts = [w.geometry() for w in header.findChildren(QWidget) if w.isVisible()]
    parts.sort(key=lambda place: place.left())
    assert all(a.right() < b.left() for a, b in pairwise(parts))
    assert part(header, Badge, "training - not analysed").isVisible()


def test_distances_are_never_in_mm(hand: PanelHand) -> None:
    header = hand.show(ReadingHeader(), width=1280, height=44)
    header.show_distance(124.3, 25.9)
    assert part(header, ElidedText, "124 px · 25.9%").isVisible()
    header.clear_pixel()
    assert not [w for w in header.findChildren(ElidedText) if "px" in w.text()]


# Footer


def test_the_footer_says_what_is_missing(hand: PanelHand) -> None:
    footer = hand.show(ReadingFooter())
    footer.show_missing(("plane", "sequence"), action="Lock findings", key="Ctrl+Enter")
    assert part(footer, ElidedText).text() == "Still to answer: plane, sequence"
    footer.show_missing((), action="Submit case", key="Ctrl+Enter", enabled=False)
    assert part(footer, ElidedText).text() == "Everything is answered."
    assert footer.primary().text() == "Submit case"
    assert not footer.primary().isEnabled()
    footer.show_missing((), action="Submit case", key="Ctrl+Enter", enabled=False, closed="It is submitted.")
    assert part(footer, ElidedText).text() == "It is submitted."


def test_the_actions_of_the_footer(hand: PanelHand) -> None:
    footer = hand.show(ReadingFooter())
    footer.show_actions(deferred=False, seen_before=False, paused=False, may_defer=True, may_copy=True)
    asked: list[object] = []
    footer.lock_requested.connect(lambda: asked.append("lock"))
    footer.defer_requested.connect(lambda: asked.append("defer"))
    footer.copy_previous_requested.connect(lambda: asked.append("copy"))
    footer.pause_requested.connect(lambda: asked.append("pause"))
    footer.seen_before_toggled.connect(asked.append)
    for name in ("Lock findings", "Come back later", "Copy previous", "Seen before", "Pause"):
        QTest.mouseClick(part(footer, KeyButton, name), LEFT)
    assert asked == ["lock", "defer", "copy", True, "pause"]
    assert not part(footer, KeyButton, "Seen before").isChecked()
    footer.show_actions(deferred=True, seen_before=True, paused=True, may_defer=False, may_copy=False)
    assert len(asked) == 5
    QTest.mouseClick(part(footer, KeyButton, "Seen before"), LEFT)
    QTest.mouseClick(part(footer, KeyButton, "Go on"), LEFT)
    assert asked[5:] == [False, "pause"]
    assert not part(footer, KeyButton, "Come back later").isEnabled()


# Help


GROUPS = (
    ("Slices", (("Right", "Next slice"),)),
    ("Answers", (("N", "Nothing abnormal"), ("1-5", "Confidence"))),
)


def test_help_lists_keys_and_signs_and_keeps_keys_from_the_slice(hand: PanelHand) -> None:
    ground, field = QWidget(), QLineEdit()
    QVBoxLayout(ground).addWidget(field)
    overlay = HelpOverlay(ground)
    hand.show(ground, width=1000)
    field.setFocus()
    fired: list[str] = []
    QShortcut(QKeySequence("N"), ground).activated.connect(lambda: fired.append("N"))
    overlay.show_actions(GROUPS)
    assert overlay.size() == ground.size()
    words = {w.accessibleName() for w in overlay.findChildren(QWidget)}
    assert {"Key Right", "Next slice", "Key 1-5", "Confidence"} <= words
    assert {m.accessibleName() for m in overlay.findChildren(MarkShape)} >= {mark.value for mark in SliceMark}
    for key in (Qt.Key.Key_N, Qt.Key.Key_Tab, Qt.Key.Key_Down):
        QTest.keyClick(overlay, key)
    assert fired == []
    assert overlay.hasFocus()


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_F1])
def test_help_closes_and_gives_the_keyboard_back(hand: PanelHand, key: Qt.Key) -> None:
    ground, field = QWidget(), QLineEdit()
    QVBoxLayout(ground).addWidget(field)
    overlay = HelpOverlay(ground)
    hand.show(ground)
    field.setFocus()
    overlay.show_actions(GROUPS)
    overlay.show_actions(GROUPS)
    QTest.keyClick(overlay, key)
    assert not overlay.isVisible()
    assert field.hasFocus()


# Column


def test_a_column_scrolls_only_where_there_is_no_room(hand: PanelHand) -> None:
    column, tall = ScrollColumn("Answers"), QWidget()
    tall.setMinimumHeight(500)
    column.add(tall, stretch=1)
    hand.show(column, height=700)
    assert tall.height() == 700
    column.resize(360, 300)
    assert tall.height() == 500
    assert column.verticalScrollBar().maximum() == 200


def test_a_column_follows_the_keyboard(hand: PanelHand) -> None:
    column = ScrollColumn("Answers")
    fields = [QWidget() for _ in range(20)]
    for field in fields:
        field.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        field.setFixedHeight(40)
        column.add(field)
    hand.show(column, height=200)
    fields[-1].setFocus()
    assert column.rect().contains(fields[-1].mapTo(column, fields[-1].rect().bottomLeft()))
    fields[0].setFocus()
    assert column.verticalScrollBar().value() == 0


def test_a_badge_without_words_paints_no_frame(qtbot: QtBot) -> None:
    badge = Badge()
    qtbot.addWidget(badge)
    badge.resize(30, 20)
    image = badge.grab().toImage()
    assert len({image.pixel(x, y) for x in range(image.width()) for y in range(image.height())}) == 1
