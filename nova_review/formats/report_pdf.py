"""A report as PDF on A4: text that can be searched, figures as lines and not as pixels."""

import io
from collections.abc import Mapping, Sequence
from functools import singledispatchmethod
from typing import TYPE_CHECKING, Any

from nova_review.formats.figure_style import DATA, INK, QUIET, RULE, STYLE, WIDTH, FigureSpec
from nova_review.formats.figures import draw_into, figure_specs
from nova_review.formats.pdf_words import FONT, Words, fitted_widths, wrapped
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

if TYPE_CHECKING:
    from matplotlib.backends.backend_pdf import PdfPages
    from matplotlib.figure import Figure

PAGE = (8.27, 11.69)
_SIDE = (PAGE[0] - WIDTH) / 2
_TOP, _BOTTOM = PAGE[1] - 0.75, 0.85
_BODY, _SMALL, _TITLE = 8.8, 7.6, 16.0
_WARN = "#8a5a00"


def write_pdf(text: ReportText, measured: Measured, view: Linked) -> bytes:
    """Return the report; the same study gives the same bytes."""
    import matplotlib as mpl  # slow import
    from matplotlib.backends.backend_pdf import PdfPages  # slow import

    figures = {spec.name: spec for spec in figure_specs(measured, view)}
    file = io.BytesIO()
    about: Any = {"Title": text.title, "Creator": text.foot, "Producer": None, "CreationDate": None}
    with mpl.rc_context(STYLE), PdfPages(file, metadata=about) as pages:
        paper = _Paper(pages, text.foot, figures)
        paper.title(text)
        for block in text.blocks:
            paper.put(block)
        paper.end()
    return file.getvalue()


