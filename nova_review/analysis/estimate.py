"""One number with its interval, or the reason why there is none."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Estimate:
    """A value with its 95% interval.

    Attributes
    ----------
    value : the number, None where it is undefined (never 0, -1 or NaN in its place)
    low, high : the interval, None where there is none
    n : slices that the number rests on
    dropped : resamples in which the number was undefined; the interval is that of the others
    undefined_because : why `value`, or else why the interval, is None; None if both are there
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    dropped: int = 0
    undefined_because: str | None = None


def undefined(reason: str, *, n: int = 0) -> Estimate:
    """Return the estimate of a number that does not exist, with the reason in words."""
    return Estimate(value=None, n=n, undefined_because=reason)


def counted(number: int, word: str) -> str:
    """Return "1 case", "2 cases"."""
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def estimate_object(estimate: Estimate) -> dict[str, float | int | str | None]:
    """Return the estimate as a JSON object with the names of its attributes as keys."""
    return {
        "value": estimate.value,
        "low": estimate.low,
        "high": estimate.high,
        "n": estimate.n,
        "dropped": estimate.dropped,
        "undefined_because": estimate.undefined_because,
    }
