"""What judges said of a slice, in the words of the `croissant` scorer.

Results that came with an imported set stand as they came. Where a set has none, and the study holds
judgements of diagnoses, Top_1 and Top_5 follow from those by the rules of every score (persons before
programs before spelling); "Correct" is the word that the scorer counts, "Wrong" the other.
"""

import json
from collections.abc import Sequence
from typing import Any, Protocol

from nova_review.analysis.texts.judge import Judge, pair_key
from nova_review.domain.judging import Judgement
from nova_review.domain.prediction import PredictionJudgement
from nova_review.domain.reading import Diagnosis
from nova_review.formats.exchange.answers_out import MOST_DIAGNOSES, NO_DIAGNOSIS
from nova_review.services.export_content import ExportContent

CORRECT, WRONG = "Correct", "Wrong"
Evaluation = dict[str, Any]


class DecidedPairs(Protocol):
    """Verdicts on pairs of diagnoses, with the words that say whose they are."""

    def verdict(self, reference: str, answer: str) -> Judgement | None: ...
    def said_by(self, reference: str, answer: str) -> str: ...


class StudyJudge:
    """The judgements of a study with the names of those who gave them."""

    def __init__(self, judge: Judge, content: ExportContent) -> None:
        self._judge = judge
        self._names: dict[tuple[str, str], set[str]] = {}
        for pair in content.pairs:
            key = pair_key(pair.reference, pair.answer)
            self._names.setdefault(key, set()).add(pair.judged_by)

    def verdict(self, reference: str, answer: str) -> Judgement | None:
        """Return the verdict, None where the pair is undecided."""
        return self._judge.verdict(reference, answer)

    def said_by(self, reference: str, answer: str) -> str:
        """Return "judged by A, B", or that the names themselves decide."""
        names = self._names.get(pair_key(reference, answer))
        return f"judged by {', '.join(sorted(names))}" if names else "names of the same disease"


def study_judge(content: ExportContent) -> StudyJudge | None:
    """Return the judge of a study, None where nothing was judged in it."""
    return StudyJudge(content.judge, content) if content.judge is not None and content.pairs else None


def evaluation_of(
    said: Sequence[PredictionJudgement],
    judge: DecidedPairs | None,
    reference: str | None,
    ranked: Sequence[Diagnosis],
) -> Evaluation | None:
    """Return caption and reasoning as far as they were judged, None where neither was."""
    found = _imported(said)
    if not found["reasoning"] and judge is not None and reference and reference != NO_DIAGNOSIS:
        found["reasoning"] = _reasoning(judge, reference, ranked[:MOST_DIAGNOSES])
    return found if any(found.values()) else None


def _imported(said: Sequence[PredictionJudgement]) -> Evaluation:
    """What came with the set, of several judges the first that says something, with their names."""
    found: Evaluation = {"caption": None, "reasoning": None}
    names = []
    for one in said:
        details = json.loads(one.details)
        news = {key: value for key, value in details.items() if not found.get(key)}
        if any(news.values()):
            found |= news
            names.append(one.judged_by)
    return {**found, "judged_by": ", ".join(names)} if names else found


def _reasoning(judge: DecidedPairs, reference: str, ranked: Sequence[Diagnosis]) -> Evaluation | None:
    """Top_1 and Top_5, each null while a judgement that it rests on is missing; None if both are."""
    names = [d.name for d in ranked]
    verdicts = [judge.verdict(reference, name) for name in names]
    if not names:
        return None
    first = _word(verdicts[0])
    any_of = CORRECT if Judgement.SAME in verdicts else None if None in verdicts else WRONG
    if first is None and any_of is None:
        return None
    by = [judge.said_by(reference, n) for n, v in zip(names, verdicts, strict=True) if v is not None]
    same = [n for n, v in zip(names, verdicts, strict=True) if v is Judgement.SAME]
    why = judge.said_by(reference, same[0]) if same else "; ".join(dict.fromkeys(by))
    return {
        "Top_1": first,
        "Reason_for_Top1": judge.said_by(reference, names[0]) if first else "not judged",
        "Top_5": any_of,
        "Reason_for_Top5": why if any_of else "not judged",
    }


def _word(verdict: Judgement | None) -> str | None:
    if verdict is None:
        return None
    return CORRECT if verdict is Judgement.SAME else WRONG
