"""From action names to what the adjudication page does: the one table of handlers."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject, QSettings, Signal
from PySide6.QtGui import QKeyEvent

from nova_review.domain.adjudication import DecisionState, MadeBy
from nova_review.domain.geometry import Box
from nova_review.ui.adjudication_session import AdjudicationSession
from nova_review.ui.canvas.view import Interpolation
from nova_review.ui.canvas.window_level import PRESETS
from nova_review.ui.decision_shown import NOTHING
from nova_review.ui.decision_writes import Part
from nova_review.ui.pages.adjudicate_actions import ACTIONS_BY_NAME, LETTERS, REASONS, Snapshot, is_enabled
from nova_review.ui.pages.adjudicate_display import AdjudicationDisplay
from nova_review.ui.pages.adjudicate_parts import AdjudicationParts
from nova_review.ui.pages.adjudicate_verbs import DecisionVerbs
from nova_review.ui.pages.read_control import NO_SELECTION, ZOOM_STEP
from nova_review.ui.pages.read_palette import Question
from nova_review.ui.pages.read_questions import SIDE_WORDS, Questions
from nova_review.ui.pages.read_verbs import FAR, STEPS, FindingVerbs
from nova_review.ui.saver import SaveStatus

_OWN_QUESTIONS = ("label", "place", "side", "sequence", "plane", "normality", "cannot-be-read")
_DECISIONS = ("accept", "mean", "union", "intersection", "reject", "draw", "no-lesion", "reason", "flag")
_MERGES = {"mean": MadeBy.MEAN, "union": MadeBy.UNION, "intersection": MadeBy.INTERSECTION}
NO_GROUP = "Select a group first: click its boxes, or press Down."
ONE_BOX = "Only one layer has a box in this group: take it, draw anew, or say that there is none."
NO_BOX = "There is no such layer on this slice."
Handlers = dict[str, Callable[[], object]]


class AdjudicationControl(QObject):
    """Does actions by name. Signals: `reason_wanted(Part)` to reopen."""

    reason_wanted = Signal(object)

    def __init__(
        self,
        session: AdjudicationSession,
        parts: AdjudicationParts,
        display: AdjudicationDisplay,
        verbs: DecisionVerbs,
        own_verbs: FindingVerbs,
        settings: QSettings,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._parts = parts
        self._display = display
        self._verbs = verbs
        self._own_verbs = own_verbs
        self._settings = settings
        self._questions = Questions(session.own, own_verbs, parts.own_findings.focus_field)
        self._armed: int | None = None
        session.slice_shown.connect(lambda _shown: self._disarm())
        parts.canvas.box_drawn.connect(self._on_drawn)
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
            self._parts.canvas.hide_boxes(hidden=False)

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

    def snapshot(self) -> Snapshot:
        """What the rules of the actions look at, now."""
        session, stack, settled = self._session, self._session.undo_stack, self._verbs.settled()
        decision, own, group = session.decision, session.own_answer, self._verbs.selected_group()
        return Snapshot(
            has_slice=session.opened is not None,
            has_picture=self._parts.canvas.view.has_image(),
            shows_layers=session.shows_layers,
            on_texts=self._display.on_texts,
            letters="".join(layer.letter for layer in session.comparison.layers),
            may_edit_own=session.own.may_edit,
            may_edit=session.is_open(Part.DECISION),
            may_edit_case=session.is_open(Part.CASE),
            has_finding=session.own.selected is not None,
            has_group=group is not None,
            has_several=group is not None and len(group.members) > 1,
            has_gold=settled is not None,
            has_accepted=settled is not None and decision is not None and settled in decision.accepted,
            has_boxes=bool(own and own.findings),
            can_undo=stack is not None and stack.canUndo(),
            can_redo=stack is not None and stack.canRedo(),
            is_paused=session.is_paused,
            may_reopen=self._is_closed(Part.DECISION),
            may_reopen_case=self._is_closed(Part.CASE),
            in_conflict=session.save_state.status is SaveStatus.CONFLICT,
        )

    def _is_closed(self, part: Part) -> bool:
        draft = self._session.draft(part)
        return draft is not None and draft.opened.state is DecisionState.CLOSED

    def _explain(self, name: str) -> bool:
        """Say why an action of the answer cannot be done now; other keys go on to the control."""
        session, action = self._session, ACTIONS_BY_NAME[name]
        if session.is_paused or session.opened is None or self._display.on_texts:
            return False
        if action.group == "Own answer" and not session.shows_layers:
            return self._explain_own(name)
        if action.group != "Decision" or not session.shows_layers:
            return False
        if not session.is_open(Part.DECISION):
            session.refused.emit(session.why_not(Part.DECISION))
            return True
        if session.selection.group is None and name.startswith(_DECISIONS):
            session.noticed.emit(NO_GROUP)
            return True
        if name in _MERGES or name.startswith("accept-"):
            session.noticed.emit(ONE_BOX if name in _MERGES else NO_BOX)
            return True
        return False

    def _explain_own(self, name: str) -> bool:
        if not self._session.own.may_edit:
            self._session.refused.emit(self._session.why_not(Part.OWN))
            return True
        if name.startswith(("confidence", "own-label", "own-place", "own-side")):
            self._session.noticed.emit(NO_SELECTION)
            return True
        return False

    def _all_handlers(self) -> Handlers:
        return {
            **self._going(),
            **self._own(),
            **self._deciding(),
            **self._texts(),
            **self._boxes(),
            **self._viewing(),
        }

    def _going(self) -> Handlers:
        session = self._session
        return {
            "next-slice": lambda: session.step(1),
            "previous-slice": lambda: session.step(-1),
            "first-slice": lambda: session.go_to_end(-1),
            "last-slice": lambda: session.go_to_end(1),
            "defer": session.defer,
            "pause": session.pause,
            "undo": session.undo,
            "redo": session.redo,
            "save": self._save,
            "keep-mine": session.keep_mine,
            "take-theirs": session.take_theirs,
            "cancel": self._cancel,
        }

    def _own(self) -> Handlers:
        verbs = self._own_verbs
        return {
            "own-draw": lambda: self._parts.canvas.view.set_drawing(drawing=True),
            "own-confirm": verbs.select_next,
            "own-delete": verbs.delete,
            "own-no-finding": verbs.toggle_no_finding,
            "own-text": self._parts.own_caption.focus_text,
            "own-lock": self._session.lock_own,
            **{f"confidence-{n}": partial(verbs.confidence, n) for n in range(1, 6)},
            **{f"own-{name}": partial(self._ask_own, name) for name in _OWN_QUESTIONS},
        }

    def _deciding(self) -> Handlers:
        verbs, session = self._verbs, self._session
        return {
            "next-group": lambda: verbs.step_group(1),
            "previous-group": lambda: verbs.step_group(-1),
            **{f"accept-{k.lower()}": partial(verbs.accept, k) for k in LETTERS},
            **{f"accept-all-{k.lower()}": partial(verbs.accept_all, k) for k in LETTERS},
            **{name: partial(verbs.merge, how) for name, how in _MERGES.items()},
            **{f"reason-{n}": partial(verbs.give_reason, code) for n, code in enumerate(REASONS, start=1)},
            "draw": self.arm_drawing,
            "reject": verbs.reject,
            "no-lesion": verbs.toggle_no_lesion,
            "cannot-be-read": self._toggle_cannot_read,
            "take-back": verbs.take_back,
            "label": lambda: self._ask_gold("label"),
            "place": lambda: self._ask_gold("place"),
            "side": lambda: self._ask_gold("side"),
            "note": self._focus_note,
            "flag": self._toggle_flag,
            "close": session.close_decision,
            "reopen": lambda: self.reason_wanted.emit(Part.DECISION),
        }

    def _texts(self) -> Handlers:
        texts = self._parts.texts
        return {
            "texts": self.toggle_texts,
            **{f"caption-{k.lower()}": partial(self._verbs.choose_caption, k) for k in LETTERS},
            "caption-text": texts.reference.focus_text,
            "diagnosis": texts.focus_diagnosis,
            "close-case": self._session.close_case,
            "reopen-case": lambda: self.reason_wanted.emit(Part.CASE),
        }

    def _boxes(self) -> Handlers:
        moves: Handlers = {}
        for side in STEPS:
            moves[f"nudge-{side}"] = partial(self._nudge, side, 1.0)
            moves[f"nudge-far-{side}"] = partial(self._nudge, side, FAR)
            moves[f"resize-{side}"] = partial(self._resize, side, 1.0)
            moves[f"resize-far-{side}"] = partial(self._resize, side, FAR)
        return moves

    def _viewing(self) -> Handlers:
        canvas = self._parts.canvas
        view = canvas.view
        return {
            "hide-boxes": lambda: canvas.hide_boxes(hidden=True),
            "own-shown": lambda: self._display.set_own_shown(shown=not self._display.shows_own),
            "invert": lambda: view.set_inverted(inverted=not view.view_state().inverted),
            "window-reset": view.reset_window,
            **{f"window-{n}": partial(self._choose_window, n - 1) for n in range(1, len(PRESETS) + 1)},
            "zoom-actual": lambda: view.zoom_to(100),
            "zoom-fit": view.fit,
            "zoom-in": lambda: self._zoom(ZOOM_STEP),
            "zoom-out": lambda: self._zoom(1 / ZOOM_STEP),
            "interpolation": self._toggle_interpolation,
        }

    def arm_drawing(self) -> None:
        """The next drag draws, for the selected group."""
        self._armed = self._session.selection.group
        self._parts.canvas.view.set_drawing(drawing=True)

    def toggle_texts(self) -> None:
        """Go to the other tab."""
        self._display.show_texts(on_texts=not self._display.on_texts)
        self._display.paint_boxes()
        self._parts.canvas.focus()

    def _on_drawn(self, box: Box) -> None:
        armed, self._armed = self._armed, None
        if self._session.shows_layers:
            self._verbs.draw(box, for_group=armed)
        else:
            self._own_verbs.draw(box)

    def _disarm(self) -> None:
        self._armed = None

    def _nudge(self, side: str, by: float) -> None:
        self._box_verbs().nudge(side, by=by)

    def _resize(self, side: str, by: float) -> None:
        self._box_verbs().resize(side, by=by)

    def _box_verbs(self) -> DecisionVerbs | FindingVerbs:
        return self._verbs if self._session.shows_layers else self._own_verbs

    def _ask_own(self, name: str) -> None:
        self._parts.palette_of_words.ask(self._questions.ask(name))

    def _ask_gold(self, field: str) -> None:
        gold, words = self._verbs.settled(), self._session.protocol.vocabularies
        if gold is None:
            return
        if field == "side":
            chosen = tuple(word for word, side in SIDE_WORDS.items() if gold.side is side)
            question = Question(
                "Side on the image",
                tuple(SIDE_WORDS),
                chosen,
                lambda w: self._verbs.describe(side=SIDE_WORDS[w]),
            )
        else:
            given = words.labels if field == "label" else words.places
            now = gold.label if field == "label" else gold.place
            title = "Label" if field == "label" else "Anatomical place"
            editor = self._parts.groups.settle.editor
            write = (editor.label if field == "label" else editor.place).setFocus
            question = Question(
                title, given, (now,), lambda w: self._verbs.describe(**{field: w}), write=write
            )
        self._parts.palette_of_words.ask(question)

    def _toggle_cannot_read(self) -> None:
        self._verbs.toggle_cannot_read()
        if self._session.missing:
            self._focus_note()

    def _focus_note(self) -> None:
        self._parts.groups.note.setFocus()

    def _toggle_flag(self) -> None:
        self._verbs.toggle_flag()
        decision = self._session.decision
        if decision is not None and decision.flagged:
            if self._display.on_texts:
                self.toggle_texts()
            self._display.paint_panels()
            self._parts.groups.flag_reason.setFocus()

    def _cancel(self) -> None:
        view = self._parts.canvas.view
        if view.cancel_gesture():
            return
        view.set_drawing(drawing=False)
        self._armed = None
        if self._session.shows_layers:
            self._session.select(NOTHING)
        else:
            self._session.own.select(None)
        self._parts.canvas.focus()

    def _save(self) -> None:
        self._session.flush()
        self._session.retry_save()

    def _zoom(self, factor: float) -> None:
        view = self._parts.canvas.view
        view.zoom_at(factor, view.rect().center().toPointF())

    def _choose_window(self, number: int) -> None:
        view = self._parts.canvas.view
        view.set_window(PRESETS[number].window_for(view.picture()))
        self._session.noticed.emit(f"Window: {PRESETS[number].name}")

    def _toggle_interpolation(self) -> None:
        is_smooth = self._parts.canvas.view.view_state().interpolation is Interpolation.SMOOTH
        wanted = Interpolation.NEAREST if is_smooth else Interpolation.SMOOTH
        self._parts.canvas.set_interpolation(wanted)
        self._settings.setValue("interpolation", wanted.value)
