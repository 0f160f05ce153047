"""How the boxes of a prediction file could be meant: every reading tried, and how each would lie.

Nothing is parsed here: the parser of `formats.predictions` is asked once for each reading, with that
reading as its options, and what it gives is compared.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations, product
from pathlib import Path

from nova_review.domain.dataset import Oddity
from nova_review.domain.errors import FormatError, UserError
from nova_review.domain.geometry import Box, clipped, iou
from nova_review.services.ports import Progress
from nova_review.services.prediction_content import PredictionOptions, ReadPredictions, SlicePlace, fits

ORDERS = ("xyxy", "xywh", "yxyx")
UNITS = ("pixel", "unit", "permille")
MOST_EXAMPLES = 4
LIKELY = 0.1
"""Share of boxes that may be odd in a reading that is still shown among the first."""
_TRIES = 1 + len(ORDERS) * len(UNITS)
SliceKey = tuple[str, str]
"""(data set code, file name)."""

Read = Callable[[Path, Sequence[SlicePlace], PredictionOptions], ReadPredictions]


class Told(StrEnum):
    """Who says how the boxes of a file are written."""

    STATED = "the file states it"
    NO_BOXES = "there are no boxes"
    ASKED = "the file does not state it"


@dataclass(frozen=True, slots=True)
class Candidate:
    """One reading of a file.

    Attributes
    ----------
    options : what to tell the parser for this reading
    order, units : the reading's words; `order` is "" where every order gives the same boxes
    boxes : boxes that the file gives, with those that have no area
    outside : boxes that leave their picture by more than a little slack
    without_area : boxes without an area, which are left out
    tiny : boxes of less than a pixel in width or height
    examples : the boxes (pixels) on each of the slices that are shown, as they would lie
    warnings : what would be said of the file
    """

    options: PredictionOptions
    order: str
    units: str
    boxes: int
    outside: int
    without_area: int
    tiny: int
    examples: tuple[tuple[Box, ...], ...]
    warnings: tuple[Oddity, ...]

    @property
    def is_possible(self) -> bool:
        """Whether every box has an area and lies in its picture."""
        return self.odd == 0

    @property
    def odd(self) -> int:
        """Boxes that lie outside their picture or have no area."""
        return self.outside + self.without_area

    @property
    def is_likely(self) -> bool:
        """Whether at most a tenth of the boxes is odd: a model that overshoots rules no reading out."""
        return self.odd <= LIKELY * self.boxes


@dataclass(frozen=True, slots=True)
class LookedAt:
    """What a file holds and how it may be read. `examples` are the slices that readings are shown on.

    `told` is STATED or NO_BOXES with one candidate, ASKED with those that are left to a person:
    likely ones first, and those with boxes of less than a pixel last among them.
    """

    path: Path
    shape: str
    told: Told
    candidates: tuple[Candidate, ...]
    examples: tuple[SlicePlace, ...]
    slices: int
    captions: int
    diagnoses: int

    @property
    def possible(self) -> tuple[Candidate, ...]:
        """The readings in which every box lies in its picture."""
        return tuple(c for c in self.candidates if c.is_possible)

    @property
    def likely(self) -> tuple[Candidate, ...]:
        """The readings to show first; all of them where there would not be two to compare."""
        found = tuple(c for c in self.candidates if c.is_likely)
        return found if len(found) > 1 else self.candidates


@dataclass(frozen=True, slots=True)
class _Tried:
    options: PredictionOptions
    order: str
    units: str
    found: ReadPredictions


def look_at(
    read: Read,
    path: Path,
    slices: Sequence[SlicePlace],
    *,
    pictured: Collection[SliceKey],
    progress: Progress,
) -> LookedAt:
    """Return the readings that a file allows, each with example slices (those with pictures first).

    Raises UserError for what is not there or was stopped, FormatError for what no reading fits.
    """
    refusal: FormatError | None = None
    try:
        plain = read(path, slices, PredictionOptions())
    except FormatError as error:
        plain, refusal = None, error
    if plain is not None and not any(w.code == "convention_found" for w in plain.warnings):
        order, _, units = plain.convention.partition(" in ")
        tried = [_Tried(PredictionOptions(), order, units, plain)]
        has_boxes = any(p.boxes for p in plain.predictions) or _without_area(plain)
        return _shown(path, Told.STATED if has_boxes else Told.NO_BOXES, tried, slices, pictured)
    tried = _try_all(read, path, slices, progress)
    if not tried:
        assert refusal is not None
        raise refusal
    return _shown(path, Told.ASKED, tried, slices, pictured)


def _try_all(read: Read, path: Path, slices: Sequence[SlicePlace], progress: Progress) -> list[_Tried]:
    """Read a file in every order and unit that it does not contradict."""
    tried = []
    for done, (units, order) in enumerate(product(UNITS, ORDERS), start=1):
        if not progress(done, _TRIES):
            raise UserError("Reading was stopped.")
        options = PredictionOptions(order, units)
        try:
            tried.append(_Tried(options, order, units, read(path, slices, options)))
        except FormatError:
            continue  # the file says otherwise, or cannot be read at all
    merged = [one for units in UNITS for one in _merged(read, path, slices, _of(tried, units))]
    progress(_TRIES, _TRIES)
    return merged


def _of(tried: Sequence[_Tried], units: str) -> list[_Tried]:
    return [one for one in tried if one.units == units]


def _merged(read: Read, path: Path, slices: Sequence[SlicePlace], tried: list[_Tried]) -> list[_Tried]:
    """Where all orders give the same boxes (field names tell it) there is one reading, not three."""
    if len(tried) < len(ORDERS) or any(_boxes(t.found) != _boxes(tried[0].found) for t in tried):
        return tried
    units = tried[0].units
    options = PredictionOptions(units=units)
    try:
        found = read(path, slices, options)
    except FormatError:
        return [_Tried(tried[0].options, "", units, tried[0].found)]
    return [_Tried(options, found.convention.partition(" in ")[0], units, found)]


def _boxes(found: ReadPredictions) -> Mapping[SliceKey, tuple[Box, ...]]:
    return {(p.data_set, p.file_name): tuple(b.box for b in p.boxes) for p in found.predictions if p.boxes}


def _shown(
    path: Path,
    told: Told,
    tried: Sequence[_Tried],
    slices: Sequence[SlicePlace],
    pictured: Collection[SliceKey],
) -> LookedAt:
    places = {(s.data_set, s.file_name): s for s in slices}
    laid = [_boxes(one.found) for one in tried]
    plain = [_candidate(one, boxes, places) for one, boxes in zip(tried, laid, strict=True)]
    likely = [boxes for one, boxes in zip(plain, laid, strict=True) if one.is_likely]
    keys = _examples(likely if len(likely) > 1 else laid, places, pictured)
    candidates = [
        replace(one, examples=tuple(boxes.get(key, ()) for key in keys))
        for one, boxes in zip(plain, laid, strict=True)
    ]
    answers = tried[0].found.predictions
    return LookedAt(
        path=path,
        shape=tried[0].found.shape,
        told=told,
        candidates=tuple(sorted(candidates, key=_first_shown)),
        examples=tuple(places[key] for key in keys),
        slices=sum(p.answered for p in answers),
        captions=sum(p.caption is not None for p in answers),
        diagnoses=sum(p.diagnoses is not None for p in answers),
    )


def _first_shown(one: Candidate) -> tuple[bool, bool, int]:
    return not one.is_likely, one.tiny > 0, one.odd


def _candidate(
    one: _Tried, boxes: Mapping[SliceKey, tuple[Box, ...]], places: Mapping[SliceKey, SlicePlace]
) -> Candidate:
    flat = [(box, places[key].size) for key, found in boxes.items() for box in found]
    without_area = _without_area(one.found)
    return Candidate(
        options=one.options,
        order=one.order,
        units=one.units,
        boxes=len(flat) + without_area,
        outside=sum(not fits(box, size) for box, size in flat),
        without_area=without_area,
        tiny=sum(box.width < 1 or box.height < 1 for box, _ in flat),
        examples=(),
        warnings=one.found.warnings,
    )


def _without_area(found: ReadPredictions) -> int:
    return sum(w.code == "box_without_area" for w in found.warnings)


def _examples(
    laid: Sequence[Mapping[SliceKey, tuple[Box, ...]]],
    places: Mapping[SliceKey, SlicePlace],
    pictured: Collection[SliceKey],
) -> list[SliceKey]:
    """Return the slices on which the readings differ most, of different cases while there are some."""
    keys = sorted({key for boxes in laid for key in boxes})

    pairs = list(combinations(laid, 2))

    def rank(key: SliceKey) -> tuple[bool, float, float, float]:
        apart = sum(_apart(a.get(key, ()), b.get(key, ())) for a, b in pairs) / max(len(pairs), 1)
        shares = [_share(boxes.get(key, ()), places[key]) for boxes in laid]
        # Where readings differ alike, slices are taken whose boxes can be seen in every reading.
        return key not in pictured, -round(apart, 1), -min(shares), -max(shares)

    ranked = sorted(keys, key=rank)
    seen: set[tuple[str, str]] = set()
    chosen: list[SliceKey] = []
    for key in ranked:
        case = (key[0], places[key].case_code)
        if len(chosen) < MOST_EXAMPLES and case not in seen and (key in pictured or not chosen):
            seen.add(case)
            chosen.append(key)
    rest = [key for key in ranked[: 2 * MOST_EXAMPLES] if key not in chosen]
    return (chosen + rest)[:MOST_EXAMPLES]


def _apart(a: Sequence[Box], b: Sequence[Box]) -> float:
    """Return how far two readings of one slice lie apart: 1 - mean IoU of boxes of equal rank."""
    most = max(len(a), len(b))
    return 1 - sum(iou(x, y) for x, y in zip(a, b, strict=False)) / most if most else 0.0


def _share(boxes: Sequence[Box], place: SlicePlace) -> float:
    """Return the share of the picture that the largest box covers."""
    seen = [part.area for box in boxes if (part := clipped(box, place.size)) is not None]
    return max(seen, default=0.0) / (place.size.width * place.size.height)
