"""The export as a use case: the lock, the manifest, and nothing that changes from day to day."""

import json
import os
from collections.abc import Collection, Iterable
from pathlib import Path

import pytest

from nova_review.domain.errors import NotAllowedError, StorageError, UserError
from nova_review.domain.snapshot import StudySnapshot
from nova_review.domain.study import Phase
from nova_review.services.export_content import ExportChoice, ExportContent, ExportFile
from nova_review.services.exporting import ExportService, earlier_files
from tests.helpers.studies import case_reading, data_set, finding, slice_reading, snapshot


class Source:
    def __init__(self, study: StudySnapshot) -> None:
        self.study = study
        self.notes: list[tuple[str, str]] = []

    def snapshot(self, file: Path) -> StudySnapshot:
        return self.study

    def note(self, file: Path, *, action: str, reason: str, details: str) -> None:
        self.notes.append((action, reason))


class Folder:
    def __init__(self) -> None:
        self.files: dict[str, bytes] = {}

    def put(
        self, folder: Path, files: Iterable[ExportFile], *, overwrite: bool, replaced: Collection[str]
    ) -> None:
        self.files = {f.path: f.data for f in files}


def one_table(content: ExportContent) -> Iterable[ExportFile]:
    yield ExportFile("table.csv", str(len(content.slice_readings)).encode())


def export(
    study: StudySnapshot, reason: str | None = None, format_name: str = "table"
) -> tuple[Source, Folder]:
    source, folder = Source(study), Folder()
    service = ExportService(source, {"table": one_table}, folder.put)
    service.export(
        Path("s.nova"),
        format_name=format_name,
        folder=Path("out"),
        choice=ExportChoice(),
        early_reason=reason,
    )
    return source, folder


def test_before_the_lock_a_reason_is_needed_audited_and_printed() -> None:
    study = snapshot(slices=[slice_reading()], phase=Phase.READING)
    with pytest.raises(NotAllowedError, match="opens after the database lock"):
        export(study)
    with pytest.raises(NotAllowedError):
        export(study, reason="  ")
    source, folder = export(study, reason="interim safety look")
    assert source.notes == [("export", "interim safety look")]
    assert json.loads(folder.files["manifest.json"])["before_lock"] == "interim safety look"


class ReadOnlySource(Source):
    def note(self, file: Path, *, action: str, reason: str, details: str) -> None:
        raise StorageError("s.nova cannot be written.")


def export_from_read_only(study: StudySnapshot, reason: str | None = None) -> tuple[str, Folder]:
    folder = Folder()
    done = ExportService(ReadOnlySource(study), {"table": one_table}, folder.put)
    try:
        made = done.export(
            Path("s.nova"),
            format_name="table",
            folder=Path("out"),
            choice=ExportChoice(),
            early_reason=reason,
        )
    except StorageError as error:
        return str(error), folder
    return made.remark, folder


def test_an_early_look_that_cannot_be_audited_writes_nothing() -> None:
    said, folder = export_from_read_only(snapshot(slices=[slice_reading()], phase=Phase.READING), "a look")
    assert said == "s.nova cannot be written."
    assert folder.files == {}


def test_a_closed_study_that_cannot_be_written_is_exported_with_a_remark() -> None:
    said, folder = export_from_read_only(snapshot(slices=[slice_reading()]))
    assert "not noted in the study's own log: s.nova cannot be written." in said
    assert "table.csv" in folder.files


def test_the_manifest_counts_and_names_codes_only() -> None:
    study = snapshot(slices=[slice_reading(findings=[finding()])], cases=[case_reading()])
    _, folder = export(study)
    text = folder.files["manifest.json"].decode()
    manifest = json.loads(text)
    assert manifest["readers"] == ["R01", "R02", "R03"]
    assert manifest["data_sets"][0]["findings"] == 1
    assert manifest["data_sets"][0]["gold"] == "dataset"
    assert manifest["files"] == ["table.csv"]
    assert "Anna" not in text
    assert "before_lock" not in manifest


def test_a_reason_after_the_lock_is_not_called_an_early_look() -> None:
    _, folder = export(snapshot(), reason="no need")
    assert "before_lock" not in json.loads(folder.files["manifest.json"])


def test_the_same_study_gives_the_same_bytes() -> None:
    study = snapshot(slices=[slice_reading()])
    assert export(study)[1].files == export(study)[1].files


def test_several_data_sets_get_a_folder_each() -> None:
    _, folder = export(snapshot(data_sets=[data_set(), data_set(code="other")]))
    assert sorted(folder.files) == ["demo/table.csv", "manifest.json", "other/table.csv"]


def test_the_demo_says_that_it_is_synthetic() -> None:
    assert "synthetic" in json.loads(export(snapshot(is_demo=True))[1].files["manifest.json"])


def test_an_unknown_format_names_the_known_ones() -> None:
    with pytest.raises(UserError, match=r"no format 'word'. Known are: table."):
        export(snapshot(), format_name="word")


@pytest.mark.parametrize(
    ("content", "gone"),
    [
        ('{"program": "nova_review", "files": ["a.csv"]}', ["manifest.json", "a.csv"]),
        ('{"program": "other", "files": ["a.csv"]}', []),
        ('{"files": ["a.csv"]}', []),
        ('{"program": "nova_review", "files": 3}', []),
        ("[1]", []),
        ("[" * 100_000, []),
        ("\x00", []),
    ],
)
def test_only_the_files_of_an_export_of_ours_are_replaced(
    tmp_path: Path, content: str, gone: list[str]
) -> None:
    (tmp_path / "manifest.json").write_text(content)
    assert list(earlier_files(tmp_path)) == gone


def test_a_manifest_that_is_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "manifest.json")
    assert list(earlier_files(tmp_path)) == []
