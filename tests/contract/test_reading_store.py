"""What every reading store promises: the same tests on memory, on a study file and on PostgreSQL."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from nova_review.domain.audit import AuditEntry, DeviationKind, ViewKind
from nova_review.domain.errors import BugError, ConflictError, UserError
from nova_review.domain.geometry import Box
from nova_review.domain.protocol import Unit, default_protocol
from nova_review.domain.reading import (
    AnswerState,
    Caption,
    CaseAnswer,
    Diagnosis,
    Finding,
    Normality,
    Outcome,
    Side,
    SliceAnswer,
)
from nova_review.domain.study import Occasion, Phase, PresentationRole
from nova_review.services.ports import Place
from nova_review.services.reading_records import (
    AnswerRecord,
    CaseHead,
    ReaderRows,
    ReadingRow,
    SliceHead,
    StoredCaseAnswer,
    StoredSliceAnswer,
)
from tests.helpers.desks import seen
from tests.helpers.reading_worlds import World, history_of, make_postgresql_world, make_world

FULL = SliceAnswer(
    findings=(
        Finding("f-1", Box(10.37, 20.61, 55.123, 70.999), "mass", "frontal", Side.IMAGE_LEFT, 0.7),
        Finding("f-2", Box(1.0, 2.0, 3.0, 4.0), 'a "b", c\n=1+1 \U0001f9e0 \u05d0', copied_from="f-1"),
    ),
    caption=Caption(("T1", "FLAIR"), "axial", Normality.ABNORMAL, "line 1\r\nline 2\t;", "slice-x"),
    outcome=Outcome.FINDINGS,
)
READING = ReadingRow("reading-1", "case", "image-history", Occasion.FIRST, PresentationRole.MAIN, "2024")


@pytest.fixture(params=["memory", "sqlite", "postgresql"])
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[World]:
    if request.param == "postgresql":
        made = make_postgresql_world(request.getfixturevalue("postgresql_server"), tmp_path)
    else:
        made = make_world(request.param, tmp_path)
    yield made
    made.close()


@pytest.fixture
def me(world: World) -> str:
    return world.reader_ids[0]


@pytest.fixture
def place(world: World, me: str) -> Place:
    with world.store.reading(me) as rows:
        first = rows.presentations()[0]
    return Place(first.id, first.slice_ids[0])


def begin(world: World, me: str, place: Place) -> ReadingRow:
    """Add the reading of the case of a place."""
    with world.store.writing(me) as rows:
        case_id = next(p.case_id for p in rows.presentations() if p.id == place.presentation_id)
        row = replace(READING, case_id=case_id)
        rows.add_reading(row)
    return row


def record(place: Place, *, version: int = 1, revision: int = 1, **changes: object) -> AnswerRecord:
    plain = AnswerRecord(
        presentation_id=place.presentation_id,
        position=3,
        unit=Unit.CASE,
        stage=1,
        visible=("image", "siblings"),
        version=version,
        revision=revision,
        state=AnswerState.DRAFT,
        started_utc="2024-03-01T00:00:01Z",
        saved_utc=f"2024-03-01T00:00:{revision:02d}Z",
        sitting_minutes=2.0,
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def draft(place: Place, answer: SliceAnswer = FULL, **changes: object) -> StoredSliceAnswer:
    return StoredSliceAnswer(READING.id, place.slice_id, answer, ("sib-1",), record(place, **changes))  # type: ignore[arg-type]


def case_draft(place: Place, answer: CaseAnswer, **changes: object) -> StoredCaseAnswer:
    return StoredCaseAnswer(READING.id, answer, record(place, **changes))  # type: ignore[arg-type]


def newest(rows: ReaderRows, place: Place) -> StoredSliceAnswer | None:
    return rows.slice_answer(READING.id, place.slice_id)


class TestStudy:
    def test_facts_phase_and_reader(self, world: World, me: str) -> None:
        with world.store.reading(me) as rows:
            facts, phase, reader = rows.study(), rows.phase(), rows.reader()
        assert (facts.title, facts.is_demo, facts.protocol) == ("A reader study", False, default_protocol())
        assert phase is world.store.phase() is Phase.READING
        assert reader.name in ("LEAK-ada", "LEAK-bruno")

    def test_an_unknown_reader_is_refused(self, world: World) -> None:
        with world.store.reading("nobody") as rows, pytest.raises(UserError, match="no such reader"):
            rows.reader()

    def test_each_reader_has_his_own_stored_order(self, world: World) -> None:
        for planned in world.plan.readers:
            with world.store.reading(planned.id) as rows:
                assert tuple(rows.presentations()) == planned.presentations

    def test_readers_are_those_with_an_order(self, world: World) -> None:
        told = world.store.readers()
        assert [p.reader.name for p in told] == ["LEAK-ada", "LEAK-bruno"]
        assert [(p.cases, p.submitted_cases) for p in told] == [(3, 0), (3, 0)]

    def test_history_and_file_name(self, world: World, me: str) -> None:
        planned = world.plan.data_sets[0].cases[1]
        with world.store.reading(me) as rows:
            assert rows.history(planned.id) == history_of(2)
            assert rows.file_name(planned.slices[0].id) == planned.slices[0].record.file_name

    def test_an_embedded_picture(self, world: World, me: str, place: Place) -> None:
        with world.store.reading(me) as rows:
            image = rows.image(place.slice_id)
            assert image is not None
            assert (image.embedded, image.width, image.height) == (True, 480, 479)
            assert rows.image_bytes(place.slice_id).startswith(b"48 48 ")
            assert rows.image("no-such-slice") is None


class TestSliceAnswers:
    def test_every_field_comes_back(self, world: World, me: str, place: Place) -> None:
        begin(world, me, place)
        with world.store.writing(me) as rows:
            rows.insert_slice_answer(draft(place))
        with world.store.reading(me) as rows:
            assert newest(rows, place) == draft(place)
            assert rows.slice_answers(READING.id) == [draft(place)]

    def test_a_save_over_the_open_version(self, world: World, me: str, place: Place) -> None:
        begin(world, me, place)
        other = replace(FULL, findings=FULL.findings[1:], outcome=Outcome.FINDINGS)
        with world.store.writing(me) as rows:
            rows.insert_slice_answer(draft(place))
            rows.replace_slice_answer(draft(place, other, revision=2), expected_revision=1)
        with world.store.reading(me) as rows:
            assert newest(rows, place) == draft(place, other, revision=2)
        assert len(world.slice_versions(me)) == 1

    def test_a_stale_revision_is_a_conflict(self, world: World, me: str, place: Place) -> None:
        begin(world, me, place)
        with world.store.writing(me) as rows:
            rows.insert_slice_answer(draft(place, revision=4))
        with pytest.raises(ConflictError), world.store.writing(me) as rows:
            rows.replace_slice_answer(draft(place, SliceAnswer(), revision=4), expected_revision=3)
        with world.store.reading(me) as rows:
            assert newest(rows, place) == draft(place, revision=4)

    def test_the_same_version_twice_is_a_conflict(self, world: World, me: str, place: Place) -> None:
        begin(world, me, place)
        with world.store.writing(me) as rows:
            rows.insert_slice_answer(draft(place))
        with pytest.raises(ConflictError), world.store.writing(me) as rows:
            rows.insert_slice_answer(draft(place, SliceAnswer()))
        assert [r.answer for r in world.slice_versions(me)] == [FULL]

    @pytest.mark.parametrize("state", [s for s in AnswerState if s.is_closed])
    def test_a_closed_version_is_not_written_over(
        self, world: World, me: str, place: Place, state: AnswerState
    ) -> None:
        begin(world, me, place)
        closed = draft(place, state=state, closed_utc="2024-03-01T00:01:00Z")
        with world.store.writing(me) as rows:
            rows.insert_slice_answer(closed)
        with pytest.raises((BugError, ConflictError)), world.store.writing(me) as rows:
            rows.replace_slice_answer(draft(place, SliceAnswer(), revision=2), expected_revision=1)
        assert world.slice_versions(me) == [closed]

    def test_the_newest_version_is_answered_and_the_first_kept(
        self, world: World, me: str, place: Place
    ) -> None:
        begin(world, me, place)
        first = draft(place, state=AnswerState.LOCKED, closed_utc="2024-03-01T00:01:00Z")
        second = draft(place, version=2, revision=2, state=AnswerState.REOPENED, reopen_reason="a slip")
        with world.store.writing(me) as rows:
            rows.insert_slice_answer(first)
            rows.insert_slice_answer(second)
        with world.store.reading(me) as rows:
            assert newest(rows, place) == second
            head = SliceHead(READING.id, place.slice_id, AnswerState.REOPENED, Outcome.FINDINGS)
            assert rows.slice_heads() == rows.slice_heads([READING.id]) == [head]
            assert rows.slice_heads([]) == rows.slice_heads(["other"]) == []
        assert world.slice_versions(me) == [first, second]

    def test_submitting_moves_locked_versions_and_no_content(
        self, world: World, me: str, place: Place
    ) -> None:
        begin(world, me, place)
        locked = draft(place, state=AnswerState.LOCKED, closed_utc="2024-03-01T00:01:00Z")
        with world.store.writing(me) as rows:
            rows.insert_slice_answer(locked)
            rows.submit_slice_answers(READING.id, utc="2024-03-01T00:02:00Z")
        moved = replace(
            locked.record,
            state=AnswerState.SUBMITTED,
            revision=2,
            submitted_utc="2024-03-01T00:02:00Z",
        )
        assert world.slice_versions(me) == [replace(locked, record=moved)]

    @pytest.mark.parametrize("state", [s for s in AnswerState if s is not AnswerState.LOCKED])
    def test_submitting_leaves_every_other_version(
        self, world: World, me: str, place: Place, state: AnswerState
    ) -> None:
        begin(world, me, place)
        row = draft(place, state=state)
        with world.store.writing(me) as rows:
            rows.insert_slice_answer(row)
            rows.submit_slice_answers(READING.id, utc="2024-03-01T00:02:00Z")
        assert world.slice_versions(me) == [row]


class TestCaseAnswers:
    ANSWER = CaseAnswer((Diagnosis("glioma", 0.7), Diagnosis("abscess", None)), "ring\r\nsecond line")

    def test_save_and_save_again(self, world: World, me: str, place: Place) -> None:
        begin(world, me, place)
        swapped = CaseAnswer(self.ANSWER.diagnoses[::-1], "other")
        with world.store.writing(me) as rows:
            rows.insert_case_answer(case_draft(place, self.ANSWER))
            assert rows.case_answer(READING.id) == case_draft(place, self.ANSWER)
            rows.replace_case_answer(case_draft(place, swapped, revision=2), expected_revision=1)
        with world.store.reading(me) as rows:
            assert rows.case_answer(READING.id) == case_draft(place, swapped, revision=2)
            assert rows.case_heads() == [CaseHead(READING.id, AnswerState.DRAFT)]
            assert rows.case_heads(["other"]) == []
            assert rows.case_answer("other") is None

    def test_conflicts(self, world: World, me: str, place: Place) -> None:
        begin(world, me, place)
        with world.store.writing(me) as rows:
            rows.insert_case_answer(case_draft(place, self.ANSWER))
        with pytest.raises(ConflictError), world.store.writing(me) as rows:
            rows.insert_case_answer(case_draft(place, CaseAnswer()))
        with pytest.raises(ConflictError), world.store.writing(me) as rows:
            rows.replace_case_answer(case_draft(place, CaseAnswer(), revision=8), expected_revision=7)
        with world.store.reading(me) as rows:
            assert rows.case_answer(READING.id) == case_draft(place, self.ANSWER)

    def test_progress_counts_submitted_cases(self, world: World, me: str, place: Place) -> None:
        begin(world, me, place)
        with world.store.writing(me) as rows:
            rows.insert_case_answer(case_draft(place, self.ANSWER, state=AnswerState.SUBMITTED))
        told = {p.reader.id: p.submitted_cases for p in world.store.readers()}
        assert told == {me: 1, world.reader_ids[1]: 0}


class TestReadings:
    def test_one_reading_for_each_case_arm_and_occasion(self, world: World, me: str, place: Place) -> None:
        row = begin(world, me, place)
        with pytest.raises(ConflictError), world.store.writing(me) as rows:
            rows.add_reading(replace(row, id="reading-2"))
        with world.store.reading(me) as rows:
            assert rows.readings() == [row]
            assert rows.reading(row.case_id, row.arm, row.occasion) == row
            assert rows.reading(row.case_id, row.arm, Occasion.REPEAT) is None

    def test_reveal_and_seen_before(self, world: World, me: str, place: Place) -> None:
        row = begin(world, me, place)
        with world.store.writing(me) as rows:
            rows.set_revealed([row.id], utc="2024-03-02")
            rows.set_seen_before(row.id, seen=True)
        with world.store.reading(me) as rows:
            assert rows.readings() == [replace(row, revealed_utc="2024-03-02", seen_before=True)]

    def test_another_reader_reaches_nothing_of_it(self, world: World, me: str, place: Place) -> None:
        row = begin(world, me, place)
        with world.store.writing(me) as rows:
            rows.insert_slice_answer(draft(place))
            rows.append_view(seen(place))
            rows.append_audit(AuditEntry("lock slice", "R01", "2024", "", ""))
        with world.store.reading(world.reader_ids[1]) as rows:
            assert [*rows.readings(), *rows.slice_heads(), *rows.case_heads()] == []
            assert rows.reading(row.case_id, row.arm, row.occasion) is None
            assert rows.viewed() == frozenset()
            assert rows.last_place() is None
            assert [*rows.audit(["lock slice"]), *rows.own_words("label")] == []


class TestLogs:
    def test_views_in_the_order_in_which_they_were_written(self, world: World, me: str, place: Place) -> None:
        first = replace(seen(place, started=9.5, seconds=2.0), process="p", view='{"zoom": 2}')
        second = replace(seen(place, started=1.0), kind=ViewKind.FIRST_MARK)
        other = replace(seen(place), stage=2)
        with world.store.writing(me) as rows:
            rows.append_view(first, second)
            rows.append_view(other)
        with world.store.reading(me) as rows:
            here = frozenset({(place.presentation_id, place.slice_id)})
            assert rows.viewed() == rows.viewed([place.presentation_id]) == here
            assert rows.viewed(["other"]) == frozenset()
            assert rows.last_place() == place
        assert world.views(me) == [first, second, other]

    def test_deviations_and_audit(self, world: World, me: str) -> None:
        entries = [AuditEntry(a, "R01", "2024", "why", "what") for a in ("open", "lock", "close")]
        with world.store.writing(me) as rows:
            for entry in entries:
                rows.append_audit(entry)
            rows.append_deviation(DeviationKind.NOTE, note="a call", utc="2024")
            rows.append_deviation(DeviationKind.CRASH, note="", utc="2024")
        with world.store.reading(me) as rows:
            assert rows.audit(["close", "open"]) == [entries[0], entries[2]]
        assert world.deviations(me) == [("note", "a call"), ("crash", "")]


class TestWords:
    def test_own_words_newest_first_without_doubles(self, world: World, me: str, place: Place) -> None:
        begin(world, me, place)
        old = SliceAnswer(
            (Finding("a", Box(0, 0, 1, 1), "cyst", "sella"), Finding("b", Box(0, 0, 1, 1), "mass")),
            outcome=Outcome.FINDINGS,
        )
        new = SliceAnswer((Finding("a", Box(0, 0, 1, 1), "cyst"),), outcome=Outcome.FINDINGS)
        case = CaseAnswer((Diagnosis("glioma"), Diagnosis("")))
        with world.store.writing(me) as rows:
            rows.insert_slice_answer(draft(place, old, state=AnswerState.LOCKED))
            rows.insert_slice_answer(draft(place, new, version=2, revision=2))
            rows.insert_case_answer(case_draft(place, case))
        with world.store.reading(me) as rows:
            assert rows.own_words("label") == ["cyst", "mass"]
            assert rows.own_words("place") == ["sella"]
            assert rows.own_words("diagnosis") == ["glioma"]


class TestUnitsOfWork:
    def test_all_or_nothing(self, world: World, me: str, place: Place) -> None:
        begin(world, me, place)

        def half_way() -> None:
            with world.store.writing(me) as rows:
                rows.insert_slice_answer(draft(place))
                rows.append_view(seen(place))
                raise RuntimeError("half way")

        with pytest.raises(RuntimeError, match="half way"):
            half_way()
        with world.store.reading(me) as rows:
            assert newest(rows, place) is None
            assert rows.viewed() == frozenset()

    def test_a_reader_of_the_file_sees_no_half_unit(self, world: World, me: str, place: Place) -> None:
        begin(world, me, place)
        with world.store.writing(me) as rows:
            rows.insert_slice_answer(draft(place))
            with world.store.reading(me) as other:
                assert newest(other, place) is None
