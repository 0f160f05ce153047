"""Paints one panel from bottom to top: black, picture, boxes, tags, handles, frame."""

from collections.abc import Sequence, Set

from PySide6.QtGui import QFont

from nova_review.domain.geometry import Box
from nova_review.ui.canvas.items import CanvasBox
from nova_review.ui.canvas.paint import Ink, paint_boxes, paint_handles, paint_tag, tag_sizes
from nova_review.ui.canvas.scene import Scene
from nova_review.ui.canvas.tags import place_tags
from nova_review.ui.canvas.transform import Panel, ViewTransform

TAGS_FROM_ZOOM = 0.6
"""Under this zoom the tags are hidden: they would cover more than they tell."""


class BoxLayer:
    """Paints the boxes of a scene; remembers where the tags went while nothing moves."""

    def __init__(self) -> None:
        self._key: object = None
        self._places: tuple[Box | None, ...] = ()

    def paint(self, ink: Ink, scene: Scene, transform: ViewTransform, panel: Panel) -> None:
        """Paint the boxes, the selected one last, then tags, handles and the draft."""
        items = scene.shown()
        placed = [(item, transform.box_on_screen(item.box)) for item in items]
        paint_boxes(ink, sorted(placed, key=lambda pair: pair[0].id == scene.selected))
        if transform.scale * panel.ratio >= TAGS_FROM_ZOOM:
            self._paint_tags(ink, items, scene.marked | {scene.selected}, transform, panel)
        for item, on_screen in placed:
            if item.id == scene.selected and scene.handles:
                paint_handles(ink, on_screen)
        draft = scene.draft_item()
        if draft is not None:
            paint_boxes(ink, [(draft, transform.box_on_screen(draft.box))])

    def tags(self) -> tuple[Box | None, ...]:
        """Return where the tags stand that were painted last, on the screen."""
        return self._places

    def _paint_tags(
        self,
        ink: Ink,
        items: Sequence[CanvasBox],
        reversed_of: Set[str | None],
        transform: ViewTransform,
        panel: Panel,
    ) -> None:
        places = self._tag_places(items, transform, panel, ink.painter.font())
        for item, place in zip(items, places, strict=True):
            if place is not None:
                paint_tag(ink, item, place, selected=item.id in reversed_of)

    def _tag_places(
        self, items: Sequence[CanvasBox], transform: ViewTransform, panel: Panel, font: QFont
    ) -> tuple[Box | None, ...]:
        key = (tuple(items), transform, panel, font.key())
        if key != self._key:
            boxes = [transform.box_on_screen(item.box) for item in items]
            area = Box(0, 0, panel.width, panel.height)
            self._key, self._places = key, place_tags(boxes, tag_sizes(items, font), area)
        return self._places
