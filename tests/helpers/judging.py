"""A study to be judged, held in memory, and small pairs of diagnoses."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.domain.dataset import CaseRecord
from nova_review.domain.errors import NovaReviewError
from nova_review.domain.judging import JudgedPair, JudgeKind, Judgement
from nova_review.domain.prediction import Prediction, PredictionKind, PredictionSet, StoredSet
from nova_review.domain.reading import CaseAnswer, Diagnosis
from nova_review.domain.snapshot import CaseReading, StudySnapshot
from nova_review.services.judging import JudgingDesk, open_judging
from nova_review.services.judging_content import DiagnosisJudge, JudgementsPut
from tests.helpers.studies import NAMES, case_reading, data_set, snapshot

FILE = Path("study.nova")
SYNONYMS = DiagnosisSynonyms([("Glioblastoma", "Glioblastoma multiforme", "GBM")])


def diagnoses(*names: str) -> tuple[Diagnosis, ...]:
    return tuple(Diagnosis(name, None) for name in names)


def reading(case: str, *names: str) -> CaseReading:
    """A reader's submitted list on a case."""
    return replace(case_reading(case), answer=CaseAnswer(diagnoses(*names), ""))


def model(name: str, **answers: Sequence[str]) -> StoredSet:
    """A model's lists by slice: a=("x", "y") is the first slice of the first case, b its second, c case 2."""
    slices = dict(zip("abc", NAMES, strict=True))
    given = [Prediction(slices[k], "demo", diagnoses=diagnoses(*names)) for k, names in answers.items()]
    return StoredSet(PredictionSet(name, PredictionKind.MODEL), tuple(given))


def study_of(
    first: str | None, second: str | None, *readings: CaseReading, **changes: object
) -> StudySnapshot:
    """Two cases with these reference diagnoses."""
    cases = (CaseRecord("case0001", final_diagnosis=first), CaseRecord("case0002", final_diagnosis=second))
    return snapshot(cases=readings, data_sets=[replace(data_set(), cases=cases)], **changes)  # type: ignore[arg-type]


def said(
    reference: str,
    answer: str,
    judgement: Judgement,
    judged_by: str = "ADJ1",
    *,
    kind: JudgeKind = JudgeKind.PERSON,
    utc: str = "2026-01-02T03:04:05Z",
    note: str = "",
) -> JudgedPair:
    return JudgedPair(reference, answer, judgement, judged_by, kind, utc, note)


@dataclass
class MemoryStudies:
    """Stands in for `services.studies.StudyService`; `fault` is raised by the next write."""

    content: StudySnapshot
    sets: tuple[StoredSet, ...] = ()
    words: dict[tuple[str, str, str], JudgedPair] = field(default_factory=dict)
    codes: dict[str, DiagnosisJudge] = field(default_factory=dict)
    fault: NovaReviewError | None = None
    writes: int = 0

    def snapshot(self, file: Path) -> StudySnapshot:
        return self.content

    def prediction_sets(self, file: Path) -> tuple[StoredSet, ...]:
        return self.sets

    def judged_pairs(self, file: Path) -> tuple[JudgedPair, ...]:
        return tuple(self.words.values())

    def put_judgements(
        self, file: Path, pairs: Sequence[JudgedPair], *, source: str = "", early_reason: str | None = None
    ) -> JudgementsPut:
        if self.fault is not None:
            fault, self.fault = self.fault, None
            raise fault
        self.writes += 1
        before = len(self.words)
        for one in pairs:
            timed = one if one.judged_utc else replace(one, judged_utc=f"2026-02-01T00:00:{self.writes:02d}Z")
            self.words[one.reference, one.answer, one.judged_by] = timed
        added = len(self.words) - before
        return JudgementsPut(added, len(pairs) - added, 0)

    def judge_called(self, file: Path, name: str) -> DiagnosisJudge:
        for reader in self.content.readers:
            if reader.name == name:
                return DiagnosisJudge(reader.code, is_reader=True)
        code = f"ADJ{len(self.codes) + 1}"
        return self.codes.setdefault(name, DiagnosisJudge(code, is_reader=False))

    def add(self, *pairs: JudgedPair) -> None:
        self.words |= {(p.reference, p.answer, p.judged_by): p for p in pairs}


def desk_of(studies: MemoryStudies, name: str = "Dora Judge") -> JudgingDesk:
    return open_judging(studies, FILE, name, SYNONYMS)
