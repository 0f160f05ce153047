"""Whom an export takes: readers and prediction sets by name, all of them where nobody is named."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nova_review.domain.errors import UserError
from nova_review.domain.judging import JudgedPair, Judgement
from nova_review.domain.prediction import StoredSet
from nova_review.domain.snapshot import DecisionSource, StudySnapshot
from nova_review.services.export_content import ExportChoice, ExportContent, ExportFile, Format, select
from nova_review.services.export_manifest import manifest_of
from nova_review.services.export_material import NO_MATERIAL, DataSetMaterial, Remark, Remarks
from nova_review.services.export_sources import NO_SOURCES, Gathered, filled, gather
from nova_review.services.exporting import ExportService
from tests.helpers.exports import answer, model_set
from tests.helpers.studies import NAMES, NORTH, PUBLISHED, SOUTH, context, data_set, slice_reading, snapshot

SETS = (model_set([answer()]), model_set([answer()], name="model-b"))


def gathered(
    choice: ExportChoice, *, holds_sets: bool = True, sets: tuple[StoredSet, ...] = SETS
) -> Gathered:
    readings = [replace(slice_reading(), context=context(one)) for one in (NORTH, SOUTH)]
    return gather(snapshot(slices=readings), sets, choice, holds_sets=holds_sets)


def who(found: Gathered) -> tuple[set[str], set[str]]:
    readings = found.selection.contents[0].slice_readings
    return {r.context.reader_code for r in readings}, {s.name for s in found.sets}


@pytest.mark.parametrize(
    ("choice", "readers", "models"),
    [
        (ExportChoice(), {"R01", "R02"}, {"model-a", "model-b"}),
        (ExportChoice(sets=("model-b",)), set(), {"model-b"}),
        (ExportChoice(sets=("R01", "model-a")), {"R01"}, {"model-a"}),
        (ExportChoice(sets=("Anna North",)), {"R02"}, set()),
        (ExportChoice(readers=("R01",)), {"R01"}, set()),
        (ExportChoice(readers=("R01",), sets=("model-a",)), {"R01"}, {"model-a"}),
    ],
)
def test_only_who_is_named(choice: ExportChoice, readers: set[str], models: set[str]) -> None:
    assert who(gathered(choice)) == (readers, models)


def test_a_format_of_the_data_set_takes_readers_and_refuses_models() -> None:
    assert who(gathered(ExportChoice(), holds_sets=False)) == ({"R01", "R02"}, set())
    assert who(gathered(ExportChoice(sets=("R01",)), holds_sets=False)) == ({"R01"}, set())
    with pytest.raises(UserError, match=r"not prediction sets \(got --set model-a\)"):
        gathered(ExportChoice(sets=("model-a",)), holds_sets=False)


def test_an_unknown_name_is_refused_with_the_known_ones_by_code() -> None:
    with pytest.raises(
        UserError, match=r"no reader or prediction set 'model-z'\. It has: R01, R02, R03"
    ) as said:
        gathered(ExportChoice(sets=("model-z",)))
    assert "model-b" in str(said.value)
    assert "Anna" not in str(said.value)


def test_a_set_that_bears_a_reader_s_code_is_the_set() -> None:
    found = gathered(ExportChoice(sets=("R01",)), sets=(model_set([answer()], name="R01"),))
    assert who(found) == (set(), {"R01"})


def test_each_data_set_gets_its_own_part_of_a_set() -> None:
    sets = [model_set([answer(data_set_code="one"), answer(NAMES[1], data_set_code="two")])]
    study = snapshot(data_sets=[data_set(code="one"), data_set(code="two")])
    both = gather(study, sets, ExportChoice(), holds_sets=True)
    material = DataSetMaterial(parquet_names=("a",))
    one, two = filled(both, [JudgedPair("a", "b", Judgement.SAME, "x")], {"two": material}).contents
    assert [list(c.sets[0].answers) for c in (one, two)] == [[("one", NAMES[0])], [("two", NAMES[1])]]
    assert (one.material, two.material) == (NO_MATERIAL, material)
    assert one.judge is not None
    assert filled(both, [], {}).contents[0].judge is None


def one_file(content: ExportContent) -> Iterable[ExportFile]:
    yield ExportFile("a.txt", content.data_set.code.encode())


def remarks(content: ExportContent) -> Remarks:
    return Remarks(
        (Remark("boxes dropped", 2, "model-a"),), ("a verdict",), (f"Of {content.data_set.code}.",)
    )


@pytest.mark.parametrize(
    ("codes", "paths", "missing", "row"),
    [
        (["one"], ["a.txt", "manifest.json"], ["a verdict"], {"set": "model-a"}),
        (
            ["one", "two"],
            ["one/a.txt", "two/a.txt", "manifest.json"],
            ["one: a verdict", "two: a verdict"],
            {"set": "model-a", "data_set": "one"},
        ),
    ],
)
def test_the_manifest_says_what_each_format_said_of_each_data_set(
    codes: list[str], paths: list[str], missing: list[str], row: dict[str, str]
) -> None:
    class Source:
        def snapshot(self, _file: Path) -> StudySnapshot:
            return snapshot(data_sets=[data_set(code=code) for code in codes])

        def note(self, file: Path, *, action: str, reason: str, details: str) -> None: ...

    put: list[str] = []

    def put_folder(_folder: Path, files: Iterable[ExportFile], **_options: object) -> None:
        put.extend(file.path for file in files)

    service = ExportService(Source(), {"made": Format(one_file, remarks)}, put_folder)
    done = service.export(Path("s"), format_name="made", folder=Path("out"), choice=ExportChoice())
    assert put == paths
    assert done.manifest["missing"] == missing
    assert {"what": "boxes dropped", "count": 2, **row} in done.manifest["left_out"]
    assert len(done.manifest["remarks"]) == len(codes)
    assert done.manifest["data_sets"][0]["licence"] is None


def manifest(study: StudySnapshot) -> dict[str, Any]:
    selection = select(study, ExportChoice())
    return manifest_of(
        study, selection, ExportChoice(), format_name="f", early_reason=None, sets=(), remarks={}
    )


def test_readers_whose_boxes_are_in_the_gold_are_named_by_code() -> None:
    """A score against gold that a reader's own boxes went into is circular; its scorer cannot know."""
    readings = [replace(slice_reading(), context=context(one)) for one in (NORTH, PUBLISHED)]
    with_data = manifest(snapshot(slices=readings))  # R03 came with the data, R02 did not
    assert with_data["data_sets"][0]["gold_made_of"] == ["R03"]
    assert "boxes of R03" in with_data["remarks"][0]
    own = data_set(decided=NAMES[:1])
    sources = (DecisionSource("R02", "f", None, None), DecisionSource("R01", "f", None, None))
    own = replace(own, decisions=(replace(own.decisions[0], source_boxes=sources),))
    decided = manifest(snapshot(slices=readings, data_sets=[own]))  # R01 has nothing in this export
    assert decided["data_sets"][0]["gold_made_of"] == ["R02"]
    bare = manifest(snapshot(slices=readings, data_sets=[data_set(gold=False)]))
    assert (bare["data_sets"][0]["gold_made_of"], bare["remarks"]) == ([], [])


def test_without_sources_there_are_no_sets_no_words_and_no_pictures() -> None:
    assert NO_SOURCES.prediction_sets(Path("x")) == NO_SOURCES.judged_pairs(Path("x")) == ()
    assert len(NO_SOURCES.synonyms()) == 0
    with NO_SOURCES.materials(Path("x")) as found:
        assert found == {}
