"""Where the files lie that ship with the program: icons, style, translations, the demo study."""

from pathlib import Path

import nova_review
from nova_review.domain.errors import BugError

_PACKAGE = Path(nova_review.__file__).resolve().parent


def resources_folder(package: Path = _PACKAGE) -> Path:
    """The `resources` folder: inside the package in a wheel, beside it in a checkout.

    `package` is the folder of the installed package. Raises BugError where neither place has one:
    then the installation is incomplete.
    """
    for place in (package / "resources", package.parent / "resources"):
        if place.is_dir():
            return place
    raise BugError(f"no resources folder in or beside {package}: the installation is incomplete")


def resource(*parts: str) -> Path:
    """The path of one shipped file, e.g. `resource("icons", "draw.svg")`; BugError if it is not there."""
    path = resources_folder().joinpath(*parts)
    if not path.exists():
        raise BugError(f"the program's own file {'/'.join(parts)} is missing: the installation is incomplete")
    return path
