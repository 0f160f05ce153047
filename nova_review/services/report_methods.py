"""Methods in words, and the sources behind them; the words are in resources/report."""

from collections.abc import Iterator
from string import Template

from nova_review.services.agreement_measures import Measured
from nova_review.services.report_blocks import Block, Heading, Paragraph, References
from nova_review.services.resources import resource


def methods(measured: Measured) -> Iterator[Block]:
    """Yield how everything was measured, for this very result."""
    filled = Template(_words("methods.txt")).substitute(
        thresholds=" and ".join(f"{t:g}" for t in measured.thresholds), intervals=_intervals(measured)
    )
    yield Heading("Methods")
    yield from (Paragraph(" ".join(part.split())) for part in filled.split("\n\n"))
    yield Heading("Sources")
    yield References(tuple(_words("sources.txt").splitlines()))


def _words(name: str) -> str:
    return resource("report", name).read_text(encoding="utf-8").strip()


def _intervals(measured: Measured) -> str:
    bootstrap = measured.agreement.bootstrap
    if not bootstrap.count:
        return "No intervals were asked for."
    return (
        f"95% intervals are percentiles of {bootstrap.count:,} bootstrap resamples of whole "
        f"{bootstrap.unit.value}s [11] (seed {bootstrap.seed}), since slices of one case are not "
        "independent. Resamples in which a number is undefined were dropped and counted. Where all or none "
        "of one answer per case agreed, the interval is exact [12]; where nothing varies otherwise there is "
        "none."
    )
