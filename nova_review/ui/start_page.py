"""The first start: three ways to a study, and who does what in one."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from nova_review.ui.start_forms import OpenForm, PlanForm, StudyPlan
from nova_review.ui.theme import ACCENT, SECOND_TEXT, TEXT_LARGE, font_of
from nova_review.ui.widgets.card import Card
from nova_review.ui.widgets.labels import SectionTitle
from nova_review.ui.widgets.measure import px, small_font, text_scale

WIDTH = 1040
ROLES = (
    ("Coordinator", "Makes the study, holds its file, and closes it when the reading is done."),
    ("Reader", "Marks and describes slices without seeing anybody else's answers."),
    ("Adjudicator", "Settles what readers saw differently; never on a slice he read himself."),
    ("Reviewer", "Looks at where models and readers failed, side by side."),
)


class StartPage(QWidget):
    """Three cards; under them the four roles, or the form of the card that was chosen.

    Signals: `demo_chosen()`, `file_chosen(Path)`, `study_wanted(StudyPlan)`.
    """

    demo_chosen = Signal()
    file_chosen = Signal(object)
    study_wanted = Signal(object)

    def __init__(self, plan: StudyPlan | None = None) -> None:
        super().__init__()
        self.setAccessibleName("First start")
        self._demo = Card(
            "Read the demo study", "Real scans with synthetic lesions. Nothing can go wrong.", "1"
        )
        self._make = Card(
            "Make a study", "From a folder of slices with its tables, for readers you name.", "2"
        )
        self._open = Card("Open a study", "A .nova file that was made here or given to you.", "3")
        self._cards = (self._demo, self._make, self._open)
        self.plan_form, self.open_form = PlanForm(), OpenForm()
        self._below = QStackedWidget()
        self._roles = _roles()
        for part in (self._roles, self.plan_form, self.open_form):
            self._below.addWidget(part)
        self._lay_out()
        self._connect()
        if plan is not None:
            self.plan_form.show_plan(plan)
            self._show_form(self._make, self.plan_form)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        number = event.key() - Qt.Key.Key_1
        focused = next((card for card in self._cards if card.hasFocus()), None)
        if 0 <= number < len(self._cards):
            self._cards[number].click()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and focused is not None:
            focused.click()
        elif event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right) and focused is not None:
            step = 1 if event.key() == Qt.Key.Key_Right else -1
            at = (self._cards.index(focused) + step) % len(self._cards)
            self._cards[at].setFocus(Qt.FocusReason.TabFocusReason)
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        form = self._below.currentWidget()
        if isinstance(form, PlanForm | OpenForm):
            form.focus_first()
        else:
            self._demo.setFocus(Qt.FocusReason.OtherFocusReason)

    def _connect(self) -> None:
        self._demo.clicked.connect(self.demo_chosen)
        self._make.clicked.connect(lambda: self._show_form(self._make, self.plan_form))
        self._open.clicked.connect(lambda: self._show_form(self._open, self.open_form))
        self.plan_form.planned.connect(self.study_wanted)
        self.open_form.chosen.connect(self.file_chosen)
        for form in (self.plan_form, self.open_form):
            form.left.connect(self._show_roles)

    def _show_form(self, card: Card, form: PlanForm | OpenForm) -> None:
        self._light(card)
        self._below.setCurrentWidget(form)
        form.focus_first()

    def _show_roles(self) -> None:
        lit = next((card for card in self._cards if card.isChecked()), self._demo)
        self._light(None)
        self._below.setCurrentWidget(self._roles)
        lit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _light(self, lit: Card | None) -> None:
        for card in self._cards:
            card.setCheckable(card is lit)
            card.setChecked(card is lit)

    def _lay_out(self) -> None:
        cards = QHBoxLayout()
        cards.setSpacing(px(16))
        for card in self._cards:
            cards.addWidget(card)
        middle = QWidget()
        middle.setMaximumWidth(px(WIDTH))
        column = QVBoxLayout(middle)
        column.setContentsMargins(px(32), px(24), px(32), px(24))
        column.setSpacing(px(24))
        column.addStretch(2)
        column.addLayout(_head())
        column.addLayout(cards)
        column.addWidget(self._below)
        column.addStretch(3)
        ground = QWidget()
        row = QHBoxLayout(ground)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(middle, 1000)
        row.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(_scrolling(ground))


def _scrolling(ground: QWidget) -> QScrollArea:
    """Large text in a low window scrolls instead of being cut off."""
    area = QScrollArea()
    area.setAccessibleName("Ways to a study")
    area.setWidget(ground)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.viewport().setAutoFillBackground(False)
    ground.setAutoFillBackground(False)
    return area


def _head() -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(px(4))
    name = QLabel("nova-review")
    name.setFont(small_font(strong=True))
    name.setStyleSheet(f"color: {ACCENT};")
    title = QLabel("What would you like to do?")
    title.setFont(font_of(TEXT_LARGE, scale=text_scale(), strong=True))
    column.addWidget(name)
    column.addWidget(title)
    return column


def _roles() -> QWidget:
    """Who does what, in two columns of two."""
    part = QWidget()
    grid = QGridLayout(part)
    grid.setContentsMargins(0, px(8), 0, 0)
    grid.setHorizontalSpacing(px(48))
    grid.setVerticalSpacing(px(20))
    for number, (role, what) in enumerate(ROLES):
        cell = QVBoxLayout()
        cell.setSpacing(px(2))
        words = QLabel(what)
        words.setWordWrap(True)
        words.setStyleSheet(f"color: {SECOND_TEXT};")
        cell.addWidget(SectionTitle(role))
        cell.addWidget(words)
        grid.addLayout(cell, number // 2, number % 2, Qt.AlignmentFlag.AlignTop)
    for column in (0, 1):
        grid.setColumnStretch(column, 1)
    grid.setRowStretch(2, 1)
    return part
