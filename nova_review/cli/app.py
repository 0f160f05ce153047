"""The command line: assembles the verbs, each from a file of its own, and holds no verb itself."""

import importlib
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

from nova_review import __version__
from nova_review.cli.context import Services, services_of
from nova_review.cli.guard import STOPPED
from nova_review.cli.streams import json_text

VERBS = {
    "open": "nova_review.cli.open",
    "demo": "nova_review.cli.demo",
    "dataset": "nova_review.cli.dataset",
    "study": "nova_review.cli.study",
    "readings": "nova_review.cli.readings",
    "predictions": "nova_review.cli.predictions",
    "judgements": "nova_review.cli.judgements",
    "adjudicate": "nova_review.cli.adjudicate",
    "export": "nova_review.cli.export",
    "agreement": "nova_review.cli.agreement",
    "score": "nova_review.cli.score",
    "compare": "nova_review.cli.compare",
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


_NotUnderstood: Any = typer.BadParameter.__mro__[2]
"""The root of the library's errors about arguments, which it does not export by name."""


def run_verb(arguments: list[str], services: Services) -> int:
    """Run the command line on these arguments and return the exit code; 2 where they are not understood.

    Raises KeyboardInterrupt where the person stopped the verb.
    """
    try:
        code = get_command(app)(args=arguments, prog_name="nova-review", obj=services, standalone_mode=False)
    except _NotUnderstood as error:
        return _not_understood(error, arguments)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    if code == STOPPED:  # what the library makes of Ctrl+C
        raise KeyboardInterrupt
    return code if isinstance(code, int) else 0


def _not_understood(error: Any, arguments: Sequence[str]) -> int:
    """Say what was not understood, with --json also as the one object on standard output."""
    error.show()
    if "--json" in arguments:
        sys.stdout.write(json_text({"error": " ".join(error.format_message().split())}) + "\n")
    return int(error.exit_code)
