"""A report as one HTML file: no script, nothing fetched, figures inside."""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import singledispatch
from html import escape
from string import Template

from nova_review.formats.figure_style import FigureSpec
from nova_review.formats.figures import figure_bytes, figure_specs
from nova_review.services.agreement_measures import Linked, Measured
from nova_review.services.report_blocks import (
    Block,
    Facts,
    FigureBlock,
    Heading,
    Paragraph,
    References,
    ReportText,
    Rows,
)
from nova_review.services.resources import resource

_DOI = re.compile(r"doi:(10\.\S+)")
_ARXIV = re.compile(r"arXiv:(\d{4}\.\d{4,5})")


def write_html(text: ReportText, measured: Measured, view: Linked) -> bytes:
    """Return the report; the same study gives the same bytes."""
    figures = {spec.name: spec for spec in figure_specs(measured, view)}
    template = Template(resource("report", "report.html").read_text(encoding="utf-8"))
    name, value, more = text.headline
    filled = template.substitute(
        title=escape(text.title),
        subtitle=escape(text.subtitle),
        headline_name=escape(name),
        headline_value=escape(value),
        headline_more=escape(more),
        body="\n".join(_body(text.blocks, figures)),
        foot=escape(text.foot),
    )
    return filled.encode("utf-8")


def _body(blocks: Iterable[Block], figures: Mapping[str, FigureSpec]) -> Iterator[str]:
    for block in blocks:
        yield _figure(figures[block.name]) if isinstance(block, FigureBlock) else _html(block)


def _figure(spec: FigureSpec) -> str:
    svg = figure_bytes(spec, "svg").decode("utf-8")
    drawing = svg[svg.index("<svg") :]
    # Several drawings in one page must not share names.
    drawing = re.sub(r'\bid="', f'id="{spec.name}-', drawing)
    drawing = re.sub(r'href="#', f'href="#{spec.name}-', drawing)
    drawing = re.sub(r"url\(#", f"url(#{spec.name}-", drawing)
    words = escape(spec.caption)
    labelled = drawing.replace(
        "<svg ", f'<svg role="img" aria-label="{escape(spec.caption, quote=True)}" ', 1
    )
    return f"<figure>{labelled}<figcaption>{words}</figcaption></figure>"


@singledispatch
def _html(block: object) -> str:
    raise NotImplementedError(type(block))


@_html.register
def _heading(block: Heading) -> str:
    return f"<h2>{escape(block.words)}</h2>"


@_html.register
def _paragraph(block: Paragraph) -> str:
    kind = ' class="warning" role="note"' if block.is_warning else ""
    return f"<p{kind}>{escape(block.words)}</p>"


@_html.register
def _facts(block: Facts) -> str:
    rows = "".join(f"<tr><th scope=row>{escape(a)}</th><td>{escape(b)}</td></tr>" for a, b in block.rows)
    return f'<table class="facts"><tbody>{rows}</tbody></table>'


@_html.register
def _rows(block: Rows) -> str:
    kinds = [' class="number"' if k in block.numbers else "" for k in range(len(block.columns))]
    head = "".join(f"<th scope=col{k}>{escape(c)}</th>" for c, k in zip(block.columns, kinds, strict=True))
    body = "".join(_row(row, kinds, strong=k in block.strong) for k, row in enumerate(block.rows))
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _row(row: tuple[str, ...], kinds: list[str], *, strong: bool) -> str:
    cells = "".join(f"<td{k}>{escape(cell)}</td>" for cell, k in zip(row, kinds, strict=True))
    return f"<tr{' class=strong' if strong else ''}>{cells}</tr>"


@_html.register
def _references(block: References) -> str:
    return f"<ol>{''.join(f'<li>{linked_source(entry)}</li>' for entry in block.entries)}</ol>"


def linked_source(entry: str) -> str:
    """Return a source as HTML, its DOI or arXiv number a link."""
    words = escape(entry)
    words = _DOI.sub(r'<a href="https://doi.org/\1">doi:\1</a>', words)
    return _ARXIV.sub(r'<a href="https://arxiv.org/abs/\1">arXiv:\1</a>', words)
