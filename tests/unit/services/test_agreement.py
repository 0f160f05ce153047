"""Which readings count, what is left out, who may look when, and what is measured anew."""

from dataclasses import replace
from pathlib import Path

import pytest

from nova_review.analysis.boxes import Absent
from nova_review.analysis.estimate import Estimate
from nova_review.analysis.pairs import Unit
from nova_review.domain.errors import NotAllowedError, UserError
from nova_review.domain.geometry import Box
from nova_review.domain.reading import AnswerState, Outcome, SliceAnswer
from nova_review.domain.snapshot import SliceReading
from nova_review.domain.study import Occasion, Phase, PresentationRole
from nova_review.services.agreement import result_object
from nova_review.services.agreement_endpoints import Part, endpoints
from nova_review.services.agreement_measures import linked, measure
from nova_review.services.agreement_object import estimate_words, measured_lines, number
from nova_review.services.agreement_readings import NOT_CLIPPED, AgreementRequest
from nova_review.services.agreement_study import readings_of_study
from nova_review.services.agreement_tables import (
    NO_BOX,
    NOT_READ,
    all_tables,
    findings_table,
    slices_table,
)
from tests.helpers.agreements import service_for
from tests.helpers.studies import (
    NAMES,
    NORTH,
    PUBLISHED,
    SOUTH,
    case_reading,
    data_set,
    finding,
    slice_reading,
    snapshot,
)

FILE = Path("study.nova")
QUICK = AgreementRequest(resamples=50)
BOX, FAR = Box(10, 20, 30, 40), Box(300, 300, 30, 40)


def read(reader: object, name: str, *boxes: Box, **changes: object) -> SliceReading:
    """A submitted main reading of these boxes."""
    findings = tuple(replace(finding(k), box=box) for k, box in enumerate(boxes, start=1))
    return slice_reading(name, findings, reader=reader, **changes)


def both(name: str, *boxes: Box) -> list[SliceReading]:
    return [read(NORTH, name, *boxes), read(SOUTH, name, *boxes)]


def test_study_readers_go_by_code_and_published_ones_by_pseudonym() -> None:
    study = snapshot(slices=[*both(NAMES[0], BOX), read(PUBLISHED, NAMES[0], BOX)])
    found = readings_of_study(study, QUICK)
    assert found.read.readers == ("Dr.RadiantRay", "R01", "R02")
    assert found.codes == {"R01": "R01", "R02": "R02", "Dr.RadiantRay": "R03"}
    assert "Anna North" not in str(measured_object_of(study))


def measured_object_of(study: object) -> object:
    service, _, _ = service_for(study)  # type: ignore[arg-type]
    return result_object(service.measure_study(FILE, QUICK))


def test_a_reading_counts_once_by_the_version_that_was_locked_first() -> None:
    first = read(NORTH, NAMES[0], BOX, version=1, state=AnswerState.LOCKED)
    second = read(NORTH, NAMES[0], FAR, version=2)
    study = snapshot(slices=[first, second, read(SOUTH, NAMES[0], BOX)])
    found = readings_of_study(study, QUICK)
    assert measure(found, QUICK).agreement.boxes[1].f1.value == 1.0
    assert found.left_out == ("Left out: 1 later version of a reading.",)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"role": PresentationRole.TRAINING}, "Left out: 1 reading in training."),
        ({"state": AnswerState.LOCKED}, "Left out: 1 reading not submitted."),
        ({"state": AnswerState.WITHDRAWN}, "Left out: 1 reading withdrawn."),
    ],
)
def test_what_does_not_count_is_told(changes: dict[str, object], says: str) -> None:
    study = snapshot(slices=[*both(NAMES[0], BOX), read(PUBLISHED, NAMES[0], FAR, **changes)])
    found = readings_of_study(study, QUICK)
    assert found.read.readers == ("R01", "R02")
    assert found.left_out == (says,)


def test_a_slice_that_cannot_be_read_is_not_a_slice_without_finding() -> None:
    blind = slice_reading(NAMES[0], reader=NORTH)
    blind = replace(blind, answer=SliceAnswer(outcome=Outcome.CANNOT_READ, cannot_read_reason="motion"))
    found = readings_of_study(snapshot(slices=[blind, read(SOUTH, NAMES[0])]), QUICK)
    assert found.left_out == ('Left out: 1 reading that says "cannot be read".',)
    assert measure(found, QUICK).agreement.pairs.slices == 0


def test_absent_no_finding_holds_for_readers_who_came_with_the_data_only() -> None:
    study = snapshot(slices=[read(NORTH, NAMES[0]), read(PUBLISHED, NAMES[1], BOX)])
    unread = measure(readings_of_study(study, QUICK), QUICK)
    asked = replace(QUICK, absent=Absent.NO_FINDING)
    told = measure(readings_of_study(study, asked), asked)
    assert unread.agreement.pairs.slices == 0
    assert told.agreement.pairs.slices == 1  # NORTH read the first slice, and so did the published one
    assert told.agreement.presence.table.neither == 1


