"""`doctor`: is this machine fit for the program, and this study file sound?"""

import platform
import shutil
import sys
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Annotated

import platformdirs
import typer

from nova_review import __version__
from nova_review.cli.context import Services, services_of
from nova_review.cli.output import JsonFlag, Output
from nova_review.cli.verbs import single_verb
from nova_review.services.system_parts import (
    apt_line,
    has_screen,
    missing_parts,
    missing_sentence,
    packages_of,
    window_needs,
)

LIBRARIES = (
    "PySide6-Essentials", "Pillow", "numpy", "pandas", "pyarrow", "datasets", "huggingface_hub", "shapely",
    "scipy", "SQLAlchemy", "alembic", "pydantic", "typer", "rich", "platformdirs", "matplotlib",
)  # fmt: skip
LEAST_FREE = 500_000_000  # bytes: an embedded study of a thousand slices with room for its backup

app = single_verb()


@app.command()
def doctor(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="[FILE.nova]", help="A study file to check too.", show_default=False, readable=False
        ),
    ] = None,
    as_json: JsonFlag = False,
) -> None:
    """Tell what is missing here, and whether a study file is sound.

    Versions, the window's platform and fonts, system libraries, room on the disk, the log file.
    """
    services = services_of(context)
    facts = machine_facts(services)
    if file is not None:
        facts["study"] = {"file": str(file)} | asdict(services.study_health(file))
    facts["problems"] = problems(facts)
    Output(as_json=as_json).result(facts, report_lines(facts))


def machine_facts(services: Services) -> dict[str, object]:
    """All that `doctor` tells but the study: JSON values only."""
    missing = missing_parts(window_needs())
    packages = packages_of(missing)
    return {
        "program": __version__,
        "python": platform.python_version(),
        "system": platform.platform(),
        "libraries": {name: _version(name) for name in LIBRARIES},
        "screen": has_screen(),
        "qt": services.qt_facts(),
        "missing_system_parts": [part.name for part in missing],
        "missing_sentence": missing_sentence(missing),
        "install_line": apt_line(packages) if packages else None,
        "disk": _disk(Path(platformdirs.user_data_dir("nova-review", appauthor=False))),
        "log_file": str(services.log_file) if services.log_file else None,
        "executable": sys.executable,
    }


def _version(library: str) -> str | None:
    try:
        return metadata.version(library)
    except metadata.PackageNotFoundError:
        return None


def _disk(folder: Path) -> dict[str, object]:
    """Free bytes where the program keeps its own files: at the folder, or where it would be made."""
    place = next(p for p in (folder, *folder.parents) if p.exists())
    return {"folder": str(folder), "free_bytes": shutil.disk_usage(place).free}


def problems(facts: dict[str, object]) -> list[str]:
    """A sentence for each fact that would stop a reading; none on a sound machine."""
    found = [str(facts["missing_sentence"])] if facts["missing_sentence"] else []
    libraries, qt, disk = facts["libraries"], facts["qt"], facts["disk"]
    assert isinstance(libraries, dict)
    assert isinstance(qt, dict)
    assert isinstance(disk, dict)
    absent = [name for name, version in libraries.items() if version is None]
    if absent:
        found.append(f"Libraries that are not installed: {', '.join(absent)}; run `scripts/run` again.")
    if qt.get("problem"):
        found.append(f"The window cannot start: {qt['problem']}")
    elif not qt.get("font_families"):
        found.append("No font is installed, so every letter would be a box; install fonts-dejavu-core.")
    if disk["free_bytes"] < LEAST_FREE:
        found.append(f"Only {disk['free_bytes'] // 1_000_000} MB are free at {disk['folder']}.")
    if facts["log_file"] is None:
        found.append("The log file cannot be written.")
    study = facts.get("study")
    return found + list(study["problems"]) if isinstance(study, dict) else found


def _pair(name: str, value: object) -> str:
    return f"{name.replace('_', ' ')} {value}"


def _megabytes(count: int) -> str:
    return f"{count / 1_000_000:,.1f} MB"


def _study_line(study: dict[str, object]) -> str:
    size = study["size"]
    assert isinstance(size, int)
    age = "of an older version, converted when it is opened" if study["is_old"] else "of this version"
    rights = "can be written" if study["can_be_written"] else "can only be read"
    return f"study: {study['file']}, {_megabytes(size)}, tables {age}, {rights}"


def report_lines(facts: dict[str, object]) -> list[str]:
    """The facts as lines for a person, problems last."""
    lines = [f"nova-review {facts['program']}, Python {facts['python']}, {facts['system']}"]
    for group in ("qt", "libraries"):
        values = facts.get(group)
        if isinstance(values, dict):
            lines.append(f"{group}: " + ", ".join(_pair(name, value) for name, value in values.items()))
    disk, study = facts["disk"], facts.get("study")
    assert isinstance(disk, dict)
    lines.append(f"disk: {_megabytes(disk['free_bytes'])} free at {disk['folder']}")
    if isinstance(study, dict):
        lines.append(_study_line(study))
    lines.append(f"screen: {'yes' if facts['screen'] else 'none'}")
    lines.append(f"log: {facts['log_file']}")
    found = facts["problems"]
    assert isinstance(found, list)
    return [*lines, *(found or ["Nothing is missing."])]
