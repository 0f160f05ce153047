"""`python -m nova_review` and the console script `nova-review`."""

import sys

STOPPED = 130


def main() -> int:
    """Run the program; Ctrl+C is no fault, not even while the program is still being loaded."""
    try:
        from nova_review.bootstrap import main as run  # slow import: it may be stopped too

        return run()
    except KeyboardInterrupt:
        sys.stderr.write("Stopped; nothing half-done was kept.\n")
        return STOPPED


if __name__ == "__main__":
    sys.exit(main())
