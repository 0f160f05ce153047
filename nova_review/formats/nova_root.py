"""One table file as a data set: its root is the folder that makes its image paths true."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from nova_review.domain.errors import FormatError
from nova_review.formats.nova_csv import TABLE_NAMES, read_csv_form
from nova_review.formats.nova_forms import Form
from nova_review.formats.nova_layout import PICTURE_FOLDERS, Layout, layout_of_folder, suffix_of
from nova_review.formats.nova_notes import Notebook, escaped
from nova_review.formats.nova_parquet import read_parquet_form
from nova_review.formats.nova_paths import refusal_of, resolve_below
from nova_review.formats.nova_records import read_flat_form

_LEVELS = 3
_TRIED = 50
_TABLE_SUFFIXES = (".csv", ".tsv", ".txt", ".parquet")


def layout_of_table(path: Path, *, notes: Notebook) -> Layout:
    """Return the layout of a data set given as one table file (resolved).

    Only this table is read; other tables of the folder are listed as ignored. Raises FormatError
    if the file is no table by its name.
    """
    if suffix_of(path.name) not in _TABLE_SUFFIXES:
        raise FormatError(
            f"{escaped(path.name)}: this is no table that can be read. "
            "Give a folder, or a .csv or .parquet file."
        )
    alone = _alone(path)
    root = _root_of(path, _forms(alone))
    return _seen_from(root, alone, notes=notes)


def _alone(path: Path) -> Layout:
    name, suffix = path.name, suffix_of(path.name)
    tables = {name.casefold(): name} if name.casefold() in TABLE_NAMES else {}
    parquets = (name,) if suffix == ".parquet" else ()
    flats = () if tables or parquets else (name,)
    return Layout(path.parent, tables, parquets, flats, (), (), ())


def _forms(layout: Layout) -> list[Form]:
    """Read the table once without notes, only to learn which pictures it names."""
    notes = Notebook()
    return [
        read_csv_form(layout.root, layout.tables, notes=notes),
        read_parquet_form(layout.root, layout.parquets, notes=notes),
        read_flat_form(layout.root, layout.flats, notes=notes),
    ]


def _root_of(path: Path, forms: list[Form]) -> Path:
    parents = [parent for parent in path.parents if parent != parent.parent][:_LEVELS]
    for parent in parents:
        if any(_is_there(parent, given) for given in islice(_named_pictures(forms), _TRIED)):
            return parent
    above = parents[1:2] if parents and path.parent.name == "data" else parents[:1]
    return above[0] if above else path.parent


def _named_pictures(forms: list[Form]) -> Iterator[str]:
    """Yield places below a root where the first pictures would lie."""
    for form in forms:
        names = [*(form.listing or {})] or [
            row.file_name for row in (*(form.gold or ()), *(form.readers or ()))
        ]
        rows = form.listing or {}
        for name in names:
            given = rows[name].image_path if name in rows else None
            if given is not None:
                yield given
            elif "/" not in name:
                yield from (f"{folder}/{name}" for folder in PICTURE_FOLDERS)
                yield name


def _is_there(root: Path, given: str) -> bool:
    if refusal_of(given) is not None:
        return False
    try:
        return resolve_below(root, given) is not None
    except FormatError:
        return False


def _seen_from(root: Path, alone: Layout, *, notes: Notebook) -> Layout:
    """Return the layout of the one table seen from `root`, with the pictures and other files there."""
    base = alone.root.relative_to(root)
    tables = {name: (base / file).as_posix() for name, file in alone.tables.items()}
    parquets = tuple((base / file).as_posix() for file in alone.parquets)
    flats = tuple((base / file).as_posix() for file in alone.flats)
    whole = layout_of_folder(root, notes=notes)
    used = {*tables.values(), *parquets, *flats}
    others = (*whole.tables.values(), *whole.parquets, *whole.flats, *whole.unknown)
    unknown = tuple(file for file in others if file not in used)
    return Layout(root, tables, parquets, flats, whole.pictures, whole.spare, unknown)
