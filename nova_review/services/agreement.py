"""Agreement: the readings of a study, a data set or a table, measured, kept, and laid down.

A study is measured after its database lock; an earlier look needs a reason, which goes to the
audit log and stands in every result.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from nova_review.domain.dataset import DataSet
from nova_review.domain.errors import UserError
from nova_review.domain.snapshot import StudySnapshot
from nova_review.domain.visibility import Page, is_past_lock, may_open
from nova_review.services.agreement_measures import Linked, Measured, linked, measure
from nova_review.services.agreement_object import measured_object
from nova_review.services.agreement_readings import (
    AgreementRequest,
    BoxTable,
    Readings,
    readings_of_data_set,
    readings_of_table,
)
from nova_review.services.agreement_study import readings_of_study
from nova_review.services.agreement_tables import Table, all_tables
from nova_review.services.export_content import ExportFile
from nova_review.services.ports import Progress

OBJECT_FILE = "agreement.json"
STUDY_SUFFIX = ".nova"


class StudySource(Protocol):
    """Where a study is read from, and where an early look is written down."""

    def snapshot(self, file: Path) -> StudySnapshot:
        """Return the study's content, read in one transaction."""
        ...

    def note(self, file: Path, *, action: str, reason: str, details: str) -> None:
        """Append to the audit log."""
        ...


class PutFolder(Protocol):
    """Writes a folder whole or not at all."""

    def __call__(
        self, folder: Path, files: Iterable[ExportFile], *, overwrite: bool, replaced: Collection[str] = ()
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class AgreementFiles:
    """How files are read and written; each is a function of `formats`.

    `read_boxes` returns None for a table that holds no bare boxes.
    """

    read_data_set: Callable[[Path, Progress], DataSet]
    read_boxes: Callable[[Path], BoxTable | None]
    table_bytes: Callable[[Table], bytes]
    figures: Callable[[Measured, Linked], Iterable[ExportFile]]
    put_folder: PutFolder


@dataclass(frozen=True, slots=True, eq=False)
class AgreementResult:
    """The numbers; `before_lock` is the reason for an early look at a study, or None."""

    measured: Measured
    before_lock: str | None = None


class AgreementService:
    """Measures sources. Keeps what it measured last: equal readings are not measured twice."""

    def __init__(self, studies: StudySource, files: AgreementFiles) -> None:
        self._studies = studies
        self._files = files
        self._kept: dict[object, Measured] = {}

    def measure(
        self, source: Path, request: AgreementRequest, *, progress: Progress, early_reason: str | None = None
    ) -> AgreementResult:
        """Return the agreement in a study file, a data-set folder or a boxes table.

        Raises NotAllowedError for a study before its database lock unless a reason is given
        (which is audited), and UserError where the source holds nothing to compare.
        """
        if source.suffix == STUDY_SUFFIX and source.is_file():
            return self.measure_study(source, request, early_reason=early_reason)
        return AgreementResult(measure(self._readings(source, request, progress), request))

    def measure_study(
        self, file: Path, request: AgreementRequest, *, early_reason: str | None = None
    ) -> AgreementResult:
        """Return the agreement in a study; measured anew only when its readings have changed."""
        snapshot = self._studies.snapshot(file)
        may_open(Page.AGREEMENT, snapshot.phase, early_reason=early_reason).require()
        early = early_reason if not is_past_lock(snapshot.phase) else None
        if early:
            details = json.dumps({"readers": list(request.readers), "early": True})
            self._studies.note(file, action="agreement", reason=early, details=details)
        key = (study_revision(snapshot), request)
        if key not in self._kept:
            self._kept.clear()  # the readings of before are of no use any more
            self._kept[key] = measure(readings_of_study(snapshot, request), request)
        return AgreementResult(self._kept[key], early)

    def files_of(self, result: AgreementResult) -> list[ExportFile]:
        """Return all tables, figures and the object of a result as files."""
        measured = result.measured
        views = [linked(measured, t) for t in measured.thresholds]
        tables = [
            ExportFile(f"{t.name}.csv", self._files.table_bytes(t)) for t in all_tables(measured, views)
        ]
        text = json.dumps(measured_object(measured, result.before_lock), ensure_ascii=False, indent=2)
        headline = next(v for v in views if v.threshold == measured.headline_threshold)
        figures = self._files.figures(measured, headline)
        return [ExportFile(OBJECT_FILE, (text + "\n").encode()), *tables, *figures]

    def write(self, result: AgreementResult, folder: Path, *, overwrite: bool = False) -> tuple[str, ...]:
        """Write tables and figures into a folder, all or none; returns their names."""
        files = sorted(self.files_of(result), key=lambda f: f.path)
        names = tuple(f.path for f in files)
        self._files.put_folder(folder, files, overwrite=overwrite, replaced=names)
        return names

    def table_bytes(self, table: Table) -> bytes:
        """Return one table as it is written to files."""
        return self._files.table_bytes(table)

    def _readings(self, source: Path, request: AgreementRequest, progress: Progress) -> Readings:
        if not source.exists():
            raise UserError(f"There is nothing at {source}. Give a study file, a data set or a boxes table.")
        table = self._files.read_boxes(source) if source.is_file() else None
        if table is not None:
            return readings_of_table(table, request)
        data_set = self._files.read_data_set(source, progress)
        if data_set.refused or not data_set.reader_boxes:
            raise UserError(
                f"{source} holds no boxes of readers that can be used. `nova-review dataset check` "
                "tells what is in it."
            )
        return readings_of_data_set(data_set, request)


def study_revision(snapshot: StudySnapshot) -> object:
    """Return what of a study decides about its agreement: equal revisions give equal numbers."""
    shapes = tuple((d.code, d.content_hash, d.slices, d.cases, d.gold) for d in snapshot.data_sets)
    return (
        snapshot.study_id,
        snapshot.analysis,
        snapshot.readers,
        shapes,
        snapshot.slice_readings,
        snapshot.case_readings,
    )


def result_object(result: AgreementResult) -> Mapping[str, object]:
    """Return the result as one JSON object."""
    return measured_object(result.measured, result.before_lock)
