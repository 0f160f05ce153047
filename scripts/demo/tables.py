"""Write the demo data set in the published layout: pictures and three CSV tables."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

from PIL import Image

from demo.cases import CasePlan
from demo.pictures import MadeSlice, make_case, open_sources
from demo.plan import CASES

SYNTHETIC = "Synthetic case."
LINK = "https://example.org/nova-review-demo/{code}"


def make_data_set(out: Path, sources: Path) -> list[MadeSlice]:
    """Write pictures and tables below `out`; return the slices made.

    `sources` holds the unpacked source packages (see NOTICE.md). Same sources, same bytes.
    """
    opened = open_sources(sources)
    made = [one for plan in CASES for one in make_case(plan, opened)]
    images = out / "images"
    images.mkdir(parents=True, exist_ok=True)
    for old in images.glob("*.png"):
        old.unlink()
    for one in made:
        Image.fromarray(one.pixels).save(images / one.file_name, optimize=True)
    _write(out / "captions.csv", ("filename", "case_id", "scan_id", "caption"), _caption_rows())
    _write(out / "case_metadata.csv", _CASE_COLUMNS, (_case_row(plan) for plan in CASES))
    gold = ((one.file_name, *box) for one in made for box in one.boxes)
    _write(out / "bboxes_gold.csv", ("filename", "x", "y", "width", "height"), gold)
    return made


_CASE_COLUMNS = (
    "case_id",
    "title",
    "publication_date",
    "clinical_history",
    "differential_diagnosis",
    "final_diagnosis",
    "link",
)


def _caption_rows() -> Iterable[Sequence[object]]:
    for plan in CASES:
        for index, one in enumerate(plan.slices):
            yield plan.file_name(index), plan.code, index + 1, f"{one.caption} ({SYNTHETIC[:-1]})"


def _case_row(plan: CasePlan) -> Sequence[object]:
    return (
        plan.code,
        plan.title,
        plan.published,
        f"{SYNTHETIC} {plan.history}",
        "; ".join(plan.differential),
        plan.diagnosis,
        LINK.format(code=plan.code),
    )


def _write(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(rows)


def read_gold(data_set: Path) -> dict[str, list[tuple[int, int, int, int]]]:
    """Return the gold boxes by file name, in table order; slices without a box are listed empty."""
    gold: dict[str, list[tuple[int, int, int, int]]] = {
        plan.file_name(index): [] for plan in CASES for index in range(len(plan.slices))
    }
    with (data_set / "bboxes_gold.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            box = (int(row["x"]), int(row["y"]), int(row["width"]), int(row["height"]))
            gold[row["filename"]].append(box)
    return gold
