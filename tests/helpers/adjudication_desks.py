"""A small study past its database lock, with every kind of disagreement, and desks to settle it.

Six slices of three cases and two or three readers. Whatever an adjudicator must not see carries
the word LEAK: names, secrets of the data set, ids of findings, copies.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nova_review.domain.adjudication import Mode
from nova_review.domain.audit import ViewInterval, ViewKind
from nova_review.domain.dataset import CaseRecord, DataSet, GoldBox, ImageState, SliceRecord
from nova_review.domain.geometry import Box
from nova_review.domain.reading import (
    AnswerState,
    Caption,
    CaseAnswer,
    Diagnosis,
    Finding,
    Normality,
    Outcome,
    Side,
    SliceAnswer,
)
from nova_review.domain.snapshot import AnswerContext, CaseReading, SliceReading
from nova_review.domain.study import Occasion, PresentationRole
from nova_review.services.adjudication import Desk, open_adjudication
from nova_review.services.studies import StudyService
from nova_review.storage.archive import SqliteArchive
from nova_review.storage.decision_store import SqlAdjudicationStore
from nova_review.storage.engine import Store, open_store
from tests.helpers.desks import FixedClock, decode_grey, seeded_ids

READERS = ("LEAK-ada", "LEAK-bruno", "LEAK-chen")
ALL_AGREE, DISJOINT, NOTHING, ONE_SAW, SPLIT, UNREADABLE = (
    "LEAK0001_001.png",
    "LEAK0001_002.png",
    "LEAK0002_001.png",
    "LEAK0003_001.png",
    "LEAK0003_002.png",
    "LEAK0003_003.png",
)
"""File names of the six slices, by what happens on them."""

CASES = {"LEAK0001": 2, "LEAK0002": 1, "LEAK0003": 3}
OWN = SliceAnswer(caption=Caption(("T2",), "axial", Normality.NORMAL), outcome=Outcome.NO_FINDING)
"""A complete answer of the adjudicator's own."""


@dataclass(frozen=True)
class AdjudicationWorld:
    """The study file with a desk on it, and slice ids by file name."""

    file: Store
    store: SqlAdjudicationStore
    desk: Desk
    slices: dict[str, str]
    service: StudyService

    @property
    def path(self) -> Path:
        """The study file."""
        return self.file.path

    def sit_down(self, name: str, *, mode: Mode | None = None, seed: int = 2) -> Desk:
        """Open a further desk on the same file."""
        return open_adjudication(self.store, name, FixedClock(), seeded_ids(seed), decode_grey, mode=mode)

    def id_of(self, file_name: str) -> str:
        """The id of a slice."""
        return self.slices[file_name]


def make_adjudication_desk(
    folder: Path,
    *,
    readers: int = 3,
    mode: Mode = Mode.INDEPENDENT_FIRST,
    name: str = "Dora Judge",
) -> AdjudicationWorld:
    """Make the study in `folder` and sit down at it; close it with `world.file.close()`."""
    service, path = make_study(folder, readers=readers)
    file = open_store(path)
    store = SqlAdjudicationStore(file)
    desk = open_adjudication(store, name, FixedClock(), seeded_ids(1), decode_grey, mode=mode)
    slices = {s.file_name: s.id for d in service.snapshot(path).data_sets for s in d.slices}
    return AdjudicationWorld(file, store, desk, slices, service)


def make_study(folder: Path, *, readers: int = 3) -> tuple[StudyService, Path]:
    """Make the study file alone, read by two or three readers."""
    service = StudyService(
        SqliteArchive(),
        FixedClock(),
        fresh_seed=lambda: "20260301",
        picture_bytes=lambda _data_set, record: _picture(record),
    )
    path = folder / "study.nova"
    if readers in _MADE:
        path.write_bytes(_MADE[readers])
        return service, path
    service.new_study([_data_set()], path, seed="7", embed=True)
    service.add_readings(
        path,
        slice_readings=[r for name in READERS[:readers] for r in slice_readings(name)],
        case_readings=[_case_reading(name, case) for name in READERS[:readers] for case in CASES],
        same_study=False,
        source="tests",
    )
    _MADE[readers] = path.read_bytes()
    return service, path


_MADE: dict[int, bytes] = {}
"""The study file by number of readers: making it takes longer than anything else in a test."""


def answers_of(reader: str) -> dict[str, SliceAnswer]:
    """What a reader answered, by file name."""
    at = READERS.index(reader)
    shift = float(at)
    return {
        ALL_AGREE: _marked(reader, (Box(100 + shift, 100, 80, 60), "lesion", Side.IMAGE_LEFT)),
        DISJOINT: _marked(reader, (Box(30 + 150 * at, 200, 60, 60), "mass", Side.IMAGE_LEFT)),
        NOTHING: replace(OWN, caption=replace(OWN.caption, text="unremarkable")),
        ONE_SAW: _marked(reader, (Box(300, 60, 50, 40), "cyst", Side.MIDLINE)) if at == 0 else OWN,
        SPLIT: _split(reader),
        UNREADABLE: _unreadable(reader),
    }


def slice_readings(reader: str) -> list[SliceReading]:
    """A reader's answers as an import brings them."""
    return [
        SliceReading(name, _context(reader, name.split("_")[0]), answer)
        for name, answer in answers_of(reader).items()
    ]


def seen(slice_id: str, *, stage: int = 1, seconds: float = 0.0) -> ViewInterval:
    """A view of a slice."""
    return ViewInterval(
        presentation_id="",
        slice_id=slice_id,
        stage=stage,
        kind=ViewKind.VISIBLE,
        started_utc="2024-03-01T00:00:00Z",
        process="",
        started=0.0,
        ended=seconds,
        last_input=seconds,
        focused_seconds=seconds,
        view="{}",
    )


def _split(reader: str) -> SliceAnswer:
    """The first marks one large box, the second two small ones in it, the third the larger of these."""
    large = (Box(100, 300, 200, 100), "oedema", Side.IMAGE_LEFT)
    left, right = (
        (Box(100, 300, 110, 100), "oedema", Side.IMAGE_LEFT),
        (Box(230, 310, 60, 80), "mass", Side.IMAGE_RIGHT),
    )
    return _marked(reader, *([large], [right, left], [left])[READERS.index(reader)])


def _unreadable(reader: str) -> SliceAnswer:
    if reader == READERS[1]:
        return SliceAnswer(outcome=Outcome.CANNOT_READ, cannot_read_reason="motion or artefact")
    label = "infarct" if reader == READERS[0] else "haemorrhage"
    return _marked(reader, (Box(200, 200, 90, 90), label, Side.IMAGE_RIGHT))


def _marked(reader: str, *boxes: tuple[Box, str, Side]) -> SliceAnswer:
    findings = tuple(
        Finding(
            id=f"{reader}-{label}-{int(box.x)}",
            box=box,
            label=label,
            place="frontal",
            side=side,
            confidence=0.1 + 0.2 * READERS.index(reader),
            copied_from=f"copy of {reader}",
        )
        for box, label, side in boxes
    )
    text = f"bright spot, seen {1 + READERS.index(reader)} times"
    return SliceAnswer(
        findings=findings,
        caption=Caption(("FLAIR",), "axial", Normality.ABNORMAL, text),
        outcome=Outcome.FINDINGS,
    )


def _case_reading(reader: str, case: str) -> CaseReading:
    at = READERS.index(reader)
    names = ("glioma", "abscess", "metastasis")
    ranked = (names[at:] + names[:at])[:2]
    answer = CaseAnswer(tuple(Diagnosis(n, 0.5) for n in ranked), f"LEAK rationale of {reader}")
    return CaseReading(1, 1, 1, _context(reader, case, stage=2), answer)


def _context(reader: str, case: str, *, stage: int = 1) -> AnswerContext:
    return AnswerContext(
        reader_code=reader,
        data_set="LEAK-set",
        case_code=case,
        arm="image-history",
        occasion=Occasion.FIRST,
        role=PresentationRole.MAIN,
        stage=stage,
        visible=("image",),
        siblings_seen=(),
        position=1,
        version=1,
        state=AnswerState.SUBMITTED,
        started_utc="2025-01-02T03:04:05Z",
        closed_utc="2025-01-02T03:05:05Z",
        active_seconds=42.5,
        first_mark_seconds=3.25,
        sitting_minutes=1.5,
        seen_before=False,
        reopen_reason="",
        imported=False,
    )


def _data_set() -> DataSet:
    slices = tuple(_record(case, n) for case, count in CASES.items() for n in range(1, count + 1))
    return DataSet(
        code="LEAK-set",
        root="/LEAK-root",
        slices=slices,
        cases=tuple(_case(code) for code in CASES),
        gold=tuple(GoldBox(s.file_name, Box(11.5, 22.5, 33.5, 44.5)) for s in slices),
        reader_boxes=(),
        warnings=(),
        errors=(),
        ignored=(),
        refused=False,
    )


def _case(code: str) -> CaseRecord:
    return CaseRecord(
        code=code,
        clinical_history=f"LEAK history of {code}",
        title=f"LEAK title of {code}",
        publication_date="LEAK date",
        differential_diagnosis="LEAK differential",
        final_diagnosis="LEAK final diagnosis",
        link="LEAK link",
    )


def _record(case: str, number: int) -> SliceRecord:
    return SliceRecord(
        file_name=f"{case}_{number:03d}.png",
        case_code=case,
        scan_id=str(number),
        caption="LEAK gold caption",
        image_path=f"images/{case}_{number:03d}.png",
        image_state=ImageState.USABLE,
        width=480,
        height=480,
        sha256="0" * 64,
    )


def _picture(record: SliceRecord) -> bytes:
    """What `desks.decode_grey` decodes."""
    return f"480 480 {int(record.case_code[-4:])} {int(record.scan_id)}".encode()


def all_words(views: Sequence[object]) -> str:
    """Everything that a view says, as one text to search in."""
    return "\n".join(repr(view) for view in views)
