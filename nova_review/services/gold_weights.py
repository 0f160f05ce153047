"""The weights with which a data set's gold was made from its readers' boxes, recovered."""

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol as Port

from nova_review.analysis.merging import Layer
from nova_review.analysis.weights import MergedExample, WeightEstimate, estimate_weights
from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Outcome
from nova_review.domain.snapshot import StudySnapshot
from nova_review.domain.visibility import Page, may_open
from nova_review.services.adjudication_records import COORDINATOR, answers_by_slice
from nova_review.services.gold_rules import OpenStore


class SnapshotOf(Port):
    """Where the data set's gold is read from."""

    def snapshot(self, file: Path) -> StudySnapshot: ...


class GoldWeights:
    """Recovers weights from a study that holds the data set's gold."""

    def __init__(self, open_store: OpenStore, studies: SnapshotOf) -> None:
        self._open_store = open_store
        self._studies = studies

    def estimate(self, file: Path) -> WeightEstimate:
        """Return one weight for each reader who read with others, by least squares.

        Raises UserError where the data set has no gold or no slice can be used, and
        NotAllowedError before the database lock.
        """
        gold = _gold(self._studies.snapshot(file))
        if not gold:
            raise UserError("The data set of this study has no gold from which weights could be recovered.")
        with self._open_store(file) as store, store.reading(COORDINATOR) as rows:
            may_open(Page.ADJUDICATE, rows.phase()).require()
            names = rows.reader_names()
            files = rows.file_names()
            answers = answers_by_slice(
                [
                    a
                    for a in rows.layer_answers()
                    if not a.is_withdrawn and a.answer.outcome is not Outcome.CANNOT_READ
                ]
            )
        examples = [
            MergedExample(
                files[slice_id][1],
                tuple(Layer(names[a.reader_id].name, a.answer.findings) for a in own),
                gold[slice_id],
            )
            for slice_id, own in answers.items()
            if slice_id in gold
        ]
        return estimate_weights(examples)


def _gold(snapshot: StudySnapshot) -> Mapping[str, tuple[Box, ...]]:
    """The data set's own boxes by slice id; empty without gold."""
    found: dict[str, list[Box]] = {}
    for data_set in snapshot.data_sets:
        if data_set.has_gold:
            ids = {s.file_name: s.id for s in data_set.slices}
            for one in data_set.gold:
                found.setdefault(ids[one.file_name], []).append(one.box)
    return {key: tuple(boxes) for key, boxes in found.items()}
