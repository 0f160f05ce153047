"""Times how long a slice stands on the screen, for the view log. No Qt, no clock of its own."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from nova_review.domain.audit import ViewInterval, ViewKind
from nova_review.services.ports import Clock, Place


@dataclass(slots=True)
class _Running:
    place: Place
    stage: int
    kind: ViewKind
    started: float
    started_utc: str
    last_input: float
    focused: float = 0.0
    focused_since: float | None = None
    marked: bool = False


class ViewClock:
    """One running interval; `log` is given each one that ends.

    A pause is an interval of its own and no part of the time in view.
    """

    def __init__(self, clock: Clock, log: Callable[[ViewInterval], None]) -> None:
        self._clock = clock
        self._log = log
        self._running: _Running | None = None
        self._has_focus = True
        self._view: dict[str, object] = {}

    @property
    def is_paused(self) -> bool:
        return self._running is not None and self._running.kind is ViewKind.PAUSE

    def show(self, place: Place, stage: int) -> None:
        """A slice came on the screen; the one before it ends.

        Logged at once with no length, so that the slice counts as opened even if the process dies.
        """
        self.stop()
        self._start(place, stage, ViewKind.VISIBLE)
        assert self._running is not None
        self._log(self._ended(self._running, ViewKind.VISIBLE))

    def pause(self) -> None:
        """The canvas went black."""
        self._swap(ViewKind.PAUSE)

    def resume(self) -> None:
        """The slice came back."""
        self._swap(ViewKind.VISIBLE)

    def stop(self) -> None:
        """Nothing is on the screen any more."""
        running, self._running = self._running, None
        if running is not None:
            self._log(self._ended(running, running.kind))

    def set_focus(self, has_focus: bool) -> None:
        """The window gained or lost the focus."""
        self._has_focus = has_focus
        running = self._running
        if running is None:
            return
        now = self._clock.monotonic()
        if running.focused_since is not None:
            running.focused += now - running.focused_since
        running.focused_since = now if has_focus else None

    def touch(self) -> None:
        """A key or the mouse was used."""
        if self._running is not None:
            self._running.last_input = self._clock.monotonic()

    def note_mark(self) -> None:
        """A box was drawn; the first one in an interval is logged at once."""
        running = self._running
        if running is None or running.marked:
            return
        running.marked = True
        self._log(self._ended(running, ViewKind.FIRST_MARK))

    def note_view(self, **view: object) -> None:
        """Remember how the slice is shown (window, zoom, interpolation, keys), as JSON in the log."""
        self._view.update(view)

    def _swap(self, kind: ViewKind) -> None:
        running = self._running
        if running is not None and running.kind is not kind:
            self.stop()
            self._start(running.place, running.stage, kind)

    def _start(self, place: Place, stage: int, kind: ViewKind) -> None:
        now = self._clock.monotonic()
        since = now if self._has_focus else None
        self._running = _Running(place, stage, kind, now, self._clock.utc_now(), now, focused_since=since)

    def _ended(self, running: _Running, kind: ViewKind) -> ViewInterval:
        now = self._clock.monotonic()
        focused = running.focused + (
            now - running.focused_since if running.focused_since is not None else 0.0
        )
        return ViewInterval(
            presentation_id=running.place.presentation_id,
            slice_id=running.place.slice_id,
            stage=running.stage,
            kind=kind,
            started_utc=running.started_utc,
            process="",
            started=running.started,
            ended=now,
            last_input=running.last_input,
            focused_seconds=focused,
            view=json.dumps(self._view, sort_keys=True) if self._view else "",
        )
