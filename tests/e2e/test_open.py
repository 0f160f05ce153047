"""The program opens the demo study for the visitor, in a process of its own, as a person starts it."""

import subprocess
import sys
from pathlib import Path

import pytest

from nova_review.bootstrap import HouseServices

SLOW = (
    "typer",
    "rich",
    "pydantic",
    "alembic",
    "pandas",
    "pyarrow",
    "datasets",
    "scipy",
    "shapely",
    "matplotlib",
)

# Looks every 20 ms whether the reading page has come, then closes the window as a person would.
PROGRAM = """
import sys
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication
from nova_review import bootstrap
from nova_review.ui.main_window import MainWindow
from nova_review.ui.pages.read import ReadPage

app = QApplication(sys.argv[:1])
looking = QTimer(interval=20)

def look():
    pages = [p for w in app.topLevelWidgets() if isinstance(w, MainWindow) for p in w.findChildren(ReadPage)]
    if pages and pages[0].isVisible():
        looking.stop()
        pages[0].window().close()

looking.timeout.connect(look)
looking.start()
code = bootstrap.main(sys.argv[1:])
print(code, *sorted(set({slow!r}) & set(sys.modules)))
"""


@pytest.fixture(scope="module")
def demo_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return HouseServices(log_file=None).demo.write(tmp_path_factory.mktemp("demo") / "demo.nova", _go_on)


def _go_on(_done: int, _total: int) -> bool:
    return True


def test_a_visitor_reads_without_waiting_for_what_reading_does_not_need(demo_file: Path) -> None:
    program = PROGRAM.replace("{slow!r}", repr(SLOW))
    command = [sys.executable, "-c", program, "open", str(demo_file), "--reader", "Visitor"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert ran.stdout.split() == ["0"], ran.stdout + ran.stderr
    assert [path.name for path in demo_file.parent.iterdir()] == ["demo.nova"]  # no -wal left beside it
