"""Opens the window: what bootstrap calls. The window stands before the study is loaded."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from typing import Protocol as Port

from PySide6.QtCore import QObject, QSettings, QTimer
from PySide6.QtWidgets import QApplication

from nova_review.domain.errors import NovaReviewError
from nova_review.domain.visibility import Page
from nova_review.ui.faults import FaultTeller
from nova_review.ui.main_window import TITLE, MainWindow
from nova_review.ui.quick_start import end_start
from nova_review.ui.tasks import Task
from nova_review.ui.theme import apply_theme
from nova_review.ui.workers import Workers, start_workers

if TYPE_CHECKING:
    from nova_review.services.adjudication_ports import AdjudicationDesk, AdjudicationQueue
    from nova_review.services.ports import Clock, Progress, ReadingDesk, Worklist
    from nova_review.ui.judging_route import SitDown as SitDownToJudge
    from nova_review.ui.making_page import MakingPage
    from nova_review.ui.start_forms import StudyPlan
    from nova_review.ui.who_adjudicates import WhoAdjudicates
    from nova_review.ui.who_reads import DoorReader, PageDoor
    from nova_review.ui.work_page import WorkSession

    SitDown = Callable[[str], AdjudicationDesk]

_log = logging.getLogger(__name__)
SWITCH_SECONDS = 0.0005
"""How long a worker may hold the interpreter while the window waits for it (5 ms unless told)."""
REST_MS = 1000
"""After this time a page and what is read ahead for it stand."""
TEXT_SIZES = (1.0, 1.15, 1.3, 1.5, 1.75, 2.0)


@dataclass(frozen=True, slots=True)
class StudyDoor:
    """What stands at a study's door before anybody reads.

    `readers` may be chosen from; `is_whole_study` says that this is the coordinator's file and
    not a reader's pack; `desk_for` opens a reader's desk by his id, name or code; `pages` are
    open because the study is past its database lock.
    """

    title: str
    readers: tuple[DoorReader, ...]
    is_whole_study: bool
    desk_for: Callable[[str], ReadingDesk]
    pages: tuple[PageDoor, ...] = ()


class StudyDoors(Port):
    """The ways to a study. Every method runs in a worker and raises UserError."""

    def open(self, file: Path) -> StudyDoor:
        """Open a study file."""
        ...

    def demo(self) -> StudyDoor:
        """Open this person's own copy of the demo study."""
        ...

    def make(self, data_set: Path, file: Path, readers: tuple[str, ...], progress: Progress) -> StudyDoor:
        """Make a study from a data set, under the default protocol."""
        ...


@dataclass(frozen=True, slots=True)
class _Opened:
    door: StudyDoor
    desk: ReadingDesk
    worklist: Worklist


@dataclass(frozen=True, slots=True)
class _Anew:
    """How the page of who has sat down is made anew: read in a worker, then shown."""

    read: Callable[[], Any]
    show: Callable[[Any], None]


