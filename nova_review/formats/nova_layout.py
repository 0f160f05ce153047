"""Finding the tables and pictures of a data set below its root, and listing what is neither."""

import os
from dataclasses import dataclass
from pathlib import Path

from nova_review.domain.errors import FormatError
from nova_review.formats.images import PICTURE_SUFFIXES
from nova_review.formats.nova_csv import TABLE_NAMES
from nova_review.formats.nova_names import stem
from nova_review.formats.nova_notes import Notebook, escaped
from nova_review.formats.nova_parquet import looks_like_ours
from nova_review.formats.nova_paths import resolve_below
from nova_review.formats.nova_records import KNOWN_COLUMNS
from nova_review.formats.nova_tables import header_of

PICTURE_FOLDERS = ("images", "test")
_TABLE_FOLDER = "data"
_FLAT_NAME = "nova_metadata.csv"
_APPLE_DOUBLE = b"\x00\x05\x16\x07"


@dataclass(frozen=True, slots=True)
class Layout:
    """What lies where, relative to `root` (resolved), "/" between parts.

    `tables` maps the names of the four CSV files to their paths; `pictures` are taken for
    slices by themselves; `spare` files count only where a row names them.
    """

    root: Path
    tables: dict[str, str]
    parquets: tuple[str, ...]
    flats: tuple[str, ...]
    pictures: tuple[str, ...]
    spare: tuple[str, ...]
    unknown: tuple[str, ...]

    @property
    def has_table(self) -> bool:
        """Whether any table was found."""
        return bool(self.tables or self.parquets or self.flats)


@dataclass(frozen=True, slots=True)
class _Found:
    """The entries of one folder: files and folders by relative path, sorted."""

    files: tuple[str, ...]
    folders: tuple[str, ...]


def layout_of_folder(root: Path, *, notes: Notebook) -> Layout:
    """Return the layout of a folder; raises FormatError if the folder cannot be listed."""
    top = _listed(root, "", notes=notes)
    data = _listed(root, _TABLE_FOLDER, notes=notes) if _TABLE_FOLDER in top.folders else _Found((), ())
    here = [file for file in (*data.files, *top.files) if _name(file) in TABLE_NAMES]
    tables = {_name(file): file for file in here}  # one in the root comes before one in data/
    rest = [file for file in (*top.files, *data.files) if file not in tables.values()]
    rest = [file for file in rest if _below(root, file, notes=notes)]
    tables = {name: file for name, file in tables.items() if _below(root, file, notes=notes)}
    parquets = tuple(f for f in rest if suffix_of(f) == ".parquet" and looks_like_ours(root / f))
    flats = tuple(f for f in rest if suffix_of(f) == ".csv" and _is_flat(root / f))
    return _with_pictures(root, top, data, tables=tables, parquets=parquets, flats=flats, notes=notes)


def _name(file: str) -> str:
    return file.rpartition("/")[2].casefold()


def _with_pictures(
    root: Path,
    top: _Found,
    data: _Found,
    *,
    tables: dict[str, str],
    parquets: tuple[str, ...],
    flats: tuple[str, ...],
    notes: Notebook,
) -> Layout:
    pictures, spare, deeper = _pictures(root, top, notes=notes)
    used = {*tables.values(), *parquets, *flats, *pictures}
    unknown = [file for file in (*top.files, *data.files) if file not in used and file not in spare]
    known_folders = {_TABLE_FOLDER, *PICTURE_FOLDERS}
    folders = [f"{name}/" for name in top.folders if name not in known_folders]
    folders += [f"{name}/" for name in (*data.folders, *deeper)]
    return Layout(root, tables, parquets, flats, pictures, spare, (*unknown, *folders))


def _pictures(
    root: Path, top: _Found, *, notes: Notebook
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return (pictures, spare files, deeper folders); the root counts if no folder has any."""
    found = [_listed(root, name, notes=notes) for name in PICTURE_FOLDERS if name in top.folders]
    files = [file for folder in found for file in folder.files]
    at_root = [file for file in top.files if is_picture_name(file)]
    pictures = [file for file in files if is_picture_name(file) and not _is_apple_double(root / file)]
    spare = [file for file in files if file not in set(pictures)]
    if pictures:
        spare += at_root
    else:
        pictures = at_root
    deeper = tuple(name for folder in found for name in folder.folders)
    return tuple(pictures), tuple(spare), deeper


def is_picture_name(file: str) -> bool:
    """Return whether a name ends like a picture's (upper case and outer blanks allowed)."""
    return suffix_of(file) in PICTURE_SUFFIXES


def suffix_of(file: str) -> str:
    """Return the ending of a name in lower case, outer blanks off; "" if there is none."""
    name = file.rpartition("/")[2].strip()
    return name[len(stem(name)) :].lower()


def _is_flat(path: Path) -> bool:
    columns = header_of(path, KNOWN_COLUMNS)
    is_ours = "filename" in columns and bool(columns & {"bbox_gold", "bbox_raters", "bboxes"})
    return is_ours or path.name.casefold() == _FLAT_NAME


def _is_apple_double(path: Path) -> bool:
    """Return whether this is a side file that macOS leaves beside a picture on other disks."""
    if not path.name.startswith("._") or not path.is_file() or path.is_symlink():
        return False
    with path.open("rb") as stream:
        return stream.read(4) == _APPLE_DOUBLE


def _listed(root: Path, folder: str, *, notes: Notebook) -> _Found:
    where = root / folder
    if folder and not Path(os.path.realpath(where)).is_relative_to(root):
        message = "The folder is a link that leads out of the data set; nothing in it was read."
        notes.warn("folder_refused", message, file=folder, value=folder)
        return _Found((), ())
    try:
        with os.scandir(where) as entries:
            found = sorted((entry.name, _is_folder(entry)) for entry in entries)
    except OSError as error:
        raise FormatError(f"The folder {escaped(str(where))} cannot be listed ({error.strerror}).") from error
    prefix = f"{folder}/" if folder else ""
    named = [(prefix + name, is_dir) for name, is_dir in found if _storable(prefix + name, notes=notes)]
    files = tuple(name for name, is_dir in named if not is_dir)
    return _Found(files, tuple(name for name, is_dir in named if is_dir))


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:  # a link to itself
        return False


def _storable(name: str, *, notes: Notebook) -> bool:
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        message = f"The name {escaped(name)} is not valid UTF-8; the file was left out. Rename it."
        notes.warn("name_not_utf8", message, file=escaped(name), value=name)
        return False
    return True


def _below(root: Path, file: str, *, notes: Notebook) -> bool:
    """Return whether a file is a regular one below the root; a table that is not is warned of."""
    try:
        return resolve_below(root, file) is not None
    except FormatError as error:
        if suffix_of(file) in (".csv", ".parquet"):
            notes.warn("table_refused", f"The table was not read: {error}.", file=file, value=file)
        return False
