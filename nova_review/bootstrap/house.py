"""Every use case of the house, each imported and made when it is first asked for."""

import json
import os
import subprocess
import sys
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from nova_review.cli.guard import fault_hook
from nova_review.domain.dataset import DataSet
from nova_review.domain.errors import UserError
from nova_review.services import system_parts
from nova_review.services.clock import SystemClock
from nova_review.services.health import StudyHealth
from nova_review.services.ports import Progress

if TYPE_CHECKING:
    from nova_review.services.agreement import AgreementService
    from nova_review.services.compare_verb import CompareVerb
    from nova_review.services.comparing import CompareService
    from nova_review.services.demo import DemoService
    from nova_review.services.exporting import ExportService
    from nova_review.services.gold_rules import GoldRules
    from nova_review.services.gold_weights import GoldWeights
    from nova_review.services.importing import ImportService
    from nova_review.services.judgements import JudgementService
    from nova_review.services.predictions import PredictionService
    from nova_review.services.reporting import ReportService
    from nova_review.services.scoring import ScoringService
    from nova_review.services.studies import StudyService


class HouseServices:
    """Every use case of the house, made when it is first asked for (`cli.context.Services`)."""

    def __init__(self, *, log_file: Path | None) -> None:
        self.log_file = log_file

    def read_data_set(self, path: Path, progress: Progress) -> DataSet:
        from nova_review.formats.nova import read_data_set  # slow import

        return read_data_set(path, progress=progress)

    def read_hub_data_set(self, hub_id: str, progress: Progress) -> DataSet:
        from platformdirs import user_cache_path

        from nova_review.formats.nova import read_hub_data_set  # slow import

        cache = user_cache_path("nova-review", appauthor=False) / "hub"
        return read_hub_data_set(hub_id, cache=cache, progress=progress)

    @cached_property
    def studies(self) -> "StudyService":
        from nova_review.formats.embedding import picture_to_embed
        from nova_review.services.clock import SystemClock
        from nova_review.services.studies import StudyService, fresh_seed
        from nova_review.storage.archive import SqliteArchive

        return StudyService(
            SqliteArchive(), SystemClock(), fresh_seed=fresh_seed, picture_bytes=picture_to_embed
        )

    @cached_property
    def exporting(self) -> "ExportService":
        from nova_review.bootstrap.exports import export_service

        return export_service(self.studies)

    @cached_property
    def gold_rules(self) -> "GoldRules":
        from nova_review.services.gold_rules import GoldRules
        from nova_review.services.study_plan import new_key
        from nova_review.storage.decision_store import adjudication_store

        return GoldRules(adjudication_store, SystemClock(), new_key)

    @cached_property
    def gold_weights(self) -> "GoldWeights":
        from nova_review.services.gold_weights import GoldWeights
        from nova_review.storage.decision_store import adjudication_store

        return GoldWeights(adjudication_store, self.studies)

    @cached_property
    def scoring(self) -> "ScoringService":
        from nova_review.analysis.texts.pairs import TextTools
        from nova_review.bootstrap.scoring import score_writers
        from nova_review.formats.predictions.reading import read_predictions
        from nova_review.formats.synonym_tables import diagnosis_synonyms, english_synonyms
        from nova_review.services.scoring import ScoreFiles, ScoringService

        files = ScoreFiles(
            read_data_set=self.read_data_set,
            read_predictions=read_predictions,
            text_tools=lambda: TextTools(english_synonyms()),
            synonyms=diagnosis_synonyms,
            writers=score_writers(),
        )
        return ScoringService(self.studies, files)

    @cached_property
    def predictions(self) -> "PredictionService":
        from nova_review.formats.predictions.reading import read_predictions
        from nova_review.services.predictions import PredictionService

        return PredictionService(self.studies, read_predictions)

    @cached_property
    def judgements(self) -> "JudgementService":
        from nova_review.bootstrap.judging import judgement_service

        return judgement_service(self.studies)

    @cached_property
    def importing(self) -> "ImportService":
        from nova_review.formats.exchange.readings_in import read_readings
        from nova_review.services.importing import ImportService

        return ImportService(self.studies, read_readings)

    @cached_property
    def agreement(self) -> "AgreementService":
        from nova_review.formats.agreement_tables import agreement_table_bytes
        from nova_review.formats.box_tables import read_box_rows
        from nova_review.formats.exchange.staging import put_folder
        from nova_review.formats.figures import agreement_figures
        from nova_review.services.agreement import AgreementFiles, AgreementService

        files = AgreementFiles(
            read_data_set=self.read_data_set,
            read_boxes=read_box_rows,
            table_bytes=agreement_table_bytes,
            figures=agreement_figures,
            put_folder=put_folder,
        )
        return AgreementService(self.studies, files)

    @cached_property
    def comparing(self) -> "CompareService":
        from nova_review.bootstrap.comparing import compare_service

        return compare_service(self.studies)

    @cached_property
    def compare_verb(self) -> "CompareVerb":
        from nova_review.bootstrap.comparing import compare_verb

        return compare_verb(self.studies)

    @cached_property
    def reporting(self) -> "ReportService":
        from nova_review.formats.figures import figure_captions
        from nova_review.formats.report_html import write_html
        from nova_review.formats.report_pdf import write_pdf
        from nova_review.formats.whole_file import put_file
        from nova_review.services.reporting import ReportFiles, ReportService

        writers = {".html": write_html, ".pdf": write_pdf}
        files = ReportFiles(writers=writers, figures=figure_captions, put_file=put_file)
        return ReportService(self.studies, self.agreement, files)

    def study_health(self, file: Path) -> StudyHealth:
        from nova_review.storage.health import study_health

        return study_health(file)

    def qt_facts(self) -> dict[str, object]:
        environment = dict(os.environ)
        if not system_parts.has_screen():
            environment["QT_QPA_PLATFORM"] = "offscreen"
        asked = subprocess.run(
            [sys.executable, "-m", "nova_review.ui.probe"],
            env=environment, capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        if asked.returncode != 0:
            reason = asked.stderr.strip().splitlines() or ["Qt ended without a word."]
            return {"problem": reason[-1]}
        facts: dict[str, object] = json.loads(asked.stdout)
        return facts

    @cached_property
    def demo(self) -> "DemoService":
        from platformdirs import user_data_path

        from nova_review.formats.demo_answers import read_demo_predictions, read_demo_readings
        from nova_review.services.demo import DemoParts, DemoService
        from nova_review.services.resources import resource

        parts = DemoParts(
            folder=resource("demo"),
            read_data_set=self.read_data_set,
            read_readings=lambda file, code: read_demo_readings(file, data_set=code),
            read_predictions=lambda file, code: read_demo_predictions(file, data_set=code),
        )
        return DemoService(self.studies, parts, home=user_data_path("nova-review", appauthor=False))

    def require_window(self) -> None:
        require_window_parts()

    def open_window(self, file: Path | None, reader: str | None) -> int:
        require_window_parts()
        try:
            from nova_review.ui.quick_start import begin_start, end_start  # slow imports, for the window

            begin_start()
            from nova_review.bootstrap.doors import HouseDoors
            from nova_review.ui.window import open_reading_window
        except ImportError as error:
            if not _is_of_qt(error):
                raise
            raise UserError(
                f"Qt, which shows the window, cannot be loaded: {error}. "
                "`nova-review doctor` tells what is missing."
            ) from error
        sys.excepthook = fault_hook(self.log_file)
        doors = HouseDoors(
            make_study=self._make_study,
            make_demo=self.demo_to_open,
            agreement=lambda: self.agreement,
            predictions=lambda: self.predictions,
            judging=lambda: self.judgements,
            scoring=lambda: self.scoring,
            studies=lambda: self.studies,
        )
        try:
            return open_reading_window(doors, SystemClock(), file=file, reader=reader)
        finally:
            end_start()
            doors.close()

    def demo_to_open(self, progress: Progress) -> Path:
        return self.demo.to_open(progress)

    def _make_study(self, data_set: Path, file: Path, readers: tuple[str, ...], progress: Progress) -> None:
        found = self.read_data_set(data_set, progress)
        self.studies.new_study([found], file, readers=readers, progress=progress)


def require_window_parts() -> None:
    """Raise UserError naming what the window lacks, before Qt would end the process over it."""
    if not system_parts.has_screen():
        raise UserError(
            "There is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can be "
            "shown; `nova-review --help` lists what works without one."
        )
    missing = system_parts.missing_parts(system_parts.window_needs())
    if missing:
        raise UserError(system_parts.missing_sentence(missing))


def _is_of_qt(error: ImportError) -> bool:
    """Whether PySide6 is not installed, or a library that it needs does not load."""
    return (error.name or "").startswith(("PySide6", "shiboken6")) or ".so" in str(error)
