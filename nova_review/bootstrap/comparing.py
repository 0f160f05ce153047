"""Compare, put together: the service, the verb and the desk of the page. Imported when one is used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from nova_review.analysis.texts.judge import Judge
from nova_review.formats.compare_html import compare_page
from nova_review.formats.compare_images import overlay_pictures
from nova_review.formats.contact_sheet import contact_sheets, sheets_pdf
from nova_review.formats.exchange.staging import put_folder
from nova_review.formats.images import decode
from nova_review.formats.synonym_tables import diagnosis_synonyms
from nova_review.formats.verdict_table import verdict_table_bytes
from nova_review.services.clock import SystemClock
from nova_review.services.compare_desk import CompareDesk
from nova_review.services.compare_export import CompareExport, CompareFiles
from nova_review.services.compare_verb import CompareVerb
from nova_review.services.comparing import CompareService
from nova_review.services.failure_tagging import FailureTagging
from nova_review.storage.engine import open_store
from nova_review.storage.failure_store import SqliteFailures
from nova_review.storage.slice_pictures import SqlSlicePictures

if TYPE_CHECKING:
    from nova_review.services.studies import StudyService
    from nova_review.storage.engine import Store

_FILES = CompareFiles(
    table=verdict_table_bytes,
    sheets=contact_sheets,
    pdf=sheets_pdf,
    html=compare_page,
    images=overlay_pictures,
    put_folder=put_folder,
)


def failure_tagging() -> FailureTagging:
    """Return the service of tags, notes and saved filters."""
    return FailureTagging(SqliteFailures(), SystemClock(), lambda: str(uuid4()))


def compare_service(studies: StudyService) -> CompareService:
    """Return the service that compares; it judges diagnoses as everything that scores them does."""

    def judge_of(file: Path) -> Judge:
        return Judge(studies.judged_pairs(file), _synonyms())

    return CompareService(studies, failure_tagging(), judge_of)


def compare_verb(studies: StudyService) -> CompareVerb:
    """Return what the verb runs."""
    return CompareVerb(compare_service(studies), CompareExport(_FILES, studies), _pictures_of, decode)


def compare_desk(file: Path, store: Store, studies: StudyService) -> CompareDesk:
    """Return the desk of the page on an open study."""
    export = CompareExport(_FILES, studies)
    return CompareDesk(file, compare_service(studies), export, SqlSlicePictures(store), decode)


_synonyms = lru_cache(maxsize=1)(diagnosis_synonyms)


@contextmanager
def _pictures_of(file: Path) -> Iterator[SqlSlicePictures]:
    with open_store(file) as store:
        yield SqlSlicePictures(store)
