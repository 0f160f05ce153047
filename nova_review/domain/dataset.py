"""A data set as it was handed to us: slices, cases, boxes, and every oddity met on the way.

A data set is read once (by `formats`), checked by a person and then copied into a study.
Slice identity is (data set code, file name): two data sets may hold the same file name.
"""

from dataclasses import dataclass
from enum import StrEnum

from nova_review.domain.geometry import Box


class ImageState(StrEnum):
    """Whether the picture of a slice can be shown."""

    USABLE = "usable"
    MISSING = "missing"
    DAMAGED = "damaged"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True)
class Oddity:
    """Something in a data set that is not as it should be, and what was done about it.

    `row` counts records from 1 with the header as record 1, as a spreadsheet does; None
    where the oddity belongs to the whole file. `value` is shown with control characters
    escaped.
    """

    code: str
    file: str
    row: int | None
    value: str
    message: str


@dataclass(frozen=True, slots=True)
class SliceRecord:
    """One slice. `image_path` is relative to the data set's root, "/" between parts.

    `width`, `height` (pixels) and `sha256` (of the file's bytes) are None unless the
    picture is usable. `caption` is the data set's own caption, None where there is none.
    """

    file_name: str
    case_code: str
    scan_id: str
    caption: str | None
    image_path: str | None
    image_state: ImageState
    width: int | None
    height: int | None
    sha256: str | None


@dataclass(frozen=True, slots=True)
class CaseRecord:
    """What the data set tells of one case; None where it does not tell."""

    code: str
    clinical_history: str | None = None
    title: str | None = None
    publication_date: str | None = None
    differential_diagnosis: str | None = None
    final_diagnosis: str | None = None
    link: str | None = None


@dataclass(frozen=True, slots=True)
class GoldBox:
    """One box of the data set's own gold, numbers as given."""

    file_name: str
    box: Box


@dataclass(frozen=True, slots=True)
class ReaderBox:
    """One box of a reader that came with the data set, under his published pseudonym."""

    file_name: str
    reader: str
    box: Box


@dataclass(frozen=True, slots=True)
class DataSet:
    """A whole data set, joined on file name.

    `code` is a short name made from the folder ([A-Za-z0-9._-]+); `root` is the absolute
    folder below which all its pictures lie; slices stand in case order, then scan order;
    `gold` and `reader_boxes` keep the order of their table. `refused` says that a table that was there
    could not be used at all (an error, exit 1).
    """

    code: str
    root: str
    slices: tuple[SliceRecord, ...]
    cases: tuple[CaseRecord, ...]
    gold: tuple[GoldBox, ...]
    reader_boxes: tuple[ReaderBox, ...]
    warnings: tuple[Oddity, ...]
    errors: tuple[Oddity, ...]
    ignored: tuple[str, ...]
    refused: bool

    @property
    def readers(self) -> tuple[str, ...]:
        """Names of the readers that came with the data set, sorted."""
        return tuple(sorted({box.reader for box in self.reader_boxes}))

    @property
    def usable_slices(self) -> int:
        """Number of slices whose picture can be shown."""
        return sum(s.image_state is ImageState.USABLE for s in self.slices)
