"""Judging diagnoses: which pairs there are, in which order, what a word does, and what stays hidden."""

from dataclasses import asdict, replace

import pytest

from nova_review.domain.errors import BugError, NotAllowedError, StorageError, UserError
from nova_review.domain.judging import JudgeKind, Judgement
from nova_review.domain.study import Phase
from nova_review.services.answer_sets import answer_sets
from nova_review.services.judging import JudgingDesk
from nova_review.services.judging_agreement import NONE_IN_COMMON, ONE_WORD, judges_agreement
from nova_review.services.judging_content import ShownPair, Which
from nova_review.services.judging_pairs import PairToJudge, pairs_to_judge, shown_name
from tests.helpers.judging import MemoryStudies, desk_of, model, reading, said, study_of

SAME, RELATED, DIFFERENT, UNSURE = Judgement
GLIOMA = "Glioblastoma"
CYST = "Rathke cleft cyst"


def pairs_of(studies: MemoryStudies) -> tuple[PairToJudge, ...]:
    return pairs_to_judge(studies.content, answer_sets(studies.content, studies.sets))


def both(pair: PairToJudge | ShownPair) -> frozenset[str]:
    names = pair.names if isinstance(pair, PairToJudge) else (pair.left, pair.right)
    return frozenset(names)


def small() -> MemoryStudies:
    """Three pairs: glioblastoma with abscess (twice) and lymphoma, the cyst with craniopharyngioma."""
    readings = (reading("case0001", "Abscess", "Lymphoma"),)
    answers = model("LEAKMODEL", a=("abscess",), c=("Craniopharyngioma",))
    return MemoryStudies(study_of(GLIOMA, CYST, *readings), (answers,))


def many(count: int = 40) -> MemoryStudies:
    names = [f"Disease {chr(65 + k // 26)}{chr(65 + k % 26)}" for k in range(count)]
    return MemoryStudies(study_of(GLIOMA, None), (model("M", a=names),))


def shown(desk: JudgingDesk) -> ShownPair:
    pair = desk.view().pair
    assert pair is not None
    return pair


def judge_all(desk: JudgingDesk, judgement: Judgement = SAME) -> list[ShownPair]:
    seen = []
    while (pair := desk.view().pair) is not None:
        seen.append(pair)
        desk.judge(pair.key, judgement)
    return seen


def test_each_pair_is_there_once_over_readers_sets_and_slices() -> None:
    assert {both(p) for p in pairs_of(small())} == {
        frozenset({GLIOMA, "Abscess"}),
        frozenset({GLIOMA, "Lymphoma"}),
        frozenset({CYST, "Craniopharyngioma"}),
    }


@pytest.mark.parametrize("answer", ["glioblastoma", "GLIOBLASTOMA.", " glioblastoma ", "a glioblastoma"])
def test_what_spelling_decides_is_no_question(answer: str) -> None:
    assert pairs_of(MemoryStudies(study_of(GLIOMA, CYST), (model("M", a=(answer,)),))) == ()


@pytest.mark.parametrize(
    "reference", [None, "", "  ", "Final Diagnosis not found.", "final diagnosis NOT found"]
)
def test_a_case_without_a_diagnosis_asks_nothing(reference: str | None) -> None:
    assert pairs_of(MemoryStudies(study_of(reference, CYST), (model("M", a=("Abscess",)),))) == ()


@pytest.mark.parametrize("answer", ["", " . ", "Final Diagnosis not found."])
def test_an_answer_without_a_diagnosis_asks_nothing(answer: str) -> None:
    assert pairs_of(MemoryStudies(study_of(GLIOMA, CYST), (model("M", a=(answer,)),))) == ()


def test_an_answer_on_a_slice_that_is_not_there_asks_nothing() -> None:
    answers = model("M", a=("Abscess",))
    elsewhere = replace(answers.predictions[0], file_name="elsewhere.png")
    assert (
        pairs_of(MemoryStudies(study_of(GLIOMA, CYST), (replace(answers, predictions=(elsewhere,)),))) == ()
    )


def test_a_pair_judged_on_the_way_back_is_not_asked_again() -> None:
    desk = desk_of(small())
    unsure = shown(desk)
    desk.judge(unsure.key, UNSURE)
    desk.show(Which.UNSURE)
    desk.keep()
    assert desk.view().pair is None
    back = desk.back().pair
    assert back is not None
    assert desk.judge(back.key, SAME).pair is None


