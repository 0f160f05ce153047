"""A reader's stored order: finding a place in it, naming it, and what must be locked together."""

from collections.abc import Sequence
from functools import cached_property

from nova_review.domain.errors import NotAllowedError
from nova_review.domain.protocol import Level, Protocol, Unit
from nova_review.domain.study import Presentation
from nova_review.domain.visibility import (
    isolated_place_in_words,
    level_answered,
    place_in_words,
    reveal_scope,
)
from nova_review.services.ports import Place


class Order:
    """One reader's presentations, as they were stored when the study was made.

    Attributes: `presentations` by position, `protocol`.
    """

    def __init__(self, presentations: Sequence[Presentation], protocol: Protocol) -> None:
        self.presentations = tuple(presentations)
        self.protocol = protocol

    @cached_property
    def _by_id(self) -> dict[str, Presentation]:
        return {p.id: p for p in self.presentations}

    @cached_property
    def _first_place(self) -> dict[str, Place]:
        places: dict[str, Place] = {}
        for presentation in self.presentations:
            for slice_id in presentation.slice_ids:
                places.setdefault(slice_id, Place(presentation.id, slice_id))
        return places

    @cached_property
    def _by_reading(self) -> dict[tuple[str, str, str], list[Presentation]]:
        found: dict[tuple[str, str, str], list[Presentation]] = {}
        for presentation in self.presentations:
            key = (presentation.case_id, presentation.arm, presentation.occasion)
            found.setdefault(key, []).append(presentation)
        return found

    @cached_property
    def _numbers(self) -> dict[str, tuple[int, int]]:
        """Number within, and size of, the presentations of the same kind (slices or cases)."""
        kinds: dict[bool, list[str]] = {}
        for presentation in self.presentations:
            kinds.setdefault(self.is_isolated_slice(presentation), []).append(presentation.id)
        return {p: (n, len(ids)) for ids in kinds.values() for n, p in enumerate(ids, start=1)}

    def presentation(self, presentation_id: str) -> Presentation:
        """Return a presentation of this reader; raises NotAllowedError for any other."""
        found = self._by_id.get(presentation_id)
        if found is None:
            raise NotAllowedError("This case is not in your own list. Open the study again.")
        return found

    def presentation_at(self, place: Place) -> Presentation:
        """Return the presentation of a place; raises NotAllowedError if the slice is not in it."""
        presentation = self.presentation(place.presentation_id)
        if place.slice_id not in presentation.slice_ids:
            raise NotAllowedError("This slice is not in your own list. Open the study again.")
        return presentation

    def place_of(self, slice_id: str) -> Place:
        """Return the first place of a slice; raises NotAllowedError if this reader has none."""
        place = self._first_place.get(slice_id)
        if place is None:
            raise NotAllowedError("This slice is not in your own list. Open the study again.")
        return place

    def of_reading(self, presentation: Presentation) -> Sequence[Presentation]:
        """Return all presentations of the same case in the same arm and on the same occasion."""
        return self._by_reading[presentation.case_id, presentation.arm, presentation.occasion]

    def is_isolated_slice(self, presentation: Presentation) -> bool:
        """Whether this is one slice by itself, whose case is hidden."""
        arm = self.protocol.arm(presentation.arm)
        return self.protocol.unit is Unit.SLICE and level_answered(presentation, arm, Level.SLICE)

    def words(self, place: Place) -> str:
        """Return the only name that a slice has for its reader."""
        presentation = self.presentation_at(place)
        number, count = self._numbers[presentation.id]
        if self.is_isolated_slice(presentation):
            return isolated_place_in_words(number=number, slices=count)
        return place_in_words(
            position=number,
            positions=count,
            number=presentation.slice_ids.index(place.slice_id) + 1,
            slices=len(presentation.slice_ids),
        )

    def scope(self, presentation: Presentation) -> frozenset[str]:
        """Return the slices that must be locked before this case's history appears."""
        return reveal_scope(self.protocol.unit, presentation, self.presentations)
