"""What one panel paints at the moment: the picture, the boxes, and the drag under way. No Qt.

It holds nothing that outlives the panel: answers live in the session.
"""

from dataclasses import dataclass, replace

from nova_review.domain.geometry import Box
from nova_review.ui.canvas.hit_test import HitTarget, Zone, boxes_under, hit_target, next_selection
from nova_review.ui.canvas.items import BoxRole, CanvasBox
from nova_review.ui.canvas.transform import ViewTransform

DRAFT_ID = "draft"


@dataclass(slots=True)
class Scene:
    """Boxes as given, the `selected` one, the `draft` being drawn, the `changing` box with its live place.

    `hidden` leaves out all boxes; `handles` is off where boxes cannot be changed; the tags of `marked`
    boxes are shown like that of the selected one.
    """

    boxes: tuple[CanvasBox, ...] = ()
    selected: str | None = None
    draft: Box | None = None
    draft_role: BoxRole = BoxRole.READER
    changing: tuple[str, Box] | None = None
    hidden: bool = False
    marked: frozenset[str] = frozenset()
    handles: bool = True

    def shown(self) -> tuple[CanvasBox, ...]:
        """Return the boxes to paint, with the live place of a changing one."""
        if self.hidden:
            return ()
        if self.changing is None:
            return self.boxes
        box_id, box = self.changing
        return tuple(replace(item, box=box) if item.id == box_id else item for item in self.boxes)

    def find(self, box_id: str | None) -> CanvasBox | None:
        return next((item for item in self.boxes if item.id == box_id), None)

    def draft_item(self) -> CanvasBox | None:
        return None if self.draft is None else CanvasBox(DRAFT_ID, self.draft, self.draft_role)

    def target_at(self, spot: tuple[float, float], transform: ViewTransform) -> HitTarget:
        if self.hidden:
            return HitTarget(Zone.EMPTY)
        x, y = transform.to_picture(*spot)
        return hit_target(x, y, self.boxes, self.selected, pixel=1 / transform.scale)

    def click_selects(self, spot: tuple[float, float], transform: ViewTransform) -> str | None:
        """Return what a click at a point of the panel selects, None for nothing."""
        return next_selection(self.under(spot, transform), self.selected)

    def under(self, spot: tuple[float, float], transform: ViewTransform) -> tuple[CanvasBox, ...]:
        """Return the boxes under a point of the panel, the smallest first."""
        if self.hidden:
            return ()
        x, y = transform.to_picture(*spot)
        return boxes_under(x, y, self.boxes, pixel=1 / transform.scale)
