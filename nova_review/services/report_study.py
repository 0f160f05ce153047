"""What a report says of the study: design, readers, agreement, adjudication."""

from collections.abc import Iterator, Mapping

from nova_review import __version__
from nova_review.analysis.estimate import counted
from nova_review.domain.snapshot import StudySnapshot
from nova_review.domain.study import PresentationRole, ReaderKind
from nova_review.services.adjudication_counts import AdjudicationCounts
from nova_review.services.agreement import AgreementResult
from nova_review.services.agreement_endpoints import endpoints
from nova_review.services.agreement_measures import Linked, Measured
from nova_review.services.agreement_object import number
from nova_review.services.agreement_views import counted_words, interval_words
from nova_review.services.report_blocks import (
    Block,
    Facts,
    FigureBlock,
    Heading,
    Paragraph,
    ReportText,
    Rows,
)
from nova_review.services.report_methods import methods
from nova_review.services.study_views import StudyInfo

SYNTHETIC = "This is the demo study: its lesions, histories, readers and models are synthetic."


def report_text(
    snapshot: StudySnapshot,
    info: StudyInfo,
    result: AgreementResult,
    view: Linked,
    figures: Mapping[str, str],
) -> ReportText:
    """Return the whole report; `figures` has the names of those that there are."""
    measured = result.measured
    blocks = [
        *_notices(snapshot, result),
        *_design(snapshot, info),
        *_readers(snapshot, measured),
        *_agreement(measured, view, figures),
        *_left_out(measured),
        *_adjudication(info.adjudication),
        *methods(measured),
    ]
    return ReportText(
        title=f"Reader agreement: {snapshot.title}",
        subtitle=f"Study {snapshot.study_id} · protocol {snapshot.protocol_hash}",
        headline=_headline(measured),
        blocks=tuple(blocks),
        foot=(
            f"nova_review {__version__} · protocol {snapshot.protocol_hash[:16]} · "
            f"seed {measured.request.seed}"
        ),
    )


def _headline(measured: Measured) -> tuple[str, str, str]:
    primary = next((e for e in endpoints(measured) if e.is_primary), None)
    if primary is None:
        return "Primary endpoint", "not measured", "its threshold was not asked for"
    e = primary.estimate
    name = f"Primary endpoint: {primary.title}"
    if e.value is None:
        return name, "undefined", e.undefined_because or ""
    return (
        name,
        number(e.value),
        f"95% interval {interval_words(e)}, n = {counted(e.n, primary.unit)} with a box",
    )


def _notices(snapshot: StudySnapshot, result: AgreementResult) -> Iterator[Block]:
    if result.before_lock:
        words = f"Looked at before the database lock, because: {result.before_lock}. Audited."
        yield Paragraph(words, is_warning=True)
    if snapshot.is_demo:
        yield Paragraph(SYNTHETIC, is_warning=True)
    bootstrap = result.measured.agreement.bootstrap
    if bootstrap.units and bootstrap.is_rough:
        words = f"Only {counted(bootstrap.units, bootstrap.unit.value)}: the intervals are rough."
        yield Paragraph(words, is_warning=True)


def _design(snapshot: StudySnapshot, info: StudyInfo) -> Iterator[Block]:
    yield Heading("Design")
    plan = snapshot.analysis
    rows = [
        ("Phase", snapshot.phase.value),
        ("Unit of presentation", snapshot.unit),
        ("Arm", info.arm),
        ("Protocol", f"version {info.protocol_version}, SHA-256 {snapshot.protocol_hash}"),
        ("Made", info.created_utc),
        ("Database locked", info.closed_utc or "not locked, or without readers of its own"),
        ("Primary endpoint", plan.primary_endpoint),
        ("Thresholds", ", ".join(f"IoU {t:g}" for t in plan.thresholds)),
        ("Matching", plan.matching),
        ("Missing data", plan.missing_data),
        ("Gold", plan.gold_rule),
    ]
    for d in snapshot.data_sets:
        words = f"{counted(len(d.slices), 'slice')} of {counted(len(d.cases), 'case')}"
        words += f"; content {d.content_hash[:16]}"
        rows.append((f"Data set {d.code}", words))
    yield Facts(tuple(rows))


