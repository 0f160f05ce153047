"""Which slice an entry means: by exact name, by NFC, by the last part of a path, by its case."""

import unicodedata
from collections import defaultdict
from collections.abc import Sequence

from nova_review.services.prediction_content import SlicePlace


class SliceNames:
    """Looks slices up by the names that models give them."""

    def __init__(self, places: Sequence[SlicePlace]) -> None:
        self._exact: dict[str, list[SlicePlace]] = defaultdict(list)
        self._plain: dict[str, list[SlicePlace]] = defaultdict(list)
        self._cases: dict[str, list[SlicePlace]] = defaultdict(list)
        for place in places:
            for name in (place.file_name, f"{place.data_set}/{place.file_name}"):
                self._exact[name].append(place)
                self._plain[unicodedata.normalize("NFC", name)].append(place)
            self._cases[place.case_code].append(place)

    def find(self, name: str) -> tuple[SlicePlace | None, str]:
        """Return the slice and, where it needs saying, how it was found or why it was not."""
        last = name.replace("\\", "/").rsplit("/", 1)[-1]
        for table, word in ((self._exact, name), (self._plain, _nfc(name)), (self._plain, _nfc(last))):
            found = table.get(word, [])
            if len(found) == 1:
                return found[0], ""
            if found:
                return None, f"Several data sets have a slice {word!r}; write it as DATASET/NAME."
        found = self._cases.get(name, [])
        if len(found) == 1:
            return found[
                0
            ], f"{name!r} names a case; it has one slice, {found[0].file_name}, which was taken."
        if found:
            return None, f"{name!r} names a case of {len(found)} slices; which one is meant is not said."
        return None, "The study has no such slice."


def _nfc(name: str) -> str:
    return unicodedata.normalize("NFC", name)
