"""Icons: own drawings, one stroke weight on a 24 px grid, in the colour asked for."""

from functools import lru_cache
from pathlib import Path

from PySide6.QtCore import QByteArray, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QImage, QPainter, QPixmap

from nova_review.services.resources import resource


def icons_folder() -> Path:
    return resource("icons")


def icon(name: str, *, colour: str = "#d9dee5", faint: str = "#6b7480") -> QIcon:
    """Return the icon `name` (resources/icons/name.svg); `faint` is its disabled colour."""
    return QIcon(_SvgEngine(name, colour, faint))


def icon_pixmap(name: str, size: int, *, colour: str = "#d9dee5", ratio: float = 1.0) -> QPixmap:
    """Return the icon as a pixmap of `size` logical pixels for a device pixel ratio."""
    side = round(size * ratio)
    pixmap = QPixmap.fromImage(_drawn(name, side, side, colour))
    pixmap.setDevicePixelRatio(ratio)
    return pixmap


@lru_cache(maxsize=256)
def _source(name: str) -> str:
    return resource("icons", f"{name}.svg").read_text(encoding="utf-8")


@lru_cache(maxsize=1024)
def _drawn(name: str, width: int, height: int, colour: str) -> QImage:
    from PySide6.QtSvg import QSvgRenderer  # slow import: the picture is painted before the first icon

    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    image.fill(Qt.GlobalColor.transparent)
    text = _source(name).replace("currentColor", colour)
    renderer = QSvgRenderer(QByteArray(text.encode()))
    painter = QPainter(image)
    side = min(width, height)
    renderer.render(painter, QRectF((width - side) / 2, (height - side) / 2, side, side))
    painter.end()
    return image


class _SvgEngine(QIconEngine):
    """Draws one SVG at whatever size and device pixel ratio is asked for."""

    def __init__(self, name: str, colour: str, faint: str) -> None:
        super().__init__()
        self._name, self._colour, self._faint = name, colour, faint
        _source(name)

    def clone(self) -> QIconEngine:
        return _SvgEngine(self._name, self._colour, self._faint)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return QPixmap.fromImage(_drawn(self._name, size.width(), size.height(), self._tint(mode)))

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        pixmap = self.pixmap(size, mode, state)
        pixmap.setDevicePixelRatio(scale)
        return pixmap

    def paint(self, painter: QPainter, rect: object, mode: QIcon.Mode, state: QIcon.State) -> None:
        ratio = painter.device().devicePixelRatioF()
        area = QRectF(rect)  # type: ignore[call-overload]
        size = (area.size() * ratio).toSize()
        painter.drawImage(area, _drawn(self._name, size.width(), size.height(), self._tint(mode)))

    def _tint(self, mode: QIcon.Mode) -> str:
        return self._faint if mode == QIcon.Mode.Disabled else self._colour
