"""`adjudicate`: gold by rule, and the weights of a rule. Rules are run here and not on the page."""

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import typer

from nova_review.analysis.merging import MIN_IOU, MergeRule
from nova_review.cli.context import services_of
from nova_review.cli.options import StudyFile
from nova_review.cli.output import JsonFlag, Output
from nova_review.cli.verbs import single_verb
from nova_review.domain.errors import FormatError, StorageError, UserError
from nova_review.services.gold_report import run_lines, run_object, weights_lines, weights_object
from nova_review.services.gold_rules import RuleRequest

AuditShare = Annotated[
    float | None,
    typer.Option(
        metavar="SHARE",
        help="Random share of settled slices that an adjudicator checks, unmarked; default 0.1, "
        "and 0 in a study without readers of its own.",
    ),
]

app = single_verb()


@app.command()
def adjudicate(
    context: typer.Context,
    file: StudyFile,
    rule: Annotated[MergeRule | None, typer.Option(help="How boxes that belong together become one.")] = None,
    weights: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help='For --rule weighted: a JSON file {"reader name": weight}.', readable=False
        ),
    ] = None,
    min_iou: Annotated[
        float, typer.Option(metavar="IOU", help="Least mean IoU of a slice's paired boxes.")
    ] = MIN_IOU,
    audit_share: AuditShare = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Seed of that share; default: the study's.")
    ] = None,
    accept: Annotated[bool, typer.Option("--accept", help="Record the gold; else it is proposed.")] = False,
    estimate_weights: Annotated[
        bool,
        typer.Option(
            "--estimate-weights", help="Recover weights from readers' boxes and the data set's gold."
        ),
    ] = False,
    out: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="With --estimate-weights: the file to write.", readable=False),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Propose or record gold by rule where readers agree.

    Slices on which they do not stay in the adjudicator's queue.

    A slice agrees when the mean IoU of its paired boxes, their counts, labels, sides and the
    normal/abnormal call do. What an adjudicator decided is never touched. After the database lock.
    """
    output = Output(as_json=as_json)
    if estimate_weights:
        if rule is not None or accept or weights is not None:
            raise UserError("Weights are estimated by themselves: leave out --rule, --accept and --weights.")
        _estimate(context, file, out, output)
        return
    request = RuleRequest(
        rule=_checked_rule(rule, weights, out),
        min_iou=min_iou,
        weights=_read_weights(weights) if weights else None,
        audit_share=audit_share,
        seed=None if seed is None else str(seed),
    )
    rules = services_of(context).gold_rules
    run = rules.accept(file, request) if accept else rules.propose(file, request)
    output.result(run_object(run, file), run_lines(run, file))


def _checked_rule(rule: MergeRule | None, weights: Path | None, out: Path | None) -> MergeRule:
    if rule is None:
        raise typer.BadParameter("name a rule (--rule mean or --rule weighted), or --estimate-weights.")
    if out is not None:
        raise typer.BadParameter("--out goes with --estimate-weights.")
    if weights is not None and rule is not MergeRule.WEIGHTED:
        raise typer.BadParameter(f"--weights goes with --rule weighted; --rule {rule.value} would ignore it.")
    return rule


def _estimate(context: typer.Context, file: Path, out: Path | None, output: Output) -> None:
    found = services_of(context).gold_weights.estimate(file)
    if out is not None:
        _write_weights(out, found.weights)
    output.result(weights_object(found, file, out), weights_lines(found, out))


def _read_weights(file: Path) -> Mapping[str, float]:
    if file.exists() and not file.is_file():
        raise UserError(f"The weights file {file} is no file that can be read.")
    try:
        given = json.loads(file.read_text(encoding="utf-8-sig"), object_pairs_hook=_each_once)
    except OSError as error:
        raise UserError(f"The weights file {file} cannot be read: {error.strerror or error}.") from error
    except (ValueError, RecursionError) as error:
        raise FormatError(f'{file} is not a JSON file. It must hold {{"reader name": weight}}.') from error
    if not isinstance(given, dict) or not all(_is_number(v) for v in given.values()):
        raise FormatError(f'{file} must hold one JSON object {{"reader name": weight}} with numbers alone.')
    try:
        return {str(name): float(weight) for name, weight in given.items()}
    except OverflowError as error:
        raise FormatError(f"{file} holds a weight that is too large to be one.") from error


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return the object; a name given twice is refused, since nobody can tell which weight is meant."""
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = sorted({name for name, _ in pairs if sum(name == other for other, _ in pairs) > 1})
        raise FormatError(f"The weights file names {', '.join(twice)} more than once. Name each reader once.")
    return found


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _write_weights(out: Path, weights: Mapping[str, float]) -> None:
    """Write the file whole or not at all."""
    text = json.dumps(dict(sorted(weights.items())), ensure_ascii=False, indent=1) + "\n"
    half = ""
    try:
        handle, half = tempfile.mkstemp(prefix=f".{out.name}-", dir=out.parent)
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.replace(half, out)
    except OSError as error:
        if half:
            Path(half).unlink(missing_ok=True)
        raise StorageError(f"The weights cannot be written to {out}: {error.strerror or error}.") from error
