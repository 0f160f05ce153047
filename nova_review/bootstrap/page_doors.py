"""The doors to the pages that compare answers; none is there before the database lock."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from nova_review.domain.study import Phase
from nova_review.domain.visibility import Page, may_open
from nova_review.services.clock import SystemClock

if TYPE_CHECKING:
    from nova_review.services.adjudication_ports import AdjudicationDesk
    from nova_review.services.agreement import AgreementService
    from nova_review.services.agreement_desk import AgreementDesk
    from nova_review.services.compare_desk import CompareDesk
    from nova_review.services.judgements import JudgementService
    from nova_review.services.judging import JudgingDesk
    from nova_review.services.prediction_desk import PredictionDesk
    from nova_review.services.predictions import PredictionService
    from nova_review.services.score_desk import ScoreDesk
    from nova_review.services.scoring import ScoringService
    from nova_review.services.studies import StudyService
    from nova_review.storage.engine import Store
    from nova_review.ui.who_reads import PageDoor

_WORDS: dict[Page, tuple[str, str, str]] = {
    Page.AGREEMENT: (
        "Look at agreement",
        "A",
        "How well the readers agree, and on which slices they do not.",
    ),
    Page.ADJUDICATE: ("Adjudicate", "J", "Settle what readers saw differently."),
    Page.PREDICTIONS: (
        "Add predictions",
        "P",
        "Bring a model's answers into the study, and see the sets that it holds.",
    ),
    Page.JUDGE: (
        "Judge diagnoses",
        "D",
        "Say which answered diagnoses are the same as the data set's.",
    ),
    Page.SCORE: ("Score", "S", "Readers and models on one table, by any scorer's rules."),
    Page.COMPARE: ("Compare", "C", "What models get wrong, side by side."),
}


@dataclass(frozen=True, slots=True)
class PageServices:
    """What the pages stand on, each made when it is first asked for; None leaves its page out."""

    agreement: Callable[[], AgreementService]
    predictions: Callable[[], PredictionService] | None = None
    judging: Callable[[], JudgementService] | None = None
    scoring: Callable[[], ScoringService] | None = None
    studies: Callable[[], StudyService] | None = None


class PageDoors:
    """Opens the desks of one study's pages, each when somebody goes there."""

    def __init__(self, file: Path, store: Store, phase: Callable[[], Phase], services: PageServices) -> None:
        self._file, self._store, self._phase, self._services = file, store, phase, services

    def doors(self) -> tuple[PageDoor, ...]:
        """Return the doors that are open in the study's phase, in the order in which work is done."""
        from nova_review.ui.who_reads import PageDoor  # slow import, while the window is painted

        phase = self._phase()
        desks = self._desks()
        return tuple(
            PageDoor(page, words, key, note, desks[page])
            for page, (words, key, note) in _WORDS.items()
            if page in desks and may_open(page, phase).allowed
        )

    def _desks(self) -> dict[Page, Callable[[], object]]:
        made = self._services
        found: dict[Page, Callable[[], object]] = {
            Page.AGREEMENT: self._agreement,
            Page.ADJUDICATE: lambda: sit_down_at(self._store),
        }
        if made.predictions is not None:
            found[Page.PREDICTIONS] = partial(self._predictions, made.predictions)
        if made.judging is not None:
            found[Page.JUDGE] = partial(self._judging, made.judging)
        if made.scoring is not None:
            found[Page.SCORE] = partial(self._score, made.scoring)
        if made.studies is not None:
            found[Page.COMPARE] = partial(self._compare, made.studies)
        return found

    def _agreement(self) -> AgreementDesk:
        from nova_review.formats.images import decode  # slow import, for the analyst only
        from nova_review.services.agreement_desk import AgreementDesk  # slow import, as above
        from nova_review.storage.slice_pictures import SqlSlicePictures  # slow import, as above

        return AgreementDesk(self._file, self._services.agreement(), SqlSlicePictures(self._store), decode)

    def _predictions(self, service: Callable[[], PredictionService]) -> PredictionDesk:
        from nova_review.formats.images import decode  # slow import, for the analyst only
        from nova_review.services.prediction_desk import PredictionDesk  # slow import, as above
        from nova_review.storage.slice_pictures import SqlSlicePictures  # slow import, as above

        pictures = SqlSlicePictures(self._store)
        return PredictionDesk(self._file, service(), phase=self._phase, pictures=pictures, decode=decode)

    def _judging(self, service: Callable[[], JudgementService]) -> Callable[[str], JudgingDesk]:
        judgements = service()
        return lambda name: judgements.sit_down(self._file, name)

    def _score(self, service: Callable[[], ScoringService]) -> ScoreDesk:
        from nova_review.bootstrap.comparing import failure_tagging  # slow import, for the analyst only
        from nova_review.services.score_desk import ScoreDesk  # slow import, as above

        tagging = failure_tagging()
        return ScoreDesk(self._file, service(), lambda: tagging.tag_counts(self._file))

    def _compare(self, studies: Callable[[], StudyService]) -> CompareDesk:
        from nova_review.bootstrap.comparing import compare_desk  # slow import, for the analyst only

        return compare_desk(self._file, self._store, studies())


def sit_down_at(store: Store) -> Callable[[str], AdjudicationDesk]:
    """Return what opens the desk of an adjudicator by name; it raises UserError for whom it refuses."""
    from nova_review.formats.images import decode  # slow import, for adjudicators only
    from nova_review.services.adjudication import open_adjudication  # slow import, as above
    from nova_review.storage.decision_store import SqlAdjudicationStore  # slow import, as above

    rows = SqlAdjudicationStore(store)
    return lambda name: open_adjudication(rows, name, SystemClock(), lambda: str(uuid4()), decode)
