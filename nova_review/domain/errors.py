"""The one exception tree of the program.

NovaReviewError
├── UserError              a sentence a clinician can act on: what, where, what to do
│   ├── NotAllowedError    the blind, the phase or a role forbids it
│   ├── ConflictError      somebody else changed the same record
│   ├── StorageError       the study file cannot be read or written now
│   └── FormatError        a file or table given to us cannot be used
└── BugError               a promise inside the program was broken
"""


class NovaReviewError(Exception):
    """Root of all errors that this program raises on purpose."""


class UserError(NovaReviewError):
    """A sentence for a person: what is wrong, where, and what to do."""


class NotAllowedError(UserError):
    """Forbidden by the blind, the phase of the study or the role of the person."""


class ConflictError(UserError):
    """The stored record moved on since it was read; nothing was written."""


class StorageError(UserError):
    """The study file cannot be read or written now; the draft is kept in memory."""


class FormatError(UserError):
    """A file or a table that was handed to us cannot be used."""


class BugError(NovaReviewError):
    """A promise inside the program was broken; never the person's fault."""
