"""The synonym table on its own: inflections, irregular ones, capitals, parts of speech."""

from nova_review.analysis.texts.synonyms import Lemma, PartOfSpeech, SynonymTable, Synset, WordGroups

TABLE = SynonymTable(
    {
        PartOfSpeech.NOUN: WordGroups(
            (("mass", "lump"), ("Earth", "earth", "globe"), ("ox",)), {"oxen": ("ox",)}
        ),
        PartOfSpeech.VERB: WordGroups((("lump", "chunk"), ("grow",)), {}),
    },
    source="a test",
)


def found(word: str) -> list[tuple[str, ...]]:
    return [synset.words for synset in TABLE.synsets(word)]


def test_a_word_is_found_in_each_part_of_speech() -> None:
    assert found("lump") == [("mass", "lump"), ("lump", "chunk")]
    assert found("LUMP") == found("lump")
    assert found("nothing") == []


def test_an_inflection_is_found_by_rule_and_an_irregular_one_by_its_list() -> None:
    assert found("globes") == [("Earth", "earth", "globe")]
    assert found("growing") == [("grow",)]
    assert found("oxen") == [("ox",)]


def test_asking_twice_gives_the_same() -> None:
    assert TABLE.synsets("mass") == TABLE.synsets("mass") == [Synset(("mass", "lump"))]


def test_nltk_reads_lemmas_and_names() -> None:
    assert Synset(("a", "b")).lemmas() == [Lemma("a"), Lemma("b")]
    assert Lemma("a").name() == "a"
    assert TABLE.source == "a test"
