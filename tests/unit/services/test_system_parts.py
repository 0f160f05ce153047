"""What the system lacks is tried, and named with the line that installs it."""

import subprocess
import sys
from pathlib import Path

import pytest

from nova_review.services import system_parts
from nova_review.services.system_parts import PARTS, Need, SystemPart

GLIB = next(part for part in PARTS if part.name == "libglib-2.0.so.0")
CURSOR = next(part for part in PARTS if part.name == "libxcb-cursor.so.0")


def test_a_library_that_loads_is_there_and_another_is_not() -> None:
    assert system_parts.part_is_there(SystemPart("libc.so.6", ("libc6",), Need.ALWAYS))
    assert not system_parts.part_is_there(SystemPart("libnosuchthing.so.9", ("x",), Need.ALWAYS))


def test_a_program_is_looked_for_on_the_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    xvfb = next(part for part in PARTS if part.name == "Xvfb")
    assert not system_parts.part_is_there(xvfb)
    (tmp_path / "Xvfb").touch(mode=0o755)
    assert system_parts.part_is_there(xvfb)


def test_a_font_counts_at_any_depth(tmp_path: Path) -> None:
    folder = tmp_path / "truetype" / "dejavu"
    folder.mkdir(parents=True)
    (folder / "README").touch()
    assert not system_parts.font_is_there([str(tmp_path), str(tmp_path / "none")])
    (folder / "DejaVuSans.TTF").touch()
    assert system_parts.font_is_there([str(tmp_path)])


def test_only_the_needs_asked_for_are_tried() -> None:
    tried: list[str] = []

    def nothing_is_there(part: SystemPart) -> bool:
        tried.append(part.name)
        return False

    missing = system_parts.missing_parts([Need.ALWAYS], is_there=nothing_is_there)
    assert {part.need for part in missing} == {Need.ALWAYS}
    assert tried == [part.name for part in missing]


@pytest.mark.parametrize(
    ("known", "package"),
    [({"libglib2.0-0t64"}, "libglib2.0-0t64"), ({"libglib2.0-0"}, "libglib2.0-0"), (set(), "libglib2.0-0")],
)
def test_the_package_has_the_name_of_this_release(known: set[str], package: str) -> None:
    assert system_parts.packages_of([GLIB], is_known=known.__contains__) == [package]


def test_the_sentence_names_the_library_and_the_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_parts.shutil, "which", lambda _name: "/usr/bin/apt-get")
    sentence = system_parts.missing_sentence((CURSOR,))
    assert "libxcb-cursor.so.0" in sentence
    assert "`sudo apt-get install libxcb-cursor0`" in sentence
    assert system_parts.missing_sentence(()) == ""


def test_elsewhere_the_sentence_names_no_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_parts.shutil, "which", lambda _name: None)
    sentence = system_parts.missing_sentence((CURSOR,))
    assert "libxcb-cursor.so.0" in sentence
    assert "apt-get" not in sentence


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a screen")
@pytest.mark.parametrize(
    ("environment", "screen", "needs"),
    [
        ({}, False, (Need.ALWAYS,)),
        ({"DISPLAY": ""}, False, (Need.ALWAYS,)),
        ({"DISPLAY": ":1"}, True, (Need.ALWAYS, Need.SCREEN)),
        ({"WAYLAND_DISPLAY": "wayland-0"}, True, (Need.ALWAYS,)),
        ({"QT_QPA_PLATFORM": "offscreen", "DISPLAY": ":1"}, True, (Need.ALWAYS,)),
        ({"QT_QPA_PLATFORM": "xcb", "DISPLAY": ":1"}, True, (Need.ALWAYS, Need.SCREEN)),
    ],
)
def test_the_needs_follow_the_screen(
    environment: dict[str, str], screen: bool, needs: tuple[Need, ...]
) -> None:
    assert system_parts.has_screen(environment) is screen
    assert system_parts.window_needs(environment) == needs


def test_it_runs_before_anything_is_installed(repository: Path) -> None:
    """scripts/ start it by its path, isolated from every installed package."""
    file = repository / "nova_review" / "services" / "system_parts.py"
    command = [sys.executable, "-I", "-S", str(file), "--tests"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr) == (0, "")
    known = {package for part in PARTS for package in part.packages}
    assert set(ran.stdout.split()) <= known
