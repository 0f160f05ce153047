"""The two tables of synonyms that ship with the program: English words, and names of diagnoses.

`resources/text/wordnet_synonyms.txt.gz` holds single English words by meaning (made by
`scripts/make_synonym_table.py` from WordNet 3.0): after a line "[noun]", "[verb]", "[adj]" or "[adv]"
each line is a group; "=alone" is followed by words that are groups of one, "=irregular" by an
inflection and its base forms.

`resources/text/diagnosis_synonyms.csv` has the columns `diagnosis` and `also`; `also` lists, between
semicolons, other names of exactly this disease.
"""

import csv
import gzip
import io
from collections.abc import Iterable

from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.analysis.texts.synonyms import PartOfSpeech, SynonymTable, WordGroups
from nova_review.services.resources import resource

SOURCE = "WordNet 3.0"


def english_synonyms() -> SynonymTable:
    """Return the table for METEOR; BugError if the installation lacks it. Takes about a fifth of a second."""
    packed = resource("text", "wordnet_synonyms.txt.gz").read_bytes()
    return parse_english(gzip.decompress(packed).decode("ascii"))


def parse_english(text: str) -> SynonymTable:
    """Return the table of a text in the form described above."""
    _head, *parts = text.split("\n[")
    named = (part.partition("]") for part in parts)
    return SynonymTable(
        {PartOfSpeech(name): _word_groups(lines.strip().splitlines()) for name, _, lines in named},
        source=SOURCE,
    )


def _word_groups(lines: Iterable[str]) -> WordGroups:
    groups: list[tuple[str, ...]] = []
    exceptions: dict[str, tuple[str, ...]] = {}
    for line in lines:
        first, *rest = words = line.split(" ")
        if first == "=alone":
            groups.extend((word,) for word in rest)
        elif first == "=irregular":
            exceptions[rest[0]] = tuple(rest[1:])
        else:
            groups.append(tuple(words))
    return WordGroups(tuple(groups), exceptions)


def diagnosis_synonyms() -> DiagnosisSynonyms:
    """Return the names of diagnoses that mean the same; BugError if the installation lacks the table."""
    return parse_diagnoses(resource("text", "diagnosis_synonyms.csv").read_text("utf-8"))


def parse_diagnoses(text: str) -> DiagnosisSynonyms:
    """Return the groups of a table with the columns `diagnosis` and `also`."""
    rows = csv.DictReader(io.StringIO(text))
    return DiagnosisSynonyms([(row["diagnosis"], *row["also"].split("; ")) for row in rows])