def _readers(snapshot: StudySnapshot, measured: Measured) -> Iterator[Block]:
    yield Heading("Readers")
    read = measured.agreement.pairs.read
    kinds = {r.code: r.kind for r in snapshot.readers}
    repeats = {
        r.context.reader_code for r in snapshot.slice_readings if r.context.role is PresentationRole.REPEAT
    }
    rows = []
    for place, name in enumerate(read.readers):
        code = measured.readings.codes.get(name, name)
        kind = "came with the data" if kinds.get(code) is ReaderKind.DATA_SET else "reader of this study"
        mine = read.reading_reader == place
        again = "yes" if code in repeats else "no"
        rows.append(
            (
                code,
                name if name != code else "",
                kind,
                f"{int(mine.sum())}",
                f"{int(read.counts[mine].sum())}",
                again,
            )
        )
    columns = ("Code", "Published pseudonym", "Kind", "Slices", "Boxes", "Repeats")
    yield Rows(columns, tuple(rows), numbers=(3, 4))
    yield Paragraph("Readers of the study are named by codes that were drawn at random.")


def _agreement(measured: Measured, view: Linked, figures: Mapping[str, str]) -> Iterator[Block]:
    yield Heading("Agreement")
    yield Paragraph(counted_words(measured))
    found = endpoints(measured)
    rows = [
        (
            e.title,
            e.part.value if not e.is_primary else f"{e.part.value}, primary",
            "undefined" if e.estimate.value is None else number(e.estimate.value),
            interval_words(e.estimate),
            f"{e.estimate.n}",
            f"{e.estimate.dropped}",
        )
        for e in found
    ]
    columns = ("Endpoint", "Part", "Value", "95% interval, or why there is none", "n", "Dropped")
    strong = tuple(k for k, e in enumerate(found) if e.is_primary)
    yield Rows(columns, tuple(rows), numbers=(2, 4, 5), strong=strong)
    yield from _counts(measured)
    yield from (FigureBlock(name) for name in figures)


def _counts(measured: Measured) -> Iterator[Block]:
    rows = [
        (f"Boxes at IoU {b.threshold:g}", f"{b.counts.tp}", f"{b.counts.only_a}", f"{b.counts.only_b}", "")
        for b in measured.agreement.boxes
    ]
    t = measured.agreement.presence.table
    rows.append(("Slices with any finding", f"{t.both}", f"{t.only_a}", f"{t.only_b}", f"{t.neither}"))
    columns = ("Counts over all pairs of readings", "Both", "Only first", "Only second", "Neither")
    yield Rows(columns, tuple(rows), numbers=(1, 2, 3, 4))


def _left_out(measured: Measured) -> Iterator[Block]:
    yield Heading("What was left out, and why")
    remarks = measured.remarks
    if not remarks:
        yield Paragraph("Nothing was left out.")
    yield from (Paragraph(words) for words in remarks)


def _adjudication(counts: AdjudicationCounts | None) -> Iterator[Block]:
    yield Heading("Adjudication")
    if counts is None:
        yield Paragraph("Nothing has been decided yet.")
        return
    yield Facts(tuple(_decision_rows(counts)))
    checked, own = counts.checked, counts.own_answers
    if checked.drawn:
        rate = (
            "none of them is decided yet" if checked.rate is None else f"{checked.rate:.1%} were overturned"
        )
        yield Paragraph(
            f"Of the slices whose gold a rule made, {checked.drawn} were drawn at random for an adjudicator "
            f"to see as well; {checked.decided} are decided, {checked.overturned} of them overturned: {rate}."
        )
    if own.slices:
        yield Paragraph(
            f"On {counted(own.slices, 'slice')} the adjudicator first answered on the bare picture. "
            f"{own.same} of these answers stood unchanged; {own.boxes_kept} boxes were kept, "
            f"{own.boxes_dropped} dropped and {own.boxes_added} added after the readers' boxes were seen "
            f"(matched from an IoU of {own.matching_iou:g})."
        )


def _decision_rows(counts: AdjudicationCounts) -> Iterator[tuple[str, str]]:
    yield "Slices decided", f"{counts.decided}"
    for title, found in (
        ("Provenance", counts.by_provenance),
        ("Mode", counts.by_mode),
        ("Boxes made by", counts.boxes_by_making),
        ("Reasons", counts.reason_codes),
    ):
        if found:
            yield title, ", ".join(f"{word} {count}" for word, count in found.items())
    yield "Without a lesion", f"{counts.without_lesion}"
    yield "Cannot be read", f"{counts.cannot_be_read}"
    yield "Boxes rejected", f"{counts.boxes_rejected}"
    yield "Flagged", f"{counts.flagged}"
    yield "Made with an answer that was withdrawn since", f"{counts.with_withdrawn_answer}"
