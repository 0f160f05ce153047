"""`agreement`: how well readers agree, in a study, a data set or a table of boxes."""

from pathlib import Path
from typing import Annotated

import typer

from nova_review.analysis.boxes import Absent
from nova_review.analysis.pairs import Unit
from nova_review.cli.context import services_of
from nova_review.cli.options import BeforeLock, Readers, Reason, ResampleSeed
from nova_review.cli.output import JsonFlag, Output
from nova_review.cli.verbs import single_verb
from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Size
from nova_review.services.agreement import result_object
from nova_review.services.agreement_object import measured_lines
from nova_review.services.agreement_readings import AgreementRequest

app = single_verb()


@app.command()
def agreement(
    context: typer.Context,
    source: Annotated[
        Path, typer.Argument(help="A study file, a data-set folder or a CSV of boxes.", readable=False)
    ],
    reader: Readers = None,
    threshold: Annotated[
        list[float] | None,
        typer.Option("--threshold", metavar="IOU", help="IoU from which boxes match; repeat it."),
    ] = None,
    resamples: Annotated[
        int, typer.Option(metavar="N", help="Bootstrap resamples; 0 leaves the intervals out.")
    ] = 2_000,
    seed: ResampleSeed = 1,
    resample: Annotated[Unit, typer.Option(help="What is drawn at random.")] = Unit.CASE,
    absent: Annotated[
        Absent, typer.Option(help="What it means that a reader has no row on a slice.")
    ] = Absent.UNREAD,
    size: Annotated[
        str | None,
        typer.Option(
            metavar="W,H", help="Clip boxes to this size; default: slices to their own, tables not."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="DIR", help="A folder for tables and figures.", readable=False),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace what was written there.")] = False,
    before_lock: BeforeLock = False,
    reason: Reason = None,
    as_json: JsonFlag = False,
) -> None:
    """Measure how well readers agree, with intervals.

    The primary endpoint comes first; all others are exploratory.
    """
    early_reason = early(before_lock=before_lock, reason=reason)
    request = AgreementRequest(
        readers=tuple(reader or ()),
        thresholds=tuple(threshold or ()),
        resamples=resamples,
        seed=seed,
        resample=resample,
        absent=absent,
        size=size_from(size),
    )
    output, service = Output(as_json=as_json), services_of(context).agreement
    with output.progress("Reading") as progress:
        result = service.measure(source, request, progress=progress, early_reason=early_reason)
    if out is not None:
        written = service.write(result, out, overwrite=overwrite)
        output.say(f"{len(written)} files were written to {out}.")
    output.result(result_object(result), measured_lines(result.measured, result.before_lock))


def early(*, before_lock: bool, reason: str | None) -> str | None:
    """Return the reason for a look before the lock, None without one; UserError for one without reason."""
    if before_lock and not (reason or "").strip():
        raise UserError("A look before the database lock needs a reason: add --reason TEXT.")
    return reason if before_lock else None


def size_from(text: str | None) -> Size | None:
    """Return the size in "480,480"; UserError for anything else."""
    if text is None:
        return None
    parts = text.replace("x", ",").split(",")
    if len(parts) != 2 or not all(p.strip().isdigit() and int(p) > 0 for p in parts):
        raise UserError(f"--size must be two whole numbers above 0, such as 480,480 (got {text!r}).")
    return Size(int(parts[0]), int(parts[1]))
