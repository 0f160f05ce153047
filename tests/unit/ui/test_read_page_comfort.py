"""What a reader meets in eight hours: notes, reasons, room for picture and history, quiet messages."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLineEdit, QWidget

from nova_review.domain.audit import DeviationKind
from nova_review.domain.errors import UserError
from nova_review.domain.reading import Outcome
from nova_review.services.ports import Place
from nova_review.ui.pages.panels.findings import explained, parted_reason
from nova_review.ui.pages.panels.header import ReadingHeader
from nova_review.ui.pages.read import BREAK_AFTER
from nova_review.ui.pages.read_layout import CanvasWords
from nova_review.ui.widgets.keyed_row import KeyedRow
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.text_fields import LineField, TextField
from tests.helpers.desks import READER_ID
from tests.helpers.panel_hand import part
from tests.helpers.reading_hand import CTRL, LEFT, NO_KEYS, ReadingHand

Opener = Callable[..., ReadingHand]
KEYS = Qt.Key


def _messages(hand: ReadingHand) -> list[str]:
    return [message.text for message in hand.window.messages.standing()]


def _field(hand: ReadingHand, name: str) -> QLineEdit:
    return part(hand.page, QLineEdit, name)


def _place_in(widget: QWidget, ground: QWidget) -> tuple[int, int, int, int]:
    corner = widget.mapTo(ground, QPoint(0, 0))
    return corner.x(), corner.y(), corner.x() + widget.width(), corner.y() + widget.height()


# Notes.


def test_something_unusual_is_noted_with_its_place(hand: ReadingHand) -> None:
    hand.key(KEYS.Key_J)
    hand.type("the telephone rang")
    hand.key(KEYS.Key_Return)
    hand.wait(lambda: hand.store.deviations(READER_ID))
    (row,) = hand.store.deviations(READER_ID)
    assert (row.kind, row.note) == (DeviationKind.NOTE, "case 1 of 3 - slice 1 of 1: the telephone rang")
    hand.wait(lambda: any(text.startswith("Noted.") for text in _messages(hand)))
    hand.key(KEYS.Key_N)
    assert hand.answer.outcome is Outcome.NO_FINDING


def test_a_note_is_left_by_escape_and_nothing_is_written(hand: ReadingHand) -> None:
    hand.key(KEYS.Key_J)
    hand.type("n d p")
    hand.key(KEYS.Key_Escape)
    assert not _field(hand, "Something unusual").isVisible()
    assert hand.view.hasFocus()
    assert hand.desk.calls["log_deviation"] == 0
    assert hand.answer.outcome is None


def test_a_note_that_cannot_be_stored_comes_back(hand: ReadingHand) -> None:
    hand.desk.trouble["log_deviation"] = UserError("The disk is full.")
    hand.key(KEYS.Key_J)
    hand.type("a name on the picture")
    hand.key(KEYS.Key_Return)
    hand.wait(lambda: "The disk is full." in _messages(hand))
    hand.wait(lambda: _field(hand, "Something unusual").isVisible())
    assert _field(hand, "Something unusual").text() == "a name on the picture"
    hand.desk.trouble.clear()
    hand.key(KEYS.Key_Return)
    hand.wait(lambda: hand.store.deviations(READER_ID))


# Why a slice cannot be read.


@pytest.mark.parametrize(
    ("reason", "parts"),
    [
        ("other", ("other", "")),
        ("other: no brain in it", ("other", "no brain in it")),
        ("other: a: b", ("other", "a: b")),
        ("motion or artefact", ("motion or artefact", "")),
        ("", ("", "")),
    ],
)
def test_a_reason_is_parted_into_the_word_and_ones_own_words(reason: str, parts: tuple[str, str]) -> None:
    assert parted_reason(reason) == parts
    if parts[0] == "other":
        assert explained(parts[1]) == reason


def test_other_leads_to_a_line_for_ones_own_words(hand: ReadingHand) -> None:
    hand.key(KEYS.Key_U)
    hand.key(KEYS.Key_4)
    hand.type("only the neck")
    assert hand.answer.cannot_read_reason == "other: only the neck"
    assert hand.answer.outcome is Outcome.CANNOT_READ
    hand.paint()
    reasons = hand.page.parts.findings._reasons
    assert reasons.chosen() == ("other",)
    hand.key(KEYS.Key_Escape)
    hand.key(KEYS.Key_Z, CTRL)
    assert hand.answer.cannot_read_reason == "other"
    hand.key(KEYS.Key_Z, CTRL)
    assert hand.answer.outcome is None


def test_a_reason_of_the_list_asks_for_no_words(hand: ReadingHand) -> None:
    hand.key(KEYS.Key_U)
    hand.key(KEYS.Key_1)
    hand.paint()
    assert hand.answer.cannot_read_reason == "motion or artefact"
    assert not _field(hand, "Why it cannot be read").isVisible()


def test_saying_other_again_keeps_the_words(hand: ReadingHand) -> None:
    hand.key(KEYS.Key_U)
    hand.key(KEYS.Key_4)
    hand.type("only the neck")
    hand.key(KEYS.Key_Escape)
    hand.key(KEYS.Key_U)
    hand.key(KEYS.Key_4)
    assert hand.answer.cannot_read_reason == "other: only the neck"
    assert _field(hand, "Why it cannot be read").hasFocus()


# Room.


def test_a_question_leaves_the_picture_free_and_a_click_elsewhere_closes_it(hand: ReadingHand) -> None:
    hand.drag(50, 60, 150, 160)
    hand.paint()
    hand.key(KEYS.Key_O)
    palette = hand.page.parts.palette_of_words
    grid = _place_in(hand.page.parts.grid, hand.page)
    assert palette.isVisible()
    assert _place_in(palette, hand.page)[0] >= grid[2]
    QTest.mouseClick(hand.view, LEFT, NO_KEYS, hand.spot(300, 300))
    assert not palette.is_open
    hand.key(KEYS.Key_N)
    assert not palette.isVisible()


def test_a_message_stands_under_the_picture_where_there_are_thumbnails(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(2,))
    hand.paint()
    hand.window.messages.info("Something to know")
    bar = hand.page.parts.message_bar
    assert bar.isVisible()
    assert _place_in(bar, hand.page)[1] >= _place_in(hand.page.parts.grid, hand.page)[3]


@pytest.mark.parametrize("size", [(1280, 800), (1920, 1080), (1440, 900)])
def test_the_history_gets_what_the_picture_leaves_free(open_reading: Opener, size: tuple[int, int]) -> None:
    hand = open_reading(slices_per_case=(2,))
    hand.window.resize(*size)
    hand.paint()
    zoom, width = hand.view.view_state().zoom, hand.page.parts.footer.width()
    hand.read_whole_case(2)
    hand.wait(lambda: hand.session.opened_case is not None)
    hand.paint()
    assert hand.page.parts.footer.width() >= width
    assert hand.view.view_state().zoom == pytest.approx(zoom, rel=0.01)
    letters = hand.page.parts.case._history.viewport().width() / 7.2  # a letter of 15 px on average
    assert 55 <= letters <= 80


def test_the_right_side_keeps_its_width_within_a_stage(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(2,))
    hand.paint()
    widths = {hand.page.parts.footer.width()}
    for _ in range(3):
        place = hand.place
        hand.key(KEYS.Key_Right)
        hand.wait(lambda place=place: hand.place != place)
        hand.paint()
        widths.add(hand.page.parts.footer.width())
    assert len(widths) == 1


def test_no_history_of_another_case_stands_beside_a_slice(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(1,))
    for _ in range(2):
        hand.read_whole_case(1)
        hand.wait(lambda: hand.session.opened_case is not None)
        hand.paint()
        place = hand.place
        hand.key(KEYS.Key_Right)
        hand.wait(lambda place=place: hand.place != place)
        hand.paint()
    hand.key(KEYS.Key_Left)
    hand.wait_for("slice-2-1")
    hand.wait(lambda: hand.session.opened_case is not None)
    hand.paint()
    parts = hand.page.parts
    assert "2" in parts.case._history.toPlainText()
    parts.show_case_side(is_ready=False)
    assert not parts.case.isVisible()
    assert not parts.findings.isVisible()


def test_a_low_window_scrolls_findings_and_caption_as_one(open_reading: Opener) -> None:
    hand = open_reading()
    hand.drag(50, 60, 150, 160)
    hand.window.resize(1280, 560)
    hand.paint()
    areas = hand.page.parts._answers
    bar = areas.verticalScrollBar()
    assert bar.maximum() > 0
    hand.key(KEYS.Key_T)
    text = part(hand.page, TextField, "Caption: free text")
    top, bottom = (text.mapTo(areas, QPoint(0, y)).y() for y in (0, text.height()))
    assert 0 <= top < bottom <= areas.height()


# Keys beside controls.


def test_every_choice_shows_its_key(hand: ReadingHand) -> None:
    hand.drag(50, 60, 150, 160)
    hand.paint()
    parts = hand.page.parts
    assert [row.key() for row in parts.caption.findChildren(KeyedRow)] == ["E", "V", "G"]
    assert [row.key() for row in parts.findings.findChildren(KeyedRow)] == ["S"]
    fields = {field.accessibleName(): field.key() for field in parts.findings.findChildren(LineField)}
    assert fields["Label of the finding"] == "L"
    assert fields["Anatomical place of the finding"] == "O"
    assert part(parts.caption, TextField, "Caption").key() == "T"


def test_the_keys_shown_are_those_of_the_preset(hand: ReadingHand) -> None:
    hand.window._choose_preset("CVAT")
    hand.paint()
    keys = {hand.page.parts.keys[name] for name in ("no-finding", "defer")}
    assert keys == {"Shift+N", "Shift+D"}


# Words typed before, and the time of the sitting.


def test_a_place_just_typed_is_offered_for_the_next_finding(hand: ReadingHand) -> None:
    hand.drag(50, 60, 150, 160)
    hand.paint()
    hand.key(KEYS.Key_O)
    hand.key(KEYS.Key_Plus)
    hand.type("uncus of the temporal lobe")
    hand.key(KEYS.Key_Return)
    hand.session.flush()
    hand.wait_saved()
    hand.drag(200, 200, 260, 260)
    hand.paint()
    editor = part(hand.page, QLineEdit, "Anatomical place")

    def offered() -> bool:
        hand.page.parts.findings.focus_field("place")
        editor.clear()
        hand.type("unc")
        return "uncus of the temporal lobe" in editor.offered_words()

    hand.wait(offered)


def _sentence(header: ReadingHeader) -> str:
    return " ".join(text.text() for text in header.findChildren(ElidedText))


def test_a_break_is_suggested_in_one_quiet_line_until_it_is_taken(hand: ReadingHand) -> None:
    for _ in range(BREAK_AFTER - 1):
        hand.page.note_minute()
    assert "break" not in _sentence(hand.page.parts.header)
    hand.page.note_minute()
    assert "50 minutes of reading: a short break keeps the eye fresh." in _sentence(hand.page.parts.header)
    hand.key(KEYS.Key_P)
    for _ in range(5):
        hand.page.note_minute()
    assert "break" not in _sentence(hand.page.parts.header)
    assert hand.page.parts.header.isVisible()


# Long cases and short ones.


def test_the_current_slice_of_a_long_case_is_in_sight_among_the_thumbnails(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(1, 17), cases=2)
    strip = hand.page.parts.strip
    for key, slice_id in ((KEYS.Key_End, "slice-2-17"), (KEYS.Key_Left, "slice-2-16")):
        hand.key(key)
        hand.wait_for(slice_id)
        left, _, right, _ = _place_in(strip.thumbnail(slice_id), strip.viewport())
        assert 0 <= left < right <= strip.viewport().width()
    hand.key(KEYS.Key_Home)
    hand.wait_for("slice-1-1")
    hand.key(KEYS.Key_Right)
    hand.wait_for("slice-2-1")
    assert _place_in(strip.thumbnail("slice-2-1"), strip.viewport())[0] >= 0


def test_a_case_of_one_slice_is_as_large_in_every_layout(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(1, 3), cases=2)
    alone = hand.view.size()
    hand.key(KEYS.Key_4, CTRL)
    hand.paint()
    grid = hand.page.parts.grid
    assert grid.count == 4
    assert hand.view.size() == alone
    hand.key(KEYS.Key_Right)
    hand.wait_for("slice-2-1")
    assert hand.view.width() < alone.width() * 0.6
    assert hand.settings.value("layout", type=int) == 4
    hand.key(KEYS.Key_2, CTRL)
    hand.paint()
    assert hand.view.height() > alone.height() * 0.9
    hand.key(KEYS.Key_Left)
    hand.wait_for("slice-1-1")
    assert hand.view.size() == alone


def _footer_words(hand: ReadingHand) -> str:
    hand.paint()
    return part(hand.page.parts.footer, ElidedText).text()


def test_a_closed_answer_says_that_it_is_closed_and_how_to_reopen_it(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(2,))
    hand.read_whole_case(1)
    hand.key(KEYS.Key_Left)
    hand.wait_for("slice-1-1")
    assert "locked" in _footer_words(hand)
    assert _footer_words(hand).endswith("R reopens it, with a reason.")
    hand.key(KEYS.Key_Right)
    hand.wait_for("slice-1-2")
    assert _footer_words(hand).startswith("Still to answer")
    hand.read_whole_case(1)
    hand.wait(lambda: hand.session.opened_case is not None)
    assert _footer_words(hand) == "Still to answer: at least one diagnosis"


def test_each_panel_tells_of_its_own_missing_picture(open_reading: Opener) -> None:
    hand = open_reading(slices_per_case=(2,))
    trouble = UserError("This picture is cut off.")
    picture = hand.desk.desk.picture

    def pictures(slice_id: str) -> object:
        if slice_id == "slice-1-2":
            raise trouble
        return picture(slice_id)

    hand.desk.picture = pictures
    hand.session._navigator.forget(hand.place.presentation_id)
    hand.key(KEYS.Key_2, CTRL)
    grid = hand.page.parts.grid
    damaged = Place(hand.place.presentation_id, "slice-1-2")
    hand.wait(lambda: grid.view_of(damaged) is not None)

    def words() -> list[str]:
        panel = grid.view_of(damaged)
        assert panel is not None
        return [w.text() for w in panel.findChildren(CanvasWords) if w.isVisible()]

    hand.wait(lambda: words() == ["This picture is cut off."])
    assert [w for w in hand.view.findChildren(CanvasWords) if w.isVisible()] == []
    hand.key(KEYS.Key_P)
    assert words() == []
    hand.key(KEYS.Key_P)
    hand.wait(lambda: words() == ["This picture is cut off."])
