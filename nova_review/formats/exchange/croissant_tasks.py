"""The `croissant-tasks` format: NOVA's three questions as problems, and each set as a solution, in JSON-LD.

The vocabulary is that of Croissant Tasks (http://mlcommons.org/croissant/). problem.jsonld is a TaskProblem
with one problem under it for localization, captioning and reasoning each: what is given (the data set, by
croissant.json beside it), what is wanted (an OutputSpec with its fields) and by which figures it is
judged. solutions/<set>.jsonld is a TaskSolution with one solution under it for each problem that the set
answered; its output is a file beside it, outputs/<set>/*_preds.json, the same as in the `croissant` format.
No score stands here: scores come from a scorer, and the manifest says so. One record, a solution's part:

    {"@type": "croissant:TaskSolution", "@id": "urn:nova-review:72c2...:solution:model-a#localization",
     "schema:name": "localization by model-a",
     "schema:isBasedOn": {"@id": "urn:nova-review:72c2...#localization"},
     "croissant:input": {"@id": "urn:nova-review:72c2...#dataset"},
     "croissant:implementation": {"@id": "urn:nova-review:72c2...:solution:model-a#implementation"},
     "croissant:output": {"@type": "schema:Dataset", "@id": "urn:sha256:14be...", "schema:name":
       "localization_preds.json", "schema:url": "../outputs/model-a/localization_preds.json", ...}}
"""

import hashlib
from collections.abc import Iterator
from typing import Any

from nova_review import __version__
from nova_review.formats.exchange.answers_out import OutgoingSet, outgoing_sets
from nova_review.formats.exchange.croissant import PARTS, answer_files
from nova_review.formats.exchange.croissant_metadata import json_ld, write_croissant_metadata
from nova_review.services.export_content import ExportContent, ExportFile
from nova_review.services.export_manifest import NOVA_NOTICE
from nova_review.services.export_material import Remarks

