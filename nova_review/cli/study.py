"""`study`: make a study, look at it, close it."""

import sys
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from nova_review.cli.context import services_of
from nova_review.cli.dataset import HubFlag, read_with_progress
from nova_review.cli.options import StudyFile
from nova_review.cli.output import JsonFlag, Output
from nova_review.cli.verbs import verb_group
from nova_review.domain.adjudication import Mode, QueueOrder
from nova_review.domain.errors import UserError
from nova_review.domain.protocol import AdjudicationPlan, Unit
from nova_review.services.adjudication_counts import AdjudicationCounts
from nova_review.services.study_plan import IGNORED_FILE
from nova_review.services.study_report import closed_report, info_report
from nova_review.services.study_views import OpenReading, ReaderSummary, StudyInfo

SUFFIX = ".nova"
FEW = 20
FEW_ALIKE = 5


class AdjudicationWord(StrEnum):
    """What differs from the default: the own answer first, lowest agreement first, nothing else shown."""

    LAYERS_AT_ONCE = "layers-at-once"
    RANDOM_ORDER = "random-order"
    HISTORY = "history"
    FINAL_DIAGNOSIS = "final-diagnosis"


def plan_of(words: Collection[AdjudicationWord]) -> AdjudicationPlan:
    """Return the plan of adjudication that the words ask for."""
    at_once = AdjudicationWord.LAYERS_AT_ONCE in words
    return AdjudicationPlan(
        mode=Mode.LAYERS_AT_ONCE if at_once else Mode.INDEPENDENT_FIRST,
        order=QueueOrder.RANDOM if AdjudicationWord.RANDOM_ORDER in words else QueueOrder.LOWEST_FIRST,
        shows_history=AdjudicationWord.HISTORY in words,
        shows_final_diagnosis=AdjudicationWord.FINAL_DIAGNOSIS in words,
    )


app = verb_group("Make studies, look at them, close them.")


