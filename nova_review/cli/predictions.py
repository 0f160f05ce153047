"""`predictions add`: answers of a model into a study."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from nova_review.analysis.estimate import counted
from nova_review.cli.context import services_of
from nova_review.cli.output import JsonFlag, Output
from nova_review.cli.verbs import verb_group
from nova_review.services.prediction_content import PredictionOptions
from nova_review.services.predictions import PredictionsTaken

app = verb_group("Bring models' answers into a study.")


@app.command("add")
def add(
    context: typer.Context,
    study: Annotated[Path, typer.Argument(metavar="FILE.nova", help="The study file.", readable=False)],
    file: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="JSON, JSON lines, CSV or a folder of a scorer.", readable=False),
    ],
    name: Annotated[
        str, typer.Option("--name", metavar="NAME", help="Name of the set: letters, digits, '.', '_', '-'.")
    ],
    boxes: Annotated[str | None, typer.Option("--boxes", metavar="ORDER", help="xyxy, xywh or yxyx.")] = None,
    units: Annotated[
        str | None, typer.Option("--units", metavar="UNITS", help="pixel, unit (0 to 1) or permille.")
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Add a prediction set. How boxes are written is never guessed: the file says it, or you do."""
    options = PredictionOptions(boxes=boxes, units=units)
    taken = services_of(context).predictions.add(study, file, name=name, options=options)
    Output(as_json=as_json).result(_as_dict(taken), _as_lines(taken))
    if taken.errors:
        raise typer.Exit(1)


def _as_dict(taken: PredictionsTaken) -> dict[str, object]:
    return {
        "name": taken.name,
        "added": taken.slices,
        "boxes": taken.boxes,
        "convention": taken.convention,
        "shape": taken.shape,
        "judged": taken.judged,
        "warnings": [asdict(w) for w in taken.warnings],
        "errors": [asdict(e) for e in taken.errors],
    }


def _as_lines(taken: PredictionsTaken) -> list[str]:
    if taken.errors:
        return [f"Refused: {e.message}" for e in taken.errors]
    slices, boxes = counted(taken.slices, "slice"), _boxes(taken.boxes)
    head = f"{taken.name}: answers on {slices}, {boxes}, read as {taken.convention}."
    judged = [f"A judge's results came along on {counted(taken.judged, 'slice')}."] if taken.judged else []
    return [head, *judged, *(f"  {w.message} ({w.value})" for w in taken.warnings)]


def _boxes(number: int) -> str:
    return "1 box" if number == 1 else f"{number} boxes"
