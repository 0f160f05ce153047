"""Decided gold as it leaves: who decided what, from which boxes, and why; in every format."""

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nova_review.domain import decision_edits as edits
from nova_review.domain.adjudication import (
    EMPTY_CASE_DECISION,
    EMPTY_DECISION,
    MadeBy,
    Mode,
    ReasonCode,
    SliceDecision,
)
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Caption
from nova_review.formats.exchange.coco import write_coco
from nova_review.formats.exchange.gaze_lines import write_gaze_lines
from nova_review.formats.exchange.gold_provenance import COLUMNS
from nova_review.formats.exchange.nova_csv import write_nova_csv
from nova_review.formats.exchange.nova_parquet import write_nova_parquet
from nova_review.formats.exchange.text_table import unguarded
from nova_review.services.export_content import ExportChoice, GoldSource, Writer, select
from nova_review.services.gold_rules import GoldRules, RuleRequest
from nova_review.storage.decision_store import adjudication_store
from tests.helpers.adjudication_desks import (
    ALL_AGREE,
    DISJOINT,
    NOTHING,
    ONE_SAW,
    UNREADABLE,
    AdjudicationWorld,
    make_adjudication_desk,
)
from tests.helpers.adjudication_work import whole, withdraw
from tests.helpers.desks import FixedClock, seeded_ids

Row = dict[str, str]


@pytest.fixture
def world(tmp_path: Path) -> Iterator[AdjudicationWorld]:
    """By rule ALL_AGREE and NOTHING; by hand DISJOINT (one box, two rejected), ONE_SAW (no lesion)
    and UNREADABLE (no gold); SPLIT is open."""
    made = make_adjudication_desk(tmp_path, mode=Mode.LAYERS_AT_ONCE)
    GoldRules(adjudication_store, FixedClock(), seeded_ids(8)).accept(made.path, RuleRequest())
    _decide(made, DISJOINT, whole(made, DISJOINT))
    opened = made.desk.open(made.id_of(ONE_SAW))
    nothing = edits.say_no_lesion(opened.comparison, new_id=seeded_ids(4))(EMPTY_DECISION)
    _decide(made, ONE_SAW, edits.set_note("=1+1")(edits.set_reason(ReasonCode.ARTEFACT)(nothing)))
    _decide(made, UNREADABLE, edits.set_note("motion")(edits.say_cannot_read()(EMPTY_DECISION)))
    yield made
    made.file.close()


def _decide(world: AdjudicationWorld, name: str, decision: SliceDecision) -> None:
    key = world.id_of(name)
    world.desk.close_decision(key, decision, revision=world.desk.open(key).revision)


def files_of(world: AdjudicationWorld, writer: Writer, **choice: object) -> dict[str, bytes]:
    chosen = ExportChoice(**choice)  # type: ignore[arg-type]
    (content,) = select(world.service.snapshot(world.path), chosen).contents
    return {f.path: f.data for f in writer(content)}


def table(data: bytes) -> list[Row]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8"), newline="")))


def provenance(world: AdjudicationWorld, **choice: object) -> list[Row]:
    return table(files_of(world, write_nova_csv, **choice)["gold_provenance.csv"])


def test_every_decided_slice_has_its_rows(world: AdjudicationWorld) -> None:
    rows = provenance(world)
    told = [(r["filename"], r["state"], r["outcome"], r["provenance"], r["decided_by"]) for r in rows]
    assert told == [
        (ALL_AGREE, "accepted", "findings", "rule", "rule"),
        (DISJOINT, "accepted", "findings", "adjudicated", "ADJ1"),
        (DISJOINT, "rejected", "findings", "adjudicated", "ADJ1"),
        (DISJOINT, "rejected", "findings", "adjudicated", "ADJ1"),
        (NOTHING, "", "no-finding", "unanimous", "rule"),
        (ONE_SAW, "rejected", "no-finding", "adjudicated", "ADJ1"),
        (UNREADABLE, "", "cannot-be-read", "adjudicated", "ADJ1"),
    ]
    assert tuple(rows[0]) == COLUMNS
    assert [r["reason_code"] for r in rows] == ["", "extent", "extent", "extent", "", "artefact", ""]
    assert (rows[1]["mode"], rows[1]["visible"]) == ("layers at once", "image layer-captions layers")


def test_sources_are_the_readers_own_boxes(world: AdjudicationWorld) -> None:
    by_rule, taken, *_ = provenance(world)
    boxes = json.loads(by_rule["source_boxes"])
    assert sorted(b[0] for b in boxes) == [100, 101, 102]
    assert json.loads(by_rule["source_weights"]) == pytest.approx([1 / 3] * 3)
    assert len(json.loads(by_rule["source_readers"])) == 3
    (box,) = json.loads(taken["source_boxes"])
    assert box == [float(taken[c]) for c in ("x", "y", "width", "height")]
    assert taken["source_weights"] == ""


def test_notes_and_times_only_where_they_are_asked_for(world: AdjudicationWorld) -> None:
    plain = files_of(world, write_nova_csv)["gold_provenance.csv"]
    assert b"1+1" not in plain
    assert b"2024-" not in plain
    rows = provenance(world, notes=True, with_times=True)
    (one_saw,) = [r for r in rows if r["filename"] == ONE_SAW]
    assert one_saw["note"] == "'=1+1"  # no spreadsheet takes it for a formula
    assert unguarded(one_saw["note"]) == "=1+1"
    assert one_saw["decided_utc"].startswith("2024-03-01T")


