"""`report` from end to end: what stands in it, what must not, and that it is whole or not there."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from nova_review import __version__
from nova_review.bootstrap import main

FEW = ("--resamples", "100")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A demo study, read only by these tests."""
    file = tmp_path_factory.mktemp("report") / "demo.nova"
    assert main(["demo", "--make", str(file)]) == 0
    return file


def run(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, Any]:
    capsys.readouterr()
    code = main(["report", *map(str, arguments), "--json"])
    return code, json.loads(capsys.readouterr().out)


class _Balanced(HTMLParser):
    """Fails on a tag that closes what was not open."""

    EMPTY = frozenset({"meta", "path", "use", "rect", "link", "br"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.words: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.ids += [value for name, value in attrs if name == "id" and value]
        if tag not in self.EMPTY:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.EMPTY:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def parsed(file: Path) -> _Balanced:
    found = _Balanced()
    found.feed(file.read_text(encoding="utf-8"))
    assert found.open == []
    return found


def test_the_page_is_whole_and_holds_everything_itself(
    capsys: pytest.CaptureFixture[str], demo: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report.html"
    code, told = run(capsys, demo, "--out", out, *FEW)
    assert (code, told["slices"], told["before_lock"]) == (0, 41, None)
    text = out.read_text(encoding="utf-8")
    page = parsed(out)
    assert len(page.ids) == len(set(page.ids))
    assert not re.search(r'(src|href)="(?!#|https://(doi|arxiv)\.org)', text)
    assert "<script" not in text
    assert text.count("<svg") == 5  # two readers: no matrix of one cell


def test_it_says_design_readers_numbers_methods_version_seed_and_hash(
    capsys: pytest.CaptureFixture[str], demo: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report.html"
    run(capsys, demo, "--out", out, "--seed", 7, *FEW)
    words = " ".join(parsed(out).words)
    capsys.readouterr()
    main(["study", "info", str(demo), "--json"])
    info = json.loads(capsys.readouterr().out)
    for said in (
        "Primary endpoint: F1 at IoU 0.5",
        "synthetic",
        "Only 18 cases: the intervals are rough.",
        "R01",
        "Left out: 1 reading that says",
        "Nothing has been decided yet.",
        "doi:10.1197/jamia.M1733",
        f"nova_review {__version__}",
        "seed 7",
        info["protocol_hash"],
    ):
        assert said in words, said


def test_equal_studies_give_equal_bytes(
    capsys: pytest.CaptureFixture[str], demo: Path, tmp_path: Path
) -> None:
    for suffix in ("html", "pdf"):
        first, second = tmp_path / f"a.{suffix}", tmp_path / f"b.{suffix}"
        run(capsys, demo, "--out", first, *FEW)
        run(capsys, demo, "--out", second, *FEW)
        assert first.read_bytes() == second.read_bytes()


def test_a_pdf_has_pages_and_no_pixels(
    capsys: pytest.CaptureFixture[str], demo: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report.pdf"
    assert run(capsys, demo, "--out", out, *FEW)[0] == 0
    data = out.read_bytes()
    assert data.startswith(b"%PDF")
    assert len(re.findall(rb"/Type /Page\b", data)) >= 3
    assert b"/Subtype /Image" not in data


def test_before_the_lock_it_is_refused_and_with_a_reason_that_is_printed(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, repository: Path
) -> None:
    study, out = tmp_path / "open.nova", tmp_path / "report.html"
    source = repository / "resources" / "demo" / "dataset"
    assert (
        main(["study", "new", str(source), str(study), "--reader", "Ada North", "--reader", "Ben South"]) == 0
    )
    code, told = run(capsys, study, "--out", out)
    assert (code, out.exists()) == (1, False)
    assert "opens after the database lock" in told["error"]
    code, told = run(capsys, study, "--out", out, "--before-lock", "--reason", "safety board")
    assert (code, told["before_lock"]) == (0, "safety board")
    words = " ".join(parsed(out).words)
    assert "Looked at before the database lock, because: safety board." in words
    assert "Ada" not in words
    assert "South" not in words


@pytest.mark.parametrize(("name", "says"), [("report.doc", ".html or .pdf"), ("report", ".html or .pdf")])
def test_another_kind_of_file_is_refused(
    capsys: pytest.CaptureFixture[str], demo: Path, tmp_path: Path, name: str, says: str
) -> None:
    code, told = run(capsys, demo, "--out", tmp_path / name)
    assert (code, says in told["error"]) == (1, True)


def test_nothing_is_overwritten_unasked(
    capsys: pytest.CaptureFixture[str], demo: Path, tmp_path: Path
) -> None:
    out = tmp_path / "report.html"
    out.write_text("mine")
    code, told = run(capsys, demo, "--out", out)
    assert (code, "is there already" in told["error"], out.read_text()) == (1, True, "mine")
    assert run(capsys, demo, "--out", out, "--overwrite", *FEW)[0] == 0
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [p.name for p in tmp_path.iterdir()] == ["report.html"]


def test_what_is_no_study_is_refused(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, told = run(capsys, tmp_path / "boxes.csv", "--out", tmp_path / "report.html")
    assert (code, "ending in .nova" in told["error"]) == (1, True)


def test_adjudicated_gold_is_counted(capsys: pytest.CaptureFixture[str], demo: Path, tmp_path: Path) -> None:
    study, out = tmp_path / "decided.nova", tmp_path / "report.html"
    study.write_bytes(demo.read_bytes())
    assert main(["adjudicate", str(study), "--rule", "mean", "--accept"]) == 0
    run(capsys, study, "--out", out, *FEW)
    words = " ".join(parsed(out).words)
    assert "Slices decided" in words
    assert "Nothing has been decided yet." not in words
