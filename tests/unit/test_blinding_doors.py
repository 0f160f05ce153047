"""Blinding at the doors without a window: the desk, the verbs before the lock, the log, the exports.

Every secret of the study carries a word of its own (tests/helpers/leaks.py); the doors of the window
are swept in tests/unit/ui/test_blinding_window.py.
"""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pyarrow import parquet

from nova_review.bootstrap import HouseServices
from nova_review.services.export_content import ExportChoice
from nova_review.services.ports import Place
from nova_review.services.readings import Desk, desk_readers
from nova_review.storage.engine import Store, open_store
from nova_review.storage.reading_store import SqlReadingStore
from tests.helpers.data_sets import data_set, study_service
from tests.helpers.leaks import (
    OTHER,
    OWN,
    desk_at,
    file_name,
    histories,
    make_leaky_study,
    own_slice_answer,
    secrets,
    write_leaky_data_set,
)
from tests.helpers.onlooker import Onlooker
from tests.helpers.program import CommandLine

CONTENT = ("LEAKTITLE", "LEAKDATE", "LEAKDIFFERENTIAL", "LEAKRARE", "LEAKFINAL", "LEAKLINK", "LEAKCAPTION")
ANSWERS = ("LEAKLABEL", "LEAKPLACE", "LEAKTEXT", "LEAKSEQUENCE", "LEAKDIAGNOSIS", "LEAKRATIONALE", "7654.")


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return make_leaky_study(tmp_path)


@pytest.fixture
def store(file: Path) -> Iterator[Store]:
    with closing(open_store(file)) as store:
        yield store


@pytest.fixture
def desk(store: Store) -> Iterator[Desk]:
    desk = desk_at(store, OWN)
    yield desk
    desk.close()


def _all_that_the_desk_says(desk: Desk) -> str:
    """Every view of every slice and case, and every word that is offered for typing."""
    worklist = desk.worklist()
    views: list[object] = [worklist]
    for entry in worklist.entries:
        views.append(desk.entry(entry.presentation_id))
        views.append(desk.open_case(entry.presentation_id))
        views += [desk.open_slice(Place(entry.presentation_id, s.slice_id)) for s in entry.slices]
    views += [desk.own_words(field) for field in ("label", "place", "diagnosis")]
    return repr(views)


def test_the_secrets_are_in_the_file_and_the_sweep_would_find_them(file: Path) -> None:
    content = file.read_bytes().decode("latin-1")
    found = " ".join(secrets(content))
    assert all(word.rstrip(".") in found for word in (*CONTENT, *ANSWERS[:-1], "LEAKOTHER", "LEAKFILE"))
    assert secrets(f"box {7654.5}") == ["7654.5"]
    assert secrets(f"box {8765.25} on {file_name(1, 1)}") == ["8765.25", "LEAKFILE1_001"]


def test_no_view_of_the_desk_tells_a_secret_at_stage_1(desk: Desk) -> None:
    said = _all_that_the_desk_says(desk)
    assert "case 1 of 3" in said
    assert secrets(said) == []
    assert histories(said) == []


def test_the_history_opens_for_its_own_case_and_only_when_every_slice_is_locked(desk: Desk) -> None:
    opened: list[str] = []
    for entry in desk.worklist().entries:
        for part in entry.slices:
            assert histories(_all_that_the_desk_says(desk)) == sorted(opened)
            place = Place(entry.presentation_id, part.slice_id)
            desk.lock_slice(place, own_slice_answer(), revision=0)
        new = set(histories(_all_that_the_desk_says(desk))) - set(opened)
        assert len(new) == 1
        assert histories(desk.open_case(entry.presentation_id).history or "") == [*new]
        opened += new
    assert len(opened) == 3
    assert secrets(_all_that_the_desk_says(desk)) == []


def test_a_saved_draft_of_stage_2_does_not_open_the_history(desk: Desk) -> None:
    from nova_review.domain.errors import NotAllowedError
    from nova_review.domain.reading import CaseAnswer, Diagnosis

    entry = desk.worklist().entries[0]
    with pytest.raises(NotAllowedError) as refused:
        desk.save_case(entry.presentation_id, CaseAnswer((Diagnosis("glioma", 0.5),), ""), revision=0)
    assert histories(str(refused.value)) == []
    assert histories(_all_that_the_desk_says(desk)) == []


