"""Words of reports: line breaks and columns on paper, sources as links, figures of few readings."""

import pytest

from nova_review.analysis.boxes import read_boxes
from nova_review.domain.geometry import Box
from nova_review.formats.figures import figure_bytes, figure_specs
from nova_review.formats.pdf_words import Words, fitted_widths, wrapped
from nova_review.formats.report_html import linked_source
from nova_review.services.agreement_measures import linked, measure
from nova_review.services.agreement_readings import AgreementRequest, Readings

LOOK = Words(10)


def test_no_line_is_wider_than_its_room_and_no_word_is_lost() -> None:
    text = "Numbers are pooled over all slices and all pairs of readers " * 3
    lines = wrapped(text, LOOK, 2.0)
    assert len(lines) > 3
    assert all(LOOK.width(line) <= 2.0 for line in lines)
    assert " ".join(lines).split() == text.split()


def test_a_word_too_long_is_cut() -> None:
    lines = wrapped("x" * 300, LOOK, 1.0)
    assert "".join(lines) == "x" * 300
    assert all(LOOK.width(line) <= 1.0 for line in lines)


def test_dollars_are_no_formulas() -> None:
    assert LOOK.width("$5 and $6") > LOOK.width("5 and 6")


def test_columns_shrink_to_the_page_and_figures_keep_their_width() -> None:
    rows = [("name", "n"), ("a very long sentence " * 12, "1,234")]
    wide, narrow = (fitted_widths(rows, LOOK, room=room, fixed=(1,)) for room in (100.0, 6.0))
    assert sum(narrow) == pytest.approx(6.0)
    assert narrow[1] == wide[1]


def test_sources_are_links_and_nothing_else_is_markup() -> None:
    assert linked_source("A & B <i> doi:10.1000/x(1)") == (
        'A &amp; B &lt;i&gt; <a href="https://doi.org/10.1000/x(1)">doi:10.1000/x(1)</a>'
    )
    assert 'href="https://arxiv.org/abs/2212.09503"' in linked_source("2022. arXiv:2212.09503")


@pytest.mark.parametrize("readers", ["", "A", "AB", "ABC"])
def test_figures_of_next_to_nothing(readers: str) -> None:
    rows = [("s", "c", name, Box(10, 10, 20, 20) if name == "A" else None) for name in readers]
    request = AgreementRequest(resamples=10)
    measured = measure(Readings("few", read_boxes(rows)), request)
    specs = figure_specs(measured, linked(measured, 0.5))
    names = [spec.name for spec in specs]
    assert ("pairs" in names) == (len(readers) == 3)
    for spec in specs:
        assert b"<svg" in figure_bytes(spec, "svg")
        assert figure_bytes(spec, "svg") == figure_bytes(spec, "svg")
