"""Tags, notes and saved filters in a study file, behind the port `services.failure_notes.FailureArchive`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_OID, uuid5

from sqlalchemy import ColumnElement, Connection, and_, delete, func, insert, select, update

from nova_review.domain.audit import AuditEntry
from nova_review.domain.errors import UserError
from nova_review.domain.study import Phase
from nova_review.services.answer_sets import SliceKey
from nova_review.services.failure_notes import (
    DEFAULT_TAGS,
    FailureNote,
    FailureTag,
    NoteSpot,
    Part,
    SavedFilter,
)
from nova_review.services.study_plan import new_key
from nova_review.storage.audit import append_audit
from nova_review.storage.engine import open_store
from nova_review.storage.schema_log import COORDINATOR
from nova_review.storage.schema_model import failure_note, failure_tag, prediction_set, saved_filter
from nova_review.storage.schema_secret import slice_file
from nova_review.storage.schema_study import data_set, reader, slice_
from nova_review.storage.study_reader import study_row


class SqliteFailures:
    """One method is one transaction on one file, which is opened and closed by it."""

    def phase(self, file: Path) -> Phase:
        """Return the phase of the study."""
        with _reading(file) as connection:
            return Phase(study_row(connection).phase)

    def tags(self, file: Path) -> tuple[FailureTag, ...]:
        """Return the taxonomy; the default one while none is stored."""
        with _reading(file) as connection:
            return _tags(connection)

    def put_tags(self, file: Path, tags: Sequence[FailureTag], *, at_utc: str) -> None:
        """Store the whole taxonomy; new names go to where a tag was used."""
        with _writing(file) as connection:
            old = {t.tag_id: t.name for t in _tags(connection)}
            study_id = study_row(connection).id
            _rename(connection, {old[t.tag_id]: t.name for t in tags if t.tag_id in old})
            connection.execute(delete(failure_tag))
            rows = [
                {"id": t.tag_id, "study_id": study_id, "ordinal": k, "name": t.name, "retired": t.retired}
                for k, t in enumerate(tags, start=1)
            ]
            if rows:
                connection.execute(insert(failure_tag), rows)
            _note(connection, "failure tags changed", f"{len(tags)} tags", at_utc)

    def notes(self, file: Path) -> tuple[FailureNote, ...]:
        """Return all tags, notes and flags in the order in which they were made."""
        with _reading(file) as connection:
            return tuple(_made(row) for row in connection.execute(_NOTES))

    def put_note(self, file: Path, note: FailureNote) -> FailureNote:
        """Store a note, in place of one with the same tag on the same spot; returns it as stored."""
        with _writing(file) as connection:
            place = _place(connection, note.spot)
            same = [failure_note.c[name].is_not_distinct_from(value) for name, value in place.items()]
            found = connection.scalar(
                select(failure_note.c.id).where(and_(*same, failure_note.c.tag == note.tag))
            )
            told = {"note": note.note, "made_by": note.made_by, "made_utc": note.made_utc}
            if found is None:
                row = {"id": note.note_id, "study_id": study_row(connection).id, **place, "tag": note.tag}
                connection.execute(insert(failure_note).values(**row, **told))
            else:
                connection.execute(update(failure_note).where(failure_note.c.id == found).values(**told))
            what = f"{note.tag or 'note'} on {_words(note.spot)}"
            _note(connection, "failure noted", what, note.made_utc)
            stored = found or note.note_id
            return _made(connection.execute(_NOTES.where(failure_note.c.id == stored)).one())

    def remove_note(self, file: Path, note_id: str, *, at_utc: str) -> None:
        """Take a note away, if it is there."""
        with _writing(file) as connection:
            row = connection.execute(_NOTES.where(failure_note.c.id == note_id)).one_or_none()
            if row is not None:
                one = _made(row)
                connection.execute(delete(failure_note).where(failure_note.c.id == note_id))
                what = f"{one.tag or 'note'} on {_words(one.spot)}"
                _note(connection, "failure note removed", what, at_utc)

    def filters(self, file: Path) -> tuple[SavedFilter, ...]:
        """Return the saved filters by name."""
        with _reading(file) as connection:
            rows = connection.execute(select(saved_filter))
            found = [SavedFilter(r.name, r.words, r.made_utc) for r in rows]
            return tuple(sorted(found, key=lambda f: (f.name.casefold(), f.name)))

    def put_filter(self, file: Path, one: SavedFilter) -> None:
        """Store a filter, in place of one of this name."""
        with _writing(file) as connection:
            connection.execute(delete(saved_filter).where(saved_filter.c.name == one.name))
            row = {"id": new_key(), "study_id": study_row(connection).id, "name": one.name}
            told = {"words": one.words, "made_utc": one.made_utc}
            connection.execute(insert(saved_filter).values(**row, **told))
            _note(connection, "filter saved", one.name, one.made_utc)

    def remove_filter(self, file: Path, name: str, *, at_utc: str) -> None:
        """Forget a filter, if it is there."""
        with _writing(file) as connection:
            gone = connection.execute(delete(saved_filter).where(saved_filter.c.name == name))
            if gone.rowcount:
                _note(connection, "filter removed", name, at_utc)


_NOTES = (
    select(
        failure_note,
        prediction_set.c.name.label("set_name"),
        data_set.c.code,
        slice_file.c.file_name,
    )
    .join(slice_, slice_.c.id == failure_note.c.slice_id)
    .join(slice_file, slice_file.c.slice_id == failure_note.c.slice_id)
    .join(data_set, data_set.c.id == slice_.c.data_set_id)
    .outerjoin(prediction_set, prediction_set.c.id == failure_note.c.prediction_set_id)
    .order_by(failure_note.c.made_utc, failure_note.c.id)
)


@contextmanager
def _reading(file: Path) -> Iterator[Connection]:
    with open_store(file) as store, store.read() as connection:
        yield connection


@contextmanager
def _writing(file: Path) -> Iterator[Connection]:
    with open_store(file) as store, store.begin() as connection:
        yield connection


def _tags(connection: Connection) -> tuple[FailureTag, ...]:
    found = connection.execute(select(failure_tag).order_by(failure_tag.c.ordinal)).all()
    if found:
        return tuple(FailureTag(r.id, r.name, r.retired) for r in found)
    # Keys that are always the same: the taxonomy may be edited from a look at it before it was stored.
    study_id = study_row(connection).id
    return tuple(FailureTag(str(uuid5(NAMESPACE_OID, f"{study_id} {n}")), n) for n in DEFAULT_TAGS)


def _rename(connection: Connection, names: dict[str, str]) -> None:
    """Give notes the new names of their tags, all at once: two tags may have changed places."""
    changed = {old: new for old, new in names.items() if old != new}
    rows = connection.execute(
        select(failure_note.c.id, failure_note.c.tag).where(failure_note.c.tag.in_(changed))
    )
    for row in rows.all():
        to_new = update(failure_note).where(failure_note.c.id == row.id).values(tag=changed[row.tag])
        connection.execute(to_new)


def _place(connection: Connection, spot: NoteSpot) -> dict[str, Any]:
    """What a spot is in columns; UserError where the study has no such set or slice."""
    slice_id = connection.scalar(_slice_called(spot.key))
    if slice_id is None:
        raise UserError(f"The study has no slice {spot.key[1]} in {spot.key[0]}.")
    named = prediction_set.c.name == spot.set_name
    set_id = connection.scalar(select(prediction_set.c.id).where(named)) if spot.set_name else None
    code = "" if set_id is not None else spot.set_name
    if code and not _is_reader(connection, code):
        raise UserError(f"The study has no prediction set or reader {code!r}.")
    return {
        "prediction_set_id": set_id,
        "reader_code": code,
        "slice_id": slice_id,
        "part": spot.part.value,
        "rank": spot.rank,
    }


def _slice_called(key: SliceKey) -> Any:
    return (
        select(slice_.c.id)
        .join(slice_file, slice_file.c.slice_id == slice_.c.id)
        .join(data_set, data_set.c.id == slice_.c.data_set_id)
        .where(data_set.c.code == key[0], slice_file.c.file_name == key[1])
    )


def _is_reader(connection: Connection, name: str) -> bool:
    """Whether this is the code of a reader, perhaps with the name of an arm behind it ("R01.image")."""
    code: ColumnElement[bool] = reader.c.code == name.partition(".")[0]
    return bool(connection.scalar(select(func.count()).select_from(reader).where(code)))


def _made(row: Any) -> FailureNote:
    spot = NoteSpot(
        row.set_name or row.reader_code, (row.code, row.file_name), part=Part(row.part), rank=row.rank
    )
    return FailureNote(row.id, spot, row.tag, row.note, row.made_by, row.made_utc)


def _words(spot: NoteSpot) -> str:
    box = f", {spot.part} {spot.rank}" if spot.rank is not None else ""
    return f"{spot.key[0]}/{spot.key[1]}{box}, {spot.set_name or 'any set'}"


def _note(connection: Connection, action: str, details: str, at_utc: str) -> None:
    entry = AuditEntry(action, COORDINATOR, at_utc, "", details)
    append_audit(connection, study_id=study_row(connection).id, actor=COORDINATOR, entry=entry)
