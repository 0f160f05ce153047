"""Makes the study that our program reads: 906 slices, a draft with twelve boxes saved on each."""

import json
import subprocess
from pathlib import Path
from uuid import uuid4

from bench.programs import READER, ROOT
from bench.slices import SliceSet, boxes_of, number_of
from nova_review.domain.geometry import Box
from nova_review.domain.reading import Finding, Outcome, SliceAnswer


def make_study(python: Path, made: SliceSet, file: Path) -> list[int]:
    """Write the study; return the numbers of the pictures in the reader's order."""
    for old in (file, *(file.with_name(file.name + end) for end in ("-wal", "-shm"))):
        old.unlink(missing_ok=True)
    _run(python, "study", "new", str(made.plain), str(file), "--reader", READER, "--seed", "1")
    told = _run(python, "study", "info", str(file), "--json", "--orders")
    order = [number_of(name) for name in json.loads(told)["orders"][READER]]
    _save_drafts(file, order)
    return order


def _run(python: Path, *arguments: str) -> str:
    command = [str(python), "-m", "nova_review", *arguments]
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def _save_drafts(file: Path, order: list[int]) -> None:
    # slow import: the program itself, to save answers as its own window does
    from nova_review.bootstrap.doors import desk_of
    from nova_review.services.ports import Place
    from nova_review.storage.engine import open_store
    from nova_review.storage.reading_store import SqlReadingStore

    with open_store(file) as store:
        desk = desk_of(SqlReadingStore(store), READER)
        places = [
            Place(entry.presentation_id, one.slice_id)
            for entry in desk.worklist().entries
            for one in entry.slices
        ]
        for place, number in zip(places, order, strict=True):
            desk.save_slice(place, _answer(number), revision=0)
        desk.close()


def _answer(number: int) -> SliceAnswer:
    findings = tuple(
        Finding(str(uuid4()), Box(b.left, b.top, b.right - b.left, b.bottom - b.top), "lesion")
        for b in boxes_of(number)
    )
    return SliceAnswer(findings=findings, outcome=Outcome.FINDINGS)
