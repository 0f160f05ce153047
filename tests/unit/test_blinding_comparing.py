"""Blinding of what compares: before the database lock no desk and no verb of it tells an answer.

The study is the one of tests/helpers/leaks.py, in which a model has answered, too. Its desks are made as
the doors make them, but without the doors, which are not there before the lock.
"""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, cast

import pytest

from nova_review.bootstrap import HouseServices
from nova_review.bootstrap.comparing import compare_desk, failure_tagging
from nova_review.domain.errors import NotAllowedError
from nova_review.domain.study import Phase
from nova_review.formats.images import decode
from nova_review.services.compare_desk import CompareDesk
from nova_review.services.comparing_lists import ExportWish, Quantity
from nova_review.services.comparing_views import CompareRequest
from nova_review.services.failure_notes import NoteSpot
from nova_review.services.ports import Place
from nova_review.services.prediction_content import PredictionOptions, SlicePlace
from nova_review.services.prediction_desk import PredictionDesk
from nova_review.services.score_desk import ScoreDesk
from nova_review.services.score_views import ScoreRequest
from nova_review.storage.engine import Store, open_store
from nova_review.storage.slice_pictures import SqlSlicePictures
from tests.helpers.leaks import (
    DATA_SET,
    MODEL,
    OTHER,
    OWN,
    add_leaky_predictions,
    desk_at,
    file_name,
    histories,
    make_leaky_study,
    secrets,
)
from tests.helpers.program import CommandLine

KEY = (DATA_SET, file_name(1, 1))
SPOT = NoteSpot(MODEL, KEY)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = make_leaky_study(tmp_path)
    add_leaky_predictions(file, tmp_path)
    return file


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    with closing(open_store(file)) as store:
        yield store


COMPARE: dict[str, Callable[[CompareDesk], object]] = {
    "choices": lambda desk: desk.choices(),
    "open": lambda desk: desk.open(CompareRequest((MODEL, "R02"))),
    "select": lambda desk: desk.select(),
    "lines": lambda desk: desk.lines([KEY]),
    "slice": lambda desk: desk.slice(KEY),
    "filter_choices": lambda desk: desk.filter_choices(),
    "errors": lambda desk: desk.errors(),
    "matrix": lambda desk: desk.matrix(MODEL, "R02"),
    "scatter": lambda desk: desk.scatter(MODEL, "R02", next(iter(Quantity))),
    "picture": lambda desk: desk.picture(KEY),
    "tags": lambda desk: desk.tags(),
    "edit_tags": lambda desk: desk.edit_tags(()),
    "put_note": lambda desk: desk.put_note(SPOT, note="odd"),
    "remove_note": lambda desk: desk.remove_note("any"),
    "flag": lambda desk: desk.flag(KEY, flagged=True),
    "notes": lambda desk: desk.notes(KEY),
    "tag_counts": lambda desk: desk.tag_counts(),
    "saved_filters": lambda desk: desk.saved_filters(),
    "save_filter": lambda desk: desk.save_filter("all", ""),
    "remove_filter": lambda desk: desk.remove_filter("all"),
    "export": lambda desk: desk.export(cast("Any", None), ExportWish(), Path("never")),
}
SCORE: dict[str, Callable[[ScoreDesk], object]] = {
    "set_names": lambda desk: desk.set_names(),
    "score": lambda desk: desk.score(ScoreRequest()),
    "tag_counts": lambda desk: desk.tag_counts(),
}
OF_A_TABLE = {"difference", "gaps", "reliability", "save_table", "write"}
"""They are given a table, which only `score` makes."""
PREDICTIONS: dict[str, Callable[[PredictionDesk], object]] = {
    "standing": lambda desk: desk.standing(),
    "look": lambda desk: desk.look(Path("answers.json"), lambda _done, _total: True),
    "add": lambda desk: desk.add(Path("answers.json"), name="other", options=PredictionOptions()),
    "picture": lambda desk: desk.picture(cast("SlicePlace", None)),
}


def _methods(kind: type) -> set[str]:
    return {name for name in vars(kind) if not name.startswith("_")}


def test_every_method_of_the_desks_is_asked_here() -> None:
    assert _methods(CompareDesk) == {*COMPARE, "refresh"}
    assert _methods(ScoreDesk) == {*SCORE, *OF_A_TABLE, "published"}  # what was published is no secret
    assert _methods(PredictionDesk) == set(PREDICTIONS)


@pytest.mark.parametrize("name", COMPARE)
def test_the_desk_that_compares_refuses(name: str, file: Path, store: Store) -> None:
    desk = compare_desk(file, store, HouseServices(log_file=None).studies)
    with pytest.raises(NotAllowedError) as refused:
        COMPARE[name](desk)
    assert secrets(str(refused.value)) == []


