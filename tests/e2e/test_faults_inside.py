"""Faults that no other test holds end to end: over a real file, through the window, out in every format."""

import csv
import io
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale, Qt
from PySide6.QtWidgets import QApplication

from nova_review.bootstrap import HouseServices
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Caption, Finding, Outcome, SliceAnswer
from nova_review.services.ports import Place
from nova_review.storage.engine import open_store
from tests.helpers.leaks import desk_at
from tests.helpers.onlooker import SeenSlice
from tests.helpers.program import CommandLine
from tests.helpers.window_reader import CTRL, KEYS, WindowReader

LINE = "=1+1, \"quoted\"; 'single', ünïcode – 你好 שלום 🧠 +2 @x"
AWKWARD = f"{LINE}\r\nsecond\tline\n\n\\N -3 #% {{}} <b>\n" + "long " * 400 + "e\u0301nd \u200fשלום"
AS_STORED = AWKWARD.replace("\r\n", "\n")
FORMATS = ("nova-csv", "nova-parquet", "gaze-lines", "coco")
Opener = Callable[[], WindowReader]


@pytest.fixture
def services() -> HouseServices:
    return HouseServices(log_file=None)


@pytest.fixture
def file(services: HouseServices, repository: Path, tmp_path: Path) -> Path:
    """A study of the demo's pictures for one reader, Anna."""
    data_set = services.read_data_set(repository / "resources" / "demo" / "dataset", _go_on)
    file = tmp_path / "study.nova"
    services.studies.new_study([data_set], file, readers=("Anna",), seed="54", progress=_go_on)
    return file


@pytest.fixture
def sit_down(qtbot: Any, file: Path, services: HouseServices, tmp_path: Path) -> Iterator[Opener]:
    """Opens the window for Anna."""
    opened: list[WindowReader] = []

    def open_it() -> WindowReader:
        opened.append(WindowReader(qtbot, file, "Anna", services=services, folder=tmp_path))
        opened[-1].wait_for(opened[-1].seen.order()[0].slices[0])
        return opened[-1]

    yield open_it
    for reader in opened:
        reader.close()


def test_opening_every_slice_and_leaving_it_changes_no_answer(sit_down: Opener) -> None:
    """Fault 3: not a row, not a version, not a time; only the view log grows."""
    reader = sit_down()
    first = reader.seen.order()[0].slices[0]
    reader.drag((100, 100), (150, 150))
    reader.press(KEYS.Key_4)
    reader.wait(lambda: [f["confidence"] for f in reader.seen.findings(first.id)] == [0.7])
    before = reader.seen.everything()
    for place in reader.seen.order():
        for part in place.slices:
            reader.wait_for(part)
            reader.press(KEYS.Key_Right)
    reader.close()
    assert reader.seen.everything() == before
    assert all(reader.seen.stages_viewed(s.id) == {1} for p in reader.seen.order() for s in p.slices)


def test_awkward_text_goes_from_the_field_into_the_file_and_out_in_every_format(
    sit_down: Opener, file: Path, repository: Path, tmp_path: Path
) -> None:
    """Fault 11: pasted into the caption, rationale and diagnosis; exported and imported under LANG=C."""
    reader = sit_down()
    place = reader.seen.order()[0]
    first, *rest = place.slices
    _answer(reader, first)
    _paste(reader, AWKWARD, key=KEYS.Key_T)
    reader.wait(lambda: reader.seen.answer(first.id).get("caption_text") == AS_STORED)
    reader.press(KEYS.Key_Escape)
    reader.lock(first)
    for part in rest:
        reader.wait_for(part)
        reader.nothing_abnormal()
        reader.lock(part)
    reader.wait_for_case(place)
    _paste(reader, LINE, key=KEYS.Key_T)
    reader.press(KEYS.Key_Tab, KEYS.Key_4, *[KEYS.Key_Tab] * 9)
    _paste(reader, AWKWARD)
    reader.submit(place)
    reader.close()
    stored = reader.seen.case_answer(place.case_id)
    assert (stored["diagnoses"], stored["rationale"]) == ([(LINE, 0.7)], AS_STORED)
    _check_out_and_in_again(CommandLine(tmp_path / "c", **_PLAIN_C), file, repository, tmp_path)


