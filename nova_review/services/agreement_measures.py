"""Everything that is measured on one set of readings, for the page, the verb, tables and the report."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nova_review.analysis.agreement import Agreement, measure_agreement
from nova_review.analysis.areas import AreaAgreement, AreaPoints, area_agreement, area_points
from nova_review.analysis.boxes import FloatArray
from nova_review.analysis.counts import CountAgreement, count_agreement
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.finding_table import FindingRow, finding_table
from nova_review.analysis.first_diagnoses import FirstDiagnoses, first_diagnosis_agreement
from nova_review.analysis.groups import (
    GroupAgreement,
    SizeAgreement,
    agreement_by_group,
    agreement_by_size,
    terciles,
)
from nova_review.analysis.pair_matrix import PairAgreement, pair_matrix
from nova_review.analysis.pairs import Matches, ReadingPairs, match_pairs
from nova_review.analysis.reader_map import ReaderMaps, reader_maps
from nova_review.analysis.slice_table import SliceAgreement, queue_order, slice_table
from nova_review.analysis.union_dice import union_dice
from nova_review.services.agreement_readings import AgreementRequest, Readings

MOST_FOR_MAP = 2_000
"""Pairs of readings up to which reader-against-reader mAP is worth its time."""
NO_MAPS = f"Left out: mAP of reader against reader (more than {MOST_FOR_MAP:,} pairs of readings)."
MOST_DIAGNOSES = 8
"""Diagnosis groups that are shown by name; the others are taken together."""
OTHER = "other diagnoses"


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """The numbers of one source.

    Attributes
    ----------
    readings, request : what they were made from, and how
    agreement : the headline numbers
    intra : repeated against first readings by the same formulas, None without repeats
    counts, dice : numbers of boxes; overlap of the marked areas
    maps : reader against reader as if one were a model, None with too many pairs
    diagnoses : first diagnoses, None where nobody gave any
    """

    readings: Readings
    request: AgreementRequest
    agreement: Agreement
    intra: Agreement | None
    counts: CountAgreement
    dice: Estimate
    maps: ReaderMaps | None
    diagnoses: FirstDiagnoses | None

    @property
    def thresholds(self) -> tuple[float, ...]:
        """The thresholds of `agreement.boxes`."""
        return tuple(b.threshold for b in self.agreement.boxes)

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences that stand beside the numbers: what is left out and why, warnings, notes."""
        found = (*self.readings.left_out, *self.agreement.warnings, *self.readings.notes)
        return found if self.maps is not None else (*found, NO_MAPS)

    @property
    def headline_threshold(self) -> float:
        """That of the primary endpoint where it was measured, else the last one."""
        _, _, number = self.readings.plan.primary_endpoint.partition("@")
        wanted = float(number) if number else 0.5
        return wanted if wanted in self.thresholds else self.thresholds[-1]


def measure(readings: Readings, request: AgreementRequest) -> Measured:
    """Return all headline numbers; seconds for thousands of pairs of readings."""
    wanted = request.thresholds or readings.plan.thresholds
    thresholds = tuple(sorted(set(wanted)))
    found = measure_agreement(
        readings.read,
        thresholds=thresholds,
        resamples=request.resamples,
        seed=request.seed,
        resample=request.resample,
    )
    return Measured(
        readings=readings,
        request=request,
        agreement=found,
        intra=_intra(readings, request, thresholds),
        counts=count_agreement(found.pairs, bootstrap=found.bootstrap),
        dice=union_dice(found.pairs, bootstrap=found.bootstrap),
        maps=reader_maps(found.pairs, bootstrap=found.bootstrap)
        if len(found.pairs.left) <= MOST_FOR_MAP
        else None,
        diagnoses=_diagnoses(readings, request),
    )


def _intra(readings: Readings, request: AgreementRequest, thresholds: Sequence[float]) -> Agreement | None:
    if readings.repeats is None:
        return None
    return measure_agreement(
        readings.repeats,
        thresholds=thresholds,
        resamples=request.resamples,
        seed=request.seed,
        resample=request.resample,
    )


def _diagnoses(readings: Readings, request: AgreementRequest) -> FirstDiagnoses | None:
    if not any(one.diagnoses for one in readings.lists):
        return None
    lists: dict[str, dict[str, list[str]]] = {}
    for one in readings.lists:
        lists.setdefault(one.case, {})[one.reader] = [d.name for d in one.diagnoses]
    return first_diagnosis_agreement(lists, resamples=request.resamples, seed=request.seed)


