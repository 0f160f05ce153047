"""What formats need beside a study's answers: pictures, licence, row numbers; and what they have to say.

A format is a pure function from content to files; `remarks` tells in the manifest what it had to leave
out and what its scorer wants that the study does not have.
"""

from collections.abc import Callable
from dataclasses import dataclass

from nova_review.domain.snapshot import SnapshotSlice

PictureOf = Callable[[SnapshotSlice], bytes | None]
"""The bytes of a slice's picture without metadata (PNG, or TIFF for wide data); None if there is none."""


@dataclass(frozen=True, slots=True)
class Licence:
    """A stated licence: `name` as found, `notice` goes along with pictures, `source` is its file."""

    name: str
    notice: str = ""
    source: str = ""


@dataclass(frozen=True, slots=True)
class DataSetMaterial:
    """What lies with a data set outside the study file.

    `parquet_names` are the file names in the row order of the data set's own parquet, None where it
    has none; `picture_of` is None where no pictures can be had.
    """

    licence: Licence | None = None
    parquet_names: tuple[str, ...] | None = None
    picture_of: PictureOf | None = None


NO_MATERIAL = DataSetMaterial()


@dataclass(frozen=True, slots=True)
class Remark:
    """Something left out or changed on the way: what, how often, and of which set ("" for all)."""

    what: str
    count: int
    of_set: str = ""


@dataclass(frozen=True, slots=True)
class Remarks:
    """What a manifest says of one data set: counts, what a scorer needs and we lack, choices made."""

    counted: tuple[Remark, ...] = ()
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
