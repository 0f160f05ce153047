"""`compare`: what models and readers get wrong on the slices of a study, as table, sheets and page."""

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from nova_review.cli.agreement import early
from nova_review.cli.context import services_of
from nova_review.cli.options import BeforeLock, Reason, StudyFile
from nova_review.cli.output import JsonFlag, Output
from nova_review.cli.verbs import single_verb
from nova_review.domain.verdicts import Thresholds
from nova_review.services.compare_verb import CompareDone, CompareVerbRequest
from nova_review.services.comparing_lists import ExportWish, Order
from nova_review.services.comparing_views import CompareRequest
from nova_review.services.export_content import GoldSource

app = single_verb()

_WHERE = 'A filter, such as "verdict = miss and relative_size < 0.01"; default: everything.'


@app.command()
def compare(
    context: typer.Context,
    file: StudyFile,
    out: Annotated[
        Path, typer.Option("--out", metavar="DIR", help="The folder that is written.", readable=False)
    ],
    sets: Annotated[
        list[str],
        typer.Option("--set", metavar="NAME", help="A prediction set or a reader; repeat it, up to 4."),
    ],
    where: Annotated[str, typer.Option("--where", metavar="FILTER", help=_WHERE)] = "",
    hit: Annotated[float, typer.Option(metavar="IOU", help="IoU from which a box finds gold.")] = 0.5,
    background: Annotated[float, typer.Option(metavar="IOU", help="IoU below which it finds nothing.")] = 0.1,
    min_score: Annotated[
        list[float] | None,
        typer.Option("--min-score", metavar="X", help="Least confidence; once, or once for each set."),
    ] = None,
    gold: Annotated[GoldSource | None, typer.Option(help="Which gold; default: decisions if any.")] = None,
    sort: Annotated[Order, typer.Option(help="Order of the slices.")] = Order.STUDY,
    per_page: Annotated[
        int | None, typer.Option("--per-page", metavar="N", help="Slices a sheet; default by sets.")
    ] = None,
    pdf: Annotated[bool, typer.Option("--pdf", help="Write the sheets as one PDF, too.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Write a page that opens anywhere, too.")] = False,
    images: Annotated[bool, typer.Option("--images", help="Write a picture a slice and set, too.")] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an earlier export.")] = False,
    before_lock: BeforeLock = False,
    reason: Reason = None,
    as_json: JsonFlag = False,
) -> None:
    """Show what sets of answers get wrong, side by side.

    Writes verdicts.csv, manifest.json and sheets of the slices that a filter lets through; the folder is
    written whole or not at all.
    """
    early_reason = early(before_lock=before_lock, reason=reason)
    least = tuple(min_score or ())
    thresholds = Thresholds(hit, background, least[0] if len(least) == 1 else 0.0)
    request = CompareRequest(tuple(sets), thresholds, least if len(least) > 1 else (), gold)
    wish = ExportWish(pdf=pdf, html=html, images=images, per_page=per_page, overwrite=overwrite)
    output = Output(as_json=as_json)
    asked, verb = CompareVerbRequest(request, where, sort, wish, out), services_of(context).compare_verb
    with output.progress("Drawing slices") as progress:
        done = verb.run(file, asked, progress=progress, early_reason=early_reason)
    if done.exported.remark:
        output.say(done.exported.remark)
    output.result(done.as_object(), _as_lines(done))


def _as_lines(done: CompareDone) -> list[str]:
    chosen = done.chosen
    lines = [f"Written to {done.exported.folder}: {len(done.exported.files)} files."]
    if done.compared.before_lock:
        lines.append(f"Looked at before the database lock: {done.compared.before_lock}")
    lines.append(f"{chosen.n} of {chosen.n_of} slices and {chosen.rows} boxes match.")
    by_set: dict[str, Counter[str]] = {}
    for one in chosen.counts:
        by_set.setdefault(one.set_name, Counter())[one.verdict.value.replace("_", " ")] = one.count
    lines += [
        f"{name}: " + (", ".join(f"{n} {v}" for v, n in counts.items() if n) or "no box matches")
        for name, counts in by_set.items()
    ]
    left_out = done.compared.comparison.content.left_out
    return lines + [f"Left out: {row.words}" for row in left_out]
