"""The demo study, made once, and exported once a format."""

from collections.abc import Callable
from pathlib import Path

import pytest

from nova_review.bootstrap import HouseServices
from nova_review.services.export_content import ExportChoice

DemoExport = Callable[[str], Path]


@pytest.fixture(scope="session")
def demo_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A fresh demo study."""
    file = tmp_path_factory.mktemp("demo") / "demo.nova"
    return HouseServices(log_file=None).demo.write(file, lambda _done, _total: True)


@pytest.fixture(scope="session")
def demo_export(demo_file: Path, tmp_path_factory: pytest.TempPathFactory) -> DemoExport:
    """Give the folder of the demo study's export in a format."""
    made: dict[str, Path] = {}
    services = HouseServices(log_file=None)

    def export(format_name: str) -> Path:
        if format_name not in made:
            folder = tmp_path_factory.mktemp("export") / format_name
            services.exporting.export(
                demo_file, format_name=format_name, folder=folder, choice=ExportChoice()
            )
            made[format_name] = folder
        return made[format_name]

    return export
