"""Gold by rule, run outside the page: weights would tell an adjudicator who a layer is.

A rule proposes, or records, gold for the slices on which readers agree; the others stay in the
queue. What a person has begun to decide is never touched; what an earlier rule decided is replaced
by a new version, or withdrawn where the rule no longer gives gold.
"""

import json
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

from nova_review.analysis.merging import (
    MIN_IOU,
    Gate,
    Layer,
    MergedBox,
    MergedSlice,
    MergeRule,
    check_gate,
    merge,
    readers_without_weight,
)
from nova_review.domain.adjudication import BoxState, DecisionState, MadeBy, Provenance
from nova_review.domain.audit import AuditEntry
from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Outcome
from nova_review.domain.visibility import Page, may_open
from nova_review.services.adjudication_records import (
    BY_RULE,
    COORDINATOR,
    AdjudicationRows,
    AdjudicationStore,
    DecisionRecord,
    LayerAnswer,
    StoredBox,
    StoredDecision,
    StoredSource,
    answers_by_slice,
    versions_by_slice,
)
from nova_review.services.ports import Clock

DEFAULT_AUDIT_SHARE = 0.1
OpenStore = Callable[[Path], AbstractContextManager[AdjudicationStore]]


@dataclass(frozen=True, slots=True)
class RuleRequest:
    """What is asked for. `weights` go by reader name (or code); `audit_share` and `seed` None: default.

    The default share is 0.1, and 0 in a study without readers of its own; the default seed is the
    study's.
    """

    rule: MergeRule = MergeRule.MEAN
    min_iou: float = MIN_IOU
    weights: Mapping[str, float] | None = None
    audit_share: float | None = None
    seed: str | None = None


@dataclass(frozen=True, slots=True)
class RuleSlice:
    """What the rule makes of one slice.

    `provenance` is unresolved where it gives no gold; `why_not` then says why. `is_kept` says
    that a person has begun to decide (or decided) it, so that the rule changes nothing;
    `is_unchanged` that an earlier run gave the very same gold. `is_checked` says that it is one of
    the random share which an adjudicator sees as well.
    """

    data_set: str
    file_name: str
    provenance: Provenance
    boxes: tuple[Box, ...] = ()
    mean_iou: float | None = None
    why_not: str = ""
    is_kept: bool = False
    is_unchanged: bool = False
    is_checked: bool = False

    @property
    def has_gold(self) -> bool:
        """Whether the rule gives gold for it."""
        return self.provenance is not Provenance.UNRESOLVED and not self.is_kept


@dataclass(frozen=True, slots=True)
class RuleRun:
    """What a rule gave, slice by slice in study order; `is_recorded` says whether it was written."""

    request: RuleRequest
    audit_share: float
    seed: str
    weights: Mapping[str, float]
    slices: tuple[RuleSlice, ...]
    unread: int
    withdrawn: int
    warnings: tuple[str, ...]
    is_recorded: bool


@dataclass(slots=True)
class _Work:
    """One slice on its way: the answers, what the merging gave, and what is stored about it."""

    slice_id: str
    answers: Sequence[LayerAnswer]
    merged: MergedSlice
    stored: Sequence[StoredDecision] = field(default_factory=tuple)
    is_checked: bool = False

    @property
    def newest(self) -> StoredDecision | None:
        return self.stored[-1] if self.stored else None

    @property
    def is_kept(self) -> bool:
        return any(d.record.adjudicator_id is not None for d in self.stored)


