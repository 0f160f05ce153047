"""The look of the program: colours, sizes, role styles, and the style of every control.

A reading room: the slice has the light, everything else is quiet. The contrast of every pair
of text and ground is at least 4.5:1 (tested from these constants).
"""

from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from string import Template

from PySide6.QtGui import QColor, QFont, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from nova_review.domain.reading import SliceMark
from nova_review.services.resources import resource
from nova_review.ui.canvas.items import BoxRole
from nova_review.ui.fonts import base_font
from nova_review.ui.icons import icon as icon
from nova_review.ui.icons import icons_folder

CANVAS = "#000000"
GROUND = "#0e1013"
PANEL = "#16191d"
RAISED = "#1e2227"
HOVER = "#272c33"
LINE = "#2a3037"
BORDER = "#3b434d"
"""Outline of controls that are typed into or pressed: a line that can be found in the dark."""
TEXT = "#d9dee5"
SECOND_TEXT = "#98a2ae"
FAINT_TEXT = "#6b7480"
"""Only for what cannot be used now (disabled controls)."""
ACCENT = "#5cc8ff"
ACCENT_HOVER = "#84d5ff"
ON_ACCENT = "#06212f"
SELECTION = "#17384a"
DANGER = "#ff8078"
ON_DANGER = "#2b0704"
WARNING = "#f2b84b"
GOOD = "#5fd0a5"

TEXT_SMALL, TEXT_NORMAL, TEXT_LARGE = 12, 14, 20
GRID = 8
CONTROL_HEIGHT = 32


class CornerMark(StrEnum):
    """A sign at the corners of a box that tells its role without colour."""

    NONE = "none"
    BRACKETS = "brackets"
    BRACKETS_RING = "brackets and a hollow ring"
    FILLED = "filled corner"
    CROSS = "small cross"
    SQUARE = "small square"
    DIAMOND = "small diamond"


@dataclass(frozen=True, slots=True)
class RoleStyle:
    """How boxes of one role are drawn; `dash` counts in line widths, () is solid."""

    name: str
    colour: str
    dash: tuple[float, ...] = ()
    mark: CornerMark = CornerMark.NONE


_DASHED, _DOTTED, _DASH_DOT, _LONG = (4.0, 3.0), (1.5, 1.5), (5.0, 2.0, 1.0, 2.0), (8.0, 3.0)

ROLE_STYLES: dict[BoxRole, RoleStyle] = {
    BoxRole.READER: RoleStyle("this reader", "#56b4e9"),
    BoxRole.LAYER_A: RoleStyle("layer A", "#56b4e9"),
    BoxRole.LAYER_B: RoleStyle("layer B", "#e69f00", _DASHED, CornerMark.SQUARE),
    BoxRole.LAYER_C: RoleStyle("layer C", "#cc79a7", _DOTTED, CornerMark.DIAMOND),
    BoxRole.GOLD: RoleStyle("gold", "#f0e442", (), CornerMark.BRACKETS),
    BoxRole.MODEL_1: RoleStyle("model 1", "#22c79b", _LONG),
    BoxRole.MODEL_2: RoleStyle("model 2", "#f07a2b", _DASHED, CornerMark.SQUARE),
    BoxRole.MODEL_3: RoleStyle("model 3", "#7fa4ff", _DASH_DOT, CornerMark.DIAMOND),
    BoxRole.MODEL_4: RoleStyle("model 4", "#b0b0b0", _DOTTED),
    BoxRole.TRUE_POSITIVE: RoleStyle("true positive", "#22c79b", (), CornerMark.FILLED),
    BoxRole.POOR_LOCATION: RoleStyle("poor location", "#e69f00", _DASH_DOT),
    BoxRole.DUPLICATE: RoleStyle("duplicate", "#cc79a7", _DOTTED),
    BoxRole.BACKGROUND: RoleStyle("background", "#f07a2b", _DASHED, CornerMark.CROSS),
    BoxRole.BOTH: RoleStyle("both", "#f07a2b", _DASH_DOT, CornerMark.CROSS),
    BoxRole.MISS: RoleStyle("miss", "#f0e442", (), CornerMark.BRACKETS_RING),
}


@dataclass(frozen=True, slots=True)
class MarkLook:
    """How the state of a slice is shown in lists: an icon of its own shape, and a colour."""

    icon: str
    colour: str