def test_a_word_on_one_way_round_leaves_the_pair_open_until_it_is_given_for_both() -> None:
    answers = model("M", a=("Abscess",), c=("Glioblastoma",))
    studies = MemoryStudies(study_of(GLIOMA, "Abscess"), (answers,))
    studies.add(said(GLIOMA, "Abscess", SAME, "ADJ1"))
    desk = desk_of(studies)
    assert desk.progress().open == 1
    back = desk.back().pair
    assert back is not None
    assert back.own is SAME
    view = desk.judge(back.key, RELATED)
    assert (view.pair, view.progress.open, view.progress.waiting) == (None, 0, 0)
    assert [w.judgement for w in studies.words.values()] == [RELATED, RELATED]


def test_a_half_answered_pair_that_is_finished_on_the_way_back_is_passed_over_later() -> None:
    answers = model("M", a=("Abscess", "Lymphoma", "Cyst"), c=("Glioblastoma", "Lymphoma", "Cyst"))
    studies = MemoryStudies(replace(study_of(GLIOMA, "Abscess"), study_id="study-3"), (answers,))
    order = [both(p) for p in judge_all(desk_of(studies))]
    both_ways = frozenset({GLIOMA, "Abscess"})
    assert order[0] != both_ways  # it waits behind another pair
    studies.words.clear()
    studies.add(said(GLIOMA, "Abscess", SAME, "ADJ1"))
    desk = desk_of(studies)
    back = desk.back().pair
    assert back is not None
    desk.judge(back.key, RELATED)
    assert [both(p) for p in judge_all(desk)] == [pair for pair in order if pair != both_ways]


def test_the_same_question_with_the_parts_changed_is_asked_once_and_answered_for_both() -> None:
    answers = model("M", a=("Abscess",), c=("Glioblastoma",))
    studies = MemoryStudies(study_of(GLIOMA, "Abscess"), (answers,))
    desk = desk_of(studies)
    assert desk.progress().total == 1
    desk.judge(shown(desk).key, DIFFERENT)
    assert {(r, a) for r, a, _ in studies.words} == {(GLIOMA, "Abscess"), ("Abscess", "Glioblastoma")}
    assert desk.progress().open == 0


@pytest.mark.parametrize("phase", [Phase.SETUP, Phase.READING])
def test_nobody_judges_before_the_lock(phase: Phase) -> None:
    studies = MemoryStudies(study_of(GLIOMA, CYST, phase=phase))
    with pytest.raises(NotAllowedError, match="judging opens after the database lock"):
        desk_of(studies)
    assert studies.codes == {}


@pytest.mark.parametrize("name", ["", "  ", "R01", "ADJ2"])
def test_a_judge_has_a_name(name: str) -> None:
    with pytest.raises(UserError, match="under which name"):
        desk_of(small(), name)


def test_the_order_is_a_judges_own_and_the_same_in_every_sitting() -> None:
    studies = many()
    first = [p.key for p in judge_all(desk_of(studies, "Ada"))]
    studies.words.clear()
    assert [p.key for p in judge_all(desk_of(studies, "Ada"))] == first
    studies.words.clear()
    other = [p.key for p in judge_all(desk_of(studies, "Ben"))]
    assert sorted(other) == sorted(first)
    assert other != first
    assert first != sorted(first)
    assert {len(first), len(set(first))} == {40}


def test_a_set_that_comes_later_moves_no_pair() -> None:
    studies = many()
    before = [p.key for p in judge_all(desk_of(studies))]
    studies.words.clear()
    studies.sets = (*studies.sets, model("later", a=("Abscess", "Lymphoma")))
    after = [p.key for p in judge_all(desk_of(studies))]
    assert [key for key in after if key in before] == before
    assert len(after) == 42


def test_the_reference_stands_left_about_as_often_as_right_and_stays_there() -> None:
    studies = many()
    first = judge_all(desk_of(studies))
    left = sum(p.left == GLIOMA for p in first)
    # Of 40 fair coins fewer than 8 or more than 32 heads come once in 20,000.
    assert 8 <= left <= 32
    studies.words.clear()
    assert [p.left for p in judge_all(desk_of(studies))] == [p.left for p in first]


def test_neither_order_nor_side_follows_rank_or_name() -> None:
    studies = many()
    answers = [(both(p) - {GLIOMA}, p.left == GLIOMA) for p in judge_all(desk_of(studies))]
    names = [next(iter(name)) for name, _ in answers]
    assert names != sorted(names)
    assert names != sorted(names, reverse=True)


