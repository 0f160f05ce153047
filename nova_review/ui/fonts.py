"""The one type family: the system's own, with a shipped fallback where there is none worth reading."""

from functools import lru_cache

from PySide6.QtGui import QFont, QFontDatabase

from nova_review.services.resources import resource

_LAST_RESORTS = frozenset({"", "DejaVu Sans", "Bitstream Vera Sans", "Nimbus Sans", "Sans Serif"})


def base_font(pixel_size: int) -> QFont:
    """Return the program's font with figures of one width, so that numbers stand in columns."""
    font = QFont(_family())
    font.setPixelSize(pixel_size)
    font.setFeature(QFont.Tag("tnum"), 1)
    return font


@lru_cache(maxsize=1)
def _family() -> str:
    system = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont).family()
    known = QFontDatabase.families()
    if system in known and system not in _LAST_RESORTS:
        return system
    return _shipped_family() or system


def _shipped_family() -> str:
    families: list[str] = []
    for path in sorted(resource("fonts").glob("*.[ot]tf")):
        families += QFontDatabase.applicationFontFamilies(QFontDatabase.addApplicationFont(str(path)))
    return families[0] if families else ""