class GoldRules:
    """Runs rules on study files."""

    def __init__(self, open_store: OpenStore, clock: Clock, new_id: Callable[[], str]) -> None:
        self._open_store = open_store
        self._clock = clock
        self._new_id = new_id

    def propose(self, file: Path, request: RuleRequest) -> RuleRun:
        """Return what the rule would give, writing nothing; refused before the database lock."""
        with self._open_store(file) as store, store.reading(COORDINATOR) as rows:
            return self._run(rows, request)[0]

    def accept(self, file: Path, request: RuleRequest) -> RuleRun:
        """Record the gold that the rule gives, all of it or none; refused before the database lock."""
        with self._open_store(file) as store, store.writing(COORDINATOR) as rows:
            run, works = self._run(rows, request)
            self._record(rows, works, run)
        return RuleRun(
            run.request,
            run.audit_share,
            run.seed,
            run.weights,
            run.slices,
            run.unread,
            run.withdrawn,
            run.warnings,
            is_recorded=True,
        )

    def _run(self, rows: AdjudicationRows, request: RuleRequest) -> tuple[RuleRun, list[_Work]]:
        may_open(Page.ADJUDICATE, rows.phase()).require()
        share = _share(request, rows)
        names = {key: one.name for key, one in rows.reader_names().items()}
        gate, warnings = _gate(request, rows)
        answers = answers_by_slice([a for a in rows.layer_answers() if not a.is_withdrawn])
        decided = versions_by_slice(rows.decisions())
        works = [
            _Work(
                p.slice_id,
                answers[p.slice_id],
                _merged(answers[p.slice_id], names, gate),
                decided.get(p.slice_id, ()),
            )
            for p in rows.places()
            if p.slice_id in answers
        ]
        _require_weights([w.answers for w in works], names, gate)
        seed = request.seed if request.seed is not None else rows.seed()
        _draw_for_check(works, share=share, seed=seed)
        files = rows.file_names()
        run = RuleRun(
            request=request,
            audit_share=share,
            seed=seed,
            weights=dict(gate.weights or {}),
            slices=tuple(self._slice(w, files[w.slice_id], names, gate) for w in works),
            unread=len(files) - len(works),
            withdrawn=sum(_is_to_be_withdrawn(w) for w in works),
            warnings=warnings,
            is_recorded=False,
        )
        return run, works

    def _slice(self, work: _Work, name: tuple[str, str], names: Mapping[str, str], gate: Gate) -> RuleSlice:
        merged = work.merged
        return RuleSlice(
            data_set=name[0],
            file_name=name[1],
            provenance=merged.provenance,
            boxes=tuple(b.box for b in merged.boxes),
            mean_iou=merged.mean_iou,
            why_not=merged.why_not or "",
            is_kept=work.is_kept,
            is_unchanged=_is_unchanged(work, names),
            is_checked=work.is_checked,
        )

    def _record(self, rows: AdjudicationRows, works: Iterable[_Work], run: RuleRun) -> None:
        names = {key: one.name for key, one in rows.reader_names().items()}
        text = _rule_text(run)
        new = [
            self._decision(work, names, text)
            for work in works
            if work.merged.agreed and not work.is_kept and not _is_unchanged(work, names)
        ]
        rows.withdraw_rule_decisions([w.slice_id for w in works if _is_to_be_withdrawn(w)])
        rows.insert_decisions(new)
        details = json.dumps({"recorded": len(new), "withdrawn": run.withdrawn, **json.loads(text)})
        entry = AuditEntry("gold by rule", COORDINATOR, self._clock.utc_now(), "", details)
        rows.append_audit(entry)

    def _decision(self, work: _Work, names: Mapping[str, str], text: str) -> StoredDecision:
        now = self._clock.utc_now()
        newest = work.newest
        return StoredDecision(
            id=self._new_id(),
            slice_id=work.slice_id,
            outcome=Outcome.FINDINGS if work.merged.boxes else Outcome.NO_FINDING,
            boxes=tuple(self._box(b, work, names) for b in work.merged.boxes),
            reason_code=None,
            note="",
            flagged=False,
            flag_reason="",
            caption=None,
            record=DecisionRecord(
                version=newest.record.version + 1 if newest else 1,
                revision=1,
                state=DecisionState.CLOSED,
                mode=BY_RULE,
                provenance=work.merged.provenance,
                adjudicator_id=None,
                independent_id=None,
                rule=text,
                drawn_for_check=work.is_checked,
                visible=(),
                layer_order=tuple(sorted(a.id for a in work.answers)),
                started_utc=now,
                decided_utc=now,
            ),
        )

    def _box(self, box: MergedBox, work: _Work, names: Mapping[str, str]) -> StoredBox:
        return StoredBox(
            id=self._new_id(),
            box=box.box,
            label=box.label,
            place=box.place,
            side=box.side,
            state=BoxState.ACCEPTED,
            made_by=MadeBy.RULE,
            provenance=work.merged.provenance,
            reason_code=None,
            group=None,
            sources=_sources(box, work, names),
        )


def _share(request: RuleRequest, rows: AdjudicationRows) -> float:
    share = request.audit_share
    if share is None:
        return DEFAULT_AUDIT_SHARE if rows.has_own_readers() else 0.0
    if not 0 <= share <= 1:
        raise UserError(f"The share of slices to be checked must be from 0 to 1 (got {share:g}).")
    return share


