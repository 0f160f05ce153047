"""What is scored: the slices of a study or a data set with their gold, and the sets that answered them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from nova_review.domain.dataset import DataSet
from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box, Size
from nova_review.domain.judging import JudgedPair
from nova_review.domain.prediction import PredictedBox, Prediction, PredictionKind, StoredSet
from nova_review.domain.reading import composed_caption
from nova_review.domain.snapshot import SnapshotDataSet, StudySnapshot
from nova_review.services.agreement_readings import NOVA_SIZE, own_size
from nova_review.services.answer_sets import AnswerSet, SliceKey, answer_sets
from nova_review.services.export_content import GoldSource, gold_of
from nova_review.services.prediction_content import SlicePlace

CaseKey = tuple[str, str]


@dataclass(frozen=True, slots=True)
class ScoredSlice:
    """One slice; `gold` is None where its gold is not known, `caption` None where there is none.

    `name` and `case` are unique over all data sets; `diagnosis` is the final diagnosis as written.
    """

    key: SliceKey
    case_key: CaseKey
    name: str
    case: str
    size: Size | None
    gold: tuple[Box, ...] | None
    caption: str | None
    diagnosis: str


@dataclass(frozen=True, slots=True, eq=False)
class ScoringContent:
    """A source, ready to be scored.

    Attributes
    ----------
    title : what a person calls the source
    slices : in the order of the data sets
    sets : all that can be scored, readers first
    aliases : other names by which a reader may be asked for
    persons : codes (in a data set pseudonyms) of the readers; a set may be named after one and his arm
    in_gold, in_captions : names of readers whose boxes, or captions, went into the gold
    judged : what was judged of diagnoses
    size_bands : borders of relative size that the protocol fixed; () is terciles of gold
    """

    title: str
    slices: tuple[ScoredSlice, ...]
    sets: tuple[AnswerSet, ...]
    aliases: Mapping[str, str]
    persons: frozenset[str]
    in_gold: frozenset[str]
    in_captions: frozenset[str]
    judged: tuple[JudgedPair, ...] = ()
    size_bands: tuple[float, ...] = ()
    synthetic: bool = False

    def person_of(self, one: AnswerSet) -> str:
        """Return the reader whose answers these are, whatever the arm; "" for a model's."""
        if not one.is_reader:
            return ""
        return one.name if one.name in self.persons else one.name.partition(".")[0]

    def places(self) -> tuple[SlicePlace, ...]:
        """Return where predictions of a file can go."""
        return tuple(SlicePlace(s.key[0], s.key[1], s.case_key[1], s.size or NOVA_SIZE) for s in self.slices)


def content_of_study(
    snapshot: StudySnapshot,
    stored: Sequence[StoredSet],
    judged: Sequence[JudgedPair],
    source: GoldSource | None,
) -> ScoringContent:
    """Return a study: readers who submitted, stored sets, gold as exports take it."""
    sets = answer_sets(snapshot, stored)
    several = len(snapshot.data_sets) > 1
    return ScoringContent(
        title=snapshot.title,
        slices=tuple(s for d in snapshot.data_sets for s in _slices_of(d, source, several=several)),
        sets=sets,
        aliases={r.name: r.code for r in snapshot.readers},
        persons=frozenset(r.code for r in snapshot.readers),
        in_gold=frozenset(
            s.name for s in sets if s.is_reader and any(_is_in(s, d, source) for d in snapshot.data_sets)
        ),
        in_captions=frozenset(
            s.name
            for s in sets
            if s.is_reader
            and any((d.code, name) in s.answers for d in snapshot.data_sets for name in _panel(d))
        ),
        judged=tuple(judged),
        size_bands=snapshot.analysis.size_bands,
        synthetic=snapshot.is_demo,
    )


