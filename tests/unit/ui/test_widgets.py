"""The small building blocks, driven by real events."""

import itertools
from collections.abc import Callable

import pytest
from PySide6.QtCore import QMimeData, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QImage, QKeySequence, QPainter, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from nova_review.domain.reading import SliceMark
from nova_review.ui.widgets.chip_row import ChipRow
from nova_review.ui.widgets.confidence_dots import ConfidenceDots, filled_dots, percent
from nova_review.ui.widgets.flow_layout import FlowLayout
from nova_review.ui.widgets.key_button import KeyButton
from nova_review.ui.widgets.labels import ElidedText, broken_lines
from nova_review.ui.widgets.reading_text import ReadingText
from nova_review.ui.widgets.state_shapes import paint_slice_mark
from nova_review.ui.widgets.text_fields import LONGEST_TEXT, LineField, TextField
from nova_review.ui.widgets.word_field import WordField

STEPS = (0.1, 0.3, 0.5, 0.7, 0.9)
LEFT = Qt.MouseButton.LeftButton
CONTROL = Qt.KeyboardModifier.ControlModifier


class Ground(QWidget):
    """A window with parts under one another, and a button that can have the keyboard."""

    heard = Signal(str)

    def __init__(self, *parts: QWidget) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        self.first = QPushButton("first")
        for part in (self.first, *parts):
            column.addWidget(part)


@pytest.fixture
def show(qtbot: QtBot) -> Callable[..., Ground]:
    kept: list[Ground] = []

    def shown(*parts: QWidget) -> Ground:
        ground = Ground(*parts)
        qtbot.addWidget(ground)
        kept.append(ground)
        ground.resize(400, 500)
        with qtbot.waitActive(ground):
            ground.show()
        ground.first.setFocus()
        return ground

    return shown


def emitted(signal: Signal) -> list[object]:
    """Everything that the signal says from now on."""
    values: list[object] = []
    signal.connect(values.append)
    return values


# Lines of chips


def test_flow_takes_more_lines_in_less_width(show: Callable[..., Ground]) -> None:
    ground = QWidget()
    flow = FlowLayout(ground, gap=4)
    show(ground)
    for _ in range(4):
        part = QWidget(ground)
        part.setFixedSize(50, 20)
        flow.addWidget(part)
        part.show()
    assert flow.height_in(4 * 50 + 3 * 4) == 20
    assert flow.height_in(4 * 50 + 3 * 4 - 1) == 20 + 4 + 20
    assert flow.height_in(50) == 4 * 20 + 3 * 4


@pytest.fixture
def planes(show: Callable[..., Ground]) -> ChipRow:
    row = ChipRow("Plane")
    row.set_choices(("axial", "coronal", "sagittal"))
    show(row)
    return row


def test_no_chip_is_preset(planes: ChipRow) -> None:
    assert planes.chosen() == ()
    assert not any(planes.chip(word).isChecked() for word in ("axial", "coronal", "sagittal"))


def test_one_of_several_chips(planes: ChipRow) -> None:
    heard = emitted(planes.chosen_changed)
    for word in ("axial", "coronal", "coronal"):
        QTest.mouseClick(planes.chip(word), LEFT)
    assert heard == [("axial",), ("coronal",), ()]
    assert not planes.chip("axial").isChecked()


def test_several_chips_keep_the_order_of_the_vocabulary(show: Callable[..., Ground]) -> None:
    row = ChipRow("Sequence", several=True)
    row.set_choices(("T1", "T2", "FLAIR"))
    show(row)
    heard = emitted(row.chosen_changed)
    for word in ("FLAIR", "T1", "FLAIR"):
        QTest.mouseClick(row.chip(word), LEFT)
    assert heard == [("FLAIR",), ("T1", "FLAIR"), ("T1",)]


def test_showing_chips_tells_nothing(planes: ChipRow) -> None:
    heard = emitted(planes.chosen_changed)
    planes.show_chosen(("axial",))
    planes.show_chosen(())
    assert heard == []


def test_a_word_that_is_no_choice_gets_a_chip_while_it_is_chosen(planes: ChipRow) -> None:
    planes.show_chosen(("oblique",))
    assert planes.chip("oblique").isChecked()
    planes.show_chosen(())
    assert planes.chip("oblique").isHidden()


def test_a_click_on_a_chip_leaves_the_keyboard_but_ends_typing(show: Callable[..., Ground]) -> None:
    row, field = ChipRow("Plane"), LineField("Words")
    row.set_choices(("axial",))
    ground = show(row, field)
    QTest.mouseClick(row.chip("axial"), LEFT)
    assert QApplication.focusWidget() is ground.first
    field.setFocus()
    QTest.mouseClick(row.chip("axial"), LEFT)
    assert not field.hasFocus()