@pytest.mark.parametrize("name", SCORE)
def test_the_desk_that_scores_refuses(name: str, file: Path) -> None:
    tagging = failure_tagging()
    desk = ScoreDesk(file, HouseServices(log_file=None).scoring, lambda: tagging.tag_counts(file))
    with pytest.raises(NotAllowedError, match="database lock") as refused:
        SCORE[name](desk)
    assert secrets(str(refused.value)) == []


@pytest.mark.parametrize("name", PREDICTIONS)
def test_the_desk_of_predictions_refuses(name: str, file: Path, store: Store) -> None:
    pictures, service = SqlSlicePictures(store), HouseServices(log_file=None).predictions
    desk = PredictionDesk(file, service, phase=lambda: Phase.READING, pictures=pictures, decode=decode)
    with pytest.raises(NotAllowedError, match="database lock") as refused:
        PREDICTIONS[name](desk)
    assert secrets(str(refused.value)) == []


@pytest.mark.parametrize("name", ["Dora Judge", OWN, OTHER])
def test_nobody_sits_down_to_judge_and_nobody_gets_a_code(name: str, file: Path) -> None:
    before = file.read_bytes()
    with pytest.raises(NotAllowedError, match="database lock") as refused:
        HouseServices(log_file=None).judgements.sit_down(file, name)
    assert secrets(str(refused.value)) == []
    assert file.read_bytes() == before


def test_after_the_lock_the_same_desks_tell_them(file: Path, store: Store) -> None:
    """The control: were one of them open before, the sweep would see it."""
    HouseServices(log_file=None).studies.close(file, reason="done")
    desk = compare_desk(file, store, HouseServices(log_file=None).studies)
    assert MODEL in secrets(repr(desk.choices()))
    desk.open(CompareRequest((MODEL, "R02")))
    assert {"43.215", "0.4321", KEY[1].removesuffix(".png")} <= set(secrets(repr(desk.slice(KEY))))
    assert MODEL in HouseServices(log_file=None).scoring.set_names(file)
    assert HouseServices(log_file=None).judgements.sit_down(file, "Dora Judge").view().pair is not None


def test_no_view_of_a_reader_tells_that_a_model_has_answered(store: Store) -> None:
    desk = desk_at(store, OWN)
    views: list[object] = [desk.worklist()]
    for entry in desk.worklist().entries:
        views += [desk.entry(entry.presentation_id), desk.open_case(entry.presentation_id)]
        views += [desk.open_slice(Place(entry.presentation_id, s.slice_id)) for s in entry.slices]
    views += [desk.own_words(field) for field in ("label", "place", "diagnosis")]
    desk.close()
    assert secrets(repr(views)) == []


def test_verbs_refuse_before_they_look_at_what_is_asked(file: Path, tmp_path: Path) -> None:
    """An unknown set, filter or file is told no differently: by its answer nobody learns what is there."""
    home, out = tmp_path / "home", tmp_path / "out"
    cli = CommandLine(home)
    asked: list[tuple[str | Path, ...]] = [
        ("score", file),
        ("score", file, "--set", "R02", "--json"),
        ("compare", file, "--set", "R02", "--set", "Nobody", "--out", out),
        ("compare", file, "--set", "R02", "--where", "nonsense", "--out", out, "--html"),
        ("judgements", "add", file, tmp_path / "none.csv"),
        ("judgements", "export", file, "--out", out),
        ("judgements", "agreement", file),
    ]
    said = ""
    for arguments in asked:
        done = cli.run(*arguments, code=1)
        assert "opens after the database lock" in done.stderr, arguments
        said += done.stdout + done.stderr
    assert not out.exists()
    told = said + "".join(p.read_text(encoding="utf-8") for p in home.rglob("*.log"))
    assert secrets(told) == []
    assert histories(told) == []


def test_adding_predictions_tells_nothing_of_the_study(file: Path, tmp_path: Path) -> None:
    """It may be done before the lock: counts and names are those of the file that is added."""
    cli = CommandLine(tmp_path / "home")
    rows = '{"boxes": "xyxy", "units": "pixel", "predictions": [{"filename": "other.png", "boxes": []}]}'
    answers = tmp_path / "mine.json"
    answers.write_text(rows, encoding="utf-8")
    done = cli.run("predictions", "add", file, answers, "--name", "mine")
    assert "other.png" in done.stdout + done.stderr
    assert secrets(done.stdout + done.stderr) == []
