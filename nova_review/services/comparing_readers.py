"""How far the readers of each slice agree, for filters such as "wrong where readers agreed"."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from nova_review.analysis.boxes import BoxRow, FloatArray, read_boxes
from nova_review.analysis.pairs import match_pairs, pair_readings
from nova_review.domain.snapshot import StudySnapshot
from nova_review.services.agreement_readings import SliceFacts, clipped_to_slices
from nova_review.services.answer_sets import AnswerSet, reader_sets
from nova_review.services.comparing_views import ReadersAgreement

if TYPE_CHECKING:
    from nova_review.services.comparing_content import ComparedPlace

READERS_IOU = 0.3
READERS_F1 = 0.5
"""From this F1 at READERS_IOU on the readers of a slice are said to have agreed."""


def readers_f1(snapshot: StudySnapshot, places: "Sequence[ComparedPlace]") -> FloatArray:
    """Return (S,) F1 = 2 TP / (n + m) at IoU .3, summed over all pairs of readers of each slice.

    1 where all of them found nothing; NaN where fewer than two readers answered. Readers who answered
    in several arms count with the first.
    """
    read = read_boxes(_rows(_readers(snapshot), places), slices=[("/".join(p.key), p.case) for p in places])
    pairs = pair_readings(clipped_to_slices(read, [_facts(p) for p in places]))
    matches = match_pairs(pairs, threshold=READERS_IOU)
    count = len(places)
    compared = np.bincount(pairs.slice, minlength=count)
    boxes = np.bincount(pairs.slice, (pairs.n + pairs.m).astype(float), minlength=count)
    hits = np.bincount(pairs.slice, matches.tp.astype(float), minlength=count)
    f1 = np.where(boxes > 0, 2 * hits / np.maximum(boxes, 1), 1.0)
    return np.where(compared > 0, f1, np.nan)


def readers_agreement(f1: float) -> ReadersAgreement:
    """Return the word for an F1 of `readers_f1`."""
    if np.isnan(f1):
        return ReadersAgreement.UNDEFINED
    return ReadersAgreement.AGREED if f1 >= READERS_F1 else ReadersAgreement.DISAGREED


def _readers(snapshot: StudySnapshot) -> list[AnswerSet]:
    """One set a reader: that of his first arm."""
    found: dict[str, AnswerSet] = {}
    for one in reader_sets(snapshot):
        found.setdefault(one.name.partition(".")[0], one)
    return list(found.values())


def _rows(readers: Sequence[AnswerSet], places: "Sequence[ComparedPlace]") -> list[BoxRow]:
    rows: list[BoxRow] = []
    for one in readers:
        for place in places:
            answer = one.answers.get(place.key)
            if answer is None or answer.boxes is None:
                continue
            name = "/".join(place.key)
            case = place.case
            rows.append((name, case, one.name, None))
            rows += [(name, case, one.name, b.box) for b in answer.boxes]
    return rows


def _facts(place: "ComparedPlace") -> SliceFacts:
    return SliceFacts("/".join(place.key), *place.key, place.case, size=place.size)
