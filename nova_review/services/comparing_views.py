"""What the compare page, the `compare` verb and the exports of a selection are shown.

One row is one box beside one set: a predicted box with its verdict, or a gold box with what became of
it under that set. A slice is known by its `SliceKey`, (data set code, file name); readers by code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictionKind
from nova_review.domain.reading import Diagnosis
from nova_review.domain.verdicts import Thresholds, Verdict
from nova_review.services.answer_sets import SliceKey
from nova_review.services.export_content import GoldSource

MOST_SETS = 4
"""Sets that are compared at once: the panels that a screen has room for beside gold."""

DEFAULT_THRESHOLDS = Thresholds()


class ReadersAgreement(StrEnum):
    """Whether the readers of a slice saw the same.

    Over all pairs of readers, F1 = 2 TP / (n + m) at IoU .3: AGREED from .5 on, and where none of them
    marked anything; UNDEFINED where fewer than two readers answered.
    """

    AGREED = "agreed"
    DISAGREED = "disagreed"
    UNDEFINED = "undefined"


@dataclass(frozen=True, slots=True)
class CompareRequest:
    """What is compared, and by which numbers.

    `sets` are 1 to 4 names of prediction sets or codes of readers, in order of the panels.
    `min_scores` gives each set a least confidence of its own, instead of `thresholds.min_score`.
    """

    sets: tuple[str, ...]
    thresholds: Thresholds = DEFAULT_THRESHOLDS
    min_scores: tuple[float, ...] = ()
    gold: GoldSource | None = None


@dataclass(frozen=True, slots=True)
class CompareChoice:
    """One thing that can be compared: a prediction set or a reader, and on how many slices it answered."""

    name: str
    kind: PredictionKind
    slices: int
    boxes: int


@dataclass(frozen=True, slots=True)
class ComparedBox:
    """One predicted box that is shown.

    `number` is its rank from 1; `iou` and `partner` are the IoU with, and the number of, the gold box
    that it took, or else overlaps most (None where it overlaps none). `row_id` is stable: it stays the
    same under other thresholds and filters.
    """

    number: int
    box: Box
    score: float | None
    label: str
    verdict: Verdict
    iou: float | None
    partner: int | None
    row_id: str
    tags: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class ComparedGold:
    """One gold box under one set; `iou` and `partner` as in ComparedBox, of the set's boxes.

    `relative_size` is its area as a share of the picture's, None where that size is not known.
    """

    number: int
    box: Box
    verdict: Verdict
    iou: float | None
    partner: int | None
    relative_size: float | None
    row_id: str
    tags: tuple[str, ...] = ()
    note: str = ""

    @property
    def found(self) -> bool:
        return self.verdict is Verdict.FOUND


class TermFate(StrEnum):
    """What became of one term of a caption."""

    SAME = "same"
    MISSING = "missing"
    INVENTED = "invented"
    CHANGED = "changed"


@dataclass(frozen=True, slots=True)
class CaptionSpan:
    """Letters `begin`..`end` of a caption, to be marked."""

    begin: int
    end: int
    fate: TermFate


@dataclass(frozen=True, slots=True)
class ComparedCaption:
    """A set's caption beside the gold caption.

    `spans` mark the set's words, `gold_spans` the gold's; `right`, `missing`, `invented` are terms;
    `remarks` are sentences such as "wrong plane: axial, gold coronal" or "side unknown".
    """

    text: str
    spans: tuple[CaptionSpan, ...] = ()
    gold_spans: tuple[CaptionSpan, ...] = ()
    right: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    invented: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    verdicts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ComparedDiagnoses:
    """A set's ranked diagnoses beside the gold one.

    `matched_rank` counts from 1, None where none is known to match; `near_ranks` were judged to come
    close; `undecided_ranks` nobody has judged. `words` is the verdict in words.
    """

    diagnoses: tuple[Diagnosis, ...]
    matched_rank: int | None = None
    near_ranks: tuple[int, ...] = ()
    undecided_ranks: tuple[int, ...] = ()
    words: str = ""


@dataclass(frozen=True, slots=True)
class ComparedSet:
    """What one set answered on one slice, and what became of it.

    Attributes
    ----------
    answered : whether it gave boxes here (an empty list is an answer); it may have given other answers
    boxes : those shown, in rank order; `hidden` counts those below the least confidence
    gold : every gold box, as this set found or missed it
    right : every gold box found and no box too many; None where it did not answer
    caption, diagnoses : None where that task was not answered
    tags, note : what somebody put on this set's answer as a whole
    """

    name: str
    kind: PredictionKind
    answered: bool
    boxes: tuple[ComparedBox, ...]
    hidden: int
    gold: tuple[ComparedGold, ...]
    right: bool | None
    caption: ComparedCaption | None = None
    diagnoses: ComparedDiagnoses | None = None
    tags: tuple[str, ...] = ()
    note: str = ""

    def count(self, verdict: Verdict) -> int:
        """Return how many boxes have this verdict."""
        return sum(b.verdict is verdict for b in self.boxes) + sum(g.verdict is verdict for g in self.gold)


@dataclass(frozen=True, slots=True)
class ComparedSlice:
    """One slice with everything that the panels show of it.

    `width` and `height` are None where the picture is not there. `gold` has its numbers in its place:
    gold box k is number k + 1. `case` is the case's code in the data set, `scan` the slice's place in it.
    `tags`, `note` and `flagged` are about the slice whatever the set.
    """

    key: SliceKey
    slice_id: str
    data_set: str
    file_name: str
    case: str
    scan: str
    width: int | None
    height: int | None
    gold: tuple[Box, ...]
    gold_caption: str | None
    gold_diagnosis: str | None
    plane: str | None
    sequence: str | None
    sets: tuple[ComparedSet, ...]
    readers: ReadersAgreement = ReadersAgreement.UNDEFINED
    tags: tuple[str, ...] = ()
    note: str = ""
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class SliceLine:
    """A slice in the list and the gallery: as little as a thumbnail's caption needs.

    `verdicts` has one entry a set, each the counts by verdict that are above 0.
    """

    key: SliceKey
    slice_id: str
    title: str
    verdicts: tuple[Mapping[Verdict, int], ...]
    right: tuple[bool | None, ...]
    tags: tuple[str, ...] = ()
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class LeftOutCount:
    """What does not count, and why."""

    what: str
    count: int

    @property
    def words(self) -> str:
        """Return it as a phrase: "1 slice without known gold"."""
        return f"{self.count} {self.what.replace('slices', 'slice', 1) if self.count == 1 else self.what}"


@dataclass(frozen=True, slots=True)
class ComparisonHead:
    """What stands above the panels: sets, numbers, and what is left out."""

    request: CompareRequest
    sets: tuple[CompareChoice, ...]
    slices: int
    gold_boxes: int
    left_out: tuple[LeftOutCount, ...]
    notes: tuple[str, ...] = field(default_factory=tuple)
    before_lock: str | None = None
