"""A selection as one HTML page: pictures inside, nothing fetched, no script, every text escaped."""

import base64
import io
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from string import Template

from PIL import Image, ImageDraw

from nova_review.domain.geometry import Box, Size
from nova_review.domain.verdicts import Verdict
from nova_review.formats.contact_sheet import LEGEND
from nova_review.formats.sheet_marks import LOOKS, draw_box
from nova_review.formats.sheet_panel import case_in_words, counts_in_words, panel_picture
from nova_review.formats.sheet_words import one_line
from nova_review.services.compare_export import SheetHead, SheetItem
from nova_review.services.comparing_views import CaptionSpan, ComparedDiagnoses, ComparedSet, ComparedSlice
from nova_review.services.resources import resource

SIDE, SMALL_SIDE, MOST_LARGE = 640, 400, 200
"""Pixels of the longer side of a picture: so much up to MOST_LARGE pictures, less beyond."""


def compare_page(head: SheetHead, items: Iterable[SheetItem]) -> bytes:
    """Return the page; the same selection gives the same bytes."""
    template = Template(resource("report", "compare.html").read_text(encoding="utf-8"))
    side = SIDE if head.n * len(head.sets) <= MOST_LARGE else SMALL_SIDE
    slices = "\n".join(_article(item, side) for item in items)
    filled = template.substitute(
        title=_text(head.title),
        count=_text(f"{head.n} of {head.n_of} slices"),
        warning=f'<p class="warning" role="note">{_text(head.warning)}</p>' if head.warning else "",
        facts="\n".join(
            f"<tr><th scope=row>{_text(name)}</th><td>{_text(told)}</td></tr>" for name, told in head.facts
        ),
        legend="\n".join(_legend(verdict) for verdict in LEGEND),
        slices=slices or "<p>No slice matches.</p>",
        foot=_text(" - ".join(head.foot)),
    )
    return filled.encode("utf-8")


def _article(item: SheetItem, side: int) -> str:
    shown = item.shown
    told = [case_in_words(shown.case), shown.data_set, shown.plane, shown.sequence, *shown.tags]
    if shown.flagged:
        told.append("flagged")
    parts = [
        f"<h2>{item.number}. {_text(shown.file_name)}</h2>",
        f'<p class="second">{_text(" - ".join(t for t in told if t))}</p>',
        *_gold(shown),
        *([f"<p>Note: {_text(shown.note)}</p>"] if shown.note else []),
        f'<div class="panels">{"".join(_panel(item, one, side) for one in shown.sets)}</div>',
    ]
    return f"<article>{''.join(parts)}</article>"


def _gold(shown: ComparedSlice) -> Iterator[str]:
    if shown.gold_diagnosis:
        yield f"<p>Final diagnosis: {_text(shown.gold_diagnosis)}</p>"
    if shown.gold_caption:
        # One set: its missing terms are marked in the gold caption; of several, none would be right.
        own = shown.sets[0].caption if len(shown.sets) == 1 else None
        spans = own.gold_spans if own is not None else ()
        yield f"<p>Gold caption: {_marked(shown.gold_caption, spans)}</p>"


def _panel(item: SheetItem, one: ComparedSet, side: int) -> str:
    words = f"{one.name}: {counts_in_words(one)}"
    room = _room(item, side)
    picture = panel_picture(item, one, room=room, line=2, lettering=15)
    told = [f"<p><strong>{_text(one.name)}</strong> {_text(counts_in_words(one))}</p>"]
    if one.tags:
        told.append(f"<p>Tags: {_text(', '.join(one.tags))}</p>")
    if one.note:
        told.append(f"<p>Note: {_text(one.note)}</p>")
    told += [
        f"<p>Note on {part} {b.number}: {_text(', '.join(filter(None, (*b.tags, b.note))))}</p>"
        for part, boxes in (("box", one.boxes), ("gold", one.gold))
        for b in boxes
        if b.tags or b.note
    ]
    if one.caption is not None:
        told.append(f'<p class="second">{_marked(one.caption.text, one.caption.spans)}</p>')
    if one.diagnoses is not None:
        told.append(_list(one.diagnoses))
    alt = escape(one_line(f"{item.shown.file_name}, {words}"), quote=True)
    image = f'<img src="{_embedded(picture)}" width="{room.width}" height="{room.height}" alt="{alt}">'
    return f"<figure>{image}<figcaption>{''.join(told)}</figcaption></figure>"


def _list(said: ComparedDiagnoses) -> str:
    rows = "".join(
        f"<li{' class=matched' if rank == said.matched_rank else ''}>{_text(d.name)}"
        f"{' (near miss)' if rank in said.near_ranks else ''}</li>"
        for rank, d in enumerate(said.diagnoses, start=1)
    )
    verdict = f"<p>Diagnosis: {_text(said.words)}</p>" if said.words else ""
    return f"{verdict}<ol>{rows}</ol>"


def _marked(text: str, spans: Sequence[CaptionSpan]) -> str:
    """A text with its terms marked."""
    parts, at = [], 0
    for span in sorted(spans, key=lambda s: s.begin):
        parts.append(_text(text[at : span.begin], keep_edges=True))
        inside = _text(text[span.begin : span.end], keep_edges=True)
        parts.append(f'<mark class="{span.fate.value}">{inside}</mark>')
        at = span.end
    return "".join((*parts, _text(text[at:], keep_edges=True)))


def _text(words: str, *, keep_edges: bool = False) -> str:
    """Words as HTML, on one line; `keep_edges` leaves the spaces at both ends."""
    line = one_line(words)
    if keep_edges and words[:1].isspace():
        line = f" {line}"
    if keep_edges and words[-1:].isspace():
        line = f"{line} "
    return escape(line, quote=True)


def _room(item: SheetItem, side: int) -> Size:
    width = item.picture.width if item.picture else item.shown.width or side
    height = item.picture.height if item.picture else item.shown.height or side
    scale = side / max(width, height)
    return Size(max(1, round(width * scale)), max(1, round(height * scale)))


def _legend(verdict: Verdict) -> str:
    look = LOOKS[verdict]
    small = Image.new("RGB", (96, 60), "#000000")
    draw_box(ImageDraw.Draw(small), Box(8, 8, 80, 44), look, line=3)
    return f'<li><img src="{_embedded(small, kind="PNG")}" alt="">{_text(look.words)}</li>'


def _embedded(picture: Image.Image, *, kind: str = "JPEG") -> str:
    buffer = io.BytesIO()
    picture.save(buffer, format=kind, quality=88)
    return f"data:image/{kind.lower()};base64,{base64.b64encode(buffer.getvalue()).decode('ascii')}"
