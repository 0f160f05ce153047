"""Everything a window says, by whatever door: what is painted, shown, kept for a hover or read aloud."""

from collections.abc import Callable, Iterator
from typing import Any

from PySide6.QtCore import QAbstractItemModel, QModelIndex, QObject, Qt
from PySide6.QtGui import QAccessible, QAction, QGuiApplication, QPainter, QUndoStack
from PySide6.QtWidgets import QApplication, QWidget

Text = tuple[str, str]
"""Where it was found, and what it says."""

_GETTERS = (
    "text",
    "toPlainText",
    "placeholderText",
    "title",
    "toolTip",
    "statusTip",
    "whatsThis",
    "accessibleName",
    "accessibleDescription",
    "windowTitle",
    "windowFilePath",
    "windowIconText",
    "windowRole",
    "objectName",
    "styleSheet",
    "iconText",
    "undoText",
    "redoText",
    "caption",
    "format",
)
_ACCESSIBLE = (
    QAccessible.Text.Name,
    QAccessible.Text.Description,
    QAccessible.Text.Value,
    QAccessible.Text.Help,
    QAccessible.Text.Accelerator,
)
_ROLES = (*range(0, 40), *range(Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 40))


def all_texts() -> Iterator[Text]:
    """Every text of the application that a person, a screen reader or another program could get at."""
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    yield from _application_texts(app)
    for window in QGuiApplication.allWindows():
        yield f"{type(window).__name__} title", window.title() + window.filePath()
    for widget in QApplication.allWidgets():
        yield from widget_texts(widget)
        for child in (widget, *widget.findChildren(QObject)):
            if isinstance(child, QAction | QUndoStack | QAbstractItemModel):
                yield from object_texts(child)


def widget_texts(widget: QWidget) -> Iterator[Text]:
    """What one widget says to eye and ear."""
    yield from object_texts(widget)
    interface = QAccessible.queryAccessibleInterface(widget)
    if interface is not None:
        for kind in _ACCESSIBLE:
            yield f"{type(widget).__name__} accessible {kind.name}", interface.text(kind)


def object_texts(one: QObject) -> Iterator[Text]:
    """Every text property of an object, declared or added, and all that a model holds."""
    name = type(one).__name__
    for getter in _GETTERS:
        method: Any = getattr(one, getter, None)
        if callable(method):
            yield from _called(f"{name}.{getter}", method)
    for key in one.dynamicPropertyNames():
        yield from _called(
            f"{name} property {key!r}", lambda key=key: str(one.property(bytes(key.data()).decode()))
        )
    model: Any = one if isinstance(one, QAbstractItemModel) else None
    if model is None and hasattr(one, "model") and callable(one.model):
        model = one.model()
    if isinstance(model, QAbstractItemModel):
        yield from model_texts(model)
    if isinstance(one, QUndoStack):
        yield from ((f"{name} step {n}", one.text(n)) for n in range(one.count()))


def model_texts(model: QAbstractItemModel, under: QModelIndex | None = None) -> Iterator[Text]:
    """What a model gives to any view, in every role; values of our own by all that is in them."""
    parent = under or QModelIndex()
    for row in range(model.rowCount(parent)):
        for column in range(_columns(model, parent)):
            index = model.index(row, column, parent)
            for role in _ROLES:
                value = model.data(index, role)
                if value is not None:
                    yield f"{type(model).__name__} row {row} role {role}", repr(value)


class PaintedTexts:
    """Listens to every text that our widgets paint themselves, while it is open."""

    def __init__(self) -> None:
        self.texts: list[Text] = []
        self._draw_text: Callable[..., Any] = QPainter.drawText

    def __enter__(self) -> "PaintedTexts":
        def drawText(painter: QPainter, *given: Any) -> Any:
            self.texts += [("painted", part) for part in given if isinstance(part, str)]
            return self._draw_text(painter, *given)

        QPainter.drawText = drawText  # type: ignore[method-assign, assignment]
        return self

    def __exit__(self, *_: object) -> None:
        QPainter.drawText = self._draw_text  # type: ignore[method-assign]


def _application_texts(app: QApplication) -> Iterator[Text]:
    names = (app.applicationName(), app.applicationDisplayName(), app.organizationName())
    yield "application", " ".join((*names, app.desktopFileName(), app.applicationVersion()))
    for mode in (app.clipboard().Mode.Clipboard, app.clipboard().Mode.Selection):
        yield "clipboard", app.clipboard().text(mode)


def _columns(model: QAbstractItemModel, parent: QModelIndex) -> int:
    try:
        return model.columnCount(parent)
    except TypeError:  # private in a list, which has one
        return 1


def _called(where: str, method: Callable[[], object]) -> Iterator[Text]:
    try:
        value = method()
    except (TypeError, RuntimeError):  # it wants arguments, or Qt's own value has no form in Python
        return
    if isinstance(value, str):
        yield where, value
