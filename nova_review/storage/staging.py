"""A file built beside its place and moved there when it is whole; nothing is left where that fails."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from nova_review.domain.errors import StorageError


@contextmanager
def staged(file: Path) -> Iterator[Path]:
    """Yield the path to build at; at the end it takes the place of `file`, also after a power cut.

    Raises StorageError if it cannot be moved there.
    """
    half = file.with_name(f".{file.name}.{uuid4().hex}.part")
    try:
        yield half
        _put(half, file)
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            with suppress(OSError):
                half.with_name(half.name + suffix).unlink(missing_ok=True)


def _put(half: Path, file: Path) -> None:
    try:
        _sync(half)
        os.replace(half, file)
        _sync(file.parent)
    except OSError as error:
        raise StorageError(f"{file} cannot be written: {error.strerror}. Nothing was left behind.") from error


def _sync(path: Path) -> None:
    with suppress(PermissionError, IsADirectoryError):  # folders cannot be opened on every system
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
