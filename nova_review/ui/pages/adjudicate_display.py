"""Paints the session: the slice at once, the panels round it after the paint."""

from PySide6.QtCore import QObject, QTimer, Signal

from nova_review.domain.adjudication import DecidedBox, DecisionState, ReasonCode
from nova_review.domain.completeness import missing_in_slice
from nova_review.domain.protocol import Level, Stage
from nova_review.domain.reading import AnswerState, Outcome
from nova_review.services.adjudication_ports import AdjudicationStage, OpenedDecision
from nova_review.ui.adjudication_session import AdjudicationSession
from nova_review.ui.canvas.items import CursorReading
from nova_review.ui.decision_shown import ShownDecision
from nova_review.ui.decision_writes import Part
from nova_review.ui.pages.adjudicate_parts import AdjudicationParts
from nova_review.ui.pages.adjudicate_rows import Row, difference_words, empty_words, rows_of
from nova_review.ui.pages.adjudicate_verbs import DecisionVerbs
from nova_review.ui.pages.panels import header as header_panel
from nova_review.ui.pages.read_display import PAUSED
from nova_review.ui.saver import SaveState, SaveStatus

_BADGES = {
    SaveStatus.SAVED: header_panel.SaveState.SAVED,
    SaveStatus.SAVING: header_panel.SaveState.SAVING,
    SaveStatus.FAILED: header_panel.SaveState.FAILED,
    SaveStatus.CONFLICT: header_panel.SaveState.FAILED,
}
_STAGES = {
    AdjudicationStage.INDEPENDENT: (1, "your own answer", Level.SLICE),
    AdjudicationStage.LAYERS: (2, "the readers' layers", Level.CASE),
}
NOTHING_OPEN = "No slice is open. Choose one at the left."


