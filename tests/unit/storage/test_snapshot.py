"""A snapshot's decisions: the newest closed one of each slice, accepted boxes only, with their sources."""

from pathlib import Path

import pytest
from sqlalchemy import Connection, insert, select, update

from nova_review.domain.errors import ConflictError
from nova_review.storage.engine import open_store
from nova_review.storage.schema_gold import decision, decision_box, decision_source
from nova_review.storage.schema_reading import finding
from nova_review.storage.schema_secret import slice_file
from nova_review.storage.schema_study import study
from tests.helpers.data_sets import NOON, data_set, study_service


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "s.nova"
    study_service().new_study([data_set((2, 1), readers=["Dr.X"])], path)
    return path


def decide(
    connection: Connection, file_name: str, *, version: int, boxes: dict[float, str], state: str = "closed"
) -> None:
    """Decide on a slice: boxes by their x with "accepted" or "rejected", all from the published reader."""
    study_id = connection.execute(select(study.c.id)).scalar_one()
    slice_id = connection.execute(
        select(slice_file.c.slice_id).where(slice_file.c.file_name == file_name)
    ).scalar_one()
    key = f"{file_name} {version}"
    row = {"id": key, "study_id": study_id, "slice_id": slice_id, "version": version, "visible": "[]"}
    kind = {"mode": "rule", "outcome": "findings" if boxes else "no-finding", "provenance": "rule"}
    connection.execute(insert(decision).values(**row, **kind, state="draft", decided_utc=NOON))
    source = connection.execute(select(finding)).first()
    assert source is not None
    for number, (x, box_state) in enumerate(boxes.items(), start=1):
        place = {"study_id": study_id, "decision_id": key, "number": number}
        size = {"x": x, "y": 2.0, "width": 3.0, "height": 4.0}
        how = {"made_by": "mean", "provenance": "rule", "label": "lesion"}
        connection.execute(insert(decision_box).values(**place, **size, **how, state=box_state))
        of = {"slice_answer_id": source.slice_answer_id, "finding_id": source.finding_id}
        connection.execute(
            insert(decision_source).values(**place, **of, ordinal=1, reader_id=source.reader_id)
        )
    connection.execute(update(decision).where(decision.c.id == key).values(state=state))


def test_the_newest_closed_decision_counts(file: Path) -> None:
    with open_store(file) as store, store.begin() as connection:
        decide(connection, "case0001_001.png", version=1, boxes={1.0: "accepted"})
        decide(connection, "case0001_001.png", version=2, boxes={1.5: "accepted", 9.0: "rejected"})
        decide(connection, "case0001_001.png", version=3, boxes={7.0: "accepted"}, state="reopened")
        decide(connection, "case0002_001.png", version=1, boxes={})
        decide(connection, "case0001_002.png", version=1, boxes={1.0: "accepted"}, state="withdrawn")
    found = study_service().snapshot(file).data_sets[0]
    assert found.decided == ("case0001_001.png", "case0002_001.png")
    assert [(b.file_name, b.box_x, b.provenance, b.decided_by, b.decided_utc) for b in found.decisions] == [
        ("case0001_001.png", 1.5, "rule", "rule", NOON)
    ]
    assert found.decisions[0].sources.startswith("R01:")
    assert study_service().info(file).decisions == 2


def test_a_closed_decision_never_changes_but_may_be_flagged(file: Path) -> None:
    with open_store(file) as store:
        with store.begin() as connection:
            decide(connection, "case0001_001.png", version=1, boxes={1.0: "accepted"})
            connection.execute(update(decision).values(flagged=True, flag_reason="a source was withdrawn"))
        for change in (update(decision).values(note="x"), update(decision_box).values(x=2.0)):
            with pytest.raises(ConflictError), store.begin() as connection:
                connection.execute(change)
