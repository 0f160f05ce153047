"""A study in figures as a JSON-ready object, for `study info` and whoever relies on it."""

from dataclasses import asdict
from pathlib import Path

from nova_review.domain.study import DataSetSummary, ReaderKind
from nova_review.services.study_plan import IGNORED_FILE
from nova_review.services.study_views import Closed, StudyInfo


def info_report(info: StudyInfo, file: Path) -> dict[str, object]:
    """Return counts over all data sets, names, oddities and the rest of what a study tells.

    `readers` are names as given when the study was made; where it has no readers of its own (but
    perhaps a visitor), the names of all. `reader_details` has all of them with their codes.
    """
    own = [r.name for r in info.readers if r.kind is ReaderKind.STUDY and not r.is_visitor]
    came = [r.name for r in info.readers if r.kind is ReaderKind.DATA_SET]
    report: dict[str, object] = {
        "file": str(file),
        "title": info.title,
        "study_id": info.study_id,
        "phase": info.phase.value,
        "is_demo": info.is_demo,
        "slices": _sum(info.data_sets, "slices"),
        "cases": _sum(info.data_sets, "cases"),
        "usable_slices": _sum(info.data_sets, "usable_slices"),
        "embedded_slices": info.embedded,
        "gold_boxes": _sum(info.data_sets, "gold_boxes"),
        "reader_boxes": _sum(info.data_sets, "reader_boxes"),
        "decisions": info.decisions,
        "adjudication": asdict(info.adjudication) if info.adjudication else None,
        "readers": own or [r.name for r in info.readers],
        "data_set_readers": came,
        "reader_details": [asdict(r) for r in info.readers],
        "prediction_sets": list(info.prediction_sets),
        "unit": info.unit,
        "arm": info.arm,
        "seed": int(info.seed) if info.seed.lstrip("-").isdecimal() else info.seed,
        "protocol_version": info.protocol_version,
        "protocol_hash": info.protocol_hash,
        "created_utc": info.created_utc,
        "closed_utc": info.closed_utc,
        "made_by": info.made_by,
        "data_sets": [asdict(d) for d in info.data_sets],
        "warnings": [asdict(oddity) for oddity in info.warnings],
        "errors": [asdict(oddity) for oddity in info.errors],
        "ignored": [r.message for r in info.remarks if r.code == IGNORED_FILE],
        "remarks": [asdict(r) for r in info.remarks if r.code != IGNORED_FILE],
    }
    if info.orders is not None:
        report["orders"] = {name: list(files) for name, files in info.orders.items()}
    return report


def closed_report(closed: Closed, file: Path) -> dict[str, object]:
    """Return what the database lock did and what was still open."""
    return {
        "file": str(file),
        "closed_utc": closed.at_utc,
        "reason": closed.reason,
        "open_readings": [asdict(one) for one in closed.open_readings],
    }


def _sum(data_sets: tuple[DataSetSummary, ...], field: str) -> int:
    return sum(getattr(d, field) for d in data_sets)
