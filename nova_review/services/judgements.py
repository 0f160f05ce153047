"""Judgements of diagnoses as the coordinator handles them: judges sit down, files come and go."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol as Port

from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.analysis.texts.judge import pair_key
from nova_review.domain.dataset import Oddity
from nova_review.domain.errors import FormatError, StorageError
from nova_review.domain.judging import JudgedPair
from nova_review.domain.visibility import Page, is_past_lock, may_open
from nova_review.services.judging import JudgedStudies, JudgingDesk, open_judging
from nova_review.services.judging_agreement import judges_agreement
from nova_review.services.judging_content import JudgementsTaken, JudgesAgreement, ReadJudgements

ReadFile = Callable[[Path, str | None], ReadJudgements]
"""Reads a file of judgements; the name is that of the judge where the file does not tell."""
TableBytes = Callable[[Sequence[JudgedPair]], bytes]
PutFile = Callable[[Path, bytes], None]


class NotedStudies(JudgedStudies, Port):
    """The study, with its audit log (`services.studies.StudyService`)."""

    def note(self, file: Path, *, action: str, reason: str, details: str) -> None:
        """Append an act of the coordinator to the audit log."""
        ...


class JudgementService:
    """Opens judges' desks, and brings judgements in and out."""

    def __init__(
        self,
        studies: NotedStudies,
        *,
        synonyms: Callable[[], DiagnosisSynonyms],
        read: ReadFile,
        table_bytes: TableBytes,
        put_file: PutFile,
    ) -> None:
        self._studies = studies
        self._synonyms = synonyms
        self._read = read
        self._table_bytes = table_bytes
        self._put_file = put_file

    def sit_down(self, file: Path, name: str) -> JudgingDesk:
        """Return the desk of the judge of this name; NotAllowedError before the database lock."""
        return open_judging(self._studies, file, name, self._synonyms())

    def add(
        self, file: Path, path: Path, *, judge: str | None = None, early_reason: str | None = None
    ) -> JudgementsTaken:
        """Add the judgements of a file, each with its judge's name; odd rows are left out and listed.

        A word replaces that judge's earlier one, unless the earlier one is the newer. Raises
        NotAllowedError before the database lock without a reason, and UserError where nothing is at `path`.
        """
        self._open(file, early_reason, what="judgements added")
        try:
            found = self._read(path, judge)
        except FormatError as error:
            refusal = Oddity("file_refused", path.name, None, path.name, str(error))
            return JudgementsTaken(0, 0, 0, (), (refusal,))
        kept, warnings = _newer(found.pairs, self._studies.judged_pairs(file), path.name)
        put = self._studies.put_judgements(file, kept, source=path.name, early_reason=early_reason)
        return JudgementsTaken(put.added, put.changed, put.same, (*found.warnings, *warnings), ())

    def export(
        self, file: Path, out: Path, *, overwrite: bool = False, early_reason: str | None = None
    ) -> tuple[JudgedPair, ...]:
        """Write all judgements of a study as CSV, whole or not at all; return them.

        Raises StorageError for a file in the way, NotAllowedError before the lock without a reason.
        """
        self._open(file, early_reason, what="judgements exported")
        if out.exists() and not overwrite:
            raise StorageError(f"{out} exists already. Choose another name, or add --overwrite.")
        pairs = self._studies.judged_pairs(file)
        self._put_file(out, self._table_bytes(pairs))
        return pairs

    def agreement(self, file: Path, *, early_reason: str | None = None) -> tuple[JudgesAgreement, ...]:
        """Return how far each two judges agree; NotAllowedError before the lock without a reason."""
        self._open(file, early_reason, what="agreement of judges")
        return judges_agreement(self._studies.judged_pairs(file))

    def is_before_lock(self, file: Path) -> bool:
        """Whether the study's database is not locked yet, which every result then says."""
        return not is_past_lock(self._studies.snapshot(file).phase)

    def _open(self, file: Path, early_reason: str | None, *, what: str) -> None:
        """Refuse before the database lock without a reason; with one, write it to the audit log."""
        phase = self._studies.snapshot(file).phase
        may_open(Page.JUDGE, phase, early_reason=early_reason).require()
        if early_reason and not is_past_lock(phase):
            self._studies.note(file, action=what, reason=early_reason, details=json.dumps({"early": True}))


def _newer(
    given: Sequence[JudgedPair], stored: Sequence[JudgedPair], name: str
) -> tuple[list[JudgedPair], list[Oddity]]:
    """Leave out words that are older than what the same judge has said since, or are another kind's."""
    by_judge = {(*pair_key(s.reference, s.answer), s.judged_by): s for s in stored}
    kinds = {s.judged_by: s.kind for s in stored}
    kept: list[JudgedPair] = []
    warnings: list[Oddity] = []
    for one in given:
        before = by_judge.get((*pair_key(one.reference, one.answer), one.judged_by))
        if kinds.get(one.judged_by, one.kind) is not one.kind:
            why = f"{one.judged_by} is a {kinds[one.judged_by]} here, not a {one.kind}. It was left out."
            warnings.append(Oddity("other_kind", name, None, f"{one.reference} | {one.answer}", why))
        elif before is not None and _is_older(one, before):
            why = f"{one.judged_by} has judged this pair anew since. The older word was left out."
            warnings.append(Oddity("older_word", name, None, f"{one.reference} | {one.answer}", why))
        else:
            kept.append(one)
    return kept, warnings


def _is_older(one: JudgedPair, before: JudgedPair) -> bool:
    differs = (one.judgement, one.note) != (before.judgement, before.note)
    return differs and bool(one.judged_utc) and one.judged_utc < before.judged_utc
