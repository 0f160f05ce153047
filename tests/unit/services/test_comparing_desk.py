"""The desk of the compare page on a real study file: what is read once, written, and refused."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from nova_review.bootstrap import HouseServices
from nova_review.bootstrap.comparing import compare_desk
from nova_review.domain.errors import NotAllowedError, UserError
from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictedBox, Prediction, PredictionKind, PredictionSet
from nova_review.domain.verdicts import Thresholds, Verdict
from nova_review.services.compare_desk import CompareDesk
from nova_review.services.comparing_lists import ExportWish, Quantity
from nova_review.services.comparing_ports import ComparisonDesk
from nova_review.services.comparing_views import CompareRequest
from nova_review.services.failure_notes import FailureTag, NoteSpot, Part
from nova_review.storage.engine import open_store
from tests.helpers.data_sets import data_set, study_service

KEY = ("tiny", "case0001_001.png")
GOLD = Box(10.5, 20.25, 30.125, 40.0)
REQUEST = CompareRequest(("model-a", "R01"))


def study_file(folder: Path, *, readers: tuple[str, ...] = ()) -> Path:
    file = folder / "s.nova"
    study_service().new_study([data_set((2, 1), readers=["Dr.Secret"])], file, readers=readers)
    names = ("case0001_001.png", "case0001_002.png", "case0002_001.png")
    answers = [Prediction(name, boxes=(PredictedBox(GOLD, 0.5),)) for name in names]
    study_service().add_prediction_set(file, PredictionSet("model-a", PredictionKind.MODEL), answers)
    return file


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return study_file(tmp_path)


@pytest.fixture
def desk(file: Path) -> Iterator[CompareDesk]:
    with closing(open_store(file)) as store:
        yield compare_desk(file, store, HouseServices(log_file=None).studies)


def test_it_is_what_the_page_asks_for(desk: CompareDesk) -> None:
    as_port: ComparisonDesk = desk
    assert as_port.choices() == desk.choices()
    assert [(c.name, c.slices, c.boxes) for c in desk.choices()] == [("R01", 2, 2), ("model-a", 3, 3)]


def test_nothing_can_be_asked_before_sets_are_chosen(desk: CompareDesk) -> None:
    with pytest.raises(NotAllowedError, match="Choose the sets first"):
        desk.select()


def test_before_the_lock_the_desk_tells_nothing(tmp_path: Path) -> None:
    file = study_file(tmp_path, readers=("Ada North",))
    with closing(open_store(file)) as store:
        desk = compare_desk(file, store, HouseServices(log_file=None).studies)
        for ask in (desk.choices, lambda: desk.open(REQUEST), desk.tags, desk.saved_filters, desk.tag_counts):
            with pytest.raises(NotAllowedError, match="after the database lock"):
                ask()


def test_what_stands_above_the_panels(desk: CompareDesk) -> None:
    head = desk.open(REQUEST)
    assert [(s.name, s.slices) for s in head.sets] == [("model-a", 3), ("R01", 2)]
    assert (head.slices, head.gold_boxes, head.before_lock) == (3, 3, None)
    assert [(r.what, r.count) for r in head.left_out] == [("slices that R01 did not answer", 1)]
    assert head.notes == (
        "The gold may contain boxes of R01: what he found or missed is not a score of his.",
    )


def test_other_thresholds_keep_the_content_and_other_sets_do_not(desk: CompareDesk) -> None:
    desk.open(REQUEST)
    before = desk._now.content
    desk.open(CompareRequest(REQUEST.sets, Thresholds(min_score=0.6)))
    assert desk._now.content is before
    assert desk.slice(KEY).sets[0].count(Verdict.MISS) == 1
    desk.open(CompareRequest(("model-a",)))
    assert desk._now.content is not before


def test_a_set_that_came_later_is_seen_after_a_refresh(desk: CompareDesk, file: Path) -> None:
    desk.open(REQUEST)
    answers = [Prediction(KEY[1], boxes=())]
    study_service().add_prediction_set(file, PredictionSet("late", PredictionKind.MODEL), answers)
    desk.refresh()
    assert desk.open(CompareRequest(("late",))).slices == 1


def test_notes_and_flags_show_at_once(desk: CompareDesk) -> None:
    desk.open(REQUEST)
    note = desk.put_note(NoteSpot("model-a", KEY, Part.PREDICTION, 1), tag="artefact", by="Ada")
    assert desk.slice(KEY).sets[0].boxes[0].tags == ("artefact",)
    assert desk.select("tag = artefact").keys == (KEY,)
    assert [(c.set_name, c.tag, c.marks) for c in desk.tag_counts()] == [("model-a", "artefact", 1)]
    desk.remove_note(note.note_id)
    assert desk.select("tag = artefact").keys == ()
    desk.flag(KEY, flagged=True)
    desk.flag(KEY, flagged=True)
    assert desk.select("flagged = yes").keys == (KEY,)
    assert len(desk.notes(KEY)) == 1
    desk.flag(KEY, flagged=False)
    assert (desk.notes(KEY), desk.slice(KEY).flagged) == ((), False)


def test_a_new_tag_can_be_filtered_by_at_once(desk: CompareDesk) -> None:
    desk.open(REQUEST)
    desk.edit_tags([*desk.tags(), FailureTag("", "skull base")])
    desk.put_note(NoteSpot("model-a", KEY), tag="skull base")
    assert desk.select('tag = "skull base"').keys == (KEY,)


def test_only_filters_that_can_be_read_are_saved(desk: CompareDesk) -> None:
    desk.open(REQUEST)
    assert [f.words for f in desk.save_filter("mine", "verdict = miss")] == ["verdict = miss"]
    with pytest.raises(UserError, match="The filter cannot be read"):
        desk.save_filter("bad", "verdict miss")
    assert [f.name for f in desk.saved_filters()] == ["mine"]
    assert desk.remove_filter("mine") == ()


def test_lists_plots_and_errors_are_those_of_the_sets(desk: CompareDesk) -> None:
    desk.open(REQUEST)
    assert len(desk.lines(desk.select().keys)) == 3
    assert {f.field for f in desk.filter_choices()} >= {"set", "verdict", "right"}
    assert [e.set_name for e in desk.errors()] == ["model-a", "R01"]
    assert sum(c.n for c in desk.matrix("model-a", "R01").cells) == 2  # R01 answered two
    assert len(desk.scatter("model-a", "R01", Quantity.F1).points) == 2


def test_a_slice_without_a_picture_says_so(desk: CompareDesk) -> None:
    desk.open(REQUEST)
    with pytest.raises(UserError, match=r"The picture of case0001_001\.png cannot be read"):
        desk.picture(KEY)


def test_an_export_from_the_page(desk: CompareDesk, tmp_path: Path) -> None:
    desk.open(REQUEST)
    names = desk.export(desk.select("set = R01"), ExportWish(), tmp_path / "out")
    assert names == ("sheet-001.png", "verdicts.csv", "manifest.json")
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == sorted(names)
