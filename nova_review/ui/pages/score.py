"""The score page: readers and models on one table, by any scorer's rules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QColor, QFocusEvent, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from nova_review.analysis.dialects.scores import DialectName
from nova_review.domain.errors import NovaReviewError
from nova_review.services.score_ports import Difference, GapRow, ScoringDesk
from nova_review.services.score_views import GOLD, OTHERS, Column, ScoreRequest
from nova_review.ui.messages import MessageBar, Messages
from nova_review.ui.pages.panels.help import HelpOverlay
from nova_review.ui.pages.score_export import ScoreExport
from nova_review.ui.pages.score_keys import help_groups, name_of
from nova_review.ui.pages.score_work import NewestWork, Scored, scored
from nova_review.ui.pages.scoring.definition import DefinitionPanel
from nova_review.ui.pages.scoring.grid import TAGGED, GridWish, grid_of
from nova_review.ui.pages.scoring.grid_view import ScoreGrid
from nova_review.ui.pages.scoring.head import ChoiceLine, ScoreHead
from nova_review.ui.pages.scoring.side import Picture, ScoreSide
from nova_review.ui.pages.scoring.words import DIALECT_WORDS, against_words, metric_name
from nova_review.ui.plots.glyphs import GlyphSign
from nova_review.ui.theme import GROUND
from nova_review.ui.workers import Workers

PairWish = tuple[Scored, str, str, Column]
GapWish = tuple[Scored, Column]
ONLY_SETS = "Published figures were counted on other slices by other rules: they are never subtracted."


class ScorePage(QWidget):
    """Table at the left with the definition under it, plot and difference at the right.

    Everything is computed in the workers; while it is, the old table stays. Signals: `left()` when the
    person goes back, `shown()` when a table stands on the page, `judge_wanted()`.
    """

    left = Signal()
    shown = Signal()
    judge_wanted = Signal()

    def __init__(
        self, desk: ScoringDesk, workers: Workers, messages: Messages, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setAccessibleName("Score")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._messages = messages
        self._request = ScoreRequest(dialects=(DialectName.NOVA_REVIEW,), joint=True)
        self._scored: Scored | None = None
        self._wish = GridWish()
        self._marked: tuple[str, ...] = ()
        self.work = NewestWork(partial(scored, desk), workers.analysis, self)
        self.pairs = NewestWork(partial(_difference, desk), workers.analysis, self)
        self.gaps = NewestWork(partial(_gaps, desk), workers.analysis, self)
        self._more_gaps: tuple[GapRow, ...] = ()
        self.head, self.line = ScoreHead(), ChoiceLine()
        self.grid, self.definition, self.side = ScoreGrid(), DefinitionPanel(), ScoreSide()
        self.exports = ScoreExport(desk, workers, messages, self)
        self.help = HelpOverlay(self)
        self._lay_out()
        self._connect()
        self._acts = self._make_acts()
        self._bar = MessageBar(messages, self)

    def begin(self) -> None:
        """Score all sets by our own rules, against gold or, once there are readers, against the others."""
        self._show_choices()
        self.work.want(self._request)
        self._take_keyboard()

    def end(self) -> None:
        """Compute no more."""
        self.work.stop()
        self.pairs.stop()
        self.gaps.stop()

    def request(self) -> ScoreRequest:
        """Return what is wished."""
        return self._request

    def scored(self) -> Scored | None:
        """Return what is shown."""
        return self._scored

    def marked(self) -> tuple[str, ...]:
        """Return the rows that are marked, in order."""
        return self._marked

    def keyPressEvent(self, event: QKeyEvent) -> None:
        act = self._acts.get(name_of(event) or "")
        if act is None or event.isAutoRepeat():
            super().keyPressEvent(event)
        else:
            act()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._take_keyboard()

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(event.rect(), QColor(GROUND))

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.setSpacing(0)
        left.addWidget(self.grid, 1)
        left.addWidget(self.definition)
        body = QHBoxLayout()
        body.setSpacing(1)
        body.addLayout(left, 31)
        body.addWidget(self.side, 20)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.head)
        column.addWidget(self.line)
        column.addLayout(body, 1)

    def _connect(self) -> None:
        self.work.found.connect(self._on_found)
        self.work.failed.connect(self._on_failed)
        self.work.busy_changed.connect(self.head.busy.setVisible)
        self.pairs.found.connect(self._on_difference)
        self.pairs.failed.connect(lambda _wish, error: self._messages.error(str(error), key="score-pair"))
        self.gaps.found.connect(self._on_gaps)
        self.gaps.failed.connect(lambda _wish, error: self._messages.error(str(error), key="score-gap"))
        self.head.dialect_chosen.connect(self._by)
        self.head.judge.clicked.connect(self._judge)
        self.head.export.clicked.connect(self._export)
        self.head.save.clicked.connect(self._save)
        self.head.back.clicked.connect(self.left)
        self.line.against_chosen.connect(self._score_against)
        self.line.joint_wanted.connect(self._toggle_joint)
        self.line.published_wanted.connect(self._toggle_published)
        self.line.more_wanted.connect(self._toggle_more)
        self.grid.place_changed.connect(self._show_place)
        self.grid.sort_wanted.connect(self._sort)
        self.grid.mark_wanted.connect(self._mark)
        self.side.picture_chosen.connect(self._show_picture)
        self.side.set_chosen.connect(self._go_to_set)

    def _make_acts(self) -> dict[str, Callable[[], object]]:
        acts: dict[str, Callable[[], object]] = {
            "gold": partial(self._score_against, GOLD),
            "others": partial(self._score_against, OTHERS),
            "reader": self.line.ask_reader,
            "joint": self._toggle_joint,
            "mark": self._mark_current,
            "sort": self._sort_current,
            "more": self._toggle_more,
            "published": self._toggle_published,
            "judge": self._judge,
            "plot": self._toggle_keyboard,
            "export": self._export,
            "save": self._save,
            "renew": self._renew,
            "help": lambda: self.help.show_actions(help_groups(), _signs()),
            "back": self.left.emit,
        }
        pictures = ("dots", "gap", "froc", "tail", "sure")
        acts |= {f"plot-{n}": partial(self._show_picture, p) for n, p in zip(pictures, Picture, strict=True)}
        return acts | {f"dialect-{k}": partial(self._by, d) for k, d in enumerate(DialectName, start=1)}

    def _want(self, request: ScoreRequest) -> None:
        if request != self._request:
            self._request = request
            self.work.want(request)
            self._show_choices()

    def _renew(self) -> None:
        self.work.want(self._request)

    def _by(self, dialect: DialectName) -> None:
        self._want(replace(self._request, dialects=(dialect,)))

    def _score_against(self, against: str) -> None:
        self._want(replace(self._request, against=against))

    def _toggle_joint(self) -> None:
        self._want(replace(self._request, joint=not self._request.joint))

    def _show_choices(self) -> None:
        """The chips show what is wished; the table follows once it is computed."""
        self.head.show_dialect(self._request.dialects[0])
        self.line.show_against(self._request.against or "")
        self.line.show_switches(
            joint=self._request.joint, published=self._wish.published, more=self._wish.more
        )

    def _on_found(self, request: ScoreRequest, found: Scored) -> None:
        self._scored, self._more_gaps = found, ()
        self._request = replace(request, against=found.table.against)
        self._messages.resolve("score")
        self.line.show_readers([head.name for head in found.table.heads if head.is_reader])
        self.line.show_table(found.table)
        self.head.show_table(found.table)
        names = {head.name for head in found.table.heads}
        self._marked = tuple(name for name in self._marked if name in names)
        self._show_choices()
        self._show_grid()
        self.shown.emit()

    def _on_failed(self, _request: ScoreRequest, error: NovaReviewError) -> None:
        """The table that stands stays, and so do the choices it was made by."""
        if self._scored is not None:
            self._request = self._scored.table.request
            self._request = replace(self._request, against=self._scored.table.against)
            self._show_choices()
        self._messages.error(str(error), key="score")

    def _show_grid(self) -> None:
        if self._scored is None:
            return
        grid = grid_of(self._scored.table, self._scored.published, self._scored.tags, self._wish)
        self.grid.show_marked(self._marked)
        self.grid.show_grid(grid, self._wish.sort, rising=self._wish.rising)

    def _show_place(self) -> None:
        index = self.grid.currentIndex()
        if self._scored is None or not index.isValid():
            return
        grid = self.grid.grid()
        column, row = grid.columns[index.column()], grid.rows[index.row()]
        whose, whom = DIALECT_WORDS[column.column[0]], against_words(self._scored.table.against)
        title = f"{column.group}: {metric_name(column.column)}"
        if column.column[1] != TAGGED:
            title += f", by {whose} rules, against {whom}"
        cell = row.cells[index.column()].words.partition("\n")[0]
        self.definition.show_definition(title, column.definition, cell)
        self._show_plot()
        self._ask_difference()

    def _show_plot(self) -> None:
        index = self.grid.currentIndex()
        if self._scored is None or not index.isValid():
            return
        found, name = self._scored, self.grid.current_name()
        column = self.grid.current_column()
        picture = self.side.picture()
        if picture is Picture.DOTS:
            self.side.show_column(self.grid.grid(), index.column(), name)
        elif picture is Picture.GAP:
            self._show_gaps(found, column, name)
        elif picture is Picture.FROC:
            self.side.show_froc(found.table, name)
        elif picture is Picture.TAIL:
            self.side.show_tail(found.table, column, name)
        else:
            self.side.show_sure(found.table, found.reliability, name)

    def _show_gaps(self, found: Scored, column: Column | None, name: str | None) -> None:
        """One column of each task, under the selected one, which is asked for when it is not among them."""
        known = {gap.column for gap in (*found.gaps, *self._more_gaps)}
        if column is not None and column not in known and column[1] != TAGGED:
            self.gaps.want((found, column))
        own = [g for g in self._more_gaps if g.column == column]
        self.side.show_gaps((*own, *found.gaps), name)

    def _on_gaps(self, wish: GapWish, gaps: tuple[GapRow, ...]) -> None:
        if wish == (self._scored, self.grid.current_column()) and gaps:
            self._more_gaps = gaps
            if self.side.picture() is Picture.GAP:
                self.side.show_gaps((*gaps, *wish[0].gaps), self.grid.current_name())

    def _show_picture(self, picture: Picture) -> None:
        self.side.show_picture(picture)
        self._show_plot()

    def _go_to_set(self, name: str) -> None:
        """A mark that is chosen leads to its row."""
        self.grid.go_to_set(name)
        self._take_keyboard()

    def _sort_current(self) -> None:
        column = self.grid.current_column()
        if column is not None:
            self._sort(column)

    def _sort(self, column: Column) -> None:
        """Falling, then rising, then as it was."""
        if self._wish.sort is None or self._wish.sort[1:] != column[1:]:
            self._wish = replace(self._wish, sort=column, rising=False)
        elif not self._wish.rising:
            self._wish = replace(self._wish, rising=True)
        else:
            self._wish = replace(self._wish, sort=None, rising=False)
        self._show_grid()

    def _toggle_more(self) -> None:
        self._wish = replace(self._wish, more=not self._wish.more)
        self._show_choices()
        self._show_grid()

    def _toggle_published(self) -> None:
        self._wish = replace(self._wish, published=not self._wish.published)
        self._show_choices()
        self._show_grid()

    def _mark_current(self) -> None:
        name = self.grid.current_name()
        if name is not None:
            self._mark(name)

    def _mark(self, name: str) -> None:
        """Mark a row, or take the mark away; of three the oldest goes."""
        if self._scored is None:
            return
        if name not in {head.name for head in self._scored.table.heads}:
            self._messages.info(ONLY_SETS)
            return
        if name in self._marked:
            self._marked = tuple(n for n in self._marked if n != name)
        else:
            self._marked = (*self._marked, name)[-2:]
        self.grid.show_marked(self._marked)
        self._ask_difference()

    def _ask_difference(self) -> None:
        column = self.grid.current_column()
        if len(self._marked) < 2 or self._scored is None or column is None or column[1] == TAGGED:
            self.pairs.forget()
            self.side.difference.show_marked(self._marked)
            return
        self.pairs.want((self._scored, *self._marked, column))

    def _on_difference(self, wish: PairWish, found: Difference) -> None:
        """What came late is not shown: the marks, the column or the table are others by now."""
        if wish == (self._scored, *self._marked, self.grid.current_column()):
            self.side.difference.show_difference(found)

    def _judge(self) -> None:
        if self._scored is not None and self._scored.table.undecided_pairs:
            self.judge_wanted.emit()

    def _export(self) -> None:
        if self._scored is not None:
            self.exports.ask_folder(self._scored.table)

    def _save(self) -> None:
        if self._scored is not None:
            self.exports.ask_file(self._scored.table)

    def _toggle_keyboard(self) -> None:
        if self.side.plot().hasFocus():
            self._take_keyboard()
        else:
            self.side.take_keyboard()

    def _take_keyboard(self) -> None:
        self.grid.setFocus(Qt.FocusReason.OtherFocusReason)


def _difference(desk: ScoringDesk, wish: PairWish) -> Difference:
    found, a, b, column = wish
    return desk.difference(found.table, a, b, column)


def _signs() -> list[tuple[str, list[tuple[QWidget, str]]]]:
    signs: list[tuple[QWidget, str]] = [
        (GlyphSign(reader=True), "reader"),
        (GlyphSign(reader=False), "model"),
        (GlyphSign(reader=False, bright=True), "the current row"),
    ]
    return [("Signs", signs)]


def _gaps(desk: ScoringDesk, wish: GapWish) -> tuple[GapRow, ...]:
    found, column = wish
    return desk.gaps(found.table, (column,))
