"""The reading page: assembles canvas, panels, session and keys."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSettings, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from nova_review.services.ports import Place, ReadingDesk, Worklist
from nova_review.ui.actions import ACTIONS, PRESETS, Action, KeyBook
from nova_review.ui.canvas.view import Interpolation
from nova_review.ui.keys import key_words
from nova_review.ui.messages import Messages
from nova_review.ui.pages.read_answers import AnswerWiring
from nova_review.ui.pages.read_control import ReadControl
from nova_review.ui.pages.read_display import ReadDisplay
from nova_review.ui.pages.read_parts import ReadParts
from nova_review.ui.pages.read_reason import NoteLine, ReasonLine
from nova_review.ui.pages.read_thumbnails import Thumbnails
from nova_review.ui.pages.read_verbs import BoxVerbs
from nova_review.ui.saver import SaveState, SaveStatus
from nova_review.ui.session import ReviewSession
from nova_review.ui.workers import Workers

if TYPE_CHECKING:
    from nova_review.ui.pages.panels.key_editor import KeyEditor

MINUTE_MS = 60_000
BREAK_AFTER, BREAK_LASTS = 50, 5
BREAK_WORDS = "You have read for 50 minutes. A short break keeps the eye fresh (P pauses the clock)."
_SAVE, _CONFLICT, _REFUSED = "save", "conflict", "refused"
_SIDES = ("Left", "Right", "Up", "Down")
_FAMILIES: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "nudge": ("Alt+", "Move the selected box 1 px", _SIDES),
    "nudge-far": ("Alt+Shift+", "Move it 10 px", _SIDES),
    "resize": ("Ctrl+", "Move its right or lower edge 1 px", _SIDES),
    "resize-far": ("Ctrl+Shift+", "Move that edge 10 px", _SIDES),
    "confidence": ("", "Confidence of the selected finding", ("1", "2", "3", "4", "5")),
}
_OTHER_KEYS = (
    ("Pick a word after L, O, S, E, V, G, U", "1 to 9, 0, letters"),
    ("Draw a box", "Drag"),
    ("Move or resize the selected box", "Drag it, or its edge"),
    ("Window: width, level", "Right-drag"),
    ("Menu", "Right click"),
    ("Pan", "Middle-drag, or Space+drag"),
    ("Zoom at the pointer", "Ctrl+wheel"),
    ("One slice, or all of the layout", "Double click"),
    ("Answer a message", "F9, F10"),
    ("Take a message away", "F12"),
)


class ReadPage(QWidget):
    """One reader at his desk.

    Attributes: `session`, `control` (actions by name), `parts` (what is seen).
    Signals: `settled()` when every edit is stored; `keys_changed()` when the reader has bound a key.
    """

    settled = Signal()
    keys_changed = Signal()

    def __init__(
        self, desk: ReadingDesk, session: ReviewSession, workers: Workers, keys: KeyBook, settings: QSettings,
        messages: Messages, parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.setAccessibleName("Reading")
        self.session = session
        self._keys = keys
        self._messages = messages
        self._thumbnails = Thumbnails(desk, workers.read, self)
        self.parts = ReadParts(messages, self._thumbnails)
        verbs = BoxVerbs(session)
        self._display = ReadDisplay(session, self.parts, self)
        self.control = ReadControl(session, self.parts, verbs, keys, settings, self)
        self._answers = AnswerWiring(session, verbs, self)
        self._reason = ReasonLine(self.parts.grid)
        self._note = NoteLine(self.parts.grid)
        self._noted_at = ""
        self._own_words_stale = self._is_ended = False
        self._key_editor: KeyEditor | None = None
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.parts)
        self._minutes = self._minutes_paused = 0
        self._minute = QTimer(self)
        self._minute.setInterval(MINUTE_MS)
        self._minute.timeout.connect(self.note_minute)
        self._take_settings(settings)
        self._connect(verbs)

    def begin(self, worklist: Worklist) -> None:
        """Show the worklist and the slice where the reader stopped."""
        if any(len(entry.slices) > 1 for entry in worklist.entries):
            self.parts.keep_strip_place()
        self.session.begin(worklist)
        self._renew_own_words()
        if worklist.notice:
            self._messages.info(worklist.notice)
        self.note_keys()
        self.parts.header.show_sitting(0)
        self._minute.start()
        self.parts.grid.focus()

    @property
    def key_book(self) -> KeyBook:
        """The reader's keys."""
        return self._keys

    @property
    def action_table(self) -> Sequence[Action]:
        """Everything that can be done here."""
        return ACTIONS

    @property
    def presets(self) -> Sequence[str]:
        """The presets of keys that may be chosen."""
        return PRESETS

    def show_keys(self) -> None:
        """Show the reader's keys as they are now."""
        self.parts.show_keys({name: key_words(keys[:1]) for name, keys in self._keys.keys().items()})
        self._display.paint_panels()

    def toggle_help(self) -> None:
        """Show or hide the list of all keys."""
        if self.parts.help.isVisible():
            self.parts.help.close_help()
        else:
            self.parts.help.show_actions(help_groups(self._keys.keys()))

    def change_keys(self) -> None:
        """Open the list in which keys can be changed."""
        self.parts.help.close_help()
        if self._key_editor is None:
            from nova_review.ui.pages.panels.key_editor import KeyEditor  # slow import, hardly ever needed

            self._key_editor = KeyEditor(self.parts, self._keys, ACTIONS)
            self._key_editor.keys_changed.connect(self._on_keys_changed)
        self._key_editor.open()

    def note_keys(self) -> None:
        """Write the reader's keys into the view log."""
        self.session.clock.note_view(keys=self._keys.in_words())

    def is_covered(self) -> bool:
        """Whether something lies over the page that has the keys for itself."""
        editor = self._key_editor
        return self.parts.help.isVisible() or (editor is not None and editor.isVisible())

    def end(self) -> None:
        """The window has closed: stop everything that could still move."""
        self._is_ended = True
        self._minute.stop()
        self._display.stop()
        self._answers.stop()
        self._thumbnails.stop()
        self.session.end()

    def _take_settings(self, settings: QSettings) -> None:
        count = int(str(settings.value("layout", 1)))
        self.parts.grid.set_count(count if count in (1, 2, 4) else 1)
        stored = str(settings.value("interpolation", Interpolation.SMOOTH.value))
        self.parts.grid.set_interpolation(
            Interpolation.NEAREST if stored == Interpolation.NEAREST.value else Interpolation.SMOOTH
        )

    def _connect(self, verbs: BoxVerbs) -> None:
        self._connect_canvas(verbs)
        self._connect_panels()
        session = self.session
        session.refused.connect(lambda text: self._messages.warn(text, key=_REFUSED))
        session.noticed.connect(self._messages.info)
        session.answer_changed.connect(lambda _answer: self._messages.resolve(_REFUSED))
        session.case_answer_changed.connect(lambda _answer: self._messages.resolve(_REFUSED))
        session.slice_shown.connect(lambda _shown: self._on_slice())
        session.save_state_changed.connect(self._on_save_state)
        session.conflict_changed.connect(self._on_conflict)
        session.paused_changed.connect(lambda _paused: self.parts.grid.focus())
        session.settled.connect(self._on_settled)
        self._messages.changed.connect(self._repeat)

    def _connect_canvas(self, verbs: BoxVerbs) -> None:
        grid, session = self.parts.grid, self.session
        grid.place_activated.connect(session.go_to)
        grid.box_drawn.connect(verbs.draw)
        grid.box_changed.connect(verbs.change_box)
        grid.selection_changed.connect(session.select)
        grid.menu_requested.connect(self.control.open_menu)
        grid.wheel_stepped.connect(self.control.turn_wheel)
        grid.maximise_requested.connect(self.control.maximise)
        self.control.layout_changed.connect(self._relayout)
        self.control.reason_wanted.connect(self._note.leave)
        self.control.reason_wanted.connect(self._reason.ask)
        self._reason.given.connect(self._reopen)
        self._reason.left.connect(grid.focus)
        self.control.note_wanted.connect(self._ask_note)
        self._note.given.connect(self._take_note)
        self._note.left.connect(grid.focus)

    def _connect_panels(self) -> None:
        parts, session, press = self.parts, self.session, self.control.press
        self._answers.listen_to_findings(parts.findings)
        self._answers.listen_to_caption(parts.caption)
        self._answers.listen_to_case(parts.case)
        parts.findings.text_committed.connect(self._note_words_typed)
        parts.case.text_committed.connect(self._note_words_typed)
        self._display.caption_painted.connect(self._answers.note_caption_shown)
        parts.worklist.place_chosen.connect(session.go_to)
        parts.strip.slice_chosen.connect(self._go_to_slice)
        parts.header.retry_requested.connect(session.retry_save)
        parts.help.change_wanted.connect(self.change_keys)
        parts.footer.lock_requested.connect(lambda: press("lock"))
        parts.footer.defer_requested.connect(lambda: press("defer"))
        parts.footer.copy_previous_requested.connect(lambda: press("copy-previous"))
        parts.footer.seen_before_toggled.connect(lambda _seen: press("seen-before"))
        parts.footer.pause_requested.connect(self._toggle_pause)

    def _renew_own_words(self) -> None:
        """Fetch what the reader has typed before; what is typed now is known once it is stored."""
        self._own_words_stale = False
        for field in ("label", "place"):
            self.session.own_words(field, self._own_words_taker(field))
        self.session.own_words("diagnosis", self.parts.case.set_own_words)

    def _note_words_typed(self) -> None:
        self._own_words_stale = True

    def _on_settled(self) -> None:
        if self._own_words_stale and not self._is_ended:
            self._renew_own_words()
        self.settled.emit()

    def _own_words_taker(self, field: str) -> Callable[[tuple[str, ...]], None]:
        return lambda words: self.parts.findings.set_own_words(field, words)

    def _go_to_slice(self, slice_id: str) -> None:
        place = self.session.place
        if place is not None:
            self.session.go_to(Place(place.presentation_id, slice_id))

    def _on_slice(self) -> None:
        self._messages.resolve(_REFUSED)
        self.parts.palette_of_words.close_question()
        self._reason.leave()
        if not self.is_covered():
            self.parts.grid.focus()

    def _relayout(self) -> None:
        place = self.session.place
        if place is not None:
            self.session.go_to(place)
        self._display.lay_out()

    def _reopen(self, reason: str) -> None:
        self.session.reopen(reason)
        self.parts.grid.focus()

    def _ask_note(self) -> None:
        opened = self.session.opened
        if opened is not None:
            self._reason.leave()
            self._noted_at = opened.words
            self._note.ask()

    def _take_note(self, words: str) -> None:
        give_back = partial(self._note.give_back, words)
        self.session.acts.note_deviation(self._noted_at, words, lost=give_back)
        self.parts.grid.focus()

    def _on_keys_changed(self) -> None:
        self.note_keys()
        self.keys_changed.emit()

    def _toggle_pause(self) -> None:
        if self.session.is_paused:
            self.session.resume()
        else:
            self.session.pause()

    def note_minute(self) -> None:
        """A minute has gone by: count it, and suggest a break after many, quietly."""
        if self.session.is_paused:
            self._minutes_paused += 1
            if self._minutes_paused >= BREAK_LASTS:
                self._minutes = 0
        else:
            self._minutes, self._minutes_paused = self._minutes + 1, 0
        if self._minutes == BREAK_AFTER and not self.session.is_paused:
            self._messages.info(BREAK_WORDS)
        self.parts.header.show_sitting(self._minutes, break_due=self._minutes >= BREAK_AFTER)

    def _on_save_state(self, state: SaveState) -> None:
        if state.status is SaveStatus.FAILED:
            words = f"NOT SAVED: {state.reason}"
            self._messages.error(words, key=_SAVE, actions=(("Try again", self.session.retry_save),))
        elif state.status is SaveStatus.SAVED:
            self._messages.resolve(_SAVE)

    def _on_conflict(self, words: str) -> None:
        if not words:
            self._messages.resolve(_CONFLICT)
            return
        self._messages.error(
            f"Changed elsewhere: {words}. Keep your answer, or take the stored one?",
            key=_CONFLICT,
            actions=(("Keep mine", self.session.keep_mine), ("Take theirs", self.session.take_theirs)),
        )

    def _repeat(self) -> None:
        """A message about unsaved work stays until it is settled, whoever tells it off."""
        standing = {message.key for message in self._messages.standing()}
        if self.session.conflict_words and _CONFLICT not in standing:
            self._on_conflict(self.session.conflict_words)
        if self.session.save_state.status is SaveStatus.FAILED and _SAVE not in standing:
            self._on_save_state(self.session.save_state)


def help_groups(keys: dict[str, tuple[str, ...]]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the keys of all actions by group, for the list on F1."""
    groups: dict[str, list[tuple[str, str]]] = {}
    for action in ACTIONS:
        lines = groups.setdefault(action.group, [])
        line = _folded(action.name, keys) or (key_words(keys[action.name]), action.words)
        if line not in lines:
            lines.append(line)
    return [*groups.items(), ("Mouse and messages", [(key, words) for words, key in _OTHER_KEYS])]


def _folded(name: str, keys: dict[str, tuple[str, ...]]) -> tuple[str, str] | None:
    """Return one line for actions that differ in direction or step only, if their keys are the usual ones."""
    for stem, (key, words, ends) in _FAMILIES.items():
        if name not in {f"{stem}-{end.lower()}" for end in ends}:
            continue
        usual = all(keys[f"{stem}-{end.lower()}"] == (f"{key}{end}",) for end in ends)
        shown = f"{key}arrows" if ends is _SIDES else f"{ends[0]} to {ends[-1]}"
        return (shown, words) if usual else None
    return None
