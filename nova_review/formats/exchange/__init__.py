"""READINGS OUT AND IN: one module a format, over one flat table of readings.

May import services' content types and domain. Writers are pure functions from content to
bytes; only `staging` and `readings_in` touch a disk.
"""
