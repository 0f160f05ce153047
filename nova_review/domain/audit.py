"""What is written down about the course of a study: views, audit entries, deviations.

Wall-clock times are UTC in ISO 8601; durations come from a monotonic clock, so that a
clock set back never makes one negative.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum


class ViewKind(StrEnum):
    """Why an interval of the view log ended or what it notes."""

    VISIBLE = "visible"
    FIRST_MARK = "first-mark"
    PAUSE = "pause"


class DeviationKind(StrEnum):
    """What departed from the protocol."""

    INTERRUPTED = "interrupted"
    UNBLINDED = "unblinded"
    CRASH = "crash"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class ViewInterval:
    """One raw interval in which a slice stood on the screen (or one instant in it).

    Times in seconds of one process's monotonic clock; `process` is a random id of that
    process, since clocks of two processes cannot be compared. `last_input` is the time of
    the last key or mouse input. `view` is the window, zoom and interpolation as JSON text.
    """

    presentation_id: str
    slice_id: str
    stage: int
    kind: ViewKind
    started_utc: str
    process: str
    started: float
    ended: float
    last_input: float
    focused_seconds: float
    view: str


@dataclass(frozen=True, slots=True)
class AuditEntry:
    """One deliberate act: lock, submit, reopen, close, import, export, early look."""

    action: str
    who: str
    at_utc: str
    reason: str
    details: str


def active_seconds(interval: ViewInterval, *, idle_limit: float) -> float:
    """Return the active time of an interval: up to `idle_limit` after the last input, in seconds."""
    span = max(0.0, interval.ended - interval.started)
    until_idle = max(0.0, interval.last_input - interval.started) + idle_limit
    return min(span, until_idle, max(0.0, interval.focused_seconds))


def active_total(intervals: Iterable[ViewInterval], *, idle_limit: float) -> float:
    """Return the active time of all visible intervals, in seconds."""
    return sum(active_seconds(i, idle_limit=idle_limit) for i in intervals if i.kind is ViewKind.VISIBLE)


def first_mark_seconds(intervals: Sequence[ViewInterval]) -> float | None:
    """Return how long after its first appearance a slice got its first mark; None without a mark.

    A FIRST_MARK interval ends at the mark; it may begin there or where the slice appeared. All
    instants are of the process of the mark, since only its clock can compare them.
    """
    mark = next((i for i in intervals if i.kind is ViewKind.FIRST_MARK), None)
    if mark is None:
        return None
    starts = [i.started for i in intervals if i.process == mark.process and i.kind is ViewKind.VISIBLE]
    return max(0.0, mark.ended - min([mark.started, *starts]))


def parted_by_version(
    intervals: Iterable[ViewInterval], closings: Sequence[str | None]
) -> tuple[tuple[ViewInterval, ...], ...]:
    """Return for each version of an answer the intervals that began while it was the open one.

    `closings` are the UTC times at which the versions were closed, in order (None = still open).
    What was looked at after the last closing belongs to no version.
    """
    parts: list[list[ViewInterval]] = [[] for _ in closings]
    for interval in intervals:
        for part, closed in zip(parts, closings, strict=True):
            if closed is None or interval.started_utc <= closed:
                part.append(interval)
                break
    return tuple(tuple(part) for part in parts)