def test_chips_by_keyboard(planes: ChipRow) -> None:
    heard = emitted(planes.chosen_changed)
    QTest.keyClick(planes.window().first, Qt.Key.Key_Tab)  # type: ignore[attr-defined]
    assert planes.chip("axial").hasFocus()
    QTest.keyClick(planes.chip("axial"), Qt.Key.Key_Down)
    QTest.keyClick(planes.chip("coronal"), Qt.Key.Key_Space)
    assert heard == [("coronal",)]
    QTest.keyClick(planes.chip("coronal"), Qt.Key.Key_Tab)
    assert not any(planes.chip(word).hasFocus() for word in ("axial", "coronal", "sagittal"))


def test_choosing_moves_no_neighbour(planes: ChipRow) -> None:
    before = [planes.chip(word).geometry() for word in ("axial", "coronal", "sagittal")]
    QTest.mouseClick(planes.chip("axial"), LEFT)
    QApplication.processEvents()
    assert [planes.chip(word).geometry() for word in ("axial", "coronal", "sagittal")] == before


# Confidence


@pytest.fixture
def dots(show: Callable[..., Ground]) -> ConfidenceDots:
    widget = ConfidenceDots("Confidence")
    widget.set_scale(STEPS, anchor="chance that this is a real lesion")
    show(widget)
    return widget


def test_confidence_is_never_preset(dots: ConfidenceDots) -> None:
    assert dots.value() is None
    assert dots.accessibleName() == "Confidence: not said yet"


def test_confidence_by_click(dots: ConfidenceDots) -> None:
    heard = emitted(dots.value_chosen)
    QTest.mouseClick(dots, LEFT, Qt.KeyboardModifier.NoModifier, dots.dot_centre(4).toPoint())
    assert heard == [0.7]
    assert dots.value() == 0.7


def test_confidence_by_key(dots: ConfidenceDots) -> None:
    heard = emitted(dots.value_chosen)
    dots.setFocus()
    for key in (Qt.Key.Key_2, Qt.Key.Key_6, Qt.Key.Key_Up, Qt.Key.Key_Backspace):
        QTest.keyClick(dots, key)
    assert heard == [0.3, 0.5, None]


def test_showing_a_confidence_tells_nothing(dots: ConfidenceDots) -> None:
    heard = emitted(dots.value_chosen)
    dots.show_value(0.9)
    dots.show_value(None)
    assert heard == []


@pytest.mark.parametrize(
    ("value", "count", "words"),
    [(None, 0, "not said yet"), (0.1, 1, "10"), (0.65, 3, "65"), (0.9, 5, "90"), (0.0, 0, "0")],
)
def test_dots_of_a_confidence(value: float | None, count: int, words: str) -> None:
    assert filled_dots(value, STEPS) == count
    assert percent(value) == words


def test_dots_say_what_is_meant(dots: ConfidenceDots) -> None:
    QTest.mouseMove(dots, dots.dot_centre(4).toPoint())
    assert dots.toolTip() == "70 of 100: chance that this is a real lesion  (key 4)"


# Text


SHORTCUTS = ("A", "D", "1", "W", "Del", "Ctrl+Z", "Left", "PgDown", "Ctrl+D", "Alt+Right")


def shortcuts_of(ground: QWidget) -> list[str]:
    """Bind every key of the reading page; what fires is noted."""
    fired: list[str] = []
    for key in SHORTCUTS:
        shortcut = QShortcut(QKeySequence(key), ground)
        shortcut.activated.connect(lambda key=key: fired.append(key))
    return fired


@pytest.mark.parametrize("make", [TextField, LineField, WordField])
def test_in_a_text_field_every_key_is_text(
    show: Callable[..., Ground], make: Callable[[str], TextField | LineField]
) -> None:
    field = make("Words")
    fired = shortcuts_of(show(field))
    heard = emitted(field.text_typed)
    field.setFocus()
    QTest.keyClicks(field, "a d 1 w")
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Delete, Qt.Key.Key_PageDown):
        QTest.keyClick(field, key)
    assert heard[-1] == "a d 1 "
    QTest.keyClick(field, Qt.Key.Key_Z, CONTROL)
    QTest.keyClick(field, Qt.Key.Key_D, CONTROL)
    QTest.keyClick(field, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert heard[-1] == "a d 1 w"
    assert fired == []


@pytest.mark.parametrize("make", [TextField, LineField, WordField])
def test_ctrl_enter_goes_to_the_window(
    show: Callable[..., Ground], make: Callable[[str], TextField | LineField]
) -> None:
    field = make("Words")
    ground = show(field)
    fired, submitted = [], []
    field.submitted.connect(lambda: submitted.append("field"))
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Return, CONTROL)
    assert submitted == ["field"]
    QShortcut(QKeySequence("Ctrl+Return"), ground).activated.connect(lambda: fired.append("window"))
    QTest.keyClick(field, Qt.Key.Key_Return, CONTROL)
    assert (fired, submitted) == (["window"], ["field"])


