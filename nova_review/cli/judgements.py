"""`judgements add`, `judgements export`, `judgements agreement`: whether two diagnoses are the same."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from nova_review.cli.agreement import early
from nova_review.cli.context import services_of
from nova_review.cli.options import BeforeLock, Reason, StudyFile
from nova_review.cli.output import JsonFlag, Output
from nova_review.cli.verbs import verb_group
from nova_review.services.judging_content import JudgementsTaken, JudgesAgreement

app = verb_group("Bring judgements of diagnoses in and out.")


@app.command("add")
def add(
    context: typer.Context,
    study: StudyFile,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="CSV, JSON or JSON lines.", readable=False)],
    judge: Annotated[
        str | None, typer.Option("--judge", metavar="NAME", help="Who judged, if the file does not say.")
    ] = None,
    before_lock: BeforeLock = False,
    reason: Reason = None,
    as_json: JsonFlag = False,
) -> None:
    """Add judgements; each keeps the name of its judge.

    A judge's new word on a pair replaces his earlier one. Odd rows are left out and listed.
    """
    why = early(before_lock=before_lock, reason=reason)
    taken = services_of(context).judgements.add(study, file, judge=judge, early_reason=why)
    said, lines = _early_words(context, study, why)
    Output(as_json=as_json).result({**_taken_dict(taken), **said}, [*_taken_lines(taken), *lines])
    if taken.errors:
        raise typer.Exit(1)


@app.command("export")
def export(
    context: typer.Context,
    study: StudyFile,
    out: Annotated[Path, typer.Option("--out", metavar="FILE.csv", help="A new file.", readable=False)],
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace an earlier export.")] = False,
    before_lock: BeforeLock = False,
    reason: Reason = None,
    as_json: JsonFlag = False,
) -> None:
    """Write all judgements as CSV; `add` reads it back."""
    why = early(before_lock=before_lock, reason=reason)
    pairs = services_of(context).judgements.export(study, out, overwrite=overwrite, early_reason=why)
    judges = sorted({pair.judged_by for pair in pairs})
    told = {"out": str(out), "judgements": len(pairs), "judges": judges}
    line = f"{len(pairs)} judgements of {', '.join(judges) or 'nobody'} are in {out}."
    said, lines = _early_words(context, study, why)
    Output(as_json=as_json).result({**told, **said}, [line, *lines])


@app.command("agreement")
def agreement(
    context: typer.Context,
    study: StudyFile,
    before_lock: BeforeLock = False,
    reason: Reason = None,
    as_json: JsonFlag = False,
) -> None:
    """Say how far judges agree, and list what to settle.

    Each two judges, on the same against not the same; Cohen's kappa.
    """
    why = early(before_lock=before_lock, reason=reason)
    found = services_of(context).judgements.agreement(study, early_reason=why)
    lines = [line for one in found for line in _agreement_lines(one)]
    told = {"judges": [_agreement_dict(one) for one in found]}
    said, early_lines = _early_words(context, study, why)
    lines = lines or ["No pair of diagnoses was judged by two judges."]
    Output(as_json=as_json).result({**told, **said}, [*lines, *early_lines])


def _early_words(context: typer.Context, study: Path, why: str | None) -> tuple[dict[str, object], list[str]]:
    """What a result says of a look before the database lock: nothing where there was none."""
    if why is None or not services_of(context).judgements.is_before_lock(study):
        return {}, []
    return {"before_lock": why}, [f"BEFORE THE DATABASE LOCK, because: {why}"]


def _taken_dict(taken: JudgementsTaken) -> dict[str, object]:
    return {
        "added": taken.added,
        "changed": taken.changed,
        "same": taken.same,
        "warnings": [asdict(w) for w in taken.warnings],
        "errors": [asdict(e) for e in taken.errors],
    }


def _taken_lines(taken: JudgementsTaken) -> list[str]:
    if taken.errors:
        return [f"Refused: {e.message}" for e in taken.errors]
    head = f"{taken.added} judgements added, {taken.changed} changed, {taken.same} there already."
    return [head, *(f"  {w.message} ({w.value})" for w in taken.warnings)]


def _agreement_dict(one: JudgesAgreement) -> dict[str, object]:
    return {
        "judges": list(one.judges),
        "n": one.n,
        "unsure": one.unsure,
        "percent": one.percent.value,
        "kappa": one.kappa.value,
        "undefined_because": one.kappa.undefined_because,
        "disagreed": [
            {
                "reference": a.reference,
                "answer": a.answer,
                "judgements": {a.judged_by: a.judgement.value, b.judged_by: b.judgement.value},
            }
            for a, b in one.disagreed
        ],
    }


def _agreement_lines(one: JudgesAgreement) -> list[str]:
    percent = "undefined" if one.percent.value is None else f"{one.percent.value:.1f} %"
    kappa = (
        f"undefined: {one.kappa.undefined_because}" if one.kappa.value is None else f"{one.kappa.value:.3f}"
    )
    head = f"{one.judges[0]} and {one.judges[1]}: {percent} agreement, kappa {kappa} (n = {one.n} pairs"
    head += f", {one.unsure} more unsure)" if one.unsure else ")"
    return [
        head,
        *(
            f"  {_short(a.reference)} | {_short(a.answer)}: {a.judgement}, {b.judgement}"
            for a, b in one.disagreed
        ),
    ]


def _short(name: str) -> str:
    return " ".join(name.split())
