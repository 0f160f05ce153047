"""The clocks of the computer, behind the port `ports.Clock`."""

import time
from datetime import UTC, datetime, timedelta


def _wall() -> datetime:
    return datetime.now(UTC)


_BEGAN, _BEGAN_STEADY = _wall(), time.monotonic()


class SystemClock:
    """Wall-clock time for the record, monotonic time for durations.

    While the program runs the record's time never goes back, though somebody may set the computer's
    clock back: what was closed after it was looked at stays so.
    """

    def utc_now(self) -> str:
        """Return the time in UTC, ISO 8601 with microseconds, ending in "Z"."""
        steady = _BEGAN + timedelta(seconds=time.monotonic() - _BEGAN_STEADY)
        return max(_wall(), steady).isoformat(timespec="microseconds").replace("+00:00", "Z")

    def monotonic(self) -> float:
        """Return seconds of a clock that never goes back; comparable within one process only."""
        return time.monotonic()