@pytest.mark.parametrize("make", [TextField, LineField, WordField])
def test_escape_leaves_a_text_field(
    show: Callable[..., Ground], make: Callable[[str], TextField | LineField]
) -> None:
    field = make("Words")
    show(field)
    left: list[bool] = []
    field.text_left.connect(lambda: left.append(True))
    field.setFocus()
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert not field.hasFocus()
    assert left == [True]


@pytest.mark.parametrize("make", [TextField, LineField, WordField])
def test_showing_text_again_moves_no_cursor_and_tells_nothing(
    show: Callable[..., Ground], make: Callable[[str], TextField | LineField]
) -> None:
    field = make("Words")
    show(field)
    field.setFocus()
    QTest.keyClicks(field, "abcdef")
    for _ in range(2):
        QTest.keyClick(field, Qt.Key.Key_Left)
    heard = emitted(field.text_typed)
    field.show_text("abcdef")
    field.show_text("abcdX")
    field.show_text("abcdef")
    assert heard == []
    QTest.keyClicks(field, "-")
    assert heard == ["abcd-ef"]
    assert field.hasFocus()


def test_text_with_foreign_line_ends_is_shown_and_not_changed(show: Callable[..., Ground]) -> None:
    field = TextField("Words")
    show(field)
    heard = emitted(field.text_typed)
    field.setFocus()
    field.show_text("one\r\ntwo\u00a0three")
    field.moveCursor(field.textCursor().MoveOperation.End)
    field.show_text("one\r\ntwo\u00a0three")
    assert heard == []
    QTest.keyClicks(field, "!")
    assert heard == ["one\ntwo\u00a0three!"]


def test_only_plain_text_is_pasted(show: Callable[..., Ground]) -> None:
    field = TextField("Words")
    show(field)
    heard = emitted(field.text_typed)
    data = QMimeData()
    data.setHtml("<b>bold</b>")
    data.setText("bold\r\n\t=1+1")
    field.insertFromMimeData(data)
    assert heard == ["bold\n\t=1+1"]


def test_text_ends_at_its_longest(show: Callable[..., Ground]) -> None:
    field = TextField("Words")
    show(field)
    heard = emitted(field.text_typed)
    data = QMimeData()
    data.setText("\U0001f9e0" * (LONGEST_TEXT + 7))
    field.insertFromMimeData(data)
    assert heard == ["\U0001f9e0" * LONGEST_TEXT]
    field.moveCursor(field.textCursor().MoveOperation.End)
    field.setFocus()
    QTest.keyClicks(field, "xy")
    assert field.typed_text() == "\U0001f9e0" * LONGEST_TEXT


def test_text_to_read_has_a_measure_of_75_characters(show: Callable[..., Ground]) -> None:
    text = ReadingText("History")
    ground = show(text)
    ground.resize(1600, 500)
    text.show_text("word " * 200)
    QApplication.processEvents()
    measure = QFontMetrics(text.document().defaultFont()).averageCharWidth() * 75
    assert abs(text.viewport().width() - measure) < 30
    assert text.viewport().width() < text.width() - 200
    assert text.toPlainText() == "word " * 200


# Type-ahead


@pytest.fixture
def word(show: Callable[..., Ground]) -> WordField:
    field = WordField("Diagnosis")
    field.set_vocabulary(("lesion", "mass", "glioma of the list"))
    field.set_own_words(("Glioblastoma", "Glioma", "Meningioma"))
    show(field)
    field.setFocus()
    return field


def test_type_ahead_comes_after_three_letters_and_from_own_words_only(word: WordField) -> None:
    QTest.keyClicks(word, "gl")
    assert word.offered_words() == ()
    QTest.keyClicks(word, "i")
    assert word.offered_words() == ("Glioblastoma", "Glioma")
    QTest.keyClick(word, Qt.Key.Key_Backspace)
    assert word.offered_words() == ()


def test_type_ahead_preselects_nothing(word: WordField) -> None:
    heard = emitted(word.text_typed)
    QTest.keyClicks(word, "gli")
    QTest.keyClick(word, Qt.Key.Key_Return)
    assert word.text() == "gli"
    assert heard == ["g", "gl", "gli"]
    assert word.offered_words() == ()


