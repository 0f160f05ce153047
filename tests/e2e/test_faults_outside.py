"""Fault 2 on a real screen: an edit is on disk in all five ways of leaving it, also on a German desktop."""

import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.helpers.onlooker import SeenSlice
from tests.helpers.program import CommandLine
from tests.helpers.round import ReaderAtWork
from tests.helpers.screen import VirtualScreen
from tests.helpers.xdriver import Hands

pytestmark = [pytest.mark.screen, pytest.mark.slow]
GERMAN = {"LANG": "de_DE.UTF-8", "LC_ALL": "de_DE.UTF-8", "LANGUAGE": "de"}


@pytest.fixture
def anna(
    screen: VirtualScreen, hands: Hands, repository: Path, tmp_path: Path, artefacts: Path
) -> Iterator[ReaderAtWork]:
    data_set = repository / "resources" / "demo" / "dataset"
    file = tmp_path / "study.nova"
    CommandLine(tmp_path / "coordinator", **GERMAN).run(
        "study", "new", data_set, file, "--reader", "Anna", "--seed", "54"
    )
    reader = ReaderAtWork(
        screen,
        hands,
        file=file,
        reader="Anna",
        home=tmp_path / "Anna",
        images=data_set / "images",
        more=GERMAN,
    )
    yield reader
    screen.save(artefacts / "last-seen-fault.png")
    reader.process.end()


def test_an_edit_is_on_disk_however_the_slice_is_left(anna: ReaderAtWork) -> None:
    slices = [part for place in anna.seen.order() for part in place.slices]
    ways: tuple[Callable[[], object], ...] = (
        lambda: anna.hands.press("Right"),
        lambda: anna.hands.click(115, _row_of_case(2)),
        lambda: anna.hands.press_each("alt+s", "Return"),
    )
    parts = [slices[0], slices[1], slices[2]]
    for part, leave in zip(parts, ways, strict=True):
        _edit(anna, part)
        leave()
        _wait_stored(anna, part)
    _edit(anna, slices[3])
    anna.quit()
    _check(anna, slices[3])
    anna.start()
    anna.wait_for_slice(slices[3])
    anna.hands.press("Right")
    _edit(anna, slices[4])
    _wait_stored(anna, slices[4])
    anna.process.kill()
    _check(anna, slices[4])
    _check_numbers(anna)


def _row_of_case(number: int) -> int:
    """Where the row of a case stands in the worklist: far enough down for the first ones."""
    return 169 + 32 * (number - 1)


def _edit(reader: ReaderAtWork, part: SeenSlice) -> None:
    reader.wait_for_slice(part)
    reader.draw(part, (0.31, 0.37, 0.47, 0.53))
    reader.hands.press("3")


def _wait_stored(reader: ReaderAtWork, part: SeenSlice) -> None:
    reader.wait_stored(lambda: [f["confidence"] for f in reader.seen.findings(part.id)] == [0.5], "the edit")
    _check(reader, part)


def _check(reader: ReaderAtWork, part: SeenSlice) -> None:
    (finding,), (drawn,) = reader.seen.findings(part.id), reader.drawn[part.id]
    assert finding["confidence"] == 0.5
    assert finding["x"] == pytest.approx(drawn.x, abs=drawn.tolerance)
    assert finding["y"] + finding["height"] == pytest.approx(drawn.bottom, abs=drawn.tolerance)


def _check_numbers(reader: ReaderAtWork) -> None:
    """Coordinates and confidences are numbers in the file, whatever the desktop writes for a point."""
    connection = sqlite3.connect(reader.file)
    kinds = connection.execute("SELECT DISTINCT typeof(x), typeof(height), typeof(confidence) FROM finding")
    assert kinds.fetchall() == [("real", "real", "real")]
    connection.close()
