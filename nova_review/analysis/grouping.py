"""Which findings of several layers are about the same thing.

The layer whose boxes have the largest IoU sum with all others' is the centre (the first of
equals); each other layer's boxes go to the centre's by the largest IoU sum at any IoU > 0. What
is left over is grouped in the same way among itself, so that two readers who share a finding
the third one lacks stand together.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations

from nova_review.analysis.matching import Match, Rule, match
from nova_review.domain.adjudication import Comparison, Group, Layer, PairIou, Source
from nova_review.domain.geometry import Box, iou
from nova_review.domain.reading import Finding

_Findings = Mapping[str, Sequence[Finding]]
_Members = dict[str, Finding]


def compare(layers: Sequence[Layer]) -> Comparison:
    """Return the layers of one slice with the groups of their findings, top of the picture first."""
    found = _grouped({layer.letter: layer.findings for layer in layers})
    ordered = sorted(found, key=lambda members: min(_place(f) for f in members.values()))
    groups = (_group(number, members) for number, members in enumerate(ordered, start=1))
    return Comparison(tuple(layers), tuple(groups))


def _grouped(findings: _Findings) -> list[_Members]:
    here = {letter: own for letter, own in findings.items() if own}
    if not here:
        return []
    if len(here) == 1:
        return [{letter: f} for letter, own in here.items() for f in own]
    groups = _around_centre(here)
    taken = {(letter, f.id) for members in groups for letter, f in members.items()}
    left = {letter: [f for f in own if (letter, f.id) not in taken] for letter, own in here.items()}
    return groups + _grouped(left)


def _around_centre(findings: _Findings) -> list[_Members]:
    """One group for each box of the centre, which all take part, so that something is always taken."""
    letters = list(findings)
    between = {
        (a, b): match(_boxes(findings[a]), _boxes(findings[b]), rule=Rule.LARGEST_SUM)
        for a, b in combinations(letters, 2)
    }
    centre = max(letters, key=lambda k: sum(m.iou_sum for pair, m in between.items() if k in pair))
    groups: list[_Members] = [{centre: f} for f in findings[centre]]
    for other in letters:
        for mine, theirs in _pairs(between, centre, other):
            groups[mine][other] = findings[other][theirs]
    return [{letter: g[letter] for letter in letters if letter in g} for g in groups]


def _pairs(between: Mapping[tuple[str, str], Match], centre: str, other: str) -> list[tuple[int, int]]:
    if (centre, other) in between:
        return [(p.a, p.b) for p in between[centre, other].pairs]
    if (other, centre) in between:
        return [(p.b, p.a) for p in between[other, centre].pairs]
    return []


def _boxes(findings: Sequence[Finding]) -> list[Box]:
    return [f.box for f in findings]


def _place(finding: Finding) -> tuple[float, float]:
    return finding.box.y, finding.box.x


def _group(number: int, members: _Members) -> Group:
    sources = {letter: Source(letter, f.id) for letter, f in members.items()}
    pairs = tuple(
        PairIou(sources[a], sources[b], iou(members[a].box, members[b].box))
        for a, b in combinations(members, 2)
    )
    return Group(number, tuple(sources.values()), pairs)
