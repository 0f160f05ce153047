"""Where Tab goes: through the parts of the page as they are read, not as they were made."""

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QWidget


def next_stop(parts: Sequence[QWidget], *, forward: bool) -> QWidget | None:
    """Return the control after (or before) the one that has the keyboard, round the page."""
    stops = [stop for part in parts for stop in _stops_in(part)]
    if not stops:
        return None
    focus = QApplication.focusWidget()
    if focus not in stops:
        return stops[0] if forward else stops[-1]
    return stops[(stops.index(focus) + (1 if forward else -1)) % len(stops)]


def _stops_in(part: QWidget) -> list[QWidget]:
    """The controls of a part that Tab can reach, in the order of the eye: line by line."""
    found = [w for w in (part, *part.findChildren(QWidget)) if _is_stop(w)]
    return sorted(found, key=lambda w: _place(w, part))


def _is_stop(widget: QWidget) -> bool:
    takes_tab = bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus)
    return takes_tab and widget.isVisible() and widget.isEnabled() and widget.focusProxy() is None


def _place(widget: QWidget, part: QWidget) -> tuple[int, int]:
    corner = widget.mapTo(part, QPoint(0, widget.height() // 2)) if widget is not part else QPoint(0, 0)
    return corner.y() // 8, corner.x()
