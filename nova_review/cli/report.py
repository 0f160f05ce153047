"""`report`: a study's design, readers, agreement and adjudication in one file."""

from pathlib import Path
from typing import Annotated

import typer

from nova_review.cli.agreement import early
from nova_review.cli.context import services_of
from nova_review.cli.options import BeforeLock, Readers, Reason, ResampleSeed, StudyFile
from nova_review.cli.output import JsonFlag, Output
from nova_review.cli.verbs import single_verb
from nova_review.services.agreement_readings import AgreementRequest

app = single_verb()


@app.command()
def report(
    context: typer.Context,
    file: StudyFile,
    out: Annotated[
        Path,
        typer.Option("--out", metavar="FILE", help="A new file, ending in .html or .pdf.", readable=False),
    ],
    reader: Readers = None,
    resamples: Annotated[int, typer.Option(metavar="N", help="Bootstrap resamples.")] = 2_000,
    seed: ResampleSeed = 1,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an earlier report.")] = False,
    before_lock: BeforeLock = False,
    reason: Reason = None,
    as_json: JsonFlag = False,
) -> None:
    """Write a report that can be printed and sent.

    One self-contained file, HTML or PDF, without names of readers.
    """
    request = AgreementRequest(readers=tuple(reader or ()), resamples=resamples, seed=seed)
    result = services_of(context).reporting.write(
        file,
        out,
        request=request,
        early_reason=early(before_lock=before_lock, reason=reason),
        overwrite=overwrite,
    )
    pairs = result.measured.agreement.pairs
    told: dict[str, object] = {
        "out": str(out),
        "slices": pairs.slices,
        "cases": pairs.cases,
        "readers": list(pairs.read.readers),
        "seed": seed,
        "before_lock": result.before_lock,
    }
    Output(as_json=as_json).result(told, [f"The report is in {out}."])
