"""Croissant metadata read by `mlcroissant`; tasks checked by the rules of their vocabulary."""

import hashlib
import json
import logging
import warnings
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from nova_review.formats.exchange.croissant_metadata import (
    remarks_on_croissant_metadata,
    write_croissant_metadata,
)
from nova_review.formats.exchange.croissant_tasks import remarks_on_croissant_tasks, write_croissant_tasks
from nova_review.services.export_content import ExportContent
from nova_review.services.export_material import DataSetMaterial, Licence
from tests.helpers.exports import AWKWARD, HOSTILE, answer, content_of, laid, model_set, written
from tests.helpers.studies import NAMES, case_reading, data_set, finding, slice_reading

CR = "http://mlcommons.org/croissant/"
SCHEMA = "https://schema.org/"


def content(*, gold: bool = True, licence: Licence | None = None) -> ExportContent:
    own = data_set(gold=gold)
    slices = (replace(own.slices[0], caption=HOSTILE), replace(own.slices[1], caption="nan"), own.slices[2])
    full = answer(caption="c", diagnoses=["a"])
    return content_of(
        [model_set([full, answer(NAMES[1], None, caption="only words")]), model_set([], name="mute")],
        slices=[slice_reading(findings=[finding()])],
        cases=[case_reading()],
        one_data_set=replace(own, slices=slices),
        material=DataSetMaterial(licence=licence),
    )


