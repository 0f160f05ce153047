"""The desk at which prediction sets come into a study, in the window: past its database lock only.

The pages behind it show models' boxes on slices. The command line shows none, and may add any time.
"""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from pathlib import Path

from nova_review.domain.dataset import ImageState
from nova_review.domain.errors import UserError
from nova_review.domain.prediction import StoredSet, check_set_name
from nova_review.domain.snapshot import SnapshotSlice, StudySnapshot
from nova_review.domain.study import Phase
from nova_review.domain.visibility import Page, may_open
from nova_review.services.agreement_desk import PictureRows
from nova_review.services.ports import Picture, Progress
from nova_review.services.prediction_candidates import LookedAt, SliceKey, look_at
from nova_review.services.prediction_content import PredictionOptions, SlicePlace
from nova_review.services.predictions import PredictionService, PredictionsTaken, slice_places
from nova_review.services.reading_pictures import Decode, PictureShelf

_PLAIN_NAMES = frozenset(
    {"predictions", "prediction", "preds", "results", "full_results", "output", "answers"}
)
"""File names that tell nothing: the folder's name stands for them."""

_LONGEST = 60


@dataclass(frozen=True, slots=True)
class SetCounts:
    """One set of a study: how many slices it answers, and what it says on them."""

    name: str
    kind: str
    slices: int
    boxes: int
    captions: int
    diagnoses: int
    source: str
    convention: str


@dataclass(frozen=True, slots=True)
class Standing:
    """What the study holds when the page opens."""

    title: str
    sets: tuple[SetCounts, ...]


class PredictionDesk:
    """What the page for predictions asks for. Every method may be called from a worker thread.

    Every method raises NotAllowedError before the database lock.
    """

    def __init__(
        self,
        file: Path,
        service: PredictionService,
        *,
        phase: Callable[[], Phase],
        pictures: PictureRows,
        decode: Decode,
    ) -> None:
        self._file = file
        self._service = service
        self._phase = phase
        self._pictures = pictures
        self._shelf = PictureShelf(decode)
        self._slices: dict[SliceKey, SnapshotSlice] = {}

    def standing(self) -> Standing:
        """Return the study's title and its sets, in the order in which they came."""
        self._require_open()
        study = self._service.snapshot(self._file)
        self._slices = _by_key(study)
        return Standing(study.title, tuple(_counts(one) for one in self._service.sets(self._file)))

    def look(self, path: Path, progress: Progress) -> LookedAt:
        """Return what a file holds and in which ways it may be read; nothing is stored.

        Raises UserError for what is not there or cannot be read.
        """
        self._require_open()
        study = self._service.snapshot(self._file)
        self._slices = _by_key(study)
        usable = {key for key, one in self._slices.items() if one.image_state is ImageState.USABLE}
        places = slice_places(study)
        return look_at(self._service.read, path, places, pictured=usable, progress=progress)

    def add(self, path: Path, *, name: str, options: PredictionOptions) -> PredictionsTaken:
        """Store a file as a set under a new name; UserError where that cannot be."""
        self._require_open()
        taken = self._service.add(self._file, path, name=name, options=options)
        if taken.errors:
            raise UserError(" ".join(e.message for e in taken.errors))
        return taken

    def picture(self, place: SlicePlace) -> Picture:
        """Return a slice's picture; UserError naming what is wrong with it."""
        self._require_open()
        one = self._slices.get((place.data_set, place.file_name))
        row, embedded = self._pictures.image(one.id) if one is not None else (None, None)
        return self._shelf.picture(row, embedded, words=place.file_name)

    def _require_open(self) -> None:
        may_open(Page.PREDICTIONS, self._phase()).require()


def suggested_name(path: Path, taken: Collection[str]) -> str:
    """Return a name for the set of a file that can be used and is not taken; "" where nothing tells one.

    >>> suggested_name(Path("runs/My model (v2).json"), ("other",))
    'My-model-v2'
    >>> suggested_name(Path("gemini/predictions.json"), ("gemini",))
    'gemini-2'
    """
    stem = path.name if path.suffix == "" else path.stem
    told = path.parent.name if stem.lower() in _PLAIN_NAMES and path.parent.name else stem
    plain = re.sub(r"[^A-Za-z0-9._]+", "-", told).strip("-.")[:_LONGEST].rstrip("-.")
    if not plain:
        return ""
    names = (plain, *(f"{plain}-{number}" for number in range(2, len(taken) + 3)))
    return next(name for name in names if name not in taken)


def name_problem(name: str, taken: Collection[str]) -> str:
    """Return the sentence on why a set cannot have this name, "" where it can."""
    try:
        check_set_name(name)
    except UserError as error:
        return str(error)
    if name in taken:
        return f"The study has a prediction set named {name!r} already. Choose another name."
    return ""


def _by_key(study: StudySnapshot) -> dict[SliceKey, SnapshotSlice]:
    return {(d.code, one.file_name): one for d in study.data_sets for one in d.slices}


def _counts(stored: StoredSet) -> SetCounts:
    answers, one = stored.predictions, stored.prediction_set
    return SetCounts(
        name=one.name,
        kind=one.kind.value,
        slices=sum(p.answered for p in answers),
        boxes=sum(len(p.boxes or ()) for p in answers),
        captions=sum(p.caption is not None for p in answers),
        diagnoses=sum(p.diagnoses is not None for p in answers),
        source=one.source,
        convention=one.convention,
    )
