"""The tables of words that ship with the program, read once."""

from functools import cache

from nova_review.analysis.texts.diagnosis_names import DiagnosisSynonyms
from nova_review.analysis.texts.pairs import TextTools
from nova_review.formats.synonym_tables import diagnosis_synonyms, english_synonyms


@cache
def text_tools() -> TextTools:
    """With the shipped synonyms of English words."""
    return TextTools(english_synonyms())


@cache
def diseases() -> DiagnosisSynonyms:
    """The shipped names of diagnoses."""
    return diagnosis_synonyms()