def test_what_a_judge_is_shown_holds_no_source() -> None:
    desk = desk_of(small())
    told = repr([asdict(p) for p in judge_all(desk)]) + repr(desk.view())
    for secret in ("LEAKMODEL", "R01", "R02", "Anna North", "case0001", "png", "History", "demo"):
        assert secret not in told


@pytest.mark.parametrize(
    ("name", "looks"),
    [
        ("**abscess**", "Abscess"),
        (" brain   abscess. ", "Brain abscess"),
        ("\u2022 GBM;", "GBM"),
        ("...", "..."),
    ],
)
def test_marks_of_a_source_are_taken_off(name: str, looks: str) -> None:
    assert shown_name(name) == looks


def test_a_word_is_stored_by_code_and_the_next_pair_comes() -> None:
    studies = small()
    desk = desk_of(studies)
    pair = shown(desk)
    view = desk.judge(pair.key, RELATED, note="  close  ")
    assert view.pair is not None
    assert view.pair.key != pair.key
    assert (view.progress.total, view.progress.open, view.progress.waiting) == (3, 2, 2)
    (word,) = studies.words.values()
    assert (word.judgement, word.judged_by, word.kind, word.note) == (
        RELATED,
        "ADJ1",
        JudgeKind.PERSON,
        "close",
    )
    assert {shown_name(word.reference), shown_name(word.answer)} == both(pair)


def test_what_cannot_be_stored_leaves_the_pair_open() -> None:
    studies = small()
    desk = desk_of(studies)
    pair = shown(desk)
    studies.fault = StorageError("The disk is full.")
    with pytest.raises(StorageError):
        desk.judge(pair.key, SAME)
    assert shown(desk) == pair
    assert desk.progress().open == 3
    assert desk.judge(pair.key, SAME).progress.open == 2


def test_a_pair_that_is_not_here_is_a_fault() -> None:
    with pytest.raises(BugError):
        desk_of(small()).judge("elsewhere", SAME)


def test_back_leads_to_the_last_pairs_and_a_changed_word_replaces_the_first() -> None:
    studies = small()
    desk = desk_of(studies)
    assert not desk.view().may_go_back
    first, second = shown(desk), None
    desk.judge(first.key, SAME, note="sure")
    second = shown(desk)
    desk.judge(second.key, DIFFERENT)
    third = shown(desk)
    back = desk.back().pair
    assert back is not None
    assert (back.key, back.own) == (second.key, DIFFERENT)
    view = desk.back()
    assert view.pair is not None
    assert (view.pair.key, view.pair.own, view.pair.note) == (first.key, SAME, "sure")
    assert not view.may_go_back
    assert desk.back().pair == view.pair
    after = desk.judge(first.key, DIFFERENT)
    assert after.pair == third
    assert [w.judgement for w in studies.words.values()].count(DIFFERENT) == 2
    assert len(studies.words) == 2
    again = desk.back().pair
    assert again is not None
    assert (again.key, again.own) == (first.key, DIFFERENT)


def test_keep_goes_on_without_a_word() -> None:
    studies = small()
    desk = desk_of(studies)
    first = shown(desk)
    assert desk.keep().pair == first
    desk.judge(first.key, SAME)
    second = shown(desk)
    desk.back()
    assert desk.keep().pair == second
    assert studies.writes == 1


def test_the_next_sitting_goes_on_and_can_still_go_back() -> None:
    studies = small()
    desk = desk_of(studies)
    for judgement in (SAME, DIFFERENT):
        last = shown(desk)
        desk.judge(last.key, judgement)
    again = desk_of(studies)
    assert again.progress().open == 1
    back = again.back().pair
    assert back is not None
    assert (back.key, back.own) == (last.key, DIFFERENT)


def test_unsure_is_an_answer_and_can_be_looked_at_again() -> None:
    studies = small()
    desk = desk_of(studies)
    pair = shown(desk)
    view = desk.judge(pair.key, UNSURE)
    assert (view.progress.open, view.progress.unsure) == (2, 1)
    view = desk.show(Which.UNSURE)
    assert view.pair is not None
    assert (view.pair.key, view.pair.own, view.progress.waiting) == (pair.key, UNSURE, 1)
    view = desk.judge(pair.key, SAME)
    assert (view.pair, view.progress.unsure, view.progress.waiting) == (None, 0, 0)


