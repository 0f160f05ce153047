"""The analyst's desk in one study: its agreement and its slices, after the database lock only."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from nova_review.domain.errors import StorageError
from nova_review.services.agreement import AgreementResult, AgreementService
from nova_review.services.agreement_measures import Linked, Measured, linked
from nova_review.services.agreement_readings import AgreementRequest, SliceFacts
from nova_review.services.agreement_tables import Table
from nova_review.services.ports import Picture
from nova_review.services.reading_pictures import Decode, PictureShelf
from nova_review.services.reading_records import ImageRow


class PictureRows(Protocol):
    """Where the pictures of a study are."""

    def image(self, slice_id: str) -> tuple[ImageRow | None, bytes | None]:
        """Return the row of a slice's picture, and its bytes where the study file holds them."""
        ...


class AgreementDesk:
    """What the agreement page asks for. Every method may be called from a worker thread.

    `measure` refuses before the database lock, on every call: nothing else here can be reached
    without its result.
    """

    def __init__(self, file: Path, service: AgreementService, pictures: PictureRows, decode: Decode) -> None:
        self._file = file
        self._service = service
        self._pictures = pictures
        self._shelf = PictureShelf(decode)

    def measure(self, request: AgreementRequest) -> AgreementResult:
        """Return the agreement as the readings stand now; NotAllowedError before the lock."""
        return self._service.measure_study(self._file, request)

    def linked(self, measured: Measured, threshold: float) -> Linked:
        """Return what stands behind the numbers at one threshold."""
        return linked(measured, threshold)

    def picture(self, slice_facts: SliceFacts) -> Picture:
        """Return a slice's picture; raises UserError naming what is wrong with it."""
        row, embedded = self._pictures.image(slice_facts.slice_id)
        return self._shelf.picture(row, embedded, words=slice_facts.file_name)

    def save_table(self, table: Table, file: Path) -> None:
        """Write one table as CSV; StorageError where it cannot be written."""
        try:
            file.write_bytes(self._service.table_bytes(table))
        except OSError as error:
            raise StorageError(f"{file} cannot be written: {error.strerror or error}.") from error

    def write(self, result: AgreementResult, folder: Path) -> tuple[str, ...]:
        """Write all tables and figures into an empty folder; returns their names."""
        return self._service.write(result, folder)


MakeDesk = Callable[[], AgreementDesk]