_PLAIN_C = {"LANG": "C", "LC_ALL": "C"}


def _check_out_and_in_again(cli: CommandLine, file: Path, repository: Path, tmp_path: Path) -> None:
    cli.run("study", "close", file, "--reason", "done")
    for name in FORMATS:
        notes = ["--notes"] if name.startswith("nova") else []
        cli.run("export", file, "--format", name, "--out", tmp_path / name, *notes)
    rows = _rows(tmp_path / "nova-csv" / "readings.csv")
    assert "'" + AS_STORED in {row["caption_text"] for row in rows}  # guarded in our own table only
    assert "'" + LINE in {row["diagnosis"] for row in rows}
    fresh, again = tmp_path / "fresh #% 你 e\u0301.nova", tmp_path / "again"
    cli.run("study", "new", repository / "resources" / "demo" / "dataset", fresh)
    assert cli.json("readings", "add", fresh, tmp_path / "nova-csv")["conflicts"] == 0
    cli.run("export", fresh, "--format", "nova-csv", "--out", again, "--notes")
    assert (again / "readings.csv").read_bytes() == (tmp_path / "nova-csv" / "readings.csv").read_bytes()


def test_what_was_changed_elsewhere_meanwhile_is_a_message_and_nothing_is_lost(
    sit_down: Opener, file: Path
) -> None:
    """Fault 13: a second desk on the same file saves first; the person decides, his own stays in hand."""
    reader = sit_down()
    place = reader.seen.order()[0]
    theirs = SliceAnswer((Finding("f" * 36, Box(1, 2, 3, 4), "mass"),), Caption(), Outcome.FINDINGS)
    with closing(open_store(file)) as store:
        desk = desk_at(store, "Anna")
        desk.save_slice(Place(place.id, place.slices[0].id), theirs, revision=0)
        desk.close()
    mine = reader.drag((200, 210), (260, 280))
    reader.wait(lambda: reader.page.session.conflict_words)
    assert any("Changed elsewhere" in m.text for m in reader.program.window.messages.standing())
    assert [f["label"] for f in reader.seen.findings(place.slices[0].id)] == ["mass"]
    reader.press(KEYS.Key_K, with_keys=CTRL)
    reader.wait(lambda: [f["x"] for f in reader.seen.findings(place.slices[0].id)] == [mine[0]])
    reader.wait(lambda: reader.page.session.is_settled)


def test_a_german_desktop_changes_no_number(sit_down: Opener, file: Path, tmp_path: Path) -> None:
    """Fault 14: what is 0.5 stays 0.5, in the file and in what is exported."""
    before = QLocale()
    QLocale.setDefault(QLocale(QLocale.Language.German, QLocale.Country.Germany))
    try:
        assert QLocale().toString(0.5) == "0,5"
        reader = sit_down()
        part = reader.seen.order()[0].slices[0]
        box = reader.drag((100, 100), (150, 150))
        reader.press(KEYS.Key_3)
        reader.wait(lambda: [f["confidence"] for f in reader.seen.findings(part.id)] == [0.5])
        stored = reader.seen.findings(part.id)[0]
        assert (stored["x"], stored["width"]) == (box[0], box[2])
        reader.close()
    finally:
        QLocale.setDefault(before)


def _answer(reader: WindowReader, part: SeenSlice) -> None:
    """A complete answer but for the text of the caption."""
    reader.drag((100, 100), (150, 150))
    reader.press(KEYS.Key_3)
    reader.caption(sequence=KEYS.Key_4, call=KEYS.Key_2)


def _paste(reader: WindowReader, text: str, *, key: Qt.Key | None = None) -> None:
    """Go to a field by a key of the page, if one is given, and paste with Ctrl+V."""
    if key is not None:
        reader.press(key)
    QApplication.clipboard().setText(text)
    reader.press(KEYS.Key_V, with_keys=CTRL)
    QApplication.clipboard().clear()


def _rows(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.read_text(encoding="utf-8"), newline="")))


def _go_on(_done: int, _total: int) -> bool:
    return True
