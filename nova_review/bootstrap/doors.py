"""The window's ways to a study, over storage, formats and services. Imported when a window opens."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from nova_review.bootstrap.page_doors import PageDoors, PageServices
from nova_review.domain.errors import UserError
from nova_review.services.clock import SystemClock
from nova_review.ui.window import StudyDoor

if TYPE_CHECKING:
    from nova_review.services.agreement import AgreementService
    from nova_review.services.judgements import JudgementService
    from nova_review.services.ports import Progress, ReadingDesk
    from nova_review.services.predictions import PredictionService
    from nova_review.services.readings import DeskReader
    from nova_review.services.scoring import ScoringService
    from nova_review.services.studies import StudyService
    from nova_review.storage.engine import Store
    from nova_review.storage.reading_store import SqlReadingStore
    from nova_review.ui.who_reads import DoorReader

MakeStudy = Callable[[Path, Path, tuple[str, ...], "Progress"], None]
MakeDemo = Callable[["Progress"], Path]


class HouseDoors:
    """Opens studies for the window (`ui.window.StudyDoors`) and gives the files back at the end."""

    def __init__(
        self,
        *,
        make_study: MakeStudy,
        make_demo: MakeDemo,
        agreement: Callable[[], AgreementService],
        predictions: Callable[[], PredictionService] | None = None,
        judging: Callable[[], JudgementService] | None = None,
        scoring: Callable[[], ScoringService] | None = None,
        studies: Callable[[], StudyService] | None = None,
    ) -> None:
        self._services = PageServices(agreement, predictions, judging, scoring, studies)
        self._make_study = make_study
        self._make_demo = make_demo
        self._stores: list[Store] = []

    def open(self, file: Path) -> StudyDoor:
        """Open a study file; its name stands for its title until a reader has sat down."""
        from nova_review.services.readings import desk_readers  # slow import, while the window is painted
        from nova_review.storage.engine import open_store  # slow import, while the window is painted
        from nova_review.storage.reading_store import SqlReadingStore  # slow import, as above

        store = open_store(file)
        self._stores.append(store)
        rows = SqlReadingStore(store)
        return StudyDoor(
            title=file.stem,
            readers=tuple(_door_reader(one) for one in desk_readers(rows)),
            is_whole_study=True,
            desk_for=lambda reader: desk_of(rows, reader),
            pages=PageDoors(file, store, rows.phase, self._services).doors(),
        )

    def demo(self) -> StudyDoor:
        """Open this person's own copy of the demo study."""
        return self.open(self._make_demo(_go_on))

    def make(self, data_set: Path, file: Path, readers: tuple[str, ...], progress: Progress) -> StudyDoor:
        """Make a study from a data set, under the default protocol, and open it."""
        self._make_study(data_set, file, readers, progress)
        return self.open(file)

    def close(self) -> None:
        """Close every study file that was opened, leaving no -wal beside it."""
        while self._stores:
            self._stores.pop().close()


def desk_of(store: SqlReadingStore, reader: str) -> ReadingDesk:
    """The desk of a reader by id, name or code; UserError where the study has no such reader."""
    from nova_review.formats.images import decode  # slow import, while the window is painted
    from nova_review.services.readings import open_desk  # slow import, while the window is painted

    for one in store.readers():
        if reader in (one.reader.id, one.reader.name, one.reader.code):
            return open_desk(store, one.reader.id, SystemClock(), _new_id, decode)
    raise UserError(f"No reader of this study is called {reader!r}. Open it without --reader to choose one.")


def _door_reader(reader: DeskReader) -> DoorReader:
    from nova_review.ui.who_reads import DoorReader  # slow import, while the window is painted

    return DoorReader(reader.reader_id, reader.name, note=reader.progress)


def _new_id() -> str:
    return str(uuid4())


def _go_on(_done: int, _total: int) -> bool:
    return True
