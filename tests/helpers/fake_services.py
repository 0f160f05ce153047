"""Services for the command line's own tests: they note what was asked and answer with small values."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from nova_review.domain.errors import UserError
from nova_review.services.health import StudyHealth
from nova_review.services.ports import Progress

SOUND_QT: dict[str, object] = {"qt": "6.8.0", "pyside6": "6.8.0", "platform": "offscreen", "font_families": 3}


@dataclass
class FakeDemo:
    """Stands in for `services.demo.DemoService`."""

    asked: list[tuple[Any, ...]]

    def write(self, file: Path, progress: Progress) -> Path:
        self.asked.append(("demo.write", file, progress(1, 1)))
        return file

    def to_open(self, progress: Progress) -> Path:
        self.asked.append(("demo.to_open", progress(1, 1)))
        return Path("demo.nova")


@dataclass
class FakeServices:
    """Stands in for `bootstrap.HouseServices`; `asked` lists the calls."""

    log_file: Path | None = Path("nova-review.log")
    qt: dict[str, object] = field(default_factory=lambda: dict(SOUND_QT))
    window_code: int = 0
    has_window: bool = True
    asked: list[tuple[Any, ...]] = field(default_factory=list)

    def qt_facts(self) -> dict[str, object]:
        return self.qt

    def study_health(self, file: Path) -> StudyHealth:
        self.asked.append(("study_health", file))
        return StudyHealth(
            schema=1, newest_schema=1, size=9, is_old=False, can_be_written=True, problems=("It is torn.",)
        )

    @property
    def demo(self) -> "FakeDemo":
        return FakeDemo(self.asked)

    def require_window(self) -> None:
        if not self.has_window:
            raise UserError("There is no screen here.")

    def open_window(self, file: Path | None, reader: str | None) -> int:
        self.asked.append(("open_window", file, reader))
        return self.window_code

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the command line asked for {name}, which this test did not expect")
