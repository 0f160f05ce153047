"""The contracts of pyproject.toml hold, and each of them can be broken."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

LAYERS = ("ui", "cli", "storage", "formats", "services", "analysis", "domain")


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    linter = Path(sys.executable).with_name("lint-imports")
    return subprocess.run([linter, "--no-cache"], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def house(repository: Path, tmp_path: Path) -> Path:
    """An empty house of the same plan under the same contracts."""
    shutil.copy(repository / "pyproject.toml", tmp_path)
    package = tmp_path / "nova_review"
    for layer in LAYERS:
        (package / layer).mkdir(parents=True)
        (package / layer / "__init__.py").touch()
    for module in ("__init__", "__main__", "bootstrap"):
        (package / f"{module}.py").touch()
    return tmp_path


def test_our_own_imports_keep_every_contract(repository: Path) -> None:
    result = lint_imports(repository)
    assert result.returncode == 0, result.stdout


def test_an_empty_house_keeps_every_contract(house: Path) -> None:
    assert lint_imports(house).returncode == 0


@pytest.mark.parametrize(
    ("module", "line", "contract"),
    [
        ("domain/x.py", "import nova_review.analysis", "Imports run downward only"),
        ("services/x.py", "import nova_review.storage", "Imports run downward only"),
        ("formats/x.py", "import nova_review.storage", "Imports run downward only"),
        ("cli/x.py", "import nova_review.ui", "Imports run downward only"),
        ("common.py", "", "Imports run downward only"),
        ("bootstrap.py", "import PySide6.QtCore", "Only ui knows Qt"),
        ("services/x.py", "from PySide6 import QtGui", "Only ui knows Qt"),
        ("services/x.py", "import sqlite3", "Only storage knows SQL"),
        ("ui/x.py", "from sqlalchemy import text", "Only storage knows SQL"),
        ("cli/x.py", "import nova_review.storage", "Window and command line"),
        ("ui/x.py", "import nova_review.formats", "Window and command line"),
        ("domain/x.py", "import numpy", "Words stand on the standard library alone"),
    ],
)
def test_a_forbidden_import_breaks_its_contract(house: Path, module: str, line: str, contract: str) -> None:
    (house / "nova_review" / module).write_text(line + "\n", encoding="utf-8")
    result = lint_imports(house)
    assert result.returncode == 1
    broken = [row for row in result.stdout.splitlines() if row.endswith("BROKEN")]
    assert any(row.startswith(contract) for row in broken), result.stdout
