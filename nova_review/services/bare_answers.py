"""Answers from files that carry less than a study holds, set beside what the study holds.

A `gaze-lines` or `coco` folder tells boxes and scores but neither arm nor caption. Brought
back into the study that wrote it, such an answer is the one already there if all that it
tells is equal; it is a conflict if not; only where there is none is it new.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import TypeVar

from nova_review.domain.dataset import Oddity
from nova_review.domain.reading import CaseAnswer, SliceAnswer
from nova_review.domain.snapshot import CaseReading, SliceReading, StudySnapshot
from nova_review.services.import_content import BARE_ARM
from nova_review.services.study_plan import DATA_SET_ARM

Known = TypeVar("Known", SliceReading, CaseReading)


class BareAnswers:
    """Sorts bare answers. Attributes: `already_there` (a count) and `conflicts`."""

    def __init__(self, study: StudySnapshot, *, same_study: bool, source: str) -> None:
        self._source = source
        self._names = {r.name: r.code for r in study.readers}
        self._codes = {r.code for r in study.readers} if same_study else set()
        self._slices = {
            (r.context.reader_code, r.context.data_set, r.file_name): r.answer
            for r in reversed(study.slice_readings)
        }
        self._cases = {
            (r.context.reader_code, r.context.data_set, r.context.case_code): r.answer
            for r in reversed(study.case_readings)
        }
        self.already_there = 0
        self.conflicts: list[Oddity] = []

    def new_slices(self, readings: Iterable[SliceReading]) -> tuple[SliceReading, ...]:
        """Return the readings that go on to the study: the whole ones, and bare ones that are new."""
        new = []
        for one in readings:
            held = self._slices.get((self._code(one), one.context.data_set, one.file_name))
            if one.context.arm != BARE_ARM:
                new.append(one)
            elif held is None:
                new.append(_in_data_set_arm(one))
            else:
                self._compare(one, equal=_boxes(held) == _boxes(one.answer), name=one.file_name)
        return tuple(new)

    def new_cases(self, readings: Iterable[CaseReading]) -> tuple[CaseReading, ...]:
        """Return the case readings that go on to the study."""
        new = []
        for one in readings:
            held = self._cases.get((self._code(one), one.context.data_set, one.context.case_code))
            if one.context.arm != BARE_ARM:
                new.append(one)
            elif held is None:
                new.append(_in_data_set_arm(one))
            else:
                self._compare(one, equal=_names(held) == _names(one.answer), name=one.context.case_code)
        return tuple(new)

    def _code(self, one: SliceReading | CaseReading) -> str:
        said = one.context.reader_code
        return said if said in self._codes else self._names.get(said, "")

    def _compare(self, one: SliceReading | CaseReading, *, equal: bool, name: str) -> None:
        if equal:
            self.already_there += 1
            return
        message = f"{self._code(one)} has another answer on {name}; it stays."
        self.conflicts.append(Oddity("conflict", self._source, None, name, message))


def _in_data_set_arm(one: Known) -> Known:
    return replace(one, context=replace(one.context, arm=DATA_SET_ARM))


def _boxes(answer: SliceAnswer) -> list[tuple[float, ...]]:
    """Corners and score, as the formats write them, in any order."""
    return sorted(
        (
            f.box.x,
            f.box.y,
            round(f.box.right, 6),
            round(f.box.bottom, 6),
            1.0 if f.confidence is None else f.confidence,
        )
        for f in answer.findings
    )


def _names(answer: CaseAnswer) -> list[str]:
    return [d.name for d in answer.diagnoses]
