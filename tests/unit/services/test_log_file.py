"""The log tells where a fault lies, and nothing of a study."""

import logging
import logging.handlers
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from nova_review.services import log_file

log = logging.getLogger("nova_review.tests")


@pytest.fixture(autouse=True)
def _root_logger_as_before() -> Iterator[None]:
    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    shown = warnings.showwarning
    yield
    warnings.showwarning = shown
    for handler in [h for h in root.handlers if h not in handlers]:
        root.removeHandler(handler)
        handler.close()
    root.setLevel(level)


@pytest.fixture
def logged(tmp_path: Path, expect_log: Callable[[str], None]) -> Callable[[BaseException], str]:
    """Log an exception and give back what the file says."""
    path = log_file.start_logging(tmp_path / "logs" / "x.log")
    assert path is not None

    def write(error: BaseException) -> str:
        expect_log("the save failed")
        try:
            raise error
        except BaseException:
            log.exception("the save failed")
        return path.read_text(encoding="utf-8")

    return write


def test_the_log_lies_in_the_persons_own_log_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    assert log_file.log_path().is_relative_to(tmp_path)


def test_a_fault_keeps_its_way_and_its_kind(logged: Callable[[BaseException], str]) -> None:
    text = logged(AttributeError("'NoneType' object has no attribute 'box'"))
    assert "the save failed" in text
    assert "test_log_file.py" in text
    assert "raise error" in text
    assert text.rstrip().endswith("AttributeError: 'NoneType' object has no attribute 'box'")


@pytest.mark.parametrize(
    "error",
    [
        ValueError("cannot read 'Glioblastoma, said Dr. Lovelace'"),
        KeyError("Glioblastoma, said Dr. Lovelace"),
        OSError(28, "No space left on device", "Glioblastoma, said Dr. Lovelace.png"),
    ],
)
def test_a_text_that_could_quote_a_study_is_withheld(
    error: Exception, logged: Callable[[BaseException], str]
) -> None:
    text = logged(error)
    assert "Lovelace" not in text
    assert type(error).__name__ in text


def test_the_reason_of_the_system_is_kept(logged: Callable[[BaseException], str]) -> None:
    assert "OSError: No space left on device (error 28)" in logged(
        OSError(28, "No space left on device", "x")
    )


def test_causes_are_told_with_the_same_discretion(logged: Callable[[BaseException], str]) -> None:
    error = TypeError("unsupported operand")
    error.__cause__ = ValueError("Lovelace")
    text = logged(error)
    assert (
        text.index("ValueError") < text.index("which led to") < text.index("TypeError: unsupported operand")
    )
    assert "Lovelace" not in text


def test_a_folder_that_cannot_be_made_leaves_the_program_without_a_log(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert log_file.start_logging(tmp_path / "file" / "x.log") is None


def test_the_log_does_not_grow_for_ever(tmp_path: Path) -> None:
    path = log_file.start_logging(tmp_path / "x.log")
    for _ in range(500):
        log.info("x" * 6400)
    assert path is not None
    files = list(tmp_path.glob("x.log*"))
    assert len(files) == 4
    assert all(file.stat().st_size <= 500_000 for file in files)


def test_a_warning_of_a_library_is_logged_without_its_words_and_not_shown(
    tmp_path: Path, expect_log: Callable[[str], None], capsys: pytest.CaptureFixture[str]
) -> None:
    expect_log("RuntimeWarning at ")
    path = log_file.start_logging(tmp_path / "x.log")
    assert path is not None
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.warn("overflow in the boxes of Dr. Lovelace", RuntimeWarning, stacklevel=1)
    assert capsys.readouterr() == ("", "")
    text = path.read_text(encoding="utf-8")
    assert "RuntimeWarning at " in text
    assert "Lovelace" not in text
