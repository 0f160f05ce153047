"""One slice of a comparison, as panels and lists show it."""

import math

from nova_review.domain.geometry import Box
from nova_review.domain.prediction import PredictedBox
from nova_review.domain.verdicts import Verdict
from nova_review.services.answer_sets import SliceKey
from nova_review.services.comparing_content import ComparedPlace
from nova_review.services.comparing_readers import readers_agreement
from nova_review.services.comparing_rows import GOLD, PREDICTION, RIGHT, UNANSWERED, VERDICTS
from nova_review.services.comparing_views import (
    ComparedBox,
    ComparedGold,
    ComparedSet,
    ComparedSlice,
    SliceLine,
)
from nova_review.services.comparison import Comparison
from nova_review.services.failure_notes import NoteSpot, Part


def shown_slice(compared: Comparison, key: SliceKey) -> ComparedSlice:
    """Return one slice with all that the panels show; UserError where it is not compared."""
    place = compared.place(key)
    one, notes = compared.content.places[place], compared.notes
    spot = NoteSpot("", key)
    return ComparedSlice(
        key=key,
        slice_id=one.slice_id,
        data_set=key[0],
        file_name=key[1],
        case=one.case,
        scan=one.scan,
        width=one.size.width if one.size else None,
        height=one.size.height if one.size else None,
        gold=one.gold,
        gold_caption=one.caption,
        gold_diagnosis=one.diagnosis,
        plane=one.plane,
        sequence=one.sequence,
        sets=tuple(_set(compared, index, place) for index in range(len(compared.names))),
        readers=readers_agreement(float(compared.content.readers_f1[place])),
        tags=notes.tags(spot),
        note=notes.note(spot),
        flagged=notes.is_flagged(key),
    )


def slice_line(compared: Comparison, key: SliceKey) -> SliceLine:
    """Return one slice as the list shows it."""
    place = compared.place(key)
    spots = {n.spot for n in compared.notes.of_slice(key)}
    sets = range(len(compared.names))
    counts = [_counts(compared, index, place) for index in sets]
    return SliceLine(
        key=key,
        slice_id=compared.content.places[place].slice_id,
        title=f"case {compared.content.places[place].case} - {key[1]}",
        verdicts=tuple(counts),
        right=tuple(_is_right(compared, index, place) for index in sets),
        tags=compared.notes.tags(*sorted(spots, key=repr)),
        flagged=compared.notes.is_flagged(key),
    )


def row_id(set_name: str, key: SliceKey, kind: int, number: int) -> str:
    """Return the name of a row, the same under all thresholds and filters."""
    letter = "p" if kind == PREDICTION else "g"
    return f"{set_name}:{key[0]}/{key[1]}:{letter}{number}"


def _set(compared: Comparison, index: int, place: int) -> ComparedSet:
    one, where = compared.content.sets[index].answers, compared.content.places[place]
    given = one.answers.get(where.key)
    boxes = given.boxes if given is not None else None
    spot = NoteSpot(one.name, where.key)
    shown = _boxes(compared, index, place, boxes or ())
    return ComparedSet(
        name=one.name,
        kind=one.kind,
        answered=boxes is not None,
        boxes=shown,
        hidden=len(boxes or ()) - len(shown),
        gold=_gold(compared, index, place, where),
        right=_is_right(compared, index, place),
        caption=compared.texts.caption(index, place),
        diagnoses=compared.texts.diagnoses(index, place),
        tags=compared.notes.tags(spot),
        note=compared.notes.note(spot),
    )


def _is_right(compared: Comparison, index: int, place: int) -> bool | None:
    state = int(compared.verdicts.right[index, place])
    return None if state == UNANSWERED else state == RIGHT


def _rows(compared: Comparison, index: int, place: int, kind: int) -> list[int]:
    rows = compared.rows_of(place)
    layout = compared.layout
    return [
        row
        for row in range(rows.start, rows.stop)
        if layout.set[row] == index and layout.kind[row] == kind and compared.verdicts.shown[row]
    ]


def _counts(compared: Comparison, index: int, place: int) -> dict[Verdict, int]:
    found: dict[Verdict, int] = {}
    for kind in (PREDICTION, GOLD):
        for row in _rows(compared, index, place, kind):
            verdict = VERDICTS[compared.verdicts.verdict[row]]
            found[verdict] = found.get(verdict, 0) + 1
    return found


def _boxes(
    compared: Comparison, index: int, place: int, given: tuple[PredictedBox, ...]
) -> tuple[ComparedBox, ...]:
    name, key = compared.names[index], compared.content.places[place].key
    found = []
    for row in _rows(compared, index, place, PREDICTION):
        number = int(compared.layout.number[row])
        one, spot = given[number - 1], NoteSpot(name, key, Part.PREDICTION, number)
        found.append(
            ComparedBox(
                number=number,
                box=one.box,
                score=one.score,
                label=one.label,
                verdict=VERDICTS[compared.verdicts.verdict[row]],
                iou=_or_none(compared.verdicts.iou[row]),
                partner=int(compared.verdicts.partner[row]) or None,
                row_id=row_id(name, key, PREDICTION, number),
                tags=compared.notes.tags(spot),
                note=compared.notes.note(spot),
            )
        )
    return tuple(found)


def _gold(compared: Comparison, index: int, place: int, where: ComparedPlace) -> tuple[ComparedGold, ...]:
    name = compared.names[index]
    found = []
    for row in _rows(compared, index, place, GOLD):
        number = int(compared.layout.number[row])
        spot = NoteSpot(name, where.key, Part.GOLD, number)
        box: Box = where.gold[number - 1]
        found.append(
            ComparedGold(
                number=number,
                box=box,
                verdict=VERDICTS[compared.verdicts.verdict[row]],
                iou=_or_none(compared.verdicts.iou[row]),
                partner=int(compared.verdicts.partner[row]) or None,
                relative_size=_or_none(compared.layout.relative_size[row]),
                row_id=row_id(name, where.key, GOLD, number),
                tags=compared.notes.tags(spot),
                note=compared.notes.note(spot),
            )
        )
    return tuple(found)


def _or_none(value: float) -> float | None:
    return None if math.isnan(value) else float(value)
