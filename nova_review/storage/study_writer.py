"""A planned study written down, table by table, into an empty file."""

import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert

from nova_review.domain.dataset import DataSet, ImageState, Oddity
from nova_review.domain.errors import UserError
from nova_review.domain.protocol import Protocol, protocol_document, protocol_hash
from nova_review.services.ports import Progress
from nova_review.services.studies import PictureBytes
from nova_review.services.study_plan import (
    PlannedCase,
    PlannedDataSet,
    StudyPlan,
    new_key,
)
from nova_review.storage.reader_writer import write_reader
from nova_review.storage.rows import RowWriter
from nova_review.storage.schema_gold import gold_box
from nova_review.storage.schema_secret import (
    case_history,
    case_secret,
    data_set_folder,
    image,
    oddity,
    remark,
    slice_file,
    slice_secret,
)
from nova_review.storage.schema_study import (
    data_set,
    protocol,
    slice_,
    stage,
    study,
    study_case,
)


def write_study(
    connection: Connection,
    plan: StudyPlan,
    *,
    file: Path,
    made_by: str,
    picture_bytes: PictureBytes | None,
    progress: Progress | None,
) -> None:
    """Write the whole plan; `file` is where the study will lie, for relative paths of pictures."""
    _write_head(connection, plan, made_by)
    write = RowWriter(connection, plan.id)
    steps = _Steps(plan, progress)
    for ordinal, data in enumerate(plan.data_sets, start=1):
        _write_data_set(write, data, ordinal, file)
        if picture_bytes is not None:
            _embed(write, data, picture_bytes, steps)
    for ordinal, planned in enumerate(plan.readers, start=1):
        write_reader(write, planned, ordinal=ordinal, unit=plan.protocol.unit, at_utc=plan.created_utc)
    write.rows(
        remark,
        [
            {"id": new_key(), "ordinal": i, "code": r.code, "message": r.message}
            for i, r in enumerate(plan.remarks, start=1)
        ],
    )


class _Steps:
    """Tells the progress of embedding; a person may stop it."""

    def __init__(self, plan: StudyPlan, progress: Progress | None) -> None:
        self._total = sum(len(c.slices) for d in plan.data_sets for c in d.cases)
        self._done = 0
        self._progress = progress

    def step(self) -> None:
        """Count one slice; raises UserError if the person stopped."""
        self._done += 1
        if self._progress is not None and not self._progress(self._done, self._total):
            raise UserError("Stopped. No study was written.")


def _write_head(connection: Connection, plan: StudyPlan, made_by: str) -> None:
    connection.execute(
        insert(study).values(
            id=plan.id,
            title=plan.title,
            phase=plan.phase,
            is_demo=plan.is_demo,
            seed=plan.seed,
            created_utc=plan.created_utc,
            closed_utc=None,
            made_by=made_by,
        )
    )
    write_protocol(connection, plan.id, plan.protocol, locked_utc=plan.created_utc)


def write_protocol(connection: Connection, study_id: str, document: Protocol, *, locked_utc: str) -> None:
    """Write a protocol version with the stages of its arms, locked at once."""
    key = new_key()
    text = json.dumps(protocol_document(document), sort_keys=True, ensure_ascii=False)
    write = RowWriter(connection, study_id)
    row = {"id": key, "version": document.version, "document": text, "hash": protocol_hash(document)}
    write.rows(protocol, [{**row, "locked_utc": locked_utc}])
    write.rows(
        stage,
        [
            {
                "protocol_id": key,
                "arm": arm.code,
                "number": step.number,
                "name": step.name,
                "level": step.level,
                "shows": json.dumps(sorted(step.shows)),
                "asks": json.dumps(sorted(step.asks)),
                "sentence": step.sentence,
            }
            for arm in document.arms
            for step in arm.stages
        ],
    )


