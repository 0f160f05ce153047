"""A visitor reads the demo study, as its service makes it, in a window without a screen.

The same way as in test_reading_round.py, but quick and everywhere.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from nova_review.bootstrap import HouseServices
from nova_review.services.demo import VISITOR
from nova_review.services.export_content import ExportChoice
from tests.helpers.onlooker import SeenPlace, SeenSlice
from tests.helpers.window_reader import KEYS, WindowReader

TEXT = 'Bright "ring", 4 mm; dünn – 你'


@pytest.fixture
def services() -> HouseServices:
    return HouseServices(log_file=None)


@pytest.fixture
def file(services: HouseServices, tmp_path: Path) -> Path:
    return services.demo.write(tmp_path / "demo.nova", _go_on)


@pytest.fixture
def sit_down(
    qtbot: Any, file: Path, services: HouseServices, tmp_path: Path
) -> Iterator[Callable[[], WindowReader]]:
    """Opens the window on the demo study, as often as asked."""
    visits: list[WindowReader] = []

    def open_it() -> WindowReader:
        visits.append(WindowReader(qtbot, file, VISITOR, services=services, folder=tmp_path))
        return visits[-1]

    yield open_it
    visits[-1].close()


def test_a_visitor_reads_three_cases_of_the_demo_study_and_exports_them(
    sit_down: Callable[[], WindowReader], file: Path, services: HouseServices, tmp_path: Path
) -> None:
    visitor = sit_down()
    first, second, third = visitor.seen.order()[:3]
    _read_case(visitor, first)
    _begin(visitor, second.slices[0])
    visitor.close()
    visitor = sit_down()
    _go_on_with(visitor, second)
    _read_case(visitor, third)
    visitor.close()
    assert visitor.seen.deviations() == []
    choice = ExportChoice(readers=(VISITOR,), notes=True)
    folder = tmp_path / "out"
    services.exporting.export(file, format_name="nova-csv", folder=folder, choice=choice)
    readings = (folder / "readings.csv").read_text(encoding="utf-8")
    assert '"Bright ""ring"", 4 mm; dünn – 你"' in readings
    assert readings.count(",training,") >= len(first.slices) + len(second.slices) + len(third.slices)


def _read_case(visitor: WindowReader, place: SeenPlace) -> None:
    """Findings on the first slice, nothing on the second, the third cannot be read; then the case."""
    for number, part in enumerate(place.slices):
        visitor.wait_for(part)
        assert visitor.seen.revealed(place.case_id) is None
        assert not visitor.says(place.history)
        (_findings, _nothing, _unreadable)[number](visitor, part)
        visitor.lock(part)
    _diagnose(visitor, place)


def _findings(visitor: WindowReader, part: SeenSlice) -> None:
    boxes = [visitor.drag((100, 120), (180, 200))]
    visitor.press(KEYS.Key_L, KEYS.Key_2, KEYS.Key_O, KEYS.Key_1, KEYS.Key_S, KEYS.Key_1, KEYS.Key_4)
    boxes.append(visitor.drag((300, 300), (360, 340)))
    visitor.press(KEYS.Key_2)
    visitor.caption(sequence=KEYS.Key_4, call=KEYS.Key_2)
    visitor.press(KEYS.Key_T)
    visitor.type(TEXT)
    visitor.press(KEYS.Key_Escape)
    visitor.wait(lambda: visitor.seen.answer(part.id).get("caption_text") == TEXT)
    findings = visitor.seen.findings(part.id)
    drawn = [tuple(f[c] for c in ("x", "y", "width", "height")) for f in findings]
    assert drawn == [pytest.approx(box, abs=1e-9) for box in boxes]
    assert (findings[0]["label"], findings[0]["place"]) == ("mass", "frontal")
    assert [f["confidence"] for f in findings] == [0.7, 0.3]


def _nothing(visitor: WindowReader, _part: SeenSlice) -> None:
    visitor.nothing_abnormal()


def _unreadable(visitor: WindowReader, _part: SeenSlice) -> None:
    visitor.press(KEYS.Key_U, KEYS.Key_1)


def _diagnose(visitor: WindowReader, place: SeenPlace) -> None:
    visitor.wait_for_case(place)
    assert visitor.says(place.history)
    visitor.press(KEYS.Key_T)
    visitor.type("Meningioma")
    visitor.press(KEYS.Key_Tab, KEYS.Key_4, KEYS.Key_Tab)
    visitor.type("Abscess")
    visitor.press(KEYS.Key_Tab, KEYS.Key_1)
    visitor.submit(place)
    ranked = visitor.seen.case_answer(place.case_id)["diagnoses"]
    assert ranked == [("Meningioma", 0.7), ("Abscess", 0.1)]


def _begin(visitor: WindowReader, part: SeenSlice) -> None:
    visitor.wait_for(part)
    visitor.drag((200, 200), (260, 280))
    visitor.press(KEYS.Key_5)


def _go_on_with(visitor: WindowReader, place: SeenPlace) -> None:
    """The window opens on the slice where it was closed, with the box and its confidence."""
    part = place.slices[0]
    visitor.wait_for(part)
    (finding,) = visitor.seen.findings(part.id)
    assert finding["confidence"] == 0.9
    assert visitor.page.session.answer is not None
    assert len(visitor.page.session.answer.findings) == 1
    visitor.caption(sequence=KEYS.Key_3, call=KEYS.Key_2)
    visitor.lock(part)
    for later in place.slices[1:]:
        visitor.wait_for(later)
        _nothing(visitor, later)
        visitor.lock(later)
    _diagnose(visitor, place)


def _go_on(_done: int, _total: int) -> bool:
    return True
