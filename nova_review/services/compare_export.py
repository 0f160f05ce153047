"""A selection of compared slices laid down as files, each with the filter, numbers and versions that made it.

`verdicts.csv` and the sheets as PNG always; PDF, an HTML page and pictures with overlays where wanted.
"""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from nova_review import __version__
from nova_review.domain.errors import StorageError, UserError
from nova_review.services.answer_sets import SliceKey
from nova_review.services.compare_rows import COLUMNS, verdict_rows
from nova_review.services.comparing import Compared
from nova_review.services.comparing_lists import ORDER_WORDS, ExportWish, Selection
from nova_review.services.comparing_shown import shown_slice
from nova_review.services.comparing_views import ComparedSlice
from nova_review.services.comparison import Comparison
from nova_review.services.export_content import ExportFile, GoldSource
from nova_review.services.export_manifest import NOVA_NOTICE, PROGRAM
from nova_review.services.exporting import MANIFEST, earlier_files
from nova_review.services.ports import Picture
from nova_review.services.reading_pictures import WHAT_NOW

TABLE, PAGE, PDF, IMAGES = "verdicts.csv", "compare.html", "sheets.pdf", "images"
MOST_PER_PAGE = 48
USUAL_PER_PAGE = (18, 9, 6, 6)
"""Slices a sheet for 1, 2, 3 and 4 sets."""

EVERYTHING = "no filter: all slices"
_GOLD_WORDS = {GoldSource.DECISIONS: "decided in this study", GoldSource.DATA_SET: "the data set's own"}


@dataclass(frozen=True, slots=True)
class SheetHead:
    """What every sheet and page says of itself.

    `foot` are short phrases: filter, thresholds, versions; `warning` is "" or a sentence in the head.
    """

    title: str
    sets: tuple[str, ...]
    where: str
    n: int
    n_of: int
    foot: tuple[str, ...]
    facts: tuple[tuple[str, str], ...]
    warning: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class SheetItem:
    """One slice to be drawn; without a picture `problem` says why. `number` counts from 1."""

    number: int
    shown: ComparedSlice
    picture: Picture | None
    problem: str = ""


