"""The slice in the middle: own boxes on the bare slice, then layers, match lines and gold."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from nova_review.domain.adjudication import BoxState, Comparison, DecidedBox, SliceDecision
from nova_review.domain.geometry import Box
from nova_review.domain.reading import SliceAnswer
from nova_review.ui.canvas.match_lines import LayersView, MatchLine
from nova_review.ui.canvas.view import BoxRole, CanvasBox, Interpolation, ViewState
from nova_review.ui.decision_shown import Selection, ShownDecision
from nova_review.ui.pages.adjudicate_rows import gold_words
from nova_review.ui.pages.adjudication.letters import OWN_ROLE, role_of
from nova_review.ui.pages.panels.finding_row import finding_words
from nova_review.ui.pages.read_layout import CanvasWords

MOST_VIEWS = 200


class AdjudicationCanvas(QWidget):
    """One slice; each slice keeps its window and zoom.

    Signals: `box_drawn(Box)`, `box_changed(id, Box)`, `box_clicked(id or None)` for boxes without a
    group, `group_clicked(int)`, `cursor_moved(CursorReading or None)`, `view_changed()`,
    `menu_requested(QPoint)` (global).
    """

    box_drawn = Signal(object)
    box_changed = Signal(str, object)
    box_clicked = Signal(object)
    group_clicked = Signal(int)
    cursor_moved = Signal(object)
    view_changed = Signal()
    menu_requested = Signal(QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Slice")
        self.view = LayersView()
        self._shown: ShownDecision | None = None
        self._views: dict[str, ViewState] = {}
        self._interpolation = Interpolation.SMOOTH
        self._is_black = False
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self.view)
        self._words = CanvasWords(self)
        self._connect()

    def set_interpolation(self, interpolation: Interpolation) -> None:
        """Draw pixels smooth or sharp."""
        self._interpolation = interpolation
        self.view.set_interpolation(interpolation)

    def show_slice(self, shown: ShownDecision) -> None:
        """Paint the picture; boxes follow by `show_own` or `show_layers`."""
        before = self._shown
        self._shown = shown
        if self._is_black:
            return
        same = before is not None and before.opened.slice_id == shown.opened.slice_id
        if not same or before is None or before.image is not shown.image or not self.view.has_image():
            self._remember(before)
            self._paint_picture(shown)
        self._words.show_words(shown.problem)
        self.view_changed.emit()

    def show_own(self, answer: SliceAnswer, *, selected: str | None, may_edit: bool) -> None:
        """Paint the adjudicator's own boxes on the bare slice."""
        self.view.show_lines(())
        self.view.show_groups({}, current=None)
        self.view.mark_boxes(frozenset())
        self.view.set_draft_role(BoxRole.READER)
        boxes = tuple(
            CanvasBox(f.id, f.box, caption=str(n), tooltip=f"{n}: {finding_words(f)}")
            for n, f in enumerate(answer.findings, start=1)
        )
        self._show(boxes, selected, may_edit=may_edit)

    def show_layers(
        self,
        comparison: Comparison,
        decision: SliceDecision,
        *,
        own: SliceAnswer | None,
        selection: Selection,
        may_edit: bool,
    ) -> None:
        """Paint layers, match lines, gold, and the own answer where it is given."""
        picture = LayersPicture(comparison, decision, selection)
        groups = picture.groups_of_boxes()
        self.view.show_lines(picture.lines())
        self.view.show_groups(groups, current=selection.group)
        self.view.mark_boxes(frozenset(k for k, number in groups.items() if number == selection.group))
        self.view.set_draft_role(BoxRole.GOLD)
        self._show((*own_boxes(own), *picture.boxes()), picture.selected(), may_edit=may_edit)

    def go_black(self, words: str) -> None:
        """Show nothing but a sentence."""
        if not self._is_black:
            self._remember(self._shown)
        self._is_black = True
        self.view.show_lines(())
        self.view.clear_to_black()
        self._words.show_words(words)

    def end_black(self) -> None:
        """Show the slice again; boxes follow."""
        self._is_black = False
        self._words.show_words("")
        if self._shown is not None:
            self._paint_picture(self._shown)

    def show_words(self, words: str) -> None:
        """Show a sentence in the middle of the black."""
        self._words.show_words(words)

    def hide_boxes(self, *, hidden: bool) -> None:
        """Leave boxes and lines out."""
        self.view.hide_boxes(hidden=hidden)

    def focus(self) -> None:
        """Give the keyboard to the slice."""
        self.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._words.place()

    def _show(self, boxes: tuple[CanvasBox, ...], selected: str | None, *, may_edit: bool) -> None:
        if not self._is_black:
            self.view.set_editable(editable=may_edit)
            self.view.show_findings(boxes, selected)

    def _paint_picture(self, shown: ShownDecision) -> None:
        if shown.image is None:
            self.view.show_lines(())
            self.view.clear_to_black()
            return
        view = self._views.get(shown.opened.slice_id)
        if view is not None:
            view = replace(view, interpolation=self._interpolation)
        self.view.show_image(shown.image, view=view)

    def _remember(self, shown: ShownDecision | None) -> None:
        if shown is None or not self.view.has_image():
            return
        self._views[shown.opened.slice_id] = self.view.view_state()
        while len(self._views) > MOST_VIEWS:
            self._views.pop(next(iter(self._views)))

    def _connect(self) -> None:
        view = self.view
        view.box_drawn.connect(self.box_drawn)
        view.box_change_finished.connect(self._on_changed)
        view.selection_changed.connect(self.box_clicked)
        view.group_clicked.connect(self.group_clicked)
        view.cursor_moved.connect(self.cursor_moved)
        view.context_menu_requested.connect(lambda at: self.menu_requested.emit(view.mapToGlobal(at)))
        view.view_changed.connect(lambda _state: self.view_changed.emit())
        view.window_changed.connect(lambda _window: self.view_changed.emit())

    def _on_changed(self, box_id: str, before: Box, after: Box) -> None:
        if before != after:
            self.box_changed.emit(box_id, after)


