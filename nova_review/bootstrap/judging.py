"""The door to the judging of diagnoses, and the service behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nova_review.services.judgements import JudgementService
    from nova_review.services.studies import StudyService


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
