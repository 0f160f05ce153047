"""The programs that are measured: ours, and two that are used for drawing boxes on pictures."""

import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from bench.slices import SliceSet

ROOT = Path(__file__).resolve().parents[2]
OURS, LABELME, LABELIMG = "nova-review", "labelme", "labelImg"
PACKAGES = {LABELME: ("labelme",), LABELIMG: ("labelImg", "PyQt5")}
READER = "A"


@dataclass(frozen=True, slots=True)
class Program:
    """How a program is started and driven.

    `fit` brings the picture to the size of the window, "" where it opens so. A program that goes on
    where it stopped gets a fresh copy of its `study` at each start (before the clock runs).
    """

    name: str
    command: tuple[str, ...]
    next_key: str
    fit: str = ""
    study: Path | None = None

    def prepared(self, home: Path) -> tuple[str, ...]:
        """Return the command line for a start with this home folder."""
        if self.study is not None:
            shutil.copyfile(self.study, home / "bench.nova")
        return tuple(part.format(home=home) for part in self.command)

    def environment(self, home: Path, display: str) -> dict[str, str]:
        """Return an environment without anything of the person who measures."""
        kept = {name: os.environ[name] for name in ("PATH", "LANG", "LC_ALL") if name in os.environ}
        places = {"HOME": home, "XDG_RUNTIME_DIR": home, "XDG_CONFIG_HOME": home / "config"}
        places |= {"XDG_CACHE_HOME": home / "cache", "XDG_DATA_HOME": home / "data"}
        own = {name: str(place) for name, place in places.items()}
        return kept | own | {"DISPLAY": display, "QT_QPA_PLATFORM": "xcb", "QT_SCALE_FACTOR": "1"}


def ours(python: Path, study: Path) -> Program:
    """Our program, opening a study at its first slice."""
    command = (str(python), "-m", "nova_review", "open", "{home}/bench.nova", "--reader", READER)
    return Program(OURS, command, "Right", study=study)


def peers(cache: Path, made: SliceSet) -> tuple[Program, ...]:
    """The other programs, each installed into an environment of its own if it is not there yet."""
    labelme = _installed(cache, LABELME) / "labelme"
    labelimg = _installed(cache, LABELIMG) / "labelImg"
    return (
        Program(LABELME, (str(labelme), str(made.labelme)), "d"),
        Program(LABELIMG, (str(labelimg), str(made.voc)), "d", fit="Control_L+f"),
    )


def version_of(cache: Path, name: str) -> str:
    """Return the installed version of a peer."""
    ask = f"from importlib.metadata import version; print(version({name!r}))"
    python = cache / "peers" / name / "bin" / "python"
    return subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True).stdout.strip()


def _installed(cache: Path, name: str) -> Path:
    folder = cache / "peers" / name
    done = folder / "installed"
    if not done.exists():
        print(f"Installing {name} ...", file=sys.stderr, flush=True)
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        pip = [str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, *PACKAGES[name]], check=True, stdin=subprocess.DEVNULL)
        done.touch()
    return folder / "bin"
