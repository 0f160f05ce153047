"""Makes slices ready for the adjudicator: the newest of the study file, with a kept picture.

Everything here runs in the reading worker, one after the other: pictures need no lock.
"""

from collections import OrderedDict
from dataclasses import dataclass

from nova_review.domain.errors import UserError
from nova_review.services.adjudication_ports import AdjudicationDesk, OpenedDecision
from nova_review.ui.canvas.items import CanvasImage
from nova_review.ui.picture_cache import canvas_image

MOST_PICTURES = 12


@dataclass(frozen=True, slots=True)
class LoadedDecision:
    """A slice ready to be shown; `problem` is the sentence in the place of a picture."""

    opened: OpenedDecision
    image: CanvasImage | None
    problem: str


class DecisionLoader:
    """Reads slices; keeps the pictures of the last ones and of those to come."""

    def __init__(self, desk: AdjudicationDesk) -> None:
        self._desk = desk
        self._pictures: OrderedDict[str, CanvasImage] = OrderedDict()

    def load(self, slice_id: str) -> LoadedDecision:
        """Return a slice as it stands now; a picture that cannot be shown is a sentence."""
        opened = self._desk.open(slice_id)
        if opened.image_problem:
            return LoadedDecision(opened, None, opened.image_problem)
        try:
            return LoadedDecision(opened, self._picture(slice_id), "")
        except UserError as error:
            return LoadedDecision(opened, None, str(error))

    def decode_ahead(self, slice_id: str) -> None:
        """Keep the picture of a slice ready; what is wrong with it is told when it is opened."""
        try:
            self._picture(slice_id)
        except UserError:
            return

    def _picture(self, slice_id: str) -> CanvasImage:
        image = self._pictures.pop(slice_id, None) or canvas_image(self._desk.picture(slice_id))
        self._pictures[slice_id] = image
        while len(self._pictures) > MOST_PICTURES:
            self._pictures.popitem(last=False)
        return image
