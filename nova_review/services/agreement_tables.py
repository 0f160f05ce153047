"""The tables behind the numbers, as plain columns and rows."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from nova_review.analysis.boxes import ReadBoxes
from nova_review.analysis.estimate import Estimate
from nova_review.services.agreement_endpoints import endpoints
from nova_review.services.agreement_measures import Linked, Measured

Cell = str | float | int | bool | None
NO_BOX, NOT_READ = "no box", "not read"


@dataclass(frozen=True, slots=True)
class Table:
    """One table; `slices` names the slices (keys) behind each row, in row order."""

    name: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    slices: tuple[tuple[str, ...], ...] = ()

    def mappings(self) -> Iterable[Mapping[str, Cell]]:
        """Yield each row by column name."""
        return (dict(zip(self.columns, row, strict=True)) for row in self.rows)


_ESTIMATE = ("value", "low", "high", "n", "dropped", "undefined_because")


def _estimate(e: Estimate) -> tuple[Cell, ...]:
    return e.value, e.low, e.high, e.n, e.dropped, e.undefined_because


def all_tables(measured: Measured, views: Sequence[Linked]) -> tuple[Table, ...]:
    """Return every table; those that depend on a threshold once for each of `views`."""
    tables = [estimates_table(measured)]
    for view in views:
        tables += [slices_table(view), findings_table(view), pairs_table(view), sizes_table(view)]
        tables += [groups_table(view, name) for name in view.groups if view.groups[name]]
        tables += [ious_table(view), areas_table(view)]
    return tuple(tables)


def estimates_table(measured: Measured) -> Table:
    """All endpoints with their intervals, the primary one first."""
    bootstrap = measured.agreement.bootstrap
    how = (bootstrap.unit.value, bootstrap.count, bootstrap.seed)
    rows = [
        (
            e.key,
            e.title,
            e.part.value,
            "primary" if e.is_primary else "exploratory",
            *_estimate(e.estimate),
            *how,
        )
        for e in endpoints(measured)
    ]
    columns = ("key", "title", "part", "role", *_ESTIMATE, "resample", "resamples", "seed")
    return Table("estimates", "All endpoints", columns, tuple(rows))


def slices_table(view: Linked) -> Table:
    """One row for each slice that two have read, lowest agreement first."""
    readers = view.pairs.read.readers
    rows = []
    for s in view.slices:
        counts = dict(zip(s.readers, s.boxes, strict=True))
        boxes = tuple(counts.get(reader) for reader in readers)
        rows.append((s.file_name, s.case, s.agreement, s.f1, s.matched_iou, s.disjoint, s.only_some, *boxes))
    columns = ("slice", "case", "agreement", "f1", "matched_iou", "disjoint", "only_some_marked")
    names = tuple(f"boxes {reader}" for reader in readers)
    keys = tuple((s.file_name,) for s in view.slices)
    return Table(
        f"slices@{view.threshold:g}", "Slices, lowest agreement first", (*columns, *names), tuple(rows), keys
    )


def findings_table(view: Linked) -> Table:
    """One row for each finding, one column for each reader; used or not, and why."""
    read = view.pairs.read
    seen = _read_by(read)
    rows = [
        (
            f.file_name,
            f.case,
            "yes" if f.used else "no",
            f.why,
            ", ".join(f"{v:.3f}" for v in f.ious),
            *(_boxes_in_words(read, f.boxes, reader, seen[f.file_name]) for reader in read.readers),
        )
        for f in view.findings
    ]
    columns = ("slice", "case", "used", "why", "iou", *read.readers)
    keys = tuple((f.file_name,) for f in view.findings)
    return Table(f"findings@{view.threshold:g}", "Findings, one row each", columns, tuple(rows), keys)


def _read_by(read: ReadBoxes) -> dict[str, set[str]]:
    seen: dict[str, set[str]] = {name: set() for name in read.slices}
    for place, reader in zip(read.reading_slice.tolist(), read.reading_reader.tolist(), strict=True):
        seen[read.slices[place]].add(read.readers[reader])
    return seen


def _boxes_in_words(read: ReadBoxes, boxes: Sequence[tuple[str, int]], reader: str, seen: set[str]) -> str:
    own = [read.corners[place].tolist() for name, place in boxes if name == reader]
    if own:
        return "; ".join(f"{x:g} {y:g} {r - x:g} {b - y:g}" for x, y, r, b in own)
    return NO_BOX if reader in seen else NOT_READ


def pairs_table(view: Linked) -> Table:
    """Every two readers who share a slice."""
    rows = [
        (
            p.reader_a,
            p.reader_b,
            p.slices,
            *_estimate(p.f1)[:3],
            *_estimate(p.matched_iou)[:3],
            *_estimate(p.pq)[:3],
        )
        for p in view.matrix
    ]
    parts = tuple(f"{name} {end}" for name in ("f1", "matched_iou", "pq") for end in ("value", "low", "high"))
    columns = ("reader_a", "reader_b", "slices", *parts)
    keys = tuple(pair_slices(view, p.reader_a, p.reader_b) for p in view.matrix)
    return Table(f"pairs@{view.threshold:g}", "Every two readers", columns, tuple(rows), keys)


def pair_slices(view: Linked, reader_a: str, reader_b: str) -> tuple[str, ...]:
    """Return the slices that both have read, lowest agreement first."""
    return tuple(s.file_name for s in view.slices if reader_a in s.readers and reader_b in s.readers)


def sizes_table(view: Linked) -> Table:
    """Agreement in bands of relative size."""
    rows = [
        (s.low, None if s.high == float("inf") else s.high, s.boxes, *_estimate(s.matched))
        for s in view.sizes
    ]
    columns = ("relative_size_from", "relative_size_below", "boxes", *_ESTIMATE)
    return Table(
        f"sizes@{view.threshold:g}", f"Bands of relative size ({view.size_source})", columns, tuple(rows)
    )


def groups_table(view: Linked, name: str) -> Table:
    """Agreement by plane, sequence or diagnosis."""
    rows = [(g.group, g.slices, *_estimate(g.boxes[0].f1)) for g in view.groups[name]]
    columns = (name, "slices", *_ESTIMATE)
    return Table(f"{name}@{view.threshold:g}", f"Agreement by {name}", columns, tuple(rows))


def ious_table(view: Linked) -> Table:
    """Every matched pair of boxes with its IoU, lowest first."""
    read = view.pairs.read
    order = view.ious.argsort(kind="stable").tolist()
    pair_of = view.pairs.overlaps.pair[view.matches.cells]
    rows = []
    for k in order:
        p = int(pair_of[k])
        names = (read.readers[int(view.pairs.reader_a[p])], read.readers[int(view.pairs.reader_b[p])])
        rows.append((read.slices[view.iou_slices[k]], *names, float(view.ious[k])))
    keys = tuple((row[0],) for row in rows)
    columns = ("slice", "reader_a", "reader_b", "iou")
    return Table(f"ious@{view.threshold:g}", "Matched boxes, lowest IoU first", columns, tuple(rows), keys)


def areas_table(view: Linked) -> Table:
    """Areas of every matched pair of boxes."""
    points, read = view.areas, view.pairs.read
    owner = read.reading_reader[read.box_reading]
    rows = [
        (
            read.slices[int(points.slice[k])],
            read.readers[int(owner[points.box_a[k]])],
            read.readers[int(owner[points.box_b[k]])],
            float(read.areas[points.box_a[k]]),
            float(read.areas[points.box_b[k]]),
            float(points.log_ratio[k]),
        )
        for k in range(len(points.slice))
    ]
    columns = ("slice", "reader_a", "reader_b", "area_a", "area_b", "log_ratio")
    keys = tuple((row[0],) for row in rows)
    return Table(f"areas@{view.threshold:g}", "Areas of matched boxes", columns, tuple(rows), keys)
