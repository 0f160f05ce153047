"""Services for the command line's own tests: they note what was asked and answer with small values."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SOUND_QT: dict[str, object] = {"qt": "6.8.0", "pyside6": "6.8.0", "platform": "offscreen", "font_families": 3}


@dataclass
class FakeServices:
    """Stands in for `bootstrap.HouseServices`; `asked` lists the calls."""

    log_file: Path | None = Path("nova-review.log")
    qt: dict[str, object] = field(default_factory=lambda: dict(SOUND_QT))
    window_code: int = 0
    asked: list[tuple[Any, ...]] = field(default_factory=list)

    def qt_facts(self) -> dict[str, object]:
        return self.qt

    def study_health(self, file: Path) -> dict[str, object]:
        self.asked.append(("study_health", file))
        return {"sound": True}

    def write_demo_copy(self, file: Path) -> Path:
        self.asked.append(("write_demo_copy", file))
        return file

    def open_demo(self, reader: str | None) -> int:
        self.asked.append(("open_demo", reader))
        return self.window_code

    def open_window(self, file: Path | None, reader: str | None) -> int:
        self.asked.append(("open_window", file, reader))
        return self.window_code

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the command line asked for {name}, which this test did not expect")
