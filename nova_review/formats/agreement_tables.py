"""Tables of agreement as CSV."""

from nova_review.formats.exchange.text_table import guarded, table_bytes
from nova_review.services.agreement_tables import Table


def agreement_table_bytes(table: Table) -> bytes:
    """Return the table as CSV; texts are guarded against being taken for formulas."""
    rows = [{c: guarded(v) if isinstance(v, str) else v for c, v in row.items()} for row in table.mappings()]
    return table_bytes(table.columns, rows)
