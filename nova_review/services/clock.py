"""The clocks of the computer, behind the port `ports.Clock`."""

import time
from datetime import UTC, datetime


class SystemClock:
    """Wall-clock time for the record, monotonic time for durations."""

    def utc_now(self) -> str:
        """Return the time in UTC, ISO 8601 with microseconds, ending in "Z"."""
        return datetime.now(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")

    def monotonic(self) -> float:
        """Return seconds of a clock that never goes back; comparable within one process only."""
        return time.monotonic()
