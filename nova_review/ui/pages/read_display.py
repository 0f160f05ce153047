"""Paints the session: the slice at once, the panels round it after the paint."""

from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal

from nova_review.domain.completeness import missing_in_case, missing_in_slice
from nova_review.domain.protocol import Level
from nova_review.domain.reading import AnswerState
from nova_review.domain.study import PresentationRole
from nova_review.services.ports import OpenedCase, Place
from nova_review.ui.canvas.items import CursorReading
from nova_review.ui.pages.panels import header as header_panel
from nova_review.ui.pages.read_layout import view_words
from nova_review.ui.pages.read_parts import ReadParts
from nova_review.ui.route import Route
from nova_review.ui.saver import SaveState, SaveStatus
from nova_review.ui.session import ReviewSession
from nova_review.ui.shown import ShownSlice

PAUSED = "Paused. The clock stands still.\nAny key goes on."
_BADGES = {
    SaveStatus.SAVED: header_panel.SaveState.SAVED,
    SaveStatus.SAVING: header_panel.SaveState.SAVING,
    SaveStatus.FAILED: header_panel.SaveState.FAILED,
    SaveStatus.CONFLICT: header_panel.SaveState.FAILED,
}


class ReadDisplay(QObject):
    """Keeps the parts of the page as the session is. Signals: `caption_painted(Caption)`."""

    caption_painted = Signal(object)

    def __init__(self, session: ReviewSession, parts: ReadParts, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._parts = parts
        self._shown_route: Route | None = None
        self._thumbs_of: str | None = None
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setInterval(0)
        self._later.timeout.connect(self.paint_panels)
        self._connect()

    def _connect(self) -> None:
        session, grid = self._session, self._parts.grid
        session.slice_shown.connect(self._on_slice)
        session.neighbour_shown.connect(lambda shown: grid.show_slice(shown, selected=None, may_edit=False))
        session.answer_changed.connect(lambda _answer: self._paint_boxes())
        session.selection_changed.connect(lambda _selected: self._paint_boxes())
        session.paused_changed.connect(self._on_paused)
        session.save_state_changed.connect(self._on_save_state)
        session.state_changed.connect(self._later.start)
        session.route_changed.connect(lambda _route: self._later.start())
        session.case_shown.connect(lambda _case: self._later.start())
        session.case_answer_changed.connect(lambda _answer: self._later.start())
        grid.view_changed.connect(self._on_view)
        grid.cursor_moved.connect(self._on_cursor)

    def stop(self) -> None:
        """The window has closed."""
        self._later.stop()

    def lay_out(self) -> None:
        """Lay the slices of the case out anew, as many as fit."""
        session, grid = self._session, self._parts.grid
        if session.route is None or session.place is None:
            return
        siblings = self._siblings(session.route, session.place)
        session.show_neighbours(grid.show_case(siblings, session.place))

    def paint_panels(self) -> None:
        """Paint everything round the slice."""
        self._later.stop()
        if self._session.opened is None:
            return
        self._paint_header()
        self._paint_route()
        self._paint_findings()
        self._paint_case()
        self._paint_footer()

    def _siblings(self, route: Route, place: Place) -> tuple[Place, ...]:
        return route.siblings(place) if route.knows(place) else (place,)

    def _on_slice(self, shown: ShownSlice) -> None:
        session, grid = self._session, self._parts.grid
        place = shown.opened.place
        siblings = self._siblings(session.route, place) if session.route else (place,)
        visible = grid.show_case(siblings, place)
        grid.show_slice(shown, selected=None, may_edit=session.may_edit)
        if len(visible) > 1:
            QTimer.singleShot(0, self, lambda: session.show_neighbours(visible))
        else:
            session.show_neighbours(())
        self._later.start()

    def _paint_boxes(self) -> None:
        session = self._session
        selected = session.selected.id if session.selected else None
        if session.answer is not None:
            self._parts.grid.show_answer(session.answer, selected=selected, may_edit=session.may_edit)

    def _on_paused(self, paused: bool) -> None:
        session, grid = self._session, self._parts.grid
        if paused:
            grid.go_black(PAUSED)
        else:
            selected = session.selected.id if session.selected else None
            grid.end_black(selected=selected, may_edit=session.may_edit)

    def _on_save_state(self, state: SaveState) -> None:
        reason = state.reason if state.status is not SaveStatus.CONFLICT else state.status.value
        self._parts.header.show_saved(_BADGES[state.status], reason=reason.rstrip("."))

    def _on_view(self) -> None:
        window, zoom = view_words(self._parts.grid.active_view())
        self._parts.header.show_window(window.width, window.level)
        self._parts.header.show_zoom(100 * zoom)
        view = self._parts.grid.active_view().view_state()
        self._session.clock.note_view(
            window=window.width, level=window.level, zoom=zoom, interpolation=view.interpolation.value
        )

    def _on_cursor(self, reading: CursorReading | None) -> None:
        self._session.clock.touch()
        if reading is None:
            self._parts.header.clear_pixel()
        else:
            self._parts.header.show_pixel(int(reading.x), int(reading.y), reading.value)

    def _paint_header(self) -> None:
        session, header = self._session, self._parts.header
        opened = session.opened
        if opened is None:
            return
        header.show_header(opened.words, opened.stage)
        role = session.route.entry(opened.place).role if session.route else PresentationRole.MAIN
        header.show_notes(training=role is PresentationRole.TRAINING, paused=session.is_paused)

    def _paint_route(self) -> None:
        session, parts = self._session, self._parts
        route, place = session.route, session.place
        if route is None or place is None or not route.knows(place):
            return
        self._paint_worklist(route, place)
        slices = route.entry(place).slices
        parts.strip.show_slices(slices, place.slice_id)
        if self._thumbs_of != place.presentation_id and len(slices) > 1:
            self._thumbs_of = place.presentation_id
            parts.thumbnails.want([s.slice_id for s in slices])

    def _paint_worklist(self, route: Route, place: Place) -> None:
        before, self._shown_route = self._shown_route, route
        if before is None or before.places is not route.places:
            self._parts.worklist.show_worklist(route.worklist, place)
            return
        for old, new in zip(before.worklist.entries, route.worklist.entries, strict=True):
            if old is not new:
                self._parts.worklist.update_entry(new)
        self._parts.worklist.show_current(place)

    def _paint_findings(self) -> None:
        session, parts = self._session, self._parts
        answer = session.answer
        if answer is None:
            return
        selected = session.selected.id if session.selected else None
        may_edit, protocol = session.may_edit, session.protocol
        parts.findings.show_findings(answer, selected=selected, protocol=protocol, may_edit=may_edit)
        parts.caption.show_caption(
            answer.caption,
            protocol=protocol,
            may_edit=may_edit,
            previous_available=False,  # offered under the answers, for boxes and caption together
        )
        self.caption_painted.emit(answer.caption)

    def _paint_case(self) -> None:
        session, parts = self._session, self._parts
        case, answer = session.opened_case, session.case_answer
        if session.opened is None or session.opened.stage.level is Level.SLICE:
            parts.show_answers_side()
        else:
            parts.show_case_side(is_ready=case is not None)
        if case is not None and answer is not None:
            named = replace(case, own_captions=_named_captions(case, session.route))
            parts.case.show_case(named, answer, protocol=session.protocol, may_edit=session.may_edit_case)

    def _paint_footer(self) -> None:
        session, parts = self._session, self._parts
        opened = session.opened
        if opened is None:
            return
        self._paint_primary()
        entry = session.route.entry(opened.place) if session.route else None
        parts.footer.show_actions(
            deferred=opened.state is AnswerState.DEFERRED,
            seen_before=entry is not None and entry.seen_before,
            paused=session.is_paused,
            may_defer=session.may_edit,
            may_copy=session.may_edit and self._has_previous(),
        )

    def _paint_primary(self) -> None:
        session, footer = self._session, self._parts.footer
        key = self._parts.keys.get("lock", "")
        if session.case_answer is not None:
            missing = missing_in_case(session.case_answer, session.protocol) if session.may_edit_case else ()
            closed = session.opened_case.why_not if session.opened_case else ""
            enabled = session.may_edit_case
            footer.show_missing(missing, action="Submit case", key=key, enabled=enabled, closed=closed)
        elif session.answer is not None:
            missing = missing_in_slice(session.answer, session.protocol) if session.may_edit else ()
            closed, enabled = self._why_closed(), session.may_edit
            footer.show_missing(missing, action="Lock findings", key=key, enabled=enabled, closed=closed)

    def _why_closed(self) -> str:
        """Why the slice takes no answers, and what can be done about it."""
        opened, key = self._session.opened, self._parts.keys.get("reopen", "")
        if opened is None or not opened.why_not:
            return ""
        if opened.stage.level is Level.SLICE and opened.state is AnswerState.LOCKED and key:
            return f"{opened.why_not} {key} reopens it, with a reason."
        return opened.why_not

    def _has_previous(self) -> bool:
        route, place = self._session.route, self._session.place
        if route is None or place is None or not route.knows(place):
            return False
        return route.previous_sibling(place) is not None


def _named_captions(case: OpenedCase, route: Route | None) -> tuple[tuple[str, str], ...]:
    """Name the reader's captions by the number of their slice, as the page does everywhere."""
    entry = route.entries.get(case.presentation_id) if route else None
    numbers = {s.slice_id: s.number for s in entry.slices} if entry else {}
    return tuple(
        (f"Slice {numbers.get(slice_id, n)}", text) for n, (slice_id, text) in enumerate(case.own_captions, 1)
    )
