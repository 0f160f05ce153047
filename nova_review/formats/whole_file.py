"""Writing one file whole or not at all."""

import os
import tempfile
from pathlib import Path

from nova_review.domain.errors import StorageError


def put_file(file: Path, data: bytes) -> None:
    """Write a file beside its place, then move it there; StorageError with nothing changed."""
    half = None
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle, half = tempfile.mkstemp(prefix=f".{file.name}-", dir=file.parent)
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
        os.chmod(half, 0o644)
        os.replace(half, file)
    except OSError as error:
        if half is not None:
            Path(half).unlink(missing_ok=True)
        raise StorageError(f"{file} cannot be written: {error.strerror or error}.") from error
