"""Boxes from plain tables, without any of the product's loaders."""

import csv
from pathlib import Path

from nova_review.domain.geometry import Box


def rows_of(path: Path) -> list[dict[str, str]]:
    """All rows of a CSV file."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def box_of(row: dict[str, str]) -> Box:
    """The box in a row's columns x, y, width, height."""
    return Box(*(float(row[name]) for name in ("x", "y", "width", "height")))
