"""What `doctor` tells of a study file: whether it is sound, and nothing of what is in it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StudyHealth:
    """One study file. `size` in bytes; `problems` are sentences, none for a sound file.

    `is_old` says that the file is of an older schema and is converted when it is opened; its content
    is then not checked.
    """

    schema: int
    newest_schema: int
    size: int
    is_old: bool
    can_be_written: bool
    problems: tuple[str, ...]
