"""`export`: the readings of a study in a layout that scorers read."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from nova_review.cli.context import services_of
from nova_review.cli.options import BeforeLock, Readers, Reason, Sets, StudyFile
from nova_review.cli.output import JsonFlag, Output
from nova_review.cli.verbs import single_verb
from nova_review.domain.errors import UserError
from nova_review.services.export_content import ExportChoice, GoldSource
from nova_review.services.exporting import Exported

app = single_verb()


class GoldWord(StrEnum):
    """The two sources of gold, as they are typed."""

    DECISIONS = "decisions"
    DATASET = "dataset"


@app.command()
def export(
    context: typer.Context,
    file: StudyFile,
    format_name: Annotated[
        str,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="Of answers: gaze-lines, gaze-run, waldo, croissant, coco. Of the data set: nova-csv, "
            "nova-parquet, flat-csv, hf, gaze-env, croissant-metadata, croissant-tasks.",
        ),
    ],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="A new or empty folder.", readable=False)],
    sets: Sets = None,
    reader: Readers = None,
    gold: Annotated[
        GoldWord | None, typer.Option(help="Default: decisions if there are any, else the data set's.")
    ] = None,
    notes: Annotated[bool, typer.Option("--notes", help="Rationales and reasons too.")] = False,
    with_times: Annotated[bool, typer.Option("--with-times", help="Clock times too.")] = False,
    force_pixels: Annotated[
        bool, typer.Option("--force-pixels", help="Pictures too, though no licence is stated.")
    ] = False,
    before_lock: BeforeLock = False,
    reason: Reason = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an earlier export.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write readings, sets and gold in the layout of a scorer.

    Without --set and --reader all of them go out. The folder is written whole or not at all.
    """
    if before_lock and not (reason or "").strip():
        raise UserError("An export before the database lock needs a reason: add --reason TEXT.")
    output = Output(as_json=as_json)
    done = services_of(context).exporting.export(
        file,
        format_name=format_name,
        folder=out,
        choice=ExportChoice(
            readers=tuple(reader or ()),
            gold=GoldSource(gold.value) if gold else None,
            notes=notes,
            with_times=with_times,
            sets=tuple(sets or ()),
            force_pixels=force_pixels,
        ),
        early_reason=reason if before_lock else None,
        overwrite=overwrite,
    )
    if done.remark:
        output.say(done.remark)
    output.result(_as_dict(done), _as_lines(done))


def _as_dict(done: Exported) -> dict[str, object]:
    return {"out": str(done.folder), "files": list(done.files), "manifest": dict(done.manifest)}


def _as_lines(done: Exported) -> list[str]:
    manifest = done.manifest
    lines = [f"Written to {done.folder}:", *(f"  {name}" for name in done.files)]
    for row in manifest["data_sets"]:
        lines.append(
            f"{row['code']}: {row['slice_readings']} slice readings, {row['findings']} findings, "
            f"{row['case_readings']} case readings; gold: {row['gold'] or 'none'} ({row['gold_boxes']} boxes)"
        )
    lines += [f"Left out: {_left_out(row)}" for row in manifest["left_out"]]
    lines += [f"Missing: {words}" for words in manifest["missing"]]
    return lines + [str(words) for words in manifest["remarks"]]


def _left_out(row: Mapping[str, Any]) -> str:
    whose = ", ".join(str(row[key]) for key in ("data_set", "set") if key in row)
    return f"{row['count']} {row['what']}" + (f" ({whose})" if whose else "")
