"""The formats of export by name, and where each finds what it needs."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from nova_review.domain.errors import FormatError
from nova_review.domain.snapshot import SnapshotSlice
from nova_review.formats.exchange.coco import remarks_on_coco, write_coco
from nova_review.formats.exchange.croissant import remarks_on_croissant, write_croissant
from nova_review.formats.exchange.croissant_metadata import (
    remarks_on_croissant_metadata,
    write_croissant_metadata,
)
from nova_review.formats.exchange.croissant_tasks import remarks_on_croissant_tasks, write_croissant_tasks
from nova_review.formats.exchange.flat_csv import remarks_on_gold, write_flat_csv
from nova_review.formats.exchange.gaze_env import remarks_on_gaze_env, write_gaze_env
from nova_review.formats.exchange.gaze_lines import remarks_on_gaze_lines, write_gaze_lines
from nova_review.formats.exchange.gaze_run import remarks_on_gaze_run, write_gaze_run
from nova_review.formats.exchange.hf import remarks_on_hf, write_hf
from nova_review.formats.exchange.material import licence_of, parquet_names, plain_picture
from nova_review.formats.exchange.nova_csv import write_nova_csv
from nova_review.formats.exchange.nova_parquet import write_nova_parquet
from nova_review.formats.exchange.staging import put_folder
from nova_review.formats.exchange.waldo import remarks_on_waldo, write_waldo
from nova_review.formats.nova_paths import read_picture
from nova_review.formats.synonym_tables import diagnosis_synonyms
from nova_review.services.export_content import Format
from nova_review.services.export_material import DataSetMaterial, Licence, PictureOf
from nova_review.services.export_sources import ExportSources, Materials
from nova_review.services.exporting import ExportService
from nova_review.services.resources import resource
from nova_review.services.studies import StudyService
from nova_review.storage.data_set_folders import data_set_folders
from nova_review.storage.engine import Store, open_store
from nova_review.storage.slice_pictures import SqlSlicePictures
from nova_review.storage.study_reader import study_row

FORMATS = {
    "nova-csv": Format(write_nova_csv),
    "nova-parquet": Format(write_nova_parquet),
    "gaze-lines": Format(write_gaze_lines, remarks_on_gaze_lines, holds_sets=True),
    "gaze-run": Format(write_gaze_run, remarks_on_gaze_run, holds_sets=True),
    "waldo": Format(write_waldo, remarks_on_waldo, holds_sets=True),
    "croissant": Format(write_croissant, remarks_on_croissant, holds_sets=True),
    "coco": Format(write_coco, remarks_on_coco, holds_sets=True),
    "flat-csv": Format(write_flat_csv, remarks_on_gold),
    "hf": Format(write_hf, remarks_on_hf),
    "gaze-env": Format(write_gaze_env, remarks_on_gaze_env),
    "croissant-metadata": Format(write_croissant_metadata, remarks_on_croissant_metadata),
    "croissant-tasks": Format(write_croissant_tasks, remarks_on_croissant_tasks, holds_sets=True),
}


def export_service(studies: StudyService) -> ExportService:
    """Return the service that writes exports of study files."""
    sources = ExportSources(
        prediction_sets=studies.prediction_sets,
        judged_pairs=studies.judged_pairs,
        synonyms=diagnosis_synonyms,
        materials=_materials,
    )
    return ExportService(studies, FORMATS, put_folder, sources)


@contextmanager
def _materials(file: Path) -> Iterator[Materials]:
    """What lies with the data sets of a study, its pictures readable while this is open."""
    with open_store(file) as store:
        with store.read() as connection:
            folders = data_set_folders(connection, study_file=store.path)
            is_demo = bool(study_row(connection).is_demo)
        yield {code: _material(store, folder, is_demo=is_demo) for code, folder in folders.items()}


def _material(store: Store, folder: Path | None, *, is_demo: bool) -> DataSetMaterial:
    licence = licence_of(folder) if folder is not None else None
    return DataSetMaterial(
        licence=_demo_licence() if is_demo else licence,
        parquet_names=parquet_names(folder) if folder is not None else None,
        picture_of=_picture_reader(store, folder),
    )


def _demo_licence() -> Licence:
    notice = resource("demo", "NOTICE.md").read_text(encoding="utf-8")
    return Licence("BSD-3-Clause and the MNI notice, see LICENCE.txt", notice, "NOTICE.md")


def _picture_reader(store: Store, folder: Path | None) -> PictureOf:
    """Pictures from the study file, else from the data set's folder if they are still what was checked."""
    pictures = SqlSlicePictures(store)

    def picture_of(record: SnapshotSlice) -> bytes | None:
        _, embedded = pictures.image(record.id)
        data = embedded if embedded is not None else _from_folder(folder, record)
        return plain_picture(data, name=record.file_name) if data is not None else None

    return picture_of


def _from_folder(folder: Path | None, record: SnapshotSlice) -> bytes | None:
    if folder is None or record.image_path is None:
        return None
    try:
        data = read_picture(str(folder), record.image_path)
    except FormatError:
        return None
    is_the_same = record.sha256 is None or hashlib.sha256(data).hexdigest() == record.sha256
    return data if is_the_same else None
