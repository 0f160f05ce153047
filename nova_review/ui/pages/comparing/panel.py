"""One panel of the compare page: a head, the slice with the boxes of one set, the texts under it."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPaintEvent, QTextOption
from PySide6.QtWidgets import QFrame, QHBoxLayout, QSizePolicy, QTextEdit, QVBoxLayout, QWidget

from nova_review.ui.canvas.compare_view import CompareView
from nova_review.ui.canvas.items import CanvasImage
from nova_review.ui.canvas.render import Picture
from nova_review.ui.pages.comparing.contents import PanelContent, texts_html, texts_words
from nova_review.ui.theme import ACCENT, PANEL, SECOND_TEXT, TEXT
from nova_review.ui.widgets.labels import ElidedText
from nova_review.ui.widgets.measure import px, small_font

HEAD, TEXTS = 26, 96
"""Heights at 100% text: they never change, so that pictures keep their size from slice to slice."""


class ComparePanel(QWidget):
    """Shows one set on the slice; `view` takes zoom, pan and window."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = CompareView()
        self.texts = PanelTexts()
        self._title = ElidedText(strong=True, keeps_end=True)
        self._count = ElidedText(colour=SECOND_TEXT, small=True, align=Qt.AlignmentFlag.AlignRight)
        self._content: PanelContent | None = None
        self._number = ""
        head = QHBoxLayout()
        head.setContentsMargins(px(8), 0, px(8), 0)
        head.setSpacing(px(8))
        head.addWidget(self._title, 2)
        head.addWidget(self._count, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        self._head = _Ground(head)
        column.addWidget(self._head)
        column.addWidget(self.view, 1)
        column.addWidget(self.texts)

    def content(self) -> PanelContent | None:
        """Return what is shown."""
        return self._content

    def show_number(self, number: str) -> None:
        """Say by which key the panel is chosen, "" for none."""
        self._number = number
        self._show_title()

    def show_image(self, image: CanvasImage, picture: Picture) -> None:
        """Show another slice as zoom and window are now, fitted if it was fitted; boxes follow."""
        state = self.view.view_state() if self.view.has_image() else None
        same_size = state is not None and self.view.picture().size == image.size
        self.view.show_image(image, view=state if same_size else None, picture=picture)

    def show_content(self, content: PanelContent, *, role_note: str = "") -> None:
        """Show the boxes and texts of a set; the picture stays."""
        self._content = content
        self._show_title()
        self._count.show_text(role_note or content.count)
        self.view.show_findings(content.boxes, None)
        self.view.setAccessibleName(f"{content.title}: {content.count}" if content.count else content.title)
        self.texts.show_content(content)

    def show_texts(self, *, visible: bool) -> None:
        """Give the room of the texts to the picture, or take it back."""
        self.texts.setVisible(visible)

    def _show_title(self) -> None:
        title = self._content.title if self._content else ""
        self._title.show_text(f"{self._number}  {title}" if self._number else title)


class PanelTexts(QTextEdit):
    """Caption and diagnoses of a set; scrolls where they are long."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: PanelContent | None = None
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFixedHeight(px(TEXTS))
        self.setStyleSheet(f"QTextEdit {{ background: {PANEL}; border: none; padding: 0; color: {TEXT}; }}")
        self.document().setDocumentMargin(px(6))
        self.document().setDefaultFont(small_font())
        self.document().setUndoRedoEnabled(False)

    def show_content(self, content: PanelContent) -> None:
        """Show the texts of a panel from their beginning."""
        if self._shown is not None and _texts_of(self._shown) == _texts_of(content):
            return
        self._shown = content
        self.setHtml(texts_html(content))
        self.setAccessibleName(f"{content.title}: {texts_words(content)}")
        self.verticalScrollBar().setValue(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not event.modifiers():
            super().keyPressEvent(event)
        else:
            event.ignore()  # all other keys are the page's


def _texts_of(content: PanelContent) -> tuple[object, ...]:
    return (
        content.title,
        content.caption,
        content.caption_note,
        content.diagnoses,
        content.diagnosis_note,
    )


class _Ground(QWidget):
    def __init__(self, layout: QHBoxLayout) -> None:
        super().__init__()
        self.setLayout(layout)
        self.setFixedHeight(px(HEAD))

    def sizeHint(self) -> QSize:
        return QSize(px(200), px(HEAD))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), QColor(PANEL))
        panel = self.parentWidget()
        if isinstance(panel, ComparePanel) and panel.view.hasFocus():
            painter.fillRect(0, 0, self.width(), 2, QColor(ACCENT))
