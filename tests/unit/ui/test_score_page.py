"""The score page by real keys and mouse: table, dialects, order, plots, differences, judging, export."""

from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from nova_review.analysis.dialects.scores import DialectName
from nova_review.domain.errors import NotAllowedError, UserError
from nova_review.services.failure_notes import TagCount
from nova_review.services.score_views import GOLD, OTHERS
from nova_review.ui.messages import Messages
from nova_review.ui.pages.score import ScorePage
from nova_review.ui.pages.scoring.difference import HINT
from nova_review.ui.pages.scoring.grid_model import CELL
from nova_review.ui.pages.scoring.side import Picture
from nova_review.ui.theme import apply_theme
from nova_review.ui.workers import start_workers
from tests.helpers.score_desks import HandScoreDesk

K = Qt.Key
LEFT = Qt.MouseButton.LeftButton
NONE, CTRL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


class Hand:
    """A person at the page."""

    def __init__(self, qtbot: Any, desk: HandScoreDesk, *, waits: bool = True) -> None:
        self.qtbot, self.desk = qtbot, desk
        apply_theme(QApplication.instance())
        self.workers, self.messages = start_workers(), Messages()
        self.page = ScorePage(desk, self.workers, self.messages)
        self.page.resize(1280, 800)
        self.left: list[bool] = []
        self.judged: list[bool] = []
        self.shown: list[bool] = []
        self.page.left.connect(lambda: self.left.append(True))
        self.page.judge_wanted.connect(lambda: self.judged.append(True))
        self.page.shown.connect(lambda: self.shown.append(True))
        self.page.show()
        self.page.activateWindow()
        qtbot.waitUntil(self.page.isActiveWindow)
        self.page.begin()
        if waits:
            self.wait(lambda: self.shown)

    @property
    def grid(self) -> Any:
        return self.page.grid

    def wait(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=10_000)

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.page, key, modifiers)

    def scored_after(self, act: Callable[[], None]) -> None:
        """Do something that scores anew, and wait for the table."""
        before = len(self.shown)
        act()
        self.wait(lambda: len(self.shown) > before)

    def click(self, widget: QWidget, spot: QPoint | None = None) -> None:
        QTest.mouseClick(widget, LEFT, NONE, spot or widget.rect().center())

    def click_head(self, section: int) -> None:
        heads = self.grid.heads
        x = heads.sectionViewportPosition(section) + heads.sectionSize(section) // 2
        self.click(heads.viewport(), QPoint(x, heads.height() // 2))

    def click_name(self, section: int) -> None:
        names = self.grid.names
        y = names.sectionViewportPosition(section) + names.sectionSize(section) // 2
        self.click(names.viewport(), QPoint(60, y))

    def names(self) -> list[str]:
        return [row.name for row in self.grid.grid().rows]

    def metrics(self) -> list[tuple[str, float | str | None]]:
        return [c.column[1:] for c in self.grid.grid().columns]

    def text(self, name: str, metric: str, threshold: float | str | None = None) -> str:
        index = self.index(name, metric, threshold)
        return str(index.data())

    def index(self, name: str, metric: str, threshold: float | str | None = None) -> Any:
        place = self.metrics().index((metric, threshold))
        return self.grid.model().index(self.names().index(name), place)

    def go_to(self, metric: str, threshold: float | str | None = None) -> None:
        """Walk to a column with the arrow keys."""
        self.key(K.Key_Home)
        for _ in range(self.metrics().index((metric, threshold))):
            self.key(K.Key_Right)

    def end(self) -> None:
        self.page.end()
        self.page.close()
        if self.desk.hold is not None:
            self.desk.hold.set()
        self.workers.close()
        QApplication.processEvents()
        self.page.deleteLater()


@pytest.fixture
def open_page(qtbot: Any) -> Iterator[Callable[..., Hand]]:
    hands: list[Hand] = []

    def open_it(*, waits: bool = True, **desk: Any) -> Hand:
        hands.append(Hand(qtbot, HandScoreDesk(**desk), waits=waits))
        return hands[-1]

    yield open_it
    for hand in hands:
        hand.end()


@pytest.fixture
def hand(open_page: Callable[..., Hand]) -> Hand:
    return open_page()


def test_readers_stand_first_and_columns_by_task(hand: Hand) -> None:
    assert hand.names() == ["R01", "R02", "model-a", "model-b"]
    assert [c.group for c in hand.grid.grid().columns] == (
        ["Localisation"] * 5 + ["Caption"] * 2 + ["Diagnosis"] * 2
    )
    # mAP@.5 of R01 by hand is .6, of model-b .7
    assert hand.text("R01", "mAP", 0.5) == ".600"
    assert hand.text("model-b", "mAP", 0.5) == ".700"
    assert hand.text("model-a", "top1") == ".000"  # a true zero is a number


def test_a_cell_says_value_interval_n_and_rules(hand: Hand) -> None:
    index = hand.index("R01", "mAP", 0.5)
    for role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
        words = index.data(role)
        assert "R01, mAP@.5: .600, 95% interval .500 to .700, n 40" in words
        assert "against the other readers, by Nova Review rules" in words
    without = hand.index("R01", "bleu").data(Qt.ItemDataRole.ToolTipRole)
    assert ".100, no interval: no variation in 2 cases, n 40" in without


def test_every_row_prints_its_n_and_what_it_saw(hand: Hand) -> None:
    rows = {row.name: row for row in hand.grid.grid().rows}
    assert rows["R01"].seen == "saw image; case + history"
    assert rows["model-a"].seen == "visible set not stated"
    assert "40 slices, 40 captions, 18 cases" in rows["R01"].tip
    head = hand.grid.model().headerData(0, Qt.Orientation.Vertical, Qt.ItemDataRole.AccessibleTextRole)
    assert head.startswith("R01 (reader)")
    # The n beside the name is that of the current column: 40 slices, 18 cases for diagnoses.
    assert hand.index("R01", "mAP", 0.5).data(CELL).estimate.n == 40
    assert hand.index("R01", "top1").data(CELL).estimate.n == 18


def test_undefined_is_a_word_with_its_reason(hand: Hand) -> None:
    hand.scored_after(lambda: hand.key(K.Key_G))
    assert hand.text("R01", "mAP", 0.5) == "undefined"
    assert "gold contains this reader" in hand.index("R01", "mAP", 0.5).data(Qt.ItemDataRole.ToolTipRole)
    assert hand.text("R01", "clinical_f1") == ".600"


def test_digits_switch_the_dialect_and_the_metric_stays(hand: Hand) -> None:
    hand.go_to("mAP", "50:95")
    hand.scored_after(lambda: hand.key(K.Key_5))
    assert hand.desk.asked[-1].dialects == (DialectName.COCO,)
    assert hand.page.head.dialects.chosen() == ("coco",)
    assert hand.grid.current_column() == (DialectName.COCO, "mAP", "50:95")
    assert "by COCO rules, against the other readers" in hand.page.definition.title.text()
    hand.scored_after(lambda: hand.click(hand.page.head.dialects.chip("gaze")))
    assert hand.desk.asked[-1].dialects == (DialectName.GAZE,)


def test_the_definition_of_the_column_is_written_in_full_with_its_ceiling(hand: Hand) -> None:
    hand.go_to("clinical_f1")
    words = hand.page.definition.words.text()
    assert words == "the whole definition of clinical_f1; ceiling .953: gold scored against itself (n 40)"


def test_sorting_by_key_falls_rises_and_goes_back_with_undefined_last(hand: Hand) -> None:
    hand.scored_after(lambda: hand.key(K.Key_G))
    hand.go_to("mAP", 0.5)
    # Against gold the readers are undefined; model-b has .7, model-a .4.
    hand.key(K.Key_S)
    assert hand.names() == ["model-b", "model-a", "R01", "R02"]
    hand.key(K.Key_Return)
    assert hand.names() == ["model-a", "model-b", "R01", "R02"]
    hand.key(K.Key_S)
    assert hand.names() == ["R01", "R02", "model-a", "model-b"]


def test_a_click_on_a_head_sorts_by_it(hand: Hand) -> None:
    hand.click_head(hand.metrics().index(("mAP", 0.5)))
    # .7, .6, .5, .4
    assert hand.names() == ["model-b", "R01", "R02", "model-a"]


def test_a_click_on_a_cell_selects_it_and_the_definition_follows(hand: Hand) -> None:
    index = hand.index("model-a", "F1", 0.5)
    hand.click(hand.grid.viewport(), hand.grid.visualRect(index).center())
    assert hand.grid.current_name() == "model-a"
    assert hand.page.definition.title.text() == (
        "Localisation: F1@.5, by Nova Review rules, against the other readers"
    )
    assert hand.page.definition.cell.text().startswith("model-a, F1@.5: .400, 95% interval .300 to .500")


def test_a_long_definition_is_broken_in_its_tooltip(hand: Hand) -> None:
    tip = hand.grid.model().headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    assert "the whole definition of mAP" in " ".join(tip.split())
    assert max(len(line) for line in tip.splitlines()) <= 90


def test_published_rows_come_last_and_are_never_subtracted(hand: Hand) -> None:
    hand.key(K.Key_P)
    assert hand.names()[4:] == ["One published reader", "Qwen2.5-VL-72B", "Gemini 2.0 Flash", "GPT-4o"]
    rows = hand.grid.grid().rows[4:]
    assert rows[0].seen == "published, by GAZE rules"
    assert rows[1].seen == "published, by NOVA's rules"
    # formats.md: the human reference .694 at IoU .5, Qwen .245
    assert hand.text("One published reader", "mAP", 0.5) == ".694"
    assert hand.text("Qwen2.5-VL-72B", "mAP", 0.5) == ".245"
    assert "gate" in rows[0].tip
    dots = hand.page.side.dots.rows()
    assert [row.published for row in dots] == [False] * 4 + [True] * 2  # two of them published mAP@.5
    hand.key(K.Key_S)
    assert hand.names()[4] == "One published reader"  # sorted or not, after what was scored here
    hand.click_name(4)
    assert hand.page.marked() == ()
    hand.key(K.Key_P)
    assert len(hand.names()) == 4


def test_more_columns_by_key_and_by_click(hand: Hand) -> None:
    assert ("TP", 0.5) not in hand.metrics()
    hand.key(K.Key_C)
    assert ("TP", 0.5) in hand.metrics()
    assert ("F1", 0.3) in hand.metrics()
    assert hand.text("R02", "TP", 0.5) == "11"  # 10 and its place
    groups = [c.group for c in hand.grid.grid().columns]
    # The desk lists the further columns after all others; here they stand beside those of their task.
    assert groups == ["Localisation"] * 8 + ["Caption"] * 2 + ["Diagnosis"] * 2
    hand.click(hand.page.line.switches.chip("more"))
    assert ("TP", 0.5) not in hand.metrics()


def test_two_marked_rows_are_subtracted(hand: Hand) -> None:
    panel = hand.page.side.difference
    assert panel.words.text() == HINT
    hand.go_to("mAP", 0.5)
    hand.key(K.Key_M)
    assert "Mark another row, and R01" in panel.words.text()
    hand.key(K.Key_Down)
    hand.key(K.Key_Space)
    assert hand.page.marked() == ("R01", "R02")
    hand.wait(lambda: panel.value.text())
    # .6 - .5 = .1, with .1 on either side
    assert panel.title.text() == "R01 minus R02, mAP@.5"
    assert panel.value.text() == "+.100"
    assert panel.test.text() == "95% .000 to .200  ·  n 40  ·  p = .034 (bootstrap over cases)"
    assert panel.words.text() == "Holds for these readers (cases random)."
    hand.key(K.Key_R)
    assert hand.desk.asked_in_window == []  # nothing is computed in the window's thread


def test_the_difference_follows_the_column_and_a_third_mark_takes_the_oldest_place(hand: Hand) -> None:
    hand.click_name(0)
    hand.click_name(2)
    hand.wait(lambda: hand.desk.subtracted)
    hand.go_to("top1")
    hand.wait(lambda: "Top-1" in hand.page.side.difference.title.text())
    # R01 has .2, model-a 0
    assert hand.page.side.difference.value.text() == "+.200"
    hand.click_name(3)
    assert hand.page.marked() == ("model-a", "model-b")
    hand.wait(lambda: hand.page.side.difference.title.text() == "model-a minus model-b, Top-1")
    hand.click_name(3)
    assert hand.page.marked() == ("model-a",)


def test_rows_that_are_not_subtracted_say_why(hand: Hand) -> None:
    hand.click_name(0)
    hand.click_name(2)
    hand.scored_after(lambda: hand.key(K.Key_T))
    assert hand.desk.asked[-1].joint is False
    hand.wait(lambda: "not subtracted" in hand.page.side.difference.words.text())
    assert hand.page.side.difference.value.isHidden()
    hand.scored_after(lambda: hand.key(K.Key_T))
    hand.go_to("mAP", 0.5)
    hand.scored_after(lambda: hand.key(K.Key_G))
    hand.wait(lambda: "gold contains this reader" in hand.page.side.difference.words.text())


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_against_gold_others_or_one_reader(hand: Hand) -> None:
    assert hand.desk.asked[0].against is None
    assert hand.page.line.against.chosen() == (OTHERS,)  # what the desk took by itself is marked
    hand.scored_after(lambda: hand.click(hand.page.line.against.chip(GOLD)))
    assert hand.desk.asked[-1].against == GOLD
    hand.key(K.Key_A)
    menu = hand.page.line.menu
    assert menu is not None
    assert [a.text() for a in menu.actions()] == ["R01", "R02"]
    hand.wait(menu.isVisible)
    QTest.keyClick(menu, K.Key_Down)
    QTest.keyClick(menu, K.Key_Down)
    hand.scored_after(lambda: QTest.keyClick(menu, K.Key_Return))
    assert hand.desk.asked[-1].against == "R02"
    assert hand.page.line.against.chip("a reader").text() == "R02"
    assert "against reader R02" in hand.page.definition.title.text()


def test_while_scoring_the_old_table_stays_and_only_the_newest_wish_follows(hand: Hand) -> None:
    before = len(hand.desk.asked)
    hand.desk.hold = Event()
    hand.key(K.Key_2)
    hand.wait(lambda: len(hand.desk.asked) == before + 1)
    assert hand.page.head.busy.isVisible()
    assert hand.text("R01", "mAP", 0.5) == ".600"  # the table stays
    for key in (K.Key_3, K.Key_4, K.Key_5):
        hand.key(key)
    shown = len(hand.shown)
    hand.desk.hold.set()
    hand.wait(lambda: not hand.page.head.busy.isVisible())
    assert [r.dialects[0] for r in hand.desk.asked[before:]] == [DialectName.GAZE, DialectName.COCO]
    assert len(hand.shown) == shown + 1  # what GAZE's rules gave was never shown
    assert hand.page.head.dialects.chosen() == ("coco",)


def test_a_refused_wish_leaves_the_table_and_its_choices(hand: Hand) -> None:
    hand.desk.refusal = UserError("There is no gold to score against.")
    hand.key(K.Key_G)
    hand.wait(lambda: hand.messages.standing())
    assert hand.messages.standing()[0].text == "There is no gold to score against."
    assert hand.page.line.against.chosen() == (OTHERS,)
    assert hand.text("R01", "mAP", 0.5) == ".600"
    hand.desk.refusal = None
    hand.scored_after(lambda: hand.key(K.Key_F5))
    assert not hand.messages.standing()


def test_before_the_lock_there_is_a_sentence_and_no_number(open_page: Callable[..., Hand]) -> None:
    hand = open_page(waits=False, refusal=NotAllowedError("Scores open after the database lock."))
    hand.wait(lambda: hand.messages.standing())
    assert "database lock" in hand.messages.standing()[0].text
    assert hand.grid.grid().rows == ()
    for key in (K.Key_S, K.Key_M, K.Key_J, K.Key_C, K.Key_P, K.Key_F, K.Key_D, K.Key_R, K.Key_L, K.Key_K):
        hand.key(key)
    hand.key(K.Key_E, CTRL)
    hand.key(K.Key_S, CTRL)
    assert hand.page.exports.dialog is None
    assert not hand.judged
    assert hand.page.side.plot().marks() == ()


def test_undecided_pairs_lead_to_judging(hand: Hand) -> None:
    assert hand.page.head.judge.text() == "Undecided pairs: 37 – judge now"
    hand.key(K.Key_J)
    hand.click(hand.page.head.judge)
    assert hand.judged == [True, True]


def test_with_no_undecided_pair_all_are_judged(open_page: Callable[..., Hand]) -> None:
    hand = open_page(undecided=0)
    assert hand.page.head.judge.isHidden()
    assert hand.page.head.judged.isVisible()
    assert hand.page.head.judged.text() == "All pairs are judged"
    hand.key(K.Key_J)
    assert not hand.judged


def test_rules_without_diagnoses_say_nothing_of_pairs(hand: Hand) -> None:
    hand.scored_after(lambda: hand.key(K.Key_5))  # COCO's rules score boxes alone
    assert hand.page.head.judge.isHidden()
    assert hand.page.head.judged.isHidden()
    hand.key(K.Key_J)
    assert not hand.judged


@pytest.mark.parametrize(
    ("key", "picture"),
    [
        (K.Key_D, Picture.DOTS),
        (K.Key_R, Picture.GAP),
        (K.Key_F, Picture.FROC),
        (K.Key_L, Picture.TAIL),
        (K.Key_K, Picture.SURE),
    ],
)
def test_each_plot_has_a_key_and_marks_that_keys_walk(hand: Hand, key: Qt.Key, picture: Picture) -> None:
    if picture is Picture.TAIL:
        hand.scored_after(lambda: hand.key(K.Key_G))
    hand.key(key)
    side = hand.page.side
    assert side.picture() is picture
    plot = side.plot()
    assert plot.isVisible()
    assert len(plot.marks()) > 1
    hand.key(K.Key_X)
    assert plot.hasFocus()
    first = plot.accessibleDescription()
    hand.key(K.Key_Right)
    assert plot.accessibleDescription() not in ("", first)
    hand.key(K.Key_X)
    assert hand.grid.hasFocus()


def test_the_plot_of_the_column_follows_the_cursor(hand: Hand) -> None:
    hand.go_to("mAP", 0.5)
    assert [row.value for row in hand.page.side.dots.rows()] == [".600", ".500", ".400", ".700"]
    assert [row.strong for row in hand.page.side.dots.rows()] == [True, False, False, False]
    hand.key(K.Key_Down)
    assert [row.strong for row in hand.page.side.dots.rows()] == [False, True, False, False]
    hand.go_to("top1")
    # .2 + .02 for each place, but model-a has 0
    assert [row.value for row in hand.page.side.dots.rows()] == [".200", ".220", ".000", ".260"]


def test_the_gap_says_both_inferences_for_each_task_and_for_the_selected_column(hand: Hand) -> None:
    hand.go_to("mAP", 0.3)
    hand.key(K.Key_R)
    hand.wait(lambda: len(hand.page.side.gap.rows()) == 8)  # 2 models; 3 tasks, and mAP@.3
    parts = list(dict.fromkeys(row.part for row in hand.page.side.gap.rows()))
    assert parts == ["mAP@.3", "mAP@.5", "Clinical F1", "Top-1"]
    assert "Rough: fewer than 5 readers" in hand.page.side.note.text()
    words = hand.page.side.gap.rows()[0].words
    assert "these readers: −.020 to .120" in words
    assert "readers like these: −.200 to .300, p = .400" in words
    assert "rough" in words


def test_the_long_tail_is_shown_against_gold_and_says_so_else(hand: Hand) -> None:
    hand.key(K.Key_L)
    assert "press G" in hand.page.side.note.text()
    hand.scored_after(lambda: hand.key(K.Key_G))
    parts = [row.part for row in hand.page.side.tail.rows()]
    assert parts == ["1 case  ·  n 11"] * 4 + ["2-3 cases  ·  n 7"] * 4


def test_the_mouse_picks_plots_too(hand: Hand) -> None:
    hand.click(hand.page.side.pictures.chip(Picture.FROC.value))
    assert hand.page.side.picture() is Picture.FROC
    first = hand.page.side.froc.marks()[0].words
    assert "sensitivity" in first
    assert "false boxes per slice" in first


def test_a_chosen_mark_leads_to_its_row(hand: Hand) -> None:
    dots = hand.page.side.dots
    hand.click(dots, dots.place_of(3).center().toPoint())
    assert hand.grid.current_name() == "model-b"
    assert hand.grid.hasFocus()
    hand.key(K.Key_F)
    hand.key(K.Key_X)
    hand.key(K.Key_Home)
    hand.key(K.Key_Return)
    assert hand.grid.current_name() == "R01"  # the first curve: the current one is painted last


def test_the_order_outlives_another_dialect(hand: Hand) -> None:
    hand.go_to("mAP", 0.5)
    hand.key(K.Key_S)
    hand.scored_after(lambda: hand.key(K.Key_5))
    assert hand.names() == ["model-b", "R01", "R02", "model-a"]


def test_tagged_failures_are_counted_by_set(open_page: Callable[..., Hand]) -> None:
    tags = (TagCount("model-a", "artefact", 2, 3), TagCount("model-a", "wrong hemisphere", 1, 1))
    hand = open_page(tags=tags)
    assert hand.text("model-a", "tagged") == "4"  # 3 + 1
    assert hand.text("model-b", "tagged") == "0"
    tip = hand.index("model-a", "tagged").data(Qt.ItemDataRole.ToolTipRole)
    assert "artefact 3 (on 2 slices), wrong hemisphere 1 (on 1 slice)" in tip
    rows = {row.name: row for row in hand.grid.grid().rows}
    assert "tagged failures: artefact 3" in rows["model-a"].tip
    hand.go_to("tagged")
    hand.click_name(0)
    hand.click_name(2)
    assert not hand.desk.subtracted  # counts of tags are no score


def test_export_of_everything_and_of_the_table(hand: Hand, tmp_path: Path) -> None:
    hand.key(K.Key_E, CTRL)
    dialog = hand.page.exports.dialog
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "scores"))
    dialog.close()
    hand.wait(lambda: hand.desk.written == [tmp_path / "scores"])
    hand.wait(lambda: "2 files are in scores." in [m.text for m in hand.messages.standing()])
    hand.key(K.Key_S, CTRL)
    saving = hand.page.exports.dialog
    assert saving is not None
    saving.fileSelected.emit(str(tmp_path / "table.tex"))
    saving.close()
    hand.wait(lambda: hand.desk.saved == [tmp_path / "table.tex"])
    assert hand.desk.asked_in_window == []


