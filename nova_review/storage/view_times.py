"""How long each answer took, derived from the view log with the protocol's idle limit."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Table, select

from nova_review.domain.audit import (
    ViewInterval,
    active_total,
    first_mark_seconds,
    parted_by_version,
)
from nova_review.storage.reading_rows import interval_of
from nova_review.storage.schema_log import view_log
from nova_review.storage.schema_reading import case_answer, slice_answer

_Key = tuple[str, str, int]
_WHOLE_CASE = ""


@dataclass(frozen=True, slots=True)
class ViewTimes:
    """Seconds of one version of an answer; None where the view log does not tell."""

    active_seconds: float | None
    first_mark_seconds: float | None


UNKNOWN = ViewTimes(None, None)


def view_times(connection: Connection, *, idle_limit: float) -> Mapping[str, ViewTimes]:
    """Return the times of every version that the view log tells of, by the key of its answer.

    A slice answer counts the views of its slice, a case answer those of all slices of its
    presentation, each at its own stage; every interval counts for the version that was open.
    """
    log = _log(connection)
    times: dict[str, ViewTimes] = {}
    for key, versions in _versions(connection, slice_answer).items():
        times.update(_times(log.get(key, ()), versions, idle_limit))
    for key, versions in _versions(connection, case_answer).items():
        times.update(_times(log.get(key, ()), versions, idle_limit))
    return times


def _log(connection: Connection) -> dict[_Key, list[ViewInterval]]:
    """The view log by presentation, slice and stage, and again by presentation and stage."""
    log: dict[_Key, list[ViewInterval]] = defaultdict(list)
    for row in connection.execute(select(view_log).order_by(view_log.c.reader_id, view_log.c.number)):
        interval = interval_of(row)
        log[interval.presentation_id, interval.slice_id, interval.stage].append(interval)
        log[interval.presentation_id, _WHOLE_CASE, interval.stage].append(interval)
    return log


def _versions(connection: Connection, answer: Table) -> dict[_Key, list[Row[Any]]]:
    t = answer.c
    whose = [t.slice_id] if "slice_id" in t else []
    query = select(t.id, t.presentation_id, t.stage, t.closed_utc, *whose)
    versions: dict[_Key, list[Row[Any]]] = defaultdict(list)
    for row in connection.execute(query.where(t.presentation_id.is_not(None)).order_by(t.version)):
        versions[row.presentation_id, row.slice_id if whose else _WHOLE_CASE, row.stage].append(row)
    return versions


def _times(
    intervals: Sequence[ViewInterval], versions: Sequence[Row[Any]], idle_limit: float
) -> dict[str, ViewTimes]:
    parts = parted_by_version(intervals, [row.closed_utc for row in versions])
    return {
        row.id: ViewTimes(active_total(part, idle_limit=idle_limit), first_mark_seconds(part))
        for row, part in zip(versions, parts, strict=True)
        if part
    }