class PutFolder(Protocol):
    """Writes a folder whole or not at all."""

    def __call__(
        self, folder: Path, files: Iterable[ExportFile], *, overwrite: bool, replaced: Sequence[str] = ()
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class CompareFiles:
    """How files are written; each is a function of `formats`.

    `sheets` gives the pages as PNG, at least one; `pdf` joins such pages; `images` draws one slice,
    as many pictures as there are sets, each with the name of its set.
    """

    table: Callable[[Sequence[str], Iterable[Mapping[str, Any]]], bytes]
    sheets: Callable[[SheetHead, Iterable[SheetItem], int], Iterator[bytes]]
    pdf: Callable[[SheetHead, Sequence[bytes]], bytes]
    html: Callable[[SheetHead, Iterable[SheetItem]], bytes]
    images: Callable[[SheetItem], Iterator[tuple[str, bytes]]]
    put_folder: PutFolder


@dataclass(frozen=True, slots=True)
class CompareExported:
    """What was written: names relative to `folder`; `remark` is a sentence for the person, or ""."""

    folder: Path
    files: tuple[str, ...]
    manifest: Mapping[str, Any] = field(default_factory=dict)
    remark: str = ""


class AuditNotes(Protocol):
    """Where an export is written down."""

    def note(self, file: Path, *, action: str, reason: str, details: str) -> None:
        """Append to the audit log."""
        ...


class CompareExport:
    """Writes selections."""

    def __init__(self, files: CompareFiles, notes: AuditNotes) -> None:
        self._files, self._notes = files, notes

    def write(
        self,
        file: Path,
        compared: Compared,
        chosen: Selection,
        wanted: ExportWish,
        folder: Path,
        *,
        picture: Callable[[SliceKey], Picture],
    ) -> CompareExported:
        """Write a selection into a folder, whole or not at all.

        UserError for a folder in the way or a number of slices a page that cannot be used. A study that
        cannot be written to is exported with a remark.
        """
        if not 1 <= _per_page(compared, wanted) <= MOST_PER_PAGE:
            raise UserError(f"A sheet has 1 to {MOST_PER_PAGE} slices (got {wanted.per_page}).")
        names: list[str] = []
        manifest = compare_manifest(compared, chosen)

        def parts() -> Iterator[ExportFile]:
            for one in self._parts(compared, chosen, wanted, picture):
                names.append(one.path)
                yield one
            manifest["files"] = sorted(names)
            yield ExportFile(MANIFEST, _json(manifest))

        earlier = earlier_files(folder)
        self._files.put_folder(folder, parts(), overwrite=wanted.overwrite, replaced=[*earlier])
        return CompareExported(
            folder, (*sorted(names), MANIFEST), manifest, self._noted(file, compared, chosen)
        )

    def _parts(
        self,
        compared: Compared,
        chosen: Selection,
        wanted: ExportWish,
        picture: Callable[[SliceKey], Picture],
    ) -> Iterator[ExportFile]:
        now, head = compared.comparison, sheet_head(compared, chosen)
        yield ExportFile(TABLE, self._files.table(COLUMNS, verdict_rows(now, chosen)))
        pages = []
        items = sheet_items(now, chosen.keys, picture)
        sheets = self._files.sheets(head, items, _per_page(compared, wanted))
        for number, page in enumerate(sheets, start=1):
            if wanted.pdf:
                pages.append(page)
            yield ExportFile(f"sheet-{number:03d}.png", page)
        if wanted.pdf:
            yield ExportFile(PDF, self._files.pdf(head, pages))
        if wanted.html:
            yield ExportFile(PAGE, self._files.html(head, sheet_items(now, chosen.keys, picture)))
        if wanted.images:
            for item in sheet_items(now, chosen.keys, picture):
                for name, data in self._files.images(item):
                    yield ExportFile(f"{IMAGES}/{name}", data)

    def _noted(self, file: Path, compared: Compared, chosen: Selection) -> str:
        details = json.dumps(
            {"format": "compare", "sets": list(compared.comparison.names), "slices": chosen.n}
        )
        try:
            self._notes.note(file, action="export", reason=compared.before_lock or "", details=details)
        except StorageError as error:
            return f"The export is written, but not noted in the study's own log: {error}"
        return ""


def _per_page(compared: Compared, wanted: ExportWish) -> int:
    usual = USUAL_PER_PAGE[len(compared.comparison.names) - 1]
    return usual if wanted.per_page is None else wanted.per_page


def sheet_items(
    compared: Comparison, keys: Iterable[SliceKey], picture: Callable[[SliceKey], Picture]
) -> Iterator[SheetItem]:
    """Return the slices with their pictures, one after the other."""
    for number, key in enumerate(keys, start=1):
        shown = shown_slice(compared, key)
        try:
            yield SheetItem(number, shown, picture(key))
        except UserError as error:
            yield SheetItem(number, shown, None, problem=str(error).removesuffix(f" {WHAT_NOW}"))


def sheet_head(compared: Compared, chosen: Selection) -> SheetHead:
    """Return what every sheet says of itself."""
    now = compared.comparison
    where, content = chosen.where or EVERYTHING, now.content
    facts = [
        ("Sets", ", ".join(now.names)),
        ("Filter", where),
        ("Slices", f"{chosen.n} of {chosen.n_of} compared, {chosen.rows} boxes match"),
        ("Thresholds", _thresholds(now)),
        ("Order", ORDER_WORDS[chosen.order]),
        ("Gold", ", ".join(f"{code}: {_GOLD_WORDS[source]}" for code, source in content.gold_sources)),
        *(("Left out", row.words) for row in content.left_out),
        *(("Note", words) for words in content.notes),
        ("Study", f"{content.study_id}, protocol {content.protocol_hash[:12]}"),
        ("Program", f"{PROGRAM} {__version__}"),
        ("Notice", NOVA_NOTICE),
    ]
    foot = (where, _thresholds(now), f"{PROGRAM} {__version__}", f"protocol {content.protocol_hash[:12]}")
    warnings = []
    if content.is_demo:
        warnings.append("The demo study is synthetic: lesions, readers and models are made.")
    if compared.before_lock:
        warnings.append(f"Looked at before the database lock: {compared.before_lock}")
    *firsts, last = now.names
    title = f"What {', '.join(firsts)} and {last} get wrong" if firsts else f"What {last} gets wrong"
    return SheetHead(
        title, now.names, where, chosen.n, chosen.n_of, foot, tuple(facts), warning=" ".join(warnings)
    )


def compare_manifest(compared: Compared, chosen: Selection) -> dict[str, Any]:
    """Return what an export says of itself for programs."""
    now = compared.comparison
    content, thresholds = now.content, now.thresholds
    manifest: dict[str, Any] = {
        "format": "compare",
        "program": PROGRAM,
        "version": __version__,
        "study_id": content.study_id,
        "protocol_hash": content.protocol_hash,
        "sets": [
            {
                "name": one.name,
                "kind": one.answers.kind.value,
                "source": one.answers.source,
                "convention": one.answers.convention,
                "slices": len(one.place),
            }
            for one in content.sets
        ],
        "where": chosen.where,
        "order": chosen.order.value,
        "thresholds": {"hit": thresholds.hit, "background": thresholds.background},
        "min_score": list(now.min_scores) or thresholds.min_score,
        "gold": {code: source.value for code, source in content.gold_sources},
        "slices": chosen.n,
        "slices_compared": chosen.n_of,
        "rows": chosen.rows,
        "left_out": [{"what": row.what, "count": row.count} for row in content.left_out],
        "notes": list(content.notes),
        "notice": NOVA_NOTICE,
    }
    if content.is_demo:
        manifest["synthetic"] = (
            "The demo study is synthetic: lesions, histories, readers and models are made."
        )
    if compared.before_lock:
        manifest["before_lock"] = compared.before_lock
    return manifest


def _thresholds(now: Comparison) -> str:
    scores = [f"{s:g}" for s in now.min_scores] or [f"{now.thresholds.min_score:g}"]
    numbers = f"hit IoU {now.thresholds.hit:g}, background IoU {now.thresholds.background:g}"
    return f"{numbers}, confidence from {', '.join(scores)}"


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode("utf-8")
