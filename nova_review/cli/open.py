"""`open`: the window on a study."""

from pathlib import Path
from typing import Annotated

import typer

from nova_review.cli.context import services_of
from nova_review.cli.output import JsonFlag, Output
from nova_review.cli.verbs import single_verb

app = single_verb()


@app.command()
def open_study(
    context: typer.Context,
    file: Annotated[
        Path, typer.Argument(metavar="FILE.nova", help="The study file.", show_default=False, readable=False)
    ],
    reader: Annotated[
        str | None, typer.Option("--reader", metavar="NAME", help="Who reads; asked if not given.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Open a study in the window."""
    code = services_of(context).open_window(file, reader)
    if code:
        raise typer.Exit(code)
    Output(as_json=as_json).result({"file": str(file), "closed": True}, [])
