"""A set against several references in turn: the mean of its scores; and scores that may not be told."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from nova_review.analysis.dialects.scores import Score, Task
from nova_review.analysis.estimate import counted


def withheld(scores: Sequence[Score], reason: str) -> tuple[Score, ...]:
    """Return the scores without their values, which may not be told: `reason` stands in their place."""
    return tuple(
        replace(s, value=np.nan, replicates=np.full_like(s.replicates, np.nan), missing=reason, trials=None)
        for s in scores
    )


def averaged(each: Sequence[Sequence[Score]], *, involved: int) -> tuple[Score, ...]:
    """Return the mean of each score over several references, draw by draw.

    References for which a score is undefined are left out of its mean. A draw in which one of the
    others is undefined is undefined. n is `involved`, the units that stand beside any reference.
    """
    if len(each) == 1:
        return tuple(each[0])
    by_key: dict[tuple[Task, str, float | str | None, str], list[Score]] = {}
    for scores in each:
        for s in scores:
            by_key.setdefault((s.task, s.metric, s.threshold, s.group), []).append(s)
    return tuple(_mean(found, involved) for found in by_key.values())


def _mean(found: Sequence[Score], involved: int) -> Score:
    good = [s for s in found if np.isfinite(s.value)]
    if not good:
        return replace(found[0], n=involved)
    return replace(
        good[0],
        value=float(np.mean([s.value for s in good])),
        replicates=np.stack([s.replicates for s in good]).mean(axis=0),
        n=involved,
        definition=f"{good[0].definition}; mean over {counted(len(good), 'other reader')} as reference",
        trials=None,
    )