class AdjudicationDisplay(QObject):
    """Keeps the parts of the page as the session is.

    Signals: `caption_painted(Caption)` of the own answer.
    """

    caption_painted = Signal(object)

    def __init__(
        self, session: AdjudicationSession, parts: AdjudicationParts, verbs: DecisionVerbs, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._parts = parts
        self._verbs = verbs
        self.on_texts = False
        self.shows_own = True
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self.paint_panels)
        self._connect()

    def stop(self) -> None:
        """The window has closed."""
        self._later.stop()

    def show_texts(self, *, on_texts: bool) -> None:
        """Open captions and diagnoses, or the findings."""
        self.on_texts = on_texts
        self.paint_panels()

    def set_own_shown(self, *, shown: bool) -> None:
        """Show the own answer behind the layers, or not."""
        self.shows_own = shown
        self.paint_boxes()

    def rows(self) -> tuple[Row, ...]:
        """Return what the table says now."""
        session = self._session
        opened, decision = session.opened, session.decision
        if opened is None or decision is None or not session.shows_layers:
            return ()
        return rows_of(opened.comparison, decision, own=session.own_answer, agreeing_iou=opened.agreeing_iou)

    def paint_boxes(self) -> None:
        """Paint the boxes of the slice anew."""
        session, canvas = self._session, self._parts.canvas
        if session.shows_layers and session.decision is not None:
            canvas.show_layers(
                session.comparison,
                session.decision,
                own=session.own_answer if self.shows_own else None,
                selection=session.selection,
                may_edit=session.is_open(Part.DECISION) and not self.on_texts,
            )
        elif session.own_answer is not None:
            selected = session.own.selected
            canvas.show_own(
                session.own_answer, selected=selected.id if selected else None, may_edit=session.own.may_edit
            )

    def paint_panels(self) -> None:
        """Paint everything round the slice."""
        self._later.stop()
        session, parts = self._session, self._parts
        if session.route is not None:
            parts.queue.show_route(session.route, session.slice_id)
        opened = session.opened
        if opened is None:
            parts.canvas.show_words(NOTHING_OPEN)
            return
        self._paint_header(opened)
        if session.shows_layers:
            parts.show_decision_side(on_texts=self.on_texts)
            self._paint_groups()
            self._paint_texts(opened)
        else:
            parts.show_own_side()
            self._paint_own()
        self._paint_foot()

    def _connect(self) -> None:
        session, canvas = self._session, self._parts.canvas
        session.slice_shown.connect(self._on_slice)
        session.answer_changed.connect(self.paint_boxes)
        session.selection_changed.connect(self.paint_boxes)
        session.paused_changed.connect(self._on_paused)
        session.save_state_changed.connect(self._on_save_state)
        session.state_changed.connect(self._later.start)
        session.queue_changed.connect(lambda _route: self._later.start())
        session.case_changed.connect(self._later.start)
        canvas.view_changed.connect(self._on_view)
        canvas.cursor_moved.connect(self._on_cursor)

    def _on_slice(self, shown: ShownDecision) -> None:
        self._parts.canvas.show_slice(shown)
        self.paint_boxes()
        self._later.start()

    def _on_paused(self, paused: bool) -> None:
        if paused:
            self._parts.canvas.go_black(PAUSED)
        else:
            self._parts.canvas.end_black()
            self.paint_boxes()

    def _on_save_state(self, state: SaveState) -> None:
        reason = state.reason if state.status is not SaveStatus.CONFLICT else state.status.value
        self._parts.header.show_saved(_BADGES[state.status], reason=reason.rstrip("."))

    def _on_view(self) -> None:
        state, header = self._parts.canvas.view.view_state(), self._parts.header
        header.show_window(state.window.width, state.window.level)
        header.show_zoom(100 * state.zoom)
        self._session.clock.note_view(
            window=state.window.width,
            level=state.window.level,
            zoom=state.zoom,
            interpolation=state.interpolation.value,
        )

    def _on_cursor(self, reading: CursorReading | None) -> None:
        self._session.clock.touch()
        if reading is None:
            self._parts.header.clear_pixel()
        else:
            self._parts.header.show_pixel(int(reading.x), int(reading.y), reading.value)

    def _paint_header(self, opened: OpenedDecision) -> None:
        number, name, level = _STAGES[opened.stage]
        sentence = " ".join((opened.sentence, *opened.notices))
        stage = Stage(number, name, level, frozenset(), frozenset(), sentence)
        self._parts.header.show_header(opened.words, stage)
        self._parts.header.show_notes(paused=self._session.is_paused)

    def _paint_own(self) -> None:
        session, parts = self._session, self._parts
        answer, own = session.own_answer, session.own
        if answer is None:
            return
        selected, protocol = own.selected, session.protocol
        parts.own_findings.show_findings(
            answer, selected=selected.id if selected else None, protocol=protocol, may_edit=own.may_edit
        )
        parts.own_caption.show_caption(
            answer.caption, protocol=protocol, may_edit=own.may_edit, previous_available=False
        )
        self.caption_painted.emit(answer.caption)

    def _paint_groups(self) -> None:
        session, side = self._session, self._parts.groups
        decision, may_edit = session.decision, session.is_open(Part.DECISION)
        if decision is None:
            return
        rows, letters = self.rows(), [layer.letter for layer in session.comparison.layers]
        side.table.show_rows(rows, letters=letters, selected=self._selected_row(rows), may_edit=may_edit)
        side.show_selected()
        side.empty.show_text("" if rows else empty_words(session.comparison))
        side.empty.setVisible(not rows)
        side.difference.show_text(difference_words(session.comparison, session.own_answer))
        side.no_lesion.setChecked(decision.outcome is Outcome.NO_FINDING)
        side.unreadable.setChecked(decision.outcome is Outcome.CANNOT_READ)
        for button in (side.no_lesion, side.unreadable):
            button.setEnabled(may_edit)
        side.note.show_text(decision.note)
        side.note.setReadOnly(not may_edit)
        side.flag_reason.show_text(decision.flag_reason)
        side.flag_reason.setEnabled(may_edit and decision.flagged)
        self._paint_settle(letters, may_edit=may_edit)

    def _paint_settle(self, letters: list[str], *, may_edit: bool) -> None:
        session, settle = self._session, self._parts.groups.settle
        selection, settled, decision = session.selection, self._verbs.settled(), session.decision
        group = self._verbs.selected_group()
        settle.show_group(
            _title(selection.group, settled),
            letters=letters,
            in_group=[m.letter for m in group.members] if group else [],
            may_edit=may_edit,
            has_group=group is not None,
        )
        whole = decision.reason_code if decision else None
        code = (settled.reason_code if settled else None) or whole
        is_open = settled is None and group is not None
        settle.show_reason(
            code, hint=_why_hint(settled, whole, is_open=is_open), may_edit=may_edit and not is_open
        )
        gold = settled if settled is not None and settled in (decision.accepted if decision else ()) else None
        settle.show_box(gold, protocol=session.protocol, may_edit=may_edit)

    def _selected_row(self, rows: tuple[Row, ...]) -> int | None:
        wanted = self._session.selection
        for at, row in enumerate(rows):
            if row.group is not None and row.group == wanted.group:
                return at
            if row.group is None and row.box_id == wanted.box_id:
                return at
        return None

    def _paint_texts(self, opened: OpenedDecision) -> None:
        session, texts = self._session, self._parts.texts
        caption = session.decision.caption if session.decision else None
        texts.show_captions(
            opened.comparison.layers,
            caption,
            protocol=session.protocol,
            may_edit=session.is_open(Part.DECISION),
        )
        draft = session.draft(Part.CASE)
        texts.show_case(
            session.opened_case,
            session.case_decision,
            may_edit=session.is_open(Part.CASE),
            is_closed=draft is not None and draft.opened.state is DecisionState.CLOSED,
        )

    def _paint_foot(self) -> None:
        session, foot = self._session, self._parts.foot
        part = Part.DECISION if session.shows_layers else Part.OWN
        draft, decision = session.draft(part), session.decision
        state = draft.opened.state if draft else None
        if session.shows_layers:
            self._paint_closing(state)
        else:
            may_edit = session.own.may_edit
            missing = missing_in_slice(session.own_answer, session.protocol) if session.own_answer else ()
            foot.show_missing(
                missing if may_edit else (),
                action="Lock my answer",
                key="Ctrl+Enter",
                enabled=may_edit,
                done="Everything is answered.",
            )
        may_edit = session.is_open(part)
        foot.show_actions(
            deferred=state in (AnswerState.DEFERRED, DecisionState.DEFERRED),
            flagged=bool(decision and decision.flagged),
            paused=session.is_paused,
            may_defer=may_edit,
            may_flag=session.is_open(Part.DECISION),
        )

    def _paint_closing(self, state: object) -> None:
        session, foot = self._session, self._parts.foot
        if state is DecisionState.CLOSED:
            foot.show_missing(
                (), action="Reopen", key="R", enabled=not session.is_paused, done="This slice is decided."
            )
            return
        may_edit = session.is_open(Part.DECISION)
        done = "Everything is settled." if may_edit else session.why_not(Part.DECISION)
        foot.show_missing(
            session.missing if may_edit else (),
            action="Close decision",
            key="Enter",
            enabled=may_edit,
            done=done,
        )


def _why_hint(settled: DecidedBox | None, whole: ReasonCode | None, *, is_open: bool) -> str:
    """Say for what a reason is given now, or stands."""
    if is_open:
        return "settle it, then say why"
    if settled is None:
        return "why, for the whole slice"
    stands_for_all = settled.reason_code is None and whole is not None
    return "why, as for the whole slice" if stands_for_all else "why"


def _title(group: int | None, settled: DecidedBox | None) -> str:
    if group is not None:
        return f"Group {group}"
    return "Drawn box" if settled is not None else "Whole slice"
