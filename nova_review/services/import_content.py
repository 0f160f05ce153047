"""What a file of readings holds, as plain values, before it goes into a study."""

from dataclasses import dataclass

from nova_review.domain.dataset import Oddity
from nova_review.domain.snapshot import CaseReading, SliceReading

BARE_ARM = ""
"""The arm of an answer whose file carries little more than boxes or names and tells no arm."""


@dataclass(frozen=True, slots=True)
class ImportedReadings:
    """Readings found in a folder or file.

    `context.reader_code` holds the reader as the file names him; `context.data_set` is the
    data set's code, "" where the file does not tell (a study of one data set takes it then);
    `context.case_code` is "" where the file does not tell. `study_id` is that of the study
    the file was exported from, None where it does not tell.
    """

    slice_readings: tuple[SliceReading, ...]
    case_readings: tuple[CaseReading, ...]
    study_id: str | None
    source: str
    warnings: tuple[Oddity, ...] = ()
