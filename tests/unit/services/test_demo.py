"""The demo study is made whole from its parts, and kept with what a visitor drew in it."""

import json
from pathlib import Path

import pytest

from nova_review.bootstrap import HouseServices
from nova_review.domain.errors import StorageError, UserError
from nova_review.domain.prediction import PredictionKind
from nova_review.domain.reading import Outcome
from nova_review.domain.study import Phase, PresentationRole
from nova_review.formats.demo_answers import read_demo_predictions, read_demo_readings
from nova_review.services.demo import DemoParts, DemoService
from nova_review.services.resources import resource


def silent(_done: int, _total: int) -> bool:
    return True


@pytest.fixture(scope="module")
def house() -> HouseServices:
    return HouseServices(log_file=None)


@pytest.fixture(scope="module")
def demo_file(house: HouseServices, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("demo") / "new folder" / "demo 医 #1.nova"
    assert house.demo.write(file, silent) == file
    return file


def broken_parts(house: HouseServices, folder: Path) -> DemoParts:
    def no_readings(_file: Path, _code: str) -> tuple[tuple[()], tuple[()]]:
        raise OSError(28, "No space left on device")

    return DemoParts(
        folder=folder,
        read_data_set=house.read_data_set,
        read_readings=no_readings,
        read_predictions=lambda file, code: read_demo_predictions(file, data_set=code),
    )


def test_it_is_past_its_lock_says_that_it_is_synthetic_and_holds_its_pictures(
    house: HouseServices, demo_file: Path
) -> None:
    info = house.studies.info(demo_file)
    assert info.is_demo
    assert "synthetic" in info.title
    assert info.phase is Phase.DATABASE_LOCKED
    (data_set,) = info.data_sets
    assert data_set.slices >= 24
    assert data_set.cases >= 8
    assert info.embedded == data_set.usable_slices == data_set.slices
    assert list(demo_file.parent.iterdir()) == [demo_file]


def test_every_simulated_answer_is_in_it(house: HouseServices, demo_file: Path) -> None:
    written = json.loads(resource("demo", "readers.json").read_text(encoding="utf-8"))["readers"]
    snapshot = house.studies.snapshot(demo_file)
    names = {reader.code: reader.name for reader in snapshot.readers}
    stored = {(names[one.context.reader_code], one.file_name): one.answer for one in snapshot.slice_readings}
    assert len(stored) == sum(len(reader["slices"]) for reader in written)
    for reader in written:
        for name, row in reader["slices"].items():
            answer = stored[reader["name"], name]
            assert answer.outcome is Outcome(row["outcome"])
            boxes = [[f.box.x, f.box.y, f.box.width, f.box.height] for f in answer.findings]
            assert boxes == [finding["box"] for finding in row["findings"]]
    assert len(snapshot.case_readings) == sum(len(reader["cases"]) for reader in written)


def test_two_models_are_in_it(house: HouseServices, demo_file: Path) -> None:
    assert house.studies.info(demo_file).prediction_sets == ("model-a", "model-b")


def test_a_visitor_has_a_place_in_training(house: HouseServices, demo_file: Path) -> None:
    info = house.studies.info(demo_file)
    visitor = next(reader for reader in info.readers if reader.name == "Visitor")
    assert visitor.presentations == info.data_sets[0].cases
    assert PresentationRole.TRAINING not in {
        one.context.role for one in house.studies.snapshot(demo_file).slice_readings
    }


def test_what_is_there_is_never_overwritten(house: HouseServices, tmp_path: Path) -> None:
    target = tmp_path / "mine.nova"
    target.write_bytes(b"a reading")
    with pytest.raises(UserError, match="is there already"):
        house.demo.write(target, silent)
    assert target.read_bytes() == b"a reading"


def test_a_folder_that_cannot_be_made_is_named(house: HouseServices, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StorageError, match="cannot be written"):
        house.demo.write(tmp_path / "file" / "demo.nova", silent)


def test_half_a_study_is_taken_away(house: HouseServices, tmp_path: Path) -> None:
    parts = broken_parts(house, resource("demo"))
    with pytest.raises(OSError, match="No space left"):
        DemoService(house.studies, parts, home=tmp_path).write(tmp_path / "demo.nova", silent)
    assert list(tmp_path.iterdir()) == []


def test_a_visitor_finds_again_what_he_drew(house: HouseServices, tmp_path: Path) -> None:
    service = DemoService(house.studies, broken_parts(house, resource("demo")), home=tmp_path)
    with pytest.raises(OSError, match="No space left"):
        service.to_open(silent)
    (tmp_path / f"demo-{__import__('nova_review').__version__}.nova").write_bytes(b"with a drawing")
    assert service.to_open(silent).read_bytes() == b"with a drawing"


def test_a_models_corners_become_boxes(tmp_path: Path) -> None:
    row = {"filename": "a.png", "boxes": [[10.0, 20.0, 15.5, 40.0]], "scores": [0.5], "labels": ["lesion"]}
    content = {"model": "m", "note": "synthetic", "predictions": [row | {"caption": "", "diagnoses": ["MS"]}]}
    (tmp_path / "m.json").write_text(json.dumps(content), encoding="utf-8")
    named, (one,) = read_demo_predictions(tmp_path / "m.json", data_set="d")
    assert (named.name, named.kind) == ("m", PredictionKind.MODEL)
    assert one.boxes is not None
    box = one.boxes[0].box
    assert (box.x, box.y, box.width, box.height) == (10.0, 20.0, 5.5, 20.0)


def test_reading_the_parts_twice_gives_the_same_values() -> None:
    file = resource("demo", "readers.json")
    assert read_demo_readings(file, data_set="d") == read_demo_readings(file, data_set="d")
