"""`demo`: the synthetic study that ships with the program."""

from pathlib import Path
from typing import Annotated

import typer

from nova_review.cli.context import services_of
from nova_review.cli.output import JsonFlag, Output
from nova_review.cli.verbs import single_verb
from nova_review.services.demo import VISITOR

app = single_verb()


@app.command()
def demo(
    context: typer.Context,
    make: Annotated[
        Path | None,
        typer.Option("--make", metavar="FILE.nova", help="Only write a fresh copy there.", readable=False),
    ] = None,
    reader: Annotated[
        str | None, typer.Option("--reader", metavar="NAME", help="Who reads; the visitor if not given.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Open the demo study, or write a fresh copy of it.

    It is synthetic: real scans with lesions drawn into them, simulated readers and models.
    """
    services = services_of(context)
    out = Output(as_json=as_json)
    if make is None:
        services.require_window()  # before a study is made for nothing
        with out.progress("Making the demo study") as progress:
            file = services.demo.to_open(progress)
        code = services.open_window(file, reader or VISITOR)
        if code:
            raise typer.Exit(code)
        out.result({"file": str(file), "closed": True}, [])
        return
    with out.progress("Making the demo study") as progress:
        file = services.demo.write(make, progress)
    out.result({"file": str(file)}, [f"The demo study (synthetic) is in {file}."])