@pytest.fixture
def croissant(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """The `mlcroissant` package, its old-fashioned parts allowed to warn of themselves."""
    monkeypatch.setenv("CROISSANT_CACHE", str(tmp_path / "cache"))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        package = pytest.importorskip("mlcroissant")
        logging.getLogger("absl").setLevel(logging.ERROR)
        yield package
        logging.getLogger("absl").setLevel(logging.NOTSET)


def test_mlcroissant_accepts_it_and_gives_every_record(croissant: Any, tmp_path: Path) -> None:
    laid(tmp_path, write_croissant_metadata(content(licence=Licence("CC BY 4.0", "", "README.md"))))
    found = croissant.Dataset(jsonld=str(tmp_path / "croissant.json"))
    issues = found.metadata.ctx.issues
    assert not issues.errors
    assert not [text for text in issues.warnings if "datePublished" not in text and "version" not in text]
    assert found.metadata.conforms_to == ["http://mlcommons.org/croissant/1.1"]
    slices = list(found.records("slices"))
    assert [row["slices/filename"].decode() for row in slices] == list(NAMES)
    assert slices[0]["slices/caption"].decode() == HOSTILE
    assert slices[1]["slices/caption"].decode() == "nan"  # a caption, and no missing value
    assert slices[0]["slices/width"] == 480
    (gold,) = found.records("gold_boxes")
    assert [gold[f"gold_boxes/{side}"] for side in ("x", "y", "width", "height")] == [100, 100, 100, 100]
    (box,) = found.records("reader_boxes")
    sides = [box[f"reader_boxes/{side}"] for side in ("x", "y", "width", "height")]
    assert sides == [AWKWARD.x, AWKWARD.y, AWKWARD.width, AWKWARD.height]
    assert box["reader_boxes/rater"] == b"R02"


def test_the_files_have_the_sums_that_are_stated() -> None:
    files = written(write_croissant_metadata(content()))
    document = json.loads(files["croissant.json"])
    stated = {one["contentUrl"]: one["sha256"] for one in document["distribution"]}
    assert stated == {
        path: hashlib.sha256(data).hexdigest() for path, data in files.items() if path != "croissant.json"
    }
    assert set(stated) == {f"data/{name}.parquet" for name in ("slices", "gold_boxes", "reader_boxes")}


def test_a_changed_file_is_noticed(croissant: Any, tmp_path: Path) -> None:
    laid(tmp_path, write_croissant_metadata(content()))
    files = written(write_croissant_metadata(content(gold=False)))
    (tmp_path / "data" / "slices.parquet").write_bytes(files["data/slices.parquet"] + b"PAR1")
    found = croissant.Dataset(jsonld=str(tmp_path / "croissant.json"))
    with pytest.raises(Exception, match=r"Download\(slices.parquet\)") as caught:
        list(found.records("slices"))
    assert "hash" in repr(caught.value.__cause__).casefold()


def test_licence_and_gold_only_where_they_are_known() -> None:
    bare = written(write_croissant_metadata(content(gold=False)))
    assert "license" not in json.loads(bare["croissant.json"])
    assert "data/gold_boxes.parquet" not in bare
    told = remarks_on_croissant_metadata(content(gold=False)).missing
    assert [words.split(":")[0] for words in told[1:]] == ["a licence", "gold boxes"]
    stated = json.loads(
        written(write_croissant_metadata(content(licence=Licence("CC BY 4.0"))))["croissant.json"]
    )
    assert stated["license"] == "https://creativecommons.org/licenses/by/4.0/"


def graph_of(*documents: bytes) -> Any:
    import rdflib

    graph = rdflib.Graph()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for document in documents:
            graph.parse(data=document, format="json-ld")
    return graph


def typed(graph: Any, name: str) -> set[Any]:
    from rdflib import RDF, URIRef

    return set(graph.subjects(RDF.type, URIRef(CR + name)))


def of(graph: Any, node: Any, name: str, base: str = CR) -> list[Any]:
    from rdflib import URIRef

    return list(graph.objects(node, URIRef(base + name)))


def test_each_problem_leaves_its_output_open_and_says_how_it_is_judged() -> None:
    graph = graph_of(written(write_croissant_tasks(content()))["problem.jsonld"])
    problems, specs = typed(graph, "TaskProblem"), typed(graph, "OutputSpec")
    (root,) = [p for p in problems if of(graph, p, "subTask")]
    parts = set(of(graph, root, "subTask"))
    assert problems == {root, *parts}
    assert {str(of(graph, p, "name", SCHEMA)[0]) for p in parts} == {
        "localization",
        "captioning",
        "reasoning",
    }
    for problem in problems:
        (output,) = of(graph, problem, "output")
        assert output in specs  # a problem needs at least one part that a solution has to bring
        (records,) = of(graph, output, "schema")
        assert records in typed(graph, "RecordSet")
        fields = of(graph, records, "field")
        assert fields
        assert all(len(of(graph, field, "dataType")) == 1 for field in fields)
        (given,) = of(graph, problem, "input")
        assert of(graph, given, "url", SCHEMA)
        (evaluation,) = of(graph, problem, "evaluation")
        assert evaluation in typed(graph, "EvaluationSpec")
        assert of(graph, evaluation, "expectedMetric")


@pytest.mark.parametrize("name", ["model-a", "R02"])
def test_each_set_is_a_solution_with_outputs_that_are_there(name: str) -> None:
    files = written(write_croissant_tasks(content()))
    graph = graph_of(files[f"solutions/{name}.jsonld"], files["problem.jsonld"])
    problems = typed(graph, "TaskProblem")
    solutions = typed(graph, "TaskSolution")
    assert len(solutions) == 4  # the whole, and one for each of the three parts
    for solution in solutions:
        assert set(of(graph, solution, "isBasedOn", SCHEMA)) <= problems
        assert len(of(graph, solution, "isBasedOn", SCHEMA)) == 1
        assert len(of(graph, solution, "implementation")) == 1
        for output in of(graph, solution, "output"):
            (place,) = of(graph, output, "url", SCHEMA)
            data = files[str(place).rpartition("../")[2]]
            assert str(output) == f"urn:sha256:{hashlib.sha256(data).hexdigest()}"
    assert sum(len(of(graph, s, "output")) for s in solutions) == 3


def test_a_set_without_answers_is_no_solution() -> None:
    files = written(write_croissant_tasks(content()))
    assert "solutions/mute.jsonld" not in files
    assert not [path for path in files if path.startswith("outputs/mute")]


def test_no_score_is_made_up_and_that_is_told() -> None:
    files = written(write_croissant_tasks(content()))
    assert b"evaluationResults" not in files["solutions/model-a.jsonld"]
    told = remarks_on_croissant_tasks(content(gold=False)).missing
    assert told[0].startswith("scores")
    assert "gold boxes" in told
    assert "model-a, mute" in told[-1]
