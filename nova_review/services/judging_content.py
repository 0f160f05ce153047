"""What judging hands to and fro: who judges, which pairs, how far he is, how far two judges agree."""

from dataclasses import dataclass
from enum import StrEnum

from nova_review.analysis.estimate import Estimate
from nova_review.domain.dataset import Oddity
from nova_review.domain.judging import JudgedPair, Judgement


class Which(StrEnum):
    """Which pairs are laid before a judge: those without his own word, or those that he was unsure of."""

    DATA_SET = "pairs with the data set's diagnosis"
    READERS = "pairs with a reader's first diagnosis"
    UNDECIDED = "undecided pairs"
    DISAGREED = "where two judges disagree"
    UNSURE = "where I was unsure"


@dataclass(frozen=True, slots=True)
class DiagnosisJudge:
    """A person who judges, by code. `is_reader` says that he is also a reader of this study."""

    code: str
    is_reader: bool


@dataclass(frozen=True, slots=True)
class JudgementsPut:
    """What became of words that were stored: new ones, changed ones, and those that stood already."""

    added: int
    changed: int
    same: int


@dataclass(frozen=True, slots=True)
class ShownPair:
    """Two diagnoses as a judge sees them: which is the data set's is hidden, as is whose the other is.

    `key` names the pair for the desk. `own` and `note` are what this judge has said before; None and ""
    where he has not. `suggestion` is what spelling and synonyms say ("same - ..."), "" for nothing.
    """

    key: str
    left: str
    right: str
    own: Judgement | None = None
    note: str = ""
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class JudgingProgress:
    """How far a judge is: of `total` pairs `open` are without his word, and he is unsure of some.

    Counted among all pairs, or those with the data set's (a reader's) diagnosis where he has chosen
    them. `waiting` counts what is left of what he has chosen.
    """

    total: int
    open: int
    unsure: int
    waiting: int


@dataclass(frozen=True, slots=True)
class JudgingView:
    """What stands on the page: a pair, or None when none is left; whether one may go back."""

    pair: ShownPair | None
    progress: JudgingProgress
    which: Which
    may_go_back: bool


@dataclass(frozen=True, slots=True)
class JudgesAgreement:
    """How far two judges agree on "same" against "not the same".

    `n` pairs were called one or the other by both; `unsure` pairs are left out since one of them was
    unsure. `percent` is 0..100, `kappa` is Cohen's. `disagreed` are the pairs to settle, by the word
    of the first judge and of the second.
    """

    judges: tuple[str, str]
    n: int
    unsure: int
    percent: Estimate
    kappa: Estimate
    disagreed: tuple[tuple[JudgedPair, JudgedPair], ...]


@dataclass(frozen=True, slots=True)
class ReadJudgements:
    """What a file of judgements holds; odd rows were left out, each with its row in `warnings`."""

    pairs: tuple[JudgedPair, ...]
    warnings: tuple[Oddity, ...]


@dataclass(frozen=True, slots=True)
class JudgementsTaken:
    """What came of adding a file; `errors` holds the reason where it was refused (nothing is added then)."""

    added: int
    changed: int
    same: int
    warnings: tuple[Oddity, ...]
    errors: tuple[Oddity, ...]
