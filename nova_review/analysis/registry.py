"""Every agreement number by name, with what must be said about it: the source of help and reports.

The invariance tests run over this list: what is registered is checked for reader order, slice
order, box order, and for what perfect agreement gives.
"""

from collections.abc import Callable
from dataclasses import dataclass

from nova_review.analysis.areas import area_agreement
from nova_review.analysis.boxes import ReadBoxes
from nova_review.analysis.counts import count_agreement
from nova_review.analysis.detection import BoxAgreement, box_agreement
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.pairs import ReadingPairs, match_pairs, pair_readings
from nova_review.analysis.presence import Presence, presence
from nova_review.analysis.reader_map import reader_maps
from nova_review.analysis.resampling import Bootstrap
from nova_review.analysis.set_alpha import set_alpha
from nova_review.analysis.union_dice import union_dice

Computation = Callable[[ReadingPairs, Bootstrap], Estimate]
HEADLINE = 0.5  # the threshold of registered numbers that have one


@dataclass(frozen=True, slots=True)
class Metric:
    """One number and its plain description.

    `perfect` is its value where all readers drew the same, some slices with boxes and some
    without; `symmetric` says whether exchanging the readers leaves it alone; `low` and `high`
    bound it (None: no bound).
    """

    key: str
    title: str
    formula: str
    low: float | None
    high: float | None
    perfect: float
    symmetric: bool
    undefined_when: str
    reference: str
    compute: Computation

    def of(self, read: ReadBoxes) -> Estimate:
        """Return the number for these readings, without interval."""
        pairs = pair_readings(read)
        return self.compute(pairs, Bootstrap(len(pairs.unit_names), 0, 1))


def _boxes(part: Callable[[BoxAgreement], Estimate]) -> Computation:
    return lambda pairs, bootstrap: part(box_agreement(pairs, thresholds=(HEADLINE,), bootstrap=bootstrap)[0])


def _presence(part: Callable[[Presence], Estimate]) -> Computation:
    return lambda pairs, bootstrap: part(presence(pairs, bootstrap=bootstrap))


def _area_bias(pairs: ReadingPairs, bootstrap: Bootstrap) -> Estimate:
    return area_agreement(pairs, match_pairs(pairs, threshold=HEADLINE), bootstrap=bootstrap).bias


