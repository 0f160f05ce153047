"""The way to and from the pages of a whole study: what one of them said is not told on the next."""

from typing import Any, cast

import pytest
from PySide6.QtCore import QObject, Signal

from nova_review.domain.visibility import Page
from nova_review.ui import analyst_pages
from nova_review.ui.analyst_pages import AnalystRoute
from nova_review.ui.messages import Messages


class SayingPage(QObject):
    """A page that says something of a set when it begins."""

    left = Signal()
    judge_wanted = Signal()

    def __init__(self, _desk: object, _workers: object, messages: Messages) -> None:
        super().__init__()
        self._messages = messages

    def begin(self) -> None:
        self._messages.error("The study has no prediction set or reader 'model-a'.", key="compare")
        self._messages.warn("Take out model-b first.", key="compare-sets")
        self._messages.error("The file is full.", key="saving")

    def end(self) -> None:
        pass


class BareWindow(QObject):
    """What the route asks of the window."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.messages = Messages(self)

    def show_page(self, page: Any) -> None:
        self.page = page


@pytest.mark.parametrize("way", ["left", "judge_wanted"])
def test_what_a_page_said_goes_with_it_and_nothing_else_does(
    qapp: Any, monkeypatch: pytest.MonkeyPatch, way: str
) -> None:
    places = {Page.COMPARE: (__name__, "SayingPage")}
    monkeypatch.setattr(analyst_pages, "PAGES", places)
    window, came = BareWindow(), list[str]()
    route = AnalystRoute(
        cast("Any", window),
        cast("Any", None),
        leave=lambda: came.append("left"),
        judge=lambda: came.append("judge_wanted"),
    )
    route.show(Page.COMPARE, object())
    assert len(window.messages.standing()) == 3
    getattr(window.page, way).emit()
    assert came == [way]
    assert [m.text for m in window.messages.standing()] == ["The file is full."]
