"""From the study's door to the judging page: asks who judges, opens his desk, shows the page."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, QSettings

from nova_review.domain.errors import NovaReviewError
from nova_review.services.judging_content import Which
from nova_review.ui.main_window import MainWindow
from nova_review.ui.pages.judge import Desk, JudgePage
from nova_review.ui.who_adjudicates import WhoAdjudicates
from nova_review.ui.workers import Workers

RULES = (
    "Two diagnoses are laid before you at a time: the data set's, and one that was answered. Which is which, "
    "whose it is, the history and the image stay hidden. What you say is stored under a code. "
    "Readers of this study may judge too: then use the name you read under."
)

ALSO_READS = "You also read in this study: what you say is stored under your reader's code."

SitDown = Callable[[str], Desk]
"""Opens the desk of a judge by name; UserError for whom it refuses."""


class JudgingRoute(QObject):
    """Leads a judge to his page and, by `leave`, back to the door."""

    def __init__(
        self,
        window: MainWindow,
        workers: Workers,
        settings: QSettings,
        sit_down: SitDown,
        leave: Callable[[], object],
        *,
        which: Which = Which.DATA_SET,
    ) -> None:
        super().__init__(window)
        self._window, self._workers, self._settings = window, workers, settings
        self._sit_down, self._leave, self._which = sit_down, leave, which
        self._is_sitting_down = False

    def ask(self) -> None:
        """Ask who judges."""
        page = WhoAdjudicates(question="Who judges?", rules=RULES, verb="Judge")
        page.named.connect(lambda name: self._take(page, name))
        page.left.connect(self._end)
        self._window.show_widget(page)

    def _take(self, asking: WhoAdjudicates, name: str) -> None:
        def refuse(error: NovaReviewError) -> None:
            self._is_sitting_down = False
            asking.show_refusal(str(error))

        if self._is_sitting_down:
            return  # Enter twice is one judge
        self._is_sitting_down = True
        self._workers.write.run(lambda: self._sit_down(name), done=self._show, failed=refuse)

    def _show(self, desk: Desk) -> None:
        page = JudgePage(desk, self._workers, self._window.messages, self._settings)
        page.left.connect(self._end)
        self._window.show_page(page)
        page.begin(self._which)
        if desk.is_reader:
            self._window.messages.info(ALSO_READS)

    def _end(self) -> None:
        self._window.messages.resolve_all("judging")
        self._leave()
        self.deleteLater()
