"""What is still to be answered before a slice can be locked or a case submitted."""

from nova_review.domain.protocol import Protocol
from nova_review.domain.reading import Caption, CaseAnswer, Finding, Normality, Outcome, SliceAnswer


def missing_in_slice(answer: SliceAnswer, protocol: Protocol) -> tuple[str, ...]:
    """Return, in words and in the order of the page, what stage 1 still needs."""
    if answer.outcome is Outcome.CANNOT_READ:
        return () if answer.cannot_read_reason.strip() else ("why it cannot be read",)
    missing = [] if answer.outcome else ["findings, or that there is none"]
    for number, finding in enumerate(answer.findings, start=1):
        missing += [f"{field} of finding {number}" for field in _empty_fields(finding, protocol)]
    missing += _missing_in_caption(answer.caption, protocol)
    if answer.outcome is Outcome.NO_FINDING and answer.caption.normality is Normality.ABNORMAL:
        missing.append("what is abnormal, since you said that nothing is")
    return tuple(missing)


def missing_in_case(answer: CaseAnswer, protocol: Protocol) -> tuple[str, ...]:
    """Return, in words, what stage 2 still needs."""
    if not answer.diagnoses:
        return ("at least one diagnosis",)
    missing = []
    for rank, diagnosis in enumerate(answer.diagnoses, start=1):
        if not diagnosis.name.strip():
            missing.append(f"the name of diagnosis {rank}")
        if diagnosis.confidence is None:
            missing.append(f"confidence of diagnosis {rank}")
    if len(answer.diagnoses) > protocol.max_diagnoses:
        missing.append(f"at most {protocol.max_diagnoses} diagnoses")
    return tuple(missing)


def _empty_fields(finding: Finding, protocol: Protocol) -> list[str]:
    values = {
        "label": finding.label.strip(),
        "place": finding.place.strip(),
        "side": finding.side,
        "confidence": None if finding.confidence is None else "given",
    }
    return [field for field in protocol.required_of_finding if not values[field]]


def _missing_in_caption(caption: Caption, protocol: Protocol) -> list[str]:
    values = {
        "sequences": caption.sequences,
        "plane": caption.plane,
        "normality": caption.normality,
        "text": caption.text.strip(),
    }
    words = {
        "sequences": "sequence",
        "plane": "plane",
        "normality": "normal or abnormal",
        "text": "caption text",
    }
    return [words[field] for field in protocol.required_of_caption if not values[field]]
