"""Which picture belongs to which row, and whether it can be shown."""

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from nova_review.domain.dataset import ImageState
from nova_review.domain.errors import FormatError, UserError
from nova_review.formats.images import ProbedImage, probe
from nova_review.formats.images_checks import PictureError
from nova_review.formats.nova_names import NUL_MARK, Matcher
from nova_review.formats.nova_notes import escaped
from nova_review.formats.nova_paths import RefusedPathError, UnreadablePathError, refusal_of, resolve_below

_WORKERS = 4


class CancelledError(UserError):
    """The person stopped the reading of a data set."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where the picture of a slice lies, or why it has none.

    `path` is relative to the root, None where nothing may or can be opened. `given` is what
    was looked for. `reason` is empty unless the picture was refused or cannot be read.
    """

    path: str | None
    state: ImageState
    given: str
    reason: str = ""
    by_nfc: bool = False


@dataclass(frozen=True, slots=True)
class Probe:
    """What became of one picture: `image` if it can be shown, else `error` says why not."""

    image: ProbedImage | None
    error: PictureError | None


class PictureIndex:
    """The picture files of a data set, found by path and by name."""

    def __init__(self, root: Path, pictures: Iterable[str], spare: Iterable[str]) -> None:
        self._root = root
        self.pictures = tuple(pictures)
        self._files = (*self.pictures, *spare)
        self._paths = Matcher(self._files)
        self._by_name: dict[str, str] = {}
        self.same_name: set[str] = set()
        shown = frozenset(self.pictures)
        for path in self._files:
            first = self._by_name.setdefault(_name(path), path)
            if first != path and path in shown:
                self.same_name.add(path)

    def named(self, file_name: str) -> Place:
        """Return the place of a picture with exactly this name."""
        path = self._by_name.get(file_name)
        if path is not None:
            return self._checked(path, given=file_name)
        if NUL_MARK in file_name:
            return Place(None, ImageState.REFUSED, file_name, "the name holds a NUL character")
        if "/" in file_name or "\\" in file_name:
            return Place(None, ImageState.REFUSED, file_name, "a file name must not hold a path")
        return Place(None, ImageState.MISSING, file_name)

    def free_names(self, taken: frozenset[str]) -> Matcher:
        """Return a matcher of the names that no row has taken."""
        return Matcher(name for name, path in self._by_name.items() if path not in taken)

    def composed(self, file_name: str, free: Matcher) -> Place | None:
        """Return the place of the only free picture whose name has the same NFC form."""
        name = free.find(file_name)
        if name is None:
            return None
        place = self._checked(self._by_name[name], given=file_name)
        return Place(place.path, place.state, place.given, place.reason, by_nfc=True)

    def at_path(self, image_path: str) -> Place:
        """Return the place that a row's image_path names, and no other."""
        reason = refusal_of(image_path)
        if reason:
            return Place(None, ImageState.REFUSED, image_path, reason)
        plain = "/".join(part for part in image_path.split("/") if part not in ("", "."))
        found = self._paths.find(plain) or plain
        place = self._checked(found, given=image_path)
        return Place(place.path, place.state, place.given, place.reason, by_nfc=found != plain)

    def at_file(self, path: str) -> Place:
        """Return the place of one of the picture files found."""
        return self._checked(path, given=path)

    def _checked(self, path: str, *, given: str) -> Place:
        try:
            real = resolve_below(self._root, path)
        except RefusedPathError as error:
            return Place(None, ImageState.REFUSED, given, str(error))
        except UnreadablePathError as error:
            return Place(None, ImageState.DAMAGED, given, str(error))
        if real is None:
            return Place(None, ImageState.MISSING, given)
        return Place(path, ImageState.USABLE, given)


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def probe_all(
    root: Path, paths: Iterable[str], *, progress: Callable[[int, int], bool] | None
) -> dict[str, Probe]:
    """Decode every picture once, some at a time; raises CancelledError if `progress` says so."""
    wanted = sorted(set(paths))
    done: dict[str, Probe] = {}
    pool = ThreadPoolExecutor(max_workers=min(_WORKERS, os.cpu_count() or 1))
    try:
        for path, found in zip(wanted, pool.map(lambda path: _probe(root, path), wanted), strict=True):
            done[path] = found
            if progress is not None and not progress(len(done), len(wanted)):
                raise CancelledError("Reading the data set was stopped; nothing was changed.")
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
    return done


def _probe(root: Path, path: str) -> Probe:
    name = escaped(path, limit=len(path))
    try:
        real = resolve_below(root, path)
        if real is None:
            return Probe(None, PictureError("picture_unreadable", f"{name}: the file is gone."))
        return Probe(probe(real, name=name), None)
    except PictureError as error:
        return Probe(None, error)
    except FormatError as error:
        return Probe(None, PictureError("picture_unreadable", str(error)))