class _Paper:
    """Puts one block under the other and begins a new page where one is full."""

    def __init__(self, pages: "PdfPages", foot: str, figures: Mapping[str, FigureSpec]) -> None:
        self._pages, self._foot, self._figures = pages, foot, figures
        self._page: Figure | None = None
        self._number = 0
        self._y = 0.0
        self._begin()

    def title(self, text: ReportText) -> None:
        """The head of the first page, with the primary endpoint large."""
        self._lines(text.title, Words(_TITLE, weight="bold"))
        self._y -= 0.04
        self._lines(text.subtitle, Words(_SMALL, QUIET))
        self._y -= 0.16
        name, value, more = text.headline
        self._lines(name, Words(_BODY, QUIET, weight="bold"), left=0.15)
        big = Words(26, weight="bold")
        self._y -= 0.06
        top = self._y
        self._lines(value, big, left=0.15)
        below = self._y
        self._y = top - 0.16
        self._lines(more, Words(_BODY), left=0.35 + big.width(value))
        self._bar(top + 0.26, below - 0.02)
        self._y = below - 0.12

    def put(self, block: Block) -> None:
        """Put a block."""
        self._put(block)

    def end(self) -> None:
        """Finish the last page."""
        self._finish()

    @singledispatchmethod
    def _put(self, block: object) -> None:
        raise NotImplementedError(type(block))

    @_put.register
    def _(self, block: Heading) -> None:
        self._y -= 0.14
        self._need(0.9)
        self._lines(block.words, Words(11.5, weight="bold"))
        self._rule()
        self._y -= 0.1

    @_put.register
    def _(self, block: Paragraph) -> None:
        colour = _WARN if block.is_warning else INK
        self._lines(block.words, Words(_BODY, colour, weight="bold" if block.is_warning else "normal"))
        self._y -= 0.09

    @_put.register
    def _(self, block: Facts) -> None:
        for word, value in block.rows:
            cells = [(word, 0.0, 1.6, Words(_SMALL, QUIET)), (value, 1.7, WIDTH - 1.7, Words(_SMALL))]
            self._row(cells)
        self._y -= 0.1

    @_put.register
    def _(self, block: Rows) -> None:
        words = Words(_SMALL)
        widths = fitted_widths([block.columns, *block.rows], words, room=WIDTH, fixed=block.numbers)
        head = Words(_SMALL, QUIET, weight="bold")
        self._need(0.6)
        self._cells(block.columns, widths, block, head)
        for number, row in enumerate(block.rows):
            if self._need(0.35):
                self._cells(block.columns, widths, block, head)
            strong = number in block.strong
            self._cells(row, widths, block, Words(_SMALL, weight="bold" if strong else "normal"))
        self._y -= 0.14

    @_put.register
    def _(self, block: FigureBlock) -> None:
        spec = self._figures[block.name]
        self._need(spec.height + 0.5)
        assert self._page is not None
        draw_into(self._page, spec, top=self._y, left=_SIDE)
        self._y -= spec.height + 0.02
        self._lines(spec.caption, Words(_SMALL, QUIET))
        self._y -= 0.2

    @_put.register
    def _(self, block: References) -> None:
        for number, entry in enumerate(block.entries, start=1):
            cells = [
                (f"{number}.", 0.0, 0.25, Words(_SMALL, QUIET)),
                (entry, 0.28, WIDTH - 0.28, Words(_SMALL, QUIET)),
            ]
            self._row(cells, ruled=False)

    def _cells(self, row: Sequence[str], widths: Sequence[float], block: Rows, words: Words) -> None:
        cells, x = [], 0.0
        for k, (cell, width) in enumerate(zip(row, widths, strict=True)):
            side = "right" if k in block.numbers else "left"
            cells.append((cell, x, width - 0.12, words.aligned(side)))
            x += width
        self._row(cells)

    def _row(self, cells: Sequence[tuple[str, float, float, Words]], *, ruled: bool = True) -> None:
        """Cells side by side: (words, from the left, width, look)."""
        broken = [wrapped(text, words, width) for text, _, width, words in cells]
        height = max(len(lines) * words.line for lines, (_, _, _, words) in zip(broken, cells, strict=True))
        self._need(height + 0.08)
        top = self._y
        for lines, (_, left, width, words) in zip(broken, cells, strict=True):
            self._y = top
            for line in lines:
                self._write(line, words, left=left + (width if words.side == "right" else 0))
        self._y = top - height - 0.03
        if ruled:
            self._rule()
            self._y -= 0.04

    def _lines(self, text: str, words: Words, *, left: float = 0.0) -> None:
        for line in wrapped(text, words, WIDTH - left):
            self._need(words.line)
            self._write(line, words, left=left)

    def _write(self, line: str, words: Words, *, left: float) -> None:
        assert self._page is not None
        self._page.text(
            (_SIDE + left) / PAGE[0],
            (self._y - words.ascent) / PAGE[1],
            line,
            fontsize=words.size,
            color=words.colour,
            fontweight=words.weight,
            ha=words.side,
            va="baseline",
            fontfamily=FONT,
        )
        self._y -= words.line

    def _rule(self) -> None:
        self._stroke((_SIDE, _SIDE + WIDTH), (self._y, self._y), RULE, 0.6)

    def _bar(self, top: float, bottom: float) -> None:
        self._stroke((_SIDE + 0.03, _SIDE + 0.03), (top, bottom), DATA, 3)

    def _stroke(self, xs: tuple[float, float], ys: tuple[float, float], colour: str, width: float) -> None:
        from matplotlib.lines import Line2D  # slow import

        assert self._page is not None
        across, up = [x / PAGE[0] for x in xs], [y / PAGE[1] for y in ys]
        self._page.add_artist(Line2D(across, up, color=colour, linewidth=width, solid_capstyle="butt"))

    def _need(self, height: float) -> bool:
        """Begin a new page unless there is room for `height` inches; returns whether it did."""
        is_full = self._y - height < _BOTTOM
        if is_full:
            self._finish()
            self._begin()
        return is_full

    def _begin(self) -> None:
        from matplotlib.figure import Figure  # slow import

        self._page = Figure(figsize=PAGE)
        self._number += 1
        self._y = _TOP

    def _finish(self) -> None:
        assert self._page is not None
        self._y = 0.6
        self._write(self._foot, Words(6.6, QUIET), left=0)
        self._y = 0.6
        self._write(f"{self._number}", Words(6.6, QUIET, side="right"), left=WIDTH)
        self._pages.savefig(self._page)  # type: ignore[no-untyped-call]
        self._page = None
