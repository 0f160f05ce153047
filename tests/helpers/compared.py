"""Three slices and two models whose verdicts are worked out by hand.

All pictures are 480 x 480. Boxes are x, y, width, height, the confidence in brackets.

slice 1, gold: g1 100 100 100 100, g2 300 300 40 40. model-a: p1 = g1 (.9), p2 100 100 100 80 (.8).
    model-b: p1 150 100 100 100 (.6), p2 = g2 (.5).
slice 2, no gold. model-a: p1 10 10 20 20 (.3). model-b: no box.
slice 3, gold: g1 200 200 50 50. model-a: p1 = g1 (.7). model-b: p1 400 400 10 10 (.4).

So there are 8 + 1 + 4 = 13 boxes and gold boxes of sets.

model-a: slice 1 true positive (IoU 1), duplicate (80 / 100 = .8 of a gold box that is taken), g2 missed;
slice 2 background; slice 3 true positive. model-b: slice 1 poor location (50 x 100 of 15,000: 1/3; g1
missed), true positive; slice 3 background, g1 missed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.analysis.texts.judge import Judge
from nova_review.domain.dataset import CaseRecord, GoldBox
from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictedBox, Prediction, PredictionKind, PredictionSet, StoredSet
from nova_review.domain.reading import Diagnosis
from nova_review.domain.snapshot import SnapshotDataSet, StudySnapshot
from nova_review.domain.verdicts import Thresholds
from nova_review.services.comparing_content import CompareContent, compare_content
from nova_review.services.comparison import Comparison, comparison
from tests.helpers.studies import NAMES, NORTH, SOUTH, data_set, finding, slice_reading, snapshot

ONE, TWO, THREE = (("demo", name) for name in NAMES)
G1, G2, G3 = Box(100, 100, 100, 100), Box(300, 300, 40, 40), Box(200, 200, 50, 50)
MODEL_A: Mapping[str, Sequence[tuple[Box, float | None]]] = {
    NAMES[0]: [(G1, 0.9), (Box(100, 100, 100, 80), 0.8)],
    NAMES[1]: [(Box(10, 10, 20, 20), 0.3)],
    NAMES[2]: [(G3, 0.7)],
}
MODEL_B: Mapping[str, Sequence[tuple[Box, float | None]]] = {
    NAMES[0]: [(Box(150, 100, 100, 100), 0.6), (G2, 0.5)],
    NAMES[1]: [],
    NAMES[2]: [(Box(400, 400, 10, 10), 0.4)],
}
CAPTIONS = {
    NAMES[0]: "Axial FLAIR MRI, left frontal mass with oedema.",
    NAMES[1]: "Coronal T2 MRI, normal.",
    NAMES[2]: "Axial FLAIR MRI, cerebellar mass.",
}


def demo_data_set() -> SnapshotDataSet:
    """The three slices with their gold, captions and diagnoses (Glioma, and none)."""
    plain = data_set()
    return replace(
        plain,
        slices=tuple(replace(s, caption=CAPTIONS[s.file_name]) for s in plain.slices),
        gold=(GoldBox(NAMES[0], G1), GoldBox(NAMES[0], G2), GoldBox(NAMES[2], G3)),
        cases=(
            CaseRecord("case0001", final_diagnosis="Glioma"),
            CaseRecord("case0002", final_diagnosis="Final Diagnosis not found."),
        ),
    )


def readers_study() -> StudySnapshot:
    """Both readers mark g1 on slice 1 and nothing on slice 2; only one marks slice 3."""
    marked = [finding(box=G1)]
    readings = [
        slice_reading(NAMES[0], marked, reader=NORTH),
        slice_reading(NAMES[0], marked, reader=SOUTH),
        slice_reading(NAMES[1], reader=NORTH),
        slice_reading(NAMES[1], reader=SOUTH),
        slice_reading(NAMES[2], [finding(box=G3)], reader=NORTH),
        slice_reading(NAMES[2], reader=SOUTH),
    ]
    return snapshot(slices=readings, data_sets=[demo_data_set()])


def stored_set(
    name: str, boxes: Mapping[str, Sequence[tuple[Box, float | None]]], *, data_set: str = "demo"
) -> StoredSet:
    """A model's set; its captions and lists are the same everywhere."""
    return StoredSet(
        PredictionSet(name, PredictionKind.MODEL, source=f"{name}.json", convention="xywh in pixel"),
        tuple(
            Prediction(
                file_name=file_name,
                data_set=data_set,
                boxes=tuple(PredictedBox(box, score) for box, score in given),
                caption="Coronal FLAIR MRI, right frontal mass.",
                diagnoses=(Diagnosis("Abscess", None), Diagnosis("glioma", None)),
            )
            for file_name, given in boxes.items()
        ),
    )


def stored_sets() -> tuple[StoredSet, ...]:
    return stored_set("model-a", MODEL_A), stored_set("model-b", MODEL_B)


def content(
    names: Sequence[str] = ("model-a", "model-b"),
    *,
    study: StudySnapshot | None = None,
    stored: Sequence[StoredSet] | None = None,
) -> CompareContent:
    study = study or readers_study()
    return compare_content(study, stored or stored_sets(), names=names, gold=None)


def compared(
    names: Sequence[str] = ("model-a", "model-b"),
    *,
    thresholds: Thresholds | None = None,
    min_scores: Sequence[float] = (),
    study: StudySnapshot | None = None,
    stored: Sequence[StoredSet] | None = None,
) -> Comparison:
    """The comparison of the three slices; nobody has judged any diagnosis."""
    judge = Judge((), DiagnosisSynonyms(()))
    found = content(names, study=study, stored=stored)
    return comparison(found, judge, thresholds or Thresholds(), min_scores)
