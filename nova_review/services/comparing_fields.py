"""The fields that failures are filtered by: one place for names, meanings and values.

A field belongs to a box, to a slice of a set, to a set, or to a slice; `Column` says to which, and holds
its values once for each of those.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from nova_review.analysis.boxes import FloatArray
from nova_review.analysis.caption_verdicts import CaptionError
from nova_review.analysis.diagnosis_verdicts import DiagnosisOutcome
from nova_review.domain.verdicts import BoxKind, Verdict
from nova_review.domain.where import FieldSpec, FieldType, Value
from nova_review.services.comparing_views import ReadersAgreement

SIDES = ("image-left", "image-right", "midline")
GROUPS = ("single", "few", "many")
"""Of a diagnosis: one case of the study has it, 2 to 4 cases, 5 and more."""

_N, _T, _W, _L = FieldType.NUMBER, FieldType.TEXT, FieldType.WORD, FieldType.LIST


class Level(Enum):
    """What a field belongs to."""

    BOX = "box"
    ANSWER = "answer"
    """One set's answer on one slice."""
    SET = "set"
    SLICE = "slice"


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """The values of one field: one for each box row, answer (set x slices), set or slice.

    `numbers` for NUMBER fields (NaN where undefined), else `values`.
    """

    level: Level
    numbers: FloatArray | None = None
    values: Sequence[Value] = ()


@dataclass(frozen=True, slots=True)
class Field:
    """A field that failures are filtered by, and what it means in plain words."""

    spec: FieldSpec
    meaning: str


def filter_fields(sets: Sequence[str], data_sets: Sequence[str], tags: Sequence[str]) -> tuple[Field, ...]:
    """Return all fields, in the order in which a person is offered them."""
    names = tuple(sets)
    return (
        _field("set", _W, "the set whose box or answer it is", names),
        _field("kind", _W, "whether the box is a prediction or gold", tuple(BoxKind)),
        _field("verdict", _W, "what became of the box; miss and found are said of gold", tuple(Verdict)),
        _field("iou", _N, "IoU with the box that it took, else with the one that it overlaps most"),
        _field("confidence", _N, "confidence of the predicted box, 0 to 1"),
        _field("relative_size", _N, "area of the box as a share of the picture, 0 to 1"),
        _field("side", _W, "half of the picture that the box lies in; midline where in both", SIDES),
        _field("right", _L, "sets that found every gold box of the slice, without a box too many", names),
        _field("wrong", _L, "sets that answered the slice and are not right", names),
        _field("models_right", _N, "how many of the compared models are right; readers do not count"),
        _field("readers", _W, "whether the slice's readers saw the same", tuple(ReadersAgreement)),
        _field("readers_f1", _N, "F1 of the slice's readers at IoU 0.3, over all pairs of them"),
        _field("lesions", _N, "gold boxes of the slice"),
        _field("boxes", _N, "boxes that the set shows on the slice"),
        _field("plane", _T, "plane that the gold caption names"),
        _field("sequence", _T, "sequence that the gold caption names"),
        _field("diagnosis", _T, "final diagnosis of the case"),
        _field("group", _W, "cases with the same diagnosis: single 1, few 2 to 4, many 5 or more", GROUPS),
        _field("term", _L, "terms of the gold caption"),
        _field("missing_term", _L, "terms of the gold caption that the set's caption lacks"),
        _field("invented_term", _L, "terms of the set's caption that the gold caption lacks"),
        _field("caption_verdict", _L, "what is wrong with the set's caption", tuple(CaptionError)),
        _field("diagnosis_verdict", _W, "what became of the set's diagnosis list", tuple(DiagnosisOutcome)),
        _field("diagnosis_rank", _N, "rank at which the set lists the final diagnosis"),
        _field("caption", _T, "the set's caption"),
        _field("gold_caption", _T, "the data set's caption"),
        _field("text", _T, "captions, diagnoses, notes and file name together"),
        _field("tag", _L, "tags on the box, the answer or the slice", tuple(tags)),
        _field("note", _T, "notes on the box, the answer or the slice"),
        _field("flagged", _W, "whether the slice is flagged", ("yes", "no")),
        _field("data_set", _W, "code of the data set", tuple(data_sets)),
        _field("case", _T, "code of the case"),
        _field("filename", _T, "file name of the slice"),
    )


def _field(name: str, kind: FieldType, meaning: str, words: tuple[str, ...] = ()) -> Field:
    return Field(FieldSpec(name, kind, words), meaning)
