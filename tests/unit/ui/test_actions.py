"""The table of actions: keys that clash nowhere, rules that hold, keys that every keyboard has."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QSettings, Qt
from PySide6.QtGui import QKeyEvent

from nova_review.domain.protocol import READING_ACTIONS
from nova_review.ui.actions import (
    ACTIONS,
    ACTIONS_BY_NAME,
    PRESETS,
    KeyBook,
    Snapshot,
    clashes,
    is_enabled,
    preset_keys,
)
from nova_review.ui.keys import _code, key_code, key_words
from nova_review.ui.pages.read import help_groups

KEYS = Qt.Key
NONE, SHIFT = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ShiftModifier
ALL_ALLOWED = frozenset(READING_ACTIONS)


@pytest.fixture
def book(tmp_path: Path) -> KeyBook:
    return KeyBook(QSettings(str(tmp_path / "keys.ini"), QSettings.Format.IniFormat))


@pytest.mark.parametrize("preset", PRESETS)
def test_no_key_stands_for_two_actions(preset: str) -> None:
    keys = preset_keys(preset)
    assert clashes(keys) == ()
    codes = [_code(text) for of_action in keys.values() for text in of_action]
    assert len(codes) == len(set(codes))


@pytest.mark.parametrize("preset", PRESETS)
def test_arrows_and_page_keys_change_the_slice_in_every_preset(preset: str) -> None:
    keys = preset_keys(preset)
    assert {"Right", "PgDown"} <= set(keys["next-slice"])
    assert {"Left", "PgUp"} <= set(keys["previous-slice"])


def test_names_are_unique_and_every_family_is_in_the_protocol() -> None:
    assert len(ACTIONS_BY_NAME) == len(ACTIONS)
    assert {a.family for a in ACTIONS if a.family} <= set(READING_ACTIONS)


def test_an_action_that_the_protocol_leaves_out_is_not_allowed() -> None:
    draw = ACTIONS_BY_NAME["draw"]
    assert is_enabled(draw, Snapshot(may_edit=True, allowed=ALL_ALLOWED))
    assert not is_enabled(draw, Snapshot(may_edit=True, allowed=ALL_ALLOWED - {"draw"}))


def test_nothing_but_the_program_is_allowed_before_a_slice_is_open() -> None:
    allowed = {a.name for a in ACTIONS if is_enabled(a, Snapshot(allowed=ALL_ALLOWED))}
    program = {a.name for a in ACTIONS if a.group == "Program"}
    assert allowed == {"save", "wheel"} | program
    assert program == {"text-larger", "text-smaller", "full-screen", "help", "change-keys", "quit"}


@pytest.mark.parametrize(
    ("name", "needs"),
    [
        ("delete", {"may_edit": True, "has_selection": True}),
        ("confidence-3", {"may_edit": True, "has_selection": True}),
        ("no-finding", {"may_edit": True}),
        ("undo", {"can_undo": True}),
        ("redo", {"can_redo": True}),
        ("lock", {"may_edit_case": True}),
        ("reopen", {"may_reopen": True}),
        ("copy-previous", {"may_edit": True, "has_previous_sibling": True}),
        ("keep-mine", {"in_conflict": True}),
        ("invert", {"has_picture": True}),
    ],
)
def test_a_rule_asks_for_what_it_needs_and_no_more(name: str, needs: dict[str, Any]) -> None:
    action = ACTIONS_BY_NAME[name]
    assert is_enabled(action, Snapshot(allowed=ALL_ALLOWED, **needs))
    for missing in needs:
        assert not is_enabled(action, Snapshot(allowed=ALL_ALLOWED, **{**needs, missing: False}))


def test_everything_is_allowed_when_nothing_forbids_it() -> None:
    everything = {f.name: True for f in fields(Snapshot) if f.type in (bool, "bool")}
    full = Snapshot(**everything | {"is_paused": False}, findings=1, allowed=ALL_ALLOWED)
    assert all(is_enabled(a, full) for a in ACTIONS)


def test_a_preset_and_own_keys_are_remembered(book: KeyBook) -> None:
    assert book.preset == "default"
    book.choose_preset("CVAT")
    book.bind("delete", ("X",))
    again = KeyBook(book._settings)
    assert again.preset == "CVAT"
    assert again.keys()["delete"] == ("X",)
    assert again.keys()["next-slice"][0] == "F"
    again.bind("delete", ())
    assert again.keys()["delete"] == ACTIONS_BY_NAME["delete"].keys


def test_an_unknown_preset_in_the_settings_is_the_default(book: KeyBook) -> None:
    book._settings.setValue("keys/preset", "vim")
    assert book.preset == "default"


def _press(key: int, modifiers: Qt.KeyboardModifier = NONE, scan: int = 0) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, key, modifiers, scan, 0, 0)


@pytest.mark.parametrize(
    ("event", "means"),
    [
        (_press(KEYS.Key_1), "1"),
        (_press(KEYS.Key_1, SHIFT), "1"),  # the digit row of AZERTY with Shift
        (_press(KEYS.Key_Ampersand), "1"),  # and without
        (_press(KEYS.Key_Eacute), "2"),
        (_press(KEYS.Key_QuoteDbl), "3"),
        (_press(KEYS.Key_Apostrophe, scan=13), "4"),
        (_press(KEYS.Key_ParenLeft), "5"),
        (_press(KEYS.Key_Plus, SHIFT), "+"),  # QWERTY
        (_press(KEYS.Key_Plus), "+"),  # QWERTZ
        (_press(KEYS.Key_Plus, SHIFT | Qt.KeyboardModifier.ControlModifier), "Ctrl++"),
        (_press(KEYS.Key_Enter, Qt.KeyboardModifier.KeypadModifier), "Return"),
        (_press(KEYS.Key_5, Qt.KeyboardModifier.KeypadModifier), "5"),
        (_press(KEYS.Key_Z, SHIFT | Qt.KeyboardModifier.ControlModifier), "Ctrl+Shift+Z"),
    ],
)
def test_a_key_means_the_same_on_every_keyboard(event: QKeyEvent, means: str) -> None:
    assert key_code(event) == _code(means)


def test_an_apostrophe_elsewhere_on_the_board_is_no_digit() -> None:
    assert key_code(_press(KEYS.Key_Apostrophe, scan=48)) == KEYS.Key_Apostrophe


def test_keys_are_shown_as_people_say_them() -> None:
    assert key_words(("Ctrl+Return",)) == "Ctrl+Enter"
    assert key_words(("Right", "PgDown")) == "Right or PgDown"


def test_the_list_of_keys_names_every_action() -> None:
    words = {words for _group, lines in help_groups(preset_keys("default")) for _key, words in lines}
    single = {a.words for a in ACTIONS if not a.name.startswith(("nudge", "resize", "confidence"))}
    assert single <= words
    assert {"Move the selected box 1 px", "Confidence of the selected finding"} <= words


def test_own_keys_show_in_the_list_of_keys(book: KeyBook) -> None:
    book.bind("nudge-left", ("X",))
    lines = [line for _group, lines in help_groups(book.keys()) for line in lines]
    assert ("X", "Move 1 px left") in lines
