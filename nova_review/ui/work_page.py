"""What the window asks of a page with a session: reading, or adjudication."""

from collections.abc import Sequence
from typing import Any
from typing import Protocol as Port

from PySide6.QtGui import QKeyEvent

from nova_review.ui.actions import Action, KeyBook
from nova_review.ui.saver import SaveState
from nova_review.ui.view_log import ViewClock


class WorkSession(Port):
    """The part of a session that closing the window has to do with."""

    settled: Any
    save_state_changed: Any
    clock: ViewClock

    @property
    def is_settled(self) -> bool: ...
    @property
    def is_writing(self) -> bool: ...
    @property
    def save_state(self) -> SaveState: ...

    def shut(self) -> None:
        """The window is closing."""
        ...

    def stay(self) -> None:
        """The window does not close after all."""
        ...

    def flush(self) -> None:
        """Save what is in hand, now."""
        ...

    def retry_save(self) -> None:
        """Try again to save after a failure."""
        ...


class WorkControl(Port):
    """Does actions by name."""

    def press(self, name: str) -> bool:
        """Do an action if it is allowed now; return whether the key was used."""
        ...

    def release(self, name: str) -> None:
        """The key of an action went up."""
        ...

    def grab(self, event: QKeyEvent) -> bool:
        """Use a key before any action."""
        ...

    def may_do(self, name: str) -> bool:
        """Whether an action is allowed now."""
        ...


class WorkPage(Port):
    """A page with a session, keys and a help sheet; `keys_changed` is a signal."""

    keys_changed: Any

    @property
    def session(self) -> WorkSession: ...
    @property
    def control(self) -> WorkControl: ...
    @property
    def key_book(self) -> KeyBook: ...
    @property
    def action_table(self) -> Sequence[Action]: ...
    @property
    def presets(self) -> Sequence[str]: ...

    def show_keys(self) -> None:
        """Show the keys beside their controls as they are bound now."""
        ...

    def note_keys(self) -> None:
        """Note in the view log which keys are used."""
        ...

    def toggle_help(self) -> None:
        """Show or hide the list of all keys."""
        ...

    def change_keys(self) -> None:
        """Let keys be changed."""
        ...

    def is_covered(self) -> bool:
        """Whether something lies over the page that has the keys for itself."""
        ...

    def end(self) -> None:
        """The window has closed."""
        ...
