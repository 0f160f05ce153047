"""An export is whole or not there at all."""

from pathlib import Path

import pytest

from nova_review.domain.errors import StorageError, UserError
from nova_review.formats.exchange import staging
from nova_review.formats.exchange.staging import put_folder
from nova_review.services.export_content import ExportFile

FILES = [ExportFile("a.csv", b"one"), ExportFile("sub/b.csv", b"two")]


def names(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_writes_into_a_new_or_empty_folder(tmp_path: Path) -> None:
    put_folder(tmp_path / "deep" / "out", FILES, overwrite=False)
    assert names(tmp_path / "deep" / "out") == {"a.csv": b"one", "sub/b.csv": b"two"}
    (tmp_path / "empty").mkdir()
    put_folder(tmp_path / "empty", FILES, overwrite=False)
    assert len(names(tmp_path / "empty")) == 2


def test_refuses_a_folder_that_holds_something(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("keep")
    with pytest.raises(UserError, match="not empty"):
        put_folder(tmp_path / "out", FILES, overwrite=False)
    assert names(tmp_path / "out") == {"mine.txt": b"keep"}


def test_overwrite_replaces_ours_and_keeps_the_rest(tmp_path: Path) -> None:
    out = tmp_path / "out"
    put_folder(out, [*FILES, ExportFile("old.csv", b"old")], overwrite=False)
    (out / "mine.txt").write_text("keep")
    put_folder(out, FILES, overwrite=True, replaced=["a.csv", "sub/b.csv", "old.csv"])
    assert names(out) == {"a.csv": b"one", "sub/b.csv": b"two", "mine.txt": b"keep"}
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_failure_half_way_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    put_folder(out, [ExportFile("a.csv", b"before")], overwrite=False)
    written: list[str] = []

    def full(self: Path, data: bytes) -> int:
        if written:
            raise OSError(28, "No space left on device")
        written.append(self.name)
        return 0

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(StorageError, match="No space left on device"):
        put_folder(out, FILES, overwrite=True, replaced=["a.csv"])
    monkeypatch.undo()
    assert names(out) == {"a.csv": b"before"}
    assert [p.name for p in tmp_path.iterdir()] == ["out"]


def test_a_failed_swap_puts_the_old_folder_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "out"
    put_folder(out, [ExportFile("a.csv", b"before")], overwrite=False)
    real = staging.os.replace
    calls: list[int] = []

    def second_fails(a: Path, b: Path) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise OSError(5, "Input/output error")
        real(a, b)

    monkeypatch.setattr(staging.os, "replace", second_fails)
    with pytest.raises(StorageError):
        put_folder(out, FILES, overwrite=True, replaced=["a.csv"])
    assert names(out) == {"a.csv": b"before"}


def test_a_file_in_the_way(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("x")
    with pytest.raises(UserError, match="is a file"):
        put_folder(tmp_path / "out", FILES, overwrite=True)


def test_a_link_to_a_folder_stays_a_link_and_its_folder_is_filled(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    put_folder(tmp_path / "link", [ExportFile("a.txt", b"1")], overwrite=False)
    put_folder(tmp_path / "link", [ExportFile("a.txt", b"2")], overwrite=True, replaced=["a.txt"])
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real" / "a.txt").read_bytes() == b"2"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["link", "real"]
