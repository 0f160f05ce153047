"""The threads behind a window."""

from dataclasses import dataclass

from nova_review.ui.tasks import Worker


@dataclass(frozen=True, slots=True)
class Workers:
    """One thread writes, another reads and decodes: a save never waits behind a picture.

    Numbers are made in a third, so that pictures do not wait behind them.
    """

    write: Worker
    read: Worker
    analysis: Worker

    def close(self) -> None:
        """Wait for what was given to them, then end them all."""
        self.analysis.close()
        self.read.close()
        self.write.close()


def start_workers() -> Workers:
    """Start them; a thread begins with its first work."""
    return Workers(write=Worker("write"), read=Worker("read"), analysis=Worker("analysis"))
