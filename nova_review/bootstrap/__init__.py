"""THE COMPOSITION ROOT: puts the house together; the only package that sees every layer.

`house` makes the services, `doors` the window's ways to a study. Nothing is imported before it is
needed: no verb pays for Qt, and opening a study does not pay for the verbs.
"""

import sys
from collections.abc import Sequence

from nova_review.bootstrap.house import HouseServices
from nova_review.cli.guard import guarded
from nova_review.cli.quick_open import quick_open
from nova_review.cli.streams import make_streams_safe
from nova_review.services.log_file import start_logging


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program and return its exit code: 0 done, 1 cannot be done, 2 not understood."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    make_streams_safe(sys.stdout, sys.stderr)
    services = HouseServices(log_file=start_logging())
    return guarded(lambda: _run(given, services), arguments=given, log_file=services.log_file)


def _run(arguments: list[str], services: HouseServices) -> int:
    wanted = quick_open(arguments)
    if wanted is not None:
        return services.open_window(wanted.file, wanted.reader)
    from nova_review.cli.app import run_verb  # slow import

    return run_verb(arguments, services)
