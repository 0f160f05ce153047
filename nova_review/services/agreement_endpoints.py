"""The endpoints in the order in which they are told: the primary one first, all others exploratory."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from nova_review.analysis.agreement import Agreement
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.registry import Metric, metric
from nova_review.services.agreement_measures import Measured


class Part(StrEnum):
    """What an endpoint tells about; these are reported apart."""

    DETECTION = "Detection"
    LOCALISATION = "Localisation"
    PRESENCE = "Presence"
    COUNT = "Number of boxes"
    DIAGNOSIS = "Diagnosis"
    REPEATS = "Same reader again"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One number with what must be said about it.

    `unit` is what `estimate.n` counts; `low_end` and `high_end` bound it (None: no bound);
    `definition` is one or two sentences with the reference.
    """

    key: str
    title: str
    part: Part
    estimate: Estimate
    definition: str
    is_primary: bool = False
    unit: str = "slice"
    low_end: float | None = 0.0
    high_end: float | None = 1.0


DETECTED = "Of all boxes drawn, the share that another reader has too."


def endpoints(measured: Measured) -> tuple[Endpoint, ...]:
    """Return every endpoint, the primary one first."""
    found = sorted(_all(measured), key=lambda e: list(Part).index(e.part))
    primary = measured.readings.plan.primary_endpoint
    marked = [replace(e, is_primary=True) for e in found if e.key == primary]
    return (*marked, *(e for e in found if e.key != primary))


def _all(measured: Measured) -> Iterator[Endpoint]:
    agreement = measured.agreement
    yield from _detection(agreement)
    yield from _localisation(agreement)
    yield _of("union_dice", "Dice of marked areas", Part.LOCALISATION, measured.dice)
    yield from _presence(agreement)
    yield _of("count_icc", "Number of boxes, ICC(2,1)", Part.COUNT, measured.counts.icc)
    yield from _maps(measured)
    if measured.diagnoses is not None:
        words = (
            "Pairs of readers on a case who put the same diagnosis first, as written. "
            "Synonyms count as different until somebody has judged them."
        )
        title = "Same first diagnosis, as written"
        yield Endpoint("first_diagnosis", title, Part.DIAGNOSIS, measured.diagnoses.same, words, unit="case")
    if measured.intra is not None:
        for b in measured.intra.boxes:
            title, key = f"F1 at IoU {b.threshold:g}, repeated", f"intra_f1@{b.threshold:g}"
            words = f"A reader's repeated against his first readings. {_definition(metric('f1'))}"
            yield Endpoint(key, title, Part.REPEATS, b.f1, words)


def _detection(agreement: Agreement) -> Iterator[Endpoint]:
    for b in agreement.boxes:
        words = f"{DETECTED} Boxes match from an IoU of {b.threshold:g} on."
        yield _of("f1", f"F1 at IoU {b.threshold:g}", Part.DETECTION, b.f1, at=b.threshold, lead=words)
    title = "Alpha of box sets"
    lead = "Chance-corrected: 1 is perfect, 0 what boxes of other slices would give."
    yield _of("set_alpha", title, Part.DETECTION, agreement.set_alpha, lead=lead)


def _localisation(agreement: Agreement) -> Iterator[Endpoint]:
    for b in agreement.boxes:
        lead = "Mean IoU of the boxes that match."
        title = f"Matched IoU at IoU {b.threshold:g}"
        yield _of("matched_iou", title, Part.LOCALISATION, b.matched_iou, at=b.threshold, lead=lead)
    for b in agreement.boxes:
        lead = "Detection and localisation in one: F1 times matched IoU."
        title = f"Panoptic quality at IoU {b.threshold:g}"
        yield _of("pq", title, Part.LOCALISATION, b.pq, at=b.threshold, lead=lead)


def _presence(agreement: Agreement) -> Iterator[Endpoint]:
    found = agreement.presence
    yield _of("positive_agreement", "Positive agreement", Part.PRESENCE, found.positive_agreement)
    yield _of("negative_agreement", "Negative agreement", Part.PRESENCE, found.negative_agreement)
    yield _of("kappa", f"Kappa ({found.kappa_of})", Part.PRESENCE, found.kappa)
    yield _of("ac1", "Gwet's AC1", Part.PRESENCE, found.ac1)


def _maps(measured: Measured) -> Iterator[Endpoint]:
    if measured.maps is None:
        return
    ways = (
        ("reader_map@0.5", "mAP@0.5, first as model", measured.maps.first_against_second.map_50),
        (
            "reader_map_back@0.5",
            "mAP@0.5, second as model",
            measured.maps.second_against_first.map_50,
        ),
    )
    lead = "One reader scored as if he were a model; a human reference beside a model's mAP, never a ceiling."
    described = metric("reader_map@0.5")
    for key, title, estimate in ways:
        yield Endpoint(key, title, Part.DETECTION, estimate, f"{lead} {_definition(described)}")


def _of(
    key: str, title: str, part: Part, estimate: Estimate, *, at: float | None = None, lead: str = ""
) -> Endpoint:
    described = metric(key)
    return Endpoint(
        key=key if at is None else f"{key}@{at:g}",
        title=title,
        part=part,
        estimate=estimate,
        definition=f"{lead} {_definition(described)}".strip(),
        low_end=described.low,
        high_end=described.high,
    )


def _definition(described: Metric) -> str:
    return f"{described.formula}; undefined: {described.undefined_when}. {described.reference}."
