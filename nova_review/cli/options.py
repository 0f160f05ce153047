"""Arguments and options that several verbs take, worded once."""

from pathlib import Path
from typing import Annotated

import typer

# readable=False: that a file cannot be read is for the verb to say (exit 1), no word misunderstood (exit 2).
StudyFile = Annotated[Path, typer.Argument(metavar="FILE.nova", help="The study file.", readable=False)]
Readers = Annotated[
    list[str] | None, typer.Option("--reader", metavar="NAME", help="Name or code; repeat it.")
]
BeforeLock = Annotated[bool, typer.Option("--before-lock", help="Before the database lock; needs --reason.")]
Reason = Annotated[
    str | None,
    typer.Option("--reason", metavar="TEXT", help="Why before the lock; it is audited and printed."),
]
ResampleSeed = Annotated[int, typer.Option("--seed", metavar="N", help="Seed of the resamples.")]
Sets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="NAME", help="Prediction set, or reader by name or code; repeat it."),
]
