"""Tags, notes, flags and saved filters of a study: checked, stored, counted; after the database lock only."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from unicodedata import category

from nova_review.domain.errors import UserError
from nova_review.domain.visibility import Page, may_open
from nova_review.services.failure_notes import (
    FLAG,
    FailureArchive,
    FailureNote,
    FailureTag,
    NoteSpot,
    Part,
    SavedFilter,
    TagCount,
)
from nova_review.services.ports import Clock

LONGEST_NAME, LONGEST_NOTE, MOST_TAGS = 80, 5_000, 100


class FailureTagging:
    """Every method refuses before the database lock, but for what an audited early look may read."""

    def __init__(self, archive: FailureArchive, clock: Clock, new_id: Callable[[], str]) -> None:
        self._archive, self._clock, self._new_id = archive, clock, new_id

    def tags(self, file: Path, *, early_reason: str | None = None) -> tuple[FailureTag, ...]:
        """Return the taxonomy in order, retired tags last."""
        self._require(file, early_reason)
        return _retired_last(self._archive.tags(file))

    def notes(self, file: Path, *, early_reason: str | None = None) -> tuple[FailureNote, ...]:
        """Return all tags, notes and flags in the order in which they were made."""
        self._require(file, early_reason)
        return self._archive.notes(file)

    def tag_counts(self, file: Path, *, early_reason: str | None = None) -> tuple[TagCount, ...]:
        """Return how often each tag was put on answers of each set, most slices first."""
        return tag_counts(self.notes(file, early_reason=early_reason))

    def edit_tags(self, file: Path, tags: Sequence[FailureTag]) -> tuple[FailureTag, ...]:
        """Store the taxonomy in this order; a tag without id is new, one that is not there is retired.

        A new name of a tag goes to where it was used. UserError for a name that cannot be used.
        """
        self._require(file)
        known = {t.tag_id: t for t in self._archive.tags(file)}
        unknown = [t.name for t in tags if t.tag_id and t.tag_id not in known]
        if unknown:
            raise UserError(f"The tag {unknown[0]!r} is not there any more. Look at the tags anew.")
        given = [replace(t, name=_name(t.name), tag_id=t.tag_id or self._new_id()) for t in tags]
        kept = {t.tag_id for t in given}
        dropped = [replace(t, retired=True) for t in known.values() if t.tag_id not in kept]
        whole = _retired_last([*given, *dropped])
        _refuse_doubles(whole)
        self._archive.put_tags(file, whole, at_utc=self._clock.utc_now())
        return whole

    def put_note(
        self, file: Path, spot: NoteSpot, *, tag: str = "", note: str = "", by: str = ""
    ) -> FailureNote:
        """Tag something (once: the same tag again changes its note), or note something without a tag.

        UserError for a tag that the taxonomy does not offer, a text that is too long, or neither.
        """
        self._require(file)
        words = note.strip()
        if tag != FLAG and tag and tag not in {t.name for t in self._archive.tags(file) if not t.retired}:
            raise UserError(f"There is no tag {tag!r}. Add it to the tags first.")
        if not tag and not words:
            raise UserError("A note must say something.")
        if len(words) > LONGEST_NOTE:
            raise UserError(f"A note must have at most {LONGEST_NOTE:,} characters (got {len(words):,}).")
        if (spot.part is Part.SLICE) is not (spot.rank is None):
            raise UserError("A note on a box must say which box, and one on a slice none.")
        now = self._clock.utc_now()
        made = FailureNote(
            self._new_id(), spot, tag, words, made_by=by.strip() or "coordinator", made_utc=now
        )
        return self._archive.put_note(file, made)

    def remove_note(self, file: Path, note_id: str) -> None:
        """Take a tag or note away; one that is gone already is no fault."""
        self._require(file)
        self._archive.remove_note(file, note_id, at_utc=self._clock.utc_now())

    def filters(self, file: Path) -> tuple[SavedFilter, ...]:
        """Return the saved filters by name."""
        self._require(file)
        return self._archive.filters(file)

    def save_filter(self, file: Path, name: str, words: str) -> tuple[SavedFilter, ...]:
        """Store a filter under a name, in place of one that has it; returns all."""
        self._require(file)
        one = SavedFilter(_name(name), words.strip(), self._clock.utc_now())
        self._archive.put_filter(file, one)
        return self._archive.filters(file)

    def remove_filter(self, file: Path, name: str) -> tuple[SavedFilter, ...]:
        """Forget a saved filter; returns the others."""
        self._require(file)
        self._archive.remove_filter(file, name, at_utc=self._clock.utc_now())
        return self._archive.filters(file)

    def _require(self, file: Path, early_reason: str | None = None) -> None:
        may_open(Page.COMPARE, self._archive.phase(file), early_reason=early_reason).require()


def tag_counts(notes: Iterable[FailureNote]) -> tuple[TagCount, ...]:
    """Return how often each tag was used, set by set ("" for slices whatever the set), flags too."""
    marks: Counter[tuple[str, str]] = Counter()
    slices: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for one in notes:
        if one.tag:
            cell = (one.spot.set_name, one.tag)
            marks[cell] += 1
            slices.setdefault(cell, set()).add(one.spot.key)
    found = [TagCount(name, tag, len(slices[name, tag]), count) for (name, tag), count in marks.items()]
    return tuple(sorted(found, key=lambda c: (c.set_name, -c.slices, c.tag)))


def _retired_last(tags: Sequence[FailureTag]) -> tuple[FailureTag, ...]:
    return tuple(sorted(tags, key=lambda t: t.retired))


def _name(text: str) -> str:
    """The name of a tag or filter; UserError for one that is empty, too long or not on one line."""
    if any(category(c) in ("Cc", "Cs", "Zl", "Zp") for c in text.strip()):
        raise UserError("A name must stand on one line, without control characters.")
    name = " ".join(text.split())
    if not name or len(name) > LONGEST_NAME:
        raise UserError(f"A name must have 1 to {LONGEST_NAME} characters (got {len(name)}).")
    return name


def _refuse_doubles(tags: Sequence[FailureTag]) -> None:
    if len(tags) > MOST_TAGS:
        raise UserError(f"There can be at most {MOST_TAGS} tags, retired ones included (got {len(tags)}).")
    names = Counter(t.name.casefold() for t in tags)
    names[FLAG] += 1
    double = next((t.name for t in tags if names[t.name.casefold()] > 1), None)
    if double is not None:
        raise UserError(f"Two tags cannot have one name ({double!r}); retired tags and the flag count too.")
