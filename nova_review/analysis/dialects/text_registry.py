"""Which functions score captions and diagnoses by which dialect; `waldo` and `coco` score boxes alone."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from nova_review.analysis.dialects import croissant_texts, gaze_texts, nova_review_texts
from nova_review.analysis.dialects.scores import DialectName, SliceScore
from nova_review.analysis.texts import captions, diagnoses
from nova_review.analysis.texts.judge import Judge
from nova_review.analysis.texts.pairs import CaptionPair, DiagnosisPair, TextTools

CaptionRows = Callable[[Sequence[CaptionPair], TextTools], tuple[SliceScore, ...]]
DiagnosisRows = Callable[[Sequence[DiagnosisPair], Judge], tuple[SliceScore, ...]]

CAPTIONS: Mapping[DialectName, captions.Scorer] = MappingProxyType(
    {
        DialectName.NOVA_REVIEW: nova_review_texts.captions,
        DialectName.GAZE: gaze_texts.captions,
        DialectName.CROISSANT: croissant_texts.captions,
    }
)
"""The scores of one set's captions; the draws must hold every case of the rows."""

DIAGNOSES: Mapping[DialectName, diagnoses.Scorer] = MappingProxyType(
    {
        DialectName.NOVA_REVIEW: nova_review_texts.diagnoses,
        DialectName.GAZE: gaze_texts.diagnoses,
        DialectName.CROISSANT: croissant_texts.diagnoses,
    }
)
"""The scores of one set's diagnosis lists; the draws must hold every case of the rows."""

MOST_LISTED: Mapping[DialectName, int | None] = MappingProxyType(
    {
        DialectName.NOVA_REVIEW: nova_review_texts.MOST,
        DialectName.GAZE: None,
        DialectName.CROISSANT: croissant_texts.TOP.most,
    }
)
"""How many names of a diagnosis list count; None is all."""

CAPTION_ROWS: Mapping[DialectName, CaptionRows] = MappingProxyType(
    {
        DialectName.NOVA_REVIEW: nova_review_texts.caption_rows,
        DialectName.GAZE: gaze_texts.caption_rows,
        DialectName.CROISSANT: croissant_texts.caption_rows,
    }
)
"""The numbers of single captions, row by row."""

DIAGNOSIS_ROWS: Mapping[DialectName, DiagnosisRows] = MappingProxyType(
    {
        DialectName.NOVA_REVIEW: nova_review_texts.diagnosis_rows,
        DialectName.GAZE: gaze_texts.diagnosis_rows,
        DialectName.CROISSANT: croissant_texts.diagnosis_rows,
    }
)
"""The numbers of single diagnosis lists, row by row; `slice` is the row's unit."""
