"""No traceback ever reaches a person."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from nova_review.cli.guard import CANNOT, DONE, STOPPED, fault_hook, guarded
from nova_review.domain.errors import FormatError, UserError

LOG = Path("somewhere") / "nova-review.log"


def fails_with(error: BaseException) -> Callable[[], int]:
    def run() -> int:
        raise error

    return run


def test_what_is_done_keeps_its_code() -> None:
    assert guarded(lambda: DONE, arguments=[], log_file=LOG) == 0
    assert guarded(lambda: 2, arguments=[], log_file=LOG) == 2


@pytest.mark.parametrize("error", [UserError, FormatError])
def test_a_sentence_for_a_person_is_all_that_is_said(
    error: type[UserError], capsys: pytest.CaptureFixture[str]
) -> None:
    run = fails_with(error("captions.csv has no column filename:\nadd it."))
    assert guarded(run, arguments=["dataset", "check"], log_file=LOG) == CANNOT
    assert capsys.readouterr() == ("", "captions.csv has no column filename: add it.\n")


def test_with_json_the_sentence_is_the_object(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(fails_with(UserError("No.")), arguments=["x", "--json"], log_file=LOG) == CANNOT
    said = capsys.readouterr()
    assert json.loads(said.out) == {"error": "No."}
    assert said.err == "No.\n"


def test_a_fault_names_the_log_and_hides_the_rest(
    capsys: pytest.CaptureFixture[str], expect_log: Callable[[str], None]
) -> None:
    expect_log("^ERROR nova_review.cli.guard: a verb failed$")
    assert guarded(fails_with(KeyError("R01")), arguments=[], log_file=LOG) == CANNOT
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert str(LOG) in said.err
    assert "R01" not in said.err
    assert "Traceback" not in said.err


def test_a_fault_without_a_log_says_that(
    capsys: pytest.CaptureFixture[str], expect_log: Callable[[str], None]
) -> None:
    expect_log("a verb failed")
    assert guarded(fails_with(ZeroDivisionError()), arguments=[], log_file=None) == CANNOT
    assert "no log could be written" in capsys.readouterr().err


def test_control_c_is_no_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(fails_with(KeyboardInterrupt()), arguments=[], log_file=LOG) == STOPPED
    assert "Traceback" not in capsys.readouterr().err


def test_what_nobody_caught_is_one_sentence_too(
    capsys: pytest.CaptureFixture[str], expect_log: Callable[[str], None]
) -> None:
    expect_log("^ERROR nova_review.cli.guard: an exception that nobody caught$")
    error = KeyError("R01")
    fault_hook(LOG)(KeyError, error, None)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert str(LOG) in said.err


def test_what_the_system_refuses_names_the_file_that_the_person_named(
    capsys: pytest.CaptureFixture[str], expect_log: Callable[[str], None]
) -> None:
    expect_log("the system refused")
    error = OSError(36, "File name too long", "data/x.nova")
    assert guarded(fails_with(error), arguments=["study", "new", "data", "--json"], log_file=LOG) == CANNOT
    said = capsys.readouterr()
    assert said.err == "data/x.nova cannot be used: File name too long.\n"
    assert json.loads(said.out) == {"error": said.err.strip()}


def test_what_the_system_refuses_names_no_other_file(
    capsys: pytest.CaptureFixture[str], expect_log: Callable[[str], None]
) -> None:
    expect_log("the system refused")
    error = PermissionError(13, "Permission denied", "/data/case0001_001.png")
    assert guarded(fails_with(error), arguments=["open", "x.nova"], log_file=LOG) == CANNOT
    assert capsys.readouterr() == ("", "A file or folder cannot be used: Permission denied.\n")


def test_too_little_memory_is_said(
    capsys: pytest.CaptureFixture[str], expect_log: Callable[[str], None]
) -> None:
    expect_log("out of memory")
    assert guarded(fails_with(MemoryError()), arguments=[], log_file=LOG) == CANNOT
    assert "memory" in capsys.readouterr().err


def test_control_c_is_said_in_the_object_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(fails_with(KeyboardInterrupt()), arguments=["x", "--json"], log_file=LOG) == STOPPED
    assert json.loads(capsys.readouterr().out) == {"error": "Stopped; nothing half-done was kept."}


def test_a_name_that_is_no_text_is_said(
    capsys: pytest.CaptureFixture[str], expect_log: Callable[[str], None]
) -> None:
    expect_log("a text that is no text")

    def run() -> int:
        return len("\udcff".encode())

    assert guarded(run, arguments=["--json"], log_file=LOG) == CANNOT
    assert "not valid UTF-8" in json.loads(capsys.readouterr().out)["error"]


def test_a_sentence_cannot_steer_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(fails_with(UserError("No \x1b[2J\x07.")), arguments=[], log_file=LOG) == CANNOT
    assert capsys.readouterr().err == "No \\x1b[2J\\x07.\n"