METRICS: tuple[Metric, ...] = (
    Metric(
        key="f1",
        title="F1 (positive specific agreement of boxes)",
        formula="2 TP / (n + m)",
        low=0.0,
        high=1.0,
        perfect=1.0,
        symmetric=True,
        undefined_when="nobody drew a box",
        reference="Hripcsak & Rothschild 2005, doi:10.1197/jamia.M1733",
        compute=_boxes(lambda b: b.f1),
    ),
    Metric(
        key="matched_iou",
        title="Matched IoU",
        formula="S / TP",
        low=0.0,
        high=1.0,
        perfect=1.0,
        symmetric=True,
        undefined_when="no two boxes match",
        reference="Jaccard 1912, doi:10.1111/j.1469-8137.1912.tb05611.x",
        compute=_boxes(lambda b: b.matched_iou),
    ),
    Metric(
        key="pq",
        title="Panoptic quality",
        formula="2 S / (n + m) = F1 x matched IoU",
        low=0.0,
        high=1.0,
        perfect=1.0,
        symmetric=True,
        undefined_when="nobody drew a box",
        reference="Kirillov et al. 2019, doi:10.1109/CVPR.2019.00963",
        compute=_boxes(lambda b: b.pq),
    ),
    Metric(
        key="set_alpha",
        title="Krippendorff's alpha with the set distance",
        formula="1 - Do / De, d = 1 - 2 S / (n + m)",
        low=None,
        high=1.0,
        perfect=1.0,
        symmetric=True,
        undefined_when="fewer than two slices, or no difference between slices",
        reference="Braylan, Alonso & Lease 2022, arXiv:2212.09503",
        compute=lambda pairs, bootstrap: set_alpha(pairs, bootstrap=bootstrap),
    ),
    Metric(
        key="positive_agreement",
        title="Positive agreement on presence",
        formula="2 a / (2 a + b + c)",
        low=0.0,
        high=1.0,
        perfect=1.0,
        symmetric=True,
        undefined_when="no positives",
        reference="Cicchetti & Feinstein 1990, doi:10.1016/0895-4356(90)90159-M",
        compute=_presence(lambda p: p.positive_agreement),
    ),
    Metric(
        key="negative_agreement",
        title="Negative agreement on presence",
        formula="2 d / (2 d + b + c)",
        low=0.0,
        high=1.0,
        perfect=1.0,
        symmetric=True,
        undefined_when="no negatives",
        reference="Cicchetti & Feinstein 1990, doi:10.1016/0895-4356(90)90159-M",
        compute=_presence(lambda p: p.negative_agreement),
    ),
    Metric(
        key="kappa",
        title="Kappa of presence (Cohen; Fleiss with more than two readers)",
        formula="(po - pe) / (1 - pe)",
        low=-1.0,
        high=1.0,
        perfect=1.0,
        symmetric=True,
        undefined_when="one and the same answer throughout",
        reference="Cohen 1960, doi:10.1177/001316446002000104; Fleiss 1971, doi:10.1037/h0031619",
        compute=_presence(lambda p: p.kappa),
    ),
    Metric(
        key="ac1",
        title="Gwet's AC1 of presence",
        formula="(po - 2 p (1 - p)) / (1 - 2 p (1 - p))",
        low=-1.0,
        high=1.0,
        perfect=1.0,
        symmetric=True,
        undefined_when="no slice was read by two readers",
        reference="Gwet 2008, doi:10.1348/000711006X126600",
        compute=_presence(lambda p: p.ac1),
    ),
    Metric(
        key="pabak",
        title="Prevalence- and bias-adjusted kappa of presence",
        formula="2 po - 1",
        low=-1.0,
        high=1.0,
        perfect=1.0,
        symmetric=True,
        undefined_when="no slice was read by two readers",
        reference="Byrt, Bishop & Carlin 1993, doi:10.1016/0895-4356(93)90018-V",
        compute=_presence(lambda p: p.pabak),
    ),
    Metric(
        key="presence_alpha",
        title="Krippendorff's nominal alpha of presence",
        formula="1 - Do / De",
        low=-1.0,
        high=1.0,
        perfect=1.0,
        symmetric=True,
        undefined_when="one and the same answer throughout",
        reference="Krippendorff 2011, Computing Krippendorff's alpha-reliability",
        compute=_presence(lambda p: p.alpha),
    ),
    Metric(
        key="count_difference",
        title="Mean difference of the number of boxes a slice",
        formula="mean of n - m",
        low=None,
        high=None,
        perfect=0.0,
        symmetric=False,
        undefined_when="no slice was read by two readers",
        reference="Bland & Altman 1986, doi:10.1016/S0140-6736(86)90837-8",
        compute=lambda pairs, bootstrap: count_agreement(pairs, bootstrap=bootstrap).mean_difference,
    ),
    Metric(
        key="count_icc",
        title="ICC(2,1) of the number of boxes a slice",
        formula="(MSR - MSE) / (MSR + (k - 1) MSE + k (MSC - MSE) / n)",
        low=None,
        high=1.0,
        perfect=1.0,
        symmetric=True,
        undefined_when="the same number of boxes everywhere, or no slice read by all",
        reference="Shrout & Fleiss 1979, doi:10.1037/0033-2909.86.2.420",
        compute=lambda pairs, bootstrap: count_agreement(pairs, bootstrap=bootstrap).icc,
    ),
    Metric(
        key="area_bias",
        title="Bias of the area of matched boxes, as log ratio",
        formula="mean of ln(area a / area b)",
        low=None,
        high=None,
        perfect=0.0,
        symmetric=False,
        undefined_when="fewer than two boxes match",
        reference="Bland & Altman 1986, doi:10.1016/S0140-6736(86)90837-8",
        compute=_area_bias,
    ),
    Metric(
        key="union_dice",
        title="Dice of the marked areas (exploratory; blind to splitting)",
        formula="mean of 2 |A and B| / (|A| + |B|)",
        low=0.0,
        high=1.0,
        perfect=1.0,
        symmetric=True,
        undefined_when="nobody drew a box",
        reference="Dice 1945, doi:10.2307/1932409",
        compute=lambda pairs, bootstrap: union_dice(pairs, bootstrap=bootstrap),
    ),
    Metric(
        key="reader_map@0.5",
        title="mAP@0.5 of the first reader against the second (gaze rules, mean over slices)",
        formula="mean over slices of 11-point AP",
        low=0.0,
        high=1.0,
        perfect=1.0,
        symmetric=False,
        undefined_when="no slice was read by two readers",
        reference="Everingham et al. 2010, doi:10.1007/s11263-009-0275-4",
        compute=lambda pairs, bootstrap: reader_maps(pairs, bootstrap=bootstrap).first_against_second.map_50,
    ),
)


def metric(key: str) -> Metric:
    """Return the metric of that key; raises KeyError."""
    return {m.key: m for m in METRICS}[key]
