"""A data set fetched from the Hugging Face Hub, only when somebody asked for it by a flag."""

import re
from pathlib import Path

from nova_review.domain.errors import FormatError

_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*", re.ASCII)
_WANTED = ["*.csv", "*.parquet", "images/*", "test/*", "*.png", "*.jpg", "*.jpeg", "README.md"]


def is_hub_id(text: str) -> bool:
    """Return whether `text` looks like a Hub id (owner/name) and is no path on this machine.

    >>> is_hub_id("c-i-ber/Nova"), is_hub_id("./Nova"), is_hub_id("Nova")
    (True, False, False)
    """
    return bool(_HUB_ID.fullmatch(text)) and not Path(text).exists()


def fetch_hub_folder(hub_id: str, *, cache: Path) -> Path:
    """Fetch a data set from the Hub into real files below `cache` and return their folder.

    Raises FormatError in words if the id is none, or the Hub cannot be reached or refuses.
    """
    if not _HUB_ID.fullmatch(hub_id):
        raise FormatError(f"{hub_id} is no Hub id; it must look like owner/name.")
    from huggingface_hub import errors, snapshot_download  # slow import

    # The web library beneath has an error tree of its own, named here since version 1.0.
    web_error: type[Exception] = getattr(errors, "HTTPError", OSError)
    folder = cache / hub_id.replace("/", "--")
    try:
        # Real files in a folder of our own: the shared cache is made of links out of the folder.
        snapshot_download(repo_id=hub_id, repo_type="dataset", local_dir=folder, allow_patterns=_WANTED)
    except (web_error, errors.HFValidationError, OSError) as error:
        words = " ".join(str(error).split())[:200]
        raise FormatError(
            f"{hub_id} could not be fetched from the Hub ({words}). Check the name and the "
            "connection, or fetch it elsewhere and give its folder."
        ) from error
    return folder
