"""Small data sets in memory, and a study service with a clock that stands still."""

from collections.abc import Sequence
from pathlib import Path

from nova_review.domain.dataset import (
    CaseRecord,
    DataSet,
    GoldBox,
    ImageState,
    Oddity,
    ReaderBox,
    SliceRecord,
)
from nova_review.domain.geometry import Box
from nova_review.services.studies import StudyService
from nova_review.storage.archive import SqliteArchive

NOON = "2026-03-01T12:00:00.000000Z"
SECRET = "glioblastoma multiforme"


class StoppedClock:
    """Noon, whenever it is asked."""

    def utc_now(self) -> str:
        return NOON

    def monotonic(self) -> float:
        return 0.0


def slice_record(
    case: str, number: int, *, state: ImageState = ImageState.USABLE, root: Path | None = None
) -> SliceRecord:
    """A slice as the loader lists it; usable ones have a size and a hash."""
    usable = state is ImageState.USABLE
    name = f"{case}_{number:03d}.png"
    return SliceRecord(
        file_name=name,
        case_code=case,
        scan_id=str(number),
        caption=f"caption of {name}",
        image_path=f"images/{name}" if usable else None,
        image_state=state,
        width=480 if usable else None,
        height=480 if usable else None,
        sha256="0" * 64 if usable else None,
    )


def data_set(
    counts: Sequence[int] = (2, 1, 3),
    *,
    code: str = "tiny",
    readers: Sequence[str] = (),
    missing: Sequence[str] = (),
    root: str = "/nowhere/tiny",
) -> DataSet:
    """Cases with so many slices; each reader has one box on the first slice of each case.

    Slices named in `missing` have no picture.
    """
    cases = [f"case{number:04d}" for number in range(1, len(counts) + 1)]
    records = []
    for case, count in zip(cases, counts, strict=True):
        for number in range(1, count + 1):
            record = slice_record(case, number)
            gone = record.file_name in missing
            records.append(slice_record(case, number, state=ImageState.MISSING) if gone else record)
    return DataSet(
        code=code,
        root=root,
        slices=tuple(records),
        cases=tuple(
            CaseRecord(
                code=case,
                clinical_history=f"history of {case}",
                title=f"{case}: a case of {SECRET}",
                final_diagnosis=SECRET,
                link=f"https://example.org/{case}",
            )
            for case in cases
        ),
        gold=tuple(GoldBox(record.file_name, Box(10.5, 20.25, 30.125, 40.0)) for record in records),
        reader_boxes=tuple(
            ReaderBox(f"{case}_001.png", reader, Box(10.37, 20.61, 55.123, 70.999))
            for reader in readers
            for case in cases
        ),
        warnings=(Oddity("box_outside", "bboxes_gold.csv", 7, "549", "The box ends outside; it is kept."),),
        errors=(),
        ignored=(),
        refused=False,
    )


def study_service(pictures: dict[str, bytes] | None = None) -> StudyService:
    """The real service over real files; pictures to embed come from a dictionary by file name."""

    def picture_bytes(_: DataSet, record: SliceRecord) -> bytes:
        return (pictures or {})[record.file_name]

    return StudyService(
        SqliteArchive(), StoppedClock(), fresh_seed=lambda: "20260301", picture_bytes=picture_bytes
    )
