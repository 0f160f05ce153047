"""What comes from files goes into a study beside what is there, never over it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box
from nova_review.domain.reading import CaseAnswer, Diagnosis
from nova_review.domain.snapshot import CaseReading, SliceReading, StudySnapshot
from nova_review.domain.study import ReaderKind
from nova_review.services.import_content import BARE_ARM, ImportedReadings
from nova_review.services.importing import Added, ImportService
from tests.helpers.studies import NAMES, case_reading, data_set, finding, slice_reading, snapshot

FILE = Path("study.nova")


class Sink:
    """A study that notes what it is handed."""

    def __init__(self, study: StudySnapshot) -> None:
        self._study = study
        self.slices: tuple[SliceReading, ...] = ()
        self.cases: tuple[CaseReading, ...] = ()
        self.same_study = False

    def snapshot(self, file: Path) -> StudySnapshot:
        return self._study

    def add_readings(
        self,
        file: Path,
        *,
        slice_readings: tuple[SliceReading, ...],
        case_readings: tuple[CaseReading, ...],
        same_study: bool,
        source: str,
    ) -> Added:
        self.slices, self.cases, self.same_study = slice_readings, case_readings, same_study
        return Added(len(slice_readings), len(case_readings), 0, 0, ("R02",), ())


def add(
    sink: Sink,
    *,
    slices: Sequence[SliceReading] = (),
    cases: Sequence[CaseReading] = (),
    study_id: str | None = "study-1",
) -> Added:
    found = ImportedReadings(tuple(slices), tuple(cases), study_id, "boxes.csv")
    return ImportService(sink, lambda _path: found).add(FILE, Path("folder"))


def bare(reading: SliceReading, **changes: object) -> SliceReading:
    context = replace(reading.context, arm=BARE_ARM, case_code="", data_set="", **changes)  # type: ignore[arg-type]
    return replace(reading, context=context)


def test_a_reading_finds_its_data_set_and_case() -> None:
    sink = Sink(snapshot())
    added = add(sink, slices=[bare(slice_reading(NAMES[2]))])
    assert added.slice_readings == 1
    assert (sink.slices[0].context.data_set, sink.slices[0].context.case_code) == ("demo", "case0002")
    assert sink.slices[0].context.arm == "data-set"
    assert sink.same_study


def test_the_folder_of_another_study_is_said_to_be_one() -> None:
    sink = Sink(snapshot())
    add(sink, slices=[slice_reading()], study_id="another")
    assert not sink.same_study


def test_what_the_study_does_not_have_is_left_out_and_named() -> None:
    sink = Sink(snapshot())
    added = add(sink, slices=[slice_reading("case0009_001.png")], cases=[case_reading("case0009")])
    assert (sink.slices, sink.cases) == ((), ())
    assert [w.code for w in added.warnings] == ["unknown_slice", "unknown_case"]
    assert "case0009_001.png" in added.warnings[0].message


def test_several_data_sets_need_to_be_told_apart() -> None:
    two = snapshot(data_sets=[data_set(), data_set(code="other")])
    with pytest.raises(UserError, match=r"several data sets \(demo, other\)"):
        add(Sink(two), slices=[bare(slice_reading())])
    sink = Sink(two)
    placed = slice_reading(data_set="other")
    add(sink, slices=[placed, slice_reading(data_set="third")])
    assert sink.slices == (placed,)


def test_a_bare_answer_that_is_there_already_is_not_doubled() -> None:
    held = slice_reading(findings=[finding(1), finding(2, box=Box(1, 2, 3, 4), confidence=None)])
    sink = Sink(snapshot(slices=[held], cases=[case_reading()]))
    swapped = replace(held, answer=replace(held.answer, findings=held.answer.findings[::-1]))
    same_case = replace(case_reading(), context=replace(case_reading().context, arm=BARE_ARM))
    added = add(sink, slices=[bare(swapped)], cases=[same_case])
    assert (added.already_there, added.conflicts, sink.slices, sink.cases) == (2, 0, (), ())


def test_a_bare_answer_that_differs_is_a_conflict() -> None:
    held = slice_reading(findings=[finding(1)])
    sink = Sink(snapshot(slices=[held], cases=[case_reading()]))
    other_case = replace(
        case_reading(),
        context=replace(case_reading().context, arm=BARE_ARM),
        answer=CaseAnswer((Diagnosis("stroke"),)),
    )
    added = add(sink, slices=[bare(slice_reading())], cases=[other_case])
    assert (added.conflicts, sink.slices, sink.cases) == (2, (), ())
    assert "R02 has another answer on case0001_001.png; it stays." in added.warnings[0].message


def test_codes_count_in_the_same_study_only() -> None:
    held = slice_reading(findings=[finding(1)])
    sink = Sink(snapshot(slices=[held]))
    added = add(sink, slices=[bare(slice_reading())], study_id="another")
    assert added.conflicts == 0
    assert len(sink.slices) == 1


def test_a_code_of_another_study_says_where_it_is_from_the_same_in_every_format() -> None:
    sink = Sink(snapshot())
    code = slice_reading().context.reader_code
    add(sink, slices=[slice_reading()], cases=[case_reading()], study_id="another-study")
    named = f"{code} of study another-"
    assert [r.context.reader_code for r in (*sink.slices, *sink.cases)] == [named, named]
    found = ImportedReadings((bare(slice_reading()),), (), None, "boxes.csv")
    ImportService(sink, lambda _path: found).add(FILE, Path("boxes.csv"))
    assert [r.context.reader_code for r in sink.slices] == [f"{code} of boxes.csv"]


def test_a_published_name_stays_whatever_study_it_comes_from() -> None:
    sink = Sink(snapshot())
    published = next(r for r in snapshot().readers if r.kind is ReaderKind.DATA_SET)
    one = slice_reading()
    one = replace(one, context=replace(one.context, reader_code=published.name))
    add(sink, slices=[one], study_id="another-study")
    assert [r.context.reader_code for r in sink.slices] == [published.name]
