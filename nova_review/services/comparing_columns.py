"""The values of every field of a comparison, each made when a filter first asks for it."""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from nova_review.analysis.boxes import FloatArray
from nova_review.analysis.failures import NONE
from nova_review.domain.prediction import PredictionKind
from nova_review.domain.verdicts import BoxKind
from nova_review.domain.where import Value
from nova_review.services.comparing_content import CompareContent
from nova_review.services.comparing_fields import GROUPS, SIDES, Column, Level
from nova_review.services.comparing_notes import NotesOf
from nova_review.services.comparing_readers import readers_agreement
from nova_review.services.comparing_rows import (
    GOLD,
    PREDICTION,
    RIGHT,
    UNANSWERED,
    VERDICTS,
    WRONG,
    Layout,
    Verdicts,
)
from nova_review.services.comparing_texts import SetTexts

_FEW, _MANY = 2, 5


class FieldColumns:
    """The columns of a comparison. What no threshold changes is kept when thresholds change."""

    def __init__(self, content: CompareContent, layout: Layout, texts: SetTexts) -> None:
        self._content, self._layout, self._texts = content, layout, texts
        self._kept: dict[str, Column] = {}

    def column(self, name: str, verdicts: Verdicts, notes: NotesOf) -> Column:
        """Return the values of one field (one of `field_specs`)."""
        if name in _JUDGED:
            return _JUDGED[name](self._content, self._layout, verdicts)
        if name in _NOTED:
            return _NOTED[name](self._content, self._layout, notes)
        if name == "text":
            return self._everything(notes)
        if name not in self._kept:
            self._kept[name] = self._made(name)
        return self._kept[name]

    def _made(self, name: str) -> Column:
        if name in _STILL:
            return _STILL[name](self._content, self._layout)
        return _TEXTS[name](self._content, self._texts)

    def _everything(self, notes: NotesOf) -> Column:
        """All texts of an answer, in which a person searches."""
        found = []
        for k, one in enumerate(self._content.sets):
            for s, place in enumerate(self._content.places):
                own = (*self._texts.words(k, s), *notes.words(one.name, place.key))
                said = (place.caption, place.diagnosis, place.key[1], *own)
                found.append("\n".join(words for words in said if words))
        return Column(Level.ANSWER, values=found)


def _per_slice(values: Sequence[Value]) -> Column:
    return Column(Level.SLICE, values=values)


def _numbers(level: Level, numbers: FloatArray) -> Column:
    return Column(level, numbers=numbers)


def _kinds(_: CompareContent, layout: Layout) -> Column:
    words = {PREDICTION: BoxKind.PREDICTION.value, GOLD: BoxKind.GOLD.value}
    return Column(Level.BOX, values=[words.get(k) for k in layout.kind.tolist()])


def _sides(content: CompareContent, layout: Layout) -> Column:
    widths = np.array([p.size.width if p.size else np.nan for p in content.places])
    middle = widths[layout.slice] / 2
    left, right = layout.corners[:, 0], layout.corners[:, 2]
    inside = [right <= middle, left >= middle, (left < middle) & (right > middle)]
    code = np.select(inside, (0, 1, 2), default=NONE).tolist()
    return Column(Level.BOX, values=[SIDES[c] if c != NONE else None for c in code])


def _lesions(content: CompareContent, _: Layout) -> Column:
    return _numbers(Level.SLICE, np.array([float(len(p.gold)) for p in content.places]))


def _groups(content: CompareContent, _: Layout) -> Column:
    def word(cases: int) -> str | None:
        return GROUPS[(cases >= _FEW) + (cases >= _MANY)] if cases else None

    return _per_slice([word(p.cases) for p in content.places])


def _readers(content: CompareContent, _: Layout) -> Column:
    return _per_slice([readers_agreement(f1).value for f1 in content.readers_f1.tolist()])