def test_repeats_are_compared_with_the_same_readers_first_readings() -> None:
    again = {"occasion": Occasion.REPEAT, "role": PresentationRole.REPEAT}
    study = snapshot(
        slices=[
            *both(NAMES[0], BOX),
            read(NORTH, NAMES[0], BOX, **again),
            read(SOUTH, NAMES[0], FAR, **again),
        ]
    )
    found = measure(readings_of_study(study, QUICK), QUICK)
    assert found.agreement.boxes[1].f1.value == 1.0
    assert found.intra is not None
    assert (found.intra.boxes[1].f1.value, found.intra.pairs.slices, found.intra.pairs.cases) == (0.5, 2, 1)
    repeated = [e for e in endpoints(found) if e.part is Part.REPEATS]
    assert [e.key for e in repeated] == ["intra_f1@0.3", "intra_f1@0.5"]


def test_first_diagnoses_are_compared_as_written() -> None:
    lists = [case_reading(reader_code="R01"), case_reading(reader_code="R02"), case_reading("case0002")]
    study = snapshot(slices=both(NAMES[0], BOX), cases=lists)
    found = measure(readings_of_study(study, QUICK), QUICK)
    assert found.diagnoses is not None
    assert (found.diagnoses.same.value, found.diagnoses.cases) == (1.0, 1)


def test_before_the_lock_nobody_looks_without_a_reason_that_is_written_down() -> None:
    service, study, _ = service_for(snapshot(slices=both(NAMES[0], BOX), phase=Phase.READING))
    with pytest.raises(NotAllowedError, match="opens after the database lock"):
        service.measure_study(FILE, QUICK)
    with pytest.raises(NotAllowedError):
        service.measure_study(FILE, QUICK, early_reason="  ")
    assert study.noted == []
    result = service.measure_study(FILE, QUICK, early_reason="safety board")
    assert study.noted == [("agreement", "safety board")]
    assert result_object(result)["before_lock"] == "safety board"
    lines = list(measured_lines(result.measured, result.before_lock))
    assert lines[1] == "  BEFORE THE DATABASE LOCK, because: safety board"


def test_after_the_lock_nothing_is_written() -> None:
    service, study, _ = service_for(snapshot(slices=both(NAMES[0], BOX)))
    assert service.measure_study(FILE, QUICK, early_reason="why not").before_lock is None
    assert study.noted == []


def test_equal_readings_are_not_measured_twice_and_changed_ones_are() -> None:
    service, study, _ = service_for(snapshot(slices=both(NAMES[0], BOX)))
    first = service.measure_study(FILE, QUICK).measured
    assert service.measure_study(FILE, QUICK).measured is first
    decided = replace(study.content.data_sets[0], decided=(NAMES[0],))
    study.content = replace(study.content, data_sets=(decided,))
    assert service.measure_study(FILE, QUICK).measured is first  # a decision changes no reading
    assert service.measure_study(FILE, replace(QUICK, seed=2)).measured is not first
    study.content = replace(study.content, slice_readings=tuple(both(NAMES[0], BOX, FAR)))
    assert service.measure_study(FILE, QUICK).measured.agreement.boxes[0].counts.tp == 2


def test_unknown_readers_and_a_reader_alone_are_refused() -> None:
    service, _, _ = service_for(snapshot(slices=both(NAMES[0], BOX)))
    with pytest.raises(UserError, match="no reader 'X'"):
        service.measure_study(FILE, AgreementRequest(readers=("X", "R01")))
    with pytest.raises(UserError, match="at least two readers"):
        AgreementRequest(readers=("R01",))


@pytest.mark.parametrize(
    ("field", "value", "says"),
    [
        ("thresholds", (0.0,), "above 0 and at most 1"),
        ("thresholds", (1.5,), "above 0 and at most 1"),
        ("resamples", -1, "from 0 to 1,000,000"),
        ("seed", -1, "must not be below 0"),
    ],
)
def test_numbers_that_cannot_be_used_are_refused(field: str, value: object, says: str) -> None:
    with pytest.raises(UserError, match=says):
        AgreementRequest(**{field: value})  # type: ignore[arg-type]


def test_the_protocols_endpoint_stands_first_and_alone_is_primary() -> None:
    study = snapshot(slices=both(NAMES[0], BOX))
    study = replace(study, analysis=replace(study.analysis, primary_endpoint="pq@0.3"))
    found = endpoints(measure(readings_of_study(study, QUICK), QUICK))
    assert [e.key for e in found if e.is_primary] == ["pq@0.3"]
    assert found[0].key == "pq@0.3"
    parts = [e.part for e in found[1:]]
    assert parts == sorted(parts, key=list(Part).index)


