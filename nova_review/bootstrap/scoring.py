"""How scores are written."""

from nova_review.formats.exchange.staging import put_folder
from nova_review.formats.score_figures import score_figures
from nova_review.formats.score_tables import rows_as_csv, score_csv, score_latex
from nova_review.formats.whole_file import put_file
from nova_review.services.score_files import ScoreWriters


def score_writers() -> ScoreWriters:
    """Return what lays tables of scores down in files."""
    return ScoreWriters(
        rows=rows_as_csv,
        table=score_csv,
        latex=score_latex,
        figures=score_figures,
        put_folder=put_folder,
        put_file=put_file,
    )
