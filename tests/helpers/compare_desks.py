"""A desk for the compare page with a few slices whose verdicts are written by hand."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from nova_review.domain.errors import UserError
from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictionKind
from nova_review.domain.reading import Diagnosis
from nova_review.domain.verdicts import BoxKind, Verdict
from nova_review.services.answer_sets import SliceKey
from nova_review.services.comparing_lists import (
    ErrorShare,
    ExportWish,
    FilterChoice,
    FilterChoices,
    Matrix,
    MatrixCell,
    Order,
    Quantity,
    Scatter,
    ScatterPoint,
    Selection,
    SetErrors,
    VerdictCount,
)
from nova_review.services.comparing_views import (
    CaptionSpan,
    CompareChoice,
    ComparedBox,
    ComparedCaption,
    ComparedDiagnoses,
    ComparedGold,
    ComparedSet,
    ComparedSlice,
    CompareRequest,
    ComparisonHead,
    SliceLine,
    TermFate,
)
from nova_review.services.failure_notes import FailureNote, FailureTag, NoteSpot, SavedFilter, TagCount

SETS = ("model-a", "model-b", "R01")
GOLD = Box(100, 100, 100, 100)
HIT, POOR, STRAY = Box(105, 100, 100, 100), Box(150, 130, 100, 100), Box(300, 300, 60, 60)
RIGHT = {"case0001_001.png", "case0002_001.png"}
"""The slices that model-a gets right; model-b gets the others right."""


@dataclass(frozen=True)
class GreyPicture:
    width: int = 480
    height: int = 480
    pixels: bytes = b"\x40" * (480 * 480)


@dataclass
class HandDesk:
    """Six slices of three cases; filters: "", "right = model-a", "wrong = model-a", "none = 1"."""

    names: tuple[str, ...] = tuple(f"case000{c}_00{s}.png" for c in (1, 2, 3) for s in (1, 2))
    request: CompareRequest | None = None
    asked: list[Any] = field(default_factory=list)
    words: list[FailureNote] = field(default_factory=list)
    taxonomy: list[FailureTag] = field(
        default_factory=lambda: [FailureTag("t1", "artefact"), FailureTag("t2", "wrong hemisphere")]
    )
    filters: dict[str, str] = field(default_factory=dict)
    flags: set[SliceKey] = field(default_factory=set)
    exported: list[tuple[Selection, ExportWish, Path]] = field(default_factory=list)
    broken: set[str] = field(default_factory=set)

    def choices(self) -> tuple[CompareChoice, ...]:
        kinds = (PredictionKind.MODEL, PredictionKind.MODEL, PredictionKind.READER)
        return tuple(
            CompareChoice(name, kind, len(self.names), 7) for name, kind in zip(SETS, kinds, strict=True)
        )

    def open(self, request: CompareRequest) -> ComparisonHead:
        for name in request.sets:
            if name not in SETS:
                raise UserError(f"There is no set {name}.")
        self.request = request
        self.asked.append(request)
        chosen = tuple(c for c in self.choices() if c.name in request.sets)
        return ComparisonHead(request, chosen, len(self.names), len(self.names), ())

    def refresh(self) -> None:
        self.asked.append("refresh")

    def select(self, where: str = "", order: Order = Order.STUDY) -> Selection:
        keys = {
            "": self.names,
            "right = model-a": tuple(n for n in self.names if n in RIGHT),
            "wrong = model-a": tuple(n for n in self.names if n not in RIGHT),
            "none = 1": (),
        }
        if where not in keys:
            raise UserError(f"There is no field {where.split()[0]!r}.")
        chosen = tuple(("demo", n) for n in keys[where])
        chosen = chosen[::-1] if order is Order.ERRORS else chosen
        counts = (VerdictCount("model-a", BoxKind.GOLD, Verdict.FOUND, len(RIGHT)),)
        return Selection(where, order, chosen, len(chosen), len(self.names), counts)

    def lines(self, keys: Sequence[SliceKey]) -> tuple[SliceLine, ...]:
        return tuple(self._line(key) for key in keys)

    def _line(self, key: SliceKey) -> SliceLine:
        one = self.slice(key)
        verdicts = tuple({v: n for v in Verdict if (n := each.count(v))} for each in one.sets)
        return SliceLine(
            key, key[1], key[1], verdicts, tuple(s.right for s in one.sets), one.tags, one.flagged
        )

    def slice(self, key: SliceKey) -> ComparedSlice:
        assert self.request is not None
        sets = tuple(self._set(name, key) for name in self.request.sets)
        said = tuple(dict.fromkeys(n.tag for n in self.words if n.spot.key == key and n.tag))
        return ComparedSlice(
            key=key,
            slice_id=key[1],
            data_set=key[0],
            file_name=key[1],
            case=key[1][:8],
            scan=key[1][9:12],
            width=480,
            height=480,
            gold=(GOLD,),
            gold_caption="Axial FLAIR: left frontal lesion.",
            gold_diagnosis="Multiple sclerosis",
            plane="axial",
            sequence="FLAIR",
            sets=sets,
            tags=said,
            flagged=key in self.flags,
        )

    def _set(self, name: str, key: SliceKey) -> ComparedSet:
        right = (key[1] in RIGHT) is (name == "model-a")
        shown = self.request is None or self.request.thresholds.min_score <= 0.9
        boxes = () if not shown else _boxes(name, right=right)
        found = right and shown
        gold = ComparedGold(
            1,
            GOLD,
            Verdict.FOUND if found else Verdict.MISS,
            0.9 if found else 0.2,
            1 if found else None,
            10_000 / 480**2,
            f"{name}/{key[1]}/g1",
        )
        return ComparedSet(
            name=name,
            kind=PredictionKind.READER if name == "R01" else PredictionKind.MODEL,
            answered=True,
            boxes=boxes,
            hidden=0 if shown else 1,
            gold=(gold,),
            right=found,
            caption=_caption(right=right),
            diagnoses=_diagnoses(right=right),
        )

    def filter_choices(self, where: str = "") -> tuple[FilterChoices, ...]:
        wrong = len(self.names) - len(RIGHT)
        return (
            FilterChoices(
                "right", "sets that got the slice right", (FilterChoice("model-a", "right = model-a", 2),)
            ),
            FilterChoices(
                "wrong", "sets that got it wrong", (FilterChoice("model-a", "wrong = model-a", wrong),)
            ),
        )

    def errors(self) -> tuple[SetErrors, ...]:
        assert self.request is not None
        return tuple(
            SetErrors(name, len(self.names), 0.5, (ErrorShare(name, Verdict.MISS, 4, 1.0, 0.25),))
            for name in self.request.sets
        )

    def matrix(self, a: str, b: str, where: str = "") -> Matrix:
        del where
        right = tuple(("demo", n) for n in self.names if n in RIGHT)
        wrong = tuple(("demo", n) for n in self.names if n not in RIGHT)
        cells = (
            MatrixCell("right", "right", (), ""),
            MatrixCell("right", "wrong", right, "right = model-a"),
            MatrixCell("wrong", "right", wrong, "wrong = model-a"),
            MatrixCell("wrong", "wrong", (), ""),
        )
        return Matrix(a, b, ("right", "wrong"), cells)

    def scatter(self, a: str, b: str, quantity: Quantity, where: str = "") -> Scatter:
        del where
        points = tuple(
            ScatterPoint(("demo", n), 0.9 if n in RIGHT else 0.2, 0.2 if n in RIGHT else 0.9)
            for n in self.names
        )
        return Scatter(a, b, quantity, points, 0)

    def picture(self, key: SliceKey) -> GreyPicture:
        if key[1] in self.broken:
            raise UserError(f"{key[1]} is damaged.")
        return GreyPicture()

    def tags(self) -> tuple[FailureTag, ...]:
        return tuple(self.taxonomy)

    def edit_tags(self, tags: Sequence[FailureTag]) -> tuple[FailureTag, ...]:
        self.taxonomy = [replace(t, tag_id=t.tag_id or f"t{k}") for k, t in enumerate(tags, start=1)]
        return self.tags()

    def put_note(self, spot: NoteSpot, *, tag: str = "", note: str = "", by: str = "") -> FailureNote:
        made = FailureNote(f"n{len(self.words) + 1}", spot, tag, note, by, "2026-01-01T00:00:00Z")
        self.words.append(made)
        return made

    def remove_note(self, note_id: str) -> None:
        self.words = [n for n in self.words if n.note_id != note_id]

    def flag(self, key: SliceKey, *, flagged: bool, by: str = "") -> None:
        del by
        (self.flags.add if flagged else self.flags.discard)(key)

    def notes(self, key: SliceKey) -> tuple[FailureNote, ...]:
        return tuple(n for n in self.words if n.spot.key == key)

    def tag_counts(self) -> tuple[TagCount, ...]:
        return ()

    def saved_filters(self) -> tuple[SavedFilter, ...]:
        return tuple(SavedFilter(name, words) for name, words in sorted(self.filters.items()))

    def save_filter(self, name: str, words: str) -> tuple[SavedFilter, ...]:
        self.filters[name] = words
        return self.saved_filters()

    def remove_filter(self, name: str) -> tuple[SavedFilter, ...]:
        del self.filters[name]
        return self.saved_filters()

    def export(self, selection: Selection, wanted: ExportWish, folder: Path) -> tuple[str, ...]:
        self.exported.append((selection, wanted, folder))
        return ("sheet-001.png", "verdicts.csv")


def _boxes(name: str, *, right: bool) -> tuple[ComparedBox, ...]:
    if right:
        return (ComparedBox(1, HIT, 0.9, "lesion", Verdict.TRUE_POSITIVE, 0.9, 1, f"{name}/p1"),)
    return (
        ComparedBox(1, POOR, 0.9, "lesion", Verdict.POOR_LOCATION, 0.2, 1, f"{name}/p1"),
        ComparedBox(2, STRAY, None, "", Verdict.BACKGROUND, None, None, f"{name}/p2"),
    )


def _caption(*, right: bool) -> ComparedCaption:
    if right:
        return ComparedCaption(
            "Axial FLAIR lesion",
            spans=(CaptionSpan(0, 5, TermFate.SAME), CaptionSpan(6, 11, TermFate.SAME)),
            right=("axial", "flair"),
        )
    return ComparedCaption(
        "Coronal FLAIR, <b>mass</b>",
        spans=(CaptionSpan(0, 7, TermFate.CHANGED), CaptionSpan(8, 13, TermFate.SAME)),
        right=("flair",),
        missing=("axial",),
        remarks=("wrong plane: coronal, gold axial",),
    )


def _diagnoses(*, right: bool) -> ComparedDiagnoses:
    names = ("Multiple sclerosis", "Neuromyelitis optica") if right else ("Glioma", "MS & more <i>")
    return ComparedDiagnoses(
        tuple(Diagnosis(n) for n in names),
        matched_rank=1 if right else None,
        undecided_ranks=() if right else (2,),
        words="matched at rank 1" if right else "not listed; 1 not judged",
    )
