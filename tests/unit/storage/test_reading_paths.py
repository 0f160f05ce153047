"""Where a referenced picture is looked for: beside the study file first, then where it was."""

import shutil
from pathlib import Path

import pytest

from nova_review.storage.engine import open_store
from nova_review.storage.reading_store import SqlReadingStore
from tests.helpers.reading_worlds import make_plan, write_plan


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A study file with its data set beside it: one slice, whose picture is referenced."""
    picture = tmp_path / "made" / "data" / "images" / "LEAK-file-1-1.png"
    picture.parent.mkdir(parents=True)
    picture.write_bytes(b"a picture")
    plan = make_plan(slices_of_cases=[1], root=str(tmp_path / "made" / "data"))
    write_plan(plan, tmp_path / "made" / "study.nova", picture_bytes=None).close()
    return tmp_path / "made" / "study.nova"


def path_of_picture(study: Path) -> Path | None:
    with open_store(study) as store:
        rows_of = SqlReadingStore(store)
        reader = rows_of.readers()[0].reader
        with rows_of.reading(reader.id) as rows:
            image = rows.image(rows.presentations()[0].slice_ids[0])
    assert image is not None
    assert not image.embedded
    return image.path


def test_where_it_was(study: Path) -> None:
    path = path_of_picture(study)
    assert path is not None
    assert path.read_bytes() == b"a picture"


def test_carried_to_another_place_together(study: Path, tmp_path: Path) -> None:
    shutil.move(study.parent, tmp_path / "elsewhere")
    path = path_of_picture(tmp_path / "elsewhere" / study.name)
    assert path == tmp_path / "elsewhere" / "data" / "images" / "LEAK-file-1-1.png"


def test_only_the_study_file_was_carried(study: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    shutil.move(study, tmp_path / "elsewhere" / study.name)
    path = path_of_picture(tmp_path / "elsewhere" / study.name)
    assert path == study.parent / "data" / "images" / "LEAK-file-1-1.png"