def test_a_word_typed_ahead_is_taken_by_key(word: WordField) -> None:
    heard = emitted(word.text_typed)
    QTest.keyClicks(word, "gli")
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(word, key)
    assert word.text() == "Glioma"
    assert heard[-1] == "Glioma"
    assert word.offered_words() == ()


def test_the_vocabulary_opens_with_down_and_is_taken_by_key(word: WordField) -> None:
    heard = emitted(word.text_typed)
    QTest.keyClick(word, Qt.Key.Key_Down)
    assert word.offered_words() == ("lesion", "mass", "glioma of the list")
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):
        QTest.keyClick(word, key)
    assert heard == ["lesion"]
    assert word.text() == "lesion"


def test_the_vocabulary_opens_with_a_click_on_an_empty_field(word: WordField) -> None:
    QTest.mouseClick(word, LEFT)
    assert word.offered_words() == ("lesion", "mass", "glioma of the list")
    word.hide()
    assert word.offered_words() == ()


def test_a_word_of_the_vocabulary_is_taken_by_click(word: WordField) -> None:
    heard = emitted(word.text_typed)
    QTest.mouseClick(word, LEFT)
    words = word.word_list()
    assert words is not None
    place = words.visualRect(words.model().index(1, 0)).center()
    QTest.mouseClick(words.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, place)
    assert heard == ["mass"]
    assert word.hasFocus()
    assert word.offered_words() == ()


def test_a_list_of_words_closes_when_the_keyboard_goes(word: WordField) -> None:
    word.open_vocabulary()
    QTest.keyClick(word, Qt.Key.Key_Escape)
    assert word.offered_words() == ()
    assert word.hasFocus()
    word.open_vocabulary()
    word.clearFocus()
    assert word.offered_words() == ()


def test_a_field_that_cannot_be_edited_offers_nothing(word: WordField) -> None:
    word.setReadOnly(True)
    word.open_vocabulary()
    assert word.offered_words() == ()


# Labels and buttons


def test_long_text_is_elided_and_whole_in_the_tooltip(show: Callable[..., Ground]) -> None:
    text = ElidedText("short", lines=2)
    show(text)
    assert text.toolTip() == ""
    long = "Entmarkungsherd mit Kontrastmittelaufnahme " * 20
    text.show_text(long, hint="hint")
    assert text.toolTip() == f"{long}\nhint"


def test_figures_have_a_fixed_place(qapp: QApplication) -> None:
    text = ElidedText(widest="W 8888 L 8888")
    width = text.sizeHint().width()
    text.show_text("W 1 L 1")
    assert text.sizeHint().width() == text.minimumSizeHint().width() == width


@pytest.mark.parametrize(
    "text",
    [
        "one two three four",
        "右侧额叶高信号病灶伴水肿",
        "\U0001f9e0\U0001f9e0\U0001f9e0\U0001f9e0",
        "آفة في الفص الجبهي",
    ],
)
def test_broken_lines_lose_no_character(qapp: QApplication, text: str) -> None:
    lines = broken_lines(text, QFont(), 25, 50)
    assert len(lines) > 1
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_a_button_shows_and_names_its_key(show: Callable[..., Ground]) -> None:
    button = KeyButton("Lock findings", "Ctrl+Enter", kind="primary", hint="All is answered.")
    ground = show(button)
    assert button.toolTip() == "Lock findings  (Ctrl+Enter)\nAll is answered."
    assert button.accessibleName() == "Lock findings"
    assert button.accessibleDescription() == "Key Ctrl+Enter"
    QTest.mouseClick(button, LEFT)
    assert QApplication.focusWidget() is ground.first


# States


def mask_of(mark: SliceMark) -> bytes:
    """The shape alone, without colour: which of 16 x 16 pixels are painted."""
    image = QImage(16, 16, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    painter = QPainter(image)
    paint_slice_mark(painter, QRectF(QPointF(0, 0), QPointF(16, 16)), mark)
    painter.end()
    pixels = itertools.product(range(16), range(16))
    return bytes(image.pixelColor(x, y).alpha() > 127 for y, x in pixels)


def test_each_state_has_a_shape_of_its_own(qapp: QApplication) -> None:
    masks = {mark: mask_of(mark) for mark in SliceMark}
    for one, other in itertools.combinations(SliceMark, 2):
        differing = sum(a != b for a, b in zip(masks[one], masks[other], strict=True))
        assert differing >= 12, f"{one} and {other} look alike"
