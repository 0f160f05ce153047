"""The agreement page, by mouse and keys: numbers, marks that lead to slices, slices large, tables."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box
from nova_review.domain.snapshot import SliceReading, StudySnapshot
from nova_review.domain.study import Phase
from nova_review.services.agreement import AgreementResult
from nova_review.services.agreement_desk import AgreementDesk
from nova_review.services.agreement_readings import AgreementRequest
from nova_review.services.reading_records import ImageRow
from nova_review.ui.canvas.items import BoxRole
from nova_review.ui.messages import Messages
from nova_review.ui.pages.agreement import AgreementPage
from nova_review.ui.plots.plot import Plot
from nova_review.ui.theme import apply_theme
from nova_review.ui.workers import start_workers
from tests.helpers.agreements import service_for
from tests.helpers.studies import NAMES, NORTH, PUBLISHED, SOUTH, finding, slice_reading, snapshot

KEYS = Qt.Key
LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
BOX, NEAR, FAR = Box(100, 100, 60, 60), Box(110, 100, 60, 60), Box(300, 300, 40, 40)


def read(reader: object, name: str, *boxes: Box) -> SliceReading:
    findings = tuple(replace(finding(k), box=box) for k, box in enumerate(boxes, start=1))
    return slice_reading(name, findings, reader=reader)


def study(*more: SliceReading, **changes: Any) -> StudySnapshot:
    """Three slices: the boxes meet well (IoU 50/70), nobody found anything, the boxes do not meet."""
    return snapshot(
        slices=[
            read(NORTH, NAMES[0], BOX),
            read(SOUTH, NAMES[0], NEAR),
            read(NORTH, NAMES[1]),
            read(SOUTH, NAMES[1]),
            read(NORTH, NAMES[2], BOX),
            read(SOUTH, NAMES[2], FAR),
            *more,
        ],
        **changes,
    )


@dataclass(frozen=True)
class _Grey:
    width: int = 480
    height: int = 480
    pixels: bytes = b"\x40" * (480 * 480)


@dataclass
class _Pictures:
    """Every slice has a grey picture, except those in `broken`."""

    broken: set[str] = field(default_factory=set)
    asked: list[str] = field(default_factory=list)

    def image(self, slice_id: str) -> tuple[ImageRow | None, bytes | None]:
        self.asked.append(slice_id)
        if slice_id in self.broken:
            return None, None
        from nova_review.domain.dataset import ImageState

        return ImageRow(ImageState.USABLE, 480, 480, None, True, None), b"picture"


def decode(source: object, *, name: str) -> _Grey:
    return _Grey()


class Hand:
    """A person at the page."""

    def __init__(self, qtbot: Any, content: StudySnapshot, *, size: tuple[int, int] = (1280, 760)) -> None:
        self.qtbot = qtbot
        apply_theme(QApplication.instance())
        service, self.study, self.folder = service_for(content)
        self.pictures = _Pictures()
        self.desk = AgreementDesk(Path("study.nova"), service, self.pictures, decode)
        self.workers = start_workers()
        self.messages = Messages()
        self.page = AgreementPage(self.desk, self.workers, self.messages)
        self.page.resize(*size)
        self.left: list[bool] = []
        self.page.left.connect(lambda: self.left.append(True))
        self.page.show()
        self.page.activateWindow()
        qtbot.waitUntil(self.page.isActiveWindow)
        self.page.setFocus()
        self.page.begin()

    def wait(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=10000)

    def wait_shown(self) -> "Hand":
        self.wait(lambda: self.page._view is not None)
        return self

    def strip(self) -> list[str]:
        return [one.key for one in self.page.strip.strip_model().slices()]

    def click(self, plot: Plot, index: int) -> None:
        spot = plot.place_of(index).center().toPoint()
        QTest.mouseClick(plot, LEFT, NONE, spot)

    def key(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = NONE) -> None:
        QTest.keyClick(QApplication.focusWidget() or self.page, key, modifiers)

    def click_slice(self, row: int) -> None:
        strip = self.page.strip
        spot = strip.visualRect(strip.strip_model().index(row)).center()
        QTest.mouseClick(strip.viewport(), LEFT, NONE, spot)

    def large(self) -> str | None:
        shown = self.page.large.shown()
        is_open = self.page.right.currentWidget() is self.page.large
        return shown.key if shown is not None and is_open else None

    def end(self) -> None:
        self.page.end()
        self.page.close()
        self.workers.close()
        QApplication.processEvents()
        self.page.deleteLater()


@pytest.fixture
def open_page(qtbot: Any) -> Iterator[Callable[..., Hand]]:
    hands: list[Hand] = []

    def open_it(content: StudySnapshot | None = None, **changes: Any) -> Hand:
        hands.append(Hand(qtbot, content or study(), **changes))
        return hands[-1]

    yield open_it
    for hand in hands:
        hand.end()


@pytest.fixture
def hand(open_page: Callable[..., Hand]) -> Hand:
    return open_page().wait_shown()


def test_the_primary_endpoint_is_told_with_interval_n_and_how(hand: Hand) -> None:
    words = hand.page.endpoints.headline.accessibleDescription()
    # One match of two boxes each: 2 * 1 / 4.
    assert words.startswith("F1 at IoU 0.5: .500 (")
    assert "n = 2 slices" in words
    assert "resamples of whole cases, seed 1" in words


def test_all_other_endpoints_are_marked_exploratory_and_have_a_definition(hand: Hand) -> None:
    rows = hand.page.endpoints.forest.rows()
    assert all(row.part.endswith("exploratory") for row in rows)
    assert "F1 at IoU 0.5" not in [row.title for row in rows]
    kappa = next(row for row in rows if row.title.startswith("Kappa"))
    assert "doi:10.1177/001316446002000104" in kappa.mark.words


def test_it_says_what_counts_and_what_does_not(open_page: Callable[..., Hand]) -> None:
    hand = open_page(study(read(PUBLISHED, "case0001_009.png", BOX))).wait_shown()
    bar = hand.page.counted
    assert bar.counts.text().startswith("Counted: 3 slices of 2 cases")
    assert bar.leaves.text().startswith("Nothing is left out.")
    assert "Only 2 cases: the intervals are rough" in bar.leaves.text()


def test_slices_stand_worst_first_with_their_readers_boxes(hand: Hand) -> None:
    assert hand.strip()[0] == NAMES[2]
    first = hand.page.strip.strip_model().slices()[0]
    assert [(b.caption, b.role) for b in first.boxes] == [
        ("R01", BoxRole.LAYER_A),
        ("R02", BoxRole.LAYER_B),
    ]
    assert "boxes that do not meet" in first.words


def test_a_click_on_a_bar_shows_its_slices_and_a_shows_all_again(hand: Hand) -> None:
    bars = hand.page.plots.ious
    found = next(k for k, mark in enumerate(bars.marks()) if k and mark.slices)
    hand.click(bars, found)
    assert hand.strip() == [NAMES[0]]
    assert hand.page.strip_head.words.text().startswith("IoU 0.7 to 0.75: 1 pairs")
    assert "1 of 3 slices" in hand.page.strip_head.words.text()
    hand.key(KEYS.Key_A)
    assert len(hand.strip()) == 3
    assert bars.chosen() is None


def test_boxes_without_counterpart_lead_to_their_slices(hand: Hand) -> None:
    bars = hand.page.plots.ious
    hand.click(bars, 0)
    assert bars.marks()[0].words == "2 boxes overlap with no box of the other reader"
    assert hand.strip() == [NAMES[2]]


def test_marks_are_walked_and_chosen_by_keys_and_said_aloud(hand: Hand) -> None:
    bars = hand.page.plots.ious
    bars.setFocus(Qt.FocusReason.TabFocusReason)
    hand.key(KEYS.Key_End)
    assert bars.accessibleDescription().startswith("IoU 0.95 to 1")
    hand.key(KEYS.Key_Home)
    assert bars.accessibleDescription().startswith("2 boxes overlap with no box")
    hand.key(KEYS.Key_Return)
    assert hand.strip() == [NAMES[2]]


@pytest.mark.parametrize("tab", ["Size", "Groups", "Area", "Readers"])
def test_every_view_leads_to_slices(hand: Hand, tab: str) -> None:
    hand.page.plots.open_tab(tab)
    QApplication.processEvents()
    plots = hand.page.plots
    plot = {"Size": plots.sizes, "Groups": plots.groups, "Area": plots.areas, "Readers": plots.pairs}[tab]
    wanted = next(k for k, mark in enumerate(plot.marks()) if mark.slices)
    hand.click(plot, wanted)
    assert set(hand.strip()) == set(plot.marks()[wanted].slices)
    assert plot.chosen() is plot.marks()[wanted]


def test_the_table_of_presence_leads_to_slices(hand: Hand) -> None:
    hand.page.plots.open_tab("Readers")
    QApplication.processEvents()
    cells = hand.page.plots.presence
    assert [mark.slices for mark in cells.marks()] == [(NAMES[2], NAMES[0]), (), (), (NAMES[1],)]
    hand.click(cells, 3)
    assert hand.strip() == [NAMES[1]]


def test_only_one_mark_is_chosen_at_a_time(hand: Hand) -> None:
    hand.click(hand.page.plots.ious, 0)
    hand.page.plots.open_tab("Readers")
    QApplication.processEvents()
    hand.click(hand.page.plots.pairs, 0)
    assert hand.page.plots.ious.chosen() is None


def test_a_click_opens_a_slice_large_and_esc_goes_back(hand: Hand) -> None:
    hand.click_slice(0)
    hand.wait(hand.page.large.view.has_image)
    assert hand.large() == NAMES[2]
    assert hand.page.large.legend().words() == "R01: 1 box. R02: 1 box."
    assert hand.page.large.view.picture().width == 480
    hand.key(KEYS.Key_Escape)
    assert (hand.large(), hand.left) == (None, [])
    hand.key(KEYS.Key_Escape)
    assert hand.left == [True]


def test_in_the_large_slice_nothing_can_be_drawn_or_moved(hand: Hand) -> None:
    hand.click_slice(0)
    view = hand.page.large.view
    hand.wait(view.has_image)
    before = view._scene.boxes
    drawn: list[object] = []
    view.box_drawn.connect(drawn.append)
    QTest.mousePress(view, LEFT, NONE, QPoint(60, 60))
    QTest.mouseMove(view, QPoint(200, 200))
    QTest.mouseRelease(view, LEFT, NONE, QPoint(200, 200))
    assert (drawn, view._scene.boxes) == ([], before)


def test_page_keys_step_through_the_strip(hand: Hand) -> None:
    hand.click_slice(0)
    order = hand.strip()
    hand.key(KEYS.Key_PageDown)
    assert hand.large() == order[1]
    hand.key(KEYS.Key_PageUp)
    hand.key(KEYS.Key_PageUp)
    assert hand.large() == order[0]


def test_a_picture_that_cannot_be_shown_says_why_and_the_boxes_are_there(
    open_page: Callable[..., Hand],
) -> None:
    hand = open_page().wait_shown()
    hand.pictures.broken = {f"demo-{NAMES[2]}"}
    hand.click_slice(0)
    hand.wait(hand.page.large.view.has_image)
    assert "is not in the data set" in hand.page.large.legend().words()
    assert len(hand.page.large.view._scene.boxes) == 2


def test_another_threshold_changes_what_stands_behind_the_numbers(open_page: Callable[..., Hand]) -> None:
    third = Box(128, 100, 60, 60)  # IoU 32/88 = .36: a match at .3 only
    content = snapshot(slices=[read(NORTH, NAMES[0], BOX), read(SOUTH, NAMES[0], third)])
    hand = open_page(content).wait_shown()
    assert hand.page.plots.areas.marks() == ()
    assert hand.page._view is not None
    assert hand.page._view.threshold == 0.5
    hand.page.head.chips.chip("0.3").click()
    hand.wait(lambda: hand.page._view is not None and hand.page._view.threshold == 0.3)
    assert hand.page.head.chips.chosen() == ("0.3",)
    assert len(hand.page.plots.areas.marks()) == 1
    hand.page.head.chips.chip("0.3").click()  # one of them always holds
    assert hand.page.head.chips.chosen() == ("0.3",)


def test_the_table_behind_the_plot_opens_and_its_rows_lead_to_slices(hand: Hand) -> None:
    hand.key(KEYS.Key_T)
    grid = hand.page.plots.grid
    assert grid.isVisible()
    assert grid.table().columns == ("slice", "reader_a", "reader_b", "iou")
    grid.setFocus()
    grid.setCurrentIndex(grid.model().index(0, 0))
    hand.key(KEYS.Key_Return)
    assert hand.large() == NAMES[0]


def test_the_table_of_findings_is_sorted_by_a_click_on_its_head(hand: Hand) -> None:
    hand.page.plots.open_tab("Findings")
    QApplication.processEvents()
    grid = hand.page.plots.grid
    header = grid.horizontalHeader()
    spot = QPoint(header.sectionViewportPosition(2) + 8, header.height() // 2)
    QTest.mouseClick(header.viewport(), LEFT, NONE, spot)
    assert grid.model().index(0, 2).data() == "yes"
    assert grid.table().columns[-2:] == ("R01", "R02")


def test_a_table_is_saved_as_it_is_shown(hand: Hand, tmp_path: Path) -> None:
    hand.page.plots.open_tab("Findings")
    file = tmp_path / "findings.csv"
    hand.page.save_table(hand.page.plots.table(), file)
    hand.wait(lambda: any("findings.csv" in m.text for m in hand.messages.standing()))
    assert file.read_bytes().startswith(b"slice,case,used,why,iou,R01,R02")


def test_a_table_that_cannot_be_saved_says_so(hand: Hand, tmp_path: Path) -> None:
    hand.page.save_table(hand.page.plots.table(), tmp_path / "nowhere" / "t.csv")
    hand.wait(hand.messages.standing)
    assert "cannot be written" in hand.messages.standing()[0].text


def test_everything_is_exported_by_one_act(hand: Hand) -> None:
    hand.page.export_to(Path("agreement"))
    hand.wait(lambda: "agreement.json" in hand.folder.files)
    hand.wait(hand.messages.standing)
    assert "files are in agreement" in hand.messages.standing()[0].text


def test_f5_measures_what_has_changed_since(hand: Hand) -> None:
    kept = tuple(r for r in study().slice_readings if r.file_name != NAMES[2])
    hand.study.content = replace(study(), slice_readings=kept)
    before = hand.page.result()
    hand.key(KEYS.Key_F5)
    hand.wait(lambda: hand.page.result() is not before)
    assert hand.page.endpoints.headline.accessibleDescription().startswith("F1 at IoU 0.5: 1.000")


def test_before_the_lock_the_desk_refuses_and_nothing_is_shown(open_page: Callable[..., Hand]) -> None:
    hand = open_page(study(phase=Phase.READING))
    hand.wait(hand.messages.standing)
    assert "opens after the database lock" in hand.messages.standing()[0].text
    assert hand.page.result() is None
    assert hand.strip() == []
    assert hand.pictures.asked == []
    assert hand.study.noted == []


def test_no_name_of_a_study_reader_stands_anywhere(hand: Hand) -> None:
    texts = [hand.page.endpoints.headline.accessibleDescription()]
    for plot in hand.page.plots._plots:
        texts += [mark.words for mark in plot.marks()]
    texts += [one.words for one in hand.page.strip.strip_model().slices()]
    for number in range(hand.page.plots.bar.count()):
        hand.page.plots.bar.setCurrentIndex(number)
        texts.append(str(hand.page.plots.table()))
    assert not [text for text in texts if "Anna" in text or "North" in text or "Ben" in text]


@pytest.mark.parametrize(
    "content",
    [
        snapshot(),
        snapshot(slices=[read(NORTH, NAMES[0], BOX)]),
        snapshot(slices=[read(NORTH, NAMES[0]), read(SOUTH, NAMES[0])]),
        snapshot(slices=[read(NORTH, NAMES[0], BOX), read(SOUTH, NAMES[0], FAR)]),
    ],
    ids=["nobody", "one reader", "no finding", "boxes that do not meet"],
)
def test_next_to_nothing_is_shown_with_reasons(
    open_page: Callable[..., Hand], content: StudySnapshot
) -> None:
    hand = open_page(content).wait_shown()
    for number in range(hand.page.plots.bar.count()):
        hand.page.plots.bar.setCurrentIndex(number)
        QApplication.processEvents()
    assert not hand.messages.standing()
    words = hand.page.endpoints.headline.accessibleDescription()
    assert "undefined" in words or "(" in words


def test_many_readers_have_codes_and_colours_of_their_slice(open_page: Callable[..., Hand]) -> None:
    from nova_review.domain.study import Reader, ReaderKind

    crowd = [Reader(f"id{k}", f"w{k:03d}", f"R{k:02d}", ReaderKind.DATA_SET) for k in range(20)]
    content = replace(
        snapshot(slices=[read(reader, NAMES[k % 3], BOX) for k, reader in enumerate(crowd)]),
        readers=tuple(crowd),
    )
    hand = open_page(content).wait_shown()
    slices = hand.page.strip.strip_model().slices()
    assert all(len(one.layers) >= 6 for one in slices)
    assert all(one.layers[0].role is BoxRole.LAYER_A for one in slices)
    assert hand.page.plots.pairs.marks()


def test_the_page_is_painted_at_large_text_in_a_small_window(
    qtbot: Any, open_page: Callable[..., Hand]
) -> None:
    hand = open_page(size=(1024, 640)).wait_shown()
    image = QImage(hand.page.size(), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    hand.page.render(painter, QPoint(0, 0))
    painter.end()
    assert not image.isNull()


def test_a_measure_that_fails_says_why_and_the_page_stays(open_page: Callable[..., Hand]) -> None:
    hand = open_page().wait_shown()

    def refuse(request: AgreementRequest) -> AgreementResult:
        raise UserError("The file is gone.")

    hand.page._desk.measure = refuse  # type: ignore[method-assign]
    hand.key(KEYS.Key_F5)
    hand.wait(hand.messages.standing)
    assert hand.messages.standing()[0].text == "The file is gone."
    assert len(hand.strip()) == 3


def test_small_pictures_come_for_what_is_in_sight(hand: Hand) -> None:
    hand.wait(lambda: all(hand.page.pictures.small(name) is not None for name in NAMES))
    assert isinstance(hand.page.pictures.small(NAMES[0]), QImage)


def test_hovering_a_mark_shows_what_it_says(hand: Hand) -> None:
    bars = hand.page.plots.ious
    place = bars.place_of(0).center()
    assert bars.mark_at(QPointF(place)) == 0
    QTest.mouseMove(bars, place.toPoint())
    hand.wait(lambda: bars.is_bright(0))