_STILL: Mapping[str, Callable[[CompareContent, Layout], Column]] = {
    "set": lambda c, _: Column(Level.SET, values=[s.name for s in c.sets]),
    "kind": _kinds,
    "confidence": lambda _, layout: _numbers(Level.BOX, layout.confidence),
    "relative_size": lambda _, layout: _numbers(Level.BOX, layout.relative_size),
    "side": _sides,
    "readers": _readers,
    "readers_f1": lambda c, _: _numbers(Level.SLICE, c.readers_f1),
    "lesions": _lesions,
    "plane": lambda c, _: _per_slice([p.plane for p in c.places]),
    "sequence": lambda c, _: _per_slice([p.sequence for p in c.places]),
    "diagnosis": lambda c, _: _per_slice([p.diagnosis for p in c.places]),
    "group": _groups,
    "gold_caption": lambda c, _: _per_slice([p.caption for p in c.places]),
    "data_set": lambda c, _: _per_slice([p.key[0] for p in c.places]),
    "case": lambda c, _: _per_slice([p.case for p in c.places]),
    "filename": lambda c, _: _per_slice([p.key[1] for p in c.places]),
}


def _verdicts(_: CompareContent, __: Layout, verdicts: Verdicts) -> Column:
    words = [*(v.value for v in VERDICTS), None]
    return Column(Level.BOX, values=[words[v] for v in verdicts.verdict.tolist()])


def _sets_that(content: CompareContent, verdicts: Verdicts, state: int) -> Column:
    names = [s.name for s in content.sets]
    answered = (verdicts.right != UNANSWERED).any(axis=0)
    hits = (verdicts.right == state).T.tolist()
    return _per_slice(
        [
            tuple(n for n, hit in zip(names, row, strict=True) if hit) if known else None
            for row, known in zip(hits, answered.tolist(), strict=True)
        ]
    )


def _models_right(content: CompareContent, _: Layout, verdicts: Verdicts) -> Column:
    models = [k for k, s in enumerate(content.sets) if s.answers.kind is not PredictionKind.READER]
    right = verdicts.right[models]
    answered = (right != UNANSWERED).any(axis=0)
    return _numbers(Level.SLICE, np.where(answered, (right == RIGHT).sum(axis=0), np.nan))


def _box_counts(content: CompareContent, layout: Layout, verdicts: Verdicts) -> Column:
    shown = (layout.kind == PREDICTION) & verdicts.shown
    answer = layout.set[shown] * layout.slices + layout.slice[shown]
    counts = np.bincount(answer, minlength=layout.sets * layout.slices).astype(np.float64)
    counts[verdicts.right.ravel() == UNANSWERED] = np.nan
    return _numbers(Level.ANSWER, counts)


_JUDGED: Mapping[str, Callable[[CompareContent, Layout, Verdicts], Column]] = {
    "verdict": _verdicts,
    "iou": lambda _, __, v: _numbers(Level.BOX, v.iou),
    "right": lambda c, _, v: _sets_that(c, v, RIGHT),
    "wrong": lambda c, _, v: _sets_that(c, v, WRONG),
    "models_right": _models_right,
    "boxes": _box_counts,
}

_NOTED: Mapping[str, Callable[[CompareContent, Layout, NotesOf], Column]] = {
    "tag": lambda c, layout, notes: Column(Level.BOX, values=notes.tags_of_rows(c, layout)),
    "note": lambda c, layout, notes: Column(Level.BOX, values=notes.notes_of_rows(c, layout)),
    "flagged": lambda c, _, n: _per_slice(["yes" if n.is_flagged(p.key) else "no" for p in c.places]),
}


def _of_answers(content: CompareContent, value: Callable[[int, int], Value]) -> Column:
    sets, places = range(len(content.sets)), range(len(content.places))
    return Column(Level.ANSWER, values=[value(k, s) for k in sets for s in places])


def _ranks(content: CompareContent, texts: SetTexts) -> Column:
    found = _of_answers(content, texts.diagnosis_rank).values
    return _numbers(Level.ANSWER, np.array([np.nan if r is None else r for r in found], dtype=np.float64))


_TEXTS: Mapping[str, Callable[[CompareContent, SetTexts], Column]] = {
    "term": lambda c, texts: _per_slice([texts.gold_terms(s) for s in range(len(c.places))]),
    "missing_term": lambda c, texts: _of_answers(c, texts.missing),
    "invented_term": lambda c, texts: _of_answers(c, texts.invented),
    "caption_verdict": lambda c, texts: _of_answers(c, texts.caption_verdicts),
    "diagnosis_verdict": lambda c, texts: _of_answers(c, texts.diagnosis_verdict),
    "diagnosis_rank": _ranks,
    "caption": lambda c, texts: _of_answers(c, texts.caption_text),
}
