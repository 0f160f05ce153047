"""Lengths of the design at the person's text scale."""

from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from nova_review.ui.theme import CONTROL_HEIGHT, TEXT_NORMAL, TEXT_SMALL, font_of


def text_scale() -> float:
    """Return how much larger than designed the person's text is (1.0, 1.5, ...)."""
    pixels = QApplication.font().pixelSize()
    return pixels / TEXT_NORMAL if pixels > 0 else 1.0


def px(length: float) -> int:
    """Return a length of the design in whole pixels of the screen."""
    return round(length * text_scale())


def control_height() -> int:
    return px(CONTROL_HEIGHT)


def normal_font(*, strong: bool = False) -> QFont:
    return font_of(TEXT_NORMAL, scale=text_scale(), strong=strong)


def small_font(*, strong: bool = False) -> QFont:
    return font_of(TEXT_SMALL, scale=text_scale(), strong=strong)
