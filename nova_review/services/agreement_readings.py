"""What agreement is measured on: readings of a study, a data set or a table, and what was left out.

A reading counts once: the version that was locked first, of a main reading that was submitted.
Repeated readings are kept apart and compared with the reader's own first ones.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from nova_review.analysis.boxes import Absent, BoxRow, ReadBoxes, clip, read_boxes
from nova_review.analysis.pairs import Unit
from nova_review.domain.dataset import DataSet
from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box, Size
from nova_review.domain.protocol import DEFAULT_ANALYSIS, AnalysisPlan
from nova_review.domain.reading import Diagnosis

NOVA_SIZE = Size(480, 480)
"""The size of slices in the published layout, for slices whose picture is not there."""

NOT_CLIPPED = (
    "The sizes of some slices are not known and boxes lie beyond 480 x 480, so the boxes of these slices "
    "are not clipped."
)


@dataclass(frozen=True, slots=True)
class AgreementRequest:
    """What is asked for. Empty `readers` means all; `size` None means each slice's own.

    `thresholds` are IoU in (0, 1], those of the protocol if empty; `resamples` 0 leaves the
    intervals out. Raises UserError where a number cannot be used.
    """

    readers: tuple[str, ...] = ()
    thresholds: tuple[float, ...] = ()
    resamples: int = 2_000
    seed: int = 1
    resample: Unit = Unit.CASE
    absent: Absent = Absent.UNREAD
    size: Size | None = None

    def __post_init__(self) -> None:
        for threshold in self.thresholds:
            if not 0 < threshold <= 1:
                raise UserError(f"A threshold is an IoU above 0 and at most 1 (got {threshold:g}).")
        if not 0 <= self.resamples <= 1_000_000:
            raise UserError(f"The number of resamples must be from 0 to 1,000,000 (got {self.resamples}).")
        if self.seed < 0:
            raise UserError(f"The seed must not be below 0 (got {self.seed}).")
        if len(set(self.readers)) == 1:
            raise UserError("Agreement needs at least two readers: name another with --reader, or none.")


@dataclass(frozen=True, slots=True)
class SliceFacts:
    """What is known of a slice besides its boxes; "" and None where it is not told.

    `key` is its name in the numbers: the file name, with the data set before it where there are
    several. `plane`, `sequence` and `diagnosis` are the groups it belongs to.
    """

    key: str
    data_set: str
    file_name: str
    case: str
    slice_id: str = ""
    size: Size | None = None
    plane: str | None = None
    sequence: str | None = None
    diagnosis: str | None = None


@dataclass(frozen=True, slots=True)
class CaseList:
    """One reader's ranked diagnoses on one case."""

    reader: str
    case: str
    diagnoses: tuple[Diagnosis, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Readings:
    """One source, ready to be measured.

    Attributes
    ----------
    title : what a person calls the source
    read : the readings that are compared, clipped
    repeats : first and repeated readings of the same reader on the same slice, None without any
    facts : one for each slice of `read`, in its order
    codes : the code of each reader by the name that is used for him (equal, except for the
        published pseudonyms of readers who came with the data)
    gold : boxes of the data set's own gold as (slice key, box), for the bands of size
    lists : first submitted diagnosis lists
    left_out : sentences saying what does not count, and why
    notes : other sentences that must stand beside the numbers
    plan : what the protocol fixed about the analysis
    """

    title: str
    read: ReadBoxes
    repeats: ReadBoxes | None = None
    facts: tuple[SliceFacts, ...] = ()
    codes: Mapping[str, str] = field(default_factory=dict)
    gold: tuple[tuple[str, Box], ...] = ()
    lists: tuple[CaseList, ...] = ()
    left_out: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    plan: AnalysisPlan = DEFAULT_ANALYSIS


@dataclass(frozen=True, slots=True)
class BoxTable:
    """A bare table of boxes: rows as (file name, case, reader, box or None for "no finding").

    `notes` say how the table was understood.
    """

    title: str
    rows: tuple[BoxRow, ...]
    notes: tuple[str, ...] = ()


def readings_of_table(table: BoxTable, request: AgreementRequest) -> Readings:
    """Return the readings of a bare table; boxes are clipped only if a size was asked for."""
    names = {reader for _, _, reader, _ in table.rows}
    chosen, left_out = _chosen(table.rows, request.readers, names)
    slices = {name: case for name, case, _, _ in table.rows}
    read = read_boxes(chosen, slices=slices.items(), readers=_wanted(request, names), absent=request.absent)
    return Readings(
        title=table.title,
        read=clip(read, request.size) if request.size else read,
        facts=tuple(SliceFacts(n, "", n, c, size=request.size) for n, c in slices.items()),
        codes={name: name for name in read.readers},
        left_out=left_out,
        notes=table.notes,
    )


def readings_of_data_set(data_set: DataSet, request: AgreementRequest) -> Readings:
    """Return the readings that came with a data set, clipped to its slices."""
    told = facts_of_data_set(data_set, request)
    facts, note = with_usual_sizes(told, [(b.file_name, b.box) for b in data_set.reader_boxes])
    known = {f.file_name: f.case for f in facts}
    rows: list[BoxRow] = [
        (b.file_name, known[b.file_name], b.reader, b.box)
        for b in data_set.reader_boxes
        if b.file_name in known
    ]
    chosen, left_out = _chosen(rows, request.readers, data_set.readers)
    read = read_boxes(
        chosen,
        slices=[(f.key, f.case) for f in facts],
        readers=_wanted(request, data_set.readers),
        absent=request.absent,
    )
    return Readings(
        title=data_set.code,
        read=clipped_to_slices(read, facts),
        facts=facts,
        codes={name: name for name in read.readers},
        gold=tuple((g.file_name, g.box) for g in data_set.gold if g.file_name in known),
        left_out=left_out,
        notes=note,
    )


def facts_of_data_set(data_set: DataSet, request: AgreementRequest) -> tuple[SliceFacts, ...]:
    """Return what a data set tells of its slices; `request.size` goes before their own size."""
    from nova_review.services.slice_groups import diagnosis_in, plane_in, sequence_in

    diagnoses = {c.code: c.final_diagnosis for c in data_set.cases}
    return tuple(
        SliceFacts(
            key=s.file_name,
            data_set=data_set.code,
            file_name=s.file_name,
            case=s.case_code,
            size=request.size or own_size(s.width, s.height),
            plane=plane_in(s.caption),
            sequence=sequence_in(s.caption),
            diagnosis=diagnosis_in(diagnoses.get(s.case_code)),
        )
        for s in data_set.slices
    )


def own_size(width: int | None, height: int | None) -> Size | None:
    """Return a slice's own size, None where it is not known."""
    return Size(width, height) if width and height else None


def with_usual_sizes(
    facts: Sequence[SliceFacts], boxes: Iterable[tuple[str, Box]]
) -> tuple[tuple[SliceFacts, ...], tuple[str, ...]]:
    """Give slices of unknown size that of the published layout; returns them, and a note if they do not fit.

    Where a box (key, box) of such a slice lies wholly beyond that size, the layout is another one:
    their sizes stay unknown and their boxes are not clipped.
    """
    unknown = {f.key for f in facts if f.size is None}
    beyond = any(b.x >= NOVA_SIZE.width or b.y >= NOVA_SIZE.height for key, b in boxes if key in unknown)
    if not unknown or beyond:
        return tuple(facts), (NOT_CLIPPED,) if beyond else ()
    return tuple(replace(f, size=f.size or NOVA_SIZE) for f in facts), ()


def clipped_to_slices(read: ReadBoxes, facts: Sequence[SliceFacts]) -> ReadBoxes:
    """Return the readings with every box cut to its slice."""
    sizes = {f.key: f.size for f in facts}
    return clip(read, [sizes.get(name) for name in read.slices])


def _wanted(request: AgreementRequest, names: Collection[str]) -> Collection[str]:
    return request.readers or names


def _chosen(
    rows: Sequence[BoxRow], asked: Collection[str], names: Collection[str]
) -> tuple[Iterable[BoxRow], tuple[str, ...]]:
    """Keep the rows of the readers asked for; UserError for one that is not there."""
    if not asked:
        return rows, ()
    for name in asked:
        if name not in names:
            raise UserError(f"There is no reader {name} here; the readers are {', '.join(sorted(names))}.")
    others = len(set(names) - set(asked))
    sentence = (f"Left out: {others} reader{'s' if others > 1 else ''} not chosen.",) if others else ()
    return [row for row in rows if row[2] in asked], sentence
