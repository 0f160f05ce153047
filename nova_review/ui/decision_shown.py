"""What the adjudication page is given to show, and what is selected in it: frozen values."""

from dataclasses import dataclass

from nova_review.domain.adjudication import Comparison, SliceDecision
from nova_review.services.adjudication_ports import OpenedDecision
from nova_review.ui.canvas.items import CanvasImage


@dataclass(frozen=True, slots=True)
class ShownDecision:
    """A slice as the page shows it."""

    opened: OpenedDecision
    image: CanvasImage | None
    problem: str


@dataclass(frozen=True, slots=True)
class Selection:
    """What is selected of a decision: a group, or a box that was drawn where no reader had one."""

    group: int | None = None
    box_id: str | None = None


NOTHING = Selection()


def first_selection(comparison: Comparison, decision: SliceDecision) -> Selection:
    """Return what is selected when a slice comes: its first group that is not settled, else its first."""
    numbers = [group.number for group in comparison.groups]
    unsettled = [number for number in numbers if not decision.for_group(number)]
    return Selection(group=next(iter(unsettled or numbers), None))
