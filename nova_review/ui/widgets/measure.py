"""Lengths of the design at the person's text scale."""

from functools import lru_cache

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
    return _font(TEXT_NORMAL, text_scale(), strong)


def small_font(*, strong: bool = False) -> QFont:
    return _font(TEXT_SMALL, text_scale(), strong)


@lru_cache(maxsize=32)
def _font(size: int, scale: float, strong: bool) -> QFont:
    """Kept, since every painted word asks for it."""
    return font_of(size, scale=scale, strong=strong)
