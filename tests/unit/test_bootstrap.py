"""The program starts with what it needs, and a window that cannot be shown is one sentence."""

import subprocess
import sys

import pytest

from nova_review.bootstrap import house
from nova_review.domain.errors import UserError
from nova_review.services import system_parts
from nova_review.services.system_parts import PARTS

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


def test_opening_a_study_loads_no_library_that_it_does_not_need() -> None:
    """In a process of its own, up to the door of the window."""
    program = f"""
import sys
from nova_review import bootstrap
bootstrap.HouseServices.open_window = lambda self, file, reader: 0
assert bootstrap.main(["open", "a.nova", "--reader", "Ada"]) == 0
print(*sorted(set({SLOW!r}) & set(sys.modules)))
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stderr, ran.stdout.split()) == (0, "", [])


def test_without_a_screen_the_window_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system_parts, "has_screen", lambda: False)
    with pytest.raises(UserError, match="no screen here"):
        house.require_window_parts()


def test_a_missing_library_is_named_before_qt_ends_the_process(monkeypatch: pytest.MonkeyPatch) -> None:
    cursor = next(part for part in PARTS if part.name == "libxcb-cursor.so.0")
    monkeypatch.setattr(system_parts, "missing_parts", lambda _needs: (cursor,))
    with pytest.raises(UserError, match=r"libxcb-cursor\.so\.0"):
        house.require_window_parts()


@pytest.mark.parametrize("locale", ["C", "POSIX", "de_DE.ISO-8859-1"])
def test_no_locale_stops_the_output(locale: str) -> None:
    command = [sys.executable, "-X", "utf8=0", "-m", "nova_review", "study-médicale-医", "--json"]
    environment = {"LANG": locale, "LC_ALL": locale, "PYTHONCOERCECLOCALE": "0", "PATH": ""}
    ran = subprocess.run(command, capture_output=True, env=environment, check=False)
    assert ran.returncode == 2
    assert b"Traceback" not in ran.stderr


def test_control_c_while_the_program_is_still_being_loaded_is_one_sentence() -> None:
    program = """
import sys
class Stop:
    def find_spec(self, name, path=None, target=None):
        if name == "nova_review.bootstrap":
            raise KeyboardInterrupt
sys.meta_path.insert(0, Stop())
from nova_review.__main__ import main
sys.exit(main())
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (ran.returncode, ran.stdout) == (130, "")
    assert ran.stderr == "Stopped; nothing half-done was kept.\n"
