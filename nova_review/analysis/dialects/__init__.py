"""One file for each scorer's rules ("dialect"): the same name of a metric means another number in each.

May import the rest of `analysis` and `domain`; holds no file layout (that is `formats`) and no SQL.
"""
