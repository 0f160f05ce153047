"""One run of the `compare` verb: compare, filter, write."""

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from nova_review.services.agreement_desk import PictureRows
from nova_review.services.answer_sets import SliceKey
from nova_review.services.compare_export import CompareExport, CompareExported
from nova_review.services.comparing import Compared, CompareService, set_errors
from nova_review.services.comparing_lists import ExportWish, Order, Selection, SetErrors
from nova_review.services.comparing_selection import selection
from nova_review.services.comparing_views import CompareRequest
from nova_review.services.ports import Picture, Progress
from nova_review.services.reading_pictures import Decode, PictureShelf


@dataclass(frozen=True, slots=True)
class CompareVerbRequest:
    """What is asked for on the command line."""

    request: CompareRequest
    where: str
    order: Order
    wish: ExportWish
    out: Path


@dataclass(frozen=True, slots=True, eq=False)
class CompareDone:
    """What came of it."""

    compared: Compared
    chosen: Selection
    errors: tuple[SetErrors, ...]
    exported: CompareExported

    def as_object(self) -> dict[str, Any]:
        """Return it for programs; numbers that are undefined are None."""
        manifest = self.exported.manifest
        names = ("sets", "where", "order", "thresholds", "min_score", "gold", "left_out", "notes")
        found = {name: manifest[name] for name in names}
        return {
            "out": str(self.exported.folder),
            **found,
            "rows": self.chosen.rows,
            "slices": self.chosen.n,
            "slices_compared": self.chosen.n_of,
            "counts": self._counts(),
            "errors": [_errors_object(one) for one in self.errors],
            "before_lock": self.compared.before_lock,
            "files": list(self.exported.files),
        }

    def _counts(self) -> dict[str, dict[str, int]]:
        counts: dict[str, dict[str, int]] = {}
        for one in self.chosen.counts:
            counts.setdefault(one.set_name, {})[one.verdict.value] = one.count
        return counts


class CompareVerb:
    """Runs it; `pictures_of` opens the pictures of a study file for the time of one export."""

    def __init__(
        self,
        service: CompareService,
        export: CompareExport,
        pictures_of: Callable[[Path], AbstractContextManager[PictureRows]],
        decode: Decode,
    ) -> None:
        self._service, self._export = service, export
        self._pictures_of, self._decode = pictures_of, decode

    def run(
        self,
        file: Path,
        asked: CompareVerbRequest,
        *,
        progress: Progress,
        early_reason: str | None = None,
    ) -> CompareDone:
        """Compare and write; UserError for what cannot be used, with nothing written.

        `progress` counts slices drawn: once for the sheets, the page and the pictures each.
        """
        compared = self._service.compare(file, asked.request, early_reason=early_reason)
        chosen = selection(compared.comparison, asked.where, asked.order)
        with self._pictures_of(file) as rows:
            total = chosen.n * (1 + asked.wish.html + asked.wish.images)
            picture = _counted(self._picture(compared, rows), total, progress)
            exported = self._export.write(file, compared, chosen, asked.wish, asked.out, picture=picture)
        return CompareDone(compared, chosen, set_errors(compared.comparison), exported)

    def _picture(self, compared: Compared, rows: PictureRows) -> Callable[[SliceKey], Picture]:
        shelf, now = PictureShelf(self._decode), compared.comparison

        def picture(key: SliceKey) -> Picture:
            row, embedded = rows.image(now.content.places[now.place(key)].slice_id)
            return shelf.picture(row, embedded, words=key[1])

        return picture


def _counted(
    picture: Callable[[SliceKey], Picture], total: int, progress: Progress
) -> Callable[[SliceKey], Picture]:
    """The same, telling how many were asked for."""
    number = count(1)

    def counted(key: SliceKey) -> Picture:
        progress(next(number), total)
        return picture(key)

    return counted


def _errors_object(one: SetErrors) -> dict[str, Any]:
    return {
        "set": one.set_name,
        "slices": one.slices,
        "average_precision": one.precision,
        "kinds": [
            {"verdict": s.verdict.value, "count": s.count, "share": s.share, "map_cost": s.cost}
            for s in one.shares
        ],
    }
