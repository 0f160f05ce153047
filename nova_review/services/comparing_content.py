"""What is compared: the slices whose gold is known, and what 1 to 4 sets answered on them.

Made once for a study and a choice of sets; nothing here depends on a threshold.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from nova_review.analysis.boxes import FloatArray, IntArray
from nova_review.analysis.failures import cut_to_pictures
from nova_review.analysis.scored_boxes import ScoredBoxes, SliceBoxes, scored_boxes
from nova_review.domain.dataset import ImageState
from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box, Size
from nova_review.domain.prediction import StoredSet
from nova_review.domain.reading import Diagnosis
from nova_review.domain.snapshot import SnapshotDataSet, SnapshotSlice, StudySnapshot
from nova_review.services.agreement_readings import SliceFacts, own_size, with_usual_sizes
from nova_review.services.answer_sets import AnswerSet, SliceKey, answer_sets
from nova_review.services.comparing_readers import readers_f1
from nova_review.services.comparing_views import MOST_SETS, LeftOutCount
from nova_review.services.export_content import GoldSource, gold_of
from nova_review.services.slice_groups import diagnosis_in, plane_in, sequence_in


@dataclass(frozen=True, slots=True)
class ComparedPlace:
    """One slice that is compared, with all that is known of it whatever the set.

    `size` is that which boxes are cut to (None: they are not cut); `has_picture` says whether its picture
    could be shown when the study was made. `cases` counts the cases of its diagnosis, 0 without one.
    """

    key: SliceKey
    slice_id: str
    case: str
    scan: str
    size: Size | None
    has_picture: bool
    gold: tuple[Box, ...]
    caption: str | None
    diagnosis: str | None
    cases: int

    @property
    def plane(self) -> str | None:
        return plane_in(self.caption)

    @property
    def sequence(self) -> str | None:
        return sequence_in(self.caption)


@dataclass(frozen=True, slots=True, eq=False)
class SetBoxes:
    """One set's answers beside gold.

    `place` (S,) is where each slice of `boxes` stands among all; `answered` (A,) are the places where it
    gave any answer: boxes, a caption or diagnoses.
    """

    answers: AnswerSet
    boxes: ScoredBoxes
    place: IntArray
    answered: IntArray

    @property
    def name(self) -> str:
        return self.answers.name


@dataclass(frozen=True, slots=True, eq=False)
class CompareContent:
    """All that is compared.

    Attributes
    ----------
    places : slices with known gold that at least one set answered, in the order of the study
    place_of : where each slice stands among them
    sets : in order of the panels
    readers_f1 : (S,) how far the readers of each slice agree, NaN where fewer than two answered
    side_convention : which side of the pictures is the patient's left, as the protocol declares it
    left_out, notes : what does not count, and sentences that must stand beside the verdicts
    """

    study_id: str
    protocol_hash: str
    is_demo: bool
    places: tuple[ComparedPlace, ...]
    place_of: Mapping[SliceKey, int]
    sets: tuple[SetBoxes, ...]
    readers_f1: FloatArray
    left_out: tuple[LeftOutCount, ...]
    notes: tuple[str, ...]
    gold_sources: tuple[tuple[str, GoldSource], ...]
    side_convention: str

    def diagnoses(self, index: int, place: ComparedPlace) -> tuple[Diagnosis, ...] | None:
        """Return the ranked list of set `index` for a slice: its own, or that of its case."""
        answers = self.sets[index].answers
        if answers.case_lists is not None:
            return answers.case_lists.get((place.key[0], place.case))
        own = answers.answers.get(place.key)
        return own.diagnoses if own is not None else None


def compare_content(
    snapshot: StudySnapshot, stored: Sequence[StoredSet], *, names: Sequence[str], gold: GoldSource | None
) -> CompareContent:
    """Return what is compared.

    Raises UserError for no set, for more than four, for an unknown one, and where no data set of the
    study has gold.
    """
    chosen = _chosen(snapshot, stored, names)
    known, unknown = _places(snapshot, gold)
    places = tuple(p for p in known if any(_has_answered(s, p) for s in chosen))
    return CompareContent(
        study_id=snapshot.study_id,
        protocol_hash=snapshot.protocol_hash,
        is_demo=snapshot.is_demo,
        places=places,
        place_of={p.key: k for k, p in enumerate(places)},
        sets=tuple(_beside_gold(s, places) for s in chosen),
        readers_f1=readers_f1(snapshot, places),
        left_out=tuple(_left_out(chosen, known, places, unknown)),
        notes=tuple(_notes(snapshot, chosen, gold)),
        gold_sources=tuple(_sources(snapshot, gold)),
        side_convention=snapshot.side_convention,
    )


def _chosen(
    snapshot: StudySnapshot, stored: Sequence[StoredSet], names: Sequence[str]
) -> tuple[AnswerSet, ...]:
    if not names:
        raise UserError("Nothing is compared: name 1 to 4 prediction sets or readers.")
    chosen = answer_sets(snapshot, stored, names=names)
    if len(chosen) > MOST_SETS:
        asked = ", ".join(s.name for s in chosen)
        raise UserError(f"At most {MOST_SETS} sets are compared at once (got {asked}).")
    return chosen


def _places(snapshot: StudySnapshot, source: GoldSource | None) -> tuple[list[ComparedPlace], int]:
    """The slices with known gold, and how many have none."""
    found: list[ComparedPlace] = []
    total = 0
    for data_set in snapshot.data_sets:
        gold = gold_of(data_set, source)
        total += len(data_set.slices)
        if gold is not None:
            found += _places_of(data_set, gold.boxes)
    if not found:
        raise UserError(
            "No slice of this study has known gold, so there is nothing to compare with. "
            "Adjudicate slices, or use a data set that brings gold."
        )
    return found, total - len(found)


def _places_of(data_set: SnapshotDataSet, gold: Mapping[str, tuple[Box, ...]]) -> list[ComparedPlace]:
    diagnoses = {c.code: diagnosis_in(c.final_diagnosis) for c in data_set.cases}
    folded = [d.casefold() for d in diagnoses.values() if d]
    cases = {code: folded.count(d.casefold()) if d else 0 for code, d in diagnoses.items()}
    sizes = _sizes(data_set, gold)
    return [
        ComparedPlace(
            key=(data_set.code, s.file_name),
            slice_id=s.id,
            case=s.case_code,
            scan=s.scan_id,
            size=sizes[s.file_name],
            has_picture=s.image_state is ImageState.USABLE,
            gold=gold[s.file_name],
            caption=s.caption,
            diagnosis=diagnoses.get(s.case_code),
            cases=cases.get(s.case_code, 0),
        )
        for s in data_set.slices
        if s.file_name in gold
    ]


def _sizes(data_set: SnapshotDataSet, gold: Mapping[str, tuple[Box, ...]]) -> dict[str, Size | None]:
    facts = [_fact(data_set.code, s) for s in data_set.slices]
    told, _ = with_usual_sizes(facts, [(name, box) for name, boxes in gold.items() for box in boxes])
    return {f.file_name: f.size for f in told}


def _fact(code: str, one: SnapshotSlice) -> SliceFacts:
    size = own_size(one.width, one.height)
    return SliceFacts(one.file_name, code, one.file_name, one.case_code, size=size)


def _beside_gold(answers: AnswerSet, places: Sequence[ComparedPlace]) -> SetBoxes:
    rows, where = [], []
    for index, place in enumerate(places):
        own = answers.answers.get(place.key)
        if own is not None and own.boxes is not None:
            case = f"{place.key[0]}/{place.case}"
            rows.append(SliceBoxes("/".join(place.key), case, gold=place.gold, predicted=own.boxes))
            where.append(index)
    cut = cut_to_pictures(scored_boxes(rows), [places[k].size for k in where])
    answered = [k for k, place in enumerate(places) if _has_answered(answers, place)]
    return SetBoxes(answers, cut, np.array(where, dtype=np.int64), np.array(answered, dtype=np.int64))


def _has_answered(answers: AnswerSet, place: ComparedPlace) -> bool:
    """Whether a set gave boxes, a caption or diagnoses for a slice (or, a reader, for its case)."""
    own = answers.answers.get(place.key)
    if own is not None and (own.boxes, own.caption, own.diagnoses) != (None, None, None):
        return True
    return bool(answers.case_lists and (place.key[0], place.case) in answers.case_lists)


def _left_out(
    chosen: Sequence[AnswerSet],
    known: Sequence[ComparedPlace],
    places: Sequence[ComparedPlace],
    unknown: int,
) -> list[LeftOutCount]:
    rows = [
        LeftOutCount("slices without known gold", unknown),
        LeftOutCount("slices with gold that none of the sets answered", len(known) - len(places)),
    ]
    for one in chosen:
        answered = [p for p in places if _has_answered(one, p)]
        boxless = sum(_boxes_of(one, p.key) is None for p in answered)
        rows.append(LeftOutCount(f"slices that {one.name} did not answer", len(places) - len(answered)))
        rows.append(LeftOutCount(f"slices on which {one.name} gave no boxes but other answers", boxless))
    return [row for row in rows if row.count]


def _boxes_of(answers: AnswerSet, key: SliceKey) -> object:
    own = answers.answers.get(key)
    return own.boxes if own is not None else None


def _notes(snapshot: StudySnapshot, chosen: Sequence[AnswerSet], gold: GoldSource | None) -> list[str]:
    sources = dict(_sources(snapshot, gold))
    notes = []
    for one in chosen:
        code = one.name.partition(".")[0]
        if one.is_reader and _is_in_gold(snapshot, one, code, sources):
            notes.append(
                f"The gold may contain boxes of {one.name}: what he found or missed is not a score of his."
            )
    return notes


def _is_in_gold(
    snapshot: StudySnapshot, one: AnswerSet, code: str, sources: Mapping[str, GoldSource]
) -> bool:
    if one.came_with_data:
        return GoldSource.DATA_SET in sources.values()
    return any(
        code in _made_of(data_set)
        for data_set in snapshot.data_sets
        if sources.get(data_set.code) == GoldSource.DECISIONS
    )


def _made_of(data_set: SnapshotDataSet) -> set[str]:
    return {source.reader_code for row in data_set.decisions for source in row.source_boxes}


def _sources(snapshot: StudySnapshot, asked: GoldSource | None) -> list[tuple[str, GoldSource]]:
    """Where the gold of each data set comes from."""
    found = [(d.code, gold_of(d, asked)) for d in snapshot.data_sets]
    return [(code, gold.source) for code, gold in found if gold is not None]