@dataclass(frozen=True, slots=True, eq=False)
class Linked:
    """What stands behind the headline at one threshold: everything that leads to slices.

    Attributes
    ----------
    threshold, pairs, matches : from which the rest is made
    slices : worst first, one row for each slice that two have read
    findings : one row for each finding of every reading
    areas, area_limits : one point for each matched pair of boxes, and limits of agreement
    sizes : agreement in bands of relative size; `size_source` says whence the bands
    groups, group_of : agreement by "plane", "sequence", "diagnosis", and the group of each slice
    matrix : agreement of every two readers
    """

    threshold: float
    pairs: ReadingPairs
    matches: Matches
    slices: tuple[SliceAgreement, ...]
    findings: tuple[FindingRow, ...]
    areas: AreaPoints
    area_limits: AreaAgreement
    sizes: tuple[SizeAgreement, ...]
    size_source: str
    groups: dict[str, tuple[GroupAgreement, ...]]
    group_of: dict[str, tuple[str | None, ...]]
    matrix: tuple[PairAgreement, ...]

    @property
    def ious(self) -> FloatArray:
        """(K,) IoU of the matched pairs of boxes."""
        return self.pairs.overlaps.iou[self.matches.cells]

    @property
    def iou_slices(self) -> list[int]:
        """Slice of each matched pair of boxes."""
        places: list[int] = self.pairs.slice[self.pairs.overlaps.pair[self.matches.cells]].tolist()
        return places


def linked(measured: Measured, threshold: float) -> Linked:
    """Return what stands behind the numbers at one threshold."""
    pairs, bootstrap = measured.agreement.pairs, measured.agreement.bootstrap
    matches = match_pairs(pairs, threshold=threshold)
    borders, source = _borders(measured.readings)
    groups = _group_names(measured.readings, pairs)
    return Linked(
        threshold=threshold,
        pairs=pairs,
        matches=matches,
        slices=queue_order(slice_table(pairs, matches)),
        findings=finding_table(pairs, matches),
        areas=area_points(pairs, matches),
        area_limits=area_agreement(pairs, matches, bootstrap=bootstrap),
        sizes=agreement_by_size(
            pairs,
            matches,
            picture_areas=picture_areas(measured.readings),
            borders=borders,
            bootstrap=bootstrap,
        ),
        size_source=source,
        groups={
            name: agreement_by_group(pairs, of, thresholds=(threshold,), bootstrap=bootstrap)
            for name, of in groups.items()
        },
        group_of=groups,
        matrix=pair_matrix(pairs, matches, bootstrap=bootstrap),
    )


def picture_areas(readings: Readings) -> FloatArray:
    """Return (S,) areas of the slices of `readings.read` in square pixels.

    A slice of unknown size counts as large as all boxes of the source together reach.
    """
    sizes = {f.key: f.size for f in readings.facts}
    corners = readings.read.corners
    reach = float(corners[:, 2].max() * corners[:, 3].max()) if len(corners) else 1.0
    known = [sizes.get(name) for name in readings.read.slices]
    return np.array([s.width * s.height if s else reach for s in known], dtype=np.float64)


def _borders(readings: Readings) -> tuple[tuple[float, ...], str]:
    """The bands of the protocol, else terciles of gold, else terciles of the readers' own boxes."""
    if readings.plan.size_bands:
        return readings.plan.size_bands, "bands of the protocol"
    areas = dict(zip(readings.read.slices, picture_areas(readings).tolist(), strict=True))
    gold = [box.area / areas[key] for key, box in readings.gold if key in areas]
    if gold:
        return terciles(np.array(gold)), "terciles of the gold boxes"
    of_boxes = (
        readings.read.areas / picture_areas(readings)[readings.read.reading_slice[readings.read.box_reading]]
    )
    return terciles(of_boxes), "terciles of the readers' own boxes"


def _group_names(readings: Readings, pairs: ReadingPairs) -> dict[str, tuple[str | None, ...]]:
    facts = {f.key: f for f in readings.facts}
    known = [facts.get(name) for name in readings.read.slices]
    shared = set(pairs.slice.tolist())
    diagnoses = [f.diagnosis if f else None for f in known]
    shown = _frequent([d for k, d in enumerate(diagnoses) if k in shared])
    return {
        "plane": tuple(f.plane if f else None for f in known),
        "sequence": tuple(f.sequence if f else None for f in known),
        "diagnosis": tuple(d if d is None or d in shown else OTHER for d in diagnoses),
    }


def _frequent(diagnoses: Sequence[str | None]) -> set[str]:
    counts: dict[str, int] = {}
    for one in diagnoses:
        if one is not None:
            counts[one] = counts.get(one, 0) + 1
    ranked = sorted(counts, key=lambda d: (-counts[d], d))
    return set(ranked if len(ranked) <= MOST_DIAGNOSES + 1 else ranked[:MOST_DIAGNOSES])