def _is_in(reader: AnswerSet, data_set: SnapshotDataSet, source: GoldSource | None) -> bool:
    """Whether the gold of a data set contains a reader.

    The data set's own gold may be made of the readers who came with it. Decisions are made in sight of
    all answers on the slice, so they contain everybody who read it, and those whose boxes they name.
    """
    gold = gold_of(data_set, source)
    if gold is None:
        return False
    if gold.source is GoldSource.DATA_SET:
        return reader.came_with_data and any(code == data_set.code for code, _ in reader.answers)
    rows = (*data_set.decisions, *data_set.rejected_boxes)
    named = {one.reader_code for row in rows for one in row.source_boxes}
    has_read = any((data_set.code, name) in reader.answers for name in data_set.decided)
    return has_read or reader.name.partition(".")[0] in named


def _panel(data_set: SnapshotDataSet) -> dict[str, str]:
    """The panel's reference captions, where it decided one."""
    captions = {d.file_name: composed_caption(d.caption) for d in data_set.slice_decisions if d.caption}
    return {name: words for name, words in captions.items() if words}


def _slices_of(
    data_set: SnapshotDataSet, source: GoldSource | None, *, several: bool
) -> Sequence[ScoredSlice]:
    gold = gold_of(data_set, source)
    diagnoses = {c.code: c.final_diagnosis or "" for c in data_set.cases}
    panel = _panel(data_set)
    head = f"{data_set.code}/" if several else ""
    return [
        ScoredSlice(
            key=(data_set.code, s.file_name),
            case_key=(data_set.code, s.case_code),
            name=f"{head}{s.file_name}",
            case=f"{head}{s.case_code}",
            size=own_size(s.width, s.height),
            gold=None if gold is None else gold.boxes.get(s.file_name),
            caption=told(panel.get(s.file_name) or s.caption),
            diagnosis=diagnoses.get(s.case_code, ""),
        )
        for s in data_set.slices
    ]


def told(caption: str | None) -> str | None:
    """Return a caption, None for none: six published captions are the literal text "nan"."""
    return caption if caption and caption.strip() and caption.strip().casefold() != "nan" else None


def content_of_data_set(data_set: DataSet) -> ScoringContent:
    """Return a data set: the readers who came with it as sets, its own gold.

    Raises UserError where it was refused or has no slices.
    """
    if data_set.refused or not data_set.slices:
        raise UserError(
            f"{data_set.code} cannot be scored: a table could not be used or there are no slices. "
            "`nova-review dataset check` tells what is wrong."
        )
    gold: dict[str, list[Box]] = {s.file_name: [] for s in data_set.slices}
    for row in data_set.gold:
        gold.setdefault(row.file_name, []).append(row.box)
    diagnoses = {c.code: c.final_diagnosis or "" for c in data_set.cases}
    slices = tuple(
        ScoredSlice(
            key=(data_set.code, s.file_name),
            case_key=(data_set.code, s.case_code),
            name=s.file_name,
            case=s.case_code,
            size=own_size(s.width, s.height),
            gold=tuple(gold[s.file_name]) if data_set.gold else None,
            caption=told(s.caption),
            diagnosis=diagnoses.get(s.case_code, ""),
        )
        for s in data_set.slices
    )
    readers = tuple(_published_reader(data_set, name) for name in data_set.readers)
    contained = frozenset(r.name for r in readers) if data_set.gold else frozenset[str]()
    return ScoringContent(
        title=data_set.code,
        slices=slices,
        sets=readers,
        aliases={},
        persons=frozenset(data_set.readers),
        in_gold=contained,
        in_captions=frozenset(),
    )


def _published_reader(data_set: DataSet, name: str) -> AnswerSet:
    """A reader who came with the data: he read the slices on which he has boxes."""
    boxes: dict[str, list[PredictedBox]] = {}
    for row in data_set.reader_boxes:
        if row.reader == name:
            boxes.setdefault(row.file_name, []).append(PredictedBox(row.box))
    return AnswerSet(
        name=name,
        kind=PredictionKind.READER,
        answers={
            (data_set.code, file_name): Prediction(file_name, data_set.code, boxes=tuple(own))
            for file_name, own in boxes.items()
        },
        came_with_data=True,
    )
