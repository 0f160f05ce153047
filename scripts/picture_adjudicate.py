"""Makes the picture of the adjudication page for the README, from the demo study, without a screen.

    .venv/bin/python scripts/picture_adjudicate.py adjudicate.png [WIDTH HEIGHT]

`make_picture` is what another script calls. The study is made in a folder of its own and thrown away.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from uuid import uuid4

from PySide6.QtCore import QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from nova_review.bootstrap.house import HouseServices
from nova_review.domain.adjudication import GroupState, Mode, group_state
from nova_review.domain.geometry import Size, moved
from nova_review.domain.reading import Caption, Finding, Normality, Outcome, SliceAnswer
from nova_review.formats.images import decode
from nova_review.services.adjudication import Desk, open_adjudication
from nova_review.services.adjudication_ports import OpenedDecision
from nova_review.services.clock import SystemClock
from nova_review.storage.decision_store import SqlAdjudicationStore
from nova_review.storage.engine import open_store
from nova_review.ui.adjudication_session import AdjudicationSession
from nova_review.ui.main_window import MainWindow
from nova_review.ui.pages.adjudicate import AdjudicatePage
from nova_review.ui.theme import apply_theme
from nova_review.ui.workers import start_workers

SIZE = (1280, 800)
PATIENCE_SECONDS = 20.0


def make_picture(out: Path, *, size: tuple[int, int] = SIZE) -> None:
    """Write a PNG of the page with one group settled and another to be settled."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QApplication.instance() or QApplication(sys.argv[:1])
    assert isinstance(app, QApplication)
    apply_theme(app)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "demo.nova"
        HouseServices(log_file=None).demo.write(file, lambda _done, _total: True)
        store = open_store(file)
        try:
            rows = SqlAdjudicationStore(store)
            desk = open_adjudication(rows, "Adjudicator", SystemClock(), lambda: str(uuid4()), decode)
            slice_id = _telling_slice(rows)
            _answer(desk, slice_id, rows)
            _grab(desk, slice_id, out, settings=Path(folder) / "settings.ini", size=size)
        finally:
            store.close()


def _telling_slice(rows: SqlAdjudicationStore) -> str:
    """A slice with a group that two layers share and another that only one has."""
    desk = open_adjudication(
        rows, "Looker", SystemClock(), lambda: str(uuid4()), decode, mode=Mode.LAYERS_AT_ONCE
    )
    for entry in desk.queue().entries:
        opened = desk.open(entry.slice_id)
        states = {group_state(opened.comparison, g, opened.decision) for g in opened.comparison.groups}
        if GroupState.ONLY_SOME in states and len(states) > 1 and _first_is_shared(opened):
            return entry.slice_id
    raise SystemExit("The demo study has no slice with a shared group and a lone one.")


def _first_is_shared(opened: OpenedDecision) -> bool:
    groups = opened.comparison.groups
    return len(groups[0].members) == 2 and 0.3 < groups[0].ious[0].iou < 0.85


def _answer(desk: Desk, slice_id: str, rows: SqlAdjudicationStore) -> None:
    """Lock an answer of the adjudicator's own: near one reader's box, not quite the same."""
    looker = open_adjudication(
        rows, "Looker", SystemClock(), lambda: str(uuid4()), decode, mode=Mode.LAYERS_AT_ONCE
    )
    opened = looker.open(slice_id)
    seen = opened.comparison.findings(opened.comparison.groups[0])[0]
    box = moved(seen.box, 4, -3, Size(opened.width, opened.height))
    finding = Finding(str(uuid4()), box, seen.label, seen.place, seen.side, 0.7)
    caption = Caption(("FLAIR",), "axial", Normality.ABNORMAL, "")
    desk.lock_independent(slice_id, SliceAnswer((finding,), caption, Outcome.FINDINGS), revision=0)


def _grab(desk: Desk, slice_id: str, out: Path, *, settings: Path, size: tuple[int, int]) -> None:
    stored = QSettings(str(settings), QSettings.Format.IniFormat)
    workers, window = start_workers(), MainWindow(stored)
    session = AdjudicationSession(desk, workers, SystemClock(), window)
    page = AdjudicatePage(session, stored, window.messages)
    window.show_work(page)
    window.resize(*size)
    window.show()
    page.begin(desk.queue())
    session.go_to(slice_id)
    _wait(lambda: session.slice_id == slice_id and session.opened_case is not None)
    for key in (Qt.Key.Key_Down, Qt.Key.Key_X, Qt.Key.Key_4):
        QTest.keyClick(page.parts.canvas.view, key)
    window.messages.resolve("info")
    _wait(lambda: session.is_settled)
    window.grab().save(str(out))
    window.close()
    _wait(lambda: not window.isVisible())
    workers.close()
    desk.close()


def _wait(is_there: Callable[[], bool]) -> None:
    end = monotonic() + PATIENCE_SECONDS
    while not is_there():
        if monotonic() > end:
            raise SystemExit("The page did not come to rest.")
        QApplication.processEvents()
    for _ in range(20):
        QApplication.processEvents()


if __name__ == "__main__":
    if len(sys.argv) not in (2, 4):
        raise SystemExit(__doc__)
    wanted = (int(sys.argv[2]), int(sys.argv[3])) if len(sys.argv) == 4 else SIZE
    make_picture(Path(sys.argv[1]), size=wanted)
