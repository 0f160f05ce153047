"""Tables of scores as CSV and LaTeX: hostile names, and figures that are the same bytes each time."""

import csv
from dataclasses import replace

import pytest

from nova_review.analysis.dialects.scores import DialectName
from nova_review.formats.score_figures import figure_bytes, figure_specs
from nova_review.formats.score_tables import escaped, rows_as_csv, score_latex
from nova_review.services.score_views import ScoreRequest, ScoreTable
from tests.helpers.scoring import FILE, Source, model, prediction, scoring_over
from tests.helpers.studies import NAMES, snapshot

BOX = (100.0, 100.0, 100.0, 100.0)


def table_of(
    name: str = "gpt_x", dialects: tuple[DialectName, ...] = (DialectName.NOVA_REVIEW,)
) -> ScoreTable:
    own = model(name, prediction(NAMES[0], BOX, score=0.5, diagnoses=["Glioma"]), prediction(NAMES[2]))
    readings = snapshot()
    return scoring_over(Source(readings, own)).score_study(
        FILE, ScoreRequest(dialects=dialects, resamples=20)
    )


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("50% of A&B_c #1 $", r"50\% of A\&B\_c \#1 \$"),
        ("{a}~^|<>", r"\{a\}\textasciitilde{}\textasciicircum{}\textbar{}\textless{}\textgreater{}"),
        ("\\input{/etc/passwd}", r"\textbackslash{}input\{/etc/passwd\}"),
        ("two\nlines\tand\r\x00more", "two lines and more"),
    ],
)
def test_latex_prints_what_is_written(text: str, printed: str) -> None:
    assert escaped(text) == printed


def test_a_title_stays_on_its_line_of_latex() -> None:
    table = replace(table_of(), title="100%\n\\end{document}", before_lock="a & b")
    lines = score_latex(table).decode().splitlines()
    assert lines[0].startswith("% 100% ")
    assert r"\end{document}" not in "".join(lines[1:])
    assert any(r"a \& b" in line for line in lines)
    header = next(line for line in lines if line.startswith(" & "))
    assert header == r" & gpt\_x \\"


def test_every_dialect_has_a_table_and_every_score_its_definition() -> None:
    text = score_latex(table_of(dialects=(DialectName.GAZE, DialectName.WALDO))).decode()
    assert text.count(r"\begin{tabular}{lr}") == 2
    for words in ("rules of gaze", "rules of waldo", "11-point average precision", "a hit rate"):
        assert words in text


def test_texts_are_no_formulas_in_csv() -> None:
    rows = [{"set": "=1+1", "value": None, "n": 3, "list": ["a"]}]
    assert list(csv.reader(rows_as_csv(rows).decode().splitlines())) == [
        ["set", "value", "n", "list"],
        ["'=1+1", "", "3", "['a']"],
    ]
    assert rows_as_csv([]) == b"set\n"


def test_figures() -> None:
    specs = {spec.name: spec for spec in figure_specs(table_of())}
    assert set(specs) == {"froc", "reliability", "frequency"}  # no reader, so no gap
    for kind, start in (("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")):
        data = figure_bytes(specs["froc"], kind)
        assert data.startswith(start)
        assert data == figure_bytes(specs["froc"], kind)
    assert all(spec.caption.endswith(".") for spec in specs.values())
