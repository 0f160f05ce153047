"""Work at an adjudicator's desk without a window, and looks behind it that no desk has."""

import json

from sqlalchemy import insert, select, update

from nova_review.domain import decision_edits as edits
from nova_review.domain.adjudication import EMPTY_DECISION, ReasonCode, SliceDecision
from nova_review.domain.geometry import Box
from nova_review.domain.protocol import Protocol, protocol_document
from nova_review.services.adjudication import Desk
from nova_review.services.adjudication_records import StoredDecision
from nova_review.storage.schema_reading import reading
from nova_review.storage.schema_study import protocol
from tests.helpers.adjudication_desks import OWN, AdjudicationWorld
from tests.helpers.desks import seeded_ids


def lock(world: AdjudicationWorld, *names: str, desk: Desk | None = None) -> None:
    """Lock own answers of the person at the desk."""
    for name in names:
        (desk or world.desk).lock_independent(world.id_of(name), OWN, revision=0)


def whole(world: AdjudicationWorld, name: str, letter: str = "A") -> SliceDecision:
    """A complete decision: all of one layer, with one reason for everything."""
    opened = world.desk.open(world.id_of(name))
    decision = edits.accept_layer(opened.comparison, letter, new_id=seeded_ids(9))(EMPTY_DECISION)
    return edits.set_reason(ReasonCode.EXTENT)(decision)


def names_in_order(world: AdjudicationWorld, desk: Desk | None = None) -> list[str]:
    """The file names of the queue, in its order."""
    back = {key: name for name, key in world.slices.items()}
    return [back[e.slice_id] for e in (desk or world.desk).queue().entries]


def versions(world: AdjudicationWorld, key: str) -> list[tuple[int, str, StoredDecision]]:
    """Version, state and content of every version of a decision."""
    with world.store.reading("") as rows:
        found = rows.decisions([key])
    return [(d.record.version, str(d.record.state), d) for d in found]


def gold(world: AdjudicationWorld) -> list[Box]:
    """The decided boxes of the study."""
    (data_set,) = world.service.snapshot(world.path).data_sets
    return [Box(b.box_x, b.box_y, b.box_width, b.box_height) for b in data_set.decisions]


def withdraw(world: AdjudicationWorld, name: str) -> None:
    """Withdraw all readings of a reader."""
    ids = {r.name: r.id for r in world.service.snapshot(world.path).readers}
    with world.file.begin() as connection:
        mine = reading.c.reader_id == ids[name]
        connection.execute(update(reading).where(mine).values(withdrawn_utc="2025-05-05T00:00:00Z"))


def amend(world: AdjudicationWorld, chosen: Protocol) -> None:
    """Let another protocol hold from now on."""
    with world.file.begin() as connection:
        old = connection.execute(select(protocol)).one()
        row = {**old._mapping, "id": "amended", "version": 2, "hash": "h", "amendment_reason": "test"}
        document = json.dumps(protocol_document(chosen))
        connection.execute(insert(protocol).values({**row, "document": document}))
