"""A reading of a file as a card: its words, what is odd about it, and slices with its boxes."""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from nova_review.services.prediction_candidates import Candidate
from nova_review.services.prediction_content import SlicePlace
from nova_review.ui.pages.adding.example import paint_example
from nova_review.ui.pages.adding.pictures import ExamplePictures
from nova_review.ui.pages.adding.words import boxes_words, reading_words, short_words
from nova_review.ui.theme import SECOND_TEXT, TEXT, WARNING
from nova_review.ui.widgets.card import paint_ground
from nova_review.ui.widgets.key_button import key_cap_width, paint_key_cap
from nova_review.ui.widgets.measure import normal_font, px, small_font

_PAD, _GAP, _HEAD, _NAME = 12, 8, 26, 18
_MIDDLE = Qt.AlignmentFlag.AlignVCenter


class ReadingCard(QAbstractButton):
    """One reading; checked while it is the chosen one. A card without a key cannot be chosen."""

    def __init__(
        self,
        reading: Candidate,
        places: Sequence[SlicePlace],
        pictures: ExamplePictures,
        *,
        key: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.reading = reading
        self._places, self._pictures, self._key = tuple(places), pictures, key
        self._side, self._head_lines = px(150), 1
        self.setText(reading_words(reading))
        self.setAccessibleName(f"{reading_words(reading)}, {boxes_words(reading)}")
        self.setAccessibleDescription(f"Key {key}" if key else "")
        self.setToolTip(f"{short_words(reading)}: {boxes_words(reading)}")
        self.setCheckable(bool(key))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if key else Qt.FocusPolicy.NoFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        if key:
            self.setCursor(Qt.CursorShape.PointingHandCursor)

    def fits_one_line(self, width: int) -> bool:
        """Whether the reading and what is odd about it have room beside each other."""
        words = QFontMetrics(normal_font(strong=True)).horizontalAdvance(self.text())
        said = QFontMetrics(small_font()).horizontalAdvance(boxes_words(self.reading))
        return words + said + key_cap_width(self._key) + 2 * px(_PAD) + px(26) <= width

    def set_look(self, side: int, head_lines: int) -> None:
        """Give each slice this many pixels, and the words one or two lines."""
        if (side, head_lines) != (self._side, self._head_lines):
            self._side, self._head_lines = side, head_lines
            self.updateGeometry()
            self.update()

    @staticmethod
    def height_without_pictures(head_lines: int) -> int:
        return 2 * px(_PAD) + _head_height(head_lines) + px(_NAME) + px(4)

    @staticmethod
    def side_for(width: int, count: int) -> int:
        """Return the side at which `count` slices fill a card of this width."""
        return (width - 2 * px(_PAD) - (count - 1) * px(_GAP)) // max(count, 1)

    def sizeHint(self) -> QSize:
        pictures = self._side + px(_NAME) + px(4) if self._places else 0
        return QSize(px(320), 2 * px(_PAD) + _head_height(self._head_lines) + pictures)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
        else:
            event.ignore()  # digits, arrows and Enter are the page's

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        paint_ground(painter, self)
        self._paint_head(painter)
        top = px(_PAD) + _head_height(self._head_lines) + px(4)
        for number, place in enumerate(self._places):
            left = px(_PAD) + number * (self._side + px(_GAP))
            frame = QRectF(left, top, self._side, self._side)
            boxes = self.reading.examples[number]
            image, problem = self._pictures.image(place), self._pictures.problem(place)
            paint_example(painter, frame, place, boxes, image=image, problem=problem)
            self._paint_name(painter, frame, place)

    def _paint_head(self, painter: QPainter) -> None:
        head = self.rect().adjusted(px(_PAD), px(_PAD), -px(_PAD), 0)
        head.setHeight(px(_HEAD))
        left = head
        if self._key:
            cap = head.adjusted(0, 0, 0, 0)
            cap.setWidth(key_cap_width(self._key))
            paint_key_cap(painter, cap, self._key, TEXT if self.isChecked() else SECOND_TEXT)
            left = head.adjusted(cap.width() + px(10), 0, 0, 0)
        said = self._paint_said(painter, left)
        font = normal_font(strong=True)
        room = left.width() - said
        words = QFontMetrics(font).elidedText(self.text(), Qt.TextElideMode.ElideRight, room)
        painter.setFont(font)
        painter.setPen(QColor(TEXT))
        painter.drawText(left, int(Qt.AlignmentFlag.AlignLeft | _MIDDLE), words)

    def _paint_said(self, painter: QPainter, head: QRect) -> int:
        """Say what is odd at the right end, or in a line of its own; return the room that it takes."""
        said, metrics = boxes_words(self.reading), QFontMetrics(small_font())
        odd = not self.reading.is_possible or self.reading.tiny
        painter.setFont(small_font())
        painter.setPen(QColor(WARNING if odd else SECOND_TEXT))
        if self._head_lines == 1:
            painter.drawText(head, int(Qt.AlignmentFlag.AlignRight | _MIDDLE), said)
            return metrics.horizontalAdvance(said) + px(14)
        below = head.translated(0, head.height())
        below.setHeight(px(_NAME))
        shown = metrics.elidedText(said, Qt.TextElideMode.ElideRight, below.width())
        painter.drawText(below, int(Qt.AlignmentFlag.AlignLeft | _MIDDLE), shown)
        return 0

    def _paint_name(self, painter: QPainter, frame: QRectF, place: SlicePlace) -> None:
        line = QRectF(frame.left(), frame.bottom() + px(2), frame.width(), px(_NAME))
        painter.setFont(small_font())
        painter.setPen(QColor(SECOND_TEXT))
        name = painter.fontMetrics().elidedText(
            place.file_name, Qt.TextElideMode.ElideLeft, int(line.width())
        )
        painter.drawText(line, int(Qt.AlignmentFlag.AlignLeft | _MIDDLE), name)


def _head_height(lines: int) -> int:
    return px(_HEAD) + (lines - 1) * px(_NAME)
