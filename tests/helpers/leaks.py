"""A study in which everything that a reader must not see carries a word of its own.

`secrets(text)` finds them again, wherever they come out. The numbers of the other people's boxes are
as rare as their words.
"""

import csv
import json
import re
from collections.abc import Iterable, Sequence
from contextlib import closing
from pathlib import Path
from uuid import uuid4

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from nova_review.bootstrap import HouseServices
from nova_review.domain.geometry import Box
from nova_review.domain.reading import (
    Caption,
    CaseAnswer,
    Diagnosis,
    Finding,
    Normality,
    Outcome,
    Side,
    SliceAnswer,
)
from nova_review.formats.images import decode
from nova_review.services.clock import SystemClock
from nova_review.services.ports import Place
from nova_review.services.prediction_content import PredictionOptions
from nova_review.services.readings import Desk, open_desk
from nova_review.storage.engine import Store, open_store
from nova_review.storage.reading_store import SqlReadingStore

OWN, OTHER = "Anna", "LEAKOTHER Bruno"
MODEL = "LEAKMODEL"
DATA_SET = "LEAKDATASET"
SLICES_OF_CASES = (1, 2, 1)
_SECRET = re.compile(r"LEAK\w*|7654\.\d+|8765\.\d+|43\.21\d+|0\.4321")
_HISTORY = re.compile(r"HISTORY\d+")
_OF_OTHER = Box(7654.5, 7654.25, 7654.125, 7654.75)


def secrets(text: str) -> list[str]:
    """What of a text no reader may see at any stage."""
    return sorted(set(_SECRET.findall(text)))


def histories(text: str) -> list[str]:
    """The histories in a text, by their first word."""
    return sorted(set(_HISTORY.findall(text)))


def file_name(case: int, number: int) -> str:
    return f"LEAKFILE{case}_{number:03d}.png"


def write_leaky_data_set(folder: Path) -> Path:
    """Write a data set in the published layout; return its root."""
    root = folder / DATA_SET
    (root / "images").mkdir(parents=True)
    slices = [(c, n) for c, count in enumerate(SLICES_OF_CASES, start=1) for n in range(1, count + 1)]
    for case, number in slices:
        _write_picture(root / "images" / file_name(case, number), case=case, number=number)
    captions = [
        (file_name(c, n), f"LEAKCASE{c}", f"LEAKSCAN{n}", f"LEAKCAPTION{c} of slice {n}") for c, n in slices
    ]
    _table(root / "captions.csv", ("filename", "case_id", "scan_id", "caption"), captions)
    cases = [
        (
            *(f"LEAKCASE{c}", f"LEAKTITLE{c}", f"LEAKDATE{c}", f"HISTORY{c}: sudden headache"),
            *(f"LEAKDIFFERENTIAL{c}; LEAKRARE{c}", f"LEAKFINAL{c}", f"https://LEAKLINK{c}.example"),
        )
        for c in range(1, len(SLICES_OF_CASES) + 1)
    ]
    names = ("case_id", "title", "publication_date", "clinical_history", "differential_diagnosis")
    _table(root / "case_metadata.csv", (*names, "final_diagnosis", "link"), cases)
    gold = [(file_name(c, n), 8765.5, 8765.25, 8765.125, 8765.75) for c, n in slices]
    _table(root / "bboxes_gold.csv", ("filename", "x", "y", "width", "height"), gold)
    raters = [(name, "LEAKRATER", *box) for name, *box in gold]
    _table(root / "bboxes_raters.csv", ("filename", "rater", "x", "y", "width", "height"), raters)
    return root


def make_leaky_study(folder: Path, *, seed: str = "5") -> Path:
    """Make a study of that data set with two readers, and let the other one answer everything."""
    services = HouseServices(log_file=None)
    data_set = services.read_data_set(write_leaky_data_set(folder), _go_on)
    file = folder / "study.nova"
    services.studies.new_study([data_set], file, readers=(OWN, OTHER), seed=seed, progress=_go_on)
    with closing(open_store(file)) as store:
        read_everything(desk_at(store, OTHER))
    return file


def add_leaky_predictions(file: Path, folder: Path) -> Path:
    """Let a model answer every slice, its diagnoses judged; return the file from which its answers came."""
    rows = [
        {
            "filename": file_name(case, number),
            "boxes": [{"box": [43.215, 43.216, 63.217, 63.218], "score": 0.4321, "label": "LEAKMODELLABEL"}],
            "caption": "LEAKMODELCAPTION",
            "diagnoses": ["LEAKMODELDIAGNOSIS"],
        }
        for case, count in enumerate(SLICES_OF_CASES, start=1)
        for number in range(1, count + 1)
    ]
    answers = folder / "answers.json"
    answers.write_text(json.dumps({"boxes": "xyxy", "units": "pixel", "predictions": rows}), encoding="utf-8")
    options = PredictionOptions()
    taken = HouseServices(log_file=None).predictions.add(file, answers, name=MODEL, options=options)
    assert (taken.slices, taken.errors) == (len(rows), ())
    return answers


def desk_at(store: Store, name: str) -> Desk:
    """The desk of a reader over the real study file."""
    rows = SqlReadingStore(store)
    reader = next(p.reader for p in rows.readers() if p.reader.name == name)
    return open_desk(rows, reader.id, SystemClock(), lambda: str(uuid4()), decode)


def read_everything(desk: Desk) -> None:
    """Answer every slice and every case, in words that nobody else may see."""
    for entry in desk.worklist().entries:
        for part in entry.slices:
            desk.lock_slice(Place(entry.presentation_id, part.slice_id), _slice_answer(), revision=0)
        answer = CaseAnswer((Diagnosis("LEAKDIAGNOSIS", 0.9),), "LEAKRATIONALE")
        desk.submit_case(entry.presentation_id, answer, revision=0)
    desk.close()


def own_slice_answer() -> SliceAnswer:
    """A complete answer without any secret."""
    finding = Finding(str(uuid4()), Box(10, 10, 20, 20), "lesion", "frontal", Side.IMAGE_LEFT, 0.5)
    caption = Caption(("T1",), "axial", Normality.ABNORMAL, "a bright spot")
    return SliceAnswer((finding,), caption, Outcome.FINDINGS)


def lines_with_secrets(texts: Iterable[tuple[str, str]]) -> list[str]:
    """Of (where, text) those that hold a secret, for the message of an assertion."""
    return [f"{where}: {text!r}" for where, text in texts if secrets(text)]


def _slice_answer() -> SliceAnswer:
    finding = Finding(str(uuid4()), _OF_OTHER, "LEAKLABEL", "LEAKPLACE", Side.MIDLINE, 0.9)
    caption = Caption(("LEAKSEQUENCE",), "axial", Normality.ABNORMAL, "LEAKTEXT")
    return SliceAnswer((finding,), caption, Outcome.FINDINGS)


def _write_picture(file: Path, *, case: int, number: int) -> None:
    notes = PngInfo()
    notes.add_text("Description", "LEAKMETADATA")
    picture = Image.linear_gradient("L").resize((120, 100)).rotate(90 * case + 5 * number)
    picture.save(file, pnginfo=notes)


def _table(file: Path, names: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with file.open("w", newline="", encoding="utf-8") as opened:
        writer = csv.writer(opened)
        writer.writerow(names)
        writer.writerows(rows)


def _go_on(_done: int, _total: int) -> bool:
    return True