MARK_LOOKS: dict[SliceMark, MarkLook] = {
    SliceMark.NEVER_SHOWN: MarkLook("state-never-shown", FAINT_TEXT),
    SliceMark.OPENED: MarkLook("state-opened", SECOND_TEXT),
    SliceMark.DRAFT: MarkLook("state-draft", WARNING),
    SliceMark.DEFERRED: MarkLook("state-deferred", "#cc9ad0"),
    SliceMark.LOCKED: MarkLook("state-locked", ACCENT),
    SliceMark.SUBMITTED_FINDINGS: MarkLook("state-submitted", GOOD),
    SliceMark.SUBMITTED_NO_FINDING: MarkLook("state-no-finding", GOOD),
    SliceMark.SUBMITTED_CANNOT_READ: MarkLook("state-cannot-read", GOOD),
    SliceMark.REOPENED: MarkLook("state-reopened", WARNING),
    SliceMark.WITHDRAWN: MarkLook("state-withdrawn", SECOND_TEXT),
}


def role_colour(role: BoxRole) -> QColor:
    return QColor(ROLE_STYLES[role].colour)


def scaled(pixels: float, scale: float) -> int:
    """Return a length of the design at the person's text scale, in whole pixels."""
    return round(pixels * scale)


def apply_theme(app: QApplication, *, scale: float = 1.0) -> None:
    """Give `app` the style, palette, font and style sheet; `scale` enlarges text and controls."""
    style = QStyleFactory.create("Fusion")
    if style is not None:
        app.setStyle(style)
    app.setPalette(_palette())
    app.setFont(base_font(scaled(TEXT_NORMAL, scale)))
    app.setStyleSheet(style_sheet(scale=scale))


def style_sheet(*, scale: float = 1.0) -> str:
    """Return the style sheet with colours, sizes and icon paths filled in."""
    text = resource("style", "theme.qss").read_text(encoding="utf-8")
    return Template(text).substitute(_colours(), **_sizes(scale), icons=_url(icons_folder()))


def font_of(size: int, *, scale: float = 1.0, strong: bool = False) -> QFont:
    """Return the program's font in one of its three sizes."""
    font = base_font(scaled(size, scale))
    font.setWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Normal)
    return font


def _colours() -> dict[str, str]:
    names = (
        "CANVAS GROUND PANEL RAISED HOVER LINE BORDER TEXT SECOND_TEXT FAINT_TEXT ACCENT ACCENT_HOVER "
        "ON_ACCENT SELECTION DANGER ON_DANGER WARNING GOOD"
    )
    return {name.lower(): str(globals()[name]) for name in names.split()}


def _sizes(scale: float) -> dict[str, str]:
    lengths: dict[str, float] = {"small": TEXT_SMALL, "normal": TEXT_NORMAL, "large": TEXT_LARGE}
    lengths |= {"buttonheight": CONTROL_HEIGHT - 2, "chip": 22}
    lengths |= {f"px{n}": n for n in range(1, 25)}
    pixels = {name: max(1, scaled(value, scale)) for name, value in lengths.items()}
    # A radius over half the height, borders counted, is dropped by Qt: the corners turn square.
    pixels |= {"chipradius": pixels["chip"] // 2 + 1, "radio": pixels["px16"] // 2 + 1}
    return {name: f"{value}px" for name, value in pixels.items()}


def _url(folder: Path) -> str:
    return folder.as_posix()


def _palette() -> QPalette:
    roles, palette = QPalette.ColorRole, QPalette()
    for role, colour in {
        roles.Window: PANEL,
        roles.WindowText: TEXT,
        roles.Base: GROUND,
        roles.AlternateBase: PANEL,
        roles.Text: TEXT,
        roles.Button: RAISED,
        roles.ButtonText: TEXT,
        roles.BrightText: DANGER,
        roles.ToolTipBase: RAISED,
        roles.ToolTipText: TEXT,
        roles.PlaceholderText: SECOND_TEXT,
        roles.Highlight: SELECTION,
        roles.HighlightedText: TEXT,
        roles.Link: ACCENT,
        roles.Accent: ACCENT,
        roles.Light: HOVER,
        roles.Midlight: HOVER,
        roles.Mid: LINE,
        roles.Dark: GROUND,
        roles.Shadow: CANVAS,
    }.items():
        palette.setColor(role, QColor(colour))
    for role in (roles.WindowText, roles.Text, roles.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(FAINT_TEXT))
    return palette
