"""Measures the window from outside, beside other programs; README.md explains, `run` starts it."""
