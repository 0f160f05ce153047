"""An exception that nobody caught, told to the person at the window in one calm sentence.

The hook that stood before goes on to write the log; this one only adds the sentence. It may be
called in any thread, so the sentence travels by signal to the window's own.
"""

import sys
from collections.abc import Callable
from types import TracebackType

from PySide6.QtCore import QObject, Qt, Signal

FAULT = (
    "Something in the program went wrong just now. What is saved stays saved, and you can go on; "
    "`nova-review doctor` names the log file that tells the rest."
)

Hook = Callable[[type[BaseException], BaseException, TracebackType | None], object]


class FaultTeller(QObject):
    """Stands in `sys.excepthook` and hands `FAULT` to `tell`, in the thread that made this object.

    Signals: fault_met() when an exception came that nobody caught.
    """

    fault_met = Signal()

    def __init__(self, tell: Callable[[str], None]) -> None:
        super().__init__()
        self._tell = tell
        self._before: Hook = sys.excepthook
        self.fault_met.connect(self._on_fault, Qt.ConnectionType.QueuedConnection)
        sys.excepthook = self._hook

    def end(self) -> None:
        """Give the place back to the hook that stood before."""
        sys.excepthook = self._before

    def _hook(self, kind: type[BaseException], error: BaseException, way: TracebackType | None) -> None:
        self._before(kind, error, way)
        if issubclass(kind, Exception):  # neither Ctrl+C in the terminal nor the end of the program
            self.fault_met.emit()

    def _on_fault(self) -> None:
        self._tell(FAULT)
