"""The top of the command line: no traceback ever reaches a person."""

import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

from nova_review.cli.streams import json_text, visible
from nova_review.domain.errors import UserError

DONE, CANNOT, USAGE, STOPPED = 0, 1, 2, 130
log = logging.getLogger(__name__)


def guarded(run: Callable[[], int], *, arguments: Sequence[str], log_file: Path | None) -> int:
    """Run a verb; every failure becomes one sentence on standard error and exit 1.

    A UserError is its own sentence, and what the system refuses (a name that is too long, no right to
    a folder, no memory) is told as such. Anything else is a fault of the program: the way it came goes
    to the log file and the sentence names that. With `--json` the sentence is also the one object on
    standard output, {"error": sentence}.
    """
    try:
        code = run()
        sys.stdout.flush()
        return code
    except UserError as error:
        return _cannot(str(error), arguments)
    except KeyboardInterrupt:
        _cannot("Stopped; nothing half-done was kept.", arguments)
        return STOPPED
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  until the process ends
        return CANNOT  # whoever read our output has gone
    except OSError as error:
        log.exception("the system refused something to a verb")
        return _cannot(_refused(error, arguments), arguments)
    except UnicodeEncodeError:
        log.exception("a text that is no text")
        sentence = "A name or a path is not valid UTF-8, so it cannot be stored. Rename it and try again."
        return _cannot(sentence, arguments)
    except MemoryError:
        log.exception("a verb ran out of memory")
        return _cannot("The computer has not enough memory for this. Close other programs.", arguments)
    except Exception:  # the top of the command line
        log.exception("a verb failed")
        return _cannot(fault_sentence(log_file), arguments)


def fault_hook(
    log_file: Path | None,
) -> Callable[[type[BaseException], BaseException, TracebackType | None], None]:
    """What the interpreter calls for an exception that nobody caught, e.g. in an event of the window."""

    def hook(kind: type[BaseException], error: BaseException, way: TracebackType | None) -> None:
        log.error("an exception that nobody caught", exc_info=(kind, error, way))
        sys.stderr.write(fault_sentence(log_file) + "\n")

    return hook


def fault_sentence(log_file: Path | None) -> str:
    """What a person is told of a fault of the program."""
    where = f"what happened is in {log_file}" if log_file else "no log could be written"
    return f"A fault in the program stopped this ({where}); please report it."


def _refused(error: OSError, arguments: Sequence[str]) -> str:
    """What the system refused; a file is named only where the person named it (or a folder above it).

    Any other name could be one that a blinded reader must not see.
    """
    why = error.strerror or "the system refused it"
    file = os.fsdecode(error.filename) if isinstance(error.filename, str | bytes) else ""
    if file and any(file == a or file.startswith(os.path.join(a, "")) for a in arguments if a):
        return f"{file} cannot be used: {why}."
    return f"A file or folder cannot be used: {why}."


def _cannot(sentence: str, arguments: Sequence[str]) -> int:
    one_line = visible(" ".join(sentence.split()))
    sys.stderr.write(one_line + "\n")
    if "--json" in arguments:
        sys.stdout.write(json_text({"error": one_line}) + "\n")
    return CANNOT
