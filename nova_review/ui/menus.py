"""The menu bar: every action in words with its key, for those who look before they press."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QMenuBar

from nova_review.ui.actions import ACTIONS, PRESETS, Action
from nova_review.ui.keys import key_words


class WindowMenus(QObject):
    """Fills a menu bar; `do(name)` does an action, `may_do(name)` tells whether it is allowed now.

    Signals: `preset_chosen(str)`.
    """

    preset_chosen = Signal(str)

    def __init__(
        self,
        bar: QMenuBar,
        *,
        do: Callable[[str], object],
        may_do: Callable[[str], bool],
        actions: Sequence[Action] = ACTIONS,
        presets: Sequence[str] = PRESETS,
    ) -> None:
        super().__init__(bar)
        self._actions, self._presets = actions, presets
        self._do = do
        self._may_do = may_do
        self._preset = ""
        self.entries: dict[str, QAction] = {}
        bar.setAccessibleName("Menus")
        for group in dict.fromkeys(action.group for action in actions):
            menu = bar.addMenu(f"&{group}")
            menu.aboutToShow.connect(self.renew)
            for action in actions:
                if action.group == group:
                    self._add(menu, action)
            if group == "Program" and len(presets) > 1:
                self._add_presets(menu.addMenu("Keys as in"))

    def show_keys(self, keys: dict[str, tuple[str, ...]], *, preset: str) -> None:
        """Write the keys of every action beside its words."""
        self._preset = preset
        for action in self._actions:
            self.entries[action.name].setText(f"{action.words}\t{key_words(keys[action.name])}")

    def renew(self) -> None:
        """Offer only what is allowed now."""
        for action in self._actions:
            self.entries[action.name].setEnabled(action.group == "Program" or self._may_do(action.name))

    def _add(self, menu: QMenu, action: Action) -> None:
        entry = menu.addAction(action.words)
        entry.triggered.connect(lambda _checked=False, name=action.name: self._do(name))
        self.entries[action.name] = entry

    def _add_presets(self, menu: QMenu) -> None:
        for preset in self._presets:
            entry = menu.addAction(preset)
            entry.setCheckable(True)
            entry.triggered.connect(lambda _checked=False, preset=preset: self.preset_chosen.emit(preset))
        menu.aboutToShow.connect(lambda: self._check_preset(menu))

    def _check_preset(self, menu: QMenu) -> None:
        for entry in menu.actions():
            entry.setChecked(entry.text() == self._preset)
