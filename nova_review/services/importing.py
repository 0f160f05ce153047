"""Import: readings from a folder or file into a study, never over what is there."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol, TypeVar

from nova_review.domain.dataset import Oddity
from nova_review.domain.errors import UserError
from nova_review.domain.snapshot import CaseReading, SliceReading, SnapshotDataSet, StudySnapshot
from nova_review.services.bare_answers import BareAnswers
from nova_review.services.import_content import ImportedReadings

AnyReading = TypeVar("AnyReading", SliceReading, CaseReading)


@dataclass(frozen=True, slots=True)
class Added:
    """What went into the study. `readers` are codes; conflicts and left-outs are in `warnings`."""

    slice_readings: int
    case_readings: int
    already_there: int
    conflicts: int
    readers: tuple[str, ...]
    warnings: tuple[Oddity, ...]


class ReadingSink(Protocol):
    """The study that takes readings."""

    def snapshot(self, file: Path) -> StudySnapshot:
        """Return the study's content."""
        ...

    def add_readings(
        self,
        file: Path,
        *,
        slice_readings: tuple[SliceReading, ...],
        case_readings: tuple[CaseReading, ...],
        same_study: bool,
        source: str,
    ) -> Added:
        """Store what is new; list what is there with another content; change nothing."""
        ...


class ImportService:
    """Brings readings back into a study."""

    def __init__(self, sink: ReadingSink, read: Callable[[Path], ImportedReadings]) -> None:
        self._sink = sink
        self._read = read

    def add(self, file: Path, path: Path) -> Added:
        """Add the readings at `path` to the study, in one transaction.

        Reader codes are mapped back if the readings were exported from this very study, else
        they are names of readers that come with the data; a code that somebody here has says
        which study it is from, the same in every format. Rows of slices or cases that the
        study does not have are left out, each with a warning. Raises UserError if nothing at
        `path` can be used.
        """
        study = self._sink.snapshot(file)
        found = _told_apart(self._read(path), study)
        same_study = found.study_id == study.study_id
        slices, lost_slices = _placed_slices(found, study)
        cases, lost_cases = _placed_cases(found, study)
        bare = BareAnswers(study, same_study=same_study, source=found.source)
        added = self._sink.add_readings(
            file,
            slice_readings=bare.new_slices(slices),
            case_readings=bare.new_cases(cases),
            same_study=same_study,
            source=found.source,
        )
        return replace(
            added,
            already_there=added.already_there + bare.already_there,
            conflicts=added.conflicts + len(bare.conflicts),
            warnings=(*found.warnings, *lost_slices, *lost_cases, *bare.conflicts, *added.warnings),
        )


def _told_apart(found: ImportedReadings, study: StudySnapshot) -> ImportedReadings:
    """Return the readings with codes of another study so named that nobody of this one is meant."""
    if found.study_id == study.study_id:
        return found
    here = {r.code for r in study.readers} - {r.name for r in study.readers}
    origin = f"study {found.study_id[:8]}" if found.study_id else found.source

    def named(reading: AnyReading) -> AnyReading:
        said = reading.context.reader_code
        if said not in here:
            return reading
        return replace(reading, context=replace(reading.context, reader_code=f"{said} of {origin}"))

    return replace(
        found,
        slice_readings=tuple(map(named, found.slice_readings)),
        case_readings=tuple(map(named, found.case_readings)),
    )


def _placed_slices(
    found: ImportedReadings, study: StudySnapshot
) -> tuple[tuple[SliceReading, ...], list[Oddity]]:
    placed, lost = [], []
    for reading in found.slice_readings:
        data_set = _data_set(reading, study)
        cases = {s.file_name: s.case_code for s in data_set.slices} if data_set else {}
        if data_set is None or reading.file_name not in cases:
            lost.append(_lost("slice", reading.file_name, found.source))
            continue
        placed.append(_in_place(reading, data_set.code, cases[reading.file_name]))
    return tuple(placed), lost


def _placed_cases(
    found: ImportedReadings, study: StudySnapshot
) -> tuple[tuple[CaseReading, ...], list[Oddity]]:
    placed, lost = [], []
    for reading in found.case_readings:
        data_set = _data_set(reading, study)
        code = reading.context.case_code
        if data_set is None or all(s.case_code != code for s in data_set.slices):
            lost.append(_lost("case", code, found.source))
            continue
        placed.append(_in_place(reading, data_set.code, code))
    return tuple(placed), lost


def _in_place(reading: AnyReading, data_set: str, case_code: str) -> AnyReading:
    return replace(reading, context=replace(reading.context, data_set=data_set, case_code=case_code))


def _data_set(reading: SliceReading | CaseReading, study: StudySnapshot) -> SnapshotDataSet | None:
    by_code: Mapping[str, SnapshotDataSet] = {d.code: d for d in study.data_sets}
    asked = reading.context.data_set
    if asked in by_code:
        return by_code[asked]
    if len(study.data_sets) == 1:
        return study.data_sets[0]
    if asked:
        return None
    known = ", ".join(by_code)
    raise UserError(
        f"The study has several data sets ({known}) and the file does not say which one it is for."
    )


def _lost(kind: str, name: str, source: str) -> Oddity:
    message = f"The study has no {kind} {name!r}; its reading was left out."
    return Oddity(code=f"unknown_{kind}", file=source, row=None, value=name, message=message)
