"""The columns that recur in every table, and the one metadata object that holds the tables.

Portable on purpose: text for JSON, times (UTC, ISO 8601) and random keys made by the client;
double precision for what is measured; no type that only one database has.
"""

from enum import StrEnum
from typing import Any

from sqlalchemy import (
    Boolean,
    CheckConstraint,
    Column,
    Double,
    ForeignKey,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_name)s",
    "pk": "pk_%(table_name)s",
}

metadata = MetaData(naming_convention=NAMES)


def table(name: str, *parts: Any) -> Table:
    """A table of the study; every one of its rows says to which study it belongs."""
    owner: Column[str] = Column("study_id", String(36), ForeignKey("study.id"), nullable=False)
    first, *rest = parts
    return Table(name, metadata, first, owner, *rest)


def key(name: str = "id") -> Column[str]:
    """A random UUID made by the client: a counting key would tell how much others have drawn."""
    return Column(name, String(36), primary_key=True)


def refers(name: str, target: str, *, primary: bool = False, optional: bool = False) -> Column[str]:
    """A reference to the key of another table ("reader.id")."""
    return Column(name, String(36), ForeignKey(target), primary_key=primary, nullable=optional)


def text(name: str, *, default: str | None = None) -> Column[str]:
    """A text that is always there ("" where nothing was said)."""
    return Column(name, Text, nullable=False, server_default=default)


def maybe_text(name: str) -> Column[str | None]:
    """A text that may be unknown."""
    return Column(name, Text)


def whole(name: str, *, primary: bool = False, default: str | None = None) -> Column[int]:
    """A whole number that is always there."""
    return Column(
        name, Integer, primary_key=primary, nullable=False, autoincrement=False, server_default=default
    )


def maybe_whole(name: str) -> Column[int | None]:
    """A whole number that may be unknown."""
    return Column(name, Integer)


def real(name: str) -> Column[float]:
    """A measured number, double precision."""
    return Column(name, Double, nullable=False)


def maybe_real(name: str) -> Column[float | None]:
    """A measured number that may be unknown."""
    return Column(name, Double)


def flag(name: str) -> Column[bool]:
    """Yes or no; no unless said."""
    return Column(name, Boolean, nullable=False, default=False)


def box_columns() -> tuple[Column[float], ...]:
    """A box in continuous pixels, as `domain.geometry.Box`."""
    return real("x"), real("y"), real("width"), real("height")


def one_of(column: str, words: type[StrEnum] | tuple[str, ...]) -> CheckConstraint:
    """The column holds one of these words (or nothing, where nothing is allowed)."""
    allowed = ", ".join(f"'{word}'" for word in words)
    return CheckConstraint(f"{column} IN ({allowed})", name=column)


def between_0_and_1(column: str) -> CheckConstraint:
    """The column is a share or nothing."""
    return CheckConstraint(f"{column} BETWEEN 0 AND 1", name=column)


def at_least_1(column: str) -> CheckConstraint:
    """The column counts from 1."""
    return CheckConstraint(f"{column} >= 1", name=column)