def test_flags_tell_of_a_withdrawn_answer_and_of_the_adjudicators_flag(world: AdjudicationWorld) -> None:
    key = world.id_of(DISJOINT)
    world.desk.reopen_decision(key, reason="x")
    flagged = edits.set_flag("=ask Dr. Who")(whole(world, DISJOINT))
    _decide(world, DISJOINT, flagged)
    withdraw(world, "LEAK-bruno")
    flags = {r["filename"]: r["flags"] for r in provenance(world)}
    assert flags[DISJOINT] == "flagged; a reader's answer was withdrawn"
    assert flags[ALL_AGREE] == "a reader's answer was withdrawn"
    with_notes = {r["filename"]: r["flags"] for r in provenance(world, notes=True)}
    assert with_notes[DISJOINT].startswith("flagged: =ask Dr. Who")


def test_no_lesion_is_known_empty_and_what_is_open_or_unreadable_is_not_known(
    world: AdjudicationWorld,
) -> None:
    instances = json.loads(files_of(world, write_coco)["instances.json"])
    assert [i["file_name"] for i in instances["images"]] == [ALL_AGREE, DISJOINT, NOTHING, ONE_SAW]
    assert len(instances["annotations"]) == 2
    images = {i["id"] for i in instances["images"]}
    for path, data in files_of(world, write_coco).items():
        if path.endswith("results.json"):
            assert {r["image_id"] for r in json.loads(data)} <= images
    lines = files_of(world, write_gaze_lines)
    refs = [json.loads(x) for x in lines["references/localization/refs.jsonl"].splitlines()]
    ids = [json.loads(x)["filename"] for x in lines["references/localization/ids.jsonl"].splitlines()]
    assert ids == [ALL_AGREE, DISJOINT, NOTHING, ONE_SAW]
    assert [len(r["boxes"]) for r in refs] == [1, 1, 0, 0]


@pytest.mark.parametrize("writer", [write_nova_csv, write_nova_parquet, write_coco, write_gaze_lines])
def test_every_format_brings_the_table_and_the_same_bytes_each_time(
    world: AdjudicationWorld, writer: Callable[..., object]
) -> None:
    first, again = files_of(world, writer), files_of(world, writer)  # type: ignore[arg-type]
    assert first == again
    assert first["gold_provenance.csv"] == files_of(world, write_nova_csv)["gold_provenance.csv"]


def test_gold_of_the_data_set_has_no_provenance_of_ours(world: AdjudicationWorld) -> None:
    files = files_of(world, write_nova_csv, gold=GoldSource.DATA_SET)
    assert "gold_provenance.csv" not in files
    assert "bboxes_gold.csv" in files


def test_the_panels_diagnoses_and_captions_stand_beside_the_data_sets(world: AdjudicationWorld) -> None:
    assert not {"panel_diagnoses.csv", "reference_captions.csv"} & set(files_of(world, write_nova_csv))
    key = world.id_of(DISJOINT)
    case_id = world.desk.open(key).case_id
    panel = edits.set_panel_diagnosis("=glioma")(EMPTY_CASE_DECISION)
    world.desk.close_case(case_id, panel, revision=0)
    world.desk.reopen_decision(key, reason="caption")
    caption = Caption(("FLAIR",), "axial", None, "two spots")
    _decide(world, DISJOINT, replace(whole(world, DISJOINT), caption=caption))
    files = files_of(world, write_nova_csv)
    (diagnosis,) = table(files["panel_diagnoses.csv"])
    assert (diagnosis["case_id"], diagnosis["diagnosis"], diagnosis["decided_by"]) == (
        "LEAK0001", "'=glioma", "ADJ1",
    )  # fmt: skip
    assert table(files["reference_captions.csv"]) == [
        {"filename": DISJOINT, "caption": "Axial FLAIR: two spots"}
    ]
    assert b"LEAK final diagnosis" in files["case_metadata.csv"]


def test_a_merged_box_names_all_it_was_made_of(world: AdjudicationWorld) -> None:
    """A mean made by hand is adjudicated, whatever its numbers."""
    key = world.id_of(ALL_AGREE)
    again = world.sit_down("Emil", mode=Mode.LAYERS_AT_ONCE)
    with pytest.raises(Exception, match="not in the queue"):
        again.open(key)  # a rule settled it
    key = world.id_of(DISJOINT)
    world.desk.reopen_decision(key, reason="x")
    opened = world.desk.open(key)
    value = whole(world, DISJOINT)
    first = opened.comparison.groups[0].number
    value = edits.merge(opened.comparison, first, MadeBy.UNION, new_id="u")(value)
    value = edits.redraw("u", Box(1, 2, 30, 40))(value)
    _decide(world, DISJOINT, value)
    (drawn,) = [r for r in provenance(world) if r["made_by"] == "drawn"]
    assert [float(drawn[c]) for c in ("x", "y", "width", "height")] == [1, 2, 30, 40]
    assert drawn["provenance"] == "adjudicated"
    assert len(json.loads(drawn["source_boxes"])) == 1  # what it was before it was moved
