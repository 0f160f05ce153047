"""Tags, notes, flags and saved filters: what somebody said of the failures that he saw."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Protocol as Port

from nova_review.domain.study import Phase
from nova_review.services.answer_sets import SliceKey

FLAG = "flag"
"""The tag that a flag is stored as; it is in no taxonomy, and is put on a slice whatever the set."""


class Part(StrEnum):
    """What a tag or note is put on."""

    SLICE = ""
    PREDICTION = "prediction"
    GOLD = "gold"


@dataclass(frozen=True, slots=True)
class FailureTag:
    """One word of the taxonomy; a retired one stays where it was used and is offered no more."""

    tag_id: str
    name: str
    retired: bool = False


@dataclass(frozen=True, slots=True)
class NoteSpot:
    """What a tag or note is about: a slice of a set, or one predicted or gold box there.

    `rank` is the number of the box, None for the slice. `set_name` is a set, a reader's code, or "" for
    the slice whatever the set.
    """

    set_name: str
    key: SliceKey
    part: Part = Part.SLICE
    rank: int | None = None


@dataclass(frozen=True, slots=True)
class FailureNote:
    """A tag (or "" with a note alone) that somebody put somewhere; `made_by` is who said so."""

    note_id: str
    spot: NoteSpot
    tag: str
    note: str
    made_by: str
    made_utc: str


@dataclass(frozen=True, slots=True)
class TagCount:
    """How often a tag was put on answers of one set: on slices (boxes counted once a slice), and at all."""

    set_name: str
    tag: str
    slices: int
    marks: int


@dataclass(frozen=True, slots=True)
class SavedFilter:
    """A filter that somebody gave a name."""

    name: str
    words: str
    made_utc: str = ""


DEFAULT_TAGS = (
    "wrong hemisphere",
    "normal structure taken for lesion",
    "artefact",
    "whole-brain box",
    "missed small lesion",
    "multiple lesions merged",
)
"""The taxonomy that a study begins with."""


class FailureArchive(Port):
    """Where tags, notes and filters are kept; every method is one transaction on one study file.

    What is written is audited. UserError for a set or slice that the study does not have.
    """

    def phase(self, file: Path) -> Phase: ...
    def tags(self, file: Path) -> tuple[FailureTag, ...]: ...
    def put_tags(self, file: Path, tags: Sequence[FailureTag], *, at_utc: str) -> None: ...
    def notes(self, file: Path) -> tuple[FailureNote, ...]: ...
    def put_note(self, file: Path, note: FailureNote) -> FailureNote: ...
    def remove_note(self, file: Path, note_id: str, *, at_utc: str) -> None: ...
    def filters(self, file: Path) -> tuple[SavedFilter, ...]: ...
    def put_filter(self, file: Path, one: SavedFilter) -> None: ...
    def remove_filter(self, file: Path, name: str, *, at_utc: str) -> None: ...