def test_f1_lists_the_keys_and_esc_closes_it_before_it_leaves(hand: Hand) -> None:
    hand.key(K.Key_F1)
    assert hand.page.help.isVisible()
    hand.key(K.Key_Escape)
    assert not hand.page.help.isVisible()
    assert not hand.left
    hand.key(K.Key_Escape)
    assert hand.left == [True]


def test_twelve_readers_and_ten_models_fit_and_names_stay_in_sight(open_page: Callable[..., Hand]) -> None:
    hand = open_page(readers=12, models=10)
    assert len(hand.names()) == 22
    hand.key(K.Key_End)
    for _ in range(21):
        hand.key(K.Key_Down)
    assert hand.grid.current_name() == "model-j"
    current = hand.grid.visualRect(hand.grid.currentIndex())
    assert hand.grid.viewport().rect().contains(current)  # whole, not clipped
    assert hand.grid.names.width() > 0
    for k in range(len(hand.metrics())):
        assert hand.grid.heads.sectionSize(k) >= hand.grid.heads.width_of(k)


def test_the_page_fits_the_smallest_window(hand: Hand) -> None:
    assert hand.page.width() == 1280
    assert hand.page.height() == 800
    share = hand.grid.width() / hand.page.width()
    assert 0.55 < share < 0.65
    head = hand.page.head
    for button in (head.judge, head.save, head.export, head.back):
        assert button.width() >= button.sizeHint().width()


def test_large_text_fits_the_smallest_window(hand: Hand) -> None:
    apply_theme(QApplication.instance(), scale=1.5)
    try:
        page = ScorePage(hand.desk, hand.workers, Messages())
        page.resize(1280, 800)
        page.show()
        page.begin()
        hand.wait(lambda: page.scored())
        hand.wait(lambda: not page.head.busy.isVisible())
        QApplication.processEvents()
        least = page.minimumSizeHint()
        assert (page.width(), page.height()) == (1280, 800)
        assert least.width() <= 1280
        assert least.height() <= 800
        for button in (page.head.judge, page.head.save, page.head.export, page.head.back):
            assert button.width() >= button.sizeHint().width()
        for row in (page.head.dialects, page.line.against, page.line.switches, page.side.pictures):
            assert row.height() < 2 * row.chip(row.chosen()[0] if row.chosen() else GOLD).height()
        page.end()
        page.close()
        page.deleteLater()
    finally:
        apply_theme(QApplication.instance())
