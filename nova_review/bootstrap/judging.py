"""The door to the judging of diagnoses, and the service behind it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from nova_review.domain.study import Phase
from nova_review.domain.visibility import Page, may_open

if TYPE_CHECKING:
    from collections.abc import Callable

    from nova_review.services.judgements import JudgementService
    from nova_review.services.judging import JudgingDesk
    from nova_review.services.studies import StudyService
    from nova_review.ui.who_reads import PageDoor


def judgement_service(studies: StudyService) -> JudgementService:
    """Return the service over the study files of the house."""
    from nova_review.formats.judgement_table import judgement_table_bytes, read_judgements
    from nova_review.formats.synonym_tables import diagnosis_synonyms
    from nova_review.formats.whole_file import put_file
    from nova_review.services.judgements import JudgementService

    return JudgementService(
        studies,
        synonyms=diagnosis_synonyms,
        read=read_judgements,
        table_bytes=judgement_table_bytes,
        put_file=put_file,
    )


def judging_doors(
    file: Path, phase: Phase, service: Callable[[], JudgementService] | None
) -> tuple[PageDoor, ...]:
    """Return the door to the judging page, none before the database lock."""
    from nova_review.ui.who_reads import PageDoor  # slow import, while the window is painted

    if service is None or not may_open(Page.JUDGE, phase).allowed:
        return ()
    make = service

    def sit_down_with() -> Callable[[str], JudgingDesk]:
        judgements = make()
        return lambda name: judgements.sit_down(file, name)

    note = "Say which answered diagnoses are the same as the data set's."
    return (PageDoor(Page.JUDGE, "Judge diagnoses", "D", note, sit_down_with),)
