"""Work off the window's thread: one worker for writes, another for reading and decoding.

Results come back by signal in the window's thread. The only place of the window where every
exception is caught: a fault inside work reaches the person as one sentence.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, Qt, Signal, Slot

from nova_review.domain.errors import BugError, NovaReviewError

if TYPE_CHECKING:
    from nova_review.services.ports import Progress

_log = logging.getLogger(__name__)
T = TypeVar("T")

Failed = Callable[[NovaReviewError], None]


class Task:
    """One piece of work on its way. `drop()` makes its result go nowhere."""

    __slots__ = ("_dropped", "_future", "deliver", "fail", "progressed")

    def __init__(
        self, deliver: Callable[[Any], None], fail: Failed, progressed: Callable[[int, int], None]
    ) -> None:
        self.deliver = deliver
        self.fail = fail
        self.progressed = progressed
        self._dropped = False
        self._future: Future[None] | None = None

    @property
    def is_dropped(self) -> bool:
        return self._dropped

    def carried_by(self, future: Future[None]) -> None:
        self._future = future

    def drop(self) -> None:
        """Cancel the work if it has not begun; its result is not delivered in any case."""
        self._dropped = True
        if self._future is not None:
            self._future.cancel()


@dataclass(frozen=True, slots=True)
class _Report:
    task: Task
    value: Any = None
    error: NovaReviewError | None = None
    progress: tuple[int, int] | None = None


class Worker(QObject):
    """One thread, first come first served.

    `close()` waits for the work that was given; nothing can be given afterwards.
    """

    _reported = Signal(object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix=name)
        self._reported.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def run(self, work: Callable[[], T], *, done: Callable[[T], None], failed: Failed) -> Task:
        """Do `work` in the thread, then call `done` or `failed` in the window's thread."""
        return self._give(Task(done, failed, _ignore), lambda _progress: work())

    def run_long(
        self,
        work: Callable[[Progress], T],
        *,
        done: Callable[[T], None],
        failed: Failed,
        progressed: Callable[[int, int], None],
    ) -> Task:
        """As `run`, for work that reports progress and stops when its task is dropped."""
        return self._give(Task(done, failed, progressed), work)

    def close(self) -> None:
        """Wait for the work in hand and end the thread."""
        self._pool.shutdown(wait=True)

    def _give(self, task: Task, work: Callable[[Progress], Any]) -> Task:
        task.carried_by(self._pool.submit(self._do, task, work))
        return task

    def _do(self, task: Task, work: Callable[[Progress], Any]) -> None:
        def progress(done: int, total: int) -> bool:
            self._reported.emit(_Report(task, progress=(done, total)))
            return not task.is_dropped

        try:
            report = _Report(task, value=work(progress))
        except NovaReviewError as error:
            report = _Report(task, error=error)
        except Exception as error:  # noqa: BLE001 - a fault in a worker must reach the person as a sentence
            _log.error("A worker failed", exc_info=error)
            report = _Report(task, error=BugError(f"The program made a mistake ({type(error).__name__})."))
        self._reported.emit(report)

    @Slot(object)
    def _deliver(self, report: _Report) -> None:
        if report.task.is_dropped:
            return
        if report.progress is not None:
            report.task.progressed(*report.progress)
        elif report.error is not None:
            report.task.fail(report.error)
        else:
            report.task.deliver(report.value)


def _ignore(_done: int, _total: int) -> None:
    """For work that reports no progress."""
