"""The table of verdicts as CSV."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nova_review.formats.exchange.text_table import guarded, table_bytes


def verdict_table_bytes(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> bytes:
    """Return the table as CSV; texts are guarded against being taken for formulas, None is empty."""
    written = ({c: guarded(v) if isinstance(v, str) else v for c, v in row.items()} for row in rows)
    return table_bytes(columns, written)
