"""Sends view intervals to the study file; what cannot be written now is tried with the next one."""

from collections import deque
from collections.abc import Sequence

from nova_review.domain.audit import ViewInterval
from nova_review.domain.errors import NovaReviewError
from nova_review.services.ports import ReadingDesk
from nova_review.ui.tasks import Worker


class ViewWriter:
    """Appends to the view log in the write worker, in order."""

    def __init__(self, desk: ReadingDesk, worker: Worker) -> None:
        self._desk = desk
        self._worker = worker
        self._waiting: deque[ViewInterval] = deque()
        self._is_writing = False

    @property
    def is_idle(self) -> bool:
        """Whether no interval is on its way."""
        return not self._is_writing

    def add(self, interval: ViewInterval) -> None:
        """Write an interval after those that wait."""
        self._waiting.append(interval)
        if not self._is_writing:
            self._start()

    def _start(self) -> None:
        self._is_writing = True
        batch = tuple(self._waiting)
        self._worker.run(lambda: _write(self._desk, batch), done=self._on_written, failed=self._on_failed)

    def _on_written(self, count: int) -> None:
        for _ in range(count):
            self._waiting.popleft()
        self._is_writing = False
        if self._waiting and count:
            self._start()

    def _on_failed(self, _error: NovaReviewError) -> None:
        self._is_writing = False  # the saver tells of a file that cannot be written


def _write(desk: ReadingDesk, batch: Sequence[ViewInterval]) -> int:
    """Write what can be written, in order; return how many were."""
    written = 0
    for interval in batch:
        try:
            desk.log_view(interval)
        except NovaReviewError:
            break
        written += 1
    return written
