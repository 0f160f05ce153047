"""What the page is given to show: frozen values."""

from dataclasses import dataclass

from nova_review.domain.reading import CaseAnswer, SliceAnswer
from nova_review.services.ports import OpenedCase, OpenedSlice
from nova_review.ui.canvas.items import CanvasImage


@dataclass(frozen=True, slots=True)
class ShownSlice:
    """A slice as the page shows it; `answer` is the one in hand, which may be newer than the stored one."""

    opened: OpenedSlice
    answer: SliceAnswer
    image: CanvasImage | None
    problem: str


@dataclass(frozen=True, slots=True)
class ShownCase:
    """A case as the page shows it, with the answer in hand."""

    opened: OpenedCase
    answer: CaseAnswer