def test_what_another_reader_does_changes_nothing_here(file: Path, tmp_path: Path) -> None:
    """Order, marks, words and counts are the same before and after: nothing can be read off them."""
    from tests.helpers.leaks import read_everything

    services = HouseServices(log_file=None)
    data_set = services.read_data_set(tmp_path / "LEAKDATASET", lambda _done, _total: True)
    fresh = tmp_path / "fresh.nova"
    services.studies.new_study([data_set], fresh, readers=(OWN, OTHER), seed="5", progress=lambda *_: True)
    with closing(open_store(fresh)) as store:
        desk = desk_at(store, OWN)
        before = _all_that_the_desk_says(desk)
        read_everything(desk_at(store, OTHER))
        assert _all_that_the_desk_says(desk) == before
        desk.close()


def test_orders_are_drawn_for_each_reader_and_do_not_follow_the_files(tmp_path: Path) -> None:
    file = tmp_path / "study.nova"
    study_service().new_study([data_set([1] * 20)], file, readers=(OWN, OTHER), seed="5")
    orders = [[p.slices[0].file_name for p in Onlooker(file, name).order()] for name in (OWN, OTHER)]
    assert orders[0] != orders[1]
    assert sorted(orders[0]) not in orders


def test_slices_and_readers_have_no_name_but_their_place(desk: Desk) -> None:
    """Keys are random: none grows with the order, with a file name or with what another has drawn."""
    entries = desk.worklist().entries
    keys = [e.presentation_id for e in entries] + [s.slice_id for e in entries for s in e.slices]
    assert all(len(key) == 36 and key[14] == "4" for key in keys)
    words = [desk.open_slice(Place(e.presentation_id, e.slices[0].slice_id)).words for e in entries]
    assert [w.partition(" - ")[0] for w in words] == ["case 1 of 3", "case 2 of 3", "case 3 of 3"]


def test_who_reads_tells_neither_progress_nor_code_of_anybody(store: Store) -> None:
    found = desk_readers(SqlReadingStore(store))
    assert [r.name for r in found] == [OWN, OTHER]
    assert [(r.code, r.progress) for r in found] == [("", ""), ("", "")]


def test_a_picture_that_is_gone_is_named_by_its_place_in_the_order(file: Path, tmp_path: Path) -> None:
    for picture in (tmp_path / "LEAKDATASET" / "images").iterdir():
        picture.unlink()
    with closing(open_store(file)) as store:
        desk = desk_at(store, OWN)
        entry = desk.worklist().entries[0]
        place = Place(entry.presentation_id, entry.slices[0].slice_id)
        problem = desk.open_slice(place).image_problem
        with pytest.raises(Exception, match="case 1 of 3") as failed:
            desk.picture(place.slice_id)
        desk.close()
    assert "case 1 of 3" in problem
    assert secrets(problem + str(failed.value)) == []


def test_a_picture_that_cannot_be_decoded_is_named_by_its_place_in_the_order(
    file: Path, tmp_path: Path
) -> None:
    for picture in (tmp_path / "LEAKDATASET" / "images").iterdir():
        picture.write_bytes(b"no picture of LEAKFILE at all")
    with closing(open_store(file)) as store:
        desk = desk_at(store, OWN)
        entry = desk.worklist().entries[0]
        with pytest.raises(Exception, match="case 1 of 3") as failed:
            desk.picture(entry.slices[0].slice_id)
        desk.close()
    assert secrets(str(failed.value)) == []


def test_the_view_log_and_the_deviations_of_a_reader_hold_no_secret(desk: Desk, file: Path) -> None:
    entry = desk.worklist().entries[0]
    place = Place(entry.presentation_id, entry.slices[0].slice_id)
    desk.lock_slice(place, own_slice_answer(), revision=0)
    seen = Onlooker(file, OWN)
    for table in ("view_log", "deviation"):
        rows = seen._all(f"SELECT * FROM {table} WHERE reader_id = ?", seen.reader_id)
        assert secrets(json.dumps([tuple(row) for row in rows])) == []
    audit = seen._all("SELECT * FROM audit_log WHERE actor = ?", seen.reader_id)
    assert audit
    assert secrets(json.dumps([tuple(row) for row in audit])) == []


