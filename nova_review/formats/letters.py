"""Texts of JSON files made storable: JSON can spell half of a letter, and no file or table can hold one."""

from typing import Any


def may_hold_halves(text: str) -> bool:
    """Return whether a JSON text may spell half of a letter (quick, sometimes wrongly true)."""
    return "\\ud" in text.lower()


def whole_letters(value: Any) -> Any:
    """Return a JSON value in which halves of letters are question marks.

    Programs write them that cut a text in the middle of a letter beyond the first 65,536.

    >>> whole_letters({"caption": ["half \\ud83e"]})
    {'caption': ['half ?']}
    """
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode("utf-8")
    if isinstance(value, dict):
        return {whole_letters(key): whole_letters(one) for key, one in value.items()}
    return [whole_letters(one) for one in value] if isinstance(value, list) else value
