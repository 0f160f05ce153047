"""Gathers small turns of a wheel or touchpad into whole notches. No Qt."""

NOTCH = 120


class WheelSteps:
    """Turns add up; a change of direction starts anew, so that one notch back is one step."""

    def __init__(self) -> None:
        self._rest = 0

    def turned(self, eighths: int) -> int:
        """Return the whole notches that are full after a turn of `eighths` of a degree."""
        if eighths * self._rest < 0:
            self._rest = 0
        self._rest += eighths
        steps = int(self._rest / NOTCH)
        self._rest -= steps * NOTCH
        return steps
