"""The program as a person starts it: a process of its own, with homes of its own."""

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

_LOCALE_NOTE = re.compile(r'Detected locale "C" with .*?manual\nfor more information\.\n', re.DOTALL)
ROOT = Path(__file__).resolve().parents[2]


def environment(home: Path, **more: str) -> dict[str, str]:
    """The environment of a person whose home folders are under `home`; no screen unless given."""
    kept = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")}
    homes = {f"XDG_{n}_HOME": str(home / n.lower()) for n in ("CONFIG", "DATA", "STATE", "CACHE")}
    return {**kept, **homes, "PYTHONPATH": str(ROOT), **more}


class CommandLine:
    """Runs verbs of the program, and asserts how they end."""

    def __init__(self, home: Path, **more: str) -> None:
        self._environment = environment(home, **more)

    def run(self, *arguments: str | Path, code: int = 0) -> subprocess.CompletedProcess[str]:
        """Run a verb to its end."""
        done = subprocess.run(
            [sys.executable, "-m", "nova_review", *(str(a) for a in arguments)],
            env=self._environment,
            capture_output=True,
            text=True,
            encoding="utf-8",
            stdin=subprocess.DEVNULL,
            check=False,
            timeout=120,
        )
        assert done.returncode == code, f"{arguments}: {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    def json(self, *arguments: str | Path) -> dict[str, Any]:
        """Run a verb with --json and return its object."""
        answer: dict[str, Any] = json.loads(self.run(*arguments, "--json").stdout)
        return answer


class WindowProcess:
    """`nova-review open FILE --reader NAME` on a screen."""

    def __init__(
        self, *arguments: str | Path, display: str, home: Path, more: Mapping[str, str] | None = None
    ) -> None:
        self._log = home / "window.log"
        home.mkdir(parents=True, exist_ok=True)
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "nova_review", *(str(a) for a in arguments)],
                env=environment(home, DISPLAY=display, QT_QPA_PLATFORM="xcb", **(more or {})),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def said(self) -> str:
        """What the process wrote to its terminal, but for Qt's note on a locale that this machine lacks."""
        return _LOCALE_NOTE.sub("", self._log.read_text(encoding="utf-8", errors="replace"))

    def kill(self) -> None:
        """kill -9."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=10)

    def wait(self) -> int:
        """Wait for the end of the process and return its exit code."""
        return self.process.wait(timeout=20)

    def end(self) -> None:
        """Whatever happened: leave no process behind."""
        if self.process.poll() is None:
            self.kill()
