"""The two simulated readers: how each departs from gold, and his set slips."""

from collections.abc import Mapping
from dataclasses import dataclass, field

Rect = tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Slip:
    """What a reader does on one slice whatever the dice say."""

    kind: str
    box: Rect | None = None
    label: str = "lesion"
    place: str = ""


@dataclass(frozen=True, slots=True)
class Habits:
    """How a reader departs from gold. Chances 0..1; `shift` is a share of the side of a box.

    `knows` is how often the right diagnosis comes first, `synonym` how often it comes under
    another of its names, `short` whether captions are kept short; `slips` and `calls` (a wrong
    sequence) are by file name.
    """

    name: str
    seed: int
    misses_small: float
    misses_large: float
    shift: float
    swells: float
    joins: float
    splits: float
    adds: float
    knows: float
    synonym: float
    doubt: float
    short: bool
    slips: Mapping[str, Slip] = field(default_factory=dict)
    calls: Mapping[str, str] = field(default_factory=dict)


NORTH = Habits(
    name="Reader North",
    seed=11,
    misses_small=0.18,
    misses_large=0.02,
    shift=0.05,
    swells=0.0,
    joins=0.05,
    splits=0.04,
    adds=0.05,
    knows=0.72,
    synonym=0.35,
    doubt=0.0,
    short=False,
    slips={
        "case0004_001.png": Slip("halves"),
        "case0001_003.png": Slip("nothing"),
        "case0010_002.png": Slip("wrong side"),
        "case0018_001.png": Slip("adds", (196, 268, 24, 18), "lesion", "deep grey matter"),
    },
)

SOUTH = Habits(
    name="Reader South",
    seed=23,
    misses_small=0.42,
    misses_large=0.05,
    shift=0.09,
    swells=0.06,
    joins=0.20,
    splits=0.08,
    adds=0.10,
    knows=0.58,
    synonym=0.55,
    doubt=0.12,
    short=True,
    slips={
        "case0002_001.png": Slip("halves"),
        "case0003_002.png": Slip("core"),
        "case0012_002.png": Slip("mirrored"),
        "case0014_001.png": Slip("wrong side"),
        "case0015_002.png": Slip("cannot read"),
        "case0017_001.png": Slip("adds", (232, 266, 17, 18), "lesion", "ventricle"),
        "case0017_002.png": Slip("clean"),
        "case0007_001.png": Slip("clean"),
        "case0005_001.png": Slip("halves"),
    },
    calls={"case0009_001.png": "T1", "case0007_002.png": "T2"},
)
