"""The top of the command line: no traceback ever reaches a person."""

import logging
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType

from nova_review.cli.streams import json_text
from nova_review.domain.errors import UserError

DONE, CANNOT, USAGE, STOPPED = 0, 1, 2, 130
log = logging.getLogger(__name__)


def guarded(run: Callable[[], int], *, arguments: Sequence[str], log_file: Path | None) -> int:
    """Run a verb; every failure becomes one sentence on standard error and exit 1.

    A UserError is its own sentence. Anything else is a fault of the program: the way it came goes to
    the log file and the sentence names that. With `--json` the sentence is also the one object on
    standard output, {"error": sentence}.
    """
    try:
        code = run()
        sys.stdout.flush()
        return code
    except UserError as error:
        return _cannot(str(error), arguments)
    except KeyboardInterrupt:
        sys.stderr.write("Stopped; nothing half-done was kept.\n")
        return STOPPED
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115  until the process ends
        return CANNOT  # whoever read our output has gone
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


def _cannot(sentence: str, arguments: Sequence[str]) -> int:
    one_line = " ".join(sentence.split())
    sys.stderr.write(one_line + "\n")
    if "--json" in arguments:
        sys.stdout.write(json_text({"error": one_line}) + "\n")
    return CANNOT
