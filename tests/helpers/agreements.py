"""Agreement measured for tests: a service over studies in memory, without files."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from nova_review.domain.dataset import DataSet
from nova_review.domain.snapshot import StudySnapshot
from nova_review.services.agreement import AgreementFiles, AgreementService
from nova_review.services.agreement_tables import Table
from nova_review.services.export_content import ExportFile
from nova_review.services.ports import Progress


@dataclass
class OneStudy:
    """Stands in for the study service: one snapshot behind every file, and the audit log."""

    content: StudySnapshot
    noted: list[tuple[str, str]] = field(default_factory=list)

    def snapshot(self, file: Path) -> StudySnapshot:
        return self.content

    def note(self, file: Path, *, action: str, reason: str, details: str) -> None:
        self.noted.append((action, reason))


@dataclass
class KeptFolder:
    """Stands in for the writer of folders: keeps what was written."""

    files: dict[str, bytes] = field(default_factory=dict)

    def __call__(
        self, folder: Path, files: Iterable[ExportFile], *, overwrite: bool, replaced: Collection[str] = ()
    ) -> None:
        self.files = {f.path: f.data for f in files}


def no_data_set(path: Path, progress: Progress) -> DataSet:
    raise AssertionError("no data set was to be read")


def plain_bytes(table: Table) -> bytes:
    return "\n".join(",".join(map(str, row)) for row in (table.columns, *table.rows)).encode()


def service_for(content: StudySnapshot) -> tuple[AgreementService, OneStudy, KeptFolder]:
    """A service on one study, its audit log, and the folder that it writes."""
    study, folder = OneStudy(content), KeptFolder()
    files = AgreementFiles(
        read_data_set=no_data_set,
        read_boxes=lambda path: None,
        table_bytes=plain_bytes,
        figures=lambda measured, view: (),
        put_folder=folder,
    )
    return AgreementService(study, files), study, folder
