"""What a verb says: its result on standard output, everything else on standard error."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Annotated, TextIO

import typer

from nova_review.cli.streams import json_text, visible
from nova_review.services.ports import Progress

JsonFlag = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
"""The `--json` of every verb: `def check(..., as_json: JsonFlag = False)`."""


class Output:
    """Where one verb puts its result and its messages.

    With `as_json` the result is one JSON object, else lines for a person. Standard output carries
    nothing but the result.
    """

    def __init__(self, *, as_json: bool, out: TextIO | None = None, err: TextIO | None = None) -> None:
        self._as_json = as_json
        self._out = out or sys.stdout
        self._err = err or sys.stderr

    def result(self, value: Mapping[str, object], lines: Iterable[str]) -> None:
        """Print the result, as the object `value` or as `lines`."""
        text = json_text(value) if self._as_json else "\n".join(map(visible, lines))
        if text:
            self._out.write(text + "\n")

    def say(self, sentence: str) -> None:
        """Tell the person something on the way, on standard error."""
        self._err.write(visible(sentence) + "\n")

    @contextmanager
    def progress(self, what: str) -> Iterator[Progress]:
        """Show a bar for long work on standard error, only where a person looks at it.

        >>> with Output(as_json=True).progress("Reading slices") as report:
        ...     report(1, 2)
        True
        """
        if not self._err.isatty():
            yield _go_on
            return
        from rich.console import Console  # slow import
        from rich.progress import Progress as Bar

        with Bar(console=Console(file=self._err), transient=True) as bar:
            row = bar.add_task(what, total=None)

            def report(done: int, total: int) -> bool:
                bar.update(row, completed=done, total=total)
                return True

            yield report


def _go_on(_done: int, _total: int) -> bool:
    return True
