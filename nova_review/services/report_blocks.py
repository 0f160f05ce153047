"""A report as plain blocks: what is said, not how it looks."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of a part."""

    words: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running words; a `warning` must be seen."""

    words: str
    is_warning: bool = False


@dataclass(frozen=True, slots=True)
class Facts:
    """Pairs of a word and its value."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """A small table; `numbers` are the columns that hold figures, `strong` the rows in bold."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: tuple[int, ...] = ()
    strong: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FigureBlock:
    """A figure by its name."""

    name: str


@dataclass(frozen=True, slots=True)
class References:
    """Sources in a numbered list; a DOI or arXiv number becomes a link."""

    entries: tuple[str, ...]


Block = Heading | Paragraph | Facts | Rows | FigureBlock | References


@dataclass(frozen=True, slots=True)
class ReportText:
    """A whole report. `headline` is (what it is, value, interval and n)."""

    title: str
    subtitle: str
    headline: tuple[str, str, str]
    blocks: tuple[Block, ...]
    foot: str
