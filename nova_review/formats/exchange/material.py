"""What lies in a data set's folder beside its tables: the licence it states, its parquet's row order.

A licence counts as stated where a README, licence, notice or provenance file in the root names one.
"""

import re
from pathlib import Path

from nova_review.domain.errors import FormatError
from nova_review.formats.embedding import encoded
from nova_review.formats.images import decode
from nova_review.services.export_material import Licence

PARQUETS = ("data/nova-v1.parquet", "nova-v1.parquet")
NOVA_LICENCE = Licence(
    "CC BY-NC-SA 4.0",
    "NOVA: Bercea et al., arXiv 2505.14064. CC BY-NC-SA 4.0. Evaluation only, never for training.\n",
    "the NOVA benchmark",
)
_NOVA_FOLDER = re.compile(r"(?:c-i-ber|ano-2090)-{1,2}nova", re.IGNORECASE)
_PLACES = ("license", "licence", "copying", "readme", "notice", "provenance", "dataset_card", "datasheet")
_HEAD = re.compile(r"^license(?:_name)?:[ \t]*[\"']?([^\"'\n#]+)", re.IGNORECASE | re.MULTILINE)
_KNOWN = re.compile(
    r"\bCC[ -]?0(?:[ -]1\.0)?\b|\bCC[ -]BY(?:-NC)?(?:-SA|-ND)?(?:[ -]\d\.\d)?|\bBSD-[23]-Clause\b|"
    r"\bApache(?: License,?)?(?: Version|-)? ?2\.0\b|\bMIT(?= licen[sc]e\b)|\bODbL\b|\bPDDL\b|"
    r"\bpublic domain\b",
    re.IGNORECASE,
)
_MOST_BYTES = 200_000


def licence_of(root: Path) -> Licence | None:
    """Return the licence that a data set's folder states, None where no file there names one."""
    for file in _candidates(root):
        text = _text(file)
        name = _named(text, is_licence_file=file.name.casefold().startswith(("licen", "copying")))
        if name:
            return Licence(name, text, file.name)
    return NOVA_LICENCE if _NOVA_FOLDER.search(root.name) else None


def parquet_names(root: Path) -> tuple[str, ...] | None:
    """Return the file names in the row order of the data set's own parquet, None where it has none."""
    file = next((root / name for name in PARQUETS if (root / name).is_file()), None)
    if file is None:
        return None
    import pyarrow as pa  # slow import
    import pyarrow.parquet as pq  # slow import

    try:
        names = pq.read_table(file, columns=["filename"])["filename"].to_pylist()
    except (pa.ArrowException, OSError, ValueError, KeyError):
        return None
    return tuple(str(name) for name in names)


def plain_picture(data: bytes, *, name: str) -> bytes | None:
    """Return a picture's pixels as a file of our own, without whatever else its file said; None if broken."""
    try:
        return encoded(decode(data, name=name))
    except FormatError:
        return None


def _candidates(root: Path) -> list[Path]:
    try:
        files = [
            p for p in root.iterdir() if p.is_file() and p.suffix.casefold() in ("", ".md", ".txt", ".rst")
        ]
    except OSError:
        return []
    ranked = [
        (rank, p.name, p)
        for p in files
        for rank, word in enumerate(_PLACES)
        if p.name.casefold().startswith(word)
    ]
    return [p for _, _, p in sorted(ranked)]


def _text(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(_MOST_BYTES).decode("utf-8", "replace")
    except OSError:
        return ""


def _named(text: str, *, is_licence_file: bool) -> str:
    head = _HEAD.search(text)
    if head and head[1].strip().casefold() not in ("", "unknown", "other", "none"):
        return " ".join(head[1].split())
    found: dict[str, str] = {}
    for match in _KNOWN.finditer(text):
        name = " ".join(match.group().split())
        found.setdefault(name.casefold().replace("-", " "), name)
    if found:
        return ", ".join(found.values())
    first = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return first[:80] if is_licence_file else ""
