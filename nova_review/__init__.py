"""nova_review: blinded reading, adjudication and failure review of brain-MRI slices.

The package is a functional core (domain, analysis) under an imperative shell (services,
storage, formats, cli, ui). Imports run downward only; `lint-imports` checks it.
"""

__version__ = "0.1.0"
