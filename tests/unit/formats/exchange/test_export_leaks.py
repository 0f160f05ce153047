"""No export of any format tells a reader's name, a rationale, a clock time or what a picture's file said."""

from pathlib import Path

import pytest

from nova_review.bootstrap import HouseServices
from nova_review.bootstrap.exports import FORMATS
from nova_review.domain.prediction import PredictedBox, Prediction, PredictionKind, PredictionSet
from nova_review.services.export_content import ExportChoice
from tests.helpers.exports import AWKWARD, words_in
from tests.helpers.leaks import DATA_SET, OTHER, OWN, file_name, make_leaky_study


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two readers, one of whom has answered; past the lock, with a model's answers."""
    file = make_leaky_study(tmp_path_factory.mktemp("leaks"))
    services = HouseServices(log_file=None)
    answer = Prediction(file_name(1, 1), DATA_SET, (PredictedBox(AWKWARD),), "seen by the model")
    services.studies.add_prediction_set(file, PredictionSet("machine", PredictionKind.MODEL), [answer])
    services.studies.close(file, reason="done")
    return file


@pytest.mark.parametrize("format_name", FORMATS)
def test_nothing_that_is_to_stay_behind_goes_out(format_name: str, study: Path, tmp_path: Path) -> None:
    exporting = HouseServices(log_file=None).exporting
    choice = ExportChoice(force_pixels=True)
    exporting.export(study, format_name=format_name, folder=tmp_path / "out", choice=choice)
    words = words_in(tmp_path / "out")
    for hidden in ("LEAKOTHER", "LEAKRATIONALE", "LEAKMETADATA", OWN, OTHER.split()[-1]):
        assert hidden not in words, hidden
    # The control: what shall go out is found by the same means.
    assert "LEAKFILE" in words
    holds_captions = FORMATS[format_name].holds_sets and format_name not in ("coco", "waldo")
    assert ("seen by the model" in words) is holds_captions


@pytest.mark.parametrize("format_name", [n for n, f in FORMATS.items() if not f.holds_sets])
def test_a_format_of_the_data_set_holds_no_model_s_answers(
    format_name: str, study: Path, tmp_path: Path
) -> None:
    exporting = HouseServices(log_file=None).exporting
    exporting.export(study, format_name=format_name, folder=tmp_path / "out", choice=ExportChoice())
    assert "seen by the model" not in words_in(tmp_path / "out")
