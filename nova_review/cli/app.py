"""The command line: assembles the verbs, each from a file of its own, and holds no verb itself."""

import importlib
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from nova_review import __version__
from nova_review.cli.context import Services, services_of

VERBS = {
    "open": "nova_review.cli.open",
    "demo": "nova_review.cli.demo",
    "dataset": "nova_review.cli.dataset",
    "study": "nova_review.cli.study",
    "readings": "nova_review.cli.readings",
    "predictions": "nova_review.cli.predictions",
    "adjudicate": "nova_review.cli.adjudicate",
    "export": "nova_review.cli.export",
    "agreement": "nova_review.cli.agreement",
    "report": "nova_review.cli.report",
    "doctor": "nova_review.cli.doctor",
}
"""Each verb or group, in the order of the help, and the module that holds its `app`."""


class VerbGroup(TyperGroup):
    """Imports the file of a verb when the verb is used or the help lists it."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in VERBS:
            return None
        command = get_command(importlib.import_module(VERBS[cmd_name]).app)
        command.name = cmd_name
        return command


app = typer.Typer(cls=VerbGroup, rich_markup_mode=None, pretty_exceptions_enable=False, add_completion=False)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Blinded reading, adjudication and failure review of brain-MRI slices.

    Without a verb the window opens. Every verb takes --json: one JSON object on standard output and
    nothing else. Exit codes: 0 done, 1 cannot be done, 2 not understood.
    """
    if context.invoked_subcommand is None:
        raise typer.Exit(services_of(context).open_window(None, None))


def run_verb(arguments: list[str], services: Services) -> int:
    """Run the command line on these arguments; ends by SystemExit with 2 where they are not understood."""
    try:
        get_command(app)(args=arguments, prog_name="nova-review", obj=services)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0
