"""scripts/run and scripts/test set up what is missing, once, and pass on what they were given.

The environment's Python, `id` and `apt-get` are stand-ins that write down how they were called.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the stand-ins are of Linux")

PYTHON = """#!/bin/bash
case "$1 $2" in
    "-c "*|"-m pip") ;;
    "-I "*) [ -e "$STAND_IN/installed" ] || printf '%b' "$MISSING"; exit 0 ;;
esac
[ "$1" = -c ] || [ "$3" = --version ] || { printf '<%s>' "$@"; echo; } >>"$STAND_IN/calls"
exit 0
"""
APT_GET = """#!/bin/bash
{ printf '<%s>' apt-get "$@"; echo; } >>"$STAND_IN/calls"
[ "$1" != install ] || touch "$STAND_IN/installed"
"""


class Checkout:
    """A copy of the scripts beside stand-ins for everything that they start."""

    def __init__(self, repository: Path, folder: Path) -> None:
        self.root = folder / "a check out"
        self.stand_in = folder / "stand in"
        shutil.copytree(repository / "scripts", self.root / "scripts", ignore=lambda *_: ["demo", "bench"])
        shutil.copy(repository / "pyproject.toml", self.root)
        self._program(self.root / ".venv" / "bin" / "python", PYTHON)
        self._program(self.stand_in / "apt-get", APT_GET)

    def _program(self, path: Path, text: str) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def start(
        self, *command: str, missing: str = "", root: bool = False, display: str = ""
    ) -> tuple[int, str, list[str]]:
        """Exit code, output and the calls of this start."""
        self._program(self.stand_in / "id", f"#!/bin/bash\necho {0 if root else 1000}\n")
        environment = {name: value for name, value in os.environ.items() if not name.startswith("QT_")}
        environment |= {
            "PATH": f"{self.stand_in}:{os.environ['PATH']}",
            "STAND_IN": str(self.stand_in),
            "MISSING": missing,
            "DISPLAY": display,
            "WAYLAND_DISPLAY": "",
        }
        (self.stand_in / "calls").write_text("", encoding="utf-8")
        ran = subprocess.run(
            [self.root / command[0], *command[1:]],
            env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        calls = (self.stand_in / "calls").read_text(encoding="utf-8").splitlines()
        return ran.returncode, ran.stdout + ran.stderr, calls


@pytest.fixture
def checkout(repository: Path, tmp_path: Path) -> Checkout:
    return Checkout(repository, tmp_path)


INSTALL = "<-m><pip><install><-qq><--editable><.>"
INSTALL_DEV = "<-m><pip><install><-qq><--editable><.[dev]>"


def test_run_hands_on_its_arguments_and_installs_once(checkout: Checkout) -> None:
    start = "<-m><nova_review><study><info><a b.nova>"
    assert checkout.start("scripts/run", "study", "info", "a b.nova")[2] == [INSTALL, start]
    assert checkout.start("scripts/run", "study", "info", "a b.nova")[2] == [start]


def test_a_changed_project_file_is_installed_anew(checkout: Checkout) -> None:
    checkout.start("scripts/run", "doctor")
    with (checkout.root / "pyproject.toml").open("a", encoding="utf-8") as file:
        file.write("\n")
    assert checkout.start("scripts/run", "doctor")[2] == [INSTALL, "<-m><nova_review><doctor>"]


def test_a_developers_environment_serves_a_run_but_not_the_other_way(checkout: Checkout) -> None:
    checkout.start("scripts/run", "doctor")
    assert checkout.start("scripts/test")[2][0] == INSTALL_DEV
    assert checkout.start("scripts/run", "doctor")[2] == ["<-m><nova_review><doctor>"]


def test_a_checkout_that_was_moved_is_installed_anew(checkout: Checkout, tmp_path: Path) -> None:
    checkout.start("scripts/run", "doctor")
    checkout.root = checkout.root.rename(tmp_path / "elsewhere")
    assert INSTALL in checkout.start("scripts/run", "doctor")[2]


def test_without_a_screen_run_does_the_demos_main_job(checkout: Checkout) -> None:
    code, said, calls = checkout.start("scripts/run")
    assert code == 0
    assert "There is no screen here" in said
    verbs = [call.split("><")[2:4] for call in calls[1:]]
    assert [verb[0] for verb in verbs] == ["demo", "study", "export"]


def test_with_a_screen_run_opens_the_demo(checkout: Checkout) -> None:
    assert checkout.start("scripts/run", display=":1")[2] == [INSTALL, "<-m><nova_review><demo>"]


def test_a_person_is_told_the_line_that_installs_what_is_missing(checkout: Checkout) -> None:
    code, said, calls = checkout.start("scripts/run", display=":1", missing="libegl1\nlibgl1\n")
    assert code == 1
    assert "    sudo apt-get install libegl1 libgl1\n" in said
    assert calls == [INSTALL]


def test_root_installs_what_is_missing(checkout: Checkout) -> None:
    code, _, calls = checkout.start("scripts/run", display=":1", missing="libegl1\n", root=True)
    assert code == 0
    assert calls[1] == "<apt-get><update><-qq>"
    assert calls[2].startswith("<apt-get><install>")
    assert calls[2].endswith("<libegl1>")
    assert calls[3] == "<-m><nova_review><demo>"


def test_a_verb_that_needs_no_window_asks_for_no_library(checkout: Checkout) -> None:
    code, _, calls = checkout.start("scripts/run", "doctor", display=":1", missing="libegl1\n")
    assert (code, calls) == (0, [INSTALL, "<-m><nova_review><doctor>"])


def test_test_hands_on_its_arguments(checkout: Checkout) -> None:
    assert checkout.start("scripts/test", "-k", "a or b")[2] == [INSTALL_DEV, "<-m><pytest><-k><a or b>"]
    without = checkout.start("scripts/test", "--without-qt", "-q")[2]
    assert without == ["<-m><pytest><-c><tests/no_qt.ini><-q>"]


def test_a_failed_installation_is_tried_again(checkout: Checkout) -> None:
    python = checkout.root / ".venv" / "bin" / "python"
    python.write_text(
        PYTHON.replace("exit 0\n", '[ "$3" != install ]\n').replace("; exit 0", ""), encoding="utf-8"
    )
    code, said, _ = checkout.start("scripts/run", "doctor")
    assert code == 1
    assert "could not be installed" in said
    python.write_text(PYTHON, encoding="utf-8")
    assert checkout.start("scripts/run", "doctor")[2][0] == INSTALL
