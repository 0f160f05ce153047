"""Making a study, looking at it, closing it, filling it from files."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from nova_review.domain.dataset import CaseRecord, DataSet
from nova_review.domain.errors import StorageError, UserError
from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictedBox, Prediction, PredictionKind, PredictionSet
from nova_review.domain.protocol import Unit
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
from nova_review.domain.snapshot import AnswerContext, CaseReading, SliceReading
from nova_review.domain.study import Occasion, Phase, PresentationRole, ReaderKind
from nova_review.services.studies import fresh_seed
from nova_review.services.study_plan import content_hash
from nova_review.services.study_report import info_report
from tests.helpers.data_sets import NOON, data_set, study_service

ANSWER = SliceAnswer(
    findings=(
        Finding("f1", Box(10.37, 20.61, 55.123, 70.999), "lesion", "frontal", Side.IMAGE_LEFT, 0.7),
        Finding("f2", Box(1 / 3, 2 / 3, 100.1, 1e-9)),
    ),
    caption=Caption(("T2", "FLAIR"), "axial", Normality.ABNORMAL, 'said "x",\r\n=1+1 \U0001f9e0 שלום'),
    outcome=Outcome.FINDINGS,
)


def context(code: str, **changes: object) -> AnswerContext:
    base = AnswerContext(
        reader_code=code,
        data_set="tiny",
        case_code="case0001",
        arm="image-history",
        occasion=Occasion.FIRST,
        role=PresentationRole.MAIN,
        stage=1,
        visible=("image", "siblings"),
        siblings_seen=("case0001_002.png",),
        position=1,
        version=1,
        state=AnswerState.SUBMITTED,
        started_utc="2025-01-02T03:04:05Z",
        closed_utc="2025-01-02T03:05:05Z",
        active_seconds=42.5,
        first_mark_seconds=3.25,
        sitting_minutes=1.5,
        seen_before=False,
        reopen_reason="",
        imported=False,
    )
    return replace(base, **changes)  # type: ignore[arg-type]


def slice_reading(code: str, file_name: str = "case0001_001.png", **changes: object) -> SliceReading:
    answer = changes.pop("answer", ANSWER)
    assert isinstance(answer, SliceAnswer)
    return SliceReading(file_name, context(code, **changes), answer)


def case_reading(code: str) -> CaseReading:
    answer = CaseAnswer((Diagnosis("abscess", 0.5), Diagnosis("metastasis", None)), "ring enhancement")
    seen = ("history", "image", "own-caption", "siblings")
    return CaseReading(1, 1, 1, context(code, stage=2, visible=seen, siblings_seen=()), answer)


class TestNewStudy:
    def test_it_has_the_counts_of_its_data_set(self, tmp_path: Path) -> None:
        source = data_set((2, 1, 3), readers=["Dr.X", "Dr.Y"])
        info = study_service().new_study([source], tmp_path / "s.nova", readers=["Ada", "Ben"], seed="1")
        report = info_report(info, tmp_path / "s.nova")
        assert {k: report[k] for k in ("slices", "cases", "usable_slices", "gold_boxes", "reader_boxes")} == {
            "slices": 6,
            "cases": 3,
            "usable_slices": 6,
            "gold_boxes": 6,
            "reader_boxes": 6,  # 2 readers on the first slice of 3 cases
        }
        assert report["readers"] == ["Ada", "Ben"]
        assert report["data_set_readers"] == ["Dr.X", "Dr.Y"]
        assert report["seed"] == 1
        assert [w["code"] for w in report["warnings"]] == ["box_outside"]  # type: ignore[attr-defined]
        json.dumps(report, allow_nan=False)

    def test_readers_decide_the_phase(self, tmp_path: Path) -> None:
        service = study_service()
        assert service.new_study([data_set()], tmp_path / "a.nova", readers=["Ada"]).phase is Phase.READING
        assert service.new_study([data_set()], tmp_path / "b.nova").phase is Phase.DATABASE_LOCKED

    def test_published_readers_become_closed_readings_of_the_slices_that_they_have(
        self, tmp_path: Path
    ) -> None:
        service = study_service()
        service.new_study([data_set((2, 1), readers=["Dr.X"])], tmp_path / "s.nova")
        found = service.snapshot(tmp_path / "s.nova")
        assert [(r.name, r.kind) for r in found.readers] == [("Dr.X", ReaderKind.DATA_SET)]
        assert [r.file_name for r in found.slice_readings] == ["case0001_001.png", "case0002_001.png"]
        one = found.slice_readings[0]
        assert one.context.state is AnswerState.SUBMITTED
        assert one.context.version == 1
        assert one.answer.outcome is Outcome.FINDINGS
        assert [(f.box, f.label) for f in one.answer.findings] == [(Box(10.37, 20.61, 55.123, 70.999), "")]

    def test_orders_are_stored_complete_and_differ_between_readers(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        service.new_study([data_set([2] * 20)], file, readers=["Ada", "Ben"], seed="1")
        orders = service.info(file, with_orders=True).orders
        assert orders is not None
        assert list(orders) == ["Ada", "Ben"]
        assert sorted(orders["Ada"]) == sorted(s.file_name for s in data_set([2] * 20).slices)
        assert orders["Ada"] != orders["Ben"]
        for first, second in zip(orders["Ada"][::2], orders["Ada"][1::2], strict=True):
            assert first.removesuffix("_001.png") == second.removesuffix("_002.png")  # scan order in a case
        again = tmp_path / "t.nova"
        service.new_study([data_set([2] * 20)], again, readers=["Ada", "Ben"], seed="1")
        assert service.info(again, with_orders=True).orders == orders

    def test_orders_are_told_only_when_asked_for(self, tmp_path: Path) -> None:
        info = study_service().new_study([data_set()], tmp_path / "s.nova", readers=["Ada"])
        assert "orders" not in info_report(info, tmp_path / "s.nova")

    def test_unit_slice_has_each_case_once_more_for_its_history(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        info = study_service().new_study([data_set((2, 1, 3))], file, readers=["Ada"], unit=Unit.SLICE)
        assert info.readers[0].presentations == 6 + 3
        orders = study_service().info(file, with_orders=True).orders
        assert orders is not None
        assert len(orders["Ada"]) == 6

    def test_slices_of_a_case_that_stand_too_close_are_listed(self, tmp_path: Path) -> None:
        info = study_service().new_study(
            [data_set((3,))], tmp_path / "s.nova", readers=["Ada"], unit=Unit.SLICE
        )
        close = [r.message for r in info.remarks if r.code == "slices-too-close"]
        assert len(close) == 2
        assert all(m.startswith(f"{info.readers[0].code}: ") for m in close)
        assert "0 slices between them" in close[0]

    def test_a_slice_without_a_picture_is_shown_to_nobody_and_this_is_said(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        source = data_set((2, 1), missing=["case0001_002.png"])
        info = study_service().new_study([source], file, readers=["Ada"])
        orders = study_service().info(file, with_orders=True).orders
        assert orders is not None
        assert sorted(orders["Ada"]) == ["case0001_001.png", "case0002_001.png"]
        assert ["case0001_002.png" in r.message for r in info.remarks] == [True]

    def test_data_sets_of_one_name_get_codes_of_their_own(self, tmp_path: Path) -> None:
        sets = [data_set((1,), code="a"), data_set((1,), code="a"), data_set((1,), code="a-2")]
        info = study_service().new_study(sets, tmp_path / "s.nova")
        assert [d.code for d in info.data_sets] == ["a", "a-2", "a-2-2"]

    def test_the_same_file_name_in_two_data_sets_stays_two_slices(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        service.new_study([data_set((1,), code="a", readers=["X"]), data_set((1,), code="b")], file)
        found = service.snapshot(file)
        assert [[s.file_name for s in d.slices] for d in found.data_sets] == [["case0001_001.png"]] * 2
        assert [r.context.data_set for r in found.slice_readings] == ["a"]

    def test_a_case_that_only_the_metadata_names_is_kept(self, tmp_path: Path) -> None:
        source = data_set((1,))
        source = replace(source, cases=(*source.cases, CaseRecord("case0999", "no picture of it")))
        info = study_service().new_study([source], tmp_path / "s.nova")
        assert info.data_sets[0].cases == 2

    @pytest.mark.parametrize(
        ("names", "says"),
        [
            (["Ada", "Ada"], "named 2 times"),
            (["Ada", "ada "], "named 2 times"),
            (["Dr. Ada", "Dr  Ada"], "named 2 times"),
            (["M\u00fcller", "Mu\u0308ller"], "named 2 times"),
            (["Ada", " "], "empty"),
            (["R01"], "like a code"),
            (["Dr.X"], "there already"),
        ],
    )
    def test_unfit_names_are_refused_and_leave_nothing(
        self, tmp_path: Path, names: list[str], says: str
    ) -> None:
        with pytest.raises(UserError, match=says):
            study_service().new_study([data_set(readers=["Dr.X"])], tmp_path / "s.nova", readers=names)
        assert list(tmp_path.iterdir()) == []

    @pytest.mark.parametrize(
        ("source", "readers", "says"),
        [
            (data_set(()), ["Ada"], "no slice"),
            (data_set((1,), missing=["case0001_001.png"]), ["Ada"], "nobody can read"),
            (replace(data_set((1,)), refused=True), [], "refused"),
        ],
    )
    def test_unfit_data_sets_are_refused(
        self, tmp_path: Path, source: DataSet, readers: list[str], says: str
    ) -> None:
        with pytest.raises(UserError, match=says):
            study_service().new_study([source], tmp_path / "s.nova", readers=readers)
        assert list(tmp_path.iterdir()) == []

    def test_an_unknown_arm_is_refused(self, tmp_path: Path) -> None:
        with pytest.raises(UserError, match="no arm"):
            study_service().new_study([data_set()], tmp_path / "s.nova", arm="history-only")

    def test_a_file_in_the_way_stays_as_it_is(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        file.write_text("mine")
        with pytest.raises(StorageError, match="exists already"):
            study_service().new_study([data_set()], file)
        assert file.read_text() == "mine"

    def test_stopping_on_the_way_leaves_nothing(self, tmp_path: Path) -> None:
        pictures = {s.file_name: b"png" for s in data_set().slices}
        steps: list[tuple[int, int]] = []

        def stop_at_third(done: int, total: int) -> bool:
            steps.append((done, total))
            return done < 3

        with pytest.raises(UserError, match="Stopped"):
            study_service(pictures).new_study(
                [data_set()], tmp_path / "s.nova", embed=True, progress=stop_at_third
            )
        assert steps == [(1, 6), (2, 6), (3, 6)]
        assert list(tmp_path.iterdir()) == []

    def test_embedding_stores_every_picture_that_can_be_shown(self, tmp_path: Path) -> None:
        pictures = {s.file_name: b"png" for s in data_set().slices if s.file_name != "case0001_002.png"}
        source = data_set(missing=["case0001_002.png"])
        info = study_service(pictures).new_study([source], tmp_path / "s.nova", embed=True)
        assert info.embedded == 5

    def test_fresh_seeds_differ(self) -> None:
        assert len({fresh_seed() for _ in range(20)}) == 20

    def test_the_hash_of_a_data_set_follows_what_it_says_and_not_where_it_lies(self) -> None:
        assert content_hash(data_set(root="/a")) == content_hash(data_set(root="/b"))
        assert content_hash(data_set((2, 1))) != content_hash(data_set((1, 2)))


class TestClose:
    def test_it_says_what_is_open_and_cannot_be_done_twice(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        service.new_study([data_set((2, 1))], file, readers=["Ada"], seed="1")
        closed = service.close(file, reason="all done")
        assert [(o.reader, o.position, o.state) for o in closed.open_readings] == [
            ("Ada", 1, "not begun"),
            ("Ada", 2, "not begun"),
        ]
        info = service.info(file)
        assert (info.phase, info.closed_utc) == (Phase.DATABASE_LOCKED, NOON)
        with pytest.raises(UserError, match="past its database lock"):
            service.close(file, reason="again")

    def test_a_study_without_readers_is_past_it_from_the_start(self, tmp_path: Path) -> None:
        study_service().new_study([data_set()], tmp_path / "s.nova")
        with pytest.raises(UserError, match="no readers of its own"):
            study_service().close(tmp_path / "s.nova", reason="")

    def test_submitted_readings_are_not_open(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        info = service.new_study([data_set((1,))], file, readers=["Ada"])
        code = info.readers[0].code
        one = slice_reading(code, state=AnswerState.LOCKED)
        service.add_readings(file, slice_readings=[one], case_readings=[])
        assert [o.state for o in service.open_readings(file)] == ["stage 1 locked, not submitted"]
        service.add_readings(file, slice_readings=[], case_readings=[case_reading(code)])
        assert service.open_readings(file) == ()
        assert service.info(file).readers[0].submitted == 1


class TestAddReadings:
    def test_answers_come_back_as_they_went_in(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        code = service.new_study([data_set()], file, readers=["Ada"]).readers[0].code
        given, case = slice_reading(code), case_reading(code)
        added = service.add_readings(file, slice_readings=[given], case_readings=[case])
        assert (added.slice_readings, added.case_readings, added.conflicts) == (1, 1, 0)
        found = service.snapshot(file)
        assert found.slice_readings == (replace(given, context=replace(given.context, imported=True)),)
        assert found.case_readings == (replace(case, context=replace(case.context, imported=True)),)

    def test_the_same_again_is_no_conflict_and_changes_nothing(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        code = service.new_study([data_set()], file, readers=["Ada"]).readers[0].code
        given = [slice_reading(code)]
        service.add_readings(file, slice_readings=given, case_readings=[case_reading(code)])
        before = service.snapshot(file)
        added = service.add_readings(file, slice_readings=given, case_readings=[case_reading(code)])
        assert (added.slice_readings, added.already_there, added.conflicts) == (0, 2, 0)
        assert service.snapshot(file) == before

    def test_another_answer_is_a_conflict_and_the_stored_one_stays(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        code = service.new_study([data_set()], file, readers=["Ada"]).readers[0].code
        service.add_readings(file, slice_readings=[slice_reading(code)], case_readings=[])
        other = slice_reading(code, answer=SliceAnswer(outcome=Outcome.NO_FINDING))
        added = service.add_readings(file, slice_readings=[other], case_readings=[])
        assert (added.slice_readings, added.conflicts) == (0, 1)
        assert [(w.code, w.value) for w in added.warnings] == [("conflict", "case0001_001.png")]
        assert service.snapshot(file).slice_readings[0].answer == ANSWER

    def test_the_next_version_stands_beside_the_first(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        code = service.new_study([data_set()], file, readers=["Ada"]).readers[0].code
        second = slice_reading(
            code, version=2, reopen_reason="slipped", answer=SliceAnswer(outcome=Outcome.NO_FINDING)
        )
        service.add_readings(file, slice_readings=[slice_reading(code), second], case_readings=[])
        found = service.snapshot(file).slice_readings
        assert [(r.context.version, r.context.reopen_reason, r.answer.outcome) for r in found] == [
            (1, "", Outcome.FINDINGS),
            (2, "slipped", Outcome.NO_FINDING),
        ]

    def test_after_the_lock_the_studys_own_readers_stay_as_they_are(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        code = service.new_study([data_set()], file, readers=["Ada"]).readers[0].code
        service.close(file, reason="")
        added = service.add_readings(file, slice_readings=[slice_reading(code)], case_readings=[])
        assert (added.slice_readings, added.conflicts) == (0, 1)
        assert "locked" in added.warnings[0].message
        assert service.snapshot(file).slice_readings == ()

    def test_unknown_readers_are_made_also_after_the_lock(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        service.new_study([data_set()], file)
        added = service.add_readings(
            file,
            slice_readings=[
                slice_reading("Zoe"),
                slice_reading("Zoe", "case0002_001.png", case_code="case0002"),
            ],
            case_readings=[],
            same_study=False,
        )
        assert added.slice_readings == 2
        info = service.info(file)
        assert [(r.name, r.code, r.kind) for r in info.readers] == [("Zoe", "R01", ReaderKind.DATA_SET)]
        assert added.readers == ("R01",)

    def test_a_code_of_another_study_never_lands_on_our_reader(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        service.new_study([data_set()], file, readers=["Ada"])  # her code is R01
        service.add_readings(
            file, slice_readings=[slice_reading("R01")], case_readings=[], same_study=False, source="x.csv"
        )
        readers = service.info(file).readers
        assert [(r.name, r.code) for r in readers] == [("Ada", "R01"), ("R01 of x.csv", "R02")]
        assert [r.context.reader_code for r in service.snapshot(file).slice_readings] == ["R02"]

    def test_the_same_folder_of_another_study_twice_adds_nothing_the_second_time(
        self, tmp_path: Path
    ) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        service.new_study([data_set()], file, readers=["Ada"])  # her code is R01
        added = [
            service.add_readings(
                file,
                slice_readings=[slice_reading("R01")],
                case_readings=[case_reading("R01")],
                same_study=False,
                source="readings.csv",
            )
            for _ in range(2)
        ]
        assert [(a.slice_readings, a.case_readings, a.already_there) for a in added] == [(1, 1, 0), (0, 0, 2)]
        assert [r.code for r in service.info(file).readers] == ["R01", "R02"]

    def test_unknown_slices_and_cases_are_left_out_and_named(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        code = service.new_study([data_set()], file, readers=["Ada"]).readers[0].code
        lost = replace(case_reading(code), context=context(code, case_code="case0999", stage=2))
        added = service.add_readings(
            file, slice_readings=[slice_reading(code, "nowhere.png")], case_readings=[lost]
        )
        assert [w.value for w in added.warnings] == ["nowhere.png", "case0999"]
        assert added.slice_readings + added.case_readings == 0

    def test_findings_without_keys_get_their_own(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        code = service.new_study([data_set()], file, readers=["Ada"]).readers[0].code
        bare = SliceAnswer(
            (Finding("", Box(0, 0, 1, 1)), Finding("", Box(2, 2, 1, 1))), outcome=Outcome.FINDINGS
        )
        service.add_readings(file, slice_readings=[slice_reading(code, answer=bare)], case_readings=[])
        ids = [f.id for f in service.snapshot(file).slice_readings[0].answer.findings]
        assert len(set(ids)) == 2
        assert "" not in ids

    def test_a_draft_stays_a_draft(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        code = service.new_study([data_set()], file, readers=["Ada"]).readers[0].code
        draft = slice_reading(code, state=AnswerState.DRAFT, closed_utc=None)
        service.add_readings(file, slice_readings=[draft], case_readings=[])
        assert service.snapshot(file).slice_readings[0].context.state is AnswerState.DRAFT


class TestTrainingPlace:
    def test_a_visitor_gets_an_order_in_the_role_training(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        service.new_study([data_set((2, 1), readers=["Dr.X"])], file)
        visitor = service.add_training_place(file, "Visitor")
        assert visitor.code == "R02"
        assert {p.role for p in visitor.presentations} == {PresentationRole.TRAINING}
        info = service.info(file)
        assert [(r.name, r.presentations, r.is_visitor) for r in info.readers] == [
            ("Visitor", 2, True),
            ("Dr.X", 0, False),
        ]
        assert info_report(info, file)["readers"] == ["Visitor", "Dr.X"]
        assert service.open_readings(file) == ()  # training is no reading that a lock waits for

    def test_names_stay_unique(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        study_service().new_study([data_set()], file, readers=["Ada"])
        with pytest.raises(UserError, match="there already"):
            study_service().add_training_place(file, "ada")


class TestPredictionSets:
    def test_a_set_is_stored_and_named(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        service.new_study([data_set()], file)
        answers = [
            Prediction("case0001_001.png", boxes=(PredictedBox(Box(1, 2, 3, 4), 0.9),), caption="x"),
            Prediction("case0002_001.png", diagnoses=(Diagnosis("abscess", 0.5),)),
            Prediction("nowhere.png"),
        ]
        added = service.add_prediction_set(file, PredictionSet("model-a", PredictionKind.MODEL), answers)
        assert (added.stored, added.unknown) == (2, ("nowhere.png",))
        service.add_prediction_set(file, PredictionSet("run-1", PredictionKind.RUN), [])
        assert service.info(file).prediction_sets == ("model-a",)  # models only

    def test_names_are_unique_and_plain(self, tmp_path: Path) -> None:
        file = tmp_path / "s.nova"
        service = study_service()
        service.new_study([data_set()], file)
        service.add_prediction_set(file, PredictionSet("m", PredictionKind.MODEL), [])
        with pytest.raises(UserError, match="already"):
            service.add_prediction_set(file, PredictionSet("m", PredictionKind.MODEL), [])
        with pytest.raises(UserError, match="letters, digits"):
            service.add_prediction_set(file, PredictionSet("my model", PredictionKind.MODEL), [])

    def test_no_set_is_named_as_a_reader_is(self, tmp_path: Path) -> None:
        """Else `--set R01` would name two, and answers of a model pass for a reader's."""
        file = tmp_path / "s.nova"
        service = study_service()
        service.new_study([data_set()], file, readers=["Ada North"])
        with pytest.raises(UserError, match="'R01' is the code of a reader"):
            service.add_prediction_set(file, PredictionSet("R01", PredictionKind.MODEL), [])
        service.add_prediction_set(file, PredictionSet("R09", PredictionKind.MODEL), [])
        assert service.info(file).prediction_sets == ("R09",)


def test_the_real_annotations_make_a_study_of_their_readers(shared_data: Path, tmp_path: Path) -> None:
    from nova_review.formats.nova import read_data_set

    service = study_service()
    source = read_data_set(shared_data / "nova_annotations")
    info = service.new_study([source], tmp_path / "s.nova")
    assert info.phase is Phase.DATABASE_LOCKED
    assert info.data_sets[0].gold_boxes == len(source.gold)
    assert info.data_sets[0].reader_boxes == len(source.reader_boxes)
    assert len(info.readers) == 9
    found = service.snapshot(tmp_path / "s.nova")
    boxes = sorted(
        (r.file_name, f.box.x, f.box.y, f.box.width, f.box.height)
        for r in found.slice_readings
        for f in r.answer.findings
    )
    assert boxes == sorted(
        (b.file_name, b.box.x, b.box.y, b.box.width, b.box.height) for b in source.reader_boxes
    )
