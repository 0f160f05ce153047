"""Judgements of diagnoses written down and read back, and the codes of those who judge.

One judge has one word on a pair: a new one replaces it, and the audit log keeps the old one.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from nova_review.domain.audit import AuditEntry
from nova_review.domain.judging import JudgedPair, JudgeKind, Judgement
from nova_review.domain.study import ReaderKind
from nova_review.domain.visibility import is_same_person
from nova_review.services.judging_content import DiagnosisJudge, JudgementsPut
from nova_review.services.study_plan import new_key
from nova_review.storage.audit import append_audit
from nova_review.storage.engine import Store
from nova_review.storage.schema_gold import judged_pair
from nova_review.storage.schema_log import COORDINATOR
from nova_review.storage.schema_secret import reader_name
from nova_review.storage.schema_study import reader
from nova_review.storage.study_reader import study_row

_Key = tuple[str, str, str]


def read_judged_pairs(connection: Connection) -> tuple[JudgedPair, ...]:
    """Return every judge's word on every pair, in order of judge, reference and answer."""
    columns = judged_pair.c
    query = select(judged_pair).order_by(columns.judged_by, columns.reference, columns.answer)
    return tuple(_pair(row) for row in connection.execute(query))


def put_judged_pairs(
    connection: Connection, pairs: Sequence[JudgedPair], *, at_utc: str, source: str = ""
) -> JudgementsPut:
    """Store words: new ones are added, another word of the same judge replaces his earlier one.

    Without a time of its own a word gets `at_utc`. A word that stands already, with its note, is left
    as it is. `source` names the file they came from, "" where a judge gave them here.
    """
    stored = {_key(pair): (row_id, pair) for row_id, pair in _stored(connection)}
    put = [_Put(pair, *stored.get(_key(pair), ("", None))) for pair in (_timed(p, at_utc) for p in pairs)]
    added = [one for one in put if one.before is None]
    changed = [one for one in put if one.before is not None and one.is_news]
    _add(connection, [one.pair for one in added])
    for one in changed:
        connection.execute(update(judged_pair).where(judged_pair.c.id == one.row_id).values(_words(one.pair)))
    result = JudgementsPut(len(added), len(changed), len(put) - len(added) - len(changed))
    _audit(connection, [*added, *changed], result, at_utc=at_utc, source=source)
    return result


def judge_called(store: Store, name: str, *, at_utc: str) -> DiagnosisJudge:
    """Return who judges under this name: a reader of the study by his code, else an adjudicator.

    Who is neither gets the next free code (ADJ1, ADJ2, ...) and keeps it.
    """
    from nova_review.storage.decision_store import SqlAdjudicationStore  # slow import, for a sitting only

    with store.read() as connection:
        own = _reader_called(connection, name)
    if own is not None:
        return own
    rows = SqlAdjudicationStore(store)
    found = rows.find_adjudicator(name) or rows.add_adjudicator(name, utc=at_utc)
    return DiagnosisJudge(found.code, is_reader=False)


class _Put:
    """A word to be stored, and what stands in its place."""

    def __init__(self, pair: JudgedPair, row_id: str, before: JudgedPair | None) -> None:
        self.pair, self.row_id, self.before = pair, row_id, before

    @property
    def is_news(self) -> bool:
        """Whether it says anything else than what stands there (another time alone is no news)."""
        return self.before is None or replace(self.before, judged_utc=self.pair.judged_utc) != self.pair


def _reader_called(connection: Connection, name: str) -> DiagnosisJudge | None:
    query = (
        select(reader.c.code, reader_name.c.name).join(reader_name).where(reader.c.kind == ReaderKind.STUDY)
    )
    for row in connection.execute(query.order_by(reader.c.ordinal)):
        if is_same_person(row.name, name):
            return DiagnosisJudge(row.code, is_reader=True)
    return None


def _timed(pair: JudgedPair, at_utc: str) -> JudgedPair:
    return pair if pair.judged_utc else replace(pair, judged_utc=at_utc)


def _key(pair: JudgedPair) -> _Key:
    return pair.reference, pair.answer, pair.judged_by


def _stored(connection: Connection) -> list[tuple[str, JudgedPair]]:
    return [(row.id, _pair(row)) for row in connection.execute(select(judged_pair))]


def _pair(row: Row[Any]) -> JudgedPair:
    return JudgedPair(
        reference=row.reference,
        answer=row.answer,
        judgement=Judgement(row.judgement),
        judged_by=row.judged_by,
        kind=JudgeKind(row.kind),
        judged_utc=row.judged_utc,
        note=row.note,
    )


def _words(pair: JudgedPair) -> dict[str, str]:
    return {
        "judgement": pair.judgement,
        "kind": pair.kind,
        "judged_utc": pair.judged_utc,
        "note": pair.note,
    }


def _add(connection: Connection, pairs: Sequence[JudgedPair]) -> None:
    if not pairs:
        return
    owner = {"study_id": study_row(connection).id}
    names = [{"reference": p.reference, "answer": p.answer, "judged_by": p.judged_by} for p in pairs]
    rows = [{"id": new_key(), **owner, **n, **_words(p)} for n, p in zip(names, pairs, strict=True)]
    connection.execute(insert(judged_pair), rows)


def _audit(
    connection: Connection, put: Sequence[_Put], result: JudgementsPut, *, at_utc: str, source: str
) -> None:
    """Write who judged what, and what stood there before; of a file, how much it brought and changed."""
    study_id = study_row(connection).id
    entries = (
        [_entry_of_file(put, result, at_utc, source)] if source else [_entry(one, at_utc) for one in put]
    )
    for entry in entries:
        append_audit(connection, study_id=study_id, actor=COORDINATOR, entry=entry)


def _entry(one: _Put, at_utc: str) -> AuditEntry:
    action = "diagnosis judged" if one.before is None else "judgement changed"
    return AuditEntry(action, one.pair.judged_by, at_utc, "", json.dumps(_told(one), ensure_ascii=False))


def _entry_of_file(put: Sequence[_Put], result: JudgementsPut, at_utc: str, source: str) -> AuditEntry:
    told = {
        "source": source,
        "added": result.added,
        "same": result.same,
        "changed": [_told(one) for one in put if one.before is not None],
    }
    details = json.dumps(told, ensure_ascii=False)
    return AuditEntry("judgements added", COORDINATOR, at_utc, "", details)


def _told(one: _Put) -> dict[str, str]:
    pair, before = one.pair, one.before
    told = {"reference": pair.reference, "answer": pair.answer, "judged_by": pair.judged_by}
    words = {"judgement": pair.judgement.value, "note": pair.note}
    return {
        **told,
        **words,
        **({"before": before.judgement.value, "note_before": before.note} if before else {}),
    }
