"""File dialogs that look at names only.

A dialog that reads the beginnings of files, to find their icons, opens and closes the study that is
open here too. A process thereby loses its locks on it (POSIX), and another program could damage it.
So the icons are plain, and the desktop's own dialog, which may read in this process, is not used.
"""

from PySide6.QtCore import QFileInfo
from PySide6.QtGui import QAbstractFileIconProvider, QIcon
from PySide6.QtWidgets import QFileDialog, QFileIconProvider, QWidget


class PlainIcons(QFileIconProvider):
    """One icon for folders and one for files, whatever is in them. Asked in a thread of the dialog."""

    def __init__(self) -> None:
        super().__init__()
        kinds = QAbstractFileIconProvider.IconType
        self._folder, self._file = super().icon(kinds.Folder), super().icon(kinds.File)

    def icon(self, what: QFileInfo | QAbstractFileIconProvider.IconType) -> QIcon:
        if isinstance(what, QFileInfo):
            return self._folder if what.isDir() else self._file
        return super().icon(what)

    def type(self, info: QFileInfo) -> str:
        return "Folder" if info.isDir() else "File"


class FileDialog(QFileDialog):
    """A `QFileDialog` that opens no file."""

    def __init__(self, parent: QWidget, title: str, start: str = "", kinds: str = "") -> None:
        super().__init__(parent, title, start, kinds)
        self.setOption(QFileDialog.Option.DontUseNativeDialog)
        self.setOption(QFileDialog.Option.DontUseCustomDirectoryIcons)
        self._icons = PlainIcons()  # the dialog does not keep it alive
        self.setIconProvider(self._icons)
