"""What one panel of the compare page shows, as values without Qt."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from nova_review.ui.canvas.items import CanvasBox
from nova_review.ui.theme import GOOD, SECOND_TEXT, TEXT, WARNING

GOLD_KEY = "gold"
WRONG = "#f7945c"
"""Colour of what is wrong in a text; the sign before it tells the same without colour."""


class TermLook(StrEnum):
    """What became of a term; the value is the sign that stands before it."""

    PLAIN = ""
    RIGHT = "✓"
    INVENTED = "+"
    MISSING = "−"
    WRONG = "≠"


class RankLook(StrEnum):
    """What became of one listed diagnosis; the value is its sign."""

    NONE = ""
    MATCH = "✓"
    NEAR = "≈"
    OPEN = "?"


@dataclass(frozen=True, slots=True)
class TermRun:
    """A part of a caption."""

    text: str
    look: TermLook = TermLook.PLAIN


@dataclass(frozen=True, slots=True)
class RankedName:
    """One line of a diagnosis list."""

    name: str
    look: RankLook = RankLook.NONE
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class PanelContent:
    """One panel: gold (key "gold") or a set.

    `count` is the short line of what became of its boxes ("2 of 3 found, 1 background"); `overlay` are
    its own boxes in its own colour, for one panel with all sets; `caption` is None where the set gave
    none; `caption_note` and `diagnosis_note` are sentences under them, or "".
    """

    key: str
    title: str
    count: str = ""
    boxes: tuple[CanvasBox, ...] = ()
    overlay: tuple[CanvasBox, ...] = ()
    caption: tuple[TermRun, ...] | None = None
    caption_note: str = ""
    diagnoses: tuple[RankedName, ...] | None = None
    diagnosis_note: str = ""


_TERM_STYLES = {
    TermLook.RIGHT: f"color: {GOOD}; text-decoration: underline;",
    TermLook.MISSING: f"color: {WRONG}; text-decoration: line-through;",
    TermLook.INVENTED: f"color: {WRONG}; font-style: italic;",
    TermLook.WRONG: f"color: {WARNING}; font-weight: 600; text-decoration: underline;",
}
_RANK_COLOURS = {RankLook.MATCH: GOOD, RankLook.NEAR: WARNING, RankLook.OPEN: TEXT, RankLook.NONE: TEXT}


def texts_html(content: PanelContent) -> str:
    """Return caption and diagnoses as HTML; what anybody typed is never markup."""
    parts = [_caption_html(content), _diagnoses_html(content)]
    return "".join(part for part in parts if part)


def texts_words(content: PanelContent) -> str:
    """Return the same as it is read aloud."""
    caption = "".join(run.text for run in content.caption) if content.caption is not None else "no caption"
    names = "; ".join(_spoken(i, d) for i, d in enumerate(content.diagnoses or (), start=1))
    notes = (content.caption_note, content.diagnosis_note)
    return " ".join(part for part in (caption, notes[0], names, notes[1]) if part)


def _spoken(rank: int, one: RankedName) -> str:
    said = {RankLook.MATCH: " (match)", RankLook.NEAR: " (near miss)", RankLook.OPEN: " (not judged)"}
    return f"{rank} {one.name}{said.get(one.look, '')}"


def _caption_html(content: PanelContent) -> str:
    if content.caption is None:
        return _quiet(content.caption_note or "no caption")
    runs = "".join(_run_html(run) for run in content.caption)
    return f'<p style="margin: 0;">{runs}</p>' + _quiet(content.caption_note)


def _run_html(run: TermRun) -> str:
    words = html.escape(run.text).replace("\n", "<br>")
    style = _TERM_STYLES.get(run.look)
    return words if style is None else f'<span style="{style}">{_sign(run.look)}{words}</span>'


def _sign(look: TermLook) -> str:
    return "" if look is TermLook.RIGHT else f"{look.value}&#8239;"


def _diagnoses_html(content: PanelContent) -> str:
    if content.diagnoses is None:
        return _quiet(content.diagnosis_note)
    names = " &#160; ".join(_name_html(i, one) for i, one in enumerate(content.diagnoses, start=1))
    line = f'<p style="margin: 4px 0 0 0;">{names}</p>' if names else ""
    return line + _quiet(content.diagnosis_note)


def _name_html(rank: int, one: RankedName) -> str:
    sign = f"{one.look.value}&#8239;" if one.look.value else ""
    weight = "font-weight: 600;" if one.look in (RankLook.MATCH, RankLook.NEAR) else ""
    sure = "" if one.confidence is None else f" {round(100 * one.confidence)}"
    return (
        f'<span style="color: {SECOND_TEXT};">{rank}</span>&#160;'
        f'<span style="color: {_RANK_COLOURS[one.look]}; {weight}">{sign}{html.escape(one.name)}</span>'
        f'<span style="color: {SECOND_TEXT};">{sure}</span>'
    )


def _quiet(words: str) -> str:
    if not words:
        return ""
    return f'<p style="margin: 2px 0 0 0; color: {SECOND_TEXT};">{html.escape(words)}</p>'


def gold_first(contents: Sequence[PanelContent]) -> tuple[PanelContent, ...]:
    """Return the contents with gold before the sets, the sets as they came."""
    return tuple(sorted(contents, key=lambda one: one.key != GOLD_KEY))
