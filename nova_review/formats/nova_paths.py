"""Paths that a data set gives: resolved strictly below its root, or refused.

Nothing outside the root is opened, no network is touched, and no first bytes are read
"to check the type".
"""

import os
import re
import stat
from pathlib import Path

from nova_review.domain.errors import FormatError
from nova_review.formats.nova_names import NUL_MARK

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_VARIABLE = re.compile(r"~|\$|%[^/%]+%")


class RefusedPathError(FormatError):
    """A path that leads, or may lead, out of the data set."""


class UnreadablePathError(FormatError):
    """A path below the root that holds nothing readable: a loop, a folder, a device."""


def refusal_of(path: str) -> str | None:
    """Return why a path in a table must not be followed, None if its form is harmless."""
    if not path.strip():
        return "the path is empty"
    if "\0" in path or NUL_MARK in path:
        return "the path holds a NUL character"
    if "\\" in path:
        return "the path holds a backslash"
    if _SCHEME.match(path):
        return "the path is a URL or names a drive"
    if path.startswith("/"):
        return "the path is absolute"
    if _VARIABLE.match(path):
        return "the path names a home folder or a variable"
    if ".." in path.split("/"):
        return "the path leads upwards (..)"
    return None


def resolve_below(root: Path, relative: str) -> Path | None:
    """Return the real file behind `relative`, None if there is no such file.

    `root` must be resolved already. Raises RefusedPathError if a link leads out of the root,
    UnreadablePathError for a link to itself or anything that is no regular file.
    """
    try:
        real = Path(os.path.realpath(root / relative, strict=True))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise UnreadablePathError(error.strerror or "it cannot be followed") from error
    if not _is_inside(real, root):
        raise RefusedPathError("its target lies outside the data set")
    if not stat.S_ISREG(real.stat().st_mode):
        raise UnreadablePathError("it is no regular file")
    return real


def _is_inside(real: Path, root: Path) -> bool:
    """Return whether a resolved file belongs to the data set.

    The Hub's shared cache lays a data set out as snapshots/<revision>/ full of links into
    blobs/ beside it: those two folders are one data set.
    """
    if real != root and real.is_relative_to(root):
        return True
    store = root.parent.parent / "blobs"
    return root.parent.name == "snapshots" and real.parent == store


def read_picture(root: str, image_path: str) -> bytes:
    """Return the bytes of a picture of a data set, checking again that it lies below `root`.

    Raises FormatError naming the file when it is gone, refused or unreadable.
    """
    base = Path(os.path.realpath(root))
    reason = refusal_of(image_path)
    if reason:
        raise RefusedPathError(f"{image_path}: refused, {reason}.")
    try:
        real = resolve_below(base, image_path)
    except FormatError as error:
        raise type(error)(f"{image_path}: refused, {error}.") from error
    if real is None:
        raise FormatError(f"{image_path}: the picture is not in {root} any more.")
    try:
        return real.read_bytes()
    except OSError as error:
        raise FormatError(f"{image_path}: the picture cannot be read ({error.strerror}).") from error
