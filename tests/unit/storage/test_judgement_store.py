"""Words of judges in a study file: one for each judge and pair, the earlier one in the audit log."""

import json
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from nova_review.domain.errors import NotAllowedError
from nova_review.domain.judging import JudgedPair, JudgeKind, Judgement
from nova_review.services.judging_content import DiagnosisJudge, JudgementsPut
from nova_review.storage.engine import open_store
from nova_review.storage.schema_log import audit_log
from tests.helpers.data_sets import NOON, data_set, study_service
from tests.helpers.judging import said

SAME, RELATED, DIFFERENT, UNSURE = Judgement
AWKWARD = '=1+1, "x"\r\n\tNai\u0308ve \U0001f9e0 \u05e9\u05dc\u05d5\u05dd'


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A study without readers of its own: past its database lock."""
    path = tmp_path / "s.nova"
    study_service().new_study([data_set((2, 1), readers=["Dr.X"])], path)
    return path


def audit(file: Path) -> list[Any]:
    wanted = ("diagnosis judged", "judgement changed", "judgements added")
    with open_store(file) as store, store.read() as connection:
        rows = connection.execute(select(audit_log).order_by(audit_log.c.number)).fetchall()
    return [row for row in rows if row.action in wanted]


def test_what_was_judged_is_read_back_as_it_is(file: Path) -> None:
    words = (
        said("A", AWKWARD, RELATED, "ADJ1", note=AWKWARD),
        said("A", "b", UNSURE, "ADJ1"),
        said("A", "b", DIFFERENT, "gpt-x", kind=JudgeKind.PROGRAM),
    )
    assert study_service().put_judgements(file, words) == JudgementsPut(3, 0, 0)
    assert set(study_service().judged_pairs(file)) == set(words)


def test_a_word_without_a_time_gets_the_time_of_now(file: Path) -> None:
    study_service().put_judgements(file, [JudgedPair("A", "b", SAME, "ADJ1")])
    (word,) = study_service().judged_pairs(file)
    assert word.judged_utc == NOON


def test_a_new_word_replaces_the_own_earlier_one_and_the_log_keeps_it(file: Path) -> None:
    service = study_service()
    service.put_judgements(file, [said("A", "b", SAME, "ADJ1", note="first"), said("A", "b", SAME, "ADJ2")])
    assert service.put_judgements(file, [said("A", "b", DIFFERENT, "ADJ1", note="n")]) == JudgementsPut(
        0, 1, 0
    )
    assert {(w.judged_by, w.judgement, w.note) for w in service.judged_pairs(file)} == {
        ("ADJ1", DIFFERENT, "n"),
        ("ADJ2", SAME, ""),
    }
    entries = audit(file)
    assert [(e.action, e.who) for e in entries] == [
        ("diagnosis judged", "ADJ1"),
        ("diagnosis judged", "ADJ2"),
        ("judgement changed", "ADJ1"),
    ]
    told = json.loads(entries[-1].details)
    assert (told["before"], told["note_before"], told["judgement"]) == ("same", "first", "different")


def test_the_same_word_again_changes_and_logs_nothing(file: Path) -> None:
    service = study_service()
    service.put_judgements(file, [said("A", "b", SAME)])
    before = service.judged_pairs(file)
    again = [said("A", "b", SAME, utc="2027-01-01T00:00:00Z")]
    assert service.put_judgements(file, again) == JudgementsPut(0, 0, 1)
    assert service.judged_pairs(file) == before
    assert len(audit(file)) == 1


def test_a_file_leaves_one_entry_with_what_it_changed(file: Path) -> None:
    service = study_service()
    service.put_judgements(file, [said("A", "b", SAME)])
    words = [said("A", "b", DIFFERENT), said("A", "c", SAME), said("A", "d", SAME)]
    assert service.put_judgements(file, words, source="judges.csv") == JudgementsPut(2, 1, 0)
    entry = audit(file)[-1]
    told = json.loads(entry.details)
    assert (entry.action, told["source"], told["added"]) == ("judgements added", "judges.csv", 2)
    assert [(c["answer"], c["before"]) for c in told["changed"]] == [("b", "same")]


def test_nothing_is_judged_before_the_lock(tmp_path: Path) -> None:
    path = tmp_path / "open.nova"
    service = study_service()
    service.new_study([data_set((2, 1))], path, readers=["Ada North"])
    with pytest.raises(NotAllowedError, match="database lock"):
        service.put_judgements(path, [said("A", "b", SAME)])
    assert service.judged_pairs(path) == ()
    assert service.put_judgements(path, [said("A", "b", SAME)], early_reason="a pilot").added == 1


def test_judges_have_codes_that_stay_theirs(tmp_path: Path) -> None:
    path = tmp_path / "s.nova"
    service = study_service()
    service.new_study([data_set((2, 1), readers=["Dr.X"])], path, readers=["Ada North"])
    own = next(r.code for r in service.info(path).readers if r.name == "Ada North")
    assert service.judge_called(path, "ada  north.") == DiagnosisJudge(own, is_reader=True)
    assert service.judge_called(path, "Dora Judge") == DiagnosisJudge("ADJ1", is_reader=False)
    assert service.judge_called(path, "Ben South") == DiagnosisJudge("ADJ2", is_reader=False)
    assert service.judge_called(path, "DORA JUDGE") == DiagnosisJudge("ADJ1", is_reader=False)
    # Who came with the data set never sat here: a person of that name is somebody else.
    assert service.judge_called(path, "Dr.X") == DiagnosisJudge("ADJ3", is_reader=False)
    assert "Dora Judge" not in {r.name for r in service.info(path).readers}
