"""Several small lesions of one kind."""

from demo.lesions import Lesion, Part, Point, ball, within_brain


def spots(tissue: str, seen: frozenset[str], *places: tuple[Point, Point]) -> tuple[Lesion, ...]:
    """Return small lesions of one tissue, each (centre, radii) a lesion of its own."""
    return tuple(
        Lesion((Part(within_brain(ball(centre, radii, rough=0.14, soft=1.6)), tissue, 0.03, seen_in=seen),))
        for centre, radii in places
    )
