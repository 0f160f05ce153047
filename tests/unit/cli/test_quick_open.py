"""The plain ways of opening a study are recognised; all else is left to the command line."""

from pathlib import Path

import pytest

from nova_review.cli.quick_open import OpenRequest, quick_open


@pytest.mark.parametrize(
    ("arguments", "request_"),
    [
        ([], OpenRequest(None, None)),
        (["open", "a.nova"], OpenRequest(Path("a.nova"), None)),
        (["open", "a b#医.nova", "--reader", "Ada"], OpenRequest(Path("a b#医.nova"), "Ada")),
        (["open", "--reader", "Ada L.", "a.nova"], OpenRequest(Path("a.nova"), "Ada L.")),
    ],
)
def test_a_plain_opening(arguments: list[str], request_: OpenRequest) -> None:
    assert quick_open(arguments) == request_


@pytest.mark.parametrize(
    "arguments",
    [
        ["open"],
        ["open", ""],
        ["open", "--help"],
        ["open", "a.nova", "b.nova"],
        ["open", "a.nova", "--reader"],
        ["open", "a.nova", "--reader", "--json"],
        ["open", "--reader", "Ada"],
        ["open", "a.nova", "--reader=Ada"],
        ["--help"],
        ["doctor"],
    ],
)
def test_everything_else_is_left_to_the_command_line(arguments: list[str]) -> None:
    assert quick_open(arguments) is None
