"""From compared values to what the panels, the list and the gallery paint."""

from collections.abc import Sequence

from nova_review.domain.verdicts import Verdict
from nova_review.services.comparing_views import (
    CaptionSpan,
    ComparedBox,
    ComparedDiagnoses,
    ComparedGold,
    ComparedSet,
    ComparedSlice,
    TermFate,
)
from nova_review.ui.canvas.items import BoxRole, CanvasBox
from nova_review.ui.pages.comparing.contents import (
    GOLD_KEY,
    PanelContent,
    RankedName,
    RankLook,
    TermLook,
    TermRun,
)
from nova_review.ui.plots.axis import tick_words

ROLES: dict[Verdict, BoxRole] = {
    Verdict.TRUE_POSITIVE: BoxRole.TRUE_POSITIVE,
    Verdict.POOR_LOCATION: BoxRole.POOR_LOCATION,
    Verdict.DUPLICATE: BoxRole.DUPLICATE,
    Verdict.BACKGROUND: BoxRole.BACKGROUND,
    Verdict.POOR_LOCATION_AND_DUPLICATE: BoxRole.BOTH,
    Verdict.FOUND: BoxRole.GOLD,
    Verdict.MISS: BoxRole.MISS,
}
VERDICT_WORDS: dict[Verdict, str] = {
    Verdict.TRUE_POSITIVE: "true positive",
    Verdict.POOR_LOCATION: "poor location",
    Verdict.DUPLICATE: "duplicate",
    Verdict.BACKGROUND: "background",
    Verdict.POOR_LOCATION_AND_DUPLICATE: "poor location and duplicate",
    Verdict.FOUND: "found",
    Verdict.MISS: "miss",
}
SET_ROLES = (BoxRole.MODEL_1, BoxRole.MODEL_2, BoxRole.MODEL_3, BoxRole.MODEL_4)
_WRONG = (
    Verdict.POOR_LOCATION,
    Verdict.DUPLICATE,
    Verdict.POOR_LOCATION_AND_DUPLICATE,
    Verdict.BACKGROUND,
)
_DIAGNOSIS_WORDS = {
    "first": "right diagnosis first",
    "listed later": "right diagnosis listed later",
    "near miss": "near miss",
    "undecided": "not judged yet",
    "never listed": "right diagnosis never listed",
}
_LOOKS = {
    TermFate.SAME: TermLook.RIGHT,
    TermFate.MISSING: TermLook.MISSING,
    TermFate.INVENTED: TermLook.INVENTED,
    TermFate.CHANGED: TermLook.WRONG,
}


def panel_contents(one: ComparedSlice) -> tuple[PanelContent, ...]:
    """Return gold and every set of a slice as panels show them."""
    sets = tuple(_set_content(s, SET_ROLES[k % len(SET_ROLES)]) for k, s in enumerate(one.sets))
    return (_gold_content(one), *sets)


def iou_words(value: float | None) -> str:
    """Return ".62", "1.00", or a dash where nothing overlaps."""
    return "–" if value is None else f"{value:.2f}".removeprefix("0")


def _gold_content(one: ComparedSlice) -> PanelContent:
    boxes = tuple(
        CanvasBox(
            f"gold-{k}",
            box,
            BoxRole.GOLD,
            str(k) if len(one.gold) > 1 else "",
            _gold_tip(one, k - 1, box.area),
        )
        for k, box in enumerate(one.gold, start=1)
    )
    count = len(one.gold)
    diagnosis = None if one.gold_diagnosis is None else (RankedName(one.gold_diagnosis),)
    return PanelContent(
        GOLD_KEY,
        "Gold",
        "no lesion" if not count else f"{count} lesion{'s' if count > 1 else ''}",
        boxes,
        boxes,
        caption=_gold_runs(one),
        caption_note="" if one.gold_caption is not None else "The data set has no caption here.",
        diagnoses=diagnosis,
        diagnosis_note="" if diagnosis else "The data set has no diagnosis here.",
    )


def _gold_tip(one: ComparedSlice, place: int, area: float) -> str:
    lines = [f"lesion {place + 1}"]
    if one.width and one.height:
        lines[0] += f", {100 * area / (one.width * one.height):.2g}% of the picture"
    for s in one.sets:
        if s.answered and place < len(s.gold):
            gold = s.gold[place]
            lines.append(f"{s.name}: {VERDICT_WORDS[gold.verdict]}, best IoU {iou_words(gold.iou)}")
    return "\n".join(lines)


def _gold_runs(one: ComparedSlice) -> tuple[TermRun, ...] | None:
    """The gold caption, its terms marked that a set alone leaves out (with several sets: plain)."""
    if one.gold_caption is None:
        return None
    captions = [s.caption for s in one.sets if s.caption is not None]
    spans = captions[0].gold_spans if len(captions) == 1 else ()
    return runs_of(one.gold_caption, spans)


