"""Tags, notes, flags and saved filters of failures in a study file."""

import sqlite3
from pathlib import Path

import pytest

from nova_review.domain.errors import NotAllowedError, UserError
from nova_review.domain.prediction import Prediction, PredictionKind, PredictionSet
from nova_review.services.failure_notes import (
    DEFAULT_TAGS,
    FLAG,
    FailureTag,
    NoteSpot,
    Part,
    SavedFilter,
    TagCount,
)
from nova_review.services.failure_tagging import FailureTagging
from nova_review.services.study_plan import new_key
from nova_review.storage.failure_store import SqliteFailures
from tests.helpers.data_sets import NOON, StoppedClock, data_set, study_service

FIRST, SECOND = ("tiny", "case0001_001.png"), ("tiny", "case0001_002.png")
AWKWARD = '=1+1, "x"\n\tNaive \U0001f9e0 \u05e9\u05dc\u05d5\u05dd <b>'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A study past its database lock with one model and one reader."""
    path = tmp_path / "s.nova"
    study_service().new_study([data_set((2, 1), readers=["Dr.X"])], path)
    answers = [Prediction(name, boxes=()) for _, name in (FIRST, SECOND)]
    study_service().add_prediction_set(path, PredictionSet("model-a", PredictionKind.MODEL), answers)
    return path


def tagging() -> FailureTagging:
    return FailureTagging(SqliteFailures(), StoppedClock(), new_key)


def names(file: Path) -> list[str]:
    return [t.name for t in tagging().tags(file)]


def audit(file: Path) -> list[tuple[str, str]]:
    with sqlite3.connect(file) as raw:
        rows = raw.execute("SELECT action, details FROM audit_log ORDER BY number").fetchall()
    raw.close()
    return [(action, details) for action, details in rows if "fail" in action or "filter" in action]


def test_a_study_begins_with_a_taxonomy(file: Path) -> None:
    assert names(file) == list(DEFAULT_TAGS)
    assert tagging().tags(file) == tagging().tags(file)  # with keys that stay


def test_tags_are_renamed_added_reordered_and_retired(file: Path) -> None:
    service = tagging()
    tagged = service.put_note(file, NoteSpot("model-a", FIRST), tag="artefact")
    first, second, third, *_ = service.tags(file)
    artefact = FailureTag(third.tag_id, "motion artefact")
    kept = service.edit_tags(file, [second, artefact, FailureTag("", "  skull  base "), first])
    assert [t.name for t in kept if not t.retired] == [
        "normal structure taken for lesion",
        "motion artefact",
        "skull base",
        "wrong hemisphere",
    ]
    assert [t.name for t in kept if t.retired] == list(DEFAULT_TAGS[3:])
    assert service.tags(file) == kept
    assert [(n.note_id, n.tag) for n in service.notes(file)] == [(tagged.note_id, "motion artefact")]


def test_tags_can_change_names_with_each_other(file: Path) -> None:
    service = tagging()
    for tag, key in (("artefact", FIRST), ("wrong hemisphere", SECOND)):
        service.put_note(file, NoteSpot("model-a", key), tag=tag)
    first, second, third, *rest = service.tags(file)
    service.edit_tags(
        file, [FailureTag(first.tag_id, third.name), second, FailureTag(third.tag_id, first.name), *rest]
    )
    assert {n.spot.key: n.tag for n in service.notes(file)} == {FIRST: "wrong hemisphere", SECOND: "artefact"}


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "1 to 80 characters"),
        ("x" * 81, "1 to 80 characters"),
        ("a\nb", "one line"),
        ("Artefact", "Two tags cannot have one name"),
        ("FLAG", "Two tags cannot have one name"),
        ("Whole-Brain box", "Two tags cannot have one name"),  # retired by leaving it out
    ],
)
def test_names_of_tags_that_cannot_be(file: Path, name: str, sentence: str) -> None:
    service = tagging()
    kept = [t for t in service.tags(file) if t.name != "whole-brain box"]
    with pytest.raises(UserError, match=sentence):
        service.edit_tags(file, [*kept, FailureTag("", name)])
    assert names(file) == list(DEFAULT_TAGS)


def test_a_tag_of_somewhere_else_is_refused(file: Path) -> None:
    with pytest.raises(UserError, match="not there any more"):
        tagging().edit_tags(file, [FailureTag("nowhere", "x")])


def test_notes_come_back_as_they_were_put(file: Path) -> None:
    service = tagging()
    spots = [
        NoteSpot("model-a", FIRST, Part.PREDICTION, 2),
        NoteSpot("model-a", FIRST, Part.GOLD, 1),
        NoteSpot("R01", SECOND),
        NoteSpot("R01.image-history", SECOND),
        NoteSpot("", SECOND),
    ]
    put = [service.put_note(file, spot, tag="artefact", note=AWKWARD, by="Ada") for spot in spots]
    assert {n.spot for n in put} == set(spots)
    assert {(n.tag, n.note, n.made_by, n.made_utc) for n in put} == {("artefact", AWKWARD, "Ada", NOON)}
    assert set(service.notes(file)) == set(put)


def test_the_same_tag_on_the_same_spot_changes_its_note(file: Path) -> None:
    service, spot = tagging(), NoteSpot("model-a", FIRST)
    one = service.put_note(file, spot, tag="artefact", note="first")
    other = service.put_note(file, spot, tag="artefact", note="second")
    third = service.put_note(file, spot, note="no tag")
    assert one.note_id == other.note_id != third.note_id
    assert {(n.tag, n.note) for n in service.notes(file)} == {("artefact", "second"), ("", "no tag")}


def test_a_note_is_taken_away_once(file: Path) -> None:
    service = tagging()
    note = service.put_note(file, NoteSpot("", FIRST), tag=FLAG)
    service.remove_note(file, note.note_id)
    service.remove_note(file, note.note_id)
    assert service.notes(file) == ()
    assert [action for action, _ in audit(file)] == ["failure noted", "failure note removed"]


@pytest.mark.parametrize(
    ("spot", "tag", "note", "sentence"),
    [
        (NoteSpot("model-a", FIRST), "unheard-of", "", "no tag 'unheard-of'"),
        (NoteSpot("model-a", FIRST), "", "  ", "must say something"),
        (NoteSpot("model-a", FIRST), "", "x" * 5_001, "at most 5,000"),
        (NoteSpot("model-a", FIRST, Part.GOLD), "artefact", "", "which box"),
        (NoteSpot("model-a", FIRST, Part.SLICE, 1), "artefact", "", "which box"),
        (NoteSpot("model-z", FIRST), "artefact", "", "no prediction set or reader 'model-z'"),
        (NoteSpot("model-a", ("tiny", "gone.png")), "artefact", "", "no slice gone.png"),
        (NoteSpot("model-a", ("other", FIRST[1])), "artefact", "", "no slice"),
    ],
)
def test_notes_that_cannot_be(file: Path, spot: NoteSpot, tag: str, note: str, sentence: str) -> None:
    with pytest.raises(UserError, match=sentence):
        tagging().put_note(file, spot, tag=tag, note=note)
    assert tagging().notes(file) == ()


def test_a_retired_tag_stays_where_it_was_used_and_is_offered_no_more(file: Path) -> None:
    service, spot = tagging(), NoteSpot("model-a", FIRST)
    service.put_note(file, spot, tag="artefact")
    service.edit_tags(file, [t for t in service.tags(file) if t.name != "artefact"])
    assert [n.tag for n in service.notes(file)] == ["artefact"]
    with pytest.raises(UserError, match="no tag 'artefact'"):
        service.put_note(file, NoteSpot("model-a", SECOND), tag="artefact")


def test_tags_are_counted_by_set(file: Path) -> None:
    service = tagging()
    for spot in (
        NoteSpot("model-a", FIRST, Part.PREDICTION, 1),
        NoteSpot("model-a", FIRST, Part.PREDICTION, 2),
        NoteSpot("model-a", SECOND),
        NoteSpot("R01", SECOND),
    ):
        service.put_note(file, spot, tag="artefact")
    service.put_note(file, NoteSpot("model-a", SECOND), note="only a note")
    service.put_note(file, NoteSpot("", FIRST), tag=FLAG)
    assert service.tag_counts(file) == (
        TagCount("", FLAG, 1, 1),
        TagCount("R01", "artefact", 1, 1),
        TagCount("model-a", "artefact", 2, 3),
    )


def test_filters_are_saved_replaced_and_forgotten(file: Path) -> None:
    service = tagging()
    service.save_filter(file, "small misses", "verdict = miss")
    service.save_filter(file, "All wrong", "models_right = 0")
    found = service.save_filter(file, "small misses", "verdict = miss and relative_size < 0.01")
    assert found == (
        SavedFilter("All wrong", "models_right = 0", NOON),
        SavedFilter("small misses", "verdict = miss and relative_size < 0.01", NOON),
    )
    assert service.remove_filter(file, "All wrong") == found[1:]
    assert service.remove_filter(file, "never there") == found[1:] == service.filters(file)
    with pytest.raises(UserError, match="one line"):
        service.save_filter(file, "a\tb", "x")


def test_nothing_is_told_or_kept_before_the_lock(tmp_path: Path) -> None:
    open_file = tmp_path / "open.nova"
    study_service().new_study([data_set((2, 1))], open_file, readers=["Ada North"])
    service, spot = tagging(), NoteSpot("", FIRST)
    for act in (
        lambda: service.tags(open_file),
        lambda: service.notes(open_file),
        lambda: service.tag_counts(open_file),
        lambda: service.edit_tags(open_file, []),
        lambda: service.put_note(open_file, spot, tag="artefact"),
        lambda: service.remove_note(open_file, "x"),
        lambda: service.filters(open_file),
        lambda: service.save_filter(open_file, "x", "y"),
        lambda: service.remove_filter(open_file, "x"),
    ):
        with pytest.raises(NotAllowedError, match="after the database lock"):
            act()
    assert audit(open_file) == []


def test_every_change_is_in_the_audit_log(file: Path) -> None:
    service = tagging()
    service.edit_tags(file, service.tags(file)[:2])
    service.put_note(file, NoteSpot("model-a", FIRST, Part.GOLD, 1), tag=DEFAULT_TAGS[0])
    service.save_filter(file, "mine", "verdict = miss")
    service.remove_filter(file, "mine")
    assert audit(file) == [
        ("failure tags changed", "6 tags"),
        ("failure noted", "wrong hemisphere on tiny/case0001_001.png, gold 1, model-a"),
        ("filter saved", "mine"),
        ("filter removed", "mine"),
    ]
