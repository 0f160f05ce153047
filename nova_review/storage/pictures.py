"""Where the bytes of a slice's picture come from: out of the study file, or from the data set's folder.

Sentences here are read by a blinded reader: they never name a file.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Connection, Row, select

from nova_review.domain.errors import UserError
from nova_review.storage.schema_secret import data_set_folder, image, slice_file

_ASK = "Tell the coordinator of the study; the other slices can be read meanwhile."


def picture_bytes(connection: Connection, *, study_file: Path, slice_id: str) -> bytes:
    """Return the encoded picture of a slice.

    Embedded bytes first; else the file below the data set's folder, looked for beside the study
    file and then at its absolute place. Raises UserError if it is gone or is not the file that
    the study was made with.
    """
    embedded: bytes | None = connection.scalar(select(image.c.bytes).where(image.c.slice_id == slice_id))
    if embedded is not None:
        return embedded
    row = connection.execute(
        select(
            slice_file.c.image_path,
            slice_file.c.sha256,
            data_set_folder.c.root,
            data_set_folder.c.relative_root,
        )
        .join(data_set_folder, data_set_folder.c.data_set_id == slice_file.c.data_set_id)
        .where(slice_file.c.slice_id == slice_id)
    ).first()
    if row is None or row.image_path is None:
        raise UserError(f"This slice has no picture. {_ASK}")
    return _unchanged_bytes(row, study_file)


def _unchanged_bytes(row: Row[tuple[str | None, str | None, str, str | None]], study_file: Path) -> bytes:
    found = False
    for folder in _folders(row.root, row.relative_root, study_file):
        try:
            content = (folder / str(row.image_path)).read_bytes()
        except OSError:
            continue
        found = True
        if row.sha256 is None or hashlib.sha256(content).hexdigest() == row.sha256:
            return content
    if found:
        raise UserError(f"The picture of this slice has changed since the study was made. {_ASK}")
    raise UserError(f"The picture of this slice is not where it was when the study was made. {_ASK}")


def _folders(root: str, relative_root: str | None, study_file: Path) -> Iterator[Path]:
    if relative_root is not None:
        yield study_file.parent / relative_root
    yield Path(root)
