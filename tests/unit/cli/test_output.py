"""Results on standard output, everything else on standard error."""

import io
import json

import pytest

from nova_review.cli.output import Output
from nova_review.cli.streams import json_text, make_streams_safe


class Terminal(io.StringIO):
    """A text stream that a person looks at."""

    def isatty(self) -> bool:
        return True


def test_json_prints_one_object_and_nothing_else() -> None:
    out, err = io.StringIO(), io.StringIO()
    output = Output(as_json=True, out=out, err=err)
    output.say("on the way")
    output.result({"slices": 3, "name": "Ärztin 医"}, ["three slices"])
    assert json.loads(out.getvalue()) == {"slices": 3, "name": "Ärztin 医"}
    assert err.getvalue() == "on the way\n"


def test_a_person_reads_lines() -> None:
    out = io.StringIO()
    Output(as_json=False, out=out, err=io.StringIO()).result({"slices": 3}, ["three slices", "no gold"])
    assert out.getvalue() == "three slices\nno gold\n"


def test_no_lines_print_nothing() -> None:
    out = io.StringIO()
    Output(as_json=False, out=out).result({}, [])
    assert out.getvalue() == ""


def test_what_json_does_not_have_is_refused() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        json_text({"value": float("nan")})


def test_progress_is_silent_where_nobody_looks() -> None:
    err = io.StringIO()
    with Output(as_json=False, out=io.StringIO(), err=err).progress("Reading") as report:
        assert report(1, 2) is True
    assert err.getvalue() == ""


def test_progress_shows_its_words_on_a_terminal_and_never_on_standard_output(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    out, err = Terminal(), Terminal()
    with Output(as_json=False, out=out, err=err).progress("Reading slices") as report:
        assert report(2, 2) is True
    assert "Reading slices" in err.getvalue()
    assert out.getvalue() == ""


def test_a_pipe_takes_every_letter_under_any_locale() -> None:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding="ascii")
    make_streams_safe(stream)
    stream.write("Größe 医 \udcff")  # the last: a byte of a file name that no encoding explains
    stream.flush()
    assert raw.getvalue() == "Größe 医 \\udcff".encode()


def test_a_terminal_keeps_its_encoding_and_gets_escapes() -> None:
    class RawTerminal(io.BytesIO):
        def isatty(self) -> bool:
            return True

    raw = RawTerminal()
    stream = io.TextIOWrapper(raw, encoding="latin-1")
    make_streams_safe(stream)
    stream.write("Größe 医")
    stream.flush()
    assert raw.getvalue() == "Größe ".encode("latin-1") + rb"\u533b"


def test_a_name_cannot_steer_the_terminal() -> None:
    out, err = io.StringIO(), io.StringIO()
    output = Output(as_json=False, out=out, err=err)
    output.say("a\x1b[31mb")
    output.result({}, ["reader R\x1b[2J\nforged line", "\u202etxt", "wide\u3000space"])
    assert out.getvalue() == "reader R\\x1b[2J\\nforged line\n\\u202etxt\nwide\u3000space\n"
    assert err.getvalue() == "a\\x1b[31mb\n"


def test_json_keeps_every_sign_of_a_name() -> None:
    out = io.StringIO()
    Output(as_json=True, out=out, err=io.StringIO()).result({"name": "R\x1b[2J\n"}, [])
    assert json.loads(out.getvalue()) == {"name": "R\x1b[2J\n"}
