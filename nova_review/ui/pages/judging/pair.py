"""Two diagnoses side by side, large and alike, and what stands there when none is left."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from nova_review.services.judging_content import JudgingView, ShownPair, Which
from nova_review.ui.theme import LINE, RAISED, SECOND_TEXT, TEXT, TEXT_LARGE, TEXT_NORMAL, font_of
from nova_review.ui.widgets.measure import px, text_scale
from nova_review.ui.widgets.plain_tip import plain_tip

SIZES = ((90, 26), (300, TEXT_LARGE))
"""Up to so many letters of the longer diagnosis both stand in this size; then in the normal one."""
LEAST = 120
"""Height of an empty frame."""
MOST = 700
"""Letters of a diagnosis that are shown; the tooltip has the rest."""


class PairView(QWidget):
    """The two diagnoses of a pair. Neither side says which of them is the data set's."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Pair")
        self.left, self.right = _Diagnosis("One diagnosis"), _Diagnosis("Other diagnosis")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(px(16))
        row.addWidget(self.left, 1)
        row.addWidget(self.right, 1)

    def show_pair(self, pair: ShownPair) -> None:
        """Show two diagnoses."""
        longest = max(len(pair.left), len(pair.right))
        size = next((size for most, size in SIZES if longest <= most), TEXT_NORMAL)
        self.left.show_name(pair.left, size)
        self.right.show_name(pair.right, size)


class _Diagnosis(QLabel):
    """One diagnosis in a quiet frame."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._name = name
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setContentsMargins(px(24), px(20), px(24), px(20))
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)
        self.setStyleSheet(f"color: {TEXT};")

    def show_name(self, name: str, size: int) -> None:
        self.setFont(font_of(size, scale=text_scale()))
        self.setText(name if len(name) <= MOST else f"{name[:MOST].rstrip()} ...")
        self.setToolTip(plain_tip(name) if len(name) > MOST else "")
        self.setAccessibleName(f"{self._name}: {name}")

    def minimumSizeHint(self) -> QSize:
        """As high as the text is at this width: none of it is clipped."""
        return QSize(px(200), max(px(LEAST), self.heightForWidth(max(self.width(), px(200)))))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(LINE), 1))
        painter.setBrush(QColor(RAISED))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), px(8), px(8))
        painter.end()
        super().paintEvent(event)


class NothingLeft(QWidget):
    """Says that no pair is open, and what to do next."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("No pair is open")
        self.head, self.more = _line(TEXT), _line(SECOND_TEXT)
        self.head.setFont(font_of(TEXT_LARGE, scale=text_scale(), strong=True))
        column = QVBoxLayout(self)
        column.setSpacing(px(12))
        column.addStretch(2)
        column.addWidget(self.head)
        column.addWidget(self.more)
        column.addStretch(3)

    def show_view(self, view: JudgingView) -> None:
        """Say why nothing is left of what the judge has chosen."""
        head, more = empty_words(view)
        self.head.setText(head)
        self.more.setText(more)


def empty_words(view: JudgingView) -> tuple[str, str]:
    """Return the sentence of an empty page, and what to do next."""
    progress = view.progress
    if not progress.total and view.which is Which.DATA_SET:
        more = (
            "Every listed diagnosis is spelled as the data set's, or no list is there yet. Add predictions, "
        )
        return "No pair is open.", more + "or close the study when its readers have submitted."
    if progress.total and view.which in (Which.DATA_SET, Which.READERS):
        return f"No pair is open: all {progress.total} are judged. Thank you.", "F shows other pairs."
    what = {
        Which.READERS: "No pair is open: readers listed nothing that spelling does not decide.",
        Which.UNDECIDED: "No pair is open that nobody has decided.",
        Which.DISAGREED: "No pair is open on which two judges disagree.",
        Which.UNSURE: "No pair is left that you were unsure of.",
    }
    return what[view.which], "F shows other pairs."


def _line(colour: str) -> QLabel:
    label = QLabel()
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setWordWrap(True)
    label.setAlignment(Qt.AlignmentFlag.AlignCenter)
    label.setStyleSheet(f"color: {colour};")
    return label
