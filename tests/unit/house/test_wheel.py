"""A wheel holds every module and every resource, and nothing else."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def names_in_the_wheel(repository: Path, tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    built = subprocess.run(command, cwd=repository, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_every_resource_is_inside(repository: Path, names_in_the_wheel: set[str]) -> None:
    resources = [path for path in (repository / "resources").rglob("*") if path.is_file()]
    wanted = {"nova_review/" + path.relative_to(repository).as_posix() for path in resources}
    assert wanted
    assert wanted - names_in_the_wheel == set()


def test_every_module_is_inside(repository: Path, names_in_the_wheel: set[str]) -> None:
    modules = {path.relative_to(repository).as_posix() for path in (repository / "nova_review").rglob("*.py")}
    assert modules - names_in_the_wheel == set()
    assert "nova_review/py.typed" in names_in_the_wheel


def test_nothing_else_is_inside(names_in_the_wheel: set[str]) -> None:
    others = {name for name in names_in_the_wheel if not name.startswith(("nova_review/", "nova_review-"))}
    assert others == set()
