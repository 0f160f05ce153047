"""One judge's desk: two diagnoses at a time, and his word on whether their core is the same.

He sees no history, set, reader, rank or file, not which of the two is the data set's, and nobody
else's word. Order and sides are drawn from his code and the study, so that they are the same in every
sitting and stored nowhere.
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol as Port

from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.analysis.texts.judge import Judge
from nova_review.domain.errors import BugError, UserError
from nova_review.domain.judging import JudgedPair, Judgement
from nova_review.domain.prediction import StoredSet
from nova_review.domain.snapshot import StudySnapshot
from nova_review.domain.visibility import Page, may_open
from nova_review.services.answer_sets import answer_sets
from nova_review.services.judging_content import (
    DiagnosisJudge,
    JudgementsPut,
    JudgingProgress,
    JudgingView,
    ShownPair,
    Which,
)
from nova_review.services.judging_pairs import (
    PairToJudge,
    Words,
    is_disagreed,
    is_turned,
    is_undecided,
    own_words,
    pairs_to_judge,
    place_in_order,
    words_by_pair,
    written_by,
)

_LIKE_A_CODE = re.compile(r"R\d{2,}|ADJ\d+")


class JudgedStudies(Port):
    """The study that is judged (`services.studies.StudyService`)."""

    def snapshot(self, file: Path) -> StudySnapshot: ...
    def prediction_sets(self, file: Path) -> tuple[StoredSet, ...]: ...
    def judged_pairs(self, file: Path) -> tuple[JudgedPair, ...]: ...
    def put_judgements(
        self, file: Path, pairs: Sequence[JudgedPair], *, source: str = "", early_reason: str | None = None
    ) -> JudgementsPut: ...
    def judge_called(self, file: Path, name: str) -> DiagnosisJudge: ...


def open_judging(studies: JudgedStudies, file: Path, name: str, synonyms: DiagnosisSynonyms) -> "JudgingDesk":
    """Return the desk of a person, who gets a code when he first sits down (a reader keeps his own).

    Raises NotAllowedError before the database lock and UserError for a name that cannot be one.
    """
    study = studies.snapshot(file)
    may_open(Page.JUDGE, study.phase).require()
    name = name.strip()
    if not name or _LIKE_A_CODE.fullmatch(name):
        raise UserError(f"Say under which name you judge (got {name!r}). Codes are given by the study.")
    pairs = pairs_to_judge(study, answer_sets(study, studies.prediction_sets(file)))
    return JudgingDesk(studies, file, study.study_id, studies.judge_called(file, name), pairs, synonyms)


class JudgingDesk:
    """What the judging page asks for. Methods may be called from one worker thread, one after another.

    It holds the pairs and the way through them; every word lives in the study.
    """

    def __init__(
        self,
        studies: JudgedStudies,
        file: Path,
        study_id: str,
        judge: DiagnosisJudge,
        pairs: Sequence[PairToJudge],
        synonyms: DiagnosisSynonyms,
    ) -> None:
        self._studies, self._file, self._study_id = studies, file, study_id
        self._me = judge
        self._synonyms = synonyms
        self._pairs = sorted(pairs, key=lambda one: place_in_order(study_id, judge.code, one.key))
        self._by_key = {one.key: one for one in self._pairs}
        self._judged: tuple[JudgedPair, ...] = ()
        self._words: Words = {}
        self._which = Which.DATA_SET
        self._queue: list[PairToJudge] = []
        self._at = 0
        self._past: list[str] = []
        self._back = 0
        self.show(Which.DATA_SET)

    @property
    def is_reader(self) -> bool:
        """Whether this judge also read cases of this study."""
        return self._me.is_reader

    def show(self, which: Which) -> JudgingView:
        """Go through these pairs, as the study stands now; return the first."""
        self._read_words()
        self._past = self._past_of()
        self._which, self._at, self._back = which, 0, 0
        self._queue = self._chosen(which)
        return self.view()

    def view(self) -> JudgingView:
        """Return what stands before the judge."""
        pair = self._pair()
        shown = None if pair is None else self._shown(pair)
        return JudgingView(shown, self.progress(), self._which, may_go_back=self._back < len(self._past))

    def judge(self, key: str, judgement: Judgement, *, note: str = "") -> JudgingView:
        """Store a word on a pair, in place of an earlier one of his own, and go on to the next open pair.

        Raises StorageError or NotAllowedError with nothing changed, here or in the study.
        """
        pair = self._by_key.get(key)
        if pair is None:
            raise BugError(f"no pair {key!r} is judged here")
        said = [
            JudgedPair(reference, answer, judgement, self._me.code, note=note.strip())
            for reference, answer in written_by(pair, self._words, self._me.code)
        ]
        self._studies.put_judgements(self._file, said)
        self._read_words()
        self._past = [*(one for one in self._past if one != key), key]
        self._back = 0
        if self._at < len(self._queue) and self._queue[self._at].key == key:
            self._at += 1
        return self.view()

    def back(self) -> JudgingView:
        """Go back to the pair judged last, then to the one before; its word stands until it is changed."""
        self._back = min(self._back + 1, len(self._past))
        return self.view()

    def keep(self) -> JudgingView:
        """Leave the word on the pair that is shown as it is, and go on; does nothing on an open pair."""
        pair = self._pair()
        if self._back:
            self._back -= 1
        elif pair is not None and self._own(pair):
            self._at += 1
        return self.view()

    def progress(self) -> JudgingProgress:
        """Return how far this judge is."""
        pairs = self._scope()
        open_ = sum(not self._is_answered(one) for one in pairs)
        unsure = sum(self._is_unsure(one) for one in pairs)
        self._skip_answered()
        return JudgingProgress(len(pairs), open_, unsure, len(self._left()))

    def _scope(self) -> list[PairToJudge]:
        """The pairs among which progress is counted."""
        if self._which in (Which.DATA_SET, Which.READERS):
            return [one for one in self._pairs if one.has_data_set is (self._which is Which.DATA_SET)]
        return self._pairs

    def _read_words(self) -> None:
        self._judged = self._studies.judged_pairs(self._file)
        self._words = words_by_pair(self._judged)

    def _left(self) -> list[PairToJudge]:
        left = self._queue[self._at :]
        return left if self._which is Which.UNSURE else [p for p in left if not self._is_answered(p)]

    def _pair(self) -> PairToJudge | None:
        if self._back:
            return self._by_key[self._past[-self._back]]
        self._skip_answered()
        return self._queue[self._at] if self._at < len(self._queue) else None

    def _skip_answered(self) -> None:
        """Pairs that were judged meanwhile (from the way back) are not laid before him again."""
        if self._which is Which.UNSURE:
            return
        while self._at < len(self._queue) and self._is_answered(self._queue[self._at]):
            self._at += 1

    def _chosen(self, which: Which) -> list[PairToJudge]:
        if which is Which.UNSURE:
            return [one for one in self._pairs if self._is_unsure(one)]
        mine = [one for one in self._scope() if not self._is_answered(one)]
        if which is Which.UNDECIDED:
            judge = Judge(self._judged, self._synonyms)
            return [one for one in mine if is_undecided(one, judge)]
        return [one for one in mine if is_disagreed(one, self._words)] if which is Which.DISAGREED else mine

    def _past_of(self) -> list[str]:
        """The pairs that he has judged, the newest last."""
        own = [(self._own(one), one.key) for one in self._pairs]
        timed = [(max(word.judged_utc for word in said), key) for said, key in own if said]
        return [key for _, key in sorted(timed)]

    def _shown(self, pair: PairToJudge) -> ShownPair:
        left, right = pair.names
        if is_turned(self._study_id, self._me.code, pair.key):
            left, right = right, left
        own = self._own(pair)
        said = own[-1] if own else None
        return ShownPair(
            pair.key,
            left,
            right,
            own=said.judgement if said else None,
            note=said.note if said else "",
            suggestion=self._suggestion(pair),
        )

    def _suggestion(self, pair: PairToJudge) -> str:
        told = Judge((), self._synonyms).suggestion(*pair.written[0])
        return f"{told[0].value} - {told[1]}" if told else ""

    def _own(self, pair: PairToJudge) -> tuple[JudgedPair, ...]:
        return own_words(pair, self._words, self._me.code)

    def _is_unsure(self, pair: PairToJudge) -> bool:
        return any(word.judgement is Judgement.UNSURE for word in self._own(pair))

    def _is_answered(self, pair: PairToJudge) -> bool:
        return len(self._own(pair)) == len(pair.written)
