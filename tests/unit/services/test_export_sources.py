"""Whom an export takes: readers and prediction sets by name, all of them where nobody is named."""

from dataclasses import replace
from pathlib import Path

import pytest

from nova_review.domain.errors import UserError
from nova_review.domain.judging import JudgedPair, Judgement
from nova_review.domain.prediction import StoredSet
from nova_review.services.export_content import ExportChoice
from nova_review.services.export_material import NO_MATERIAL, DataSetMaterial
from nova_review.services.export_sources import NO_SOURCES, Gathered, filled, gather
from tests.helpers.exports import answer, model_set
from tests.helpers.studies import NAMES, NORTH, SOUTH, context, data_set, slice_reading, snapshot

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


def test_without_sources_there_are_no_sets_no_words_and_no_pictures() -> None:
    assert NO_SOURCES.prediction_sets(Path("x")) == NO_SOURCES.judged_pairs(Path("x")) == ()
    assert len(NO_SOURCES.synonyms()) == 0
    with NO_SOURCES.materials(Path("x")) as found:
        assert found == {}
