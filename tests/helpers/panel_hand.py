"""A hand for the panels: shows one, hears what it says, finds its parts."""

from typing import TypeVar

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

Kind = TypeVar("Kind", bound=QWidget)
Panel = TypeVar("Panel", bound=QWidget)


class PanelHand:
    """Shows panels in a window of 360 x 700 that has the keyboard."""

    def __init__(self, qtbot: QtBot) -> None:
        self._qtbot = qtbot
        self._kept: list[QWidget] = []

    def show(self, panel: Panel, *, width: int = 360, height: int = 700) -> Panel:
        self._qtbot.addWidget(panel)
        self._kept.append(panel)
        panel.resize(width, height)
        with self._qtbot.waitActive(panel):
            panel.show()
        return panel


def heard_of(*signals: SignalInstance) -> list[object]:
    """Everything that the signals say from now on: one value alone, several or none as a tuple."""
    values: list[object] = []
    for signal in signals:
        signal.connect(lambda *said: values.append(said[0] if len(said) == 1 else said))
    return values


def part(panel: QWidget, kind: type[Kind], name: str = "") -> Kind:
    """The part of this kind whose accessible name begins with `name`."""
    found = [w for w in panel.findChildren(kind) if w.accessibleName().startswith(name)]
    assert found, f"no {kind.__name__} named {name!r}"
    return found[0]
