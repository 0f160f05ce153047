"""The caption panel."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from nova_review.domain.geometry import Box
from nova_review.domain.protocol import default_protocol
from nova_review.domain.reading import (
    Caption,
    Finding,
    Normality,
    Side,
)
from nova_review.ui.pages.panels.caption import CaptionPanel, ComposedText
from nova_review.ui.widgets.chip_row import ChipRow
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.text_fields import TextField
from tests.helpers.panel_hand import PanelHand, heard_of, part

PROTOCOL = default_protocol()
BOX = Box(10.0, 20.0, 30.0, 40.0)
ONE = Finding("one", BOX, "lesion", "frontal", Side.IMAGE_LEFT, 0.7)
TWO = Finding("two", BOX)
LEFT = Qt.MouseButton.LeftButton
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def hand(qtbot: QtBot) -> PanelHand:
    return PanelHand(qtbot)


@pytest.fixture
def caption(hand: PanelHand) -> CaptionPanel:
    panel = hand.show(CaptionPanel())
    show_caption(panel, Caption())
    return panel


def show_caption(panel: CaptionPanel, value: Caption, *, may_edit: bool = True) -> None:
    panel.show_caption(value, protocol=PROTOCOL, may_edit=may_edit, previous_available=True)


def test_caption_by_chips_and_text(caption: CaptionPanel) -> None:
    heard = heard_of(caption.caption_changed)
    caption.caption_changed.connect(lambda value: show_caption(caption, value))
    QTest.mouseClick(part(caption, ChipRow, "Sequence").chip("FLAIR"), LEFT)
    QTest.mouseClick(part(caption, ChipRow, "Plane").chip("axial"), LEFT)
    QTest.mouseClick(part(caption, ChipRow, "Normal").chip("abnormal"), LEFT)
    caption.focus_text()
    QTest.keyClicks(part(caption, TextField), "x")
    assert heard[-1] == Caption(("FLAIR",), "axial", Normality.ABNORMAL, "x")
    assert len(heard) == 4
    assert part(caption, ComposedText).text() == "Axial FLAIR, abnormal: x"
    assert part(caption, ComposedText).accessibleName() == "Exported as: Axial FLAIR, abnormal: x"


def test_a_choice_of_plane_is_taken_back(caption: CaptionPanel) -> None:
    show_caption(caption, Caption(plane="axial"))
    heard = heard_of(caption.caption_changed)
    QTest.mouseClick(part(caption, ChipRow, "Plane").chip("axial"), LEFT)
    assert heard == [Caption()]


def test_showing_a_caption_tells_nothing_and_keeps_the_cursor(caption: CaptionPanel) -> None:
    text = part(caption, TextField)
    caption.focus_text()
    QTest.keyClicks(text, "abc")
    QTest.keyClick(text, Qt.Key.Key_Left)
    heard = heard_of(caption.caption_changed, caption.text_committed)
    show_caption(caption, Caption(("T2",), None, Normality.NORMAL, "abc"))
    assert heard == []
    QTest.keyClicks(text, "-")
    assert heard == [Caption(("T2",), None, Normality.NORMAL, "ab-c")]


def test_a_caption_from_elsewhere_says_so_and_keeps_its_words(caption: CaptionPanel) -> None:
    show_caption(caption, Caption(("DSA",), "oblique", None, "x", copied_from="s1"))
    assert part(caption, ChipRow, "Sequence").chosen() == ("DSA",)
    assert part(caption, ChipRow, "Plane").chosen() == ("oblique",)
    words = [w.accessibleName() for w in caption.findChildren(QWidget) if w.isVisible()]
    assert "copied - check it" in words


def test_copying_is_offered_while_the_caption_is_empty(caption: CaptionPanel) -> None:
    asked: list[str] = []
    caption.copy_previous_requested.connect(lambda: asked.append("copy"))
    button = part(caption, KeyButton, "Copy previous")
    QTest.mouseClick(button, LEFT)
    assert asked == ["copy"]
    show_caption(caption, Caption(plane="axial"))
    assert not button.isVisible()


def test_a_closed_caption_cannot_be_changed(caption: CaptionPanel) -> None:
    show_caption(caption, Caption(text="x"), may_edit=False)
    heard = heard_of(caption.caption_changed)
    QTest.mouseClick(part(caption, ChipRow, "Plane").chip("axial"), LEFT)
    caption.focus_text()
    QTest.keyClicks(part(caption, TextField), "y")
    assert heard == []
