"""The table of the score page before any of it is painted: rows, columns, cells, order."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nova_review.analysis.dialects.scores import DialectName, Task
from nova_review.analysis.estimate import Estimate, counted
from nova_review.services.failure_notes import TagCount
from nova_review.services.score_ports import PublishedScore
from nova_review.services.score_views import Column, ScoreRow, ScoreTable, SetHead
from nova_review.ui.pages.scoring.words import (
    DIALECT_WORDS,
    TAG_GROUP,
    TASK_WORDS,
    against_words,
    estimate_words,
    head_lines,
    is_share,
    is_shown_first,
    metric_name,
    n_words,
    seen_words,
    value_text,
)

TAGGED = "tagged"
READER, MODEL, PUBLISHED = "reader", "model", "published"


@dataclass(frozen=True, slots=True)
class GridColumn:
    """One column: what it is, how its head reads, its definition in full."""

    column: Column
    group: str
    lines: tuple[str, str]
    definition: str
    low: float = 0.0
    high: float = 1.0


@dataclass(frozen=True, slots=True)
class GridCell:
    """One cell; `words` are hovered and read aloud."""

    text: str
    estimate: Estimate | None
    words: str


@dataclass(frozen=True, slots=True)
class GridRow:
    """One set, or one published source; `seen` is its second line, `tip` all that is known of it."""

    name: str
    kind: str
    seen: str
    tip: str
    cells: tuple[GridCell, ...]

    @property
    def is_published(self) -> bool:
        return self.kind == PUBLISHED


@dataclass(frozen=True, slots=True)
class Grid:
    """Columns and rows in the order in which they are painted."""

    columns: tuple[GridColumn, ...]
    rows: tuple[GridRow, ...]

    def place_of(self, column: Column) -> int | None:
        """Return where a metric stands, whatever the dialect; None where it does not."""
        return next((k for k, c in enumerate(self.columns) if c.column[1:] == column[1:]), None)


@dataclass(frozen=True, slots=True)
class GridWish:
    """What of a table is shown."""

    more: bool = False
    published: bool = False
    sort: Column | None = None
    rising: bool = False


def grid_of(
    table: ScoreTable, published: Sequence[PublishedScore], tags: Sequence[TagCount], wish: GridWish
) -> Grid:
    """Return the table as it is wished; undefined cells come last in any order, published rows after all."""
    columns = [c for c in _by_task(table) if wish.more or is_shown_first(c)]
    by_place = {(row.set_name, row.column): row for row in table.rows}
    heads = [_column(table, c) for c in columns]
    tagged = {t.set_name for t in tags}
    if tagged:
        heads.append(_tag_column(table))
    rows = [_row(table, head, columns, by_place, tags if tagged else ()) for head in _ordered(table.heads)]
    more = _published_rows(heads, published) if wish.published else []
    ranged = tuple(_with_range(c, k, rows) for k, c in enumerate(heads))
    return Grid(ranged, (*_sorted(rows, ranged, wish), *more))


def _ordered(heads: Sequence[SetHead]) -> list[SetHead]:
    """Readers first, models after."""
    return sorted(heads, key=lambda h: not h.is_reader)


def _by_task(table: ScoreTable) -> list[Column]:
    """All columns of a task beside each other, whichever set answered it first."""
    tasks = {row.column: list(Task).index(row.task) for row in table.rows}
    return sorted(table.columns(), key=lambda c: tasks[c])


def _column(table: ScoreTable, column: Column) -> GridColumn:
    rows = [r for r in table.rows if r.column == column]
    best = next((r for r in rows if r.estimate.value is not None), rows[0])
    return GridColumn(column, TASK_WORDS[best.task], head_lines(column), best.definition)


def _tag_column(table: ScoreTable) -> GridColumn:
    column: Column = (table.dialects[0], TAGGED, None)
    words = "Tags that were put on answers of the set on the compare page; a count, no score."
    return GridColumn(column, TAG_GROUP, head_lines(column), words)


def _with_range(column: GridColumn, place: int, rows: Sequence[GridRow]) -> GridColumn:
    """Shares are painted from 0 to 1, all else from 0 to its largest."""
    if is_share(column.column):
        return column
    ends = [0.0]
    for row in rows:
        estimate = row.cells[place].estimate
        if estimate is not None:
            ends += [v for v in (estimate.value, estimate.high) if v is not None]
    return replace(column, high=max(ends) or 1.0)


def _row(
    table: ScoreTable,
    head: SetHead,
    columns: Sequence[Column],
    by_place: dict[tuple[str, Column], ScoreRow],
    tags: Sequence[TagCount],
) -> GridRow:
    cells = [_cell(head.name, by_place.get((head.name, c)), c) for c in columns]
    if tags:
        cells.append(_tag_cell(table, head.name, tags))
    n, seen = n_words(head), seen_words(head.visible)
    words = [f"{head.name} ({head.kind.value})", n, seen]
    words += ["came with the data"] if head.came_with_data else []
    words += [f"{head.undecided} pairs of diagnoses not judged"] if head.undecided else []
    words += [cells[-1].words.partition(", ")[2]] if tags else []
    tip = "\n".join([*words, *head.left_out])
    kind = READER if head.is_reader else MODEL
    return GridRow(head.name, kind, seen, tip, tuple(cells))


def _cell(name: str, row: ScoreRow | None, column: Column) -> GridCell:
    if row is None:
        return GridCell("–", None, f"{name}, {metric_name(column)}: no such answers")
    estimate = row.estimate
    text = "undefined" if estimate.value is None else value_text(estimate.value, column)
    against = f"against {against_words(row.against)}, by {DIALECT_WORDS[row.dialect]} rules"
    words = f"{name}, {metric_name(column)}: {estimate_words(estimate, column)}\n{against}"
    return GridCell(text, estimate, words)


def _tag_cell(table: ScoreTable, name: str, tags: Sequence[TagCount]) -> GridCell:
    own = [t for t in tags if t.set_name == name]
    head = next(h for h in table.heads if h.name == name)
    total = sum(t.marks for t in own)
    said = ", ".join(f"{t.tag} {t.marks} (on {counted(t.slices, 'slice')})" for t in own) or "none"
    estimate = Estimate(float(total), n=head.slices, undefined_because="a count has none")
    return GridCell(f"{total}", estimate, f"{name}, tagged failures: {said}")


def _published_rows(columns: Sequence[GridColumn], published: Sequence[PublishedScore]) -> list[GridRow]:
    names = dict.fromkeys((p.name, p.rules) for p in published)
    return [_published(columns, [p for p in published if (p.name, p.rules) == key]) for key in names]


def _published(columns: Sequence[GridColumn], scores: Sequence[PublishedScore]) -> GridRow:
    rules = scores[0].rules
    whose = f"{DIALECT_WORDS[rules]} rules" if isinstance(rules, DialectName) else "NOVA's rules"
    words = f"published, by {whose}"
    said = {(p.metric, p.threshold): p for p in scores}
    cells = [_published_cell(c.column, said.get(c.column[1:]), words) for c in columns]
    tip = "\n".join(dict.fromkeys([scores[0].name, words, *(p.words for p in scores), scores[0].source]))
    return GridRow(scores[0].name, PUBLISHED, words, tip, tuple(cells))


def _published_cell(column: Column, score: PublishedScore | None, words: str) -> GridCell:
    if score is None:
        return GridCell("", None, f"{metric_name(column)}: not published")
    text = value_text(score.value, column)
    n = "n not stated" if score.n is None else f"n {score.n:,}"
    said = f"{score.name}, {metric_name(column)}: {text}, {n}; {words}\n{score.words}\n{score.source}"
    return GridCell(text, Estimate(score.value, n=score.n or 0, undefined_because="not published"), said)


def _sorted(rows: Sequence[GridRow], columns: Sequence[GridColumn], wish: GridWish) -> list[GridRow]:
    place = Grid(tuple(columns), ()).place_of(wish.sort) if wish.sort is not None else None
    if place is None:
        return list(rows)

    def key(row: GridRow) -> tuple[bool, float]:
        estimate = row.cells[place].estimate
        if estimate is None or estimate.value is None:
            return True, 0.0
        return False, estimate.value if wish.rising else -estimate.value

    return sorted(rows, key=key)


def headline_columns(table: ScoreTable) -> tuple[Column, ...]:
    """Return the column that stands for each task: mAP@.5 (else the first), Clinical F1, Top-1."""
    chosen = []
    for task in Task:
        own = [c for c in table.columns() if any(r.column == c and r.task is task for r in table.rows)]
        wanted = {"mAP": 0.5, "clinical_f1": None, "top1": None}
        best = [c for c in own if c[1] in wanted and c[2] == wanted[c[1]]]
        chosen += (best or own)[:1]
    return tuple(chosen)
