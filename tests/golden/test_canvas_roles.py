"""How each role looks on dark and light grey, compared with a stored picture.

`NOVA_REVIEW_GOLDEN=write` stores it anew; look at it before you commit it. Tags are left out:
they are text, and fonts differ between machines.
"""

import os
from pathlib import Path

import pytest
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from nova_review.domain.geometry import Box
from nova_review.ui.canvas.view import BoxRole, CanvasBox, CanvasImage, SliceView

FOLDER = Path(__file__).resolve().parent
SIDE, STEP = 480, 112
NOTICEABLE = 40  # of 255, in any channel
TOLERATED = 0.002  # share of pixels


def striped_image() -> CanvasImage:
    """Vertical stripes of black, dark, middle, light grey and white under every row of boxes."""
    row = bytes((0, 70, 128, 190, 255)[(x // 14) % 5] for x in range(SIDE))
    return CanvasImage(SIDE, SIDE, row * SIDE)


def role_boxes() -> tuple[CanvasBox, ...]:
    return tuple(
        CanvasBox(role.value, Box(18 + (i % 4) * STEP, 18 + (i // 4) * STEP, 88.4, 76.7), role)
        for i, role in enumerate(BoxRole)
    )


def channels(image: QImage) -> bytes:
    plain = image.convertToFormat(QImage.Format.Format_RGBX8888)  # named: its bits die with it
    return bytes(plain.constBits())


def difference(a: QImage, b: QImage) -> float:
    """The share of pixels that differ noticeably."""
    assert a.size() == b.size()
    changed = [abs(x - y) > NOTICEABLE for x, y in zip(channels(a), channels(b), strict=True)]
    noticed = sum(any(changed[i : i + 4]) for i in range(0, len(changed), 4))
    return noticed * 4 / len(changed)


@pytest.mark.parametrize(("name", "percent"), [("roles_100", 100), ("roles_60", 59)])
def test_roles_look_as_they_did(qtbot: QtBot, name: str, percent: float) -> None:
    view = SliceView()
    qtbot.addWidget(view)
    view.resize(SIDE + 16, SIDE + 16)
    view.show_image(striped_image())
    view.show_findings((*role_boxes(), CanvasBox("small", Box(380, 380, 12, 9))), BoxRole.READER.value)
    view.set_active(active=True)
    view.zoom_to(percent)
    shot = view.grab().toImage()
    path = FOLDER / f"{name}.png"
    if os.environ.get("NOVA_REVIEW_GOLDEN") == "write":
        shot.save(str(path))
    assert difference(shot, QImage(str(path))) <= TOLERATED


def test_the_comparison_notices_a_changed_role(qtbot: QtBot) -> None:
    view = SliceView()
    qtbot.addWidget(view)
    view.resize(SIDE + 16, SIDE + 16)
    view.show_image(striped_image())
    shots = []
    for role in (BoxRole.LAYER_A, BoxRole.LAYER_B):
        view.show_findings((CanvasBox("1", Box(100, 100, 200, 200), role),), None)
        shots.append(view.grab().toImage())
    assert difference(*shots) > TOLERATED
