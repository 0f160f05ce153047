"""What the window needs of the operating system, what of it is missing, and the line that installs it.

Standard library only: scripts/ runs this file by its path before the program is installed
(`python -I nova_review/services/system_parts.py [--screen] [--tests]` prints one package a line).
"""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

FONT_SUFFIXES = (".ttf", ".otf", ".ttc", ".pfb")
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")


class Need(StrEnum):
    """When a part is needed."""

    ALWAYS = "always"
    SCREEN = "with a screen"
    TESTS = "for the tests of the real window"


@dataclass(frozen=True, slots=True)
class SystemPart:
    """A library (by the name that the loader knows), a font or a program, and its Debian packages.

    `packages` are names of one and the same thing, the newest release's name first.
    """

    name: str
    packages: tuple[str, ...]
    need: Need


PARTS = (
    SystemPart("libEGL.so.1", ("libegl1",), Need.ALWAYS),
    SystemPart("libGL.so.1", ("libgl1",), Need.ALWAYS),
    SystemPart("libxkbcommon.so.0", ("libxkbcommon0",), Need.ALWAYS),
    SystemPart("libdbus-1.so.3", ("libdbus-1-3",), Need.ALWAYS),
    SystemPart("libfontconfig.so.1", ("libfontconfig1",), Need.ALWAYS),
    SystemPart("libglib-2.0.so.0", ("libglib2.0-0t64", "libglib2.0-0"), Need.ALWAYS),
    SystemPart("a font", ("fonts-dejavu-core",), Need.ALWAYS),
    SystemPart("libxcb-cursor.so.0", ("libxcb-cursor0",), Need.SCREEN),
    SystemPart("libxcb-icccm.so.4", ("libxcb-icccm4",), Need.SCREEN),
    SystemPart("libxcb-keysyms.so.1", ("libxcb-keysyms1",), Need.SCREEN),
    SystemPart("libxcb-shape.so.0", ("libxcb-shape0",), Need.SCREEN),
    SystemPart("libxkbcommon-x11.so.0", ("libxkbcommon-x11-0",), Need.SCREEN),
    SystemPart("Xvfb", ("xvfb",), Need.TESTS),
)


def missing_parts(
    needs: Iterable[Need], *, is_there: Callable[[SystemPart], bool] | None = None
) -> tuple[SystemPart, ...]:
    """The parts for these needs that this machine lacks; none on systems that are not Linux."""
    if is_there is None:
        if not sys.platform.startswith("linux"):
            return ()
        is_there = part_is_there
    wanted = set(needs)
    return tuple(part for part in PARTS if part.need in wanted and not is_there(part))


def part_is_there(part: SystemPart) -> bool:
    """Whether a library loads, a font file exists or a program is on the path: tried, not guessed."""
    if part.name == "a font":
        return font_is_there(FONT_FOLDERS)
    if ".so" not in part.name:
        return shutil.which(part.name) is not None
    try:
        ctypes.CDLL(part.name)
    except OSError:
        return False
    return True


def font_is_there(folders: Iterable[str]) -> bool:
    """Whether one of the folders, or a folder in it, holds a font file."""
    return any(
        name.lower().endswith(FONT_SUFFIXES)
        for folder in folders
        for _, _, names in os.walk(os.path.expanduser(folder))
        for name in names
    )


def packages_of(parts: Iterable[SystemPart], *, is_known: Callable[[str], bool] | None = None) -> list[str]:
    """The Debian package of each part: of several names the first that this release knows."""
    is_known = is_known or _apt_knows
    names = []
    for part in parts:
        *newer, oldest = part.packages
        names.append(next((name for name in newer if is_known(name)), oldest))
    return names


def _apt_knows(package: str) -> bool:
    if shutil.which("apt-cache") is None:
        return False
    asked = subprocess.run(["apt-cache", "show", package], capture_output=True, check=False)
    return asked.returncode == 0 and bool(asked.stdout)


def apt_line(packages: Iterable[str]) -> str:
    """The command that installs the packages on Debian and its relatives."""
    return "sudo apt-get install " + " ".join(packages)


def missing_sentence(parts: tuple[SystemPart, ...]) -> str:
    """One sentence that names what is missing and the line that installs it; empty for nothing."""
    if not parts:
        return ""
    names = ", ".join(part.name for part in parts)
    cure = f"install with `{apt_line(packages_of(parts))}`"
    if shutil.which("apt-get") is None:
        cure = "install them with this system's package manager"
    return f"The window needs parts of the system that are missing: {names}; {cure}."


def has_screen(environment: Mapping[str, str] | None = None) -> bool:
    """Whether a window can be shown: always where the system is not Linux or a Qt platform is named."""
    values = os.environ if environment is None else environment
    if values.get("QT_QPA_PLATFORM") or not sys.platform.startswith("linux"):
        return True
    return bool(values.get("DISPLAY") or values.get("WAYLAND_DISPLAY"))


def window_needs(environment: Mapping[str, str] | None = None) -> tuple[Need, ...]:
    """What the window needs here: the X parts only where Qt will speak to an X server."""
    values = os.environ if environment is None else environment
    platform = values.get("QT_QPA_PLATFORM", "").partition(":")[0]
    speaks_x = platform == "xcb" or (not platform and bool(values.get("DISPLAY")))
    return (Need.ALWAYS, Need.SCREEN) if speaks_x else (Need.ALWAYS,)


def main(arguments: list[str]) -> int:
    """Print the packages that are missing, one a line."""
    needs = [Need.ALWAYS]
    needs += [Need.SCREEN] if "--screen" in arguments else []
    needs += [Need.SCREEN, Need.TESTS] if "--tests" in arguments else []
    for package in packages_of(missing_parts(needs)):
        print(package)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
