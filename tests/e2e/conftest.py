"""A screen to look at and hands to work with."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from nova_review.services.system_parts import Need, missing_parts
from tests.helpers.screen import VirtualScreen
from tests.helpers.xdriver import Hands

LETTERS = "ÄÖÜäöüß„“é°µ–你"


@pytest.fixture(scope="module")
def screen() -> Iterator[VirtualScreen]:
    """An Xvfb of 1280 x 800; skips with the reason where one cannot be started."""
    missing = missing_parts([Need.SCREEN, Need.TESTS])
    if missing:
        names = ", ".join(part.name for part in missing)
        (pytest.fail if os.environ.get("CI") else pytest.skip)(
            f"missing here: {names} (scripts/test says how)"
        )
    screen = VirtualScreen()
    yield screen
    screen.close()


@pytest.fixture(scope="module")
def hands(screen: VirtualScreen) -> Iterator[Hands]:
    """Keyboard and mouse of that screen."""
    hands = Hands(screen.display, letters=LETTERS)
    yield hands
    hands.close()


@pytest.fixture
def artefacts(tmp_path: Path) -> Path:
    """Where screenshots go: NOVA_REVIEW_ARTEFACTS, or a folder of the test."""
    folder = Path(os.environ.get("NOVA_REVIEW_ARTEFACTS", tmp_path / "artefacts"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder
