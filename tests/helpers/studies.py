"""Small studies as plain values, for tests of exports and imports."""

from collections.abc import Sequence
from dataclasses import replace

from nova_review.domain.dataset import CaseRecord, GoldBox, ImageState
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
from nova_review.domain.snapshot import (
    AnswerContext,
    CaseReading,
    DecisionBox,
    SliceReading,
    SnapshotDataSet,
    SnapshotSlice,
    StudySnapshot,
)
from nova_review.domain.study import Occasion, Phase, PresentationRole, Reader, ReaderKind

NAMES = ("case0001_001.png", "case0001_002.png", "case0002_001.png")
NORTH = Reader("id-north", "Anna North", "R02", ReaderKind.STUDY)
SOUTH = Reader("id-south", "Ben South", "R01", ReaderKind.STUDY)
PUBLISHED = Reader("id-published", "Dr.RadiantRay", "R03", ReaderKind.DATA_SET)


def context(reader: Reader = NORTH, *, case_code: str = "case0001", **changes: object) -> AnswerContext:
    """A submitted first main reading of stage 1."""
    plain = AnswerContext(
        reader_code=reader.code,
        data_set="demo",
        case_code=case_code,
        arm="image-history",
        occasion=Occasion.FIRST,
        role=PresentationRole.MAIN,
        stage=1,
        visible=("image", "siblings"),
        siblings_seen=("case0001_002.png",),
        position=3,
        version=1,
        state=AnswerState.SUBMITTED,
        started_utc="2026-01-02T03:04:05Z",
        closed_utc="2026-01-02T03:06:05Z",
        active_seconds=73.25,
        first_mark_seconds=2.5,
        sitting_minutes=11.125,
        seen_before=False,
        reopen_reason="",
        imported=False,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def finding(number: int = 1, **changes: object) -> Finding:
    """A finding with every field given."""
    plain = Finding(
        id=f"finding-{number}",
        box=Box(10.37, 20.61, 55.123, 70.999),
        label="mass",
        place="frontal",
        side=Side.IMAGE_LEFT,
        confidence=0.7,
        copied_from=None,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def slice_reading(
    file_name: str = NAMES[0], findings: Sequence[Finding] = (), **changes: object
) -> SliceReading:
    """A reading with these findings, or "no finding"."""
    answer = SliceAnswer(
        findings=tuple(findings),
        caption=Caption(("T1", "FLAIR"), "axial", Normality.ABNORMAL, "a bright spot", None),
        outcome=Outcome.FINDINGS if findings else Outcome.NO_FINDING,
    )
    return SliceReading(file_name, context(case_code=file_name[:8], **changes), answer)


def case_reading(case_code: str = "case0001", **changes: object) -> CaseReading:
    """A submitted diagnosis list with a rationale."""
    answer = CaseAnswer((Diagnosis("glioma", 0.7), Diagnosis("abscess", None)), "ring, no restriction")
    stage_2 = context(case_code=case_code, stage=2, visible=("history", "image"), siblings_seen=())
    return CaseReading(1, 1, 1, replace(stage_2, **changes), answer)  # type: ignore[arg-type]


def data_set(*, gold: bool = True, decided: Sequence[str] = (), code: str = "demo") -> SnapshotDataSet:
    """Three slices in two cases; gold on the first slice only."""
    return SnapshotDataSet(
        code=code,
        content_hash="hash-of-demo",
        has_gold=gold,
        slices=tuple(
            SnapshotSlice(
                id=f"{code}-{name}",
                file_name=name,
                case_code=name[:8],
                scan_id=str(int(name[9:12])),
                caption=f"Caption of {name}",
                image_path=f"images/{name}",
                image_state=ImageState.USABLE,
                width=480,
                height=480,
                sha256="0" * 64,
            )
            for name in NAMES
        ),
        cases=(
            CaseRecord("case0001", "History one.", "Title", "2020", "a;b", "Glioma", "https://example.org/1"),
            CaseRecord("case0002", "History two.", None, None, None, "Final Diagnosis not found.", None),
        ),
        gold=(GoldBox(NAMES[0], Box(100.0, 100.0, 100.0, 100.0)),) if gold else (),
        decided=tuple(decided),
        decisions=tuple(
            DecisionBox(n, 1, 1.0, 2.0, 3.0, 4.0, "lesion", "adjudicated", "ADJ1", "2026-01-01T00:00:00Z", "")
            for n in decided[:1]
        ),
    )


def snapshot(
    *,
    slices: Sequence[SliceReading] = (),
    cases: Sequence[CaseReading] = (),
    phase: Phase = Phase.DATABASE_LOCKED,
    data_sets: Sequence[SnapshotDataSet] | None = None,
    is_demo: bool = False,
) -> StudySnapshot:
    """A study with three readers."""
    return StudySnapshot(
        study_id="study-1",
        title="A study",
        phase=phase,
        is_demo=is_demo,
        protocol_hash="hash-of-protocol",
        unit="case",
        data_sets=tuple(data_sets or (data_set(),)),
        readers=(SOUTH, NORTH, PUBLISHED),
        slice_readings=tuple(slices),
        case_readings=tuple(cases),
    )
