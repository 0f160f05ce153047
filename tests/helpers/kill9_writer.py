"""A program that saves drafts without end, and says each one once it is stored.

`python -m tests.helpers.kill9_writer FILE READER_ID [COUNT]` prints "ready", then the revision of
every acknowledged save; after COUNT saves it closes its desk and ends.
"""

import sys
from itertools import count, islice
from pathlib import Path

from nova_review.domain.geometry import Box
from nova_review.domain.reading import Finding, Outcome, SliceAnswer
from nova_review.services.ports import Place
from nova_review.storage.engine import open_store
from nova_review.storage.reading_store import SqlReadingStore
from tests.helpers.desks import open_memory_desk, places_of


def numbered(number: int) -> SliceAnswer:
    """The answer of save `number`: as many boxes as its last digit says, each with the number as label."""
    findings = tuple(
        Finding(f"f-{i}", Box(i + 0.1, number + 0.2, 3.3, 4.4), str(number)) for i in range(1 + number % 10)
    )
    return SliceAnswer(findings, outcome=Outcome.FINDINGS)


def main(file: str, reader_id: str, saves: str = "") -> None:
    """Save the first slice of this reader again and again."""
    with open_store(Path(file)) as store:
        desk = open_memory_desk(SqlReadingStore(store), reader_id=reader_id, seed=5)
        place: Place = places_of(desk.worklist().entries[0])[0]
        revision = desk.open_slice(place).revision
        print("ready", flush=True)
        for number in islice(count(revision + 1), int(saves) if saves else None):
            revision = desk.save_slice(place, numbered(number), revision=revision).revision
            print(revision, flush=True)
        desk.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
