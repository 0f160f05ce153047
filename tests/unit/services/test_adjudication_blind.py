"""What an adjudicator must not learn, by any door of his desk.

Everything that could tell carries the word LEAK (tests/helpers/adjudication_desks): readers' names,
the data set's name, files, titles, gold, links, captions and diagnoses, ids of findings, rationales.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path

import pytest

from nova_review.domain import decision_edits as edits
from nova_review.domain.adjudication import EMPTY_CASE_DECISION, EMPTY_DECISION, Comparison, Mode
from nova_review.domain.errors import NovaReviewError
from nova_review.domain.geometry import Box
from nova_review.services.adjudication import Desk
from nova_review.services.adjudication_layers import shuffled
from nova_review.services.gold_rules import GoldRules, RuleRequest
from nova_review.storage.decision_store import adjudication_store
from tests.helpers.adjudication_desks import (
    ALL_AGREE,
    DISJOINT,
    NOTHING,
    READERS,
    SPLIT,
    AdjudicationWorld,
    answers_of,
    make_adjudication_desk,
    seen,
)
from tests.helpers.adjudication_work import lock, whole
from tests.helpers.desks import FixedClock, seeded_ids


@pytest.fixture(params=list(Mode), ids=str)
def world(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AdjudicationWorld]:
    made = make_adjudication_desk(tmp_path, mode=request.param)
    yield made
    made.file.close()


def everything(desk: Desk) -> list[object]:
    """Every view of the desk as it stands now."""
    queue = desk.queue()
    views: list[object] = [queue, desk.mode, desk.protocol]
    for entry in queue.entries:
        views += [desk.entry(entry.slice_id), desk.open(entry.slice_id), desk.open_case(entry.case_id)]
        views.append(desk.picture(entry.slice_id))
    return [*views, desk.own_words("label"), desk.own_words("diagnosis")]


def names_of_fields(value: object) -> set[str]:
    """The names of all fields in a view."""
    if is_dataclass(value) and not isinstance(value, type):
        found = {f.name for f in fields(value)}
        return found.union(*(names_of_fields(getattr(value, f.name)) for f in fields(value)))
    if isinstance(value, tuple | list):
        return set().union(*(names_of_fields(v) for v in value))
    return set()


def through_the_work(world: AdjudicationWorld) -> Iterator[list[object]]:
    """Views at every step from the bare slices to decisions closed and reopened."""
    desk = world.desk
    yield everything(desk)
    if desk.mode is Mode.INDEPENDENT_FIRST:
        lock(world, DISJOINT)
        yield everything(desk)
        lock(world, *(name for name in world.slices if name != DISJOINT))
    yield everything(desk)
    key = world.id_of(DISJOINT)
    made: list[object] = [desk.close_decision(key, whole(world, DISJOINT), revision=0)]
    case_id = desk.open(key).case_id
    made.append(desk.close_case(case_id, edits.set_panel_diagnosis("x")(EMPTY_CASE_DECISION), revision=0))
    yield [*made, *everything(desk)]
    yield [desk.reopen_decision(key, reason="again"), *everything(desk)]


def test_nothing_that_could_tell_is_in_any_view(world: AdjudicationWorld) -> None:
    codes = {r.code for r in world.service.snapshot(world.path).readers}
    for views in through_the_work(world):
        told = "\n".join(map(repr, views))
        assert "LEAK" not in told
        assert not [code for code in codes if re.search(rf"\b{code}\b", told)]
        assert "2025-" not in told  # when readers answered
        assert "2026" not in told


def test_no_view_has_a_place_for_an_agreement_figure_a_name_or_a_time(world: AdjudicationWorld) -> None:
    """`iou` belongs to two boxes that are both on the screen; nothing sums it up."""
    told = set().union(*(names_of_fields(v) for views in through_the_work(world) for v in views))
    spoken = {
        "agreement",
        "kappa",
        "f1",
        "alpha",
        "utc",
        "seconds",
        "reader",
        "gold",
        "title",
        "link",
        "score",
    }
    # The study's own title and the protocol's plan of analysis are no figure.
    allowed = {"study_title", "analysis"}
    assert not {name for name in told - allowed for word in spoken if word in name.split("_")} - {
        "idle_limit_seconds", "gold_rule",
    }  # fmt: skip


def test_confidences_and_copies_are_taken_away(world: AdjudicationWorld) -> None:
    lock_all = world.desk.mode is Mode.INDEPENDENT_FIRST
    if lock_all:
        lock(world, *world.slices)
    for key in world.slices.values():
        comparison = world.desk.open(key).comparison
        for layer in comparison.layers:
            assert {(f.confidence, f.copied_from) for f in layer.findings} <= {(None, None)}
            numbers = [f.id for f in layer.findings]
            assert numbers == [f"{layer.letter}{n}" for n in range(1, len(numbers) + 1)]
            tops = [f.box.y for f in layer.findings]
            assert tops == sorted(tops)  # not in the order in which they were drawn


def test_errors_do_not_tell_either(tmp_path: Path) -> None:
    world = make_adjudication_desk(tmp_path)
    desk, key = world.desk, world.id_of(SPLIT)
    said = []
    for act in (
        lambda: desk.close_decision(key, EMPTY_DECISION, revision=0),
        lambda: desk.lock_independent(key, answers_of(READERS[0])[SPLIT], revision=9),
        lambda: desk.reopen_decision(key, reason="x"),
        lambda: desk.open("elsewhere"),
        lambda: world.sit_down(READERS[1]).open(key),
    ):
        with pytest.raises(NovaReviewError) as error:
            act()
        said.append(str(error.value))
    assert "LEAK" not in " ".join(said)
    world.file.close()


def test_the_bare_slice_tells_nothing_of_the_layers(tmp_path: Path) -> None:
    """Whatever the readers said about a slice, the view of it before the lock is the same."""
    world = make_adjudication_desk(tmp_path)
    views = [world.desk.open(world.id_of(name)) for name in (ALL_AGREE, DISJOINT, NOTHING, SPLIT)]
    bare = {repr(replace(v, slice_id="", case_id="", words="")) for v in views}
    assert len(bare) == 1
    entries = [world.desk.entry(world.id_of(name)) for name in (ALL_AGREE, DISJOINT, NOTHING)]
    assert {(e.mark, e.state, e.flagged) for e in entries} == {("not begun", None, False)}
    world.file.close()


def test_what_another_adjudicator_decided_is_hidden_before_the_own_answer(tmp_path: Path) -> None:
    world = make_adjudication_desk(tmp_path)
    lock(world, DISJOINT)
    key = world.id_of(DISJOINT)
    value = edits.set_flag("because")(whole(world, DISJOINT))
    world.desk.close_decision(key, value, revision=0)
    emil = world.sit_down("Emil")
    opened = emil.open(key)
    assert opened.decision == EMPTY_DECISION
    assert (opened.state, opened.version, opened.revision) == (None, 0, 0)
    assert emil.entry(key).state is None
    lock(world, DISJOINT, desk=emil)
    assert emil.open(key).decision == value
    world.file.close()


def test_a_letter_is_another_reader_on_another_slice(tmp_path: Path) -> None:
    """Who A is, told from the boxes that the test knows: not always the same one."""
    world = make_adjudication_desk(tmp_path, mode=Mode.LAYERS_AT_ONCE)
    firsts = {_reader_of(world.desk.open(world.id_of(n)).comparison, n) for n in (ALL_AGREE, DISJOINT, SPLIT)}
    again = {_reader_of(world.desk.open(world.id_of(n)).comparison, n) for n in (ALL_AGREE, DISJOINT, SPLIT)}
    assert firsts == again
    orders = {shuffled(READERS, seed="20", subject=f"slice {n}") for n in range(200)}
    assert len(orders) == 6
    world.file.close()


def test_the_shuffle_favours_nobody() -> None:
    """Each of three comes first in a third of 3,000 slices: 1,000, standard deviation 26."""
    counts = Counter(shuffled(READERS, seed="7", subject=str(n))[0] for n in range(3000))
    assert all(abs(counts[name] - 1000) < 130 for name in READERS)


def test_a_slice_drawn_for_a_check_looks_like_any_other(tmp_path: Path) -> None:
    world = make_adjudication_desk(tmp_path, mode=Mode.LAYERS_AT_ONCE)
    plain = world.desk.open(world.id_of(ALL_AGREE))
    rules = GoldRules(adjudication_store, FixedClock(), seeded_ids(8))
    run = rules.accept(world.path, RuleRequest(audit_share=1.0))
    assert {s.file_name for s in run.slices if s.is_checked} == {ALL_AGREE, NOTHING}
    desk = world.sit_down("Dora Judge", mode=Mode.LAYERS_AT_ONCE)
    key = world.id_of(ALL_AGREE)
    assert replace(desk.open(key), words="") == replace(plain, words="")
    assert desk.entry(key).mark == "not begun"
    saved = desk.save_decision(key, whole(world, ALL_AGREE), revision=0)
    assert (saved.version, saved.revision) == (1, 1)
    assert desk.close_decision(key, whole(world, ALL_AGREE), revision=1).version == 1
    assert desk.reopen_decision(key, reason="x").version == 2
    assert desk.open(key).version == 2
    world.file.close()


def test_the_view_log_of_the_adjudicator_has_no_place_in_the_readers_orders(tmp_path: Path) -> None:
    world = make_adjudication_desk(tmp_path)
    before = world.service.info(world.path, with_orders=True)
    world.desk.log_view(seen(world.id_of(SPLIT)))
    lock(world, SPLIT)
    after = world.service.info(world.path, with_orders=True)
    assert (after.readers, after.orders) == (before.readers, before.orders)
    world.file.close()


def _reader_of(comparison: Comparison, name: str) -> str:
    """Whose answer layer A is, by its first box."""
    first: Box = comparison.layers[0].findings[0].box
    return next(r for r in READERS if first in {f.box for f in answers_of(r)[name].findings})
