"""The formats of export by name, and where each finds what it needs."""

from nova_review.formats.exchange.coco import remarks_on_coco, write_coco
from nova_review.formats.exchange.gaze_lines import remarks_on_gaze_lines, write_gaze_lines
from nova_review.formats.exchange.nova_csv import write_nova_csv
from nova_review.formats.exchange.nova_parquet import write_nova_parquet
from nova_review.formats.exchange.staging import put_folder
from nova_review.services.export_content import Format
from nova_review.services.export_sources import ExportSources
from nova_review.services.exporting import ExportService
from nova_review.services.studies import StudyService

FORMATS = {
    "nova-csv": Format(write_nova_csv),
    "nova-parquet": Format(write_nova_parquet),
    "gaze-lines": Format(write_gaze_lines, remarks_on_gaze_lines, holds_sets=True),
    "coco": Format(write_coco, remarks_on_coco, holds_sets=True),
}


def export_service(studies: StudyService) -> ExportService:
    """Return the service that writes exports of study files."""
    sources = ExportSources(prediction_sets=studies.prediction_sets)
    return ExportService(studies, FORMATS, put_folder, sources)