CONTEXT = {
    "croissant": "http://mlcommons.org/croissant/",
    "schema": "https://schema.org/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}
_TOLD = {
    "localization": "Mark every abnormality on the slice, given the image alone.",
    "captioning": "Describe the slice in words, given the image alone.",
    "reasoning": "Name the most likely diagnosis and up to four others, given the clinical history and the "
    "gold caption, without the image.",
}
_FIELDS = {
    "localization": {
        "filename": "xsd:string",
        "bbox_2d": "xsd:float",
        "label": "xsd:string",
    },
    "captioning": {"filename": "xsd:string", "caption": "xsd:string"},
    "reasoning": {
        "filename": "xsd:string",
        "most_likely_diagnosis": "xsd:string",
        "other_possible_diagnoses": "xsd:string",
    },
}
_REPEATED = frozenset({"bbox_2d", "other_possible_diagnoses"})
_METRICS = {
    "localization": ("mAP@30", "mAP@50", "mAP@[50:95]", "ACC50", "FNR"),
    "captioning": ("BLEU-4", "METEOR", "Clinical_Term_F1", "Modality_Term_F1", "Binary_F1"),
    "reasoning": ("Top-1 Accuracy", "Top-5 Accuracy"),
}
_RULES = (
    "Metric names mean different numbers to different scorers; these are those of the croissant baseline. "
    "Boxes are [ymin, xmin, ymax, xmax] in pixels."
)
Node = dict[str, Any]


def write_croissant_tasks(content: ExportContent) -> Iterator[ExportFile]:
    """Yield problem.jsonld, solutions/, outputs/ and the described data set."""
    yield from write_croissant_metadata(content)
    yield ExportFile("problem.jsonld", json_ld({"@context": CONTEXT, **_problem(content)}))
    for one in outgoing_sets(content):
        files = answer_files(one, content)
        for name, data in files.items():
            yield ExportFile(f"outputs/{one.folder}/{name}", data)
        if files:
            document = {"@context": CONTEXT, **_solution(one, files, content)}
            yield ExportFile(f"solutions/{one.folder}.jsonld", json_ld(document))


def remarks_on_croissant_tasks(content: ExportContent) -> Remarks:
    """Say what a solution could hold and does not."""
    missing = ["scores: a solution without croissant:evaluation (they come from a scorer)"]
    missing += [] if content.gold else ["gold boxes"]
    models = [one.folder for one in outgoing_sets(content) if one.reader is None]
    if models:
        missing.append(
            f"programs and settings of the models: only their names are known ({', '.join(models)})"
        )
    return Remarks(missing=tuple(missing))


def _base(content: ExportContent) -> str:
    return f"urn:nova-review:{content.data_set.content_hash[:32]}"


def _problem(content: ExportContent) -> Node:
    base = _base(content)
    every = {name: kind for fields in _FIELDS.values() for name, kind in fields.items()}
    metrics = [metric for names in _METRICS.values() for metric in names]
    return {
        "@type": "croissant:TaskProblem",
        "@id": base,
        "schema:name": f"Localization, captioning and reasoning on {content.data_set.code}",
        "schema:description": f"{' '.join(_TOLD.values())} {NOVA_NOTICE}",
        "croissant:input": {
            "@type": "schema:Dataset",
            "@id": f"{base}#dataset",
            "schema:name": content.data_set.code,
            "schema:url": "croissant.json",
        },
        "croissant:output": _output_spec(base, "all", every),
        "croissant:evaluation": _evaluation_spec(base, "all", metrics),
        "croissant:subTask": [_part_problem(base, part) for part in PARTS],
    }


def _part_problem(base: str, part: str) -> Node:
    return {
        "@type": "croissant:TaskProblem",
        "@id": f"{base}#{part}",
        "schema:name": part,
        "schema:description": _TOLD[part],
        "croissant:input": {"@id": f"{base}#dataset"},
        "croissant:output": _output_spec(base, part, _FIELDS[part]),
        "croissant:evaluation": _evaluation_spec(base, part, _METRICS[part]),
    }


def _output_spec(base: str, part: str, fields: dict[str, str]) -> Node:
    return {
        "@type": "croissant:OutputSpec",
        "@id": f"{base}#output-{part}",
        "croissant:schema": {
            "@type": "croissant:RecordSet",
            "@id": f"{base}#records-{part}",
            "croissant:field": [_field(base, part, name, kind) for name, kind in fields.items()],
        },
    }


def _field(base: str, part: str, name: str, kind: str) -> Node:
    found: Node = {
        "@type": "croissant:Field",
        "@id": f"{base}#field-{part}-{name}",
        "schema:name": name,
        "croissant:dataType": {"@id": kind},
    }
    return {**found, "croissant:repeated": True} if name in _REPEATED else found


def _evaluation_spec(base: str, part: str, metrics: list[str] | tuple[str, ...]) -> Node:
    return {
        "@type": "croissant:EvaluationSpec",
        "@id": f"{base}#evaluation-{part}",
        "schema:description": _RULES,
        "croissant:expectedMetric": list(metrics),
    }


def _solution(one: OutgoingSet, files: dict[str, bytes], content: ExportContent) -> Node:
    base, own = _base(content), f"{_base(content)}:solution:{one.folder}"
    found: Node = {
        "@type": "croissant:TaskSolution",
        "@id": own,
        "schema:name": f"Answers of {one.said_name} on {content.data_set.code}",
        "schema:isBasedOn": {"@id": base},
        "croissant:implementation": _implementation(one, own),
        "croissant:subTask": [
            _part_solution(one, part, files[f"{part}_preds.json"], base, own)
            for part in PARTS
            if f"{part}_preds.json" in files
        ],
    }
    return found


def _implementation(one: OutgoingSet, own: str) -> Node:
    node: Node = {"@type": "schema:SoftwareApplication", "@id": f"{own}#implementation"}
    if one.reader is None:
        return {**node, "schema:name": one.answers.name}
    told = {"schema:description": f"{one.said_name}, a human reader, answered with this program."}
    return {**node, "schema:name": "nova_review", "schema:softwareVersion": __version__, **told}


def _part_solution(one: OutgoingSet, part: str, data: bytes, base: str, own: str) -> Node:
    return {
        "@type": "croissant:TaskSolution",
        "@id": f"{own}#{part}",
        "schema:name": f"{part} by {one.said_name}",
        "schema:isBasedOn": {"@id": f"{base}#{part}"},
        "croissant:input": {"@id": f"{base}#dataset"},
        "croissant:implementation": {"@id": f"{own}#implementation"},
        "croissant:output": {
            "@type": "schema:Dataset",
            "@id": f"urn:sha256:{hashlib.sha256(data).hexdigest()}",
            "schema:name": f"{part}_preds.json",
            "schema:url": f"../outputs/{one.folder}/{part}_preds.json",
            "schema:contentSize": f"{len(data)} B",
        },
    }
