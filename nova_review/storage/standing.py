"""Where every place of every reader's order stands: one pass over the newest versions."""

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Table, and_, func, select

from nova_review.domain.protocol import Level
from nova_review.domain.reading import AnswerState
from nova_review.domain.study import PresentationRole
from nova_review.storage.schema_reading import case_answer, reading, slice_answer
from nova_review.storage.schema_study import presentation, presentation_slice, stage


@dataclass(frozen=True, slots=True)
class Standing:
    """One presentation with the states of its answers (None = nothing saved)."""

    reader_id: str
    position: int
    case_id: str
    role: PresentationRole
    asks_case: bool
    slices: tuple[AnswerState | None, ...]
    case: AnswerState | None

    @property
    def is_finished(self) -> bool:
        """Whether nothing is left to be answered here."""
        if self.asks_case:
            return self.case is not None and self.case.is_closed
        return all(s is not None and s.is_closed for s in self.slices)

    @property
    def words(self) -> str:
        """Where it stands, in words."""
        if self.is_finished:
            return "submitted" if self.asks_case else "stage 1 locked"
        if self.case is not None:
            return "history open, not submitted"
        if all(s is None for s in self.slices):
            return "not begun"
        closed = all(s is not None and s.is_closed for s in self.slices)
        return "stage 1 locked, not submitted" if closed else "in stage 1"


def standings(connection: Connection) -> Iterator[Standing]:
    """Yield all presentations of a study, by reader and position."""
    slice_states = {
        (r.reader_id, r.case_id, r.arm, r.occasion, r.slice_id): AnswerState(r.state)
        for r in _newest(connection, slice_answer, "slice_id")
    }
    case_states = {
        (r.reader_id, r.case_id, r.arm, r.occasion): AnswerState(r.state)
        for r in _newest(connection, case_answer)
    }
    asked = {(s.arm, s.number) for s in connection.execute(select(stage).where(stage.c.level == Level.CASE))}
    slices = _slices(connection)
    for p in connection.execute(
        select(presentation).order_by(presentation.c.reader_id, presentation.c.position)
    ):
        key = (p.reader_id, p.case_id, p.arm, p.occasion)
        yield Standing(
            reader_id=p.reader_id,
            position=p.position,
            case_id=p.case_id,
            role=PresentationRole(p.role),
            asks_case=any((p.arm, number) in asked for number in json.loads(p.stages)),
            slices=tuple(slice_states.get((*key, slice_id)) for slice_id in slices[p.id]),
            case=case_states.get(key),
        )


def newest_slice_states(connection: Connection) -> dict[str, dict[str, int]]:
    """Return reader id -> state -> number of slices whose newest version is in it."""
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    for row in _newest(connection, slice_answer):
        counts[row.reader_id][row.state] = counts[row.reader_id].get(row.state, 0) + 1
    return counts


def _newest(connection: Connection, answer: Table, *keys: str) -> Iterable[Row[Any]]:
    """Return the newest version of each answer with the key of its reading and its state."""
    parts = ("slice_id",) if answer is slice_answer else ("question", "round", "attempt")
    of_one = [answer.c.reading_id, *(answer.c[name] for name in parts)]
    last = select(*of_one, func.max(answer.c.version).label("version")).group_by(*of_one).subquery()
    same = [answer.c[name] == last.c[name] for name in ("reading_id", *parts, "version")]
    query = (
        select(
            reading.c.reader_id,
            reading.c.case_id,
            reading.c.arm,
            reading.c.occasion,
            *(answer.c[name] for name in keys),
            answer.c.state,
        )
        .join(answer, answer.c.reading_id == reading.c.id)
        .join(last, and_(*same))
    )
    return connection.execute(query)


def _slices(connection: Connection) -> dict[str, list[str]]:
    slices: dict[str, list[str]] = defaultdict(list)
    query = select(presentation_slice.c.presentation_id, presentation_slice.c.slice_id).order_by(
        presentation_slice.c.presentation_id, presentation_slice.c.ordinal
    )
    for presentation_id, slice_id in connection.execute(query):
        slices[presentation_id].append(slice_id)
    return slices
