"""The window's ways to a study: every way to name a reader, and files given back."""

from pathlib import Path

import pytest

from nova_review.bootstrap import HouseServices
from nova_review.bootstrap.doors import HouseDoors
from nova_review.domain.errors import StorageError, UserError
from nova_review.services.resources import resource


def silent(_done: int, _total: int) -> bool:
    return True


@pytest.fixture
def services() -> HouseServices:
    return HouseServices(log_file=None)


@pytest.fixture
def doors(services: HouseServices) -> HouseDoors:
    def make(data_set: Path, file: Path, readers: tuple[str, ...], progress: object) -> None:
        found = services.read_data_set(data_set, silent)
        services.studies.new_study([found], file, readers=readers, seed="1", progress=silent)

    return HouseDoors(
        make_study=make,
        make_demo=lambda _progress: pytest.fail("no demo was asked for"),
        agreement=lambda: services.agreement,
    )


@pytest.fixture
def study_file(services: HouseServices, doors: HouseDoors, tmp_path: Path) -> Path:
    file = tmp_path / "study 医.nova"
    doors.make(resource("demo", "dataset"), file, ("Ada", "Bruno"), silent)
    doors.close()
    return file


def test_everyone_who_can_read_is_at_the_door(doors: HouseDoors, study_file: Path) -> None:
    door = doors.open(study_file)
    assert [reader.name for reader in door.readers] == ["Ada", "Bruno"]
    assert door.title == "study 医"
    assert door.is_whole_study
    doors.close()


def test_a_reader_is_known_by_name_code_and_id(
    services: HouseServices, doors: HouseDoors, study_file: Path
) -> None:
    code = next(r.code for r in services.studies.info(study_file).readers if r.name == "Bruno")
    door = doors.open(study_file)
    bruno = next(reader.reader_id for reader in door.readers if reader.name == "Bruno")
    for name in ("Bruno", code, bruno):
        desk = door.desk_for(name)
        assert desk.worklist().reader_code == code
        desk.close()
    doors.close()


def test_a_stranger_is_told_so_and_hears_no_name(doors: HouseDoors, study_file: Path) -> None:
    door = doors.open(study_file)
    with pytest.raises(UserError, match="called 'Clara'") as told:
        door.desk_for("Clara")
    assert "Ada" not in str(told.value)
    doors.close()


def test_nothing_is_left_beside_a_file_that_was_closed(doors: HouseDoors, study_file: Path) -> None:
    desk = doors.open(study_file).desk_for("Ada")
    desk.close()
    doors.close()
    assert list(study_file.parent.iterdir()) == [study_file]


def test_a_file_that_is_no_study_is_said(doors: HouseDoors, tmp_path: Path) -> None:
    (tmp_path / "a.nova").write_bytes(b"hello")
    with pytest.raises(StorageError, match="is not a study file"):
        doors.open(tmp_path / "a.nova")
    doors.close()
