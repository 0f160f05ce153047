"""The command line assembles verbs and nothing else."""

import importlib
import json
from pathlib import Path
from typing import Any, get_args, get_type_hints

import pytest
import typer

from nova_review import __version__
from nova_review.cli.app import VERBS, run_verb
from nova_review.domain.errors import UserError
from tests.helpers.fake_services import FakeServices


@pytest.fixture
def services() -> FakeServices:
    return FakeServices()


def test_the_help_lists_every_verb(services: FakeServices, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb(["--help"], services) == 0  # type: ignore[arg-type]
    listed = [line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("  ")]
    assert [verb for verb in VERBS if verb not in listed] == []


@pytest.mark.parametrize("module", VERBS.values())
def test_the_file_of_a_verb_holds_its_app(module: str) -> None:
    assert isinstance(importlib.import_module(module).app, typer.Typer)


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_has_a_help(verb: str, services: FakeServices, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb([verb, "--help"], services) == 0  # type: ignore[arg-type]
    assert f"nova-review {verb}" in capsys.readouterr().out


def test_the_version_is_printed(services: FakeServices, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_verb(["--version"], services) == 0  # type: ignore[arg-type]
    assert capsys.readouterr().out == f"{__version__}\n"


@pytest.mark.parametrize("arguments", [["nonsense"], ["doctor", "--nonsense"], ["open"]])
def test_what_is_not_understood_exits_2_on_standard_error(
    arguments: list[str], services: FakeServices, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_verb(arguments, services) == 2  # type: ignore[arg-type]
    said = capsys.readouterr()
    assert said.out == ""
    assert "Error" in said.err
    assert services.asked == []


@pytest.mark.parametrize(
    "arguments", [["nonsense"], ["doctor", "--nonsense"], ["study"], ["study", "new"], ["export", "a.nova"]]
)
def test_what_is_not_understood_is_one_object_with_json(
    arguments: list[str], services: FakeServices, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_verb([*arguments, "--json"], services) == 2  # type: ignore[arg-type]
    said = capsys.readouterr()
    assert list(json.loads(said.out)) == ["error"]
    assert json.loads(said.out)["error"] in " ".join(said.err.split())


def test_control_c_in_a_verb_is_handed_on(services: FakeServices, monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(*_: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(services, "open_window", stopped)
    with pytest.raises(KeyboardInterrupt):
        run_verb(["open", "a.nova"], services)  # type: ignore[arg-type]


def test_open_hands_file_and_reader_to_the_window(services: FakeServices) -> None:
    assert run_verb(["open", "--reader=Ada", "a b.nova"], services) == 0  # type: ignore[arg-type]
    assert services.asked == [("open_window", Path("a b.nova"), "Ada")]


def test_no_verb_opens_the_first_page(services: FakeServices) -> None:
    assert run_verb([], services) == 0  # type: ignore[arg-type]
    assert services.asked == [("open_window", None, None)]


def test_the_exit_code_is_the_windows(services: FakeServices) -> None:
    services.window_code = 1
    assert run_verb(["open", "a.nova"], services) == 1  # type: ignore[arg-type]


def test_demo_opens_a_copy_for_the_visitor(services: FakeServices) -> None:
    assert run_verb(["demo"], services) == 0  # type: ignore[arg-type]
    assert services.asked == [("demo.to_open", True), ("open_window", Path("demo.nova"), "Visitor")]


def test_demo_opens_for_a_named_reader(services: FakeServices) -> None:
    assert run_verb(["demo", "--reader", "Ada"], services) == 0  # type: ignore[arg-type]
    assert services.asked[-1] == ("open_window", Path("demo.nova"), "Ada")


def test_demo_without_a_window_makes_nothing(services: FakeServices) -> None:
    services.has_window = False
    with pytest.raises(UserError, match="no screen"):
        run_verb(["demo"], services)  # type: ignore[arg-type]
    assert services.asked == []


def test_demo_make_only_writes(services: FakeServices, capsys: pytest.CaptureFixture[str]) -> None:
    services.has_window = False
    assert run_verb(["demo", "--make", "x.nova", "--json"], services) == 0  # type: ignore[arg-type]
    assert json.loads(capsys.readouterr().out) == {"file": "x.nova"}
    assert services.asked == [("demo.write", Path("x.nova"), True)]


@pytest.mark.parametrize("group", ["", "study", "dataset", "readings", "predictions"])
def test_every_line_of_the_list_of_verbs_is_whole(
    services: FakeServices, capsys: pytest.CaptureFixture[str], group: str
) -> None:
    assert run_verb([*group.split(), "--help"], services) == 0  # type: ignore[arg-type]
    listed = capsys.readouterr().out.partition("Commands:")[2]
    assert listed
    assert "..." not in listed


def test_open_with_json_tells_that_the_window_has_closed(
    services: FakeServices, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_verb(["open", "x.nova", "--json"], services) == 0  # type: ignore[arg-type]
    assert json.loads(capsys.readouterr().out) == {"file": "x.nova", "closed": True}


def _options_of_paths(app: typer.Typer) -> dict[str, Any]:
    """What each path among the arguments of the verbs of a file says of itself."""
    found = {}
    for verb in app.registered_commands:
        assert verb.callback is not None
        for name, hint in get_type_hints(verb.callback, include_extras=True).items():
            kind, *more = get_args(hint) or (hint,)
            if more and (kind is Path or Path in get_args(kind)):
                found[name] = more[0]
    return found


@pytest.mark.parametrize("module", [m for m in VERBS.values() if not m.endswith("dataset")])
def test_what_may_not_be_read_is_for_the_verb_to_say(module: str) -> None:
    """The library would call it "not understood" (exit 2), but it is one that cannot be done (exit 1)."""
    paths = _options_of_paths(importlib.import_module(module).app)
    assert paths
    assert [name for name, option in paths.items() if option.readable] == []