@dataclass(frozen=True, slots=True)
class LayersPicture:
    """What is painted of a comparison and its decision."""

    comparison: Comparison
    decision: SliceDecision
    selection: Selection

    def boxes(self) -> Iterable[CanvasBox]:
        """Return the layers' boxes, what is settled of them in the background, then gold."""
        for group in self.comparison.groups:
            is_settled = bool(self.decision.for_group(group.number))
            for member in group.members:
                words = finding_words(self.comparison.finding(member))
                yield CanvasBox(
                    _id_of(member.letter, member.finding_id),
                    self.comparison.finding(member).box,
                    role=role_of(member.letter),
                    caption=f"{group.number}{member.letter}",
                    tooltip=f"Layer {member.letter}, group {group.number}: {words}",
                    faint=is_settled,
                )
        for box in self.decision.boxes:
            yield _decided(box)

    def groups_of_boxes(self) -> dict[str, int]:
        """Return the group of each box, by box id."""
        found = {
            _id_of(member.letter, member.finding_id): group.number
            for group in self.comparison.groups
            for member in group.members
        }
        return found | {box.id: box.group for box in self.decision.boxes if box.group is not None}

    def selected(self) -> str | None:
        """Return the gold box that has handles."""
        wanted = self.selection
        return next(
            (
                box.id
                for box in self.decision.accepted
                if (box.id == wanted.box_id) or (wanted.group is not None and box.group == wanted.group)
            ),
            None,
        )

    def lines(self) -> Sequence[MatchLine]:
        """Return the lines of groups that are not settled, and of the selected one."""
        several = len(self.comparison.layers) > 2
        return [
            MatchLine(
                self.comparison.finding(pair.a).box,
                self.comparison.finding(pair.b).box,
                f"{pair.a.letter}-{pair.b.letter} {pair.iou:.2f}" if several else f"IoU {pair.iou:.2f}",
                strong=group.number == self.selection.group,
            )
            for group in self.comparison.groups
            if group.number == self.selection.group or not self.decision.for_group(group.number)
            for pair in group.ious
        ]


def own_boxes(own: SliceAnswer | None) -> tuple[CanvasBox, ...]:
    """Return the adjudicator's own boxes for the background of the layers."""
    findings = own.findings if own else ()
    return tuple(
        CanvasBox(f"own {f.id}", f.box, role=OWN_ROLE, caption="you", tooltip=f"Yours: {finding_words(f)}")
        for f in findings
    )


def _decided(box: DecidedBox) -> CanvasBox:
    name = str(box.group) if box.group is not None else "+"
    if box.state is BoxState.REJECTED:
        return CanvasBox(
            box.id,
            box.box,
            role=BoxRole.BACKGROUND,
            colour_of=BoxRole.MODEL_4,
            caption=f"{name} none",
            tooltip="No lesion",
        )
    return CanvasBox(
        box.id, box.box, role=BoxRole.GOLD, caption=name, tooltip=f"Gold {name}: {gold_words(box)}"
    )


def _id_of(letter: str, finding_id: str) -> str:
    return f"layer {letter} {finding_id}"
