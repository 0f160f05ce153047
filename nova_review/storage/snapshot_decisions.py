"""Decisions in a snapshot: the newest closed one of each slice, with the provenance of its boxes."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, Row, func, select

from nova_review.domain.snapshot import DecisionBox
from nova_review.storage.schema_gold import decision, decision_box, decision_source
from nova_review.storage.schema_study import slice_
from nova_review.storage.snapshot_names import Names


def newest_decisions(connection: Connection, data_set_id: str) -> list[Row[Any]]:
    """Return the newest closed decision of each slice, in scan order."""
    closed = decision.c.state == "closed"
    last = (
        select(decision.c.slice_id, func.max(decision.c.version).label("version"))
        .where(closed)
        .group_by(decision.c.slice_id)
        .subquery()
    )
    query = (
        select(decision)
        .join(last, (last.c.slice_id == decision.c.slice_id) & (last.c.version == decision.c.version))
        .join(slice_, slice_.c.id == decision.c.slice_id)
        .where(slice_.c.data_set_id == data_set_id)
        .order_by(slice_.c.ordinal)
    )
    return list(connection.execute(query).all())


def accepted_boxes(
    connection: Connection, decisions: Iterable[Row[Any]], names: Names
) -> tuple[DecisionBox, ...]:
    """Return the boxes that decisions accepted, each with its sources as "reader code:finding"."""
    boxes = _grouped(connection.execute(select(decision_box).order_by(decision_box.c.number)), "decision_id")
    sources = _sources(connection, names)
    return tuple(
        DecisionBox(
            file_name=names.files[d.slice_id],
            number=b.number,
            box_x=b.x,
            box_y=b.y,
            box_width=b.width,
            box_height=b.height,
            label=b.label,
            provenance=b.provenance,
            decided_by=names.readers.get(d.adjudicator_id, "rule"),
            decided_utc=d.decided_utc or "",
            sources=" ".join(sources[d.id, b.number]),
        )
        for d in decisions
        for b in boxes[d.id]
        if b.state == "accepted"
    )


def _sources(connection: Connection, names: Names) -> Mapping[tuple[str, int], list[str]]:
    found: dict[tuple[str, int], list[str]] = defaultdict(list)
    for s in connection.execute(select(decision_source).order_by(decision_source.c.ordinal)):
        found[s.decision_id, s.number].append(f"{names.readers[s.reader_id]}:{s.finding_id}")
    return found


def _grouped(rows: Iterable[Row[Any]], key: str) -> Mapping[str, list[Row[Any]]]:
    groups: dict[str, list[Row[Any]]] = defaultdict(list)
    for row in rows:
        groups[getattr(row, key)].append(row)
    return groups