# The command line, before the database lock and after it.


def _log(home: Path) -> str:
    return "".join(p.read_text(encoding="utf-8") for p in home.rglob("*.log"))


def test_verbs_tell_no_answer_and_no_secret_of_a_case_before_the_lock(file: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    cli = CommandLine(home)
    said = []
    for arguments in (("study", "info", file), ("study", "info", file, "--json"), ("doctor", file)):
        done = cli.run(*arguments)
        said.append(done.stdout + done.stderr)
    refused = cli.run("export", file, "--format", "nova-csv", "--out", tmp_path / "out", code=1)
    assert "lock" in refused.stderr
    assert not (tmp_path / "out").exists()
    said.append(refused.stdout + refused.stderr)
    unknown = cli.run("export", file, "--format", "coco", "--out", tmp_path / "out", "--reader", "X", code=1)
    said += [unknown.stdout + unknown.stderr, _log(home)]
    told = "\n".join(said)
    assert [word for word in (*CONTENT, *ANSWERS) if word in told] == []
    assert histories(told) == []
    assert "LEAKFILE" not in refused.stderr + unknown.stderr


def test_an_unknown_reader_at_the_door_learns_nobody_s_name(file: Path, tmp_path: Path) -> None:
    pytest.importorskip("PySide6", reason="this door is the window's")
    from nova_review.bootstrap.doors import desk_of

    with closing(open_store(file)) as store, pytest.raises(Exception, match="Nobody") as refused:
        desk_of(SqlReadingStore(store), "Nobody")
    assert secrets(str(refused.value)) == []
    assert OWN not in str(refused.value)


@pytest.mark.parametrize("name", ["nova-csv", "nova-parquet", "gaze-lines", "coco"])
def test_exports_hold_codes_and_neither_names_nor_times_nor_rationales(
    name: str, file: Path, tmp_path: Path
) -> None:
    services = HouseServices(log_file=None)
    services.studies.close(file, reason="done")
    services.exporting.export(file, format_name=name, folder=tmp_path / "out", choice=ExportChoice())
    content = _content(tmp_path / "out")
    assert "7654.5" in content  # the other reader's boxes have gone out
    for hidden in ("LEAKOTHER", "LEAKRATIONALE", "LEAKMETADATA", OWN, *_days_of_answers(file)):
        assert hidden not in content, hidden
    with_all = ExportChoice(notes=True, with_times=True)
    services.exporting.export(file, format_name=name, folder=tmp_path / "all", choice=with_all)
    if name.startswith("nova"):  # the control: asked for, they would be found
        said = _content(tmp_path / "all")
        assert all(word in said for word in ("LEAKRATIONALE", *_days_of_answers(file)))


def _content(folder: Path) -> str:
    """All that an export holds, parquet unpacked."""
    files = [p for p in sorted(folder.rglob("*")) if p.is_file()]
    tables = [repr(parquet.read_table(p).to_pylist()) for p in files if p.suffix == ".parquet"]
    return "".join([*tables, *(p.read_bytes().decode("latin-1") for p in files)])


def _days_of_answers(file: Path) -> set[str]:
    """The days on which the other reader answered, as they are written."""
    other = Onlooker(file, OTHER)
    slices = [s.id for place in other.order() for s in place.slices]
    return {other.answer(slice_id)["saved_utc"][:10] for slice_id in slices}


def test_embedded_pictures_carry_no_metadata(tmp_path: Path) -> None:
    cli = CommandLine(tmp_path / "home")
    data_set = write_leaky_data_set(tmp_path)
    cli.run("study", "new", data_set, tmp_path / "embedded.nova", "--reader", OWN, "--embed")
    assert b"LEAKMETADATA" in (data_set / "images" / file_name(1, 1)).read_bytes()
    assert b"LEAKMETADATA" not in (tmp_path / "embedded.nova").read_bytes()
