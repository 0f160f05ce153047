"""Numbers about words: terms of captions, BLEU, METEOR, and whether two diagnoses are the same.

May import the rest of `analysis` and `domain`, sacrebleu and nltk (late: they are slow to import);
tables of words are handed in by the caller, because nothing here reads a file.
"""
