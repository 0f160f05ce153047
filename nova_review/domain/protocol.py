"""The protocol: what is fixed before anybody reads.

A protocol is a versioned document. Locking it stores the document and its hash; later
changes are numbered amendments with a reason. `default_protocol` is the preset
"image, then history" of this program.
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from nova_review.domain.adjudication import Mode, QueueOrder
from nova_review.domain.errors import UserError

DOCUMENT_FORMAT = 1


class Unit(StrEnum):
    """What one presentation shows."""

    CASE = "case"
    SLICE = "slice"


class Level(StrEnum):
    """What a stage is answered for."""

    SLICE = "slice"
    CASE = "case"


class Shown(StrEnum):
    """One thing that a stage may show to the reader."""

    IMAGE = "image"
    SIBLINGS = "siblings"
    HISTORY = "history"
    OWN_CAPTION = "own-caption"
    GOLD_CAPTION = "gold-caption"


class Asked(StrEnum):
    """One thing that a stage asks of the reader."""

    FINDINGS = "findings"
    CAPTION = "caption"
    NORMALITY = "normality"
    DIAGNOSES = "diagnoses"
    CONFIDENCE = "confidence"
    RATIONALE = "rationale"


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of an arm; `number` counts from 1, `sentence` tells the reader what it is."""

    number: int
    name: str
    level: Level
    shows: frozenset[Shown]
    asks: frozenset[Asked]
    sentence: str


@dataclass(frozen=True, slots=True)
class Arm:
    """An ordered list of stages."""

    code: str
    stages: tuple[Stage, ...]


@dataclass(frozen=True, slots=True)
class Vocabularies:
    """The words that a reader picks by key; free text is always possible beside them."""

    sequences: tuple[str, ...]
    planes: tuple[str, ...]
    labels: tuple[str, ...]
    places: tuple[str, ...]
    cannot_read_reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConfidenceScale:
    """Steps 0..1 on keys 1, 2, ... with what they mean; nothing is preset."""

    steps: tuple[float, ...]
    finding_anchor: str
    diagnosis_anchor: str


@dataclass(frozen=True, slots=True)
class AnalysisPlan:
    """What is fixed about the analysis before the first reading."""

    primary_endpoint: str
    thresholds: tuple[float, ...]
    size_bands: tuple[float, ...]
    matching: str
    missing_data: str
    gold_rule: str


@dataclass(frozen=True, slots=True)
class AdjudicationPlan:
    """How disagreements are settled: when the layers appear, in which order, and what else is shown."""

    mode: Mode = Mode.INDEPENDENT_FIRST
    order: QueueOrder = QueueOrder.LOWEST_FIRST
    shows_history: bool = False
    shows_final_diagnosis: bool = False


DEFAULT_ADJUDICATION = AdjudicationPlan()


@dataclass(frozen=True, slots=True)
class Protocol:
    """The whole document. `actions` are the names of actions that keys may be bound to."""

    version: int
    unit: Unit
    arms: tuple[Arm, ...]
    vocabularies: Vocabularies
    confidence: ConfidenceScale
    required_of_finding: tuple[str, ...]
    required_of_caption: tuple[str, ...]
    max_diagnoses: int
    idle_limit_seconds: int
    file_names_visible: bool
    side_convention: str
    actions: tuple[str, ...]
    analysis: AnalysisPlan
    adjudication: AdjudicationPlan = DEFAULT_ADJUDICATION

    def arm(self, code: str) -> Arm:
        """Return the arm with this code, or raise UserError."""
        for arm in self.arms:
            if arm.code == code:
                return arm
        raise UserError(f"The protocol has no arm named {code!r}.")


IMAGE_HISTORY = Arm(
    code="image-history",
    stages=(
        Stage(
            number=1,
            name="Image only",
            level=Level.SLICE,
            shows=frozenset({Shown.IMAGE, Shown.SIBLINGS}),
            asks=frozenset({Asked.FINDINGS, Asked.CAPTION, Asked.NORMALITY}),
            sentence="Mark what you see. The history opens when every slice is locked.",
        ),
        Stage(
            number=2,
            name="Image and history",
            level=Level.CASE,
            shows=frozenset({Shown.IMAGE, Shown.SIBLINGS, Shown.HISTORY, Shown.OWN_CAPTION}),
            asks=frozenset({Asked.DIAGNOSES, Asked.CONFIDENCE, Asked.RATIONALE}),
            sentence="The history is open. Rank up to five diagnoses.",
        ),
    ),
)

DEFAULT_VOCABULARIES = Vocabularies(
    sequences=("T1", "T1 post-contrast", "T2", "FLAIR", "DWI", "ADC", "SWI", "PD", "MRA", "other"),
    planes=("axial", "coronal", "sagittal"),
    labels=(
        "lesion",
        "mass",
        "oedema",
        "haemorrhage",
        "infarct",
        "cyst",
        "malformation",
        "artefact",
        "other",
    ),
    places=(
        "frontal",
        "parietal",
        "temporal",
        "occipital",
        "insula",
        "deep grey matter",
        "brainstem",
        "cerebellum",
        "ventricle",
        "corpus callosum",
        "extra-axial",
        "sella",
        "pineal",
        "whole brain",
    ),
    cannot_read_reasons=("motion or artefact", "too dark or too bright", "not a brain MRI", "other"),
)

DEFAULT_CONFIDENCE = ConfidenceScale(
    steps=(0.1, 0.3, 0.5, 0.7, 0.9),
    finding_anchor="chance that this is a real lesion",
    diagnosis_anchor="chance that this diagnosis is right",
)

