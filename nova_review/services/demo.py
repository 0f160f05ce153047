"""The demo study that ships with the program, always opened as a copy of it."""

import os
import shutil
import tempfile
from pathlib import Path

import platformdirs

from nova_review import __version__
from nova_review.domain.errors import StorageError, UserError
from nova_review.services.resources import resource


def shipped_demo() -> Path:
    """The demo study as it ships; never opened itself."""
    return resource("demo", "demo.nova")


def write_demo_copy(file: Path, *, source: Path | None = None) -> Path:
    """Write a fresh copy of the demo study to `file`, whole or not at all, and return its path.

    Raises UserError where something is there already, StorageError where the folder cannot be written.
    """
    if file.exists():
        raise UserError(f"{file} is there already: give another name or remove it first.")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        _copy_whole(source or shipped_demo(), file)
    except OSError as error:
        raise StorageError(f"The demo study cannot be written to {file}: {error.strerror}.") from error
    return file


def demo_to_open(*, folder: Path | None = None, source: Path | None = None) -> Path:
    """This person's own copy of the demo study, made at the first time and kept with what he drew."""
    home = folder or Path(platformdirs.user_data_dir("nova-review", appauthor=False))
    file = home / f"demo-{__version__}.nova"
    return file if file.exists() else write_demo_copy(file, source=source)


def _copy_whole(source: Path, file: Path) -> None:
    """Copy beside the target, then swap in, so that nobody meets half a study."""
    handle, half = tempfile.mkstemp(dir=file.parent, prefix=".", suffix=".part")
    os.close(handle)
    try:
        shutil.copyfile(source, half)
        os.replace(half, file)
    except BaseException:
        os.unlink(half)
        raise
