"""Ready-made desks: small studies in memory whose slices differ at a glance.

`make_memory_desk` is one reader's desk for tests of the window; `make_memory_store` and
`open_memory_desk` give both halves to tests of the service.
"""

import random
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from nova_review.domain.audit import ViewInterval, ViewKind
from nova_review.domain.dataset import ImageState
from nova_review.domain.protocol import Unit, default_protocol
from nova_review.domain.reading import Caption, CaseAnswer, Diagnosis, Normality, Outcome, SliceAnswer
from nova_review.domain.study import (
    Occasion,
    Phase,
    Presentation,
    PresentationRole,
    Reader,
    ReaderKind,
)
from nova_review.services.ports import Place, ReadingDesk, WorklistEntry
from nova_review.services.reading_records import ImageRow, ReadingStore, StudyFacts
from nova_review.services.readings import Desk, open_desk
from tests.helpers.memory_reading_store import MemoryReadingStore, MemoryStudy

READER_ID = "reader-1"
NO_FINDING = SliceAnswer(caption=Caption(("T2",), "axial", Normality.NORMAL), outcome=Outcome.NO_FINDING)
"""A complete answer of stage 1."""

DIAGNOSES = CaseAnswer((Diagnosis("glioma", 0.7),), "ring enhancement")
"""A complete answer of stage 2."""

HISTORY = "Clinical history of case {case}: sudden headache on day {case}."


@dataclass
class FixedClock:
    """A clock that moves only when told to; its UTC text counts the seconds of 1 March 2024."""

    seconds: float = 0.0

    def utc_now(self) -> str:
        whole = int(self.seconds)
        return f"2024-03-01T{whole // 3600:02d}:{whole // 60 % 60:02d}:{whole % 60:02d}+00:00"

    def monotonic(self) -> float:
        return 1000.0 + self.seconds

    def advance(self, seconds: float) -> None:
        self.seconds += seconds


@dataclass(frozen=True, slots=True)
class GreyPicture:
    """A decoded picture as `services.ports.Picture` wants it (and as the canvas reads it)."""

    width: int
    height: int
    pixels: bytes
    notes: tuple[object, ...] = ()
    wide: bytes | None = None
    low: float = 0.0
    high: float = 255.0


def seeded_ids(seed: int = 0) -> Callable[[], str]:
    """Return a maker of random UUIDs that are the same in every run."""
    rng = random.Random(seed)
    return lambda: str(uuid.UUID(int=rng.getrandbits(128), version=4))


def make_memory_desk(
    *,
    cases: int = 3,
    slices_per_case: Sequence[int] = (1, 2, 3),
    unit: str = "case",
    history: str = HISTORY,
    size: tuple[int, int] = (480, 480),
    role: PresentationRole = PresentationRole.MAIN,
) -> Desk:
    """Return the desk of one reader over a study in memory.

    Case i (from 1) has slices_per_case[(i - 1) % len] slices; `history` may name "{case}". The
    pictures are gradients with a disc whose place tells case and slice.
    """
    store = make_memory_store(
        cases=cases, slices_per_case=slices_per_case, unit=unit, history=history, size=size, role=role
    )
    return open_memory_desk(store)


def open_memory_desk(
    store: ReadingStore,
    *,
    reader_id: str = READER_ID,
    clock: FixedClock | None = None,
    seed: int = 1,
) -> Desk:
    """Open a desk on any store of a test study; several desks may share one."""
    return open_desk(store, reader_id, clock or FixedClock(), seeded_ids(seed), decode_grey)