def _set_content(one: ComparedSet, role: BoxRole) -> PanelContent:
    if not one.answered:
        boxes: tuple[CanvasBox, ...] = ()
        overlay: tuple[CanvasBox, ...] = ()
    else:
        gold = tuple(_gold_box(one, g) for g in one.gold)
        boxes = gold + tuple(_box(one, b) for b in one.boxes)
        overlay = tuple(CanvasBox(f"{one.name}-{b.number}", b.box, role, "", _tip(one, b)) for b in one.boxes)
    caption = one.caption
    return PanelContent(
        one.name,
        one.name,
        count_words(one),
        boxes,
        overlay,
        caption=None if caption is None else runs_of(caption.text, caption.spans),
        caption_note=_caption_note(one),
        diagnoses=None if one.diagnoses is None else _ranked(one.diagnoses),
        diagnosis_note=""
        if one.diagnoses is None
        else _DIAGNOSIS_WORDS.get(one.diagnoses.words, one.diagnoses.words),
    )


def count_words(one: ComparedSet) -> str:
    """Return what became of a set's boxes on one slice: "1 of 2 found · 1 background"."""
    if not one.answered:
        return "not answered"
    found = one.count(Verdict.FOUND)
    parts = [f"{found} of {len(one.gold)} found"] if one.gold else []
    if not one.boxes and not one.hidden:
        parts.append("no box")
    parts += [f"{n} {VERDICT_WORDS[v]}" for v in _WRONG if (n := one.count(v))]
    if not one.gold and one.boxes and len(parts) == 0:
        parts.append("no lesion here")
    if one.hidden:
        parts.append(f"{one.hidden} under the confidence")
    return " · ".join(parts)


def _gold_box(one: ComparedSet, gold: ComparedGold) -> CanvasBox:
    words = f"lesion {gold.number}: {VERDICT_WORDS[gold.verdict]} by {one.name}"
    return CanvasBox(
        f"gold-{gold.number}",
        gold.box,
        ROLES[gold.verdict],
        "",
        f"{words}, best IoU {iou_words(gold.iou)}",
        faint=gold.found,
    )


def _box(one: ComparedSet, box: ComparedBox) -> CanvasBox:
    sure = "" if box.score is None else f" · {round(100 * box.score)}"
    return CanvasBox(
        f"box-{box.number}", box.box, ROLES[box.verdict], f"{iou_words(box.iou)}{sure}", _tip(one, box)
    )


def _tip(one: ComparedSet, box: ComparedBox) -> str:
    lines = [f"{one.name}, box {box.number}: {VERDICT_WORDS[box.verdict]}"]
    if box.partner is not None:
        lines.append(f"IoU {iou_words(box.iou)} with lesion {box.partner}")
    if box.score is not None:
        lines.append(f"confidence {100 * box.score:g}")
    if box.label:
        lines.append(box.label)
    if box.tags:
        lines.append("tags: " + ", ".join(box.tags))
    return "\n".join(lines)


def runs_of(text: str, spans: Sequence[CaptionSpan]) -> tuple[TermRun, ...]:
    """Cut a text at its marked spans; spans that overlap an earlier one are left out."""
    runs: list[TermRun] = []
    at = 0
    for span in sorted(spans, key=lambda s: (s.begin, -s.end)):
        if span.begin < at or span.end <= span.begin or span.end > len(text):
            continue
        if span.begin > at:
            runs.append(TermRun(text[at : span.begin]))
        runs.append(TermRun(text[span.begin : span.end], _LOOKS[span.fate]))
        at = span.end
    if at < len(text):
        runs.append(TermRun(text[at:]))
    return tuple(runs)


def _caption_note(one: ComparedSet) -> str:
    if one.caption is None:
        return "no caption"
    parts = []
    if one.caption.missing:
        parts.append("missing: " + ", ".join(one.caption.missing))
    parts += one.caption.remarks
    return " · ".join(parts)


def _ranked(one: ComparedDiagnoses) -> tuple[RankedName, ...]:
    def look(rank: int) -> RankLook:
        if rank == one.matched_rank:
            return RankLook.MATCH
        if rank in one.near_ranks:
            return RankLook.NEAR
        return RankLook.OPEN if rank in one.undecided_ranks else RankLook.NONE

    return tuple(
        RankedName(d.name, look(rank), d.confidence) for rank, d in enumerate(one.diagnoses, start=1)
    )


def threshold_words(value: float) -> str:
    """Return ".5" for one half."""
    return tick_words(round(value, 3))
