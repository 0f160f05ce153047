"""When imported answers open the case stage of a reader who is still reading: by the rule of the page.

A case answer in a file must not show its reader a history before stage 1 of every slice in the
scope is locked; and where an import locks the last of them, he must not be left before a shut door.
"""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from sqlalchemy import Connection, update

from nova_review.domain.protocol import Level, Protocol, Unit
from nova_review.domain.reading import AnswerState
from nova_review.domain.study import Presentation
from nova_review.domain.visibility import reveal_scope, stage_in
from nova_review.services.reading_records import ReadingRow
from nova_review.storage.reading_queries import ReaderQueries
from nova_review.storage.schema_reading import reading
from nova_review.storage.study_reader import protocol_of

_NO_FILE = Path()  # no picture is looked for here
_Key = tuple[str, ...]


def open_case_stages(connection: Connection, reader_ids: Collection[str], *, at_utc: str) -> None:
    """Note for these readers of the study which histories may be shown, now that answers were added."""
    protocol = protocol_of(connection)
    for reader_id in sorted(reader_ids):
        rows = ReaderQueries(connection, reader_id, study_file=_NO_FILE)
        opened = _opened(protocol, rows.presentations(), rows.readings(), _states(rows))
        for key in opened:
            connection.execute(update(reading).where(reading.c.id == key).values(revealed_utc=at_utc))


def _states(rows: ReaderQueries) -> Mapping[_Key, AnswerState]:
    """Return arm, occasion and slice -> state of the newest version."""
    of = {r.id: (r.arm, r.occasion) for r in rows.readings()}
    return {(*of[h.reading_id], h.slice_id): h.state for h in rows.slice_heads()}


def _opened(
    protocol: Protocol,
    order: Sequence[Presentation],
    readings: Sequence[ReadingRow],
    states: Mapping[_Key, AnswerState],
) -> list[str]:
    """Return the ids of readings whose whole scope is locked and that are not open yet."""
    places: dict[_Key, list[Presentation]] = {}
    for one in order:
        places.setdefault((one.arm, one.occasion, one.case_id), []).append(one)
    complete: dict[_Key, bool] = {}
    opened = []
    for row in readings:
        here = places.get((row.arm, row.occasion, row.case_id))
        if row.revealed_utc is not None or not here:
            continue
        by_case = protocol.unit is Unit.CASE
        block = (row.arm, row.occasion, row.case_id if by_case else row.role)
        if block not in complete:
            scope = reveal_scope(protocol.unit, here[0], here if by_case else order)
            found = [states.get((row.arm, row.occasion, slice_id)) for slice_id in scope]
            complete[block] = stage_in(protocol.arm(row.arm), found).level is Level.CASE
        if complete[block]:
            opened.append(row.id)
    return opened
