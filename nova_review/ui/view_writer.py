"""Sends view intervals to the study file; what cannot be written now is tried with the next one."""

from collections import deque
from collections.abc import Sequence
from typing import Protocol as Port

from PySide6.QtCore import QObject, QTimer

from nova_review.domain.audit import ViewInterval
from nova_review.domain.errors import NovaReviewError
from nova_review.ui.tasks import Worker

DELAY_MS = 800
"""Slices looked at one after the other within this time are written together."""


class ViewLog(Port):
    """Where views go: a desk."""

    def log_view(self, *intervals: ViewInterval) -> None:
        """Append views, all or none."""
        ...


class ViewWriter(QObject):
    """Appends to the view log in the write worker, in order, a moment after the slice was painted.

    Call `flush` before an answer is saved: its times are derived from the log.
    """

    def __init__(self, desk: ViewLog, worker: Worker, parent: QObject) -> None:
        super().__init__(parent)
        self._desk = desk
        self._delay = QTimer(self)
        self._delay.setSingleShot(True)
        self._delay.setInterval(DELAY_MS)
        self._delay.timeout.connect(self.flush)
        self._worker = worker
        self._waiting: deque[ViewInterval] = deque()
        self._is_writing = False

    @property
    def is_idle(self) -> bool:
        """Whether no interval is on its way."""
        return not (self._is_writing or self._delay.isActive())

    def add(self, interval: ViewInterval) -> None:
        """Write an interval after those that wait."""
        if self._waiting and not self._is_writing and _is_end_of(self._waiting[-1], interval):
            self._waiting.pop()
        self._waiting.append(interval)
        if not self._delay.isActive():
            self._delay.start()

    def flush(self) -> None:
        """Write what waits, now."""
        self._delay.stop()
        if self._waiting and not self._is_writing:
            self._start()

    def stop(self) -> None:
        """The window has closed."""
        self._delay.stop()

    def _start(self) -> None:
        self._is_writing = True
        batch = tuple(self._waiting)
        self._worker.run(lambda: _write(self._desk, batch), done=self._on_written, failed=self._on_failed)

    def _on_written(self, count: int) -> None:
        for _ in range(count):
            self._waiting.popleft()
        self._is_writing = False
        if self._waiting and count and not self._delay.isActive():
            self._delay.start()

    def _on_failed(self, _error: NovaReviewError) -> None:
        self._is_writing = False  # the saver tells of a file that cannot be written


def _is_end_of(noted: ViewInterval, interval: ViewInterval) -> bool:
    """Whether this is the whole of what was noted at its beginning and is not written yet."""
    same = (noted.slice_id, noted.kind, noted.started) == (interval.slice_id, interval.kind, interval.started)
    return same and noted.ended == noted.started


def _write(desk: ViewLog, batch: Sequence[ViewInterval]) -> int:
    """Write what waits, in one transaction; return how many were written."""
    try:
        desk.log_view(*batch)
    except NovaReviewError:
        return 0
    return len(batch)
