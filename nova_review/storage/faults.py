"""What went wrong in the database, said in sentences for people."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.exc import DBAPIError, IntegrityError, TimeoutError

from nova_review.domain.errors import BugError, ConflictError, NovaReviewError, StorageError
from nova_review.storage.guards import APPEND_MESSAGE, CLOSED_MESSAGE

_SENTENCES = {
    "SQLITE_FULL": "The disk is full: {path} was not changed. "
    "Make room and try again; nothing that was saved is lost.",
    "SQLITE_READONLY": "{path} cannot be written (read-only file or folder). Nothing was changed. "
    "Make it writable, or work on a copy.",
    "SQLITE_BUSY": "Another program is writing to {path}. Nothing was changed; try again in a moment.",
    "SQLITE_LOCKED": "Another program is writing to {path}. Nothing was changed; try again in a moment.",
    # Even looking needs a little room, for the table of who reads and writes.
    "SQLITE_IOERR_SHMSIZE": "The disk is full: {path} was not changed. "
    "Make room and try again; nothing that was saved is lost.",
    "SQLITE_IOERR": "The disk reported an error at {path}; the last change was not saved. "
    "Check that the disk is connected and has room, then try again.",
    "SQLITE_CORRUPT": "{path} is damaged. Do not write to it; go back to your newest copy of the study.",
    "SQLITE_NOTADB": "{path} is not a study file, or it is damaged. Choose another file.",
    "SQLITE_CANTOPEN": "{path} cannot be opened. "
    "Check that the file and its folder exist and may be read and written.",
    "SQLITE_PERM": "{path} may not be opened by you. Ask its owner for access.",
    "SQLITE_TOOBIG": "A text or picture is too large to be stored in {path}.",
    "SQLITE_NOMEM": "The computer has run out of memory; {path} was not changed. "
    "Close other programs and try again.",
}


_PG_UNIQUE = "23505"


def sentence_for(error: BaseException, path: object) -> NovaReviewError:
    """Return the error of ours that says what a database error means for the person."""
    name = getattr(error, "sqlite_errorname", "") or ""
    text = str(error)
    if CLOSED_MESSAGE in text:
        return ConflictError("This version is already closed and never changes; nothing was written.")
    if APPEND_MESSAGE in text:
        return BugError(f"an entry of a log was to be changed ({text})")
    for code, sentence in _SENTENCES.items():
        if name.startswith(code):
            return StorageError(sentence.format(path=path))
    if "UNIQUE" in name or "PRIMARYKEY" in name or getattr(error, "sqlstate", "") == _PG_UNIQUE:
        return ConflictError("The same record was written elsewhere in the meantime; nothing was written.")
    return BugError(f"the database refused a statement ({text})")


@contextmanager
def spoken(path: object) -> Iterator[None]:
    """Turn database errors of the block into errors of ours."""
    try:
        yield
    except TimeoutError as error:
        raise StorageError(f"{path} is busy. Nothing was changed; try again in a moment.") from error
    except IntegrityError as error:
        raise sentence_for(error.orig or error, path) from error
    except DBAPIError as error:
        raise sentence_for(error.orig or error, path) from error
    except sqlite3.Error as error:
        raise sentence_for(error, path) from error
