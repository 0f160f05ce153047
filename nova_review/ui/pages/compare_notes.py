"""Tags, notes and flags of the slice that is open: written in the writing worker, shown when written."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, Signal

from nova_review.domain.errors import NovaReviewError
from nova_review.services.answer_sets import SliceKey
from nova_review.services.comparing_ports import ComparisonDesk
from nova_review.services.comparing_views import ComparedSlice
from nova_review.services.failure_notes import FailureNote, FailureTag, NoteSpot, Part
from nova_review.ui.messages import Messages
from nova_review.ui.pages.comparing.contents import GOLD_KEY
from nova_review.ui.pages.comparing.tagging import TagPanel
from nova_review.ui.workers import Workers

_FAULT = "compare-notes"
Said = tuple[tuple[FailureTag, ...], tuple[FailureNote, ...]]


class NoteControl(QObject):
    """Signals: `changed(SliceKey)` when something was said of a slice or taken away."""

    changed = Signal(object)

    def __init__(
        self,
        desk: ComparisonDesk,
        workers: Workers,
        messages: Messages,
        panel: TagPanel,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._desk, self._workers, self._messages, self._panel = desk, workers, messages, panel
        self._key: SliceKey | None = None
        self._slice: ComparedSlice | None = None
        self._spots: tuple[NoteSpot, ...] = ()
        self._place = 0
        self._is_over = False
        self._tags: tuple[FailureTag, ...] = ()
        panel.tag_wanted.connect(self._put_tag)
        panel.untag_wanted.connect(self._take)
        panel.note_typed.connect(self._put_note)
        panel.new_tag_wanted.connect(self._new_tag)
        panel.rename_wanted.connect(self._rename)
        panel.retire_wanted.connect(self._retire)
        panel.spot_wanted.connect(self._walk)

    def open_slice(self, key: SliceKey | None, one: ComparedSlice | None) -> None:
        """Another slice stands on the panels."""
        if key != self._key:
            self._place = 0
        self._key, self._slice = key, one
        self._spots = () if key is None or one is None else spots_of(key, one)
        self._place = min(self._place, max(len(self._spots) - 1, 0))
        self._read()

    def choose_box(self, panel_key: str, box_id: str | None) -> None:
        """A box was clicked on the panel of a set: what is said next is about it."""
        if panel_key == GOLD_KEY or box_id is None:
            return
        part, _, number = box_id.rpartition("-")
        kind = Part.GOLD if part == "gold" else Part.PREDICTION
        for place, spot in enumerate(self._spots):
            if (spot.set_name, spot.part, str(spot.rank)) == (panel_key, kind, number):
                self._place = place
                self._read()

    def flag(self, key: SliceKey, *, flagged: bool) -> None:
        """Flag a slice, or take the flag away."""
        self._write(partial(self._desk.flag, key, flagged=flagged), key)

    def stop(self) -> None:
        """Show nothing any more; what is being written is written."""
        self._is_over = True

    def _spot(self) -> NoteSpot | None:
        return self._spots[self._place] if self._spots else None

    def _walk(self, by: int) -> None:
        if self._spots:
            self._place = (self._place + by) % len(self._spots)
            self._read()

    def _read(self) -> None:
        key = self._key
        if key is None or not self._panel.isVisible():
            return
        self._workers.read.run(
            lambda: (self._desk.tags(), self._desk.notes(key)), done=self._show, failed=self._fail
        )

    def _show(self, said: Said) -> None:
        if self._is_over:
            return
        self._tags = said[0]
        self._panel.show_tags(said[0], said[1], self._spot())

    def _put_tag(self, tag: str) -> None:
        spot = self._spot()
        if spot is not None:
            self._write(partial(self._desk.put_note, spot, tag=tag), spot.key)

    def _put_note(self, words: str) -> None:
        spot = self._spot()
        if spot is not None and words.strip():
            self._write(partial(self._desk.put_note, spot, note=words.strip()), spot.key)

    def _take(self, note_id: str) -> None:
        if self._key is not None:
            self._write(partial(self._desk.remove_note, note_id), self._key)

    def _new_tag(self, name: str) -> None:
        self._edit((*self._tags, FailureTag("", name)))

    def _rename(self, tag_id: str, name: str) -> None:
        self._edit(tuple(FailureTag(t.tag_id, name) if t.tag_id == tag_id else t for t in self._tags))

    def _retire(self, tag_id: str) -> None:
        self._edit(
            tuple(FailureTag(t.tag_id, t.name, retired=t.retired or t.tag_id == tag_id) for t in self._tags)
        )

    def _edit(self, tags: tuple[FailureTag, ...]) -> None:
        if self._key is not None:
            self._write(partial(self._desk.edit_tags, tags), self._key)

    def _write(self, work: Callable[[], object], key: SliceKey) -> None:
        self._workers.write.run(work, done=lambda _value: self._on_written(key), failed=self._fail)

    def _on_written(self, key: SliceKey) -> None:
        self._messages.resolve(_FAULT)
        if self._is_over:
            return
        self._read()
        self.changed.emit(key)

    def _fail(self, error: NovaReviewError) -> None:
        self._messages.error(str(error), key=_FAULT)


def spots_of(key: SliceKey, one: ComparedSlice) -> tuple[NoteSpot, ...]:
    """Return all that can be tagged on a slice: it, then each set, its boxes, and what it missed."""
    spots = [NoteSpot("", key)]
    for each in one.sets:
        spots.append(NoteSpot(each.name, key))
        spots += [NoteSpot(each.name, key, Part.PREDICTION, b.number) for b in each.boxes]
        spots += [NoteSpot(each.name, key, Part.GOLD, g.number) for g in each.gold]
    return tuple(spots)
