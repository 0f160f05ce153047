"""`dataset check`: what a data set holds, and everything about it that is not as it should be."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from nova_review.cli.context import Services, services_of
from nova_review.cli.output import JsonFlag, Output
from nova_review.cli.verbs import verb_group
from nova_review.domain.dataset import DataSet, Oddity
from nova_review.services.data_set_report import to_report

app = verb_group("Look at data sets.")

HubFlag = Annotated[
    bool, typer.Option("--hub", help="DATASET is an id (owner/name) of the Hugging Face Hub.")
]


@app.command("check")
def check(
    context: typer.Context,
    path: Annotated[
        str, typer.Argument(metavar="PATH", help="A folder, one table file, or with --hub an id.")
    ],
    as_json: JsonFlag = False,
    hub: HubFlag = False,
) -> None:
    """List every oddity of a data set, and what was done about it.

    Each comes with its file, row and value. Exit 1 where a table was refused.
    """
    out = Output(as_json=as_json)
    data_set = read_with_progress(services_of(context), path, out=out, hub=hub)
    out.result(to_report(data_set), as_lines(data_set))
    if data_set.refused:
        out.say("A table could not be used; see the errors.")
        raise typer.Exit(1)


def read_with_progress(services: Services, path: str, *, out: Output, hub: bool) -> DataSet:
    """Read a data set from here, or from the Hub if that was asked for and it is not here."""
    with out.progress("Reading the data set") as progress:
        if hub and not Path(path).exists():
            return services.read_hub_data_set(path, progress)
        return services.read_data_set(Path(path), progress)


def as_lines(data_set: DataSet) -> Iterator[str]:
    """Yield a table of counts, then the oddities by kind."""
    yield f"Data set {data_set.code}"
    for name, count in _counts(data_set):
        yield f"  {name:<28}{count:>8}"
    yield f"  {'readers':<28}{', '.join(data_set.readers) or 'none'}"
    yield from _section("Errors", data_set.errors)
    yield from _section("Warnings", data_set.warnings)
    if data_set.ignored:
        yield ""
        yield f"Ignored ({len(data_set.ignored)}): {', '.join(data_set.ignored)}"
    yield ""
    yield _verdict(data_set)


def _counts(data_set: DataSet) -> Iterator[tuple[str, int]]:
    yield "slices", len(data_set.slices)
    yield "slices that can be shown", data_set.usable_slices
    yield "cases", len(data_set.cases)
    yield "gold boxes", len(data_set.gold)
    yield "reader boxes", len(data_set.reader_boxes)


def _section(title: str, oddities: Sequence[Oddity]) -> Iterator[str]:
    if not oddities:
        return
    yield ""
    yield f"{title} ({len(oddities)})"
    kinds = {oddity.code: index for index, oddity in reversed(list(enumerate(oddities)))}
    in_kinds = sorted(oddities, key=lambda oddity: kinds[oddity.code])
    for code, group in groupby(in_kinds, key=lambda oddity: oddity.code):
        found = list(group)
        yield f"  {code.replace('_', ' ')} ({len(found)})"
        yield from (f"    {_line(oddity)}" for oddity in found)


def _line(oddity: Oddity) -> str:
    place = oddity.file + (f", row {oddity.row}" if oddity.row is not None else "")
    value = f" [{oddity.value}]" if oddity.value else ""
    return f"{place}{value}: {oddity.message}"


def _verdict(data_set: DataSet) -> str:
    errors, warnings = len(data_set.errors), len(data_set.warnings)
    if not errors and not warnings:
        return "Nothing odd was found."
    return f"{_number(errors, 'error')}, {_number(warnings, 'warning').lower()}."


def _number(count: int, word: str) -> str:
    return f"{count or 'No'} {word}{'' if count == 1 else 's'}"
