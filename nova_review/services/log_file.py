"""The program's log: a file for finding faults, which holds nothing of a study.

A log lies open to whoever uses the machine next, so it must not tell what anyone saw, drew or wrote:
no file name of a slice, no label, no caption, no reader. Code logs what it did, never with what; of
an exception the place is kept and its text only where that can speak of nothing but code.
"""

import logging
import logging.handlers
import traceback
import warnings
from pathlib import Path
from types import TracebackType
from typing import TextIO

import platformdirs

from nova_review.domain.errors import BugError

LOG_NAME = "nova-review.log"
_LARGEST = 500_000  # bytes; three older files are kept beside it
_SPEAKS_OF_CODE = (ImportError, AttributeError, NameError, TypeError, MemoryError, RecursionError, BugError)
_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def log_path() -> Path:
    """The log file in this person's own log folder."""
    return Path(platformdirs.user_log_dir("nova-review", appauthor=False)) / LOG_NAME


def start_logging(path: Path | None = None) -> Path | None:
    """Send the log records of the program to its file; None where that cannot be written.

    Without a file the program works on: records of level WARNING and above are dropped, for they must
    not appear between the lines of a verb's output.
    """
    target = path or log_path()
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    warnings.showwarning = _note_warning
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handler: logging.Handler = logging.handlers.RotatingFileHandler(
            target, maxBytes=_LARGEST, backupCount=3, encoding="utf-8", errors="backslashreplace"
        )
    except OSError:
        root.addHandler(logging.NullHandler())
        return None
    handler.setFormatter(DiscreetFormatter("%(asctime)s %(levelname)s %(process)d %(name)s: %(message)s"))
    root.addHandler(handler)
    return target


def _note_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Log where a library warned, and not its words: they are for nobody at a terminal, and may quote."""
    logging.getLogger(__name__).warning("%s at %s:%d", category.__name__, filename, lineno)


class DiscreetFormatter(logging.Formatter):
    """Formats an exception with the whole way it came, and without texts that could quote a study."""

    def format(self, record: logging.LogRecord) -> str:
        said_by_others, record.exc_text = record.exc_text, None  # a formatter reuses what another made
        try:
            return super().format(record)
        finally:
            record.exc_text = said_by_others

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802 (logging's name)
        return "".join(_discreet_lines(ei[1])).rstrip("\n") if ei[1] else ""


def _discreet_lines(error: BaseException) -> list[str]:
    """The lines of a traceback, causes first, texts withheld unless they can only speak of code."""
    earlier = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    lines = [*_discreet_lines(earlier), "which led to\n"] if earlier else []
    lines.append("Traceback (most recent call last):\n")
    lines += traceback.format_tb(error.__traceback__)
    return [*lines, _discreet_text(error) + "\n"]


def _discreet_text(error: BaseException) -> str:
    name = f"{type(error).__module__}.{type(error).__qualname__}".removeprefix("builtins.")
    if isinstance(error, _SPEAKS_OF_CODE):
        return f"{name}: {error}"
    if isinstance(error, OSError):
        return f"{name}: {error.strerror or 'no reason given'} (error {error.errno})"
    return f"{name} (its text is withheld: it could quote a study)"
