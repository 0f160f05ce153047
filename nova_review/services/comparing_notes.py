"""Tags, notes and flags, found by where they stand in a comparison."""

from collections.abc import Iterable, Iterator, Sequence

from nova_review.services.answer_sets import SliceKey
from nova_review.services.comparing_content import CompareContent
from nova_review.services.comparing_rows import GOLD, PREDICTION, Layout
from nova_review.services.failure_notes import FLAG, FailureNote, NoteSpot, Part

_PARTS = {PREDICTION: Part.PREDICTION, GOLD: Part.GOLD}


class NotesOf:
    """The tags and notes of a study, in the order in which they were made."""

    def __init__(self, notes: Iterable[FailureNote]) -> None:
        self._by_spot: dict[NoteSpot, list[FailureNote]] = {}
        self._by_key: dict[SliceKey, list[FailureNote]] = {}
        for note in notes:
            self._by_spot.setdefault(note.spot, []).append(note)
            self._by_key.setdefault(note.spot.key, []).append(note)

    def of_slice(self, key: SliceKey) -> Sequence[FailureNote]:
        """Return all that was said of a slice and its boxes, whatever the set."""
        return self._by_key.get(key, ())

    def is_flagged(self, key: SliceKey) -> bool:
        """Return whether somebody flagged the slice."""
        return any(n.tag == FLAG for n in self._by_spot.get(NoteSpot("", key), ()))

    def tags(self, *spots: NoteSpot) -> tuple[str, ...]:
        """Return the tags of exactly these, each once, without the flag."""
        found = (n.tag for spot in spots for n in self._by_spot.get(spot, ()))
        return tuple(dict.fromkeys(tag for tag in found if tag and tag != FLAG))

    def note(self, *spots: NoteSpot) -> str:
        """Return the notes of exactly these, one under the other."""
        return "\n".join(n.note for spot in spots for n in self._by_spot.get(spot, ()) if n.note)

    def words(self, set_name: str, key: SliceKey) -> tuple[str, ...]:
        """Return all notes on an answer, its boxes and its slice."""
        return tuple(n.note for n in self.of_slice(key) if n.note and n.spot.set_name in ("", set_name))

    def tags_of_rows(self, content: CompareContent, layout: Layout) -> list[tuple[str, ...]]:
        """Return the tags of each row: of its box, its answer and its slice."""
        return [self.tags(*spots) if spots else () for spots in self._spots(content, layout)]

    def notes_of_rows(self, content: CompareContent, layout: Layout) -> list[str | None]:
        """Return the notes of each row, None without any."""
        return [(self.note(*spots) or None) if spots else None for spots in self._spots(content, layout)]

    def _spots(self, content: CompareContent, layout: Layout) -> Iterator[tuple[NoteSpot, ...]]:
        """What each row's notes stand on; () where nothing was said of its slice."""
        names = [s.name for s in content.sets]
        noted = [p.key if p.key in self._by_key else None for p in content.places]
        columns = (layout.set, layout.slice, layout.kind, layout.number)
        for index, place, kind, number in zip(*(c.tolist() for c in columns), strict=True):
            key = noted[place]
            if key is None:
                yield ()
                continue
            own = (NoteSpot(names[index], key), NoteSpot("", key))
            box = (NoteSpot(names[index], key, _PARTS[kind], number),) if kind in _PARTS else ()
            yield (*box, *own)
