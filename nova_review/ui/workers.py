"""The two threads behind a window."""

from dataclasses import dataclass

from nova_review.ui.tasks import Worker


@dataclass(frozen=True, slots=True)
class Workers:
    """One thread writes, another reads and decodes: a save never waits behind a picture."""

    write: Worker
    read: Worker

    def close(self) -> None:
        """Wait for what was given to them, then end both."""
        self.read.close()
        self.write.close()


def start_workers() -> Workers:
    """Start both threads."""
    return Workers(write=Worker("write"), read=Worker("read"))
