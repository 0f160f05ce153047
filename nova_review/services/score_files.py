"""The files of a table: the object, tables and figures."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from nova_review.services.agreement import PutFolder
from nova_review.services.export_content import ExportFile
from nova_review.services.score_object import score_object
from nova_review.services.score_views import ScoreTable

OBJECT_FILE = "score.json"
LATEX = ".tex"


@dataclass(frozen=True, slots=True)
class ScoreWriters:
    """How tables and figures are written; each is a function of `formats`."""

    rows: Callable[[Sequence[Mapping[str, object]]], bytes]
    table: Callable[[ScoreTable], bytes]
    latex: Callable[[ScoreTable], bytes]
    figures: Callable[[ScoreTable], Iterable[ExportFile]]
    put_folder: PutFolder
    put_file: Callable[[Path, bytes], None]


def files_of(table: ScoreTable, writers: ScoreWriters) -> list[ExportFile]:
    """Return all files of a table, by name."""
    found = score_object(table)
    text = json.dumps(found, ensure_ascii=False, indent=2, allow_nan=False)
    files = [
        ExportFile(OBJECT_FILE, (text + "\n").encode()),
        ExportFile("scores.csv", writers.table(table)),
        ExportFile("scores.tex", writers.latex(table)),
        *(
            ExportFile(f"{part}.csv", writers.rows(found[part]))
            for part in ("groups", "slices", "ceilings")
            if found.get(part)
        ),
        *writers.figures(table),
    ]
    return sorted(files, key=lambda f: f.path)


def write_table(
    table: ScoreTable, folder: Path, writers: ScoreWriters, *, overwrite: bool
) -> tuple[str, ...]:
    """Write all files into a folder, all or none; returns their names."""
    files = files_of(table, writers)
    names = tuple(f.path for f in files)
    writers.put_folder(folder, files, overwrite=overwrite, replaced=names)
    return names


def save_table(table: ScoreTable, file: Path, writers: ScoreWriters) -> None:
    """Write one table, as LaTeX to a .tex file, else as CSV; StorageError where it cannot be written."""
    data = writers.latex(table) if file.suffix.lower() == LATEX else writers.table(table)
    writers.put_file(file, data)
