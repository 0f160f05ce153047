"""The slices of the agreement page as they are shown: boxes in layer colours under reader codes."""

from collections.abc import Mapping
from dataclasses import dataclass

from nova_review.analysis.slice_table import SliceAgreement
from nova_review.domain.geometry import Box, Size
from nova_review.services.agreement_measures import Linked, Measured
from nova_review.services.agreement_object import number
from nova_review.services.agreement_readings import SliceFacts
from nova_review.ui.canvas.items import BoxRole, CanvasBox

LAYERS = (
    BoxRole.LAYER_A,
    BoxRole.LAYER_B,
    BoxRole.LAYER_C,
    BoxRole.MODEL_1,
    BoxRole.MODEL_2,
    BoxRole.MODEL_3,
    BoxRole.MODEL_4,
)


@dataclass(frozen=True, slots=True)
class ReaderLayer:
    """One reader on one slice: his code, his published pseudonym (or ""), colour, number of boxes."""

    code: str
    pseudonym: str
    role: BoxRole
    boxes: int


@dataclass(frozen=True, slots=True)
class ShownSlice:
    """One slice of the strip. `words` is the line over the large slice, `short` that under the small one."""

    key: str
    facts: SliceFacts
    size: Size
    agreement: float
    boxes: tuple[CanvasBox, ...]
    layers: tuple[ReaderLayer, ...]
    words: str
    short: str


def shown_slices(measured: Measured, view: Linked) -> tuple[ShownSlice, ...]:
    """Return the compared slices, lowest agreement first.

    With few readers each keeps his colour on every slice; with many the colours are those of the
    readers of that slice, in their order.
    """
    facts = {f.key: f for f in measured.readings.facts}
    active = sorted({r for s in view.slices for r in s.readers})
    fixed = {r: LAYERS[k] for k, r in enumerate(active)} if len(active) <= len(LAYERS) else {}
    return tuple(
        _shown(
            s,
            facts.get(s.file_name) or SliceFacts(s.file_name, "", s.file_name, s.case),
            measured,
            view,
            fixed,
        )
        for s in view.slices
    )


def _shown(
    s: SliceAgreement, facts: SliceFacts, measured: Measured, view: Linked, fixed: Mapping[str, BoxRole]
) -> ShownSlice:
    roles = {r: fixed.get(r, LAYERS[k % len(LAYERS)]) for k, r in enumerate(s.readers)}
    boxes = _boxes(s, measured, view, roles)
    return ShownSlice(
        key=s.file_name,
        facts=facts,
        size=facts.size or _reach(boxes),
        agreement=s.agreement,
        boxes=boxes,
        layers=tuple(
            _layer(r, measured.readings.codes.get(r, r), roles[r], n)
            for r, n in zip(s.readers, s.boxes, strict=True)
        ),
        words=_words(s, facts),
        short=f"{number(s.agreement)}",
    )


def _layer(reader: str, code: str, role: BoxRole, boxes: int) -> ReaderLayer:
    return ReaderLayer(code, reader if reader != code else "", role, boxes)


def _words(s: SliceAgreement, facts: SliceFacts) -> str:
    parts = [facts.file_name, "" if facts.file_name.startswith(facts.case) else f"case {facts.case}"]
    parts.append(f"agreement {number(s.agreement)}")
    parts.append("boxes that do not meet" if s.disjoint else "")
    parts.append("only some readers marked it" if s.only_some else "")
    parts += [facts.plane or "", facts.sequence or "", facts.diagnosis or ""]
    return " · ".join(part for part in parts if part)


def _boxes(
    s: SliceAgreement, measured: Measured, view: Linked, roles: Mapping[str, BoxRole]
) -> tuple[CanvasBox, ...]:
    read = view.pairs.read
    found = []
    first, last = read.reading_slice.searchsorted([s.slice, s.slice + 1]).tolist()
    for reading in range(first, last):
        reader = read.readers[int(read.reading_reader[reading])]
        code = measured.readings.codes.get(reader, reader)
        for k in range(int(read.first[reading]), int(read.first[reading + 1])):
            x, y, right, bottom = read.corners[k].tolist()
            found.append(CanvasBox(str(k), Box(x, y, right - x, bottom - y), roles[reader], caption=code))
    return tuple(found)


def _reach(boxes: tuple[CanvasBox, ...]) -> Size:
    """As large as the boxes need, where nobody knows the slice's size."""
    right = max((b.box.right for b in boxes), default=1.0)
    bottom = max((b.box.bottom for b in boxes), default=1.0)
    return Size(max(1, round(right * 1.05)), max(1, round(bottom * 1.05)))
