"""Where the folders of a study's data sets are, as far as they still are."""

from pathlib import Path

from sqlalchemy import Connection, select

from nova_review.storage.schema_secret import data_set_folder
from nova_review.storage.schema_study import data_set


def data_set_folders(connection: Connection, *, study_file: Path) -> dict[str, Path | None]:
    """Return the folder of each data set by its code: beside the study file first, then where it was.

    None where neither is there, as with a study that holds its pictures and was sent alone.
    """
    query = select(data_set.c.code, data_set_folder.c.root, data_set_folder.c.relative_root).join(
        data_set_folder, data_set_folder.c.data_set_id == data_set.c.id
    )
    return {
        code: _first(study_file.parent, root, relative) for code, root, relative in connection.execute(query)
    }


def _first(beside: Path, root: str | None, relative: str | None) -> Path | None:
    places = [beside / relative] if relative is not None else []
    places += [Path(root)] if root is not None else []
    return next((place for place in places if place.is_dir()), None)
