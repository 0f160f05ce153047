"""The desk for prediction sets: names, counts, and the database lock."""

from collections.abc import Callable
from pathlib import Path

import pytest

from nova_review.domain.errors import NotAllowedError
from nova_review.domain.study import Phase
from nova_review.services.prediction_content import PredictionOptions, SlicePlace
from nova_review.services.prediction_desk import PredictionDesk, name_problem, suggested_name


@pytest.mark.parametrize(
    ("path", "taken", "wanted"),
    [
        ("run/My model (v2).json", (), "My-model-v2"),
        ("gemini/predictions.json", (), "gemini"),
        ("gemini/predictions.json", ("gemini", "gemini-2"), "gemini-3"),
        ("runs/gaze_run", (), "gaze_run"),
        ("x/日本.json", (), ""),
        ("x/../...json", (), ""),
        ("x/" + "a" * 200 + ".json", (), "a" * 60),
    ],
)
def test_names_are_suggested_from_the_file(path: str, taken: tuple[str, ...], wanted: str) -> None:
    found = suggested_name(Path(path), taken)
    assert found == wanted
    assert not found or not name_problem(found, taken)


def test_a_name_that_cannot_be_is_told_why() -> None:
    assert "letters, digits" in name_problem("a/b", ())
    assert "already" in name_problem("one", ("one",))
    assert name_problem("two", ("one",)) == ""


class _Nothing:
    """Stands where nothing may be asked."""

    def __getattr__(self, name: str) -> object:
        raise AssertionError(f"{name} was asked for before the lock")


@pytest.mark.parametrize("phase", [Phase.SETUP, Phase.READING])
@pytest.mark.parametrize(
    "ask",
    [
        lambda desk: desk.standing(),
        lambda desk: desk.look(Path("p.json"), lambda done, total: True),
        lambda desk: desk.add(Path("p.json"), name="m", options=PredictionOptions()),
        lambda desk: desk.picture(SlicePlace("d", "a.png", "c", None)),  # type: ignore[arg-type]
    ],
)
def test_everything_is_refused_before_the_lock(ask: Callable[[PredictionDesk], object], phase: Phase) -> None:
    nothing = _Nothing()
    desk = PredictionDesk(
        Path("s.nova"),
        nothing,  # type: ignore[arg-type]
        phase=lambda: phase,
        pictures=nothing,  # type: ignore[arg-type]
        decode=nothing,  # type: ignore[arg-type]
    )
    with pytest.raises(NotAllowedError, match="after the database lock"):
        ask(desk)
