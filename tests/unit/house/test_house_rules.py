"""Each house rule can be broken, and what keeps it is left alone."""

import pytest

from scripts import house_rules as rules


def function_of(lines: int) -> str:
    return "def f():\n" + "    x = 1\n" * (lines - 1)


def test_a_function_of_50_lines_is_the_longest() -> None:
    assert list(rules.size_breaches("a.py", function_of(50))) == []
    assert list(rules.size_breaches("a.py", function_of(51))) == ["a.py:1: f has 51 lines"]


def test_a_docstring_does_not_make_a_function_long() -> None:
    words = '    """One.\n\n    Two.\n    """\n'
    source = function_of(50).replace("def f():\n", "def f():\n" + words)
    assert list(rules.size_breaches("a.py", source)) == []


def test_a_file_of_500_lines_is_the_longest() -> None:
    assert list(rules.size_breaches("a.py", "x = 1\n" * 500)) == []
    assert len(list(rules.size_breaches("a.py", "x = 1\n" * 501))) == 1


@pytest.mark.parametrize(
    ("lengths", "breaches"),
    [([], 0), ([3, 10, 25], 0), ([3, 11, 11], 1), ([3] * 9 + [26], 0), ([3] * 8 + [26] * 2, 1)],
)
def test_the_spread_of_all_functions_counts(lengths: list[int], breaches: int) -> None:
    assert len(list(rules.spread_breaches(lengths))) == breaches


@pytest.mark.parametrize(
    ("handler", "breaches"),
    [
        ("except Exception:\n    pass", 1),
        ("except:\n    pass", 1),
        ("except BaseException:\n    tidy()\n    raise", 0),
        ("except OSError:\n    pass", 0),
    ],
)
def test_a_broad_except_stands_only_at_the_tops(handler: str, breaches: int) -> None:
    source = f"try:\n    f()\n{handler}\n"
    assert len(list(rules.broad_excepts("nova_review/services/x.py", source))) == breaches
    assert list(rules.broad_excepts("nova_review/cli/guard.py", source)) == []


@pytest.mark.parametrize("source", ["annotator = 1\n", "x = 'the ground truth'\n", "x = 'a Labeler'\n"])
def test_other_peoples_words_are_not_ours(source: str) -> None:
    assert len(list(rules.other_words("nova_review/domain/x.py", source))) == 1
    assert list(rules.other_words("nova_review/formats/x.py", source)) == []


def test_a_comment_may_name_the_word_that_we_avoid() -> None:
    assert list(rules.other_words("nova_review/domain/x.py", "reader = 1  # not annotator\n")) == []


@pytest.mark.parametrize(
    ("line", "breaches"),
    [
        ("see /ro" + "ot/x", 1),
        ("/wo" + "rk/x", 1),
        ("/home/me/study.nova", 0),
        ("https://host.example/sim" + "ple", 1),
        ("https://doi.org/10.1000/xyz", 0),
        ("a/wo" + "rk/b", 0),
    ],
)
def test_paths_and_hosts_of_one_machine_are_found(line: str, breaches: int) -> None:
    assert len(list(rules.private_words("a.md", line))) == breaches
