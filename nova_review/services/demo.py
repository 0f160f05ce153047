"""The demo study: made from the parts that ship with the program, and never opened but as a copy.

It is past its database lock; whoever visits reads in a place of his own under the role training.
"""

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from nova_review import __version__
from nova_review.domain.dataset import DataSet
from nova_review.domain.errors import StorageError, UserError
from nova_review.domain.prediction import Prediction, PredictionSet
from nova_review.domain.snapshot import CaseReading, SliceReading
from nova_review.services.new_file import move_to_new
from nova_review.services.ports import Progress
from nova_review.services.studies import StudyService

TITLE = "Demo study (synthetic)"
CODE = "demo"
VISITOR = "Visitor"
SEED = "1"
Readings = tuple[Sequence[SliceReading], Sequence[CaseReading]]
Predictions = tuple[PredictionSet, Sequence[Prediction]]


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoParts:
    """Where the parts lie and how they are read; each reader takes the path and the data set's code."""

    folder: Path
    read_data_set: Callable[[Path, Progress], DataSet]
    read_readings: Callable[[Path, str], Readings]
    read_predictions: Callable[[Path, str], Predictions]


class DemoService:
    """Makes demo studies. `home` is the folder of this person's own copy."""

    def __init__(self, studies: StudyService, parts: DemoParts, *, home: Path) -> None:
        self._studies = studies
        self._parts = parts
        self._home = home

    def write(self, file: Path, progress: Progress) -> Path:
        """Write a fresh demo study to `file`, whole or not at all, and return its path.

        Raises UserError where something is there already, StorageError where the folder cannot be
        written.
        """
        if file.exists():
            raise UserError(f"{file} is there already: give another name or remove it first.")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            folder = Path(tempfile.mkdtemp(dir=file.parent, prefix=".demo-"))
        except OSError as error:
            raise StorageError(f"The demo study cannot be written to {file}: {error.strerror}.") from error
        try:
            self._make(folder / file.name, progress)
            move_to_new(folder / file.name, file)
        except FileExistsError as error:
            raise UserError(f"{file} is there already: give another name or remove it first.") from error
        finally:
            shutil.rmtree(folder)
        return file

    def to_open(self, progress: Progress) -> Path:
        """This person's own copy, made at the first time and kept with what he drew in it."""
        file = self._home / f"demo-{__version__}.nova"
        if file.exists():
            return file
        try:
            return self.write(file, progress)
        except UserError:
            if file.exists():  # another window has just made it
                return file
            raise

    def _make(self, file: Path, progress: Progress) -> None:
        parts = self._parts
        data_set = replace(parts.read_data_set(parts.folder / "dataset", progress), code=CODE)
        self._studies.new_study(
            [data_set], file, seed=SEED, title=TITLE, is_demo=True, embed=True, progress=progress
        )
        slices, cases = parts.read_readings(parts.folder / "readers.json", data_set.code)
        self._studies.add_readings(
            file, slice_readings=slices, case_readings=cases, same_study=False, source="readers.json"
        )
        for model in sorted((parts.folder / "predictions").glob("*.json")):
            self._studies.add_prediction_set(file, *parts.read_predictions(model, data_set.code))
        self._studies.add_training_place(file, VISITOR)
