"""Pictures of a study for pages that open after its database lock, bound to no reader."""

from nova_review.services.reading_records import ImageRow
from nova_review.storage.reading_store import SqlReaderRows, Study


class SqlSlicePictures:
    """A `services.agreement_desk.PictureRows` on one open study."""

    def __init__(self, store: Study) -> None:
        self._store = store

    def image(self, slice_id: str) -> tuple[ImageRow | None, bytes | None]:
        """Return the row of a slice's picture, and its bytes where the study file holds them."""
        with self._store.read() as connection:
            rows = SqlReaderRows(connection, "", study_file=self._store.path)
            row = rows.image(slice_id)
            return row, rows.image_bytes(slice_id) if row is not None and row.embedded else None
