"""Every control of the answer panels: name, tooltip, keyboard, room."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QAbstractButton, QApplication, QLineEdit, QPlainTextEdit, QWidget
from pytestqt.qtbot import QtBot

from nova_review.domain.geometry import Box
from nova_review.domain.protocol import IMAGE_HISTORY, default_protocol
from nova_review.domain.reading import (
    Caption,
    CaseAnswer,
    Diagnosis,
    Finding,
    Outcome,
    Side,
    SliceAnswer,
)
from nova_review.services.ports import OpenedCase
from nova_review.ui.pages.panels.caption import CaptionPanel
from nova_review.ui.pages.panels.case import CasePanel
from nova_review.ui.pages.panels.diagnosis_list import DiagnosisList
from nova_review.ui.pages.panels.finding_row import FindingRow
from nova_review.ui.pages.panels.findings import FindingsPanel
from nova_review.ui.widgets.chip_row import ChipRow
from tests.helpers.panel_hand import PanelHand, part

PROTOCOL = default_protocol()
BOX = Box(10.0, 20.0, 30.0, 40.0)
ONE = Finding("one", BOX, "lesion", "frontal", Side.IMAGE_LEFT, 0.7)
TWO = Finding("two", BOX)
LEFT = Qt.MouseButton.LeftButton
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def hand(qtbot: QtBot) -> PanelHand:
    return PanelHand(qtbot)


def fill(panel: QWidget) -> None:
    answer = SliceAnswer((ONE, TWO), outcome=Outcome.FINDINGS)
    case = OpenedCase("p1", IMAGE_HISTORY.stages[1], "x", (), CaseAnswer(), None, 1, 1, False, True, "")
    if isinstance(panel, FindingsPanel):
        panel.show_findings(answer, selected="one", protocol=PROTOCOL, may_edit=True)
    elif isinstance(panel, CaptionPanel):
        panel.show_caption(Caption(), protocol=PROTOCOL, may_edit=True, previous_available=True)
    elif isinstance(panel, CasePanel):
        panel.show_case(case, CaseAnswer((Diagnosis("a"),)), protocol=PROTOCOL, may_edit=True)


@pytest.mark.parametrize("kind", [FindingsPanel, CaptionPanel, CasePanel])
def test_every_control_has_a_name_a_tooltip_and_the_keyboard(hand: PanelHand, kind: type[QWidget]) -> None:
    panel = hand.show(kind())
    fill(panel)
    kinds = (QAbstractButton, QLineEdit, QPlainTextEdit, DiagnosisList)
    controls = [w for w in panel.findChildren(QWidget) if isinstance(w, kinds) and w.isVisible()]
    assert controls
    for control in controls:
        assert control.accessibleName(), control
        assert control.toolTip() or isinstance(control, DiagnosisList), control.accessibleName()
    in_a_row = {c for row in panel.findChildren(ChipRow) for c in row.findChildren(QAbstractButton)}
    for control in controls:
        if control not in in_a_row and not isinstance(control, DiagnosisList):
            assert control.focusPolicy() & Qt.FocusPolicy.TabFocus, control.accessibleName()


@pytest.mark.parametrize("kind", [FindingsPanel, CaptionPanel, CasePanel])
def test_no_panel_binds_a_key_of_its_own(hand: PanelHand, kind: type[QWidget]) -> None:
    panel = hand.show(kind())
    assert panel.findChildren(QShortcut) == []


@pytest.mark.parametrize(
    "words", ["Entmarkungsherd" * 10, "右侧额叶白质" * 20, "آفة في الفص الجبهي" * 9, "\U0001f9e0" * 50]
)
def test_long_and_foreign_words_do_not_widen_the_panels(hand: PanelHand, words: str) -> None:
    panel = hand.show(FindingsPanel())
    narrow = panel.minimumSizeHint().width()
    answer = SliceAnswer((replace(ONE, label=words, place=words),), outcome=Outcome.FINDINGS)
    panel.show_findings(answer, selected="one", protocol=PROTOCOL, may_edit=True)
    QApplication.processEvents()
    assert panel.minimumSizeHint().width() <= max(narrow, 340)
    assert panel.width() == 360
    row = part(panel, FindingRow)
    assert words in row.toolTip()
    assert row.width() <= panel.width()
