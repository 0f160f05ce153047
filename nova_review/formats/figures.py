"""Figures of agreement for files (placeholder)."""

from collections.abc import Iterable

from nova_review.services.agreement_measures import Linked, Measured
from nova_review.services.export_content import ExportFile


def agreement_figures(measured: Measured, view: Linked) -> Iterable[ExportFile]:
    return ()
