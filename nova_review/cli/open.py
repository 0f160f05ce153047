"""`open`: the window on a study."""

from pathlib import Path
from typing import Annotated

import typer

from nova_review.cli.context import services_of
from nova_review.cli.verbs import single_verb

app = single_verb()


@app.command()
def open_study(
    context: typer.Context,
    file: Annotated[Path, typer.Argument(help="The study file (.nova).", show_default=False)],
    reader: Annotated[str | None, typer.Option("--reader", help="Who reads; asked if not given.")] = None,
) -> None:
    """Open a study in the window."""
    raise typer.Exit(services_of(context).open_window(file, reader))
