"""The two clocks: wall-clock time for the record, monotonic time for durations."""

import time
from datetime import UTC, datetime
from typing import Protocol as Port


class Clock(Port):
    """What services know of time."""

    def utc_now(self) -> str:
        """Return the time in UTC, ISO 8601 with microseconds, ending in "Z"."""
        ...

    def monotonic(self) -> float:
        """Return seconds of a clock that never goes back; comparable within one process only."""
        ...


class SystemClock:
    """The clocks of the computer."""

    def utc_now(self) -> str:
        """Return the time in UTC, ISO 8601 with microseconds, ending in "Z"."""
        return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")

    def monotonic(self) -> float:
        """Return seconds of a clock that never goes back."""
        return time.monotonic()
