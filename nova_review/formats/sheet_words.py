"""Words drawn into pictures: the shipped type, and other fonts of the system for what it cannot write."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PIL import ImageDraw, ImageFont

from nova_review.services.resources import resource

_NORMAL, _STRONG = "Inter-Regular.otf", "Inter-SemiBold.otf"
_PREFERRED = ("NotoSansCJK", "NotoSans-Regular", "DroidSansFallback", "DejaVuSans.ttf", "ArialUnicode")
_UNFIT = ("color", "emoji", "lastresort")
"""Fonts with pictures for glyphs, or with none, cannot be drawn at any size."""


@dataclass(frozen=True, slots=True)
class Lettering:
    """The look of words: size in pixels, colour, and whether they are strong."""

    size: int
    colour: str
    strong: bool = False

    @property
    def _file(self) -> str:
        return _STRONG if self.strong else _NORMAL

    def width(self, text: str) -> float:
        """Return the width of a text in pixels."""
        return sum(_font(path, self.size).getlength(run) for path, run in _runs(text, self._file))

    def draw(self, onto: ImageDraw.ImageDraw, x: float, baseline: float, text: str) -> None:
        """Write a text on one line from `x` on."""
        for path, run in _runs(text, self._file):
            font = _font(path, self.size)
            onto.text((x, baseline), run, font=font, fill=self.colour, anchor="ls")
            x += font.getlength(run)

    def shortened(self, text: str, room: float) -> str:
        """Return as much of a text as there is room for, with an ellipsis where it is cut."""
        line = one_line(text)
        if self.width(line) <= room:
            return line
        low, high = 0, len(line)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (
                (middle, high) if self.width(f"{line[:middle].rstrip()}…") <= room else (low, middle - 1)
            )
        return f"{line[:low].rstrip()}…"

    def wrapped(self, text: str, room: float, most: int) -> list[str]:
        """Return at most `most` lines; the last one ends in an ellipsis where something is left out."""
        words, lines = one_line(text).split(" "), [""]
        for place, word in enumerate(words):
            longer = f"{lines[-1]} {word}".strip()
            if self.width(longer) <= room or not lines[-1]:
                lines[-1] = longer
            elif len(lines) < most:
                lines.append(word)
            else:
                lines[-1] = f"{lines[-1]} {' '.join(words[place:])}"
                break
        return [self.shortened(line, room) for line in lines if line]


def one_line(text: str) -> str:
    """Return a text on one line: control characters and line ends become spaces."""
    kept = (" " if unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") else c for c in text)
    return " ".join("".join(kept).split())


def _runs(text: str, own: str) -> Iterator[tuple[str, str]]:
    """Parts of a text, each with the file of a font that can write it."""
    path, run = "", ""
    for letter in text:
        wanted = _file_for(letter, own) if not _is_joined(letter) or not path else path
        if wanted != path and run:
            yield path, run
            run = ""
        path, run = wanted, run + letter
    if run:
        yield path, run


def _is_joined(letter: str) -> bool:
    """Whether a letter belongs to the one before (an accent, a joiner), or is a space."""
    return letter == " " or unicodedata.category(letter) in ("Mn", "Me", "Cf")


@lru_cache(maxsize=64)
def _font(path: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)


@lru_cache(maxsize=2)
def _shipped(name: str) -> str:
    return str(resource("fonts", name))


@lru_cache(maxsize=4096)
def _file_for(letter: str, own: str) -> str:
    shipped = _shipped(own)
    if _has(shipped, letter):
        return shipped
    return next((path for path in _system_fonts() if _has(path, letter)), shipped)


def _has(path: str, letter: str) -> bool:
    glyphs = _glyphs(path)
    return glyphs is not None and ord(letter) in glyphs


@lru_cache(maxsize=256)
def _glyphs(path: str) -> frozenset[int] | None:
    """The letters that a font can write; None where it cannot be read."""
    from matplotlib.ft2font import FT2Font  # slow import

    try:
        _font(path, 16)
        return frozenset(FT2Font(path).get_charmap())
    except (OSError, RuntimeError):
        return None


@lru_cache(maxsize=1)
def _system_fonts() -> Sequence[str]:
    from matplotlib.font_manager import findSystemFonts  # slow import

    found = [path for path in findSystemFonts() if not any(word in path.lower() for word in _UNFIT)]
    return sorted(found, key=lambda path: (_rank(path), path))


def _rank(path: str) -> int:
    return next((k for k, name in enumerate(_PREFERRED) if name.lower() in path.lower()), len(_PREFERRED))
