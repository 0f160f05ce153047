"""NOVA-style data sets: a folder or one table file in, one joined DataSet out.

Bercea et al., NOVA, arXiv 2505.14064 (Hub id c-i-ber/Nova, CC BY-NC-SA 4.0, evaluation only).
"""

import os
from collections.abc import Callable
from pathlib import Path

from nova_review.domain.dataset import DataSet
from nova_review.domain.errors import FormatError
from nova_review.formats.nova_csv import read_csv_form
from nova_review.formats.nova_forms import Form
from nova_review.formats.nova_hub import fetch_hub_folder, is_hub_id
from nova_review.formats.nova_join import join
from nova_review.formats.nova_layout import Layout, layout_of_folder
from nova_review.formats.nova_listing import list_slices
from nova_review.formats.nova_merge import merge
from nova_review.formats.nova_notes import Notebook, escaped
from nova_review.formats.nova_parquet import read_parquet_form
from nova_review.formats.nova_paths import read_picture
from nova_review.formats.nova_pictures import CancelledError, PictureIndex, probe_all
from nova_review.formats.nova_records import read_flat_form
from nova_review.formats.nova_root import layout_of_table
from nova_review.services.data_set_report import to_report

__all__ = [
    "CancelledError",
    "is_hub_id",
    "read_data_set",
    "read_hub_data_set",
    "read_picture",
    "to_report",
]

_SHOWN_PATH = 1000
_BOX_TABLES = {"bboxes_gold.csv", "bboxes_raters.csv"}


def read_data_set(path: str | Path, *, progress: Callable[[int, int], bool] | None = None) -> DataSet:
    """Read a data set from a folder or from one table file; nothing is changed or fetched.

    Bad tables, rows and pictures end in `errors` and `warnings`, never in an exception.
    `progress(done, total)` is called for each picture; CancelledError once it returns False.
    Raises FormatError if `path` is not there, or holds nothing of a data set.
    """
    notes = Notebook()
    layout = _layout(Path(path), notes=notes)
    forms = [form for form in read_forms(layout, notes=notes) if _supplies(form)]
    merged = merge(forms, notes=notes)
    index = PictureIndex(layout.root, layout.pictures, layout.spare)
    only_boxes = set(layout.tables) <= _BOX_TABLES and not layout.parquets and not layout.flats
    listed = list_slices(merged, index, only_boxes=only_boxes, notes=notes)
    wanted = [entry.place.path for entry in listed if entry.place.path is not None]
    probes = probe_all(layout.root, wanted, progress=progress)
    return join(layout, merged, listed, probes, notes=notes)


def read_hub_data_set(
    hub_id: str, *, cache: Path, progress: Callable[[int, int], bool] | None = None
) -> DataSet:
    """Fetch a data set (owner/name) from the Hugging Face Hub into `cache` and read it.

    Call this only when a person asked for the Hub. Raises FormatError if it cannot be fetched.
    """
    return read_data_set(fetch_hub_folder(hub_id, cache=cache), progress=progress)


def _layout(path: Path, *, notes: Notebook) -> Layout:
    shown = escaped(str(path), limit=_SHOWN_PATH)
    if not path.exists():
        hint = " If it is a data set of the Hub, ask for that with --hub." if is_hub_id(str(path)) else ""
        raise FormatError(f"{shown}: there is no such folder or file. Check the name.{hint}")
    real = Path(os.path.realpath(path))
    if real.is_file():
        return layout_of_table(real, notes=notes)
    layout = layout_of_folder(real, notes=notes)
    if not layout.has_table and not layout.pictures:
        raise FormatError(
            f"{shown}: nothing of a data set is here. Expected are captions.csv, case_metadata.csv, "
            "bboxes_gold.csv, bboxes_raters.csv, a parquet or flat CSV table, or pictures in images/."
        )
    return layout


def read_forms(layout: Layout, *, notes: Notebook) -> list[Form]:
    """Read every form that is there, in the order in which they are believed."""
    forms = []
    if layout.tables:
        forms.append(read_csv_form(layout.root, layout.tables, notes=notes))
    if layout.parquets:
        forms.append(read_parquet_form(layout.root, layout.parquets, notes=notes))
    if layout.flats:
        forms.append(read_flat_form(layout.root, layout.flats, notes=notes))
    return forms


def _supplies(form: Form) -> bool:
    return any(part is not None for part in (form.listing, form.cases, form.gold, form.readers))
