"""WORDS: the frozen values and pure decisions of a reader study.

May import the standard library and nothing else. Must not read a file, a clock, a
database or a random source: those are passed in or live further up.
"""
