"""The shipped tables of words: how they are read, that their makers' licence is there, and their size."""

import gzip
from pathlib import Path

from nova_review.analysis.texts.synonyms import Synset
from nova_review.formats.synonym_tables import english_synonyms, parse_english

SMALL = """# head
[noun]
lump mass
=alone grow ox
=irregular oxen ox
[verb]
chunk lump
[adj]
[adv]
"""


def test_groups_lone_words_and_irregular_inflections_are_read() -> None:
    table = parse_english(SMALL)
    assert table.synsets("lump") == [Synset(("lump", "mass")), Synset(("chunk", "lump"))]
    assert table.synsets("oxen") == [Synset(("ox",))]
    assert table.synsets("grow") == [Synset(("grow",))]
    assert table.source == "WordNet 3.0"


def test_the_shipped_table_is_read() -> None:
    table = english_synonyms()
    assert "tumour" in {lemma.name() for synset in table.synsets("tumors") for lemma in synset.lemmas()}


def test_the_table_is_small_and_its_licence_is_beside_it(repository: Path) -> None:
    folder = repository / "resources" / "text"
    packed = (folder / "wordnet_synonyms.txt.gz").read_bytes()
    assert len(packed) < 1_500_000
    assert b"Copyright 2006 by Princeton University" in gzip.decompress(packed)[:200]
    licence = (folder / "wordnet-LICENSE.txt").read_text("ascii")
    assert "Permission to use, copy, modify and distribute" in licence
    assert "wordnet_synonyms.txt.gz" in (folder / "NOTICE.md").read_text("utf-8")
