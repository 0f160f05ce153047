"""File dialogs do not look into files: a process that closes a study's file loses its locks on it."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QFileInfo
from PySide6.QtWidgets import QFileDialog, QListView, QWidget

from nova_review.ui.widgets.file_dialog import FileDialog

LOOK_AND_LEAVE = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("SELECT * FROM a").fetchall()
connection.close()
"""


@pytest.fixture
def dialog(qtbot: Any, qapp: Any, tmp_path: Path) -> Iterator[FileDialog]:
    parent = QWidget()
    qtbot.addWidget(parent)
    made = FileDialog(parent, "A new folder", str(tmp_path))
    yield made
    made.close()


def test_the_desktops_own_dialog_is_not_used(dialog: FileDialog) -> None:
    assert dialog.testOption(QFileDialog.Option.DontUseNativeDialog)


def test_icons_and_kinds_come_from_names_alone(dialog: FileDialog, tmp_path: Path) -> None:
    text, picture = tmp_path / "a.nova", tmp_path / "b.nova"
    text.write_text("words")
    picture.write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 100)
    provider = dialog.iconProvider()
    infos = [QFileInfo(str(path)) for path in (text, picture)]
    assert {provider.type(info) for info in infos} == {"File"}
    assert provider.type(QFileInfo(str(tmp_path))) == "Folder"
    first, second = (provider.icon(info).cacheKey() for info in infos)
    assert first == second != provider.icon(QFileInfo(str(tmp_path))).cacheKey()


def test_a_dialog_over_the_folder_of_an_open_database_keeps_its_locks(
    dialog: FileDialog, tmp_path: Path, qtbot: Any
) -> None:
    """Else another program, closing it, would take itself for the last one and tidy the -wal away."""
    file = tmp_path / "a.nova"
    mine = sqlite3.connect(file, isolation_level=None)
    mine.execute("PRAGMA journal_mode=WAL")
    mine.execute("CREATE TABLE a (b)")
    dialog.open()
    qtbot.waitUntil(lambda: "a.nova" in _listed(dialog))
    dialog.close()
    subprocess.run([sys.executable, "-c", LOOK_AND_LEAVE, str(file)], check=True)
    assert (tmp_path / "a.nova-wal").exists()
    mine.close()


def _listed(dialog: FileDialog) -> list[str]:
    views = dialog.findChildren(QListView, "listView")
    model, root = views[0].model(), views[0].rootIndex()
    return [model.index(row, 0, root).data() for row in range(model.rowCount(root))]
