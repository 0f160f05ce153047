"""What people typed is shown as it stands: no text is taken for HTML."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from nova_review.domain.geometry import Box
from nova_review.domain.reading import Finding
from nova_review.ui.close_prompt import ClosePrompt
from nova_review.ui.pages.panels.finding_row import FindingRow
from nova_review.ui.widgets.card import RowCard
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.plain_tip import plain_tip

TRICKY = '<b>bold</b> & <img src="/etc/hostname"> <5 mm'


def shown(tooltip: str) -> str:
    """What a person reads in a tooltip, which is HTML where it begins like that."""
    if not tooltip.startswith("<"):
        return tooltip
    document = QTextDocument()
    document.setHtml(tooltip)
    return document.toPlainText()


@pytest.mark.parametrize("text", ["lesion", "a & b", "a < b", TRICKY, "two\nlines <x>", "&lt;b&gt; <"])
def test_a_tooltip_shows_every_sign(text: str) -> None:
    assert shown(plain_tip(text)) == text


def test_widgets_with_texts_of_people_have_plain_tooltips(qtbot: QtBot) -> None:
    row = FindingRow()
    row.show_finding(1, Finding("f", Box(0, 0, 1, 1), label=TRICKY), selected=False, steps=(0.5,))
    elided = ElidedText("", lines=1)
    elided.resize(20, 20)
    elided.show_text(TRICKY)
    card, button = RowCard("words", TRICKY, "A"), KeyButton(TRICKY, "A")
    for widget in (row, elided, card, button):
        qtbot.addWidget(widget)
        assert TRICKY in shown(widget.toolTip())


def test_the_close_prompt_shows_its_reason_as_it_stands(qtbot: QtBot) -> None:
    parent = QWidget()
    qtbot.addWidget(parent)
    prompt = ClosePrompt("<b>x</b>.nova is full", parent)
    labels = [label for label in prompt.findChildren(QLabel) if "<b>x</b>.nova" in label.text()]
    assert [label.textFormat() for label in labels] == [Qt.TextFormat.PlainText]
