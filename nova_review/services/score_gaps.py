"""How far models are from the readers of a table, column by column, under two inferences."""

from collections.abc import Sequence

import numpy as np

from nova_review.analysis.estimate import Estimate, counted
from nova_review.analysis.paired_differences import difference_estimate
from nova_review.analysis.reader_inference import ReaderInference, readers_against_model
from nova_review.services.score_differences import why_not
from nova_review.services.score_ports import GapRow
from nova_review.services.score_views import OTHERS, Column, ScoreRow, ScoreTable

EACH_OTHER = (
    "two readers scored against each other get nearly the same by design, so other readers may vary more"
)


def gaps(table: ScoreTable, columns: Sequence[Column]) -> tuple[GapRow, ...]:
    """Return the readers' mean minus each model, where both have a value on the same slices.

    Columns and models without a reader to compare are left out.
    """
    models = [head.name for head in table.heads if not head.is_reader]
    found = (_gap(table, model, column) for column in columns for model in models)
    return tuple(row for row in found if row is not None)


def _gap(table: ScoreTable, model: str, column: Column) -> GapRow | None:
    own = table.cell(model, column)
    names = [h.name for h in table.heads if h.is_reader and not why_not(table, h.name, model, column)]
    cells = [cell for cell in (table.cell(name, column) for name in names) if cell is not None]
    if own is None or not cells:
        return None
    values = np.array([c.score.value for c in cells])
    replicates = np.stack([c.score.replicates for c in cells], axis=1)
    n = min(own.score.n, *(c.score.n for c in cells))
    mean = float(values.mean()) - own.score.value
    fixed = difference_estimate(mean, replicates.mean(axis=1) - own.score.replicates, table.draws, n=n)
    inferred = readers_against_model(values, own.score.value, replicates, own.score.replicates)
    return GapRow(
        model=model,
        column=column,
        readers=len(cells),
        fixed=fixed,
        random=_as_estimate(inferred, n),
        p=inferred.p,
        words=_words(table, cells, inferred),
    )


def _as_estimate(found: ReaderInference, n: int) -> Estimate:
    return Estimate(found.difference, found.low, found.high, n, found.dropped, found.undefined_because)


def _words(table: ScoreTable, cells: Sequence[ScoreRow], found: ReaderInference) -> str:
    names = {cell.set_name for cell in cells}
    seen = {head.visible for head in table.heads if head.name in names}
    parts = [f"mean of {counted(found.readers, 'reader')} minus the model"]
    if found.is_rough:
        parts.append("rough: fewer than 5 readers")
    if len(names) == 2 and {cell.against for cell in cells} == {OTHERS}:
        parts.append(EACH_OTHER)
    if len(seen) > 1:
        parts.append("the readers did not all see the same")
    return "; ".join(parts)
