"""What gold gets when it is scored against itself: below 1 where the rules do not reward what is right."""

from collections.abc import Sequence

from nova_review.analysis.dialects.scores import DialectName
from nova_review.analysis.draws import draw_cases
from nova_review.domain.prediction import PredictedBox, Prediction, PredictionKind
from nova_review.domain.reading import Diagnosis
from nova_review.services.answer_sets import AnswerSet
from nova_review.services.score_views import GOLD, Ceiling
from nova_review.services.scoring_content import ScoringContent
from nova_review.services.scoring_pairs import Answered
from nova_review.services.scoring_references import gold_reference
from nova_review.services.scoring_rows import SetScorer, Tools

PERFECT_IS_1 = frozenset(
    {
        *("mAP", "ACC", "F1", "PQ", "matched_iou", "best_iou", "sensitivity", "top1", "top5", "coverage"),
        *("bleu", "meteor", "modality_f1", "clinical_f1", "modality_f1_pooled", "clinical_f1_pooled"),
        *("binary_f1", "binary_accuracy"),
    }
)


def ceilings_of(
    content: ScoringContent, dialects: Sequence[DialectName], tools: Tools
) -> tuple[Ceiling, ...]:
    """Return each score of gold against itself that stays below 1, over all slices with gold."""
    draws = draw_cases((s.case for s in content.slices), resamples=0, seed=tools.draws.seed)
    plain = Tools(draws, tools.judge, tools.texts, tools.captions)
    scorer = SetScorer(content, _gold_as_answers(content), (gold_reference(content),), Answered(), plain)
    found: dict[tuple[DialectName, str], Ceiling] = {}
    for dialect in dialects:
        for score in scorer.score(dialect).scores:
            if score.metric in PERFECT_IS_1 and score.value < 1 - 1e-9:  # never so for NaN
                found.setdefault(
                    (dialect, score.metric), Ceiling(dialect, score.metric, score.value, score.n)
                )
    return tuple(found.values())


def _gold_as_answers(content: ScoringContent) -> AnswerSet:
    answers = {
        s.key: Prediction(
            s.key[1],
            s.key[0],
            boxes=None if s.gold is None else tuple(PredictedBox(box) for box in s.gold),
            caption=s.caption,
        )
        for s in content.slices
    }
    lists = {s.case_key: (Diagnosis(s.diagnosis, None),) for s in content.slices if s.diagnosis.strip()}
    return AnswerSet(GOLD, PredictionKind.RUN, answers, case_lists=lists or None)
