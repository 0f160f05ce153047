"""Published figures of the benchmark, as reference rows beside a table: never like for like with its rows.

Model figures: NOVA, Bercea et al., arXiv 2505.14064. The human reference was counted on the published
annotations (CC BY-NC-SA 4.0, evaluation only), by `gaze` rules, on slices with two readers.
"""

from nova_review.analysis.dialects.scores import OVER_ALL, DialectName
from nova_review.services.score_ports import PublishedScore

PAPER = "Bercea et al., NOVA, arXiv 2505.14064"
ANNOTATIONS = "published NOVA annotations (c-i-ber/Nova), one reader against the other"
GATED = (
    "conditional on the gate of the publication: only slices with equal numbers of boxes and a mean IoU of "
    "at least .30 are there; no ceiling"
)
BY_SCORER = "by the benchmark's own scorer, on all of its slices"
HUMAN_SLICES = 718


def published_scores() -> tuple[PublishedScore, ...]:
    """Return all figures; values as shares of 1, however they were printed."""
    human, qwen, gemini, gpt = "One published reader", "Qwen2.5-VL-72B", "Gemini 2.0 Flash", "GPT-4o"
    return (
        _human(human, "mAP", 0.3, 0.991),
        _human(human, "mAP", 0.5, 0.694),
        _human(human, "mAP", OVER_ALL, 0.327),
        _model(qwen, "mAP", 0.3, 0.3766),
        _model(qwen, "mAP", 0.5, 0.245),
        _model(gemini, "clinical_f1", None, 0.198),
        _model(gemini, "bleu", None, 0.0183, words=f"BLEU-4, {BY_SCORER}"),
        _model(gemini, "top1", None, 0.221),
        _model(gpt, "top1", None, 0.242),
    )


def _human(name: str, metric: str, threshold: float | str, value: float) -> PublishedScore:
    return PublishedScore(
        name, DialectName.GAZE, metric, threshold, value, HUMAN_SLICES, GATED, ANNOTATIONS
    )  # fmt: skip


def _model(
    name: str, metric: str, threshold: float | None, value: float, words: str = BY_SCORER
) -> PublishedScore:
    return PublishedScore(name, None, metric, threshold, value, None, words, PAPER)
