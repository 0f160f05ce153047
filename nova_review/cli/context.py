"""What verbs call: the services, handed in by bootstrap as the context's object.

A verb asks `services_of(context)` and uses what `Services` names; it never imports storage, formats or
the window. To give verbs something new, name it here and make it in bootstrap.
"""

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import typer

from nova_review.domain.dataset import DataSet
from nova_review.services.demo import DemoService
from nova_review.services.exporting import ExportService
from nova_review.services.health import StudyHealth
from nova_review.services.importing import ImportService
from nova_review.services.ports import Progress
from nova_review.services.predictions import PredictionService
from nova_review.services.reporting import ReportService
from nova_review.services.studies import StudyService

if TYPE_CHECKING:  # they load numpy, which other verbs need not pay for
    from nova_review.services.agreement import AgreementService
    from nova_review.services.compare_verb import CompareVerb
    from nova_review.services.comparing import CompareService
    from nova_review.services.gold_rules import GoldRules
    from nova_review.services.gold_weights import GoldWeights
    from nova_review.services.judgements import JudgementService
    from nova_review.services.scoring import ScoringService


class Services(Protocol):
    """The use cases, each made when it is first asked for."""

    def read_data_set(self, path: Path, progress: Progress) -> DataSet:
        """Read a folder or a table file; oddities are listed in the result, not raised."""
        ...

    def read_hub_data_set(self, hub_id: str, progress: Progress) -> DataSet:
        """Read a data set of the Hub by its id; UserError where there is no network."""
        ...

    @property
    def studies(self) -> StudyService:
        """Make, describe and close studies."""
        ...

    @property
    def exporting(self) -> ExportService:
        """Write readings out."""
        ...

    @property
    def gold_rules(self) -> "GoldRules":
        """Propose and record gold by rule."""
        ...

    @property
    def gold_weights(self) -> "GoldWeights":
        """Recover the weights of a rule."""
        ...

    @property
    def predictions(self) -> PredictionService:
        """Bring models' answers in."""
        ...

    @property
    def judgements(self) -> "JudgementService":
        """Bring judgements of diagnoses in and out."""
        ...

    @property
    def importing(self) -> ImportService:
        """Bring readings in."""
        ...

    @property
    def agreement(self) -> "AgreementService":
        """Measure how well readers agree."""
        ...

    @property
    def scoring(self) -> "ScoringService":
        """Score readers and models by the rules of any scorer."""
        ...

    @property
    def comparing(self) -> "CompareService":
        """Compare sets of answers, and keep tags and notes of failures."""
        ...

    @property
    def compare_verb(self) -> "CompareVerb":
        """Compare, filter and write in one go."""
        ...

    @property
    def reporting(self) -> ReportService:
        """Write reports."""
        ...

    @property
    def log_file(self) -> Path | None:
        """The program's log, None where none can be written."""
        ...

    def qt_facts(self) -> dict[str, object]:
        """Ask Qt, in a process of its own, for its versions, platform and fonts."""
        ...

    def study_health(self, file: Path) -> StudyHealth:
        """Check a study file; UserError where it cannot be read."""
        ...

    @property
    def demo(self) -> DemoService:
        """Make the demo study."""
        ...

    def require_window(self) -> None:
        """UserError naming what is missing where no window can be shown here."""
        ...

    def open_window(self, file: Path | None, reader: str | None) -> int:
        """Open the window and return when it closes; UserError where it cannot be shown."""
        ...


def services_of(context: typer.Context) -> Services:
    """The services that bootstrap handed in."""
    services: Services = context.obj
    return services
