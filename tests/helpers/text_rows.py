"""Captions and diagnosis lists made up for tests, and resampling of them in the plain way."""

import random
from collections.abc import Iterator, Sequence
from typing import TypeVar

from nova_review.analysis.draws import Draws, draw_cases
from nova_review.analysis.texts.pairs import CaptionPair, DiagnosisPair

WORDS = (
    *("axial", "sagittal", "coronal", "T1", "T2", "T2-weighted", "T1w", "FLAIR", "DWI", "image", "shows"),
    *(
        "a",
        "an",
        "the",
        "large",
        "lesion",
        "mass",
        "tumour",
        "tumor",
        "oedema",
        "no",
        "without",
        "not",
        "seen",
    ),
    *("absent", "normal", "abnormal", "with", "and", "enhancement", "of", "left", "right", "frontal"),
    *("cyst,", "infarct.", "haemorrhage;", "atrophy", "brain", "MRI"),
)
Row = TypeVar("Row", CaptionPair, DiagnosisPair)


def made_up_caption(rng: random.Random) -> str:
    """Up to 14 words; sometimes none."""
    return " ".join(rng.choice(WORDS) for _ in range(rng.randrange(15)))


def made_up_captions(count: int, *, cases: int, seed: int) -> list[CaptionPair]:
    """Slices of some cases; an answer shares some words with its reference."""
    rng = random.Random(seed)
    rows = []
    for k in range(count):
        reference = made_up_caption(rng)
        kept = [word for word in reference.split() if rng.random() < 0.6]
        answer = " ".join((*kept, made_up_caption(rng)))
        rows.append(CaptionPair(f"s{k}", f"case{rng.randrange(cases)}", reference, answer))
    return rows


def caption_rows(*texts: tuple[str, str]) -> list[CaptionPair]:
    """One case for each (reference, answer)."""
    return [CaptionPair(f"s{k}", f"case{k}", r, a) for k, (r, a) in enumerate(texts)]


def list_rows(*lists: tuple[str, tuple[str, ...]]) -> list[DiagnosisPair]:
    """One case for each (reference, answers)."""
    return [DiagnosisPair(f"case{k}", f"case{k}", r, a) for k, (r, a) in enumerate(lists)]


def draws_of(
    rows: Sequence[CaptionPair] | Sequence[DiagnosisPair], resamples: int = 0, seed: int = 5
) -> Draws:
    """Draws of the rows' cases."""
    return draw_cases([row.case for row in rows], resamples=resamples, seed=seed)


def resampled_rows(rows: Sequence[Row], draws: Draws) -> Iterator[list[Row]]:
    """The rows of each resample, a case drawn twice with its rows twice."""
    for weights in draws.weights:
        times = dict(zip(draws.cases, weights.astype(int).tolist(), strict=True))
        yield [row for row in rows for _ in range(times[row.case])]
