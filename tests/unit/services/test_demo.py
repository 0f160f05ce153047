"""The demo study is only ever opened as a copy, and a copy is whole."""

from pathlib import Path

import pytest

from nova_review.domain.errors import StorageError, UserError
from nova_review.services import demo


@pytest.fixture
def source(tmp_path: Path) -> Path:
    file = tmp_path / "shipped.nova"
    file.write_bytes(bytes(range(256)) * 10)
    return file


def test_a_copy_is_the_same_bytes(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "new folder" / "demo 医.nova"
    assert demo.write_demo_copy(target, source=source) == target
    assert target.read_bytes() == source.read_bytes()
    assert list(target.parent.iterdir()) == [target]


def test_what_is_there_is_never_overwritten(source: Path, tmp_path: Path) -> None:
    target = tmp_path / "mine.nova"
    target.write_bytes(b"a reading")
    with pytest.raises(UserError, match="is there already"):
        demo.write_demo_copy(target, source=source)
    assert target.read_bytes() == b"a reading"


def test_a_folder_that_cannot_be_written_is_named(source: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="cannot be written"):
        demo.write_demo_copy(tmp_path / "file" / "demo.nova", source=source)


def test_half_a_copy_is_taken_away(tmp_path: Path) -> None:
    with pytest.raises(StorageError):
        demo.write_demo_copy(tmp_path / "out" / "demo.nova", source=tmp_path / "no such file")
    assert list((tmp_path / "out").iterdir()) == []


def test_a_visitor_finds_again_what_he_drew(source: Path, tmp_path: Path) -> None:
    first = demo.demo_to_open(folder=tmp_path / "data", source=source)
    first.write_bytes(b"with a drawing")
    again = demo.demo_to_open(folder=tmp_path / "data", source=source)
    assert again == first
    assert again.read_bytes() == b"with a drawing"
