"""The adjudication page: assembles queue, canvas, panels, session and keys."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QSettings, QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from nova_review.domain import decision_edits as edits
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Caption
from nova_review.services.adjudication_ports import AdjudicationQueue
from nova_review.ui.actions import Action, KeyBook
from nova_review.ui.adjudication_session import AdjudicationSession
from nova_review.ui.canvas.view import Interpolation
from nova_review.ui.decision_shown import Selection, ShownDecision
from nova_review.ui.decision_writes import Part
from nova_review.ui.keys import key_words
from nova_review.ui.messages import Messages
from nova_review.ui.pages.adjudicate_actions import ACTIONS
from nova_review.ui.pages.adjudicate_control import AdjudicationControl
from nova_review.ui.pages.adjudicate_display import AdjudicationDisplay
from nova_review.ui.pages.adjudicate_help import help_groups, help_legends
from nova_review.ui.pages.adjudicate_menu import DecisionMenu
from nova_review.ui.pages.adjudicate_parts import AdjudicationParts
from nova_review.ui.pages.adjudicate_verbs import DecisionVerbs
from nova_review.ui.pages.read_answers import TYPING_PAUSE_MS, FindingWiring
from nova_review.ui.pages.read_reason import ReasonLine
from nova_review.ui.pages.read_verbs import FindingVerbs
from nova_review.ui.saver import SaveState, SaveStatus

MINUTE_MS = 60_000
_SAVE, _CONFLICT, _REFUSED, _NOTICE = "save", "conflict", "refused", "notice"
NOTHING_TO_SETTLE = "There is nothing to settle here: no slice was read by two readers."


def adjudication_keys(_preset: str) -> dict[str, tuple[str, ...]]:
    """Return the keys of every action of this page; it has one preset."""
    return {action.name: action.keys for action in ACTIONS}


class AdjudicatePage(QWidget):
    """One adjudicator at his desk.

    Attributes: `session`, `control` (actions by name), `parts` (what is seen), `key_book`.
    Signals: `settled()` when every edit is stored; `keys_changed()`, as every page with keys.
    """

    settled = Signal()
    keys_changed = Signal()

    def __init__(
        self,
        session: AdjudicationSession,
        settings: QSettings,
        messages: Messages,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName("Adjudication")
        self.session = session
        self.key_book = KeyBook(settings, keys_of=adjudication_keys, section="keys-adjudication")
        self._messages = messages
        self.parts = AdjudicationParts(messages)
        self._verbs = DecisionVerbs(session)
        self._own_verbs = own_verbs = FindingVerbs(session.own)
        self._display = AdjudicationDisplay(session, self.parts, self._verbs, self)
        self.control = AdjudicationControl(
            session, self.parts, self._display, self._verbs, own_verbs, settings, self
        )
        self._own_wiring = FindingWiring(session.own, own_verbs, self)
        self._reason = ReasonLine(self.parts.canvas)
        self._reopening = Part.DECISION
        self._shown_caption = Caption()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.parts)
        self._minutes = 0
        self._minute = self._timer(MINUTE_MS, self.note_minute, repeats=True)
        self._typing = self._timer(TYPING_PAUSE_MS, session.end_merge, repeats=False)
        self._take_settings(settings)
        self._connect()

    def begin(self, queue: AdjudicationQueue) -> None:
        """Show the queue and the slice where the adjudicator stopped."""
        self.session.begin(queue)
        for field in ("label", "place"):
            self.session.own_words(field, self._own_words_taker(field))
        self.session.own_words("diagnosis", self.parts.texts.set_own_words)
        if queue.notice:
            self._messages.info(queue.notice)
        if not queue.total:
            refused = next((e.why_not for e in queue.entries if e.why_not), NOTHING_TO_SETTLE)
            self._messages.warn(refused, key=_REFUSED)
        self.parts.header.show_sitting(0)
        self.note_keys()
        self._minute.start()
        self._display.paint_panels()
        self.parts.canvas.focus()

    @property
    def action_table(self) -> Sequence[Action]:
        """Everything that can be done here."""
        return ACTIONS

    @property
    def presets(self) -> Sequence[str]:
        """This page has one set of keys."""
        return ("default",)

    def show_keys(self) -> None:
        """Show the keys of the own answer's tools beside them."""
        keys = {name: key_words(k[:1]) for name, k in self.key_book.keys().items()}
        own = {name.removeprefix("own-"): key for name, key in keys.items() if name.startswith("own-")}
        self.parts.own_findings.show_keys(own)
        self.parts.own_caption.show_keys(own)
        self.parts.groups.settle.editor.show_keys(keys)
        self.parts.texts.reference.show_keys({"text": keys["caption-text"]})
        self.parts.texts.diagnosis.show_key(keys["diagnosis"])

    def note_keys(self) -> None:
        """Note in the view log that the keys are this page's own."""
        self.session.clock.note_view(keys="adjudication")

    def change_keys(self) -> None:
        """The keys of this page are fixed: list them."""
        self.toggle_help()

    def toggle_help(self) -> None:
        """Show or hide the list of all keys."""
        if self.parts.help.isVisible():
            self.parts.help.close_help()
        else:
            self.parts.help.show_actions(help_groups(self.key_book.keys()), help_legends())

    def is_covered(self) -> bool:
        """Whether something lies over the page that has the keys for itself."""
        return self.parts.help.isVisible()

    def end(self) -> None:
        """The window has closed: stop everything that could still move."""
        self._minute.stop()
        self._typing.stop()
        self._display.stop()
        self._own_wiring.stop()
        self.session.end()

    def note_minute(self) -> None:
        """A minute has gone by."""
        if not self.session.is_paused:
            self._minutes += 1
        self.parts.header.show_sitting(self._minutes)

    def _timer(self, interval: int, called: Callable[[], None], *, repeats: bool) -> QTimer:
        timer = QTimer(self)
        timer.setSingleShot(not repeats)
        timer.setInterval(interval)
        timer.timeout.connect(called)
        return timer

    def _take_settings(self, settings: QSettings) -> None:
        stored = str(settings.value("interpolation", Interpolation.SMOOTH.value))
        self.parts.canvas.set_interpolation(
            Interpolation.NEAREST if stored == Interpolation.NEAREST.value else Interpolation.SMOOTH
        )

    def _connect(self) -> None:
        self._connect_canvas()
        self._connect_groups()
        self._connect_texts()
        self._connect_foot()
        session = self.session
        session.refused.connect(lambda text: self._messages.warn(text, key=_REFUSED))
        session.noticed.connect(self._messages.info)
        session.answer_changed.connect(lambda: self._messages.resolve(_REFUSED))
        session.case_changed.connect(lambda: self._messages.resolve(_REFUSED))
        session.slice_shown.connect(self._on_slice)
        session.save_state_changed.connect(self._on_save_state)
        session.conflict_changed.connect(self._on_conflict)
        session.paused_changed.connect(lambda _paused: self.parts.canvas.focus())
        session.settled.connect(self.settled)
        self._messages.changed.connect(self._repeat)

    def _connect_canvas(self) -> None:
        canvas, session = self.parts.canvas, self.session
        canvas.box_changed.connect(self._on_box_changed)
        canvas.box_clicked.connect(self._on_box_clicked)
        canvas.group_clicked.connect(lambda number: session.select(Selection(number)))
        self.parts.queue.slice_chosen.connect(session.go_to)
        self.parts.queue.view_chosen.connect(session.choose_view)
        canvas.menu_requested.connect(self._open_menu)
        self.control.reason_wanted.connect(self._ask_reason)
        self._reason.given.connect(self._reopen)
        self._reason.left.connect(canvas.focus)

    def _connect_groups(self) -> None:
        side, verbs = self.parts.groups, self._verbs
        side.table.row_chosen.connect(
            lambda row: self.session.select(Selection(row.group, None if row.group else row.box_id))
        )
        side.table.layer_wanted.connect(verbs.accept_all)
        side.no_lesion.clicked.connect(lambda _on: self._keep_checked(side.no_lesion, "no-lesion"))
        side.unreadable.clicked.connect(lambda _on: self._keep_checked(side.unreadable, "cannot-be-read"))
        side.settle.act_wanted.connect(self.control.press)
        side.settle.letter_wanted.connect(verbs.accept)
        side.settle.reason_chosen.connect(verbs.give_reason)
        side.settle.described.connect(self._on_described)
        side.settle.text_committed.connect(self._on_committed)
        side.note.text_typed.connect(self._typed(verbs.note))
        side.note.text_left.connect(self._on_committed)
        side.note.returnPressed.connect(side.note.clearFocus)
        side.flag_reason.text_typed.connect(self._typed(verbs.flag_reason))
        side.flag_reason.text_left.connect(self._on_committed)
        side.flag_reason.returnPressed.connect(side.flag_reason.clearFocus)
        self.parts.tabs.tab_wanted.connect(self.control.toggle_texts)

    def _connect_texts(self) -> None:
        texts, session, press = self.parts.texts, self.session, self.control.press
        self._own_wiring.listen_to_findings(self.parts.own_findings)
        self._own_wiring.listen_to_caption(self.parts.own_caption)
        self._display.caption_painted.connect(self._own_wiring.note_caption_shown)
        texts.caption_wanted.connect(self._verbs.choose_caption)
        texts.caption_changed.connect(self._on_caption)
        texts.text_committed.connect(self._on_committed)
        texts.diagnosis_changed.connect(
            self._typed(
                lambda text: session.apply(Part.CASE, edits.set_panel_diagnosis(text), merge="diagnosis")
            )
        )
        texts.reason_chosen.connect(lambda code: session.apply(Part.CASE, edits.set_case_reason(code)))
        texts.close_wanted.connect(lambda: press("close-case"))
        texts.reopen_wanted.connect(lambda: press("reopen-case"))

    def _connect_foot(self) -> None:
        foot, press = self.parts.foot, self.control.press
        foot.primary_wanted.connect(self._do_primary)
        foot.defer_wanted.connect(lambda: press("defer"))
        foot.flag_wanted.connect(lambda: press("flag"))
        foot.pause_wanted.connect(self._toggle_pause)
        self.parts.header.retry_requested.connect(self.session.retry_save)

    def _typed(self, act: Callable[[str], object]) -> Callable[[str], None]:
        """What is typed is one step until a pause."""

        def take(text: str) -> None:
            self._typing.start()
            act(text)

        return take

    def _do_primary(self) -> None:
        if not self.session.shows_layers:
            self.control.press("own-lock")
        elif self.control.may_do("reopen"):
            self.control.press("reopen")
        else:
            self.control.press("close")

    def _keep_checked(self, button: object, name: str) -> None:
        self.control.press(name)
        self._display.paint_panels()  # the button shows the value, not the click

    def _on_box_changed(self, box_id: str, box: Box) -> None:
        if self.session.shows_layers:
            self._verbs.change_box(box_id, box)
        else:
            self._own_verbs.change_box(box_id, box)

    def _on_box_clicked(self, box_id: str | None) -> None:
        if not self.session.shows_layers:
            self.session.own.select(box_id)
            return
        decision = self.session.decision
        known = decision is not None and any(b.id == box_id for b in decision.boxes)
        self.session.select(Selection(box_id=box_id if known else None))
        self._display.paint_boxes()

    def _on_described(self, box_id: str, changes: dict[str, object]) -> None:
        typed = set(changes) <= {"label", "place"}
        if typed:
            self._typing.start()
        merge = f"{box_id} {sorted(changes)}" if typed else None
        self._verbs.describe(box_id=box_id, merge=merge, **changes)

    def _on_caption(self, caption: Caption) -> None:
        before = self.session.decision.caption if self.session.decision else None
        only_text = before is not None and caption.text != before.text
        if only_text:
            self._typing.start()
        self._verbs.set_caption(caption, merge="caption text" if only_text else None)

    def _on_committed(self) -> None:
        self._typing.stop()
        self.session.end_merge()

    def _own_words_taker(self, field: str) -> Callable[[tuple[str, ...]], None]:
        def take(words: tuple[str, ...]) -> None:
            self.parts.own_findings.set_own_words(field, words)
            editor = self.parts.groups.settle.editor
            (editor.label if field == "label" else editor.place).set_own_words(words)

        return take

    def _on_slice(self, shown: ShownDecision) -> None:
        self._messages.resolve(_REFUSED)
        self._messages.resolve(_NOTICE)
        if shown.opened.notices:
            self._messages.warn(" ".join(shown.opened.notices), key=_NOTICE)
        self.parts.palette_of_words.close_question()
        self._reason.leave()
        if not self.is_covered():
            self.parts.canvas.focus()

    def _open_menu(self, at: QPoint) -> None:
        keys, control = self.key_book.keys(), self.control
        menu = DecisionMenu(self.parts.canvas, keys=keys, do=control.press, may_do=control.may_do)
        letters = [layer.letter for layer in self.session.comparison.layers]
        menu.fill(shows_layers=self.session.shows_layers, letters=letters)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def _ask_reason(self, part: Part) -> None:
        self._reopening = part
        self._reason.ask()

    def _reopen(self, reason: str) -> None:
        self.session.reopen(self._reopening, reason)
        self.parts.canvas.focus()

    def _toggle_pause(self) -> None:
        if self.session.is_paused:
            self.session.resume()
        else:
            self.session.pause()

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
            f"Changed elsewhere: {words}. Keep what is here, or take what is stored?",
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
