"""Writing a folder whole or not at all."""

import os
import shutil
import tempfile
from collections.abc import Collection, Iterable
from pathlib import Path

from nova_review.domain.errors import StorageError, UserError
from nova_review.services.export_content import ExportFile


def put_folder(
    folder: Path, files: Iterable[ExportFile], *, overwrite: bool, replaced: Collection[str] = ()
) -> None:
    """Write `files` into `folder`, all of them or none.

    A non-empty folder is refused unless `overwrite`; then files named in `replaced` (those
    of an earlier export) go, and whatever else lies there stays untouched. Raises UserError
    or StorageError with nothing changed.
    """
    if folder.exists() and not folder.is_dir():
        raise UserError(f"{folder} is a file. Give a folder with --out.")
    if folder.is_symlink():
        folder = Path(os.path.realpath(folder))  # else the link would be swapped, not what it leads to
    if folder.is_dir() and any(folder.iterdir()) and not overwrite:
        raise UserError(f"{folder} is not empty. Give another folder, or add --overwrite.")
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        staged = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    except OSError as error:
        raise StorageError(f"Nothing can be written beside {folder}: {error.strerror or error}.") from error
    try:
        _stage(staged, files)
        _carry_over(folder, staged, replaced)
        _swap(staged, folder)
    except OSError as error:
        raise StorageError(
            f"The export to {folder} failed and nothing was changed: {error.strerror or error}."
        ) from error
    finally:
        shutil.rmtree(staged, ignore_errors=True)


def _stage(staged: Path, files: Iterable[ExportFile]) -> None:
    staged.chmod(0o777 & ~_umask())
    for file in files:
        target = staged / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(file.data)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _carry_over(folder: Path, staged: Path, replaced: Collection[str]) -> None:
    """Copy what is not ours from the old folder, so that the swap loses nothing."""
    if not folder.is_dir():
        return
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder)
        target = staged / relative
        if path.is_dir() and not path.is_symlink():
            continue
        if relative.as_posix() in replaced or target.exists():
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(path, target, follow_symlinks=False)


def _swap(staged: Path, folder: Path) -> None:
    old = folder.parent / f"{staged.name}-old"
    if folder.exists():
        os.replace(folder, old)
    try:
        os.replace(staged, folder)
    except OSError:
        if old.exists():
            os.replace(old, folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
