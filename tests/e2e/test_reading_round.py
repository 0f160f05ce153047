"""Two people read a study on a real screen, and what they said comes out, goes in again and is the same.

The program is a process that knows nothing of being tested: it gets events of a keyboard and a mouse, it is
looked at through the pixels of its window, and what it stored is read from its file.
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.helpers.onlooker import SeenPlace
from tests.helpers.program import CommandLine
from tests.helpers.round import (
    DIAGNOSES,
    FINDINGS,
    NO_FINDING,
    RATIONALE,
    TEXT,
    UNREADABLE,
    ReaderAtWork,
)
from tests.helpers.screen import VirtualScreen
from tests.helpers.xdriver import Hands

pytestmark = [pytest.mark.screen, pytest.mark.slow]

SEED = "54"  # gives both readers a case of several slices among their first three, in either data set
KINDS = (FINDINGS, NO_FINDING, UNREADABLE, FINDINGS, NO_FINDING, FINDINGS)
FORMATS = ("nova-csv", "nova-parquet", "gaze-lines", "coco")


@dataclass(frozen=True)
class Setting:
    """The data set that is read and the study made of it."""

    data_set: Path
    file: Path
    cli: CommandLine


@pytest.fixture
def setting(repository: Path, tmp_path: Path) -> Setting:
    real = repository.parent / "shared" / "data" / "realset"
    source = real if real.is_dir() else repository / "resources" / "demo" / "dataset"
    cli = CommandLine(tmp_path / "coordinator")
    file = tmp_path / "study.nova"
    cli.run("study", "new", source, file, "--reader", "Anna", "--reader", "Bruno", "--seed", SEED)
    return Setting(source, file, cli)


@pytest.fixture
def people(setting: Setting, screen: VirtualScreen, artefacts: Path) -> Iterator[dict[str, ReaderAtWork]]:
    """Readers who have sat down, by name; no process of theirs survives the test."""
    sat_down: dict[str, ReaderAtWork] = {}
    yield sat_down
    screen.save(artefacts / "last-seen.png")  # where a failure left the window
    for reader in sat_down.values():
        reader.process.end()


def test_two_people_read_and_what_they_said_comes_out(
    setting: Setting,
    people: dict[str, ReaderAtWork],
    screen: VirtualScreen,
    hands: Hands,
    tmp_path: Path,
    artefacts: Path,
) -> None:
    def sit_down(name: str) -> ReaderAtWork:
        people[name] = ReaderAtWork(
            screen,
            hands,
            file=setting.file,
            reader=name,
            home=tmp_path / name,
            images=setting.data_set / "images",
        )
        return people[name]

    anna = sit_down("Anna")
    first, second, third = anna.seen.order()[:3]
    assert max(len(p.slices) for p in (first, second, third)) > 1
    _read_case(anna, first, artefacts=artefacts)
    _read_until_killed(anna, second)
    _resume(anna, second, artefacts=artefacts)
    _read_case(anna, third)
    anna.quit()

    bruno = sit_down("Bruno")
    for place in bruno.seen.order()[:3]:
        _read_case(bruno, place)
    bruno.quit()

    assert anna.seen.deviations() == ["crash"]
    assert bruno.seen.deviations() == []
    _check_closed_and_exported(setting, tmp_path)


def _read_case(reader: ReaderAtWork, place: SeenPlace, *, artefacts: Path | None = None) -> None:
    """Read every slice of a case, then its history; and see that it was not to be seen before."""
    for part, kind in zip(place.slices, KINDS, strict=False):
        reader.wait_for_slice(part)
        reader.wait_for_stage(1)
        assert reader.seen.revealed(place.case_id) is None
        reader.read_slice(part, kind)
        _check_slice(reader, part.id, kind)
    reader.wait_stored(lambda: reader.seen.revealed(place.case_id), "the moment of the reveal")
    reader.wait_for_stage(2)
    reader.wait_for_calm()
    if artefacts is not None:
        reader.screen.save(artefacts / "stage-2-history.png")
    reader.diagnose(place)
    _check_case(reader, place)


def _read_until_killed(reader: ReaderAtWork, place: SeenPlace) -> None:
    """Draw, describe and write; when the file shows all of it, kill the process with -9."""
    part = place.slices[0]
    reader.wait_for_slice(part)
    reader.wait_for_stage(1)
    reader.draw(part, (0.25, 0.30, 0.40, 0.45))
    reader.describe(label="2", place="2", side="2", confidence="5")
    reader.draw(part, (0.55, 0.55, 0.70, 0.62))
    reader.caption(sequences="3", plane="2", normality="2", text=TEXT)
    reader.wait_stored(
        lambda: (
            reader.seen.answer(part.id).get("caption_text") == TEXT
            and len(reader.seen.findings(part.id)) == 2
        ),
        "the draft",
    )
    reader.process.kill()


def _resume(reader: ReaderAtWork, place: SeenPlace, *, artefacts: Path) -> None:
    """Start again: the same slice comes, with everything in it; then finish the case."""
    part = place.slices[0]
    stored = reader.seen.answer(part.id)
    reader.start()
    reader.wait_for_slice(part)
    reader.wait_for_stage(1)
    assert reader.seen.deviations() == ["crash"]
    assert reader.seen.answer(part.id) == stored
    reader.screen.save(artefacts / "stage-1-resumed.png")
    finding, unfinished = reader.seen.findings(part.id)
    assert (finding["label"], finding["place"], finding["side"]) == ("mass", "parietal", "image-right")
    assert (finding["confidence"], unfinished["confidence"]) == (0.9, None)
    reader.hands.press_each("Return", "Return", "3")  # select the second finding and say its confidence
    reader.lock(part)
    assert [f["confidence"] for f in reader.seen.findings(part.id)] == [0.9, 0.5]
    _check_boxes(reader, part.id)
    for later, kind in zip(place.slices[1:], KINDS[1:], strict=False):
        assert reader.seen.revealed(place.case_id) is None
        reader.read_slice(later, kind)
        _check_slice(reader, later.id, kind)
    reader.diagnose(place)
    _check_case(reader, place)


def _check_slice(reader: ReaderAtWork, slice_id: str, kind: str) -> None:
    answer, findings = reader.seen.answer(slice_id), reader.seen.findings(slice_id)
    assert (answer["state"], answer["version"], answer["stage"]) == ("locked", 1, 1)
    assert answer["visible"] == '["image","siblings"]'.replace(",", ", ")
    if kind == UNREADABLE:
        assert (answer["outcome"], findings) == ("cannot-read", [])
        assert answer["cannot_read_reason"] == "motion or artefact"
        return
    said = (answer["sequences"], answer["plane"], answer["normality"], answer["caption_text"])
    if kind == NO_FINDING:
        assert (answer["outcome"], findings) == ("no-finding", [])
        assert said == (["T1"], "axial", "normal", "")
        return
    assert answer["outcome"] == "findings"
    assert said == (["T1 post-contrast", "FLAIR"], "axial", "abnormal", TEXT)
    described = [(f["label"], f["place"], f["side"], f["confidence"]) for f in findings]
    assert described == [("mass", "frontal", "image-left", 0.7), ("infarct", "temporal", "image-right", 0.3)]
    _check_boxes(reader, slice_id)


def _check_boxes(reader: ReaderAtWork, slice_id: str) -> None:
    """Every box lies within half a screen pixel of where it was dragged, whichever way it was dragged."""
    findings, drawn = reader.seen.findings(slice_id), reader.drawn[slice_id]
    for finding, box in zip(findings, drawn, strict=True):
        near = {"abs": box.tolerance}
        left, right = sorted((box.x, box.right))
        top, bottom = sorted((box.y, box.bottom))
        assert finding["x"] == pytest.approx(left, **near)
        assert finding["y"] == pytest.approx(top, **near)
        assert finding["x"] + finding["width"] == pytest.approx(right, **near)
        assert finding["y"] + finding["height"] == pytest.approx(bottom, **near)


def _check_case(reader: ReaderAtWork, place: SeenPlace) -> None:
    answer = reader.seen.case_answer(place.case_id)
    assert answer["diagnoses"] == [(name, confidence) for name, confidence, _ in DIAGNOSES]
    assert answer["rationale"] == RATIONALE
    assert "history" in answer["visible"]


def _check_closed_and_exported(setting: Setting, tmp_path: Path) -> None:
    cli = setting.cli
    cli.run("export", setting.file, "--format", "nova-csv", "--out", tmp_path / "early", code=1)
    closed = cli.json("study", "close", setting.file, "--reason", "The pilot is over")
    assert len(closed["open_readings"]) > 0
    first = _export(cli, setting.file, tmp_path / "first", FORMATS)
    assert _export(cli, setting.file, tmp_path / "again", FORMATS[:1]).items() <= first.items()
    bare = _without_raters(setting.data_set, tmp_path / "bare" / setting.data_set.name)
    for source, formats in (("nova-csv", FORMATS), ("nova-parquet", FORMATS[1::-1])):
        fresh = tmp_path / f"fresh-{source}.nova"
        cli.run("study", "new", bare, fresh)
        added = cli.json("readings", "add", fresh, tmp_path / "first" / source)
        assert (added["conflicts"], added["warnings"]) == (0, [])
        _check_equal(first, _export(cli, fresh, tmp_path / f"second-{source}", formats))
    again = cli.json("readings", "add", fresh, tmp_path / "first" / "nova-csv")
    assert (again["added"], again["conflicts"]) == (0, 0)


def _export(cli: CommandLine, file: Path, folder: Path, formats: Sequence[str]) -> dict[str, bytes]:
    """Export; return the files by path, with the names in it that readers go by, not their codes."""
    details = cli.json("study", "info", file)["reader_details"]
    names = {r["code"]: r["name"] if r["kind"] == "data-set" else r["code"] for r in details}
    found = {}
    for format_name in formats:
        notes = ["--notes"] if format_name.startswith("nova") else []
        out = folder / format_name
        done = cli.json("export", file, "--format", format_name, "--out", out, *notes)
        on_disk = {p.relative_to(out).as_posix() for p in out.rglob("*") if p.is_file()}
        assert on_disk == {*done["files"]}
        for path in on_disk:
            parts = [names.get(part, part) for part in Path(path).parts]
            found["/".join((format_name, *parts))] = (out / path).read_bytes()
    return found


def _without_raters(source: Path, target: Path) -> Path:
    """The same data set without the boxes of its own readers."""
    target.mkdir(parents=True)
    shutil.copytree(source / "images", target / "images")
    for name in ("captions.csv", "case_metadata.csv", "bboxes_gold.csv"):
        shutil.copy(source / name, target / name)
    return target


def _check_equal(first: dict[str, bytes], second: dict[str, bytes]) -> None:
    """The same files with the same bytes, but for the manifests, which name the study."""
    formats = {name.partition("/")[0] for name in second}
    assert second.keys() == {name for name in first if name.partition("/")[0] in formats}
    different = [name for name, content in second.items() if content != first[name]]
    assert [name for name in different if not name.endswith("manifest.json")] == []
