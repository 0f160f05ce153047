"""The card of an exported data set: what it is, its licence, how it is cited, how it is loaded."""

import re

from nova_review.services.export_content import ExportContent
from nova_review.services.export_manifest import NOVA_NOTICE

_HUB_WORDS = {
    "cc by-nc-sa 4.0": "cc-by-nc-sa-4.0",
    "cc by-nc 4.0": "cc-by-nc-4.0",
    "cc by-sa 4.0": "cc-by-sa-4.0",
    "cc by 4.0": "cc-by-4.0",
    "cc0": "cc0-1.0",
    "cc0 1.0": "cc0-1.0",
    "mit": "mit",
    "bsd-3-clause": "bsd-3-clause",
    "apache-2.0": "apache-2.0",
}
"""The Hub's own words for licences that are met often."""


def card(content: ExportContent, *, with_pictures: bool) -> bytes:
    """Return README.md: a YAML head that `datasets` and the Hub read, and a page in words."""
    licence = content.material.licence
    pictures = "with pictures" if with_pictures else "without pictures (no licence is stated for them)"
    head = ["---", *_licence_lines(licence.name if licence else ""), *_configuration(), "---", ""]
    told = (
        f"Licence: {licence.name}, as stated in {licence.source}." if licence else "Licence: none is stated."
    )
    body = [
        f"# {content.data_set.code}",
        "",
        f"{len(content.data_set.slices)} slices of {len(content.data_set.cases)} cases, {pictures}. "
        "One row a slice; `bboxes` holds the gold and the readers' boxes in pixels.",
        "",
        told,
        "",
        NOVA_NOTICE,
        "",
        "Not for diagnosis.",
        "",
    ]
    return "\n".join([*head, *body]).encode("utf-8")


def _licence_lines(name: str) -> list[str]:
    if not name:
        return ["license: unknown"]
    plain = re.sub(r"[\s_]+", " ", name.strip().casefold())
    word = _HUB_WORDS.get(plain) or (plain if plain in _HUB_WORDS.values() else None)
    if word:
        return [f"license: {word}"]
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    return ["license: other", f'license_name: "{quoted}"']


def _configuration() -> list[str]:
    return [
        "configs:",
        "- config_name: default",
        "  data_files:",
        "  - split: train",
        "    path: data/train-*.parquet",
    ]
