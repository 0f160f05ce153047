"""The judging page by real keys: words, notes, the way back, faults, and what must not be seen."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from nova_review.domain.errors import NovaReviewError, StorageError
from nova_review.domain.judging import JudgedPair, Judgement
from nova_review.services.judging_content import ShownPair, Which
from nova_review.ui.judging_route import ALSO_READS, JudgingRoute
from nova_review.ui.main_window import MainWindow
from nova_review.ui.pages.judge import NOTE_WAITS, JudgePage
from nova_review.ui.pages.judging.answers import HIDDEN, NO_SUGGESTION, RULES
from nova_review.ui.theme import apply_theme
from nova_review.ui.who_adjudicates import WhoAdjudicates
from nova_review.ui.workers import start_workers
from tests.helpers.all_texts import PaintedTexts, all_texts
from tests.helpers.judging import MemoryStudies, desk_of, model, reading, said, study_of

KEYS = Qt.Key
NONE, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier
SAME, RELATED, DIFFERENT, UNSURE = Judgement
FORBIDDEN = (
    "LEAKMODEL",
    "LEAKFILE",
    "Anna North",
    "R01",
    "R02",
    "ADJ",
    "case0001",
    ".png",
    "History",
    "image-history",
)


def small() -> MemoryStudies:
    """Four pairs, one of them with a synonym."""
    sets = (model("LEAKMODEL", a=("Abscess", "GBM"), c=("Craniopharyngioma",)),)
    return MemoryStudies(study_of("Glioblastoma", "Rathke cleft cyst", reading("case0001", "Lymphoma")), sets)


class JudgeHand:
    """A judge at the window; every key goes to the widget that has the keyboard."""

    def __init__(self, qtbot: Any, folder: Path, studies: MemoryStudies) -> None:
        apply_theme(QApplication.instance())
        self.qtbot, self.studies = qtbot, studies
        self.settings = QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat)
        self.workers = start_workers()
        self.window = MainWindow(self.settings)
        self.window.resize(1280, 800)
        self.left: list[bool] = []
        self.route = JudgingRoute(
            self.window, self.workers, self.settings, self._sit_down, lambda: self.left.append(True)
        )
        self.names: list[str] = []
        self.route.ask()
        self.window.show()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)

    def _sit_down(self, name: str) -> Any:
        self.names.append(name)
        return desk_of(self.studies, name)

    def shown(self) -> QWidget | None:
        return self.window._stack.currentWidget()

    @property
    def page(self) -> JudgePage:
        page = self.shown()
        assert isinstance(page, JudgePage)
        return page

    @property
    def pair(self) -> ShownPair:
        view = self.page.view()
        assert view is not None
        assert view.pair is not None
        return view.pair

    def focus(self) -> QWidget:
        found = QApplication.focusWidget()
        assert found is not None
        return found

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(self.focus(), key, modifier)

    def type(self, text: str) -> None:
        QTest.keyClicks(self.focus(), text)

    def wait(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=5000)

    def settle(self) -> None:
        self.wait(lambda: not self.page.is_busy())

    def answer(self, key: Qt.Key) -> None:
        self.press(key)
        self.settle()

    def sit_down(self, name: str = "Dora Judge") -> "JudgeHand":
        self.type(name)
        self.press(KEYS.Key_Return)
        self.wait(lambda: isinstance(self.shown(), JudgePage))
        self.settle()
        return self

    def words(self) -> list[JudgedPair]:
        return list(self.studies.words.values())

    def close(self) -> None:
        self.window.close()
        self.workers.close()
        self.window.deleteLater()


@pytest.fixture
def open_judge(qtbot: Any, tmp_path: Path) -> Iterator[Callable[..., JudgeHand]]:
    hands: list[JudgeHand] = []

    def open_it(studies: MemoryStudies | None = None) -> JudgeHand:
        hands.append(JudgeHand(qtbot, tmp_path, studies or small()))
        return hands[-1]

    yield open_it
    for hand in hands:
        hand.close()


@pytest.fixture
def hand(open_judge: Callable[..., JudgeHand]) -> JudgeHand:
    return open_judge().sit_down()


@pytest.mark.parametrize(
    ("key", "word"),
    [(KEYS.Key_Y, SAME), (KEYS.Key_R, RELATED), (KEYS.Key_N, DIFFERENT), (KEYS.Key_U, UNSURE)],
)
def test_each_key_gives_its_word_and_the_next_comes(hand: JudgeHand, key: Qt.Key, word: Judgement) -> None:
    first = hand.pair
    hand.answer(key)
    (stored,) = hand.words()
    assert (stored.judgement, stored.judged_by) == (word, "ADJ1")
    assert hand.pair.key != first.key
    assert hand.page.head.progress.text().startswith("3 pairs open of 4")


def test_nothing_is_lit_before_the_judge_has_spoken(hand: JudgeHand) -> None:
    for _ in range(4):
        assert not any(button.isChecked() for button in hand.page.answers.buttons.values())
        hand.answer(KEYS.Key_Y)


def test_all_pairs_by_keys_alone_to_the_empty_page(hand: JudgeHand) -> None:
    for key in (KEYS.Key_Y, KEYS.Key_N, KEYS.Key_R, KEYS.Key_U):
        hand.answer(key)
    assert hand.page.stack.currentWidget() is hand.page.nothing
    assert hand.page.nothing.head.text() == "No pair is open: all 4 are judged. Thank you."
    assert hand.page.head.progress.text() == "0 pairs open of 4 · 1 unsure"
    assert not hand.page.answers.isVisible()
    hand.answer(KEYS.Key_Y)  # there is nothing to judge
    assert len(hand.words()) == 4
    assert sorted(w.judgement for w in hand.words()) == sorted(Judgement)


@pytest.mark.parametrize(("key", "modifier"), [(KEYS.Key_Backspace, NONE), (KEYS.Key_Z, CTRL)])
def test_back_to_the_last_for_another(hand: JudgeHand, key: Qt.Key, modifier: Qt.KeyboardModifier) -> None:
    first = hand.pair
    hand.answer(KEYS.Key_Y)
    second = hand.pair
    hand.press(key, modifier)
    hand.settle()
    assert hand.pair.key == first.key
    assert [w for w, b in hand.page.answers.buttons.items() if b.isChecked()] == [SAME]
    assert hand.page.foot.said.text() == "You said: same."
    hand.answer(KEYS.Key_N)
    assert hand.pair == second
    (stored,) = hand.words()
    assert stored.judgement is DIFFERENT


def test_enter_keeps_the_word_and_stores_a_changed_note(hand: JudgeHand) -> None:
    hand.answer(KEYS.Key_Y)
    second = hand.pair
    hand.answer(KEYS.Key_Backspace)
    hand.answer(KEYS.Key_Return)
    assert hand.pair == second
    assert hand.studies.writes == 1
    hand.answer(KEYS.Key_Backspace)
    hand.press(KEYS.Key_B)
    hand.type("grade")
    hand.press(KEYS.Key_Escape)
    hand.answer(KEYS.Key_Enter)
    (stored,) = hand.words()
    assert (stored.judgement, stored.note) == (SAME, "grade")
    assert hand.pair == second


def test_enter_on_an_open_pair_does_nothing(hand: JudgeHand) -> None:
    first = hand.pair
    hand.answer(KEYS.Key_Return)
    assert (hand.pair, hand.words()) == (first, [])


@pytest.mark.parametrize(("key", "modifier"), [(KEYS.Key_Escape, NONE), (KEYS.Key_Return, CTRL)])
def test_in_the_note_every_key_is_text(hand: JudgeHand, key: Qt.Key, modifier: Qt.KeyboardModifier) -> None:
    first = hand.pair
    hand.press(KEYS.Key_B)
    hand.type("any yes run bus fs")
    assert hand.page.foot.note.typed_text() == "any yes run bus fs"
    hand.press(KEYS.Key_Backspace)
    assert (hand.pair, hand.words()) == (first, [])
    hand.press(key, modifier)
    hand.answer(KEYS.Key_R)
    (stored,) = hand.words()
    assert (stored.judgement, stored.note) == (RELATED, "any yes run bus f")
    assert hand.page.foot.note.typed_text() == ""


def test_esc_leaves_and_warns_once_of_a_note_without_an_answer(hand: JudgeHand) -> None:
    hand.press(KEYS.Key_B)
    hand.type("wait")
    hand.press(KEYS.Key_Escape)
    assert hand.left == []
    hand.press(KEYS.Key_Escape)
    assert hand.left == []
    assert hand.window.messages.standing()[0].text == NOTE_WAITS
    hand.press(KEYS.Key_Escape)
    assert hand.left == [True]


def test_esc_leaves_at_once_where_nothing_waits(hand: JudgeHand) -> None:
    hand.answer(KEYS.Key_Y)
    hand.press(KEYS.Key_Escape)
    assert hand.left == [True]


def test_a_note_waits_with_its_pair(hand: JudgeHand) -> None:
    hand.answer(KEYS.Key_Y)
    hand.press(KEYS.Key_B)
    hand.type("look up")
    hand.press(KEYS.Key_Escape)
    hand.answer(KEYS.Key_Backspace)
    assert hand.page.foot.note.typed_text() == ""
    hand.answer(KEYS.Key_Return)
    assert hand.page.foot.note.typed_text() == "look up"


def test_a_key_held_down_judges_one_pair_only(hand: JudgeHand) -> None:
    hand.answer(KEYS.Key_Y)
    for _ in range(5):
        held = QKeyEvent(QEvent.Type.KeyPress, KEYS.Key_Y, NONE, "y", True)
        QApplication.sendEvent(hand.focus(), held)
        hand.settle()
    assert len(hand.words()) == 1


def test_a_key_pressed_while_a_word_is_stored_falls_on_no_unseen_pair(hand: JudgeHand) -> None:
    hand.press(KEYS.Key_Y)
    assert hand.page.is_busy()
    hand.press(KEYS.Key_N)
    hand.settle()
    assert [w.judgement for w in hand.words()] == [SAME]


def test_what_cannot_be_stored_is_said_and_the_pair_stays_with_its_note(hand: JudgeHand) -> None:
    first = hand.pair
    hand.studies.fault = StorageError("The disk is full. Make room, then answer again.")
    hand.press(KEYS.Key_B)
    hand.type("n1")
    hand.press(KEYS.Key_Escape)
    hand.answer(KEYS.Key_Y)
    assert "disk is full" in hand.window.messages.standing()[0].text
    assert (hand.pair, hand.words(), hand.page.foot.note.typed_text()) == (first, [], "n1")
    hand.answer(KEYS.Key_Y)
    assert hand.window.messages.standing() == ()
    assert [w.note for w in hand.words()] == ["n1"]


def test_f_goes_through_the_choices_of_pairs(hand: JudgeHand) -> None:
    hand.answer(KEYS.Key_U)
    seen = []
    for _ in Which:
        hand.answer(KEYS.Key_F)
        view = hand.page.view()
        assert view is not None
        seen.append((view.which, view.progress.waiting))
    # Lymphoma, the reader's first, beside the model's abscess and GBM: two pairs between readers alone.
    # Undecided are those and the data set's, less the synonym and the one that was called unsure.
    waiting = dict(seen)
    order = [Which.READERS, Which.UNDECIDED, Which.DISAGREED, Which.UNSURE, Which.DATA_SET]
    assert [which for which, _ in seen] == order
    assert (waiting[Which.READERS], waiting[Which.DATA_SET]) == (2, 3)
    assert (waiting[Which.UNSURE], waiting[Which.DISAGREED]) == (1, 0)
    assert waiting[Which.UNDECIDED] in (4, 5)


def test_suggestions_stand_quietly_and_s_hides_them_for_good(
    hand: JudgeHand, open_judge: Callable[..., JudgeHand]
) -> None:
    texts = []
    for _ in range(4):
        texts.append(hand.page.foot.suggestion.text())
        hand.answer(KEYS.Key_N)
    told = [text for text in texts if text != NO_SUGGESTION]
    assert told == ["Suggested: same - both are names of Glioblastoma."]
    hand.answer(KEYS.Key_Backspace)
    hand.press(KEYS.Key_S)
    assert hand.page.foot.suggestion.text() == HIDDEN
    again = open_judge().sit_down()
    assert again.page.foot.suggestion.text() == HIDDEN
    again.press(KEYS.Key_S)
    assert again.page.foot.suggestion.text() != HIDDEN


def test_nothing_moves_from_pair_to_pair(hand: JudgeHand) -> None:
    parts = (
        hand.page.pair.left,
        hand.page.pair.right,
        *hand.page.answers.buttons.values(),
        hand.page.foot.note,
    )
    places = []
    for _ in range(4):
        hand.page.grab()
        places.append([part.mapTo(hand.page, part.rect().center()).toTuple() for part in parts])
        hand.answer(KEYS.Key_Y)
    assert places[1:] == places[:1] * 3


def test_the_choices_of_pairs_by_mouse(hand: JudgeHand) -> None:
    chips = {chip.text(): chip for chip in hand.page.head.chips.findChildren(QPushButton)}
    for words, which in (
        ("readers", Which.READERS),
        ("readers", Which.READERS),
        ("data set", Which.DATA_SET),
    ):
        QTest.mouseClick(chips[words], Qt.MouseButton.LeftButton)
        hand.settle()
        view = hand.page.view()
        assert view is not None
        assert view.which is which
        assert [name for name, chip in chips.items() if chip.isChecked()] == [words]


def test_the_rules_are_on_the_page(hand: JudgeHand) -> None:
    assert hand.page.question.rules.text() == RULES
    assert RULES.count("\n") == 1
    assert hand.page.question.rules.isVisible()


def test_by_mouse_the_keys_stay_with_the_answers(hand: JudgeHand) -> None:
    hand.press(KEYS.Key_B)
    hand.type("n")
    QTest.mouseClick(hand.page.answers.buttons[RELATED], Qt.MouseButton.LeftButton)
    hand.settle()
    hand.answer(KEYS.Key_Y)
    assert [(w.judgement, w.note) for w in hand.words()] == [(RELATED, "n"), (SAME, "")]


def test_tab_reaches_every_control_and_letters_still_answer(hand: JudgeHand) -> None:
    reached = set()
    for _ in range(30):
        hand.press(KEYS.Key_Tab)
        reached.add(hand.focus())
    buttons = {*hand.page.answers.buttons.values(), hand.page.foot.toggle, hand.page.head.back}
    assert buttons <= reached
    hand.page.answers.buttons[SAME].setFocus()
    hand.answer(KEYS.Key_N)
    assert [w.judgement for w in hand.words()] == [DIFFERENT]


def test_nothing_tells_set_reader_rank_case_or_file(open_judge: Callable[..., JudgeHand]) -> None:
    studies = small()
    studies.add(
        said("Glioblastoma", "Abscess", SAME, "ADJ8"), said("Glioblastoma", "Abscess", DIFFERENT, "ADJ9")
    )
    hand = open_judge(studies).sit_down("Zoe Quill")
    found: list[tuple[str, str]] = []
    f = KEYS.Key_F
    for key in (KEYS.Key_Y, KEYS.Key_Backspace, f, KEYS.Key_R, f, f, KEYS.Key_N, f, f):
        with PaintedTexts() as painted:
            hand.page.grab()
        found += [*all_texts(), *painted.texts]
        hand.answer(key)
    assert any("Glioblastoma" in text for _, text in found)
    leaks = [(where, text) for where, text in found for word in FORBIDDEN if word in text]
    assert leaks == []


def test_who_judges_is_asked_and_refused_in_words(open_judge: Callable[..., JudgeHand]) -> None:
    hand = open_judge()
    asking = hand.shown()
    assert isinstance(asking, WhoAdjudicates)
    assert asking.accessibleName() == "Who judges?"
    hand.type("R01")
    hand.press(KEYS.Key_Return)
    hand.wait(lambda: "Codes are given by the study" in asking._refusal.text())
    asking.name_field().clear()
    hand.sit_down()
    assert hand.names == ["R01", "Dora Judge"]


def test_enter_twice_is_one_judge(open_judge: Callable[..., JudgeHand]) -> None:
    hand = open_judge()
    hand.type("Dora Judge")
    hand.press(KEYS.Key_Return)
    hand.press(KEYS.Key_Return)
    hand.wait(lambda: isinstance(hand.shown(), JudgePage))
    hand.settle()
    assert hand.names == ["Dora Judge"]


def test_a_reader_may_judge_and_is_told_under_which_code(open_judge: Callable[..., JudgeHand]) -> None:
    hand = open_judge().sit_down("Anna North")
    assert hand.window.messages.standing()[0].text == ALSO_READS
    hand.answer(KEYS.Key_Y)
    assert [w.judged_by for w in hand.words()] == ["R02"]


def test_nobody_has_to_say_a_name(open_judge: Callable[..., JudgeHand]) -> None:
    hand = open_judge()
    hand.press(KEYS.Key_Escape)
    assert hand.left == [True]


def test_without_pairs_the_page_says_what_to_do(open_judge: Callable[..., JudgeHand]) -> None:
    hand = open_judge(MemoryStudies(study_of("Glioblastoma", None))).sit_down()
    assert hand.page.nothing.head.text() == "No pair is open."
    assert "Add predictions" in hand.page.nothing.more.text()


def test_a_fault_while_pairs_are_read_is_said(open_judge: Callable[..., JudgeHand], monkeypatch: Any) -> None:
    hand = open_judge().sit_down()

    def fail(_file: Path) -> tuple[JudgedPair, ...]:
        raise NovaReviewError("The study was moved.")

    monkeypatch.setattr(hand.studies, "judged_pairs", fail)
    hand.answer(KEYS.Key_F)
    assert hand.window.messages.standing()[0].text == "The study was moved."


def test_a_very_long_answer_is_cut_with_all_of_it_in_the_tooltip(
    open_judge: Callable[..., JudgeHand],
) -> None:
    long = "Long " + "answer " * 300
    hand = open_judge(MemoryStudies(study_of("Glioblastoma", None), (model("M", a=(long,)),))).sit_down()
    labels = (hand.page.pair.left, hand.page.pair.right)
    cut, whole = sorted(labels, key=lambda label: -len(label.text()))
    assert cut.text().endswith(" ...")
    assert cut.toolTip() == long.strip()
    assert (whole.text(), whole.toolTip()) == ("Glioblastoma", "")
    assert cut.font() == whole.font()
    # What is shown has room: the card is at least as high as its text at this width.
    hand.wait(lambda: cut.heightForWidth(cut.width()) <= cut.height())


def test_what_looks_like_html_is_shown_as_it_stands(open_judge: Callable[..., JudgeHand]) -> None:
    hand = open_judge(
        MemoryStudies(study_of("Glioma <b>", None), (model("M", a=("<i>Cyst</i> ",)),))
    ).sit_down()
    assert {hand.page.pair.left.text(), hand.page.pair.right.text()} == {"Glioma <b>", "<i>Cyst</i>"}
    assert hand.page.pair.left.textFormat() is Qt.TextFormat.PlainText


@pytest.mark.parametrize("scale", [1.0, 1.5, 1.75])
def test_in_large_text_the_page_still_fits_its_window(
    open_judge: Callable[..., JudgeHand], scale: float
) -> None:
    hand = open_judge()
    apply_theme(QApplication.instance(), scale=scale)
    try:
        hand.sit_down()
        assert hand.window.height() <= 800
        assert hand.page.minimumSizeHint().width() <= 1280
        chips = hand.page.head.chips.findChildren(QPushButton)
        assert len({chip.y() for chip in chips}) == 1
        assert all(chip.geometry().right() < hand.page.head.chips.width() for chip in chips)
    finally:
        apply_theme(QApplication.instance())
