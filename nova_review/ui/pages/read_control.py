"""From action names to what the reading page does: the one table of handlers."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QPoint, QSettings, Signal
from PySide6.QtGui import QKeyEvent

from nova_review.domain.protocol import Level
from nova_review.domain.reading import AnswerState
from nova_review.ui.actions import ACTIONS_BY_NAME, KeyBook, Snapshot, is_enabled
from nova_review.ui.canvas.view import Interpolation, SliceView
from nova_review.ui.canvas.window_level import PRESETS
from nova_review.ui.pages.read_layout import LAYOUTS
from nova_review.ui.pages.read_menu import CanvasMenu
from nova_review.ui.pages.read_parts import ReadParts
from nova_review.ui.pages.read_questions import Questions
from nova_review.ui.pages.read_verbs import FAR, STEPS, BoxVerbs
from nova_review.ui.saver import SaveStatus
from nova_review.ui.session import ReviewSession

ZOOM_STEP = 1.25
_QUESTIONS = ("label", "place", "side", "sequence", "plane", "normality", "cannot-be-read")
_ASKS_OF_FINDING = ("label", "place", "side")
NO_SELECTION = "Select a finding first: click its box, or press Enter."


class ReadControl(QObject):
    """Does actions by name. Signals: `reason_wanted()` to reopen, `note_wanted()`, `layout_changed()`."""

    reason_wanted = Signal()
    note_wanted = Signal()
    layout_changed = Signal()

    def __init__(
        self, session: ReviewSession, parts: ReadParts, verbs: BoxVerbs, keys: KeyBook, settings: QSettings,
        parent: QObject,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session = session
        self._parts = parts
        self._verbs = verbs
        self._keys = keys
        self._settings = settings
        self._questions = Questions(session, verbs, parts.findings.focus_field)
        self._before_maximised = 1
        self._handlers = self._all_handlers()

    def handles(self, name: str) -> bool:
        """Whether this page knows an action."""
        return name in self._handlers

    def press(self, name: str) -> bool:
        """Do an action if it is allowed now; return whether the key was used."""
        self._session.clock.touch()
        if name not in self._handlers:
            return False
        if not is_enabled(ACTIONS_BY_NAME[name], self.snapshot()):
            return self._explain(name)
        self._handlers[name]()
        return True

    def release(self, name: str) -> None:
        """The key of an action went up."""
        if name == "hide-boxes":
            self._parts.grid.hide_boxes(hidden=False)

    def grab(self, event: QKeyEvent) -> bool:
        """Use a key before any action: any key ends a pause, and an open question takes all."""
        self._session.clock.touch()
        if self._session.is_paused:
            self._session.resume()
            return True
        return self._parts.palette_of_words.take_key(event)

    def may_do(self, name: str) -> bool:
        """Whether an action is allowed now."""
        return is_enabled(ACTIONS_BY_NAME[name], self.snapshot())

    def open_menu(self, at: QPoint) -> None:
        """Open the menu of the right button."""
        menu = CanvasMenu(
            self._parts.grid,
            keys=self._keys.keys(),
            do=self.press,
            ask=self._questions.ask,
            may_do=self.may_do,
        )
        if self._session.selected is not None and self._session.may_edit:
            steps = self._session.protocol.confidence.steps
            menu.fill_for_box([f"{100 * step:.0f} %" for step in steps[:5]])
        else:
            menu.fill_for_slice()
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def turn_wheel(self, steps: int) -> None:
        """The wheel goes through the slices, if the reader has switched that on."""
        if self._settings.value("wheel", False, type=bool) and not self._session.is_paused:
            self._session.step(1 if steps > 0 else -1)

    def maximise(self) -> None:
        """Show the active slice alone, or all of the layout again."""
        count = self._parts.grid.count
        if count == 1:
            self.set_layout(self._before_maximised)
        else:
            self._before_maximised = count
            self.set_layout(1)

    def set_layout(self, count: int) -> None:
        """Show 1, 2 or 4 slices of the case."""
        if count != self._parts.grid.count:
            self._parts.grid.set_count(count)
            self._settings.setValue("layout", count)
            self.layout_changed.emit()

    def snapshot(self) -> Snapshot:
        """What the rules of the actions look at, now."""
        session, route, place = self._session, self._session.route, self._session.place
        stack, opened, answer = session.undo_stack, session.opened, session.answer
        return Snapshot(
            has_slice=opened is not None,
            has_picture=self._view.has_image(),
            may_edit=session.may_edit,
            may_edit_case=session.may_edit_case,
            has_selection=session.selected is not None,
            findings=len(answer.findings) if answer else 0,
            can_undo=stack is not None and stack.canUndo(),
            can_redo=stack is not None and stack.canRedo(),
            is_paused=session.is_paused,
            may_reopen=_may_reopen(session),
            has_previous_sibling=bool(route and place and route.previous_sibling(place)),
            in_conflict=session.save_state.status is SaveStatus.CONFLICT,
            allowed=frozenset(session.protocol.actions),
        )

    @property
    def _view(self) -> SliceView:
        return self._parts.grid.active_view()

    def _explain(self, name: str) -> bool:
        """Say why an action of the answer cannot be done now; other keys go on to the control."""
        session, action = self._session, ACTIONS_BY_NAME[name]
        if session.is_paused or session.opened is None or session.opened_case is not None:
            return False
        if action.group == "Boxes" and name not in ("draw", "delete", "duplicate"):
            return False
        if session.may_edit and (name in _ASKS_OF_FINDING or name.startswith("confidence")):
            session.noticed.emit(NO_SELECTION)
            return True
        if session.may_edit or (action.group not in ("Boxes", "Findings", "Caption") and name != "lock"):
            return False
        session.refused.emit(session.opened.why_not or "This slice cannot be changed now.")
        return True

    def _all_handlers(self) -> dict[str, Callable[[], object]]:
        return {
            **self._going(),
            **self._boxes(),
            **self._reading(),
            **self._viewing(),
            **{name: partial(self._ask, name) for name in _QUESTIONS},
        }

    def _going(self) -> dict[str, Callable[[], object]]:
        session = self._session
        return {
            "next-slice": lambda: session.step(1),
            "previous-slice": lambda: session.step(-1),
            "first-slice": lambda: session.go_to_end(-1),
            "last-slice": lambda: session.go_to_end(1),
        }

    def _boxes(self) -> dict[str, Callable[[], object]]:
        verbs = self._verbs
        moves: dict[str, Callable[[], object]] = {}
        for side in STEPS:
            moves[f"nudge-{side}"] = partial(verbs.nudge, side)
            moves[f"nudge-far-{side}"] = partial(verbs.nudge, side, by=FAR)
            moves[f"resize-{side}"] = partial(verbs.resize, side)
            moves[f"resize-far-{side}"] = partial(verbs.resize, side, by=FAR)
        confidences = {f"confidence-{n}": partial(verbs.confidence, n) for n in range(1, 6)}
        return {
            **moves,
            **confidences,
            "draw": lambda: self._view.set_drawing(drawing=True),
            "cancel": self._cancel,
            "confirm": verbs.select_next,
            "delete": verbs.delete,
            "duplicate": verbs.duplicate,
            "no-finding": verbs.toggle_no_finding,
            "copy-previous": verbs.copy_previous,
        }

    def _reading(self) -> dict[str, Callable[[], object]]:
        session = self._session
        return {
            "text": self._write,
            "lock": lambda: session.submit() if session.opened_case is not None else session.lock(),
            "reopen": self.reason_wanted.emit,
            "note": self.note_wanted.emit,
            "defer": session.defer,
            "seen-before": session.note_seen_before,
            "pause": session.pause,
            "undo": session.undo,
            "redo": session.redo,
            "save": self._save,
            "keep-mine": session.keep_mine,
            "take-theirs": session.take_theirs,
        }

    def _viewing(self) -> dict[str, Callable[[], object]]:
        grid = self._parts.grid
        windows = {f"window-{n}": partial(self._choose_window, n - 1) for n in range(1, len(PRESETS) + 1)}
        layouts = {f"layout-{n}": partial(self.set_layout, n) for n in LAYOUTS}
        return {
            **windows,
            **layouts,
            "hide-boxes": lambda: grid.hide_boxes(hidden=True),
            "invert": lambda: self._view.set_inverted(inverted=not self._view.view_state().inverted),
            "window-reset": lambda: self._view.reset_window(),
            "zoom-actual": lambda: self._view.zoom_to(100),
            "zoom-fit": lambda: self._view.fit(),
            "zoom-in": lambda: self._zoom(ZOOM_STEP),
            "zoom-out": lambda: self._zoom(1 / ZOOM_STEP),
            "interpolation": self._toggle_interpolation,
            "link-views": lambda: grid.set_linked(linked=not grid.is_linked),
            "wheel": self._toggle_wheel,
        }

    def _ask(self, name: str) -> None:
        self._parts.palette_of_words.ask(self._questions.ask(name))

    def _cancel(self) -> None:
        view = self._view
        if view.cancel_gesture():
            return
        view.set_drawing(drawing=False)
        self._session.select(None)
        self._parts.grid.focus()

    def _write(self) -> None:
        if self._session.opened_case is not None:
            self._parts.case.focus_list()
        else:
            self._parts.caption.focus_text()

    def _save(self) -> None:
        self._session.flush()
        self._session.retry_save()

    def _zoom(self, factor: float) -> None:
        self._view.zoom_at(factor, self._view.rect().center().toPointF())

    def _choose_window(self, number: int) -> None:
        self._view.set_window(PRESETS[number].window_for(self._view.picture()))
        self._session.noticed.emit(f"Window: {PRESETS[number].name}")

    def _toggle_interpolation(self) -> None:
        is_smooth = self._view.view_state().interpolation is Interpolation.SMOOTH
        wanted = Interpolation.NEAREST if is_smooth else Interpolation.SMOOTH
        self._parts.grid.set_interpolation(wanted)
        self._settings.setValue("interpolation", wanted.value)

    def _toggle_wheel(self) -> None:
        wanted = not self._settings.value("wheel", False, type=bool)
        self._settings.setValue("wheel", wanted)
        words = "The mouse wheel goes through the slices." if wanted else "The mouse wheel does nothing."
        self._session.noticed.emit(words)


def _may_reopen(session: ReviewSession) -> bool:
    opened = session.opened
    return opened is not None and opened.stage.level is Level.SLICE and opened.state is AnswerState.LOCKED
