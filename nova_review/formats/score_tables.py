"""Tables of scores as CSV, and as LaTeX to be printed: no number without its dialect, definition and n."""

from collections.abc import Mapping, Sequence

from nova_review.formats.exchange.text_table import Value, guarded, table_bytes
from nova_review.services.score_object import score_object, threshold_words, value_words
from nova_review.services.score_views import Column, ScoreRow, ScoreTable

_SPECIAL: Mapping[str, str] = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def rows_as_csv(rows: Sequence[Mapping[str, object]]) -> bytes:
    """Return rows of the object as CSV; texts are guarded against being taken for formulas."""
    columns = list(rows[0]) if rows else ["set"]
    return table_bytes(columns, [{key: _plain(value) for key, value in row.items()} for row in rows])


def _plain(value: object) -> Value:
    if isinstance(value, str):
        return guarded(value)
    return value if isinstance(value, float | int | bool) or value is None else str(value)


def score_csv(table: ScoreTable) -> bytes:
    """Return the long table: one row a set, dialect, metric and threshold."""
    rows: list[dict[str, object]] = score_object(table)["rows"]
    return rows_as_csv(rows)


def score_latex(table: ScoreTable) -> bytes:
    """Return one `table` for each dialect: a row a score, a column a set, the definitions below.

    Needs no package beyond LaTeX itself.
    """
    parts = [_table(table, dialect) for dialect in table.dialects]
    head = f"% {_one_line(table.title)}: scored against {table.against}, seed {table.draws.seed}"
    return ("\n\n".join([head, *filter(None, parts)]) + "\n").encode()


def _table(table: ScoreTable, dialect: str) -> str:
    columns = [c for c in table.columns() if c[0] == dialect]
    if not columns:
        return ""
    names = [head.name for head in table.heads]
    lines = [
        r"\begin{table}",
        rf"\caption{{{_caption(table, dialect)}}}",
        rf"\begin{{tabular}}{{l{'r' * len(names)}}}",
        r"\hline",
        " & ".join(["", *map(escaped, names)]) + r" \\",
        r"\hline",
        *(_line(table, column, names) for column in columns),
        r"\hline",
        r"\end{tabular}",
        r"\par\footnotesize",
        *_definitions(table, columns, names),
        r"\end{table}",
    ]
    return "\n".join(lines)


def _caption(table: ScoreTable, dialect: str) -> str:
    early = f" Before the database lock, because: {table.before_lock}." if table.before_lock else ""
    words = (
        f"{table.title}: scores by the rules of {dialect} against {table.against}, with 95% intervals "
        f"({table.draws.count} resamples of cases) and n.{early}"
    )
    return escaped(words)


def _line(table: ScoreTable, column: Column, names: Sequence[str]) -> str:
    cells = [_cell(table.cell(name, column)) for name in names]
    return " & ".join([escaped(_name(column)), *cells]) + r" \\"


def _name(column: Column) -> str:
    return f"{column[1]}{threshold_words(column[2])}"


def _cell(row: ScoreRow | None) -> str:
    if row is None:
        return "--"
    found = row.estimate
    if found.value is None:
        return "undefined"
    return value_words(row)


def _definitions(table: ScoreTable, columns: Sequence[Column], names: Sequence[str]) -> list[str]:
    """One line a score, and one for each reason why something is undefined."""
    lines: list[str] = []
    for column in columns:
        rows = [row for row in (table.cell(name, column) for name in names) if row is not None]
        words = "; ".join(dict.fromkeys(row.definition for row in rows))
        lines.append(rf"{escaped(_name(column))}: {escaped(words)}.\par")
    reasons = dict.fromkeys(
        (row.set_name, row.estimate.undefined_because)
        for row in table.rows
        if row.column in columns and row.estimate.value is None
    )
    return [*lines, *(rf"{escaped(name)} undefined: {escaped(why or '')}.\par" for name, why in reasons)]


def escaped(text: str) -> str:
    """Return text as LaTeX prints it, on one line.

    >>> print(escaped("R&D_1 <50%>"))
    R\\&D\\_1 \\textless{}50\\%\\textgreater{}
    """
    return "".join(_SPECIAL.get(letter, letter) for letter in _one_line(text))


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
