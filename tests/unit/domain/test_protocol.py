"""The protocol is a document: it reads back equal, and its hash tells two apart."""

import json
from dataclasses import replace

import pytest

from nova_review.domain.errors import UserError
from nova_review.domain.protocol import (
    Level,
    Shown,
    Unit,
    default_protocol,
    protocol_document,
    protocol_from_document,
    protocol_hash,
)


@pytest.mark.parametrize("unit", Unit)
def test_the_document_reads_back_equal(unit: Unit) -> None:
    protocol = default_protocol(unit=unit)
    text = json.dumps(protocol_document(protocol))
    assert protocol_from_document(json.loads(text)) == protocol
    assert protocol_hash(protocol_from_document(json.loads(text))) == protocol_hash(protocol)


def test_the_hash_tells_two_protocols_apart() -> None:
    plain = default_protocol()
    assert protocol_hash(plain) != protocol_hash(replace(plain, idle_limit_seconds=61))
    assert protocol_hash(plain) != protocol_hash(default_protocol(unit=Unit.SLICE))
    assert len(protocol_hash(plain)) == 64


def test_isolated_slices_hide_the_siblings_in_stage_1_only() -> None:
    first, second = default_protocol(unit=Unit.SLICE).arm("image-history").stages
    assert Shown.SIBLINGS not in first.shows
    assert Shown.SIBLINGS in second.shows
    assert Shown.SIBLINGS in default_protocol().arm("image-history").stages[0].shows


def test_the_history_is_shown_in_the_case_stage_alone() -> None:
    stages = default_protocol().arm("image-history").stages
    assert [(s.level, Shown.HISTORY in s.shows) for s in stages] == [(Level.SLICE, False), (Level.CASE, True)]


def test_unknown_arms_are_refused() -> None:
    with pytest.raises(UserError, match="no arm named 'history-first'"):
        default_protocol(arm="history-first")
    with pytest.raises(UserError, match="no arm named 'x'"):
        default_protocol().arm("x")


def test_documents_of_another_format_or_damaged_are_refused() -> None:
    document = protocol_document(default_protocol())
    with pytest.raises(UserError, match="has format 9; this version reads 1"):
        protocol_from_document({**document, "format": 9})
    with pytest.raises(UserError, match="damaged"):
        protocol_from_document({**document, "unit": "patient"})
    document.pop("arms")
    with pytest.raises(UserError, match="damaged"):
        protocol_from_document(document)
