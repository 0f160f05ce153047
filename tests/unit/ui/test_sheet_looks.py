"""Verdicts look the same on the screen and on paper."""

from nova_review.domain.verdicts import Verdict
from nova_review.formats.sheet_marks import LOOKS, Mark
from nova_review.formats.sheet_panel import GROUND, LINE, PANEL, SECOND_TEXT, TEXT, WARNING
from nova_review.ui import theme
from nova_review.ui.canvas.items import BoxRole

ROLES = {
    Verdict.TRUE_POSITIVE: BoxRole.TRUE_POSITIVE,
    Verdict.POOR_LOCATION: BoxRole.POOR_LOCATION,
    Verdict.DUPLICATE: BoxRole.DUPLICATE,
    Verdict.BACKGROUND: BoxRole.BACKGROUND,
    Verdict.POOR_LOCATION_AND_DUPLICATE: BoxRole.BOTH,
    Verdict.FOUND: BoxRole.GOLD,
    Verdict.MISS: BoxRole.MISS,
}


def test_colour_dash_and_mark_are_those_of_the_screen() -> None:
    for verdict, role in ROLES.items():
        paper, screen = LOOKS[verdict], theme.ROLE_STYLES[role]
        assert (paper.colour, paper.dash) == (screen.colour, screen.dash), verdict
        assert paper.mark.value == screen.mark.value, verdict


def test_ground_and_words_have_the_colours_of_the_window() -> None:
    assert (GROUND, PANEL, LINE) == (theme.GROUND, theme.PANEL, theme.LINE)
    assert (TEXT, SECOND_TEXT, WARNING) == (theme.TEXT, theme.SECOND_TEXT, theme.WARNING)
    assert {mark.value for mark in Mark} <= {mark.value for mark in theme.CornerMark}
