"""Export: the selected part of a study laid down in one format, with a manifest.

The same study and the same choice give the same bytes: nothing here asks a clock or counts
exports. A study of several data sets becomes one folder each.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from nova_review import __version__
from nova_review.domain.errors import StorageError, UserError
from nova_review.domain.reading import Outcome
from nova_review.domain.snapshot import StudySnapshot
from nova_review.domain.visibility import Page, is_past_lock, may_open
from nova_review.services.export_content import (
    ExportChoice,
    ExportContent,
    ExportFile,
    Selection,
    Writer,
    select,
)

MANIFEST = "manifest.json"
PROGRAM = "nova_review"
NOVA_NOTICE = (
    "If these rows come from the NOVA benchmark: cite Bercea et al., arXiv 2505.14064; "
    "CC BY-NC-SA 4.0; evaluation only, not for training."
)


class SnapshotSource(Protocol):
    """Where a study is read from, and where the export is written down."""

    def snapshot(self, file: Path) -> StudySnapshot:
        """Return the study's content, read in one transaction."""
        ...

    def note(self, file: Path, *, action: str, reason: str, details: str) -> None:
        """Append to the audit log."""
        ...


PutFolder = Callable[..., None]


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: paths relative to `folder`, the manifest, and a remark for the person or ""."""

    folder: Path
    files: tuple[str, ...]
    manifest: Mapping[str, Any]
    remark: str = ""


class ExportService:
    """Exports of a study in any of the known formats."""

    def __init__(self, source: SnapshotSource, writers: Mapping[str, Writer], put_folder: PutFolder) -> None:
        self._source = source
        self._writers = writers
        self._put_folder = put_folder

    @property
    def formats(self) -> tuple[str, ...]:
        """Names of the formats, in the order of their listing."""
        return tuple(self._writers)

    def export(
        self,
        file: Path,
        *,
        format_name: str,
        folder: Path,
        choice: ExportChoice,
        early_reason: str | None = None,
        overwrite: bool = False,
    ) -> Exported:
        """Write an export, whole or not at all.

        Raises NotAllowedError before the database lock unless `early_reason` is given, and UserError
        for an unknown format or reader or a folder in the way. An early look is audited before
        anything is written, and refused where it cannot be; past the lock a study that cannot be
        written (an archive, say) is exported with a remark.
        """
        if format_name not in self._writers:
            raise UserError(f"There is no format {format_name!r}. Known are: {', '.join(self._writers)}.")
        snapshot = self._source.snapshot(file)
        may_open(Page.EXPORT, snapshot.phase, early_reason=early_reason).require()
        selection = select(snapshot, choice)
        early = not is_past_lock(snapshot.phase)
        manifest = _manifest(snapshot, selection, format_name, choice, early_reason if early else None)
        files = sorted(_files(selection, self._writers[format_name]), key=lambda f: f.path)
        manifest["files"] = [f.path for f in files]
        files.append(ExportFile(MANIFEST, _json(manifest)))
        details = json.dumps({"format": format_name, "readers": selection.reader_codes, "early": early})
        if early:
            self._source.note(file, action="export", reason=early_reason or "", details=details)
        self._put_folder(folder, files, overwrite=overwrite, replaced=_earlier_files(folder))
        remark = "" if early else self._noted(file, reason=early_reason or "", details=details)
        return Exported(folder, tuple(f.path for f in files), manifest, remark)

    def _noted(self, file: Path, *, reason: str, details: str) -> str:
        try:
            self._source.note(file, action="export", reason=reason, details=details)
        except StorageError as error:
            return f"The export is written, but not noted in the study's own log: {error}"
        return ""


def _files(selection: Selection, writer: Writer) -> Iterator[ExportFile]:
    several = len(selection.contents) > 1
    for content in selection.contents:
        for file in writer(content):
            yield ExportFile(f"{content.data_set.code}/{file.path}", file.data) if several else file


def _manifest(
    snapshot: StudySnapshot,
    selection: Selection,
    format_name: str,
    choice: ExportChoice,
    early_reason: str | None,
) -> dict[str, Any]:
    manifest: dict[str, Any] = {
        "format": format_name,
        "program": PROGRAM,
        "version": __version__,
        "study_id": snapshot.study_id,
        "protocol_hash": snapshot.protocol_hash,
        "unit": snapshot.unit,
        "data_sets": [_data_set(c) for c in selection.contents],
        "readers": list(selection.reader_codes),
        "notes": choice.notes,
        "with_times": choice.with_times,
        "confidence_none": "written as score 1.0 where a format needs a score",
        "left_out": [{"what": row.what, "count": row.count} for row in selection.left_out],
        "notice": NOVA_NOTICE,
    }
    if snapshot.is_demo:
        manifest["synthetic"] = (
            "The demo study is synthetic: lesions, histories, readers and models are made."
        )
    if early_reason:
        manifest["before_lock"] = early_reason
    return manifest


def _data_set(content: ExportContent) -> dict[str, Any]:
    return {
        "code": content.data_set.code,
        "content_hash": content.data_set.content_hash,
        "slices": len(content.data_set.slices),
        "cases": len(content.data_set.cases),
        "gold": content.gold.source.value if content.gold else None,
        "gold_slices": len(content.gold.boxes) if content.gold else 0,
        "gold_boxes": sum(map(len, content.gold.boxes.values())) if content.gold else 0,
        "slice_readings": len(content.slice_readings),
        "case_readings": len(content.case_readings),
        "findings": sum(len(r.answer.findings) for r in content.slice_readings),
        "cannot_be_read": sum(r.answer.outcome is Outcome.CANNOT_READ for r in content.slice_readings),
        "size_assumed": sum(s.width is None for s in content.data_set.slices),
    }


def _earlier_files(folder: Path) -> Collection[str]:
    """Names of the files of an earlier export that lies in `folder`."""
    manifest = folder / MANIFEST
    try:
        said = json.loads(manifest.read_bytes()) if manifest.is_file() else None
    except (OSError, ValueError, RecursionError):
        return ()
    if (
        not isinstance(said, dict)
        or said.get("program") != PROGRAM
        or not isinstance(said.get("files"), list)
    ):
        return ()  # a manifest of somebody else: nothing that it lists is ours to take away
    return [MANIFEST, *map(str, said["files"])]


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode("utf-8")
