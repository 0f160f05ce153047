"""A data set as a JSON-ready object, for the check and for whoever relies on it."""

from dataclasses import asdict

from nova_review.domain.dataset import DataSet


def to_report(data_set: DataSet) -> dict[str, object]:
    """Return counts, readers, oddities ({code, file, row, value, message}) and ignored names.

    `slices` are listed ones, `usable_slices` those whose image can be shown; boxes are counted
    as accepted, also on slices whose image cannot be shown.
    """
    return {
        "code": data_set.code,
        "slices": len(data_set.slices),
        "cases": len(data_set.cases),
        "usable_slices": data_set.usable_slices,
        "gold_boxes": len(data_set.gold),
        "reader_boxes": len(data_set.reader_boxes),
        "readers": list(data_set.readers),
        "warnings": [asdict(oddity) for oddity in data_set.warnings],
        "errors": [asdict(oddity) for oddity in data_set.errors],
        "ignored": list(data_set.ignored),
    }
