"""What the window stands on: a Qt that shows letters and keeps its reference counts."""

import sys
from typing import Any

from PySide6.QtCore import QObject, QPointF
from PySide6.QtGui import QFontDatabase, QFontMetricsF, QPixmap
from PySide6.QtWidgets import QGraphicsScene, QWidget


def test_a_real_font_family_exists(qapp: Any) -> None:
    families = [name for name in QFontDatabase.families() if name.strip()]
    assert families, "no font: every letter would be a box (fonts-dejavu-core)"
    metrics = QFontMetricsF(qapp.font())
    assert metrics.horizontalAdvance("W") > metrics.horizontalAdvance("i") > 0


def test_qt_calls_do_not_lose_references_to_none(qapp: Any) -> None:
    """PySide6 6.12 on Python 3.11 takes one from None at most calls, and the process dies of it."""
    scene = QGraphicsScene()
    widget = QWidget()
    item = scene.addPixmap(QPixmap(4, 4))
    before = sys.getrefcount(None), sys.getrefcount(True)
    for step in range(1000):
        widget.setToolTip("x")
        widget.setEnabled(True)
        item.setPos(QPointF(step, step))
        QObject.parent(widget)
    lost = [
        then - now for then, now in zip(before, (sys.getrefcount(None), sys.getrefcount(True)), strict=True)
    ]
    assert max(lost) < 100  # others come and go by a few; a fault loses thousands
    widget.deleteLater()