def test_an_unsure_pair_may_stay_unsure() -> None:
    desk = desk_of(small())
    for _ in range(2):
        desk.judge(shown(desk).key, UNSURE)
    first = desk.show(Which.UNSURE).pair
    second = desk.keep().pair
    assert first is not None
    assert second is not None
    assert first.key != second.key
    assert desk.keep().pair is None


def test_undecided_leaves_out_what_anybody_or_a_synonym_decided() -> None:
    answers = model("M", a=("GBM", "Abscess", "Lymphoma", "Metastasis"))
    studies = MemoryStudies(study_of(GLIOMA, CYST), (answers,))
    studies.add(
        said(GLIOMA, "Abscess", DIFFERENT, "ADJ9"),
        said("GLIOBLASTOMA", "lymphoma", SAME, "some-model", kind=JudgeKind.PROGRAM),
    )
    desk = desk_of(studies)
    assert desk.progress().open == 4
    view = desk.show(Which.UNDECIDED)
    assert view.pair is not None
    assert both(view.pair) == {GLIOMA, "Metastasis"}
    assert view.progress.waiting == 1


def test_a_third_judge_sees_where_two_disagree_and_not_what_they_said() -> None:
    studies = small()
    studies.add(
        said(GLIOMA, "Abscess", SAME, "ADJ7"),
        said(GLIOMA, "abscess", RELATED, "ADJ8"),
        said(GLIOMA, "Lymphoma", RELATED, "ADJ7"),
        said(GLIOMA, "Lymphoma", DIFFERENT, "ADJ8"),  # both say: not the same
        said(CYST, "Craniopharyngioma", SAME, "ADJ7"),
        said(
            CYST, "Craniopharyngioma", UNSURE, "ADJ8"
        ),  # unsure agrees with neither, and disagrees with none
    )
    desk = desk_of(studies)
    view = desk.show(Which.DISAGREED)
    assert view.pair is not None
    assert both(view.pair) == {GLIOMA, "Abscess"}
    assert view.pair.own is None
    assert view.progress.waiting == 1
    assert "ADJ" not in repr(view)
    assert desk.judge(view.pair.key, SAME).pair is None


def test_persons_outweigh_programs_in_what_is_disagreed() -> None:
    studies = small()
    studies.add(
        said(GLIOMA, "Abscess", DIFFERENT, "ADJ7"),
        said(GLIOMA, "Abscess", SAME, "a-model", kind=JudgeKind.PROGRAM),
        said(GLIOMA, "Lymphoma", DIFFERENT, "b-model", kind=JudgeKind.PROGRAM),
        said(GLIOMA, "Lymphoma", SAME, "a-model", kind=JudgeKind.PROGRAM),
    )
    view = desk_of(studies).show(Which.DISAGREED)
    assert view.pair is not None
    assert both(view.pair) == {GLIOMA, "Lymphoma"}
    assert view.progress.waiting == 1


def test_words_of_others_are_news_when_pairs_are_chosen_again() -> None:
    studies = small()
    desk = desk_of(studies)
    assert desk.show(Which.UNDECIDED).progress.waiting == 3
    studies.add(said(GLIOMA, "Lymphoma", DIFFERENT, "ADJ9"))
    assert desk.show(Which.UNDECIDED).progress.waiting == 2


def test_a_word_on_another_spelling_is_the_same_word() -> None:
    studies = small()
    studies.add(said("glioblastoma", "ABSCESS", RELATED, "ADJ1"))
    desk = desk_of(studies)
    assert desk.progress().open == 2
    back = desk.back().pair
    assert back is not None
    assert back.own is RELATED
    desk.judge(back.key, DIFFERENT)
    (word,) = studies.words.values()
    assert (word.reference, word.answer, word.judgement) == ("glioblastoma", "ABSCESS", DIFFERENT)


def test_synonyms_are_suggested_and_nothing_is_preselected() -> None:
    studies = MemoryStudies(study_of(GLIOMA, CYST), (model("M", a=("GBM",), c=("Abscess",)),))
    seen = {both(p): p for p in judge_all(desk_of(studies))}
    assert seen[frozenset({GLIOMA, "GBM"})].suggestion == "same - both are names of Glioblastoma"
    assert seen[frozenset({CYST, "Abscess"})].suggestion == ""
    assert all(p.own is None for p in seen.values())


def test_without_any_pair_there_is_nothing_to_do() -> None:
    view = desk_of(MemoryStudies(study_of(GLIOMA, CYST))).view()
    assert (view.pair, view.progress.total, view.progress.open, view.may_go_back) == (None, 0, 0, False)


