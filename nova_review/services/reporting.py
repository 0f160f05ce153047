"""Report: a study's design, readers, agreement and adjudication in one file to be printed or sent."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from nova_review.domain.errors import UserError
from nova_review.domain.snapshot import StudySnapshot
from nova_review.services.agreement import STUDY_SUFFIX, AgreementResult, AgreementService
from nova_review.services.agreement_measures import Linked, Measured, linked
from nova_review.services.agreement_readings import AgreementRequest
from nova_review.services.report_blocks import ReportText
from nova_review.services.report_study import report_text
from nova_review.services.study_views import StudyInfo


class ReportSource(Protocol):
    """Where a study is read from."""

    def snapshot(self, file: Path) -> StudySnapshot: ...
    def info(self, file: Path) -> StudyInfo: ...


class WriteReport(Protocol):
    """Turns a report into the bytes of a file."""

    def __call__(self, text: ReportText, measured: Measured, view: Linked) -> bytes: ...


@dataclass(frozen=True, slots=True)
class ReportFiles:
    """How reports are written: writers by suffix, the figures there are (name: caption), a whole file."""

    writers: Mapping[str, WriteReport]
    figures: Callable[[Measured, Linked], Mapping[str, str]]
    put_file: Callable[[Path, bytes], None]


class ReportService:
    """Writes reports; what is in one is decided by the same law as the agreement."""

    def __init__(self, source: ReportSource, agreement: AgreementService, files: ReportFiles) -> None:
        self._source = source
        self._agreement = agreement
        self._files = files

    @property
    def suffixes(self) -> tuple[str, ...]:
        """The kinds of files that can be written."""
        return tuple(self._files.writers)

    def write(
        self,
        file: Path,
        out: Path,
        *,
        request: AgreementRequest,
        early_reason: str | None = None,
        overwrite: bool = False,
    ) -> AgreementResult:
        """Write a report, whole or not at all; its suffix decides the kind.

        Raises NotAllowedError before the database lock unless a reason is given (which is audited
        and printed), and UserError for an unknown suffix or a file in the way.
        """
        writer = self._files.writers.get(out.suffix.lower())
        if writer is None:
            raise UserError(f"A report ends in {' or '.join(self.suffixes)} (got {out.name}).")
        if file.suffix != STUDY_SUFFIX:
            raise UserError(f"A report is made of a study file, ending in {STUDY_SUFFIX} (got {file.name}).")
        if out.exists() and not overwrite:
            raise UserError(f"{out} is there already. Give another name, or add --overwrite.")
        result = self._agreement.measure_study(file, request, early_reason=early_reason)
        measured = result.measured
        view = linked(measured, measured.headline_threshold)
        figures = self._files.figures(measured, view)
        text = report_text(self._source.snapshot(file), self._source.info(file), result, view, figures)
        self._files.put_file(out, writer(text, measured, view))
        return result