class WindowProgram(QObject):
    """Leads from the door to the desk."""

    def __init__(self, doors: StudyDoors, clock: Clock, settings: QSettings) -> None:
        super().__init__()
        self._doors = doors
        self._clock = clock
        self._settings = settings
        self._reader: str | None = None
        self._plan: StudyPlan | None = None
        self._making: MakingPage | None = None
        self._task: Task | None = None
        self.workers: Workers = start_workers()
        self.window = MainWindow(settings)
        self.window.closed.connect(self._end)
        self.window.text_size_asked.connect(self._change_text_size)
        self._desk: ReadingDesk | AdjudicationDesk | None = None
        self._anew: _Anew | None = None
        self._session: WorkSession | None = None

    def start(self, file: Path | None, reader: str | None) -> None:
        """Show the window, then open the study; without one show the first start."""
        self._reader = reader
        self.window.show()
        if file is None:
            QTimer.singleShot(0, self, self._show_start)
        else:
            self.open_door(lambda _progress: self._doors.open(file))

    def open_door(self, open_it: Callable[[Progress], StudyDoor]) -> None:
        """Open a study in the reading worker."""
        self.window.drop_trouble()
        self.window.show_black()
        self._run(open_it)

    def make_study(self, plan: StudyPlan) -> None:
        """Make a study in the reading worker, in sight and with a way out, and open it."""
        from nova_review.ui.making_page import MakingPage  # slow import, where a study is made

        self._plan = plan
        self.window.drop_trouble()
        self._making = MakingPage(plan.file.name)
        self._making.cancelled.connect(self._cancel_making)
        self.window.show_widget(self._making)
        self._making.setFocus()
        self._run(lambda progress: self._doors.make(plan.data_set, plan.file, plan.readers, progress))

    def _cancel_making(self) -> None:
        if self._task is not None:
            self._task.drop()
        self._making = None
        self._show_start()
        self.window.show_note("Cancelled. Nothing was made.")

    def _run(self, open_it: Callable[[Progress], StudyDoor]) -> None:
        self._task = self.workers.read.run_long(
            lambda progress: self._enter(open_it(progress)),
            done=self._on_entered,
            failed=self._on_failed,
            progressed=self._on_progress,
        )

    def _enter(self, door: StudyDoor) -> StudyDoor | _Opened:
        """Runs in the worker: with one reader named, go on to his desk at once."""
        return self._sit_down(door, self._reader) if self._reader is not None else door

    def _sit_down(self, door: StudyDoor, reader: str) -> _Opened:
        # slow import: the page's modules, while the window is being painted
        import nova_review.ui.pages.read  # noqa: F401

        desk = door.desk_for(reader)
        return _Opened(door, desk, desk.worklist())

    def _on_entered(self, entered: StudyDoor | _Opened) -> None:
        self._making = None
        self._plan = None
        QTimer.singleShot(REST_MS, self, end_start)
        if isinstance(entered, _Opened):
            self._show_reading(entered)
        else:
            self._ask_who_reads(entered)

    def _ask_who_reads(self, door: StudyDoor) -> None:
        from nova_review.ui.who_reads import WhoReads  # slow import, where nobody is named

        page = WhoReads(door.title, door.readers, is_whole_study=door.is_whole_study, pages=door.pages)
        page.reader_chosen.connect(lambda reader: self._take_reader(door, reader))
        page.page_chosen.connect(lambda chosen: self._take_page(door, chosen))
        page.left.connect(self._show_start)
        self.window.show_widget(page)

    def _take_page(self, door: StudyDoor, chosen: PageDoor) -> None:
        show: dict[Page, Callable[[StudyDoor, Any], None]] = {
            Page.ADJUDICATE: self._ask_who_adjudicates,
            Page.JUDGE: self._ask_who_judges,
        }
        self.window.show_black()
        shown = show.get(chosen.page) or partial(self._show_analyst_page, chosen.page)
        self.workers.read.run(chosen.desk, done=partial(shown, door), failed=partial(self._on_refused, door))

    def _on_refused(self, door: StudyDoor, error: NovaReviewError) -> None:
        """A page that cannot be opened leads back to the study's door, not out of the study."""
        self.window.show_trouble(str(error))
        self._ask_who_reads(door)

    def _show_analyst_page(self, page: Page, door: StudyDoor, desk: object) -> None:
        from nova_review.ui.analyst_pages import AnalystRoute  # slow import, for analysts only

        def judge() -> None:
            doors = [one for one in door.pages if one.page is Page.JUDGE]
            self._take_page(door, doors[0]) if doors else self._ask_who_reads(door)

        leave = partial(self._ask_who_reads, door)
        AnalystRoute(self.window, self.workers, leave=leave, judge=judge).show(page, desk)

    def _ask_who_adjudicates(self, door: StudyDoor, sit_down: SitDown) -> None:
        from nova_review.ui.who_adjudicates import WhoAdjudicates  # slow import, for adjudicators only

        page = WhoAdjudicates()
        page.named.connect(lambda name: self._take_adjudicator(page, sit_down, name))
        page.left.connect(lambda: self._ask_who_reads(door))
        self.window.show_widget(page)

    def _ask_who_judges(self, door: StudyDoor, sit_down: SitDownToJudge) -> None:
        from nova_review.ui.judging_route import JudgingRoute  # slow import, for judges only

        leave = partial(self._ask_who_reads, door)
        JudgingRoute(self.window, self.workers, self._settings, sit_down, leave).ask()

    def _take_adjudicator(self, page: WhoAdjudicates, sit_down: SitDown, name: str) -> None:
        def sit() -> tuple[AdjudicationDesk, AdjudicationQueue]:
            import nova_review.ui.pages.adjudicate  # noqa: F401  slow import, in the worker

            desk = sit_down(name)
            return desk, desk.queue()

        def refuse(error: NovaReviewError) -> None:
            page.show_refusal(str(error))

        self.workers.read.run(sit, done=self._show_adjudication, failed=refuse)

    def _show_adjudication(self, opened: tuple[AdjudicationDesk, AdjudicationQueue]) -> None:
        from nova_review.ui.adjudication_session import AdjudicationSession  # slow import, made before
        from nova_review.ui.pages.adjudicate import AdjudicatePage  # slow import, made before

        desk, queue = opened
        self._desk = desk
        self._anew = _Anew(lambda: (desk, desk.queue()), self._show_adjudication)
        session = self._session = AdjudicationSession(desk, self.workers, self._clock, self.window)
        page = AdjudicatePage(session, self._settings, self.window.messages)
        self.window.show_work(page)
        page.begin(queue)

    def _take_reader(self, door: StudyDoor, reader: str) -> None:
        self.window.show_black()
        self.workers.read.run(
            lambda: self._sit_down(door, reader), done=self._show_reading, failed=self._on_failed
        )

    def _show_reading(self, opened: _Opened) -> None:
        from nova_review.ui.pages.read import ReadPage  # slow import, made by the worker before
        from nova_review.ui.session import ReviewSession  # slow import, made by the worker before

        self._desk = opened.desk
        self._anew = _Anew(
            lambda: _Opened(opened.door, opened.desk, opened.desk.worklist()), self._show_reading
        )
        session = self._session = ReviewSession(opened.desk, self.workers, self._clock, self.window)
        page = ReadPage(
            opened.desk, session, self.workers, self.window.keys, self._settings, self.window.messages
        )
        self.window.show_work(page)
        page.begin(opened.worklist)

    def _show_start(self) -> None:
        QTimer.singleShot(REST_MS, self, end_start)
        from nova_review.ui.start_page import StartPage  # slow import, at the first start only

        page = StartPage(self._plan)
        page.demo_chosen.connect(lambda: self.open_door(lambda _progress: self._doors.demo()))
        page.file_chosen.connect(lambda file: self.open_door(lambda _progress: self._doors.open(file)))
        page.study_wanted.connect(self.make_study)
        self.window.show_widget(page)

    def _on_failed(self, error: NovaReviewError) -> None:
        self.window.show_trouble(str(error))
        self._reader = self._making = None
        self._show_start()

    def _on_progress(self, done: int, total: int) -> None:
        if self._making is not None:
            self._making.show_progress(done, total)
        else:
            self.window.show_progress(done, total)

    def _change_text_size(self, by: int) -> None:
        at = TEXT_SIZES.index(text_size(self._settings))
        size = TEXT_SIZES[min(max(at + by, 0), len(TEXT_SIZES) - 1)]
        self._settings.setValue("text-size", size)
        page = self.window.page
        if self._anew is None or page is None or page.session is not self._session:
            self.window.messages.info(f"Text at {100 * size:.0f} % from the next start on.")
            return
        page.session.shut()
        self._sit_anew()

    def _sit_anew(self) -> None:
        """Once everything is stored, make the page anew in another size of text."""
        anew, session = self._anew, self._session
        if session is None or anew is None:
            return
        if session.is_writing:
            QTimer.singleShot(10, self, self._sit_anew)
        elif not session.is_settled:
            session.stay()  # what cannot be stored now stays in hand, and the size waits for the next start
        else:
            self._anew = self._session = None
            self.window.put_page_away()
            app = QApplication.instance()
            assert isinstance(app, QApplication)
            apply_theme(app, scale=text_size(self._settings))
            self.workers.read.run(anew.read, done=anew.show, failed=self._on_failed)

    def _end(self) -> None:
        if self._task is not None:
            self._task.drop()  # a study that is still being made stops at its next step
        self.workers.close()
        if self._desk is not None:
            self._end_sitting(self._desk)

    def _end_sitting(self, desk: ReadingDesk | AdjudicationDesk) -> None:
        try:
            desk.close()
        except NovaReviewError:
            _log.warning("The end of the sitting could not be written down")


def text_size(settings: QSettings) -> float:
    """Return the person's text size (1.0 is the design's)."""
    stored = float(str(settings.value("text-size", TEXT_SIZES[0])))
    return min(TEXT_SIZES, key=lambda size: abs(size - stored))


def open_reading_window(doors: StudyDoors, clock: Clock, *, file: Path | None, reader: str | None) -> int:
    """Open the window on a study file (or the first start) and return when it has closed."""
    sys.setswitchinterval(SWITCH_SECONDS)
    app = QApplication.instance() or QApplication([TITLE])
    assert isinstance(app, QApplication)
    settings = QSettings("nova-review", "nova-review")
    apply_theme(app, scale=text_size(settings))
    program = WindowProgram(doors, clock, settings)
    faults = FaultTeller(program.window.show_fault)
    program.start(file, reader)
    try:
        return app.exec()
    finally:
        faults.end()