def test_the_table_of_findings_says_who_saw_what_and_what_counts() -> None:
    study = snapshot(
        slices=[read(NORTH, NAMES[0], BOX, FAR), read(SOUTH, NAMES[0], BOX), read(NORTH, NAMES[1], BOX)]
    )
    table = findings_table(linked(measure(readings_of_study(study, QUICK), QUICK), 0.5))
    assert table.columns == ("slice", "case", "used", "why", "iou", "R01", "R02")
    alone = "used: no other reader has a matching box"
    unread = "not used: no second reader has read the slice"
    assert table.rows == (
        (NAMES[0], "case0001", "yes", "used: matched", "1.000", "10 20 30 40", "10 20 30 40"),
        (NAMES[0], "case0001", "yes", alone, "", NO_BOX, "300 300 30 40"),
        (NAMES[1], "case0001", "no", unread, "", NOT_READ, "10 20 30 40"),
    )


def test_the_table_of_slices_begins_with_the_worst() -> None:
    study = snapshot(slices=[*both(NAMES[0], BOX), read(NORTH, NAMES[2], BOX), read(SOUTH, NAMES[2], FAR)])
    view = linked(measure(readings_of_study(study, QUICK), QUICK), 0.5)
    table = slices_table(view)
    assert [row[0] for row in table.rows] == [NAMES[2], NAMES[0]]
    assert table.slices == ((NAMES[2],), (NAMES[0],))


def test_groups_come_from_captions_and_diagnoses() -> None:
    study = snapshot(slices=[*both(NAMES[0], BOX), *both(NAMES[2], BOX)])
    view = linked(measure(readings_of_study(study, QUICK), QUICK), 0.5)
    assert [(g.group, g.slices) for g in view.groups["diagnosis"]] == [("Glioma", 1)]
    assert [(g.group, g.slices) for g in view.groups["plane"]] == [("axial", 2)]  # as the readers said
    assert [(g.group, g.slices) for g in view.groups["sequence"]] == [("T1", 2)]
    assert view.size_source == "terciles of the gold boxes"


def test_slices_of_unknown_size_are_clipped_only_where_they_fit_the_published_layout() -> None:
    unknown = data_set()
    unknown = replace(unknown, slices=tuple(replace(s, width=None, height=None) for s in unknown.slices))
    inside, beyond = Box(470, 0, 20, 10), Box(600, 0, 20, 10)
    fits = readings_of_study(snapshot(slices=both(NAMES[0], inside), data_sets=[unknown]), QUICK)
    other = readings_of_study(snapshot(slices=both(NAMES[0], inside, beyond), data_sets=[unknown]), QUICK)
    assert fits.read.corners[:, 2].tolist() == [480, 480]
    assert other.read.corners[:, 2].tolist() == [490, 620, 490, 620]
    assert (fits.notes, other.notes) == ((), (NOT_CLIPPED,))


def test_written_are_the_object_and_every_table() -> None:
    service, _, folder = service_for(snapshot(slices=both(NAMES[0], BOX)))
    result = service.measure_study(FILE, QUICK)
    written = service.write(result, Path("out"))
    assert set(written) == set(folder.files)
    tables = {t.name for t in all_tables(result.measured, [linked(result.measured, t) for t in (0.3, 0.5)])}
    assert set(written) == {f"{name}.csv" for name in tables} | {"agreement.json"}
    assert folder.files["findings@0.5.csv"].startswith(b"slice,case,used,why,iou,R01,R02")


def test_intervals_by_slice_are_the_persons_choice() -> None:
    service, _, _ = service_for(snapshot(slices=both(NAMES[0], BOX)))
    result = service.measure_study(FILE, replace(QUICK, resample=Unit.SLICE))
    assert result_object(result)["resample"] == "slice"


@pytest.mark.parametrize(
    ("estimate", "words"),
    [
        (Estimate(0.611, 0.585, 0.638, n=200), ".611 (.585 to .638), n = 200 slices"),
        (
            Estimate(1.0, n=3, undefined_because="no variation"),
            "1.000 (no interval: no variation), n = 3 slices",
        ),
        (Estimate(None, n=1, undefined_because="no positives"), "undefined: no positives (n = 1 slice)"),
        (
            Estimate(-0.02, -0.5, 0.0, n=9, dropped=1200),
            "-.020 (-.500 to .000), n = 9 slices, 1,200 resamples dropped",
        ),
    ],
)
def test_numbers_in_words(estimate: Estimate, words: str) -> None:
    assert estimate_words(estimate) == words


def test_a_rounded_zero_has_no_sign() -> None:
    assert number(-0.0001) == ".000"
