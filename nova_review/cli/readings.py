"""`readings add`: answers from files into a study."""

from pathlib import Path
from typing import Annotated

import typer

from nova_review.cli.context import services_of
from nova_review.cli.options import StudyFile
from nova_review.cli.output import JsonFlag, Output
from nova_review.cli.verbs import verb_group
from nova_review.services.importing import Added

app = verb_group("Bring readings into a study.")


@app.command("add")
def add(
    context: typer.Context,
    file: StudyFile,
    path: Annotated[
        Path,
        typer.Argument(
            metavar="PATH", help="An exported folder, or a table of readers' boxes.", readable=False
        ),
    ],
    as_json: JsonFlag = False,
) -> None:
    """Add readings; what is there already is never changed."""
    added = services_of(context).importing.add(file, path)
    Output(as_json=as_json).result(_as_dict(added), _as_lines(added))


def _as_dict(added: Added) -> dict[str, object]:
    return {
        "added": added.slice_readings + added.case_readings,
        "slice_readings": added.slice_readings,
        "case_readings": added.case_readings,
        "already_there": added.already_there,
        "conflicts": added.conflicts,
        "readers": list(added.readers),
        "warnings": [
            {"code": w.code, "file": w.file, "row": w.row, "value": w.value, "message": w.message}
            for w in added.warnings
        ],
        "errors": [],
    }


def _as_lines(added: Added) -> list[str]:
    lines = [
        f"Added {added.slice_readings} slice readings and {added.case_readings} case readings "
        f"of {', '.join(added.readers)}."
        if added.readers
        else "Nothing was added."
    ]
    if added.already_there:
        lines.append(f"{added.already_there} readings were there already, with the same content.")
    if added.conflicts:
        lines.append(f"{added.conflicts} differ from what the study holds; the study was left as it is.")
    return lines + [f"  {w.file}: {w.message}" for w in added.warnings]
