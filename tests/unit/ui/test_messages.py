"""Messages: one facade, one bar that takes the keyboard from nobody."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QAbstractAnimation, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from nova_review.ui import messages as module
from nova_review.ui.messages import MessageBar, Messages, Severity
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText
from tests.helpers.panel_hand import PanelHand, part


class Window(QWidget):
    """A field with the keyboard, and a bar over it."""

    def __init__(self) -> None:
        super().__init__()
        self.field = QLineEdit()
        QVBoxLayout(self).addWidget(self.field)
        self.messages = Messages(self)
        self.bar = MessageBar(self.messages, self)

    def words(self) -> str:
        return part(self.bar, ElidedText).text() if self.bar.isVisible() else ""


@pytest.fixture
def window(qtbot: QtBot) -> Iterator[Window]:
    hand = PanelHand(qtbot)
    shown = hand.show(Window(), width=900, height=500)
    shown.field.setFocus()
    yield shown
    for message in shown.messages.standing():
        shown.messages.resolve(message.key)


def test_nothing_is_shown_while_there_is_nothing_to_say(window: Window) -> None:
    assert not window.bar.isVisible()
    window.messages.resolve("save")
    assert window.messages.standing() == ()


def test_an_error_stays_until_it_is_resolved(window: Window) -> None:
    window.messages.error("The disk is full.", key="save")
    assert window.words() == "The disk is full."
    window.messages.info("Slice locked.")
    assert window.words() == "The disk is full.  (+1 more)"
    window.messages.resolve("save")
    assert window.words() == "Slice locked."


def test_one_key_has_one_message(window: Window) -> None:
    window.messages.error("The disk is full.", key="save")
    window.messages.error("The folder is read-only.", key="save")
    assert window.words() == "The folder is read-only."
    assert len(window.messages.standing()) == 1


def test_the_most_serious_message_is_seen_first(window: Window) -> None:
    window.messages.error("An error.")
    window.messages.warn("A warning.")
    window.messages.error("A newer error.")
    assert [m.text for m in window.messages.standing()] == ["A newer error.", "An error.", "A warning."]
    assert [m.severity for m in window.messages.standing()] == [
        Severity.ERROR,
        Severity.ERROR,
        Severity.WARNING,
    ]


def test_no_message_takes_the_keyboard(window: Window) -> None:
    for say in (window.messages.info, window.messages.warn, window.messages.error):
        say("Words.")
        assert window.field.hasFocus()
        assert QApplication.activeModalWidget() is None
    QTest.keyClicks(window.field, "abc")
    assert window.field.text() == "abc"


def test_actions_by_click_and_by_key(window: Window) -> None:
    done: list[str] = []
    actions = (("Keep mine", lambda: done.append("mine")), ("Take theirs", lambda: done.append("theirs")))
    window.messages.error("Changed elsewhere.", key="conflict", actions=actions)
    mine, theirs = window.bar.action_buttons()
    assert (mine.text(), mine.key(), theirs.key()) == ("Keep mine", "F9", "F10")
    QTest.keyClick(window.field, Qt.Key.Key_F10)
    assert window.field.hasFocus()
    QTest.mouseClick(mine, Qt.MouseButton.LeftButton)
    assert done == ["theirs", "mine"]


def test_keys_of_a_message_end_with_it(window: Window) -> None:
    done: list[str] = []
    window.messages.error("No.", key="save", actions=(("Retry", lambda: done.append("retry")),))
    window.messages.resolve("save")
    QTest.keyClick(window.field, Qt.Key.Key_F9)
    assert done == []


def test_a_message_is_dismissed(window: Window) -> None:
    window.messages.warn("One.")
    window.messages.warn("Two.")
    QTest.mouseClick(part(window.bar, KeyButton, "Dismiss"), Qt.MouseButton.LeftButton)
    assert window.words() == "One."
    QTest.keyClick(window.field, Qt.Key.Key_F12)
    assert window.words() == ""


def test_an_action_may_resolve_its_own_message(window: Window) -> None:
    actions = (("Retry", lambda: window.messages.resolve("save")),)
    window.messages.error("No.", key="save", actions=actions)
    QTest.mouseClick(window.bar.action_buttons()[0], Qt.MouseButton.LeftButton)
    assert not window.bar.isVisible()


def test_a_passing_message_fades(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "INFO_STAYS_MS", 1)
    shown = PanelHand(qtbot).show(Window(), width=900, height=500)
    shown.messages.info("Slice locked.")
    assert shown.words() == "Slice locked."
    qtbot.waitUntil(lambda: not shown.bar.isVisible())
    assert shown.messages.standing() == ()


def test_a_newer_message_stops_the_fading(window: Window) -> None:
    window.messages.info("One.")
    window.bar.start_fading()
    window.messages.info("Two.")
    assert window.bar.fade_state() is QAbstractAnimation.State.Stopped
    assert window.words() == "Two."


@pytest.mark.parametrize("width", [320, 600, 1600])
def test_the_bar_stays_inside_its_ground(window: Window, width: int) -> None:
    window.messages.error("The answer could not be saved. " * 30, actions=(("Retry", lambda: None),))
    window.resize(width, 400)
    QApplication.processEvents()
    assert window.rect().contains(window.bar.geometry())
    assert "could not be saved" in part(window.bar, ElidedText).toolTip()


def test_a_message_that_must_be_answered_cannot_be_sent_away(qtbot: QtBot) -> None:
    messages, bar, parent = _bar_on(qtbot, width=900)
    messages.error("Changed elsewhere.", key="conflict", actions=(("Mine", int), ("Theirs", int)))
    names = [b.text() for b in bar.findChildren(KeyButton) if b.isVisible()]
    assert sorted(names) == ["Mine", "Theirs"]
    QTest.keyClick(parent, Qt.Key.Key_F12)
    assert [m.key for m in messages.standing()] == ["conflict"]
    messages.error("Not saved.", key="save", actions=(("Try again", int),))
    assert [b.text() for b in bar.findChildren(KeyButton) if b.isVisible() and b.text() == "Dismiss"]


def test_words_that_have_no_room_beside_the_buttons_stand_over_them(qtbot: QtBot) -> None:
    messages, bar, _parent = _bar_on(qtbot, width=420)
    words = "NOT SAVED: The disk is full: 0 bytes are free on this volume. Free some space, then try again."
    messages.error(words, key="save", actions=(("Try again", int),))
    (button,) = bar.action_buttons()
    text = part(bar, ElidedText)
    QApplication.processEvents()
    assert text.text() == words
    assert text.geometry().bottom() < button.geometry().top()
    assert button.width() >= button.sizeHint().width()
    assert text.toolTip() == ""


def _bar_on(qtbot: QtBot, *, width: int) -> tuple[Messages, MessageBar, QWidget]:
    parent = QWidget()
    qtbot.addWidget(parent)
    parent.resize(width, 400)
    messages = Messages(parent)
    bar = MessageBar(messages, parent)
    with qtbot.waitActive(parent):
        parent.show()
    return messages, bar, parent
