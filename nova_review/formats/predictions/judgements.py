"""What a judge said of single answers, taken along with them: `evaluation` of croissant results.

All of it is kept with the prediction, as the file gives it, under the name of the judge. What it says of
diagnoses becomes judgements of pairs besides: Top_1 of the first diagnosis; a wrong Top_5 of every one that
is listed; a right Top_5 after a wrong Top_1 only where a single other diagnosis is listed, since
else nobody knows which was meant.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from nova_review.analysis.texts.judge import pair_key
from nova_review.domain.judging import JudgedPair, JudgeKind, Judgement
from nova_review.domain.prediction import PredictionJudgement
from nova_review.formats.predictions.building import Notes, Placed
from nova_review.formats.predictions.raw import RawEntry

NOT_A_DIAGNOSIS = frozenset({"", "n/a", "final diagnosis not found."})
JUDGE_KEYS = ("judged_by", "judge", "judge_model", "evaluator")
_CODE = re.compile(r"R\d{2,}|ADJ\d+")
_LONGEST = 200
_WORDS = {"correct": True, "wrong": False, "incorrect": False}


@dataclass(frozen=True, slots=True)
class FoundJudgements:
    """What judges said of answers and of pairs; `judged_by` is "" where the file names no judge."""

    judgements: tuple[PredictionJudgement, ...] = ()
    pairs: tuple[JudgedPair, ...] = ()


def judge_named(value: object) -> str:
    """Return the judge that an object of a file names, "" for none; a code of this study is no name."""
    if not isinstance(value, Mapping):
        return ""
    name = next((value[key] for key in JUDGE_KEYS if isinstance(value.get(key), str)), "")
    plain = " ".join(str(name).split())
    return "" if _CODE.fullmatch(plain) or len(plain) > _LONGEST or not plain.isprintable() else plain


def find_judgements(found: Sequence[Placed], notes: Notes, *, judge: str = "") -> FoundJudgements:
    """Return what was said of these answers; `judge` is the name that the file as a whole states."""
    judgements: list[PredictionJudgement] = []
    pairs: list[JudgedPair] = []
    for entry, place in found:
        said = entry.evaluation
        if said is None:
            continue
        if not isinstance(said, dict):
            words = "What a judge said is no object; it was left out."
            notes.add("odd_judgement", entry.place, said, words)
        elif any(value for key, value in said.items() if key not in JUDGE_KEYS):
            by = judge_named(said) or judge
            details = json.dumps(said, ensure_ascii=False)
            judgements.append(PredictionJudgement(place.file_name, by, details, place.data_set))
            pairs += _pairs(entry, said.get("reasoning"), by)
    return FoundJudgements(tuple(judgements), _without_contradictions(pairs, notes))


def _pairs(entry: RawEntry, reasoning: object, judge: str) -> Iterator[JudgedPair]:
    reference = " ".join((entry.reference or "").split())
    names = [name for name, _ in entry.diagnoses or ()]
    if not isinstance(reasoning, Mapping) or reference.casefold() in NOT_A_DIAGNOSIS or not names:
        return
    first, any_of = _said(reasoning.get("Top_1")), _said(reasoning.get("Top_5"))
    told = _text(reasoning.get("Reason_for_Top1")), _text(reasoning.get("Reason_for_Top5"))
    if first is not None:
        yield _pair(reference, names[0], judge, told[0], is_same=first)
    elif any_of is False:
        yield _pair(reference, names[0], judge, told[1], is_same=False)
    if any_of is False and first is not True:
        for name in names[1:]:
            yield _pair(reference, name, judge, told[1], is_same=False)
    elif any_of is True and first is False and len(names) == 2:
        yield _pair(reference, names[1], judge, told[1], is_same=True)


def _pair(reference: str, answer: str, judge: str, note: str, *, is_same: bool) -> JudgedPair:
    word = Judgement.SAME if is_same else Judgement.DIFFERENT
    return JudgedPair(reference, answer, word, judge, JudgeKind.PROGRAM, note=note)


def _said(word: object) -> bool | None:
    return _WORDS.get(word.strip().casefold()) if isinstance(word, str) else None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _without_contradictions(pairs: Sequence[JudgedPair], notes: Notes) -> tuple[JudgedPair, ...]:
    """Each pair once; one that the same judge called both ways is left open and told."""
    words: dict[tuple[str, str, str], list[JudgedPair]] = {}
    for one in pairs:
        words.setdefault((*pair_key(one.reference, one.answer), one.judged_by), []).append(one)
    kept = []
    for said in words.values():
        if len({one.judgement for one in said}) == 1:
            kept.append(said[0])
            continue
        shown = f"{said[0].reference} / {said[0].answer}"
        message = "The judge called this pair both the same and different; it was left undecided."
        notes.add("judge_contradicts", "", shown, message)
    return tuple(kept)
