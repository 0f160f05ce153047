"""What kind of file is this: told from its first bytes, before anything heavy is loaded."""

import stat
from pathlib import Path

from nova_review.domain.errors import StorageError

APPLICATION_ID = 0x4E4F5641  # "NOVA"
_MAGIC = b"SQLite format 3\x00"
_HEADER = 100


def schema_version_of(path: Path, *, newest: int) -> int:
    """Return the schema version of a study file.

    Raises StorageError if there is no such file, it is no file or not a study, or it was written by a
    newer program (its schema version is above `newest`).
    """
    head = _head(path)
    if not head.startswith(_MAGIC) or len(head) < _HEADER:
        raise StorageError(f"{path} is not a study file. Choose a file that this program made (FILE.nova).")
    if _number(head, 68) != APPLICATION_ID:
        raise StorageError(
            f"{path} is a database of another program, not a study. Choose a file that this program made."
        )
    version = _number(head, 60)
    if version > newest:
        raise StorageError(
            f"{path} was written by a newer version of this program (file format {version}, "
            f"this version reads up to {newest}). Update the program, then open the file again."
        )
    return version


def _head(path: Path) -> bytes:
    try:
        # Asked first: opening a pipe waits for somebody to write to it.
        if not _is_file_or_folder(path):
            raise StorageError(f"{path} is no regular file (a pipe, a socket or a device), so no study.")
        with path.open("rb") as file:
            return file.read(_HEADER)
    except FileNotFoundError:
        raise StorageError(f"There is no file {path}. Check the name.") from None
    except IsADirectoryError:
        raise StorageError(f"{path} is a folder, not a study file.") from None
    except OSError as error:
        raise StorageError(f"{path} cannot be read: {error.strerror}.") from error


def _is_file_or_folder(path: Path) -> bool:
    mode = path.stat().st_mode
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


def _number(head: bytes, offset: int) -> int:
    return int.from_bytes(head[offset : offset + 4], "big")