def make_memory_store(
    *,
    cases: int = 3,
    slices_per_case: Sequence[int] = (1, 2, 3),
    unit: str = "case",
    history: str = HISTORY,
    size: tuple[int, int] = (480, 480),
    role: PresentationRole = PresentationRole.MAIN,
    readers: Sequence[Reader] = (Reader(READER_ID, "Ada Reader", "R01", ReaderKind.STUDY),),
    phase: Phase = Phase.READING,
) -> MemoryReadingStore:
    """Return a store over a small study; see `make_memory_desk`."""
    counts = [slices_per_case[i % len(slices_per_case)] for i in range(cases)]
    slices = {f"case-{c}": [f"slice-{c}-{s}" for s in range(1, n + 1)] for c, n in enumerate(counts, start=1)}
    names = [name for ids in slices.values() for name in ids]
    width, height = size
    study = MemoryStudy(
        facts=StudyFacts("Practice study", False, default_protocol(unit=Unit(unit))),
        readers=readers,
        presentations={r.id: _order(r.id, slices, unit=Unit(unit), role=role) for r in readers},
        images={s: ImageRow(ImageState.USABLE, width, height, None, True, None) for s in names},
        pictures={s: _encoded(s, size) for s in names},
        histories={case: history.format(case=case.removeprefix("case-")) for case in slices},
        file_names={s: f"{s}.png" for s in names},
    )
    return MemoryReadingStore(study, phase=phase)


def seen(place: Place, *, stage: int = 1, started: float = 0.0, seconds: float = 0.0) -> ViewInterval:
    """Return a view of a slice with input up to its end."""
    return ViewInterval(
        presentation_id=place.presentation_id,
        slice_id=place.slice_id,
        stage=stage,
        kind=ViewKind.VISIBLE,
        started_utc="2024-03-01T00:00:00Z",
        process="",
        started=started,
        ended=started + seconds,
        last_input=started + seconds,
        focused_seconds=seconds,
        view="{}",
    )


def places_of(entry: WorklistEntry) -> list[Place]:
    """Return the places of one presentation in order."""
    return [Place(entry.presentation_id, s.slice_id) for s in entry.slices]


def lock_all(desk: ReadingDesk, entry: WorklistEntry, answer: SliceAnswer = NO_FINDING) -> None:
    """Lock every slice of a presentation from where it stands."""
    for place in places_of(entry):
        desk.lock_slice(place, answer, revision=desk.open_slice(place).revision)


def decode_grey(source: bytes | Path, *, name: str) -> GreyPicture:
    """Decode what `make_memory_store` stored: "width height case slice" in ASCII."""
    assert isinstance(source, bytes), name
    width, height, case, number = (int(part) for part in source.split())
    return GreyPicture(width, height, _pixels(width, height, case=case, number=number))


def _encoded(slice_id: str, size: tuple[int, int]) -> bytes:
    _, case, number = slice_id.split("-")
    return f"{size[0]} {size[1]} {case} {number}".encode()


def _pixels(width: int, height: int, *, case: int, number: int) -> bytes:
    """A horizontal ramp (steeper for later cases) and a white disc that moves down with the slice."""
    row = bytes(min(180, 30 + x * (60 + 20 * (case % 6)) // width) for x in range(width))
    picture = bytearray(row * height)
    radius = max(2, min(width, height) // 10)
    centre_x = width * (1 + case % 4) // 5
    centre_y = height * (1 + number % 4) // 5
    for y in range(max(0, centre_y - radius), min(height, centre_y + radius)):
        half = int((radius**2 - (y - centre_y) ** 2) ** 0.5)
        left, right = max(0, centre_x - half), min(width, centre_x + half)
        picture[y * width + left : y * width + right] = b"\xf0" * max(0, right - left)
    return bytes(picture)


def _order(
    reader_id: str, slices: dict[str, list[str]], *, unit: Unit, role: PresentationRole
) -> list[Presentation]:
    if unit is Unit.CASE:
        places: list[tuple[str, tuple[str, ...], tuple[int, ...]]] = [
            (case, tuple(ids), (1, 2)) for case, ids in slices.items()
        ]
    else:
        longest = max(len(ids) for ids in slices.values())
        places = [(c, (ids[n],), (1,)) for n in range(longest) for c, ids in slices.items() if n < len(ids)]
        places += [(case, tuple(ids), (2,)) for case, ids in slices.items()]
    return [
        Presentation(
            id=f"{reader_id}-place-{position}",
            reader_id=reader_id,
            position=position,
            case_id=case,
            slice_ids=ids,
            stages=stages,
            arm="image-history",
            role=role,
            occasion=Occasion.FIRST,
        )
        for position, (case, ids, stages) in enumerate(places, start=1)
    ]