DEFAULT_ANALYSIS = AnalysisPlan(
    primary_endpoint="f1@0.5",
    thresholds=(0.3, 0.5),
    size_bands=(),
    matching="gate at the threshold, then most pairs, then largest IoU sum",
    missing_data="a slice that one reader has not read is excluded and counted",
    gold_rule="adjudicated decisions; else the data set's own gold",
)

READING_ACTIONS = (
    "next-slice",
    "previous-slice",
    "draw",
    "delete",
    "duplicate",
    "nudge",
    "resize",
    "confidence",
    "no-finding",
    "cannot-be-read",
    "lock",
    "submit",
    "defer",
    "pause",
    "seen-before",
    "copy-previous",
    "undo",
    "redo",
    "window",
    "invert",
    "zoom",
    "hide-boxes",
    "layout",
)


def default_protocol(*, unit: Unit = Unit.CASE, arm: str = "image-history") -> Protocol:
    """Return the preset protocol; raises UserError for an arm that has no preset."""
    if arm != IMAGE_HISTORY.code:
        raise UserError(f"There is no arm named {arm!r}. This version has {IMAGE_HISTORY.code!r}.")
    return Protocol(
        version=1,
        unit=unit,
        arms=(_arm_for(unit),),
        vocabularies=DEFAULT_VOCABULARIES,
        confidence=DEFAULT_CONFIDENCE,
        required_of_finding=("label", "confidence"),
        required_of_caption=("sequences", "plane", "normality"),
        max_diagnoses=5,
        idle_limit_seconds=60,
        file_names_visible=False,
        side_convention="unknown",
        actions=READING_ACTIONS,
        analysis=DEFAULT_ANALYSIS,
    )


def _arm_for(unit: Unit) -> Arm:
    if unit is Unit.CASE:
        return IMAGE_HISTORY
    first, second = IMAGE_HISTORY.stages
    alone = Stage(
        number=first.number,
        name=first.name,
        level=first.level,
        shows=first.shows - {Shown.SIBLINGS},
        asks=first.asks,
        sentence="Mark what you see. Histories come after your last slice.",
    )
    return Arm(code=IMAGE_HISTORY.code, stages=(alone, second))


def protocol_document(protocol: Protocol) -> dict[str, Any]:
    """Return the protocol as a JSON-ready object (sets sorted, so that its hash is stable)."""
    document: dict[str, Any] = _plain(asdict(protocol))
    if protocol.adjudication == DEFAULT_ADJUDICATION:
        del document["adjudication"]  # documents from before this part keep their hash
    return {"format": DOCUMENT_FORMAT, **document}


def protocol_hash(protocol: Protocol) -> str:
    """Return the SHA-256 of the canonical JSON of the protocol, in hex."""
    text = json.dumps(protocol_document(protocol), sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def protocol_from_document(document: Mapping[str, Any]) -> Protocol:
    """Return the protocol that `protocol_document` wrote; raises UserError if it cannot be read."""
    if document.get("format") != DOCUMENT_FORMAT:
        raise UserError(
            f"The protocol has format {document.get('format')!r}; this version reads {DOCUMENT_FORMAT}. "
            "Open the study with the program version that wrote it."
        )
    try:
        return _protocol(document)
    except (KeyError, TypeError, ValueError) as error:
        raise UserError(f"The protocol in the study file is damaged ({error}).") from error


def _protocol(document: Mapping[str, Any]) -> Protocol:
    return Protocol(
        version=int(document["version"]),
        unit=Unit(document["unit"]),
        arms=tuple(_arm(a) for a in document["arms"]),
        vocabularies=Vocabularies(**{k: tuple(v) for k, v in document["vocabularies"].items()}),
        confidence=_confidence(document["confidence"]),
        required_of_finding=tuple(document["required_of_finding"]),
        required_of_caption=tuple(document["required_of_caption"]),
        max_diagnoses=int(document["max_diagnoses"]),
        idle_limit_seconds=int(document["idle_limit_seconds"]),
        file_names_visible=bool(document["file_names_visible"]),
        side_convention=str(document["side_convention"]),
        actions=tuple(document["actions"]),
        analysis=_analysis(document["analysis"]),
        adjudication=_adjudication(document.get("adjudication")),
    )


def _arm(document: Mapping[str, Any]) -> Arm:
    return Arm(code=document["code"], stages=tuple(_stage(s) for s in document["stages"]))


def _stage(document: Mapping[str, Any]) -> Stage:
    return Stage(
        number=int(document["number"]),
        name=document["name"],
        level=Level(document["level"]),
        shows=frozenset(Shown(s) for s in document["shows"]),
        asks=frozenset(Asked(a) for a in document["asks"]),
        sentence=document["sentence"],
    )


def _confidence(document: Mapping[str, Any]) -> ConfidenceScale:
    return ConfidenceScale(
        steps=tuple(float(s) for s in document["steps"]),
        finding_anchor=document["finding_anchor"],
        diagnosis_anchor=document["diagnosis_anchor"],
    )


def _analysis(document: Mapping[str, Any]) -> AnalysisPlan:
    return AnalysisPlan(
        primary_endpoint=document["primary_endpoint"],
        thresholds=tuple(float(t) for t in document["thresholds"]),
        size_bands=tuple(float(b) for b in document["size_bands"]),
        matching=document["matching"],
        missing_data=document["missing_data"],
        gold_rule=document["gold_rule"],
    )


def _adjudication(document: Mapping[str, Any] | None) -> AdjudicationPlan:
    if document is None:
        return DEFAULT_ADJUDICATION
    return AdjudicationPlan(
        mode=Mode(document["mode"]),
        order=QueueOrder(document["order"]),
        shows_history=bool(document["shows_history"]),
        shows_final_diagnosis=bool(document["shows_final_diagnosis"]),
    )


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, frozenset | set):
        return sorted(str(v) for v in value)
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    return str(value) if isinstance(value, StrEnum) else value
