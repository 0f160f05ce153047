"""Pictures that cannot be shown: a sentence without a file name, and a slice that can still be answered."""

import hashlib
import os
from dataclasses import replace
from pathlib import Path

import pytest

from nova_review.domain.dataset import ImageState
from nova_review.domain.errors import FormatError, UserError
from nova_review.domain.reading import Outcome, SliceAnswer
from nova_review.services.ports import Place
from nova_review.services.reading_records import ImageRow
from nova_review.services.readings import Desk
from tests.helpers.desks import make_memory_store, open_memory_desk, places_of
from tests.helpers.memory_reading_store import MemoryReadingStore

CONTENT = b"48 48 1 1"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "LEAK-name.png"
    path.write_bytes(CONTENT)
    return path


@pytest.fixture
def store(file: Path) -> MemoryReadingStore:
    """One slice whose picture is referenced, not embedded."""
    store = make_memory_store(cases=1)
    sha256 = hashlib.sha256(CONTENT).hexdigest()
    store.study.images = {"slice-1-1": ImageRow(ImageState.USABLE, 48, 48, sha256, False, file)}
    store.study.pictures = {}
    return store


@pytest.fixture
def desk(store: MemoryReadingStore) -> Desk:
    return open_memory_desk(store)


@pytest.fixture
def place(desk: Desk) -> Place:
    return places_of(desk.worklist().entries[0])[0]


def refused(desk: Desk, place: Place) -> str:
    """The sentence of both doors, which must be the same and name no file."""
    problem = desk.open_slice(place).image_problem
    with pytest.raises(UserError) as error:
        desk.picture(place.slice_id)
    assert str(error.value) == problem
    assert "LEAK" not in problem
    assert problem.startswith("The picture of case 1 of 1 - slice 1 of 1 ")
    return problem


def test_a_picture_as_it_was(desk: Desk, place: Place) -> None:
    assert desk.open_slice(place).image_problem == ""
    assert desk.picture(place.slice_id).width == 48


def test_a_file_that_is_gone(desk: Desk, place: Place, file: Path) -> None:
    file.unlink()
    assert "cannot be read where it was" in refused(desk, place)


def test_a_pipe_in_its_place_is_not_waited_for(desk: Desk, place: Place, file: Path) -> None:
    file.unlink()
    os.mkfifo(file)
    assert "cannot be read where it was" in refused(desk, place)


@pytest.mark.parametrize("first_look", [True, False])
def test_a_file_that_changed(desk: Desk, place: Place, file: Path, first_look: bool) -> None:
    if first_look:
        desk.open_slice(place)
    file.write_bytes(b"48 48 2 2 ")
    assert "is not the one that the study was made with" in refused(desk, place)


def test_back_in_its_place_it_is_shown_again(desk: Desk, place: Place, file: Path) -> None:
    file.unlink()
    refused(desk, place)
    file.write_bytes(CONTENT)
    assert desk.open_slice(place).image_problem == ""


@pytest.mark.parametrize(
    ("state", "words"),
    [
        (ImageState.MISSING, "is not in the data set"),
        (ImageState.DAMAGED, "is damaged"),
        (ImageState.REFUSED, "was refused"),
    ],
)
def test_what_the_study_knew_when_it_was_made(
    store: MemoryReadingStore, desk: Desk, place: Place, state: ImageState, words: str
) -> None:
    row = store.study.images["slice-1-1"]
    store.study.images = {"slice-1-1": replace(row, state=state)}
    assert words in refused(desk, place)


def test_no_path_and_no_row_at_all(store: MemoryReadingStore, desk: Desk, place: Place) -> None:
    store.study.images = {"slice-1-1": replace(store.study.images["slice-1-1"], path=None)}
    assert "is not in the data set" in refused(desk, place)
    store.study.images = {}
    assert "is not in the data set" in refused(desk, place)


def test_a_picture_that_cannot_be_decoded_is_named_by_its_place(
    store: MemoryReadingStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = []

    def broken(source: bytes | Path, *, name: str) -> None:
        names.append(name)
        raise FormatError(f"{name} is cut off.")

    monkeypatch.setattr("tests.helpers.desks.decode_grey", broken)
    desk = open_memory_desk(store)
    with pytest.raises(FormatError, match="case 1 of 1 - slice 1 of 1 is cut off"):
        desk.picture("slice-1-1")
    assert names == ["the picture of case 1 of 1 - slice 1 of 1"]


def test_the_slice_can_be_answered_all_the_same(desk: Desk, place: Place, file: Path) -> None:
    file.unlink()
    answer = SliceAnswer(outcome=Outcome.CANNOT_READ, cannot_read_reason="no picture")
    assert desk.open_slice(place).may_edit
    assert desk.lock_slice(place, answer, revision=0).version == 1
