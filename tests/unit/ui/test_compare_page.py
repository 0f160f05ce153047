"""The compare page by real keys and mouse: panels, filter, list, numbers, tags, pairs, export."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from nova_review.domain.prediction import PredictionKind
from nova_review.domain.verdicts import Thresholds
from nova_review.services.comparing_views import CompareChoice
from nova_review.ui.canvas.items import BoxRole
from nova_review.ui.messages import Messages
from nova_review.ui.pages.compare import ComparePage
from nova_review.ui.pages.compare_export import WISHES
from nova_review.ui.pages.comparing.panels import Mode, best_columns
from nova_review.ui.theme import apply_theme
from nova_review.ui.workers import start_workers
from tests.helpers.compare_desks import HandDesk

K = Qt.Key
LEFT, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.RightButton
NONE = Qt.KeyboardModifier.NoModifier
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


class Hand:
    """A person at the page."""

    def __init__(self, qtbot: Any, desk: HandDesk, *, size: tuple[int, int] = (1280, 800)) -> None:
        self.qtbot, self.desk = qtbot, desk
        apply_theme(QApplication.instance())
        self.workers, self.messages = start_workers(), Messages()
        self.page = ComparePage(desk, self.workers, self.messages)
        self.page.resize(*size)
        self.left: list[bool] = []
        self.page.left.connect(lambda: self.left.append(True))
        self.page.show()
        self.page.activateWindow()
        qtbot.waitUntil(self.page.isActiveWindow)
        self.page.begin()
        self.wait(lambda: self.page.panels.contents())

    def wait(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=10_000)

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.page, key, modifiers)

    def type(self, words: str) -> None:
        QTest.keyClicks(QApplication.focusWidget(), words)

    def filter_by(self, words: str) -> None:
        """Type a filter after "/", and Enter."""
        self.key(K.Key_Slash)
        self.type(words)
        self.key(K.Key_Return)

    def listed(self) -> list[str]:
        return [key[1] for key in self.page.list.gallery_model().listing().keys]

    def shown(self) -> str | None:
        one = self.page.show_slice.shown()
        return None if one is None else one.file_name

    def roles(self, panel: int) -> list[BoxRole]:
        content = self.page.panels.panels[panel].content()
        assert content is not None
        return [box.role for box in content.boxes]

    def end(self) -> None:
        self.page.end()
        self.page.close()
        self.workers.close()
        QApplication.processEvents()
        self.page.deleteLater()


@pytest.fixture
def hand(qtbot: Any) -> Iterator[Hand]:
    one = Hand(qtbot, HandDesk())
    yield one
    one.end()


def test_gold_stands_first_and_the_models_beside_it_with_verdicts_by_role(hand: Hand) -> None:
    titles = [panel.content().title for panel in hand.page.panels.shown_panels()]  # type: ignore[union-attr]
    assert titles == ["Gold", "model-a", "model-b"]
    assert hand.roles(0) == [BoxRole.GOLD]
    assert hand.roles(1) == [BoxRole.GOLD, BoxRole.TRUE_POSITIVE]
    assert hand.roles(2) == [BoxRole.MISS, BoxRole.POOR_LOCATION, BoxRole.BACKGROUND]


def test_boxes_carry_iou_and_confidence(hand: Hand) -> None:
    content = hand.page.panels.panels[2].content()
    assert content is not None
    # A confidence of .9 is shown as 90; a box without one has none, one that overlaps nothing a dash.
    assert [box.caption for box in content.boxes] == ["", ".20 · 90", "–"]
    assert "IoU .20 with lesion 1" in content.boxes[1].tooltip
    assert content.count == "0 of 1 found · 1 poor location · 1 background"


def test_captions_tell_terms_by_sign_and_what_was_typed_is_no_markup(hand: Hand) -> None:
    right, wrong = (hand.page.panels.panels[k].texts for k in (1, 2))
    assert right.toPlainText().startswith("Axial FLAIR lesion")
    assert "1 ✓ Multiple sclerosis" in " ".join(right.toPlainText().split())  # the matched diagnosis
    words = " ".join(wrong.toPlainText().split())
    assert words.startswith("≠ Coronal FLAIR, <b>mass</b>")
    assert "missing: axial · wrong plane: coronal, gold axial" in words
    assert "2 ? MS & more <i>" in words


def test_twelve_sets_with_long_names_are_all_on_the_page(hand: Hand) -> None:
    names = [f"model-with-a-rather-long-name-{k:02d}" for k in range(12)]
    hand.page.head.show_choices([CompareChoice(n, PredictionKind.MODEL, 6, 6) for n in names])
    hand.page.head.show_sets(names[:2])
    QApplication.processEvents()
    head = hand.page.head
    hand.wait(lambda: head.height() >= head.sets.height())
    shown = []
    for name in names:
        chip = head.sets.chip(name)
        assert head.rect().contains(chip.rect().translated(chip.mapTo(head, QPoint(0, 0)))), name
        shown.append(chip.text())
    assert len(set(shown)) == 12  # shortened, they can still be told apart
    assert head.sets.chip(names[7]).text() == "model-wi…-name-07"
    assert not head.geometry().intersects(hand.page.filter.geometry())
    assert head.height() < 160  # two lines of sets under the buttons, where six would stand beside them


def test_arrows_walk_the_list_and_the_picture_follows(hand: Hand) -> None:
    assert hand.shown() == hand.desk.names[0]
    for key, place in (
        (K.Key_Right, 1),
        (K.Key_PageDown, 2),
        (K.Key_Left, 1),
        (K.Key_End, 5),
        (K.Key_Home, 0),
    ):
        hand.key(key)
        hand.wait(lambda place=place: hand.shown() == hand.desk.names[place])


def test_the_wheel_walks_too(hand: Hand) -> None:
    view = hand.page.panels.panels[0].view
    spot = QPointF(view.rect().center())
    event = QWheelEvent(
        spot,
        QPointF(view.mapToGlobal(spot.toPoint())),
        QPoint(),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        NONE,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)
    hand.wait(lambda: hand.shown() == hand.desk.names[1])


def test_a_right_and_b_wrong_by_a_typed_filter_and_away_by_its_chip(hand: Hand) -> None:
    hand.filter_by("right = model-a")
    hand.wait(lambda: hand.listed() == ["case0001_001.png", "case0002_001.png"])
    assert hand.page.filter.count.text() == "n = 2 of 6"
    (chip,) = hand.page.filter.chips()
    assert chip.accessibleName() == "Take away: right = model-a"
    QTest.mouseClick(chip, LEFT)
    hand.wait(lambda: len(hand.listed()) == 6)


def test_a_filter_that_cannot_be_read_is_one_sentence_and_the_list_stays(hand: Hand) -> None:
    hand.filter_by("colour = blue")
    hand.wait(lambda: hand.messages.standing())
    assert hand.messages.standing()[0].text == "There is no field 'colour'."
    assert len(hand.listed()) == 6
    hand.filter_by("wrong = model-a")
    hand.wait(lambda: len(hand.listed()) == 4)
    assert not hand.messages.standing()


def test_letters_in_the_filter_line_are_text(hand: Hand) -> None:
    hand.key(K.Key_Slash)
    hand.type("swogtmf 12345")
    assert hand.page.filter.field.text() == "swogtmf 12345"
    assert hand.page.panels.mode() is Mode.PANELS
    hand.key(K.Key_Escape)
    assert hand.page.filter.where() == ""
    hand.key(K.Key_O)
    assert hand.page.panels.mode() is Mode.OVERLAY


def test_no_match_is_said_and_shows_black(hand: Hand) -> None:
    hand.filter_by("none = 1")
    hand.wait(lambda: not hand.listed())
    assert hand.page.counted.slice_words.text() == "No slice matches this filter."
    assert not hand.page.panels.panels[0].view.has_image()
    hand.key(K.Key_L, SHIFT)
    hand.wait(lambda: len(hand.listed()) == 6)
    hand.wait(lambda: hand.page.panels.panels[0].view.has_image())


def test_choices_with_counts_are_walked_and_added_by_keys(hand: Hand) -> None:
    hand.key(K.Key_L)
    model = hand.page.choices.tree.model()
    hand.wait(lambda: model.rowCount() == 2)
    wrong = model.index(1, 0)
    assert wrong.data() == "wrong"
    assert [model.index(0, c, wrong).data() for c in (0, 1)] == ["model-a", "4"]
    for key in (K.Key_Down, K.Key_Down, K.Key_Down, K.Key_Return):  # right, its value, wrong, its value
        hand.key(key)
    hand.wait(lambda: len(hand.listed()) == 4)
    hand.key(K.Key_Escape)
    assert not hand.page.choices.isVisible()
    assert hand.page.list.isVisible()


def test_space_flickers_between_the_two_models(hand: Hand) -> None:
    hand.key(K.Key_Space)
    panels = hand.page.panels
    assert panels.mode() is Mode.FLICKER
    assert len(panels.shown_panels()) == 1
    seen = []
    for _ in range(3):
        content = panels.panels[0].content()
        assert content is not None
        seen.append(content.title)
        hand.key(K.Key_Space)
    assert seen == ["model-a", "model-b", "model-a"]
    hand.key(K.Key_Escape)
    assert panels.mode() is Mode.PANELS
    assert not hand.left


def test_the_wipe_follows_the_mouse_and_keys_and_splits_the_boxes(hand: Hand) -> None:
    hand.key(K.Key_W)
    view = hand.page.panels.panels[0].view
    assert view.wipe() == 0.5
    middle = QPoint(view.width() // 2, view.height() // 3)
    QTest.mousePress(view, LEFT, NONE, middle)
    QTest.mouseMove(view, QPoint(view.width() // 4, middle.y()))
    QTest.mouseRelease(view, LEFT, NONE, QPoint(view.width() // 4, middle.y()))
    assert view.wipe() == pytest.approx(0.25, abs=0.01)
    hand.key(K.Key_Right, ALT)
    assert view.wipe() == pytest.approx(0.30, abs=0.01)
    assert hand.shown() == hand.desk.names[0]
    # Right of the line stand model-b's boxes: its stray box at (300..360, 300..360) is painted there.
    x, top = (round(v) for v in view.transform().to_screen(300, 300))
    picture = view.grab().toImage()
    colours = {picture.pixelColor(x + dx, top + dy).name() for dx in range(-3, 4) for dy in range(5, 40)}
    assert any(int(c[1:3], 16) > int(c[5:7], 16) + 80 for c in colours)  # the orange of "background"


def test_zoom_pan_and_window_are_linked_and_the_cursor_shows_everywhere(hand: Hand) -> None:
    first, second = (hand.page.panels.panels[k].view for k in (1, 2))
    first.zoom_at(2.0, QPointF(first.rect().center()))
    assert second.view_state().zoom == first.view_state().zoom
    spot = first.rect().center()
    QTest.mousePress(first, RIGHT, NONE, spot)
    QTest.mouseMove(first, spot + QPoint(40, 10))
    QTest.mouseRelease(first, RIGHT, NONE, spot + QPoint(40, 10))
    assert second.view_state().window == first.view_state().window
    QTest.mouseMove(first, spot)
    assert second._pointed is not None
    hand.key(K.Key_L, CTRL)
    before = second.view_state().zoom
    first.zoom_at(2.0, QPointF(first.rect().center()))
    assert second.view_state().zoom == before


def test_h_hides_the_boxes_while_held(hand: Hand) -> None:
    QTest.keyPress(hand.page, K.Key_H)
    assert all(p.view._scene.hidden for p in hand.page.panels.shown_panels())
    QTest.keyRelease(hand.page, K.Key_H)
    assert not any(p.view._scene.hidden for p in hand.page.panels.shown_panels())


def test_a_number_shows_one_panel_alone_and_again_all(hand: Hand) -> None:
    hand.key(K.Key_3)
    assert [p.content().title for p in hand.page.panels.shown_panels()] == ["model-b"]  # type: ignore[union-attr]
    hand.key(K.Key_3)
    assert len(hand.page.panels.shown_panels()) == 3


def test_the_confidence_slider_judges_anew_while_it_moves(hand: Hand) -> None:
    hand.key(K.Key_C)
    slider = hand.page.foot.confidence.slider
    assert slider.hasFocus()
    for _ in range(2):
        hand.key(K.Key_End)
    hand.wait(lambda: hand.desk.request is not None and hand.desk.request.thresholds.min_score == 1.0)
    hand.wait(lambda: hand.roles(1) == [BoxRole.MISS])
    content = hand.page.panels.panels[1].content()
    assert content is not None
    assert content.count == "0 of 1 found · 1 under the confidence"
    hand.key(K.Key_Return)
    assert not slider.hasFocus()
    hand.key(K.Key_Right)
    hand.wait(lambda: hand.shown() == hand.desk.names[1])


def test_background_is_never_above_a_hit(hand: Hand) -> None:
    hand.key(K.Key_B)
    hand.key(K.Key_End)
    hand.wait(lambda: hand.desk.request is not None and hand.desk.request.thresholds == Thresholds(0.5, 0.5))
    assert hand.page.foot.background.value() == 0.5


def test_sets_go_in_and_out_by_keys_and_not_below_one(hand: Hand) -> None:
    hand.key(K.Key_3, CTRL)
    hand.wait(lambda: len(hand.page.panels.shown_panels()) == 4)
    hand.key(K.Key_1, CTRL)
    hand.wait(lambda: hand.desk.request is not None and hand.desk.request.sets == ("model-b", "R01"))
    hand.key(K.Key_2, CTRL)
    hand.wait(lambda: hand.desk.request is not None and hand.desk.request.sets == ("R01",))
    hand.key(K.Key_3, CTRL)
    assert hand.messages.standing()[0].text.startswith("One set has to stay")


def test_the_order_of_the_list_changes_by_key(hand: Hand) -> None:
    hand.key(K.Key_R)
    hand.wait(lambda: hand.listed() == list(hand.desk.names[::-1]))
    assert hand.page.filter.order.text() == "most errors first"


def test_the_gallery_has_one_picture_for_every_set_and_enter_opens_it(hand: Hand) -> None:
    hand.key(K.Key_G)
    gallery = hand.page.gallery
    assert gallery.gallery_model().rowCount() == 12
    words = gallery.gallery_model().items()[1].words
    assert words == "case0001_001.png, model-b: 1 poor location, 1 background, 1 miss"
    hand.wait(lambda: hand.page.slices.small(("demo", hand.desk.names[5])) is not None)
    for key in (K.Key_Right, K.Key_Right, K.Key_Return):
        hand.key(key)
    assert hand.page.middle.currentWidget() is hand.page.panels
    hand.wait(lambda: hand.shown() == hand.desk.names[1])


def test_tags_notes_and_flags_by_keys(hand: Hand) -> None:
    hand.key(K.Key_T)
    panel = hand.page.tags
    hand.wait(lambda: len(panel.buttons()) == 2)
    hand.key(K.Key_1)
    hand.wait(lambda: [n.tag for n in hand.desk.words] == ["artefact"])
    hand.wait(lambda: panel.buttons()[0].text().startswith("✓"))
    for _ in range(2):  # the slice, model-a, its first box
        hand.key(K.Key_Down)
    hand.key(K.Key_N)
    hand.type("the left one, 2 mm")
    hand.key(K.Key_Return)
    hand.wait(lambda: len(hand.desk.words) == 2)
    spot = hand.desk.words[1].spot
    assert (spot.set_name, spot.part.value, spot.rank) == ("model-a", "prediction", 1)
    assert hand.desk.words[1].note == "the left one, 2 mm"
    hand.key(K.Key_A)
    hand.type("missed small lesion")
    hand.key(K.Key_Return)
    hand.wait(lambda: len(panel.buttons()) == 3)
    hand.key(K.Key_T)
    assert not panel.isVisible()
    hand.key(K.Key_F)
    hand.wait(lambda: hand.desk.flags == {("demo", hand.desk.names[0])})
    hand.wait(lambda: "⚑ flagged" in hand.page.counted.slice_words.text())


def test_the_same_tag_again_takes_it_away(hand: Hand) -> None:
    hand.key(K.Key_T)
    hand.wait(lambda: len(hand.page.tags.buttons()) == 2)
    hand.key(K.Key_2)
    hand.wait(lambda: hand.page.tags.buttons()[1].text().startswith("✓"))
    hand.key(K.Key_2)
    hand.wait(lambda: not hand.desk.words)


def test_a_cell_of_two_sets_filters_the_list(hand: Hand) -> None:
    hand.key(K.Key_M)
    two = hand.page.two_sets
    hand.wait(lambda: two.cells.matrix() is not None)
    assert [m.words for m in two.cells.marks()][1] == "model-a right, model-b wrong: 2 slices"
    QTest.mouseClick(two.cells, LEFT, NONE, two.cells.place_of(1).center().toPoint())
    hand.wait(lambda: len(hand.listed()) == 2)
    assert hand.page.middle.currentWidget() is hand.page.panels


def test_a_point_of_two_sets_opens_its_slice(hand: Hand) -> None:
    hand.key(K.Key_M)
    two = hand.page.two_sets
    hand.wait(lambda: two.scatter.marks())
    QTest.mouseClick(two.scatter, LEFT, NONE, two.scatter.place_of(5).center().toPoint())
    hand.wait(lambda: hand.shown() in hand.desk.names[1:])
    assert hand.page.middle.currentWidget() is hand.page.panels


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_a_filter_is_kept_and_taken_again(hand: Hand) -> None:
    hand.filter_by("right = model-a")
    hand.wait(lambda: len(hand.listed()) == 2)
    hand.page.saved.keep("A wins", hand.page.filter.where())
    hand.wait(lambda: hand.desk.filters == {"A wins": "right = model-a"})
    hand.key(K.Key_L, SHIFT)
    hand.wait(lambda: len(hand.listed()) == 6)
    hand.key(K.Key_S, SHIFT)
    hand.wait(lambda: hand.page.saved.menu is not None and hand.page.saved.menu.isVisible())
    menu = hand.page.saved.menu
    assert menu is not None
    kept = next(a for a in menu.actions() if a.text() == "A wins")
    QTest.mouseClick(menu, LEFT, NONE, menu.actionGeometry(kept).center())
    hand.wait(lambda: len(hand.listed()) == 2)


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_export_writes_what_is_filtered(hand: Hand, tmp_path: Path) -> None:
    hand.filter_by("wrong = model-a")
    hand.wait(lambda: len(hand.listed()) == 4)
    hand.key(K.Key_E, CTRL)
    menu = hand.page.exports.menu
    assert menu is not None
    assert [a.text() for a in menu.actions()] == [words for words, _ in WISHES]
    menu.close()
    selection = hand.page.selection()
    assert selection is not None
    hand.page.exports.write(selection, WISHES[0][1], tmp_path / "out")
    hand.wait(lambda: hand.desk.exported)
    assert hand.desk.exported[0][0].where == "wrong = model-a"


def test_a_picture_that_cannot_be_shown_is_black_with_its_boxes_and_the_reason(qtbot: Any) -> None:
    desk = HandDesk()
    desk.broken.add(desk.names[0])
    hand = Hand(qtbot, desk)
    try:
        hand.wait(lambda: "is damaged." in hand.page.counted.slice_words.text())
        assert hand.roles(1) == [BoxRole.GOLD, BoxRole.TRUE_POSITIVE]
    finally:
        hand.end()


def test_esc_leaves_from_the_panels(hand: Hand) -> None:
    hand.key(K.Key_F1)
    assert hand.page.help.isVisible()
    hand.key(K.Key_Escape)
    assert not hand.page.help.isVisible()
    assert not hand.left
    hand.key(K.Key_Escape)
    assert hand.left == [True]


@pytest.mark.parametrize(
    ("count", "width", "height", "columns"),
    [(1, 1000, 600, 1), (3, 1300, 700, 3), (4, 1000, 1000, 2), (5, 1500, 1000, 3), (2, 500, 1200, 1)],
)
def test_panels_stand_where_pictures_are_largest(count: int, width: int, height: int, columns: int) -> None:
    apply_theme(QApplication.instance() or QApplication([]))
    assert best_columns(count, width, height, with_texts=False) == columns


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (900, 560)])
def test_nothing_stands_over_anything_at_any_size(qtbot: Any, size: tuple[int, int]) -> None:
    hand = Hand(qtbot, HandDesk(), size=size)
    try:
        parts: list[QWidget] = [hand.page.head, hand.page.filter, hand.page.counted, hand.page.foot]
        rects = [p.geometry() for p in parts] + [hand.page.middle.geometry()]
        for k, one in enumerate(rects):
            assert not any(one.intersects(other) for other in rects[k + 1 :])
    finally:
        hand.end()
