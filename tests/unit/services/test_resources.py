"""The shipped files are found in a checkout and in a wheel."""

from pathlib import Path

import pytest

from nova_review.domain.errors import BugError
from nova_review.services import resources


def test_a_checkout_has_its_resources_beside_the_package(repository: Path) -> None:
    assert resources.resources_folder() == repository / "resources"


def test_a_wheel_has_its_resources_inside_the_package(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "nova_review"
    (package / "resources").mkdir(parents=True)
    (tmp_path / "site-packages" / "resources").mkdir()  # another distribution's folder
    assert resources.resources_folder(package) == package / "resources"


def test_an_incomplete_installation_says_so(tmp_path: Path) -> None:
    with pytest.raises(BugError, match="installation is incomplete"):
        resources.resources_folder(tmp_path / "nova_review")


def test_a_missing_file_is_named() -> None:
    with pytest.raises(BugError, match=r"icons/no-such\.svg"):
        resources.resource("icons", "no-such.svg")