def _gate(request: RuleRequest, rows: AdjudicationRows) -> tuple[Gate, tuple[str, ...]]:
    """The gate with weights by reader name, and what of the weights belongs to nobody."""
    people = rows.reader_names().values()
    names = {one.name for one in people}
    by_code = {one.code: one.name for one in people}
    given = request.weights or {}
    weights = {by_code.get(key, key) if key not in names else key: w for key, w in given.items()}
    unknown = sorted(set(weights) - names)
    warnings = (f"The study has no reader called {name}: the weight was not used." for name in unknown)
    chosen = weights if request.rule is MergeRule.WEIGHTED else None
    return check_gate(Gate(request.rule, request.min_iou, chosen)), tuple(warnings)


def _require_weights(answers: Iterable[Sequence[LayerAnswer]], names: Mapping[str, str], gate: Gate) -> None:
    missing = readers_without_weight([_layers(one, names) for one in answers], gate)
    if missing:
        raise UserError(
            f"The weights file has no weight for {', '.join(missing)}, who read slices with others. Add them."
        )


def _layers(answers: Sequence[LayerAnswer], names: Mapping[str, str]) -> list[Layer]:
    layers = [Layer(names[a.reader_id], a.answer.findings, a.answer.caption.normality) for a in answers]
    return sorted(layers, key=lambda layer: layer.reader)


def _merged(answers: Sequence[LayerAnswer], names: Mapping[str, str], gate: Gate) -> MergedSlice:
    if any(a.answer.outcome is Outcome.CANNOT_READ for a in answers):
        return MergedSlice((), Provenance.UNRESOLVED, None, "a reader could not read it")
    layers = _layers(answers, names)
    if len(layers) > 1 and readers_without_weight([layers], gate):
        return MergedSlice((), Provenance.UNRESOLVED, None, "no weight is given for a reader")
    return merge(layers, gate)


def _draw_for_check(works: Sequence[_Work], *, share: float, seed: str) -> None:
    """Mark the random share of agreed slices of several readers; one that was drawn before stays so."""
    agreed = [w for w in works if w.merged.agreed and len(w.answers) > 1 and not w.is_kept]
    drawn = [w for w in agreed if any(d.record.drawn_for_check for d in w.stored)]
    others = sorted((w for w in agreed if w not in drawn), key=lambda w: w.slice_id)
    wanted = max(0, round(share * len(agreed)) - len(drawn))
    if share > 0 and agreed and not drawn:
        wanted = max(1, wanted)
    rng = random.Random(f"{seed}|slices to be checked")
    for work in [*drawn, *rng.sample(others, min(wanted, len(others)))]:
        work.is_checked = True


def _is_to_be_withdrawn(work: _Work) -> bool:
    newest = work.newest
    is_gold = newest is not None and newest.record.state is DecisionState.CLOSED
    return is_gold and not work.merged.agreed and not work.is_kept


def _is_unchanged(work: _Work, names: Mapping[str, str]) -> bool:
    """Whether the newest decision is a rule's and says the very same."""
    newest = work.newest
    if newest is None or newest.record.state is not DecisionState.CLOSED or work.is_kept:
        return False
    if (newest.record.provenance, newest.record.drawn_for_check) != (
        work.merged.provenance,
        work.is_checked,
    ):
        return False
    old = [(b.box, b.label, b.place, b.side, b.sources) for b in newest.boxes]
    new = [(b.box, b.label, b.place, b.side, _sources(b, work, names)) for b in work.merged.boxes]
    return old == new


def _sources(box: MergedBox, work: _Work, names: Mapping[str, str]) -> tuple[StoredSource, ...]:
    by_name = {names[a.reader_id]: a for a in work.answers}
    return tuple(
        StoredSource(by_name[s.reader].id, s.finding_id, by_name[s.reader].reader_id, s.weight)
        for s in box.sources
    )


def _rule_text(run: RuleRun) -> str:
    """The rule as it is kept with each decision; weights stand with its sources."""
    return json.dumps(
        {
            "rule": run.request.rule.value,
            "min_iou": run.request.min_iou,
            "audit_share": run.audit_share,
            "seed": run.seed,
        }
    )


_NUMBERS = re.compile(r" \([^)]*\)$")


def reasons(run: RuleRun) -> dict[str, int]:
    """Return how many slices stay in the queue for which reason, most frequent first."""
    left = [s for s in run.slices if s.provenance is Provenance.UNRESOLVED and not s.is_kept]
    counts = Counter(_plain_reason(s.why_not, run.request.min_iou) for s in left)
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def _plain_reason(why: str, min_iou: float) -> str:
    if why.startswith("mean IoU"):
        return f"mean IoU is below {min_iou:g}"
    return _NUMBERS.sub("", why)