def between_readers() -> MemoryStudies:
    """Case 1: two readers, Abscess > Lymphoma and Lymphoma > GBM, and a model, Abscess > Cyst."""
    north = reading("case0001", "Abscess", "Lymphoma")
    south = reading("case0001", "Lymphoma", "GBM")
    south = replace(south, context=replace(south.context, reader_code="R01"))
    return MemoryStudies(study_of(GLIOMA, None, north, south), (model("M", a=("abscess", "Cyst")),))


def test_for_scores_against_readers_each_first_diagnosis_is_a_reference_too() -> None:
    pairs = pairs_of(between_readers())
    data_set = {both(p) for p in pairs if p.has_data_set}
    readers = {both(p): set(p.written) for p in pairs if not p.has_data_set}
    assert data_set == {frozenset({GLIOMA, name}) for name in ("Abscess", "Lymphoma", "GBM", "Cyst")}
    # Abscess first, beside south's and the model's; Lymphoma first, beside north's and the model's. What
    # a reader listed himself is no question: neither Abscess with Lymphoma of one list, nor Lymphoma, GBM.
    assert readers == {
        frozenset({"Abscess", "Lymphoma"}): {("Abscess", "Lymphoma"), ("Lymphoma", "Abscess")},
        frozenset({"Abscess", "GBM"}): {("Abscess", "GBM")},
        frozenset({"Abscess", "Cyst"}): {("Abscess", "Cyst")},
        frozenset({"Lymphoma", "Cyst"}): {("Lymphoma", "Cyst")},
    }


def test_pairs_with_the_data_set_come_first_and_those_between_readers_by_choice() -> None:
    desk = desk_of(between_readers())
    progress = desk.progress()
    assert (progress.total, progress.open, progress.waiting) == (4, 4, 4)
    judge_all(desk, DIFFERENT)
    assert desk.progress().open == 0
    progress = desk.show(Which.READERS).progress
    assert (progress.total, progress.open, progress.waiting) == (4, 4, 4)
    judge_all(desk, UNSURE)
    assert desk.show(Which.UNSURE).progress.unsure == 4
    # Of the eight the synonym alone is decided without a word, and the judge has called it different.
    assert desk.show(Which.UNDECIDED).progress.total == 8


def test_agreement_of_two_judges_by_hand() -> None:
    # Same/same 4, same/not 1, not/same 2, not/not 3: po = 7/10;
    # pe = 5/10 * 6/10 + 5/10 * 4/10 = .5; kappa = (.7 - .5) / .5 = .4.
    votes = [(SAME, SAME)] * 4 + [(SAME, RELATED)] + [(DIFFERENT, SAME)] * 2 + [(RELATED, DIFFERENT)] * 3
    words = [
        w
        for k, (a, b) in enumerate(votes)
        for w in (said(GLIOMA, f"d{k}", a, "ADJ1"), said(GLIOMA, f"D{k}.", b, "m"))
    ]
    words += [said(GLIOMA, "x", UNSURE, "ADJ1"), said(GLIOMA, "x", SAME, "m"), said(GLIOMA, "y", SAME, "m")]
    (found,) = judges_agreement(words)
    assert (found.judges, found.n, found.unsure) == (("ADJ1", "m"), 10, 1)
    assert found.percent.value == pytest.approx(70.0)
    assert found.kappa.value == pytest.approx(0.4)
    assert {(a.answer, b.answer) for a, b in found.disagreed} == {("d4", "D4."), ("d5", "D5."), ("d6", "D6.")}


def test_agreement_that_does_not_exist_says_why() -> None:
    (found,) = judges_agreement([said(GLIOMA, "x", UNSURE, "a"), said(GLIOMA, "x", SAME, "b")])
    assert (found.n, found.unsure) == (0, 1)
    assert (found.percent.value, found.percent.undefined_because) == (None, NONE_IN_COMMON)
    assert found.kappa.undefined_because == NONE_IN_COMMON
    (found,) = judges_agreement([said(GLIOMA, "x", SAME, "a"), said(GLIOMA, "x", SAME, "b")])
    assert (found.percent.value, found.kappa.value, found.kappa.undefined_because) == (100.0, None, ONE_WORD)
    assert judges_agreement([said(GLIOMA, "x", SAME, "a"), said(GLIOMA, "y", SAME, "b")]) == ()
    assert [f.judges for f in judges_agreement(said(GLIOMA, "x", SAME, j) for j in "cab")] == [
        ("a", "b"), ("a", "c"), ("b", "c"),
    ]  # fmt: skip
