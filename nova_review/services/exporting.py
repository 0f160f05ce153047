"""Export: the selected part of a study laid down in one format, with a manifest.

The same study and the same choice give the same bytes: nothing here asks a clock or counts
exports. A study of several data sets becomes one folder each.
"""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from nova_review.domain.errors import StorageError, UserError
from nova_review.domain.snapshot import StudySnapshot
from nova_review.domain.visibility import Page, is_past_lock, may_open
from nova_review.services.export_content import (
    ExportChoice,
    ExportFile,
    Format,
    Selection,
    Writer,
)
from nova_review.services.export_manifest import NOVA_NOTICE as NOVA_NOTICE
from nova_review.services.export_manifest import PROGRAM, manifest_of
from nova_review.services.export_sources import NO_SOURCES, ExportSources, filled, gather

MANIFEST = "manifest.json"


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

    def __init__(
        self,
        source: SnapshotSource,
        formats: Mapping[str, Format | Writer],
        put_folder: PutFolder,
        sources: ExportSources = NO_SOURCES,
    ) -> None:
        self._source = source
        self._formats = {n: f if isinstance(f, Format) else Format(f) for n, f in formats.items()}
        self._put_folder = put_folder
        self._sources = sources

    @property
    def formats(self) -> tuple[str, ...]:
        """Names of the formats, in the order of their listing."""
        return tuple(self._formats)

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
        if format_name not in self._formats:
            raise UserError(f"There is no format {format_name!r}. Known are: {', '.join(self._formats)}.")
        snapshot = self._source.snapshot(file)
        may_open(Page.EXPORT, snapshot.phase, early_reason=early_reason).require()
        early = not is_past_lock(snapshot.phase)
        written, manifest = self._laid_out(
            file, snapshot, format_name, choice, early_reason=early_reason if early else None
        )
        details = json.dumps({"format": format_name, "readers": manifest["readers"], "early": early})
        if early:
            self._source.note(file, action="export", reason=early_reason or "", details=details)
        self._put_folder(folder, written, overwrite=overwrite, replaced=earlier_files(folder))
        remark = "" if early else self._noted(file, reason=early_reason or "", details=details)
        return Exported(folder, tuple(f.path for f in written), manifest, remark)

    def _laid_out(
        self,
        file: Path,
        snapshot: StudySnapshot,
        format_name: str,
        choice: ExportChoice,
        *,
        early_reason: str | None,
    ) -> tuple[list[ExportFile], dict[str, Any]]:
        """All files of the export, the manifest last, and the manifest as it stands there."""
        chosen = self._formats[format_name]
        stored = self._sources.prediction_sets(file)
        gathered = gather(snapshot, stored, choice, holds_sets=chosen.holds_sets)
        with self._sources.materials(file) as materials:
            selection = filled(gathered, self._sources.judged_pairs(file), materials, self._sources.synonyms)
            files = sorted(_files(selection, chosen.write), key=lambda f: f.path)
            manifest = manifest_of(
                snapshot,
                selection,
                choice,
                format_name=format_name,
                early_reason=early_reason,
                sets=gathered.sets,
                remarks={c.data_set.code: chosen.remarks(c) for c in selection.contents},
            )
        manifest["files"] = [f.path for f in files]
        return [*files, ExportFile(MANIFEST, _json(manifest))], manifest

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


def earlier_files(folder: Path) -> Collection[str]:
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
