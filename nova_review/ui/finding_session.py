"""What drawing and describing findings asks of a session, whoever's answer it is."""

from typing import Protocol as Port

from nova_review.domain.edits import SliceEdit
from nova_review.domain.protocol import Protocol
from nova_review.domain.reading import Finding, SliceAnswer


class Sized(Port):
    """Anything with the width and the height of a picture."""

    @property
    def width(self) -> int: ...
    @property
    def height(self) -> int: ...


class FindingSession(Port):
    """One answer on one slice, in hand."""

    @property
    def protocol(self) -> Protocol: ...
    @property
    def opened(self) -> Sized | None: ...
    @property
    def answer(self) -> SliceAnswer | None: ...
    @property
    def selected(self) -> Finding | None: ...
    @property
    def new_label(self) -> str: ...

    def apply(self, edit: SliceEdit, *, merge: str | None = None) -> bool:
        """Change the answer by a pure edit; return whether it was accepted."""
        ...

    def select(self, finding_id: str | None) -> None:
        """Select a finding, or none."""
        ...

    def remember_label(self, label: str) -> None:
        """The label that new boxes get from now on."""
        ...

    def end_merge(self) -> None:
        """What follows is another step."""
        ...

    def lock(self) -> None:
        """Lock the answer and go on."""
        ...
