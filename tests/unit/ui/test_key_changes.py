"""Own keys: in the list that changes them, at the window, by real keys."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest

from nova_review.ui.actions import ACTIONS_BY_NAME, KeyBook
from nova_review.ui.key_changes import is_modifier, key_text, owner_of, rebound, why_reserved
from nova_review.ui.pages.panels.key_editor import HOW, KeyEditor
from nova_review.ui.pages.panels.outcome import OutcomeBanner
from nova_review.ui.widgets.key_button import KeyButton
from tests.helpers.desks import READER_ID
from tests.helpers.panel_hand import part
from tests.helpers.reading_hand import ALT, CTRL, NO_KEYS, SHIFT, ReadingHand

KEYS = Qt.Key
THREE = {"next": ("Right", "PgDown"), "draw": ("W",), "later": ("D",)}


def _press(key: int, modifiers: Qt.KeyboardModifier = NO_KEYS) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, modifiers)


def test_a_free_key_changes_one_action_only() -> None:
    assert owner_of(THREE, "X", besides="draw") is None
    assert rebound(THREE, "draw", "X") == {"draw": ("X",)}


def test_who_loses_a_key_keeps_its_others() -> None:
    assert owner_of(THREE, "PgDown", besides="draw") == "next"
    assert rebound(THREE, "draw", "PgDown") == {"draw": ("PgDown",), "next": ("Right",)}


def test_who_loses_its_only_key_gets_the_one_given_up() -> None:
    assert rebound(THREE, "draw", "D") == {"draw": ("D",), "later": ("W",)}


def test_its_own_key_is_no_conflict() -> None:
    assert owner_of(THREE, "W", besides="draw") is None
    assert rebound(THREE, "next", "PgDown") == {"next": ("PgDown",)}


@pytest.mark.parametrize(
    ("event", "text"),
    [
        (_press(KEYS.Key_X), "X"),
        (_press(KEYS.Key_X, SHIFT), "Shift+X"),
        (_press(KEYS.Key_Plus, CTRL | SHIFT), "Ctrl++"),
        (_press(KEYS.Key_Enter, Qt.KeyboardModifier.KeypadModifier), "Return"),
        (_press(KEYS.Key_F5, CTRL), "Ctrl+F5"),
    ],
)
def test_a_press_is_stored_as_the_table_writes_keys(event: QKeyEvent, text: str) -> None:
    assert key_text(event) == text
    assert why_reserved(event) == ""


def test_keys_with_a_use_of_their_own_are_refused_in_words() -> None:
    for key in (KEYS.Key_Tab, KEYS.Key_Space, KEYS.Key_F9, KEYS.Key_F12):
        assert why_reserved(_press(key)).endswith(".")
    assert "menu" in why_reserved(_press(KEYS.Key_S, ALT))
    assert why_reserved(_press(KEYS.Key_Left, ALT)) == ""
    assert is_modifier(_press(KEYS.Key_Shift))
    assert not is_modifier(_press(KEYS.Key_S))


def test_a_book_tells_its_own_keys_in_one_line(tmp_path: Path) -> None:
    book = KeyBook(QSettings(str(tmp_path / "keys.ini"), QSettings.Format.IniFormat))
    assert book.in_words() == "default"
    book.choose_preset("CVAT")
    book.rebind({"delete": ("X",), "undo": ACTIONS_BY_NAME["undo"].keys})
    assert book.own_names() == ("delete",)
    assert book.in_words() == "CVAT; delete=X"


@pytest.fixture
def editor(hand: ReadingHand) -> KeyEditor:
    hand.key(KEYS.Key_F1, SHIFT)
    found = hand.window.findChild(KeyEditor)
    assert found is not None
    assert found.isVisible()
    assert found.words() == HOW
    return found


def _bind(hand: ReadingHand, editor: KeyEditor, name: str, key: Qt.Key) -> None:
    editor.choose(name)
    hand.key(KEYS.Key_Return)
    hand.key(key)


def test_an_action_gets_a_new_key_at_once(hand: ReadingHand, editor: KeyEditor) -> None:
    _bind(hand, editor, "no-finding", KEYS.Key_X)
    assert "now has X" in editor.words()
    hand.key(KEYS.Key_Escape)
    assert not editor.isVisible()
    hand.paint()
    assert part(hand.page.parts.findings, KeyButton, "Nothing abnormal").key() == "X"
    hand.key(KEYS.Key_N)
    assert hand.answer.outcome is None
    hand.key(KEYS.Key_X)
    assert hand.answer.outcome is not None
    assert hand.window.menus is not None
    assert hand.window.menus.entries["no-finding"].text().endswith("\tX")


def test_a_key_that_is_taken_is_said_in_words_and_given_only_on_enter(
    hand: ReadingHand, editor: KeyEditor
) -> None:
    _bind(hand, editor, "draw", KEYS.Key_D)
    assert "D is the key of “Come back later" in editor.words()
    assert hand.window.keys.keys()["draw"] == ("W",)
    hand.key(KEYS.Key_Escape)
    assert editor.isVisible()
    assert hand.window.keys.own_names() == ()
    _bind(hand, editor, "draw", KEYS.Key_D)
    hand.key(KEYS.Key_Return)
    keys = hand.window.keys.keys()
    assert (keys["draw"], keys["defer"]) == (("D",), ("W",))


def test_keys_go_back_to_usual_one_by_one_and_all_together(hand: ReadingHand, editor: KeyEditor) -> None:
    for name, key in (("draw", KEYS.Key_X), ("delete", KEYS.Key_F), ("invert", KEYS.Key_Y)):
        _bind(hand, editor, name, key)
    assert set(hand.window.keys.own_names()) == {"draw", "delete", "invert"}
    editor.choose("draw")
    hand.key(KEYS.Key_Delete)
    assert set(hand.window.keys.own_names()) == {"delete", "invert"}
    hand.key(KEYS.Key_Delete, CTRL)
    assert hand.window.keys.own_names() == ()
    assert hand.window.keys.keys()["delete"] == ("Delete", "Backspace")


def test_the_list_holds_every_key_away_from_the_slice(hand: ReadingHand, editor: KeyEditor) -> None:
    place = hand.place
    for key in (KEYS.Key_Right, KEYS.Key_N, KEYS.Key_P, KEYS.Key_Tab):
        hand.key(key)
    assert (hand.place, hand.answer.outcome, hand.session.is_paused) == (place, None, False)
    hand.key(KEYS.Key_Return)
    hand.key(KEYS.Key_Tab)
    assert "Tab goes from control to control" in editor.words()


def test_up_and_down_walk_over_the_headings(hand: ReadingHand, editor: KeyEditor) -> None:
    editor.choose("last-slice")
    hand.key(KEYS.Key_Down)
    hand.key(KEYS.Key_Return)
    assert "Draw a box anywhere" in editor.words()


def test_the_new_keys_go_into_the_view_log(hand: ReadingHand, editor: KeyEditor) -> None:
    _bind(hand, editor, "no-finding", KEYS.Key_X)
    hand.key(KEYS.Key_Escape)
    hand.key(KEYS.Key_Right)
    hand.wait_for("slice-2-1")
    hand.session.shut()
    hand.wait(lambda: not hand.session.is_writing)
    assert any("default; no-finding=X" in view.view for view in hand.store.views(READER_ID))


def test_the_list_of_all_keys_leads_to_changing_them(hand: ReadingHand) -> None:
    hand.key(KEYS.Key_F1)
    QTest.mouseClick(part(hand.page.parts.help, KeyButton, "Change keys"), Qt.MouseButton.LeftButton)
    assert not hand.page.parts.help.isVisible()
    assert hand.window.findChild(KeyEditor).isVisible()


def test_a_preset_that_meets_an_own_key_says_so(hand: ReadingHand, editor: KeyEditor) -> None:
    _bind(hand, editor, "draw", KEYS.Key_F)
    hand.key(KEYS.Key_Escape)
    hand.window._choose_preset("CVAT")
    (message,) = hand.window.messages.standing()
    assert "F now stands for two actions" in message.text


def test_the_sentence_under_nothing_abnormal_names_the_readers_own_key(
    open_reading: Callable[..., ReadingHand],
) -> None:
    hand = open_reading()
    hand.window.keys.bind("no-finding", ("X",))
    hand.page.show_keys()
    banner = part(hand.page.parts.findings, OutcomeBanner)
    assert "press X when nothing is abnormal" in banner.accessibleName()
