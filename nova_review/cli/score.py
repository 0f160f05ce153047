"""`score`: readers and models by any scorer's rules, on one long table."""

from pathlib import Path
from typing import Annotated

import typer

from nova_review.analysis.dialects.scores import DialectName
from nova_review.cli.agreement import early
from nova_review.cli.context import services_of
from nova_review.cli.export import GoldWord
from nova_review.cli.options import BeforeLock, Reason, ResampleSeed
from nova_review.cli.output import JsonFlag, Output
from nova_review.cli.verbs import single_verb
from nova_review.services.export_content import GoldSource
from nova_review.services.prediction_content import PredictionOptions
from nova_review.services.score_object import score_lines, score_object
from nova_review.services.score_views import ScoreRequest

app = single_verb()


SetWords = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME|FILE", help="A set, a reader, or a file of predictions; repeat it."),
]
Against = Annotated[
    str | None,
    typer.Option(
        metavar="gold|others|READER", help="Default: gold for models alone, others once a reader is named."
    ),
]
Dialects = Annotated[
    list[DialectName] | None, typer.Option("--dialect", help="Whose rules; repeat it. Default: ours.")
]
Boxes = Annotated[str | None, typer.Option("--boxes", metavar="ORDER", help="Of files: xyxy, xywh or yxyx.")]
UnitWord = Annotated[
    str | None, typer.Option("--units", metavar="UNITS", help="Of files: pixel, unit (0 to 1) or permille.")
]
WhichGold = Annotated[
    GoldWord | None, typer.Option(help="Default: decisions if there are any, else the data set's.")
]
Joint = Annotated[bool, typer.Option("--joint", help="Only slices that every set answered, task by task.")]
BySlice = Annotated[bool, typer.Option("--by-slice", help="The numbers of single slices too.")]
Resamples = Annotated[
    int, typer.Option(metavar="N", help="Bootstrap resamples of cases; 0 leaves the intervals out.")
]
Folder = Annotated[
    Path | None, typer.Option("--out", metavar="DIR", help="A folder for tables and figures.", readable=False)
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Replace what was written there.")]


@app.command()
def score(
    context: typer.Context,
    source: Annotated[Path, typer.Argument(help="A study file or a data-set folder.", readable=False)],
    sets: SetWords = None,
    against: Against = None,
    dialect: Dialects = None,
    boxes: Boxes = None,
    units: UnitWord = None,
    gold: WhichGold = None,
    joint: Joint = False,
    by_slice: BySlice = False,
    resamples: Resamples = 2_000,
    seed: ResampleSeed = 1,
    out: Folder = None,
    overwrite: Overwrite = False,
    before_lock: BeforeLock = False,
    reason: Reason = None,
    as_json: JsonFlag = False,
) -> None:
    """Score readers and models by any scorer's rules.

    The same name of a metric is another number in each dialect, so every number comes with its
    definition, n and interval. A reader is never scored against gold that his boxes went into.
    """
    early_reason = early(before_lock=before_lock, reason=reason)
    request = ScoreRequest(
        sets=tuple(sets or ()),
        against=against,
        dialects=tuple(dict.fromkeys(dialect or ())),
        options=PredictionOptions(boxes=boxes, units=units),
        resamples=resamples,
        seed=seed,
        by_slice=by_slice,
        joint=joint,
        gold=GoldSource(gold.value) if gold else None,
    )
    output, service = Output(as_json=as_json), services_of(context).scoring
    with output.progress("Reading") as progress:
        table = service.score(source, request, progress=progress, early_reason=early_reason)
    if out is not None:
        written = service.write(table, out, overwrite=overwrite)
        output.say(f"{len(written)} files were written to {out}.")
    output.result(score_object(table), score_lines(table))
