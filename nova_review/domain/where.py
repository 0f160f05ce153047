"""The small language of filters: `field op value [and ...]`, as in "verdict = miss and iou < 0.3".

- op is one of = != < <= > >= contains. A number knows all but `contains`; a word and a text know =, !=
  and `contains`; of a list (tags) = and `contains` say "one of them is", != says "none of them is".
- A value is a number (with a point, whatever the language), a word, or a text in "double" or 'single'
  quotation marks, written twice where one stands inside. Capitals make no difference.
- A field that is undefined in a row (None, NaN or not there) matches no comparison but !=.
- `and` is the only joint: no `or`, no brackets. The text is taken apart and never run.
"""

import operator
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from math import isfinite, isnan
from unicodedata import category, normalize

from nova_review.domain.errors import BugError, UserError

LONGEST = 2_000
"""Characters that a filter may have."""
MOST_CONDITIONS = 50

Value = str | float | Sequence[str] | None
"""What a row holds in a field: text, number, list of texts, or None where it is undefined."""


class FieldType(StrEnum):
    """What a field holds, which decides how it can be compared."""

    NUMBER = "number"
    TEXT = "text"
    WORD = "word"
    LIST = "list"


class Op(StrEnum):
    """How a field is compared."""

    EQUAL = "="
    UNEQUAL = "!="
    BELOW = "<"
    UP_TO = "<="
    ABOVE = ">"
    FROM = ">="
    CONTAINS = "contains"


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field of the rows; `words` are all that a WORD or a LIST can hold, () where that is open."""

    name: str
    type: FieldType = FieldType.TEXT
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Condition:
    """One comparison; `value` is a float for a NUMBER, else a text."""

    field: FieldSpec
    op: Op
    value: str | float

    def holds_for(self, found: Value) -> bool:
        """Return whether a row with `found` in this field is let through."""
        if found is None or (isinstance(found, float) and isnan(found)):
            return self.op is Op.UNEQUAL
        if isinstance(self.value, str):
            return _texts_match(self, self.value, found)
        if not isinstance(found, int | float):
            raise BugError(f"The field {self.field.name} must hold numbers (got {found!r}).")
        return _COMPARES[self.op](found, self.value)


@dataclass(frozen=True, slots=True)
class Where:
    """A filter: a row is let through if all conditions hold."""

    conditions: tuple[Condition, ...]

    def matches(self, row: Mapping[str, Value]) -> bool:
        """Return whether `row` (value by name of the field) is let through."""
        return all(c.holds_for(row.get(c.field.name)) for c in self.conditions)


_COMPARES: Mapping[Op, Callable[[float, float], bool]] = {
    Op.EQUAL: operator.eq,
    Op.UNEQUAL: operator.ne,
    Op.BELOW: operator.lt,
    Op.UP_TO: operator.le,
    Op.ABOVE: operator.gt,
    Op.FROM: operator.ge,
}
_TEXT_OPS = (Op.EQUAL, Op.UNEQUAL, Op.CONTAINS)
_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_TOKEN = re.compile(r"""(?P<op>[<>!]=|[=<>])|(?P<quote>["'])|(?P<word>[^\s<>=!"']+)""")
_PLAIN = re.compile(r"[A-Za-z0-9_.-]+")


def _texts_match(condition: Condition, value: str, found: Value) -> bool:
    if isinstance(found, int | float) or found is None:
        raise BugError(f"The field {condition.field.name} must hold texts (got {found!r}).")
    wanted, items = _folded(value), [_folded(t) for t in ((found,) if isinstance(found, str) else found)]
    if condition.op is Op.CONTAINS and condition.field.type is not FieldType.LIST:
        return any(wanted in item for item in items)
    return (wanted in items) is not (condition.op is Op.UNEQUAL)


def _folded(text: str) -> str:
    return normalize("NFC", text).casefold()


def parse_where(text: str, fields: Sequence[FieldSpec]) -> Where:
    """Return the filter that `text` says, or raise UserError naming the place and what may stand there."""
    if len(text) > LONGEST:
        raise UserError(f"A filter must have at most {LONGEST:,} characters (got {len(text):,}).")
    tokens = list(_tokens(text))
    conditions: list[Condition] = []
    while True:
        conditions.append(_condition(tokens[:3], len(text), fields))
        rest = tokens[3:]
        if not rest:
            return Where(tuple(conditions))
        if rest[0].kind != "word" or rest[0].text.lower() != "and":
            raise _wrong(rest[0], '"and" or the end must follow; put a text of several words in quotes.')
        if len(conditions) == MOST_CONDITIONS:
            raise _wrong(rest[0], f"a filter must have at most {MOST_CONDITIONS} conditions.")
        tokens = rest[1:]


def written(where: Where) -> str:
    """Return the filter as text that `parse_where` reads back as the same filter."""
    return " and ".join(f"{c.field.name} {c.op} {_written_value(c.value)}" for c in where.conditions)


def _written_value(value: str | float) -> str:
    if isinstance(value, float):
        return f"{value:.15g}" if float(f"{value:.15g}") == value else repr(value)
    if _PLAIN.fullmatch(value) and value.lower() != "and":
        return value
    doubled = value.replace('"', '""')
    return f'"{doubled}"'


@dataclass(frozen=True, slots=True)
class _Token:
    """A piece of the filter; `kind` is op, word, quoted or end; `at` counts characters from 0."""

    kind: str
    text: str
    at: int


def _tokens(text: str) -> Iterator[_Token]:
    at = 0
    while at < len(text):
        if text[at].isspace():
            at += 1
            continue
        found = _TOKEN.match(text, at)
        if found is None:
            raise _wrong(_Token("word", text[at], at), 'this is no comparison; write "!=" for "is not".')
        token = _quoted(text, at) if found["quote"] else _Token(str(found.lastgroup), found[0], at)
        if any(category(character) in ("Cc", "Cs") for character in token.text):
            raise _wrong(token, "a filter must have no control characters, line ends or broken letters.")
        yield token
        at = _end_of(token)


def _quoted(text: str, at: int) -> _Token:
    """The token from the quotation mark at `at`, marks included."""
    mark = text[at]
    found = re.compile(f"{mark}[^{mark}]*(?:{mark}{mark}[^{mark}]*)*{mark}").match(text, at)
    if found is None:
        raise _wrong(_Token("quoted", mark, at), "this quotation mark is never closed.")
    return _Token("quoted", found[0], at)


def _end_of(token: _Token) -> int:
    return token.at + len(token.text)


def _wrong(token: _Token, reason: str) -> UserError:
    shown = token.text if len(token.text) <= 30 else token.text[:30] + "..."
    if not shown.isprintable():
        shown = ascii(shown)[1:-1]
    place = "its end" if token.kind == "end" else f"character {token.at + 1} ({shown})"
    return UserError(f"The filter cannot be read at {place}: {reason}")


def _condition(tokens: Sequence[_Token], end: int, fields: Sequence[FieldSpec]) -> Condition:
    """The comparison that the next three tokens make; `end` is where the filter ends."""
    missing = [_Token("end", "", end)] * (3 - len(tokens))
    name, op, value = [*tokens, *missing]
    field = _field(name, fields)
    found_op = _op(op, field)
    if value.kind not in ("word", "quoted") or (value.kind, value.text.lower()) == ("word", "and"):
        raise _wrong(value, f'a value must follow, as in "{field.name} {found_op} {_example(field)}".')
    return Condition(field, found_op, _value(value, field, found_op))


def _field(token: _Token, fields: Sequence[FieldSpec]) -> FieldSpec:
    by_name = {field.name.lower(): field for field in fields}
    if token.kind == "word" and token.text.lower() in by_name:
        return by_name[token.text.lower()]
    near = get_close_matches(token.text.lower(), by_name, n=1)
    hint = f"did you mean {by_name[near[0]].name}? " if near else ""
    known = ", ".join(field.name for field in fields)
    raise _wrong(token, f"a field must stand here; {hint}The fields are {known}.")


def _op(token: _Token, field: FieldSpec) -> Op:
    allowed = tuple(_COMPARES) if field.type is FieldType.NUMBER else _TEXT_OPS
    if token.kind in ("op", "word") and token.text.lower() in allowed:
        return Op(token.text.lower())
    raise _wrong(token, f"{field.name} is a {field.type} and is compared by {' '.join(allowed)}.")


def _value(token: _Token, field: FieldSpec, op: Op) -> str | float:
    text = token.text
    if token.kind == "quoted":
        text = text[1:-1].replace(text[0] * 2, text[0])
    if field.type is FieldType.NUMBER:
        return _number(token, text, field)
    if op is Op.CONTAINS and not text:
        raise _wrong(token, "every text contains an empty one; write what it should contain.")
    if field.words and not (op is Op.CONTAINS and field.type is FieldType.WORD):
        return _one_of(token, text, field)
    return text


def _number(token: _Token, text: str, field: FieldSpec) -> float:
    if _NUMBER.fullmatch(text) and isfinite(float(text)):
        return float(text)
    raise _wrong(token, f"{field.name} must be compared with a number with a point, such as 0.05.")


def _one_of(token: _Token, text: str, field: FieldSpec) -> str:
    for word in field.words:
        if _folded(word) == _folded(text):
            return word
    raise _wrong(token, f"{field.name} must be one of {', '.join(field.words)}.")


def _example(field: FieldSpec) -> str:
    if field.type is FieldType.NUMBER:
        return "0.5"
    return field.words[0] if field.words else '"some text"'
