"""What Qt says of this machine, as one JSON object: `python -m nova_review.ui.probe`.

A process of its own, because Qt ends the process where its platform plugin cannot load.
"""

import json
import sys

from PySide6 import __version__ as pyside_version
from PySide6.QtCore import QLibraryInfo, qVersion
from PySide6.QtGui import QFontDatabase, QFontInfo, QGuiApplication


def qt_facts() -> dict[str, object]:
    """Versions, the platform in use, the font that letters are set in and the number of families."""
    app = QGuiApplication.instance() or QGuiApplication(sys.argv[:1])
    assert isinstance(app, QGuiApplication)
    return {
        "pyside6": pyside_version,
        "qt": qVersion(),
        "build": QLibraryInfo.build(),
        "platform": app.platformName(),
        "font": QFontInfo(app.font()).family(),
        "font_families": len(QFontDatabase.families()),
    }


if __name__ == "__main__":
    print(json.dumps(qt_facts()))  # noqa: T201  the answer to the process that asked