def _write_data_set(write: RowWriter, planned: PlannedDataSet, ordinal: int, file: Path) -> None:
    source = planned.source
    row = {"id": planned.id, "ordinal": ordinal, "code": planned.code, "content_hash": planned.content_hash}
    write.rows(data_set, [{**row, "has_gold": bool(source.gold)}])
    folder = {
        "root": source.root,
        "relative_root": _relative(Path(source.root).resolve(), file.resolve().parent),
    }
    write.rows(data_set_folder, [{"data_set_id": planned.id, **folder}])
    _write_cases(write, planned)
    _write_slices(write, planned)
    _write_gold(write, planned)
    write.rows(oddity, list(_oddity_rows(planned.id, source)))


def _relative(root: Path, folder: Path) -> str | None:
    try:
        return Path(os.path.relpath(root.resolve(), folder.resolve())).as_posix()
    except ValueError:  # another drive
        return None


def _write_cases(write: RowWriter, planned: PlannedDataSet) -> None:
    cases, owner = planned.cases, {"data_set_id": planned.id}
    write.rows(study_case, [{"id": c.id, **owner, "ordinal": i} for i, c in enumerate(cases, start=1)])
    write.rows(
        case_history,
        [
            {"case_id": c.id, "clinical_history": c.record.clinical_history}
            for c in cases
            if c.record.clinical_history is not None
        ],
    )
    write.rows(case_secret, [{**owner, **_secrets(c)} for c in cases])


def _secrets(case: PlannedCase) -> dict[str, Any]:
    record = case.record
    return {
        "case_id": case.id,
        "code": record.code,
        "title": record.title,
        "publication_date": record.publication_date,
        "differential_diagnosis": record.differential_diagnosis,
        "final_diagnosis": record.final_diagnosis,
        "link": record.link,
    }


def _write_slices(write: RowWriter, planned: PlannedDataSet) -> None:
    ordinals = {s.file_name: i for i, s in enumerate(planned.source.slices, start=1)}
    seen, files, secrets = [], [], []
    for case in planned.cases:
        for one in case.slices:
            record = one.record
            seen.append(
                {
                    "id": one.id,
                    "data_set_id": planned.id,
                    "case_id": case.id,
                    "ordinal": ordinals[record.file_name],
                    "number": one.number,
                    "image_state": record.image_state,
                    "width": record.width,
                    "height": record.height,
                }
            )
            file = {"file_name": record.file_name, "scan_id": record.scan_id}
            place = {"image_path": record.image_path, "sha256": record.sha256}
            files.append({"slice_id": one.id, "data_set_id": planned.id, **file, **place})
            secrets.append({"slice_id": one.id, "caption": record.caption})
    write.rows(slice_, seen)
    write.rows(slice_file, files)
    write.rows(slice_secret, secrets)


def _write_gold(write: RowWriter, planned: PlannedDataSet) -> None:
    ids = {s.record.file_name: s.id for c in planned.cases for s in c.slices}
    write.rows(
        gold_box,
        [
            {
                "data_set_id": planned.id,
                "ordinal": ordinal,
                "slice_id": ids[gold.file_name],
                "x": gold.box.x,
                "y": gold.box.y,
                "width": gold.box.width,
                "height": gold.box.height,
            }
            for ordinal, gold in enumerate(planned.source.gold, start=1)
            if gold.file_name in ids
        ],
    )


def _oddity_rows(data_set_id: str, source: DataSet) -> Iterator[dict[str, Any]]:
    told: list[tuple[str, Oddity]] = [("warning", o) for o in source.warnings]
    told += [("error", o) for o in source.errors]
    for ordinal, (severity, one) in enumerate(told, start=1):
        yield {
            "data_set_id": data_set_id,
            "ordinal": ordinal,
            "severity": severity,
            "code": one.code,
            "file": one.file,
            "row": one.row,
            "value": one.value,
            "message": one.message,
        }


def _embed(write: RowWriter, planned: PlannedDataSet, read: Callable[..., bytes], steps: _Steps) -> None:
    for case in planned.cases:
        for one in case.slices:
            if one.record.image_state is ImageState.USABLE:
                write.rows(image, [{"slice_id": one.id, "bytes": read(planned.source, one.record)}])
            steps.step()
