"""The pages that work on a whole study past its lock: made by name, shown, left again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from nova_review.domain.visibility import Page

if TYPE_CHECKING:
    from nova_review.ui.main_window import MainWindow
    from nova_review.ui.workers import Workers

PAGES: Mapping[Page, tuple[str, str]] = {
    Page.AGREEMENT: ("nova_review.ui.pages.agreement", "AgreementPage"),
    Page.PREDICTIONS: ("nova_review.ui.pages.predictions", "PredictionsPage"),
    Page.COMPARE: ("nova_review.ui.pages.compare", "ComparePage"),
    Page.SCORE: ("nova_review.ui.pages.score", "ScorePage"),
}
"""Where each page is; its module is imported when somebody goes there.

A page takes (desk, workers, messages), has `begin`, `end` and the signal `left`; one with the signal
`judge_wanted` leads on to the judging of diagnoses. The keys of its messages begin with its word, and
they go when it is left: what it said of sets is told on no other page, a judge's above all.
"""


class AnalystRoute(QObject):
    """Shows one of these pages and leads away from it."""

    def __init__(
        self, window: MainWindow, workers: Workers, *, leave: Callable[[], None], judge: Callable[[], None]
    ) -> None:
        super().__init__(window)
        self._window, self._workers = window, workers
        self._leave, self._judge = leave, judge
        self._page: Any = None
        self._shown = ""

    def show(self, page: Page, desk: object) -> None:
        """Make a page on its desk and show it."""
        module, name = PAGES[page]
        made = getattr(import_module(module), name)(desk, self._workers, self._window.messages)  # slow import
        self._page, self._shown = made, page.value
        made.left.connect(lambda: self._go(self._leave))
        if hasattr(made, "judge_wanted"):
            made.judge_wanted.connect(lambda: self._go(self._judge))
        self._window.closed.connect(made.end)
        self._window.show_page(made)
        made.begin()

    def _go(self, away: Callable[[], None]) -> None:
        self._page.end()
        self._window.messages.resolve_all(self._shown)
        away()
        self.deleteLater()
