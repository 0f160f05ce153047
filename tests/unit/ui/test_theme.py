"""The theme: contrast of text, every role and state told apart, icons and fonts that are there."""

import re
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QFontDatabase, QIcon, QPixmap
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from nova_review.domain.errors import BugError
from nova_review.domain.reading import SliceMark
from nova_review.services.resources import resource
from nova_review.ui import theme
from nova_review.ui.canvas.items import BoxRole
from nova_review.ui.fonts import base_font
from nova_review.ui.icons import icon, icon_pixmap, icons_folder


def luminance(colour: str) -> float:
    """Relative luminance by WCAG 2.1."""

    def linear(channel: int) -> float:
        c = channel / 255
        return c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(int(colour[i : i + 2], 16)) for i in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_formula_gives_the_published_extremes() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


GROUNDS = ["CANVAS", "GROUND", "PANEL", "RAISED", "HOVER", "SELECTION"]
TEXTS = ["TEXT", "SECOND_TEXT", "ACCENT", "DANGER", "WARNING", "GOOD"]


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("text", TEXTS)
def test_every_text_is_legible_on_every_ground(text: str, ground: str) -> None:
    assert contrast(getattr(theme, text), getattr(theme, ground)) >= 4.5


def test_text_on_coloured_buttons_is_legible() -> None:
    assert contrast(theme.ON_ACCENT, theme.ACCENT) >= 4.5
    assert contrast(theme.ON_ACCENT, theme.ACCENT_HOVER) >= 4.5
    assert contrast(theme.ON_DANGER, theme.DANGER) >= 4.5


def test_focus_and_marks_stand_out_from_every_ground() -> None:
    for ground in GROUNDS:
        assert contrast(theme.ACCENT, getattr(theme, ground)) >= 3
        for look in theme.MARK_LOOKS.values():
            assert contrast(look.colour, getattr(theme, ground)) >= 2.5


def test_every_role_is_legible_on_black_and_has_a_look_of_its_own() -> None:
    assert set(theme.ROLE_STYLES) == set(BoxRole)
    for style in theme.ROLE_STYLES.values():
        assert contrast(style.colour, theme.CANVAS) >= 4.5
    groups = (
        [BoxRole.LAYER_A, BoxRole.LAYER_B, BoxRole.LAYER_C, BoxRole.GOLD],
        [BoxRole.MODEL_1, BoxRole.MODEL_2, BoxRole.MODEL_3, BoxRole.MODEL_4, BoxRole.GOLD],
        [
            BoxRole.TRUE_POSITIVE,
            BoxRole.POOR_LOCATION,
            BoxRole.DUPLICATE,
            BoxRole.BACKGROUND,
            BoxRole.BOTH,
            BoxRole.MISS,
        ],
    )
    for group in groups:  # roles that are seen together differ without colour
        shapes = [(theme.ROLE_STYLES[role].dash, theme.ROLE_STYLES[role].mark) for role in group]
        assert len(set(shapes)) == len(group)


def test_every_state_has_a_shape_of_its_own() -> None:
    assert set(theme.MARK_LOOKS) == set(SliceMark)
    for first, second in combinations(theme.MARK_LOOKS.values(), 2):
        assert first.icon != second.icon


def test_every_icon_is_drawn_and_takes_its_colour(qapp: QApplication) -> None:
    names = sorted(path.stem for path in icons_folder().glob("*.svg"))
    assert {look.icon for look in theme.MARK_LOOKS.values()} <= set(names)
    for name in names:
        image = icon_pixmap(name, 24, colour="#ff0000", ratio=2).toImage()
        seen = [image.pixelColor(x, y) for x in range(48) for y in range(48)]
        assert any(pixel.alpha() > 200 for pixel in seen), name
        if not name.endswith("-dark") and name != "chevron-down":
            assert any(pixel.red() > 200 and pixel.green() == 0 for pixel in seen), name


def test_icons_keep_one_stroke_weight() -> None:
    for path in icons_folder().glob("*.svg"):
        text = path.read_text(encoding="utf-8")
        assert 'viewBox="0 0 24 24"' in text, path.name
        assert path.stem == "tick-dark" or 'stroke-width="1.5"' in text, path.name


def test_an_icon_is_faint_when_disabled(qapp: QApplication) -> None:
    picture = icon("layout-1", colour="#ffffff", faint="#333333")

    def brightest(pixmap: QPixmap) -> int:
        image = pixmap.toImage()
        return max(image.pixelColor(x, y).red() for x in range(24) for y in range(24))

    assert brightest(picture.pixmap(24, 24, QIcon.Mode.Normal)) > 200
    assert brightest(picture.pixmap(24, 24, QIcon.Mode.Disabled)) < 80


def test_an_unknown_icon_is_refused_by_name() -> None:
    with pytest.raises(BugError, match="no-such-icon"):
        icon("no-such-icon")


def test_the_style_sheet_is_filled_and_names_only_files_that_are_there() -> None:
    sheet = theme.style_sheet(scale=1.5)
    assert "$" not in re.sub(r"/\*.*?\*/", "", sheet, flags=re.DOTALL)
    links = re.findall(r'url\("([^"]+)"\)', sheet)
    assert links
    assert all(Path(link).is_file() for link in links)
    assert "font-size: 18px" in sheet  # 12 px text, half as large again


def test_the_theme_applies_and_a_real_family_is_used(qtbot: QtBot, qapp: QApplication) -> None:
    kept = (qapp.palette(), qapp.font(), qapp.styleSheet())
    try:
        theme.apply_theme(qapp, scale=1.25)
        assert qapp.font().pixelSize() == round(14 * 1.25)
        assert qapp.palette().window().color() == QColor(theme.PANEL)
        assert base_font(14).family() in QFontDatabase.families()
        page = QWidget()
        qtbot.addWidget(page)
        assert page.fontMetrics().horizontalAdvance("1") == page.fontMetrics().horizontalAdvance("8")
    finally:
        qapp.setStyleSheet(kept[2])
        qapp.setPalette(kept[0])
        qapp.setFont(kept[1])


def test_a_family_ships_with_the_program_and_its_licence(qapp: QApplication) -> None:
    folder = resource("fonts")
    fonts = sorted(folder.glob("*.otf"))
    assert [font.name for font in fonts] == ["Inter-Regular.otf", "Inter-SemiBold.otf"]
    for font in fonts:
        number = QFontDatabase.addApplicationFont(str(font))
        assert "Inter" in QFontDatabase.applicationFontFamilies(number)
    assert "OFL-1.1" in (folder / "Inter-LICENSE.txt").read_text(encoding="utf-8")
