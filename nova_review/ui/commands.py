"""The one undo command of the window: one answer swapped for another."""

from collections.abc import Callable
from typing import Any, TypeVar

from PySide6.QtGui import QUndoCommand

A = TypeVar("A")

_MERGING = 1
_ALONE = -1


def made(factory: Callable[..., Callable[[A], A]], *args: Any, **kwargs: Any) -> Callable[[A], A]:
    """Return an edit that is made when it is applied, so that a refusal by the factory is caught there."""
    return lambda answer: factory(*args, **kwargs)(answer)


class SwapAnswer(QUndoCommand):
    """Puts `after` in the place of `before`; undoing puts `before` back.

    `put` must not raise: a raising redo would stay on the stack. Commands with the same
    `merge` word become one step; if the step then changes nothing it drops out.
    """

    def __init__(
        self, put: Callable[[Any], None], before: Any, after: Any, *, merge: str | None = None
    ) -> None:
        super().__init__("change")  # seen in menus: it must tell nothing of the answer
        self._put = put
        self.before = before
        self.after = after
        self.merge = merge

    def redo(self) -> None:
        self._put(self.after)

    def undo(self) -> None:
        self._put(self.before)

    def id(self) -> int:
        return _ALONE if self.merge is None else _MERGING

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, SwapAnswer) or other.merge != self.merge:
            return False
        self.after = other.after
        self.setObsolete(self.before == self.after)
        return True