@app.command("new")
def new(
    context: typer.Context,
    paths: Annotated[
        list[str],
        typer.Argument(metavar="DATASET [DATASET ...] FILE.nova", help="Data sets, then the file to make."),
    ],
    reader: Annotated[
        list[str] | None,
        typer.Option("--reader", metavar="NAME", help="A reader's name; repeat it for each."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", help="Seed of the orders and codes; random if not given.")
    ] = None,
    unit: Annotated[Unit, typer.Option(help="What one place in a reader's order shows.")] = Unit.CASE,
    arm: Annotated[
        str, typer.Option(metavar="ARM", help="What is shown and asked, in which order.")
    ] = "image-history",
    title: Annotated[
        str, typer.Option(metavar="TEXT", help="Title of the study; the file's name if not given.")
    ] = "",
    embed: Annotated[
        bool, typer.Option("--embed", help="Store the pictures in the file instead of their places.")
    ] = False,
    adjudication: Annotated[
        list[AdjudicationWord] | None,
        typer.Option(help="How disagreements are settled, other than by default; repeat it."),
    ] = None,
    hub: HubFlag = False,
    as_json: JsonFlag = False,
) -> None:
    """Make a study file from data sets.

    It has the default protocol, which is locked at once.
    """
    sources, file = _sources_and_file(paths)
    out = Output(as_json=as_json)
    services = services_of(context)
    data_sets = [read_with_progress(services, source, out=out, hub=hub) for source in sources]
    with out.progress("Writing the study") as progress:
        info = services.studies.new_study(
            data_sets,
            file,
            readers=tuple(reader or ()),
            seed=None if seed is None else str(seed),
            unit=unit,
            arm=arm,
            title=title,
            embed=embed,
            adjudication=plan_of(adjudication or ()),
            progress=progress,
        )
    out.result(info_report(info, file), info_lines(info, file))


@app.command("info")
def info(
    context: typer.Context,
    file: StudyFile,
    orders: Annotated[
        bool, typer.Option("--orders", help="Each reader's order too; for the coordinator's eyes.")
    ] = False,
    as_json: JsonFlag = False,
) -> None:
    """Tell what is in a study: counts, people, progress; no answer."""
    found = services_of(context).studies.info(file, with_orders=orders)
    Output(as_json=as_json).result(info_report(found, file), info_lines(found, file))


@app.command("close")
def close(
    context: typer.Context,
    file: StudyFile,
    reason: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Why now; it is written to the audit log.")
    ] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Lock the database: after it no reading can be changed."""
    out = Output(as_json=as_json)
    studies = services_of(context).studies
    if reason is None and not yes and sys.stdin.isatty():
        _ask(out, studies.open_readings(file))
    closed = studies.close(file, reason=reason or "")
    lines = [*open_lines(closed.open_readings), f"The database of {file} is locked."]
    out.result(closed_report(closed, file), lines)


def _sources_and_file(paths: Sequence[str]) -> tuple[Sequence[str], Path]:
    *sources, file = paths
    if not sources:
        raise typer.BadParameter("name at least one data set, then the study file to make.")
    if not file.endswith(SUFFIX):
        raise typer.BadParameter(f"the last name must be the study file to make, ending in {SUFFIX}.")
    return sources, Path(file)


def _ask(out: Output, left: Sequence[OpenReading]) -> None:
    for line in open_lines(left):
        out.say(line)
    typer.echo("After the lock no answer can be changed. Type yes to lock the database: ", nl=False, err=True)
    if sys.stdin.readline().strip().lower() != "yes":
        raise UserError("The database was not locked; nothing was changed.")


def open_lines(left: Sequence[OpenReading]) -> Iterator[str]:
    """Yield what is still open: all of it where it is little, else counts per reader."""
    if not left:
        yield "Every reading is submitted."
        return
    yield f"{len(left)} readings are not submitted:"
    if len(left) <= FEW:
        yield from (f"  {o.reader} ({o.code}), place {o.position}, {o.case_code}: {o.state}" for o in left)
        return
    counts = Counter((o.reader, o.code, o.state) for o in left)
    yield from (f"  {name} ({code}): {count} {state}" for (name, code, state), count in counts.items())


def info_lines(info: StudyInfo, file: Path) -> Iterator[str]:
    """Yield a study in figures, for a person."""
    yield f"{info.title} ({file})" + (" - SYNTHETIC demo study" if info.is_demo else "")
    yield f"  phase {info.phase}, unit {info.unit}, arm {info.arm}, seed {info.seed}"
    yield f"  protocol version {info.protocol_version}, {info.protocol_hash[:16]}"
    for d in info.data_sets:
        yield f"  data set {d.code}: {d.slices} slices of {d.cases} cases, {d.usable_slices} can be shown"
        of_readers = f", {d.reader_boxes} boxes of readers" if d.reader_boxes else ""
        yield f"    {d.gold_boxes} gold boxes{of_readers}"
    yield from (f"  {_reader_line(r)}" for r in info.readers)
    if info.prediction_sets:
        yield f"  prediction sets: {', '.join(info.prediction_sets)}"
    if info.adjudication:
        yield from (f"  {line}" for line in adjudication_lines(info.adjudication))
    yield from _problems(info)
    if info.orders is not None:
        yield from (f"  order of {name}: {' '.join(files)}" for name, files in info.orders.items())


def adjudication_lines(counts: AdjudicationCounts) -> Iterator[str]:
    """Yield what was decided, for a person."""
    kinds = ", ".join(f"{count} {word}" for word, count in counts.by_provenance.items())
    yield f"decided: {counts.decided} slices ({kinds}), {counts.without_lesion} of them without a lesion"
    checked = counts.checked
    if checked.drawn:
        rate = "none decided yet" if checked.rate is None else f"{checked.rate:.0%} overturned"
        yield (
            f"  drawn for a check: {checked.drawn}, decided {checked.decided}: {rate} "
            f"(another count, or no match at IoU {checked.matching_iou:g})"
        )
    if counts.with_withdrawn_answer:
        yield f"  {counts.with_withdrawn_answer} decided with an answer that was withdrawn since"


def _reader_line(reader: ReaderSummary) -> str:
    states = ", ".join(f"{count} {state}" for state, count in reader.slice_states.items())
    if reader.presentations:
        done = f"{reader.submitted} of {reader.presentations} places done"
        return f"{reader.code} {reader.name}: {done}" + (f"; slices {states}" if states else "")
    return f"{reader.code} {reader.name} (came with the data): {states or 'no answers'}"


def _problems(info: StudyInfo) -> Iterable[str]:
    for title, count in (("errors", len(info.errors)), ("warnings", len(info.warnings))):
        if count:
            yield f"  {count} {title} in the data sets (see --json or `dataset check`)"
    remarks = [r for r in info.remarks if r.code != IGNORED_FILE]
    for code in dict.fromkeys(r.code for r in remarks):
        alike = [r.message for r in remarks if r.code == code]
        shown = alike if len(alike) <= FEW_ALIKE else alike[:1]
        yield from (f"  {message}" for message in shown)
        if len(alike) > len(shown):
            yield f"  ... and {len(alike) - len(shown)} more of this kind (see --json)"
