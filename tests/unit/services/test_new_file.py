"""Of two programs that make the same file, one is told that it is there."""

import errno
import os
from pathlib import Path

import pytest

from nova_review.domain.errors import StorageError
from nova_review.services.new_file import move_to_new
from nova_review.storage.staging import staged


@pytest.fixture
def half(tmp_path: Path) -> Path:
    (tmp_path / "half").write_text("mine")
    return tmp_path / "half"


@pytest.fixture(params=["links", "no links"])
def _links(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    if request.param == "no links":
        monkeypatch.setattr(os, "link", refused)


@pytest.mark.usefixtures("_links")
def test_a_file_takes_its_new_name(half: Path) -> None:
    move_to_new(half, half.with_name("study"))
    assert os.listdir(half.parent) == ["study"]
    assert half.with_name("study").read_text() == "mine"


@pytest.mark.usefixtures("_links")
@pytest.mark.parametrize("kind", ["file", "folder", "link to nowhere"])
def test_what_is_there_stays(half: Path, kind: str) -> None:
    there = half.with_name("study")
    if kind == "file":
        there.write_text("theirs")
    elif kind == "folder":
        there.mkdir()
    else:
        there.symlink_to("nowhere")
    with pytest.raises(FileExistsError):
        move_to_new(half, there)
    assert half.read_text() == "mine"
    assert kind != "file" or there.read_text() == "theirs"


def test_another_failure_is_told_as_it_is(half: Path) -> None:
    with pytest.raises(FileNotFoundError):
        move_to_new(half, half.parent / "no folder" / "study")
    assert half.exists()


def test_a_study_that_came_there_while_this_one_was_built_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "s.nova"

    def build() -> None:
        with staged(file) as built:
            built.write_text("mine")
            file.write_text("theirs")

    with pytest.raises(StorageError, match="exists already"):
        build()
    assert file.read_text() == "theirs"
    assert os.listdir(tmp_path) == ["s.nova"]
