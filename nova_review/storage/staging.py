"""A file built beside its place and moved there when it is whole; nothing is left where that fails."""

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from uuid import uuid4

from nova_review.domain.errors import StorageError
from nova_review.services.new_file import move_to_new


@contextmanager
def staged(file: Path, *, move: Callable[[Path, Path], None] = move_to_new) -> Iterator[Path]:
    """Yield the path to build at; at the end it becomes `file`, also after a power cut.

    Raises StorageError if it cannot be moved there: with the plain `move`, where a file is there by
    then; `os.replace` takes the place of one.
    """
    half = file.with_name(f".{file.name}.{uuid4().hex}.part")
    try:
        yield half
        _put(half, file, move)
    finally:
        for suffix in ("", "-wal", "-shm", "-journal"):
            with suppress(OSError):
                half.with_name(half.name + suffix).unlink(missing_ok=True)


def _put(half: Path, file: Path, move: Callable[[Path, Path], None]) -> None:
    try:
        _sync(half)
        move(half, file)
        _sync(file.parent)
    except FileExistsError as error:
        raise StorageError(f"{file} exists already. Choose another name.") from error
    except OSError as error:
        raise StorageError(f"{file} cannot be written: {error.strerror}. Nothing was left behind.") from error


def _sync(path: Path) -> None:
    with suppress(PermissionError, IsADirectoryError):  # folders cannot be opened on every system
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
