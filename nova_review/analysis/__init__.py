"""NUMBERS: agreement, scores and failures as pure functions of values.

May import domain, numpy, scipy, shapely and pandas. Must not read files, clocks or databases;
random generators are passed in.
"""
