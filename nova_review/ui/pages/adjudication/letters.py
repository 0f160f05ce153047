"""How a layer looks: the letter decides, and letters are dealt anew for each slice."""

from string import ascii_uppercase

from nova_review.ui.canvas.items import BoxRole

_ROLES = (
    BoxRole.LAYER_A,
    BoxRole.LAYER_B,
    BoxRole.LAYER_C,
    BoxRole.MODEL_1,
    BoxRole.MODEL_2,
    BoxRole.MODEL_3,
)
OWN_ROLE = BoxRole.MODEL_4
"""The adjudicator's own answer: grey and dotted, behind the layers."""


def role_of(letter: str) -> BoxRole:
    """Return the role of a layer by its letter; from G on the looks come again."""
    return _ROLES[ascii_uppercase.index(letter[-1]) % len(_ROLES)]
