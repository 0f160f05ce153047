"""Whose answers an export holds, and under which folder: readers by code, prediction sets by name."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from nova_review.domain.prediction import Prediction
from nova_review.domain.reading import Diagnosis, Outcome
from nova_review.domain.snapshot import SliceReading, SnapshotSlice
from nova_review.services.answer_sets import AnswerSet, sets_of_contents
from nova_review.services.export_content import ExportContent, GoldSource

MOST_DIAGNOSES = 5
NO_DIAGNOSIS = "Final Diagnosis not found."
SHARED_NAMES = frozenset({"references", "instances.json", "manifest.json", "data", "hf"})
"""What lies beside the folders of sets, or may."""

_ARTICLES = re.compile(r"^(?:[Aa]n|[Tt]he|a)\s+(?=\S)|(?<=\s)(?:an|the|a)\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class OutgoingSet:
    """A set of answers with its folder; `reader` is the name of a reader that goes out, None for a model.

    `readings` are the reader's own, for formats that hold more than a set does.
    """

    folder: str
    answers: AnswerSet
    reader: str | None = None
    readings: tuple[SliceReading, ...] = ()

    @property
    def said(self) -> dict[str, str]:
        """Who answered, as a line or a file says it."""
        return {"set": self.answers.name} if self.reader is None else {"reader": self.reader}

    @property
    def said_name(self) -> str:
        """The name that goes out."""
        return self.answers.name if self.reader is None else self.reader


def outgoing_sets(content: ExportContent) -> tuple[OutgoingSet, ...]:
    """Return the readers of one data set, then its prediction sets; no two share a folder."""
    readers = sets_of_contents([content])
    taken = {name.casefold() for name in SHARED_NAMES}
    found = []
    for number, one in enumerate((*readers, *content.sets)):
        folder = _free(one.name, taken)
        taken.add(folder.casefold())
        is_own_reader = number < len(readers)
        found.append(_reader(one, folder, content) if is_own_reader else OutgoingSet(folder, one))
    return tuple(found)


def _free(name: str, taken: Collection[str]) -> str:
    """The name as a folder; on some disks large and small letters are the same."""
    folder, number = name, 2
    while folder.casefold() in taken:
        folder, number = f"{name}.{number}", number + 1
    return folder


def _reader(one: AnswerSet, folder: str, content: ExportContent) -> OutgoingSet:
    code, _, arm = one.name.partition(".")
    mine = [r for r in content.slice_readings if r.context.reader_code == code and arm in ("", r.context.arm)]
    return OutgoingSet(folder, one, content.names[code], tuple(mine))


def answered_slices(one: OutgoingSet, content: ExportContent) -> Iterator[tuple[SnapshotSlice, Prediction]]:
    """Yield the slices that a set answered, in the order of the data set.

    A slice that a reader could not read is none of them, whatever else he said of it: no scorer knows
    that answer, and an empty list would say that there is no finding.
    """
    code = content.data_set.code
    for record in content.data_set.slices:
        answer = one.answers.answers.get((code, record.file_name))
        if answer is None or not answer.answered:
            continue
        if one.reader is None or answer.boxes is not None:
            yield record, answer


def diagnoses_on(
    one: AnswerSet, record: SnapshotSlice, answer: Prediction | None, content: ExportContent
) -> tuple[Diagnosis, ...] | None:
    """Return the list that holds for a slice: its own, else that of its case; None where there is none."""
    if answer is not None and answer.diagnoses is not None:
        return answer.diagnoses
    return (one.case_lists or {}).get((content.data_set.code, record.case_code))


def known_diagnoses(content: ExportContent) -> dict[str, str]:
    """Return the data set's final diagnosis by case, where it tells one."""
    return {
        c.code: c.final_diagnosis
        for c in content.data_set.cases
        if c.final_diagnosis and c.final_diagnosis != NO_DIAGNOSIS
    }


def is_decided(content: ExportContent) -> bool:
    """Whether the gold of this export was decided in the study."""
    return content.gold is not None and content.gold.source is GoldSource.DECISIONS


def without_articles(name: str) -> str:
    """Return a diagnosis without a, an and the, which one scorer's table of abbreviations expands.

    >>> without_articles("Sequel of an abscess"), without_articles("Hepatitis A virus")
    ('Sequel of abscess', 'Hepatitis A virus')
    """
    return _ARTICLES.sub("", name) or name


def can_be_scored(reading: SliceReading) -> bool:
    """Whether the reading says something about boxes: "cannot be read" does not."""
    return reading.answer.outcome is not Outcome.CANNOT_READ
