"""`doctor` tells what is there, and a sentence for each thing that would stop a reading."""

import json
from pathlib import Path

import pytest

from nova_review.cli import doctor
from nova_review.cli.app import run_verb
from nova_review.services.system_parts import PARTS
from tests.helpers.fake_services import FakeServices

SOUND: dict[str, object] = {
    "missing_sentence": "",
    "libraries": {"numpy": "2.0"},
    "qt": {"font_families": 3},
    "disk": {"folder": "somewhere", "free_bytes": 10**10},
    "log_file": "somewhere.log",
}


def test_json_has_versions_parts_disk_and_log(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb(["doctor", "--json"], FakeServices()) == 0  # type: ignore[arg-type]
    facts = json.loads(capsys.readouterr().out)
    assert facts["libraries"]["numpy"] == __import__("numpy").__version__
    assert facts["qt"]["platform"] == "offscreen"
    assert facts["disk"]["free_bytes"] > 0
    assert facts["log_file"] == "nova-review.log"
    assert "study" not in facts


def test_a_file_is_checked_too(capsys: pytest.CaptureFixture[str]) -> None:
    services = FakeServices()
    assert run_verb(["doctor", "a.nova", "--json"], services) == 0  # type: ignore[arg-type]
    facts = json.loads(capsys.readouterr().out)
    assert facts["study"] == {
        "file": "a.nova",
        "schema": 1,
        "newest_schema": 1,
        "size": 9,
        "is_old": False,
        "can_be_written": True,
        "problems": ["It is torn."],
    }
    assert facts["problems"][-1] == "It is torn."
    assert services.asked == [("study_health", Path("a.nova"))]


def test_a_person_reads_the_problems_last(capsys: pytest.CaptureFixture[str]) -> None:
    services = FakeServices(log_file=None)
    assert run_verb(["doctor"], services) == 0  # type: ignore[arg-type]
    assert capsys.readouterr().out.splitlines()[-1] == "The log file cannot be written."


def test_a_missing_library_of_the_system_is_named_with_its_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    egl = next(part for part in PARTS if part.name == "libEGL.so.1")
    monkeypatch.setattr(doctor, "missing_parts", lambda _needs: (egl,))
    assert run_verb(["doctor", "--json"], FakeServices()) == 0  # type: ignore[arg-type]
    facts = json.loads(capsys.readouterr().out)
    assert facts["missing_system_parts"] == ["libEGL.so.1"]
    assert facts["install_line"] == "sudo apt-get install libegl1"
    assert "libEGL.so.1" in facts["problems"][0]


def test_a_sound_machine_has_no_problems() -> None:
    assert doctor.problems(dict(SOUND)) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"missing_sentence": "The window needs parts."}, "The window needs parts."),
        ({"libraries": {"numpy": None, "rich": "1"}}, "not installed: numpy;"),
        ({"qt": {"problem": "no platform plugin"}}, "no platform plugin"),
        ({"qt": {"font_families": 0}}, "No font is installed"),
        ({"disk": {"folder": "here", "free_bytes": 123_456_789}}, "Only 123 MB are free at here"),
        ({"log_file": None}, "log file"),
    ],
)
def test_each_lack_is_one_sentence(change: dict[str, object], words: str) -> None:
    found = doctor.problems(SOUND | change)
    assert len(found) == 1
    assert words in found[0]


def test_a_person_reads_sizes_and_rights_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb(["doctor", "a.nova"], FakeServices()) == 0  # type: ignore[arg-type]
    told = capsys.readouterr().out.splitlines()
    assert "study: a.nova, 0.0 MB, tables of this version, can be written" in told
    assert any(line.startswith("disk: ") and " MB free at " in line for line in told)
