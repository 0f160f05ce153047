"""What stands behind a set's scores: single slices, the free-response curve, hits, and confidences."""

from collections.abc import Iterable, Mapping, Sequence

from nova_review.analysis.calibration import SureAnswers
from nova_review.analysis.dialects.registry import SLICE_ROWS
from nova_review.analysis.dialects.scores import DialectName, SliceScore, Task
from nova_review.analysis.dialects.text_registry import CAPTION_ROWS, DIAGNOSIS_ROWS, MOST_LISTED
from nova_review.analysis.froc import FrocPoint, froc
from nova_review.analysis.texts.diagnoses import hits
from nova_review.services.score_views import Column, SliceRow
from nova_review.services.scoring_marks import Marks, box_marks, diagnosis_marks, sure_boxes
from nova_review.services.scoring_pairs import cut
from nova_review.services.scoring_rows import HIT, SetScorer

UNDECIDED = "undecided"


def single_slices(scorer: SetScorer, dialect: DialectName, against: str) -> tuple[SliceRow, ...]:
    """Return the numbers of single slices; their mean over the references that stand beside a slice.

    A list that was given for a case stands on every slice of it.
    """
    values: dict[tuple[str, str, float | str | None], list[float | None]] = {}
    for place in range(len(scorer.references)):
        for row in _rows(scorer, dialect, place):
            values.setdefault((row.slice, row.metric, row.threshold), []).append(row.value)
    keys = {one.name: one.key for one in scorer.content.slices}
    return tuple(
        SliceRow(scorer.answers.name, against, dialect, metric, threshold, *keys[name], value=_mean_of(found))
        for (name, metric, threshold), found in values.items()
        if name in keys and metric != UNDECIDED
    )


def _mean_of(values: Sequence[float | None]) -> float | None:
    known = [v for v in values if v is not None]
    return sum(known) / len(known) if known else None


def _rows(scorer: SetScorer, dialect: DialectName, place: int) -> Iterable[SliceScore]:
    if scorer.boxes[place] and not scorer.is_withheld(Task.LOCALISATION):
        yield from SLICE_ROWS[dialect](scorer.boxes_for(dialect, place))
    if dialect in CAPTION_ROWS and scorer.captions[place] and not scorer.is_withheld(Task.CAPTION):
        yield from CAPTION_ROWS[dialect](scorer.captions[place], scorer.tools.texts())
    if dialect in DIAGNOSIS_ROWS:
        lists = scorer.lists_for(DialectName.GAZE, place)  # a row a slice, whatever the dialect
        yield from DIAGNOSIS_ROWS[dialect](lists, scorer.tools.judge)


def froc_points(scorer: SetScorer) -> tuple[FrocPoint, ...]:
    """Return the free-response curve at IoU .5 against the first reference."""
    if not scorer.boxes or not scorer.boxes[0] or scorer.is_withheld(Task.LOCALISATION):
        return ()
    return froc(cut(scorer.boxes[0]), threshold=HIT)


def marks_of(scorer: SetScorer, dialects: Sequence[DialectName]) -> Marks:
    """Return which slices and cases are right, for columns that are a share of those.

    {} with several references.
    """
    found: dict[Column, Mapping[str, bool]] = {}
    if len(scorer.references) == 1:
        for dialect in dialects:
            if scorer.boxes[0] and not scorer.is_withheld(Task.LOCALISATION):
                found |= box_marks(dialect, scorer.boxes_for(dialect, 0))
            found |= diagnosis_marks(dialect, scorer.lists_for(dialect, 0), scorer.tools.judge)
    return found


def undecided_pairs(scorers: Iterable[SetScorer], dialects: Sequence[DialectName]) -> int:
    """Return how many pairs of diagnoses nobody has judged, each once over all sets and references."""
    found: set[tuple[str, str]] = set()
    for scorer in scorers:
        for dialect in (d for d in dialects if d in MOST_LISTED):
            for place in range(len(scorer.references)):
                for row in scorer.lists_for(dialect, place):
                    found |= hits(row, scorer.tools.judge, most=MOST_LISTED[dialect]).undecided
    return len(found)


def sure_of(scorer: SetScorer) -> SureAnswers:
    """Return the boxes with a confidence and whether they hit, at IoU .5 against the first reference."""
    is_open = bool(scorer.boxes) and not scorer.is_withheld(Task.LOCALISATION)
    return sure_boxes(cut(scorer.boxes[0] if is_open else []), scorer.tools.draws, threshold=HIT)
