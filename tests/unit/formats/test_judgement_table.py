"""Files of judgements: our own table back and forth, and the verdicts of programs in many shapes."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from nova_review.domain.errors import FormatError, UserError
from nova_review.domain.judging import JudgedPair, JudgeKind, Judgement
from nova_review.formats.judgement_table import COLUMNS, judgement_table_bytes, read_judgements
from tests.helpers.judging import said

SAME, RELATED, DIFFERENT, UNSURE = Judgement
PROGRAM = JudgeKind.PROGRAM


def put(folder: Path, data: str | bytes, name: str = "v.csv") -> Path:
    file = folder / name
    file.write_bytes(data.encode() if isinstance(data, str) else data)
    return file


def told(pair: JudgedPair) -> tuple[object, ...]:
    return pair.reference, pair.answer, pair.judgement, pair.judged_by, pair.kind


SIGNS = st.characters(exclude_categories=("Cs",), exclude_characters="\0")
TEXTS = st.text(SIGNS, min_size=1).filter(str.strip)
NAMES = st.text("abcXYZ019._-@=+' ", min_size=1, max_size=12).map(str.strip).filter(bool)
PAIRS = st.builds(
    JudgedPair, TEXTS, TEXTS, st.sampled_from(Judgement), NAMES, st.sampled_from(JudgeKind),
    st.just("2026-01-02T03:04:05Z"), st.text(SIGNS),
)  # fmt: skip


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(PAIRS, min_size=1, unique_by=lambda p: (p.reference, p.answer, p.judged_by)))
def test_what_is_written_is_read_back(tmp_path: Path, pairs: list[JudgedPair]) -> None:
    found = read_judgements(put(tmp_path, judgement_table_bytes(pairs)))
    assert (list(found.pairs), found.warnings) == (pairs, ())


@pytest.mark.parametrize("text", ["=1+1", "+49", "-x", "@sum", "'quoted", "''", "\tx", "\rx", "it's"])
def test_no_cell_is_a_formula_and_none_changes(tmp_path: Path, text: str) -> None:
    pair = said(text, f"{text} 2", SAME, text.strip(), note=text)
    data = judgement_table_bytes([pair])
    cells = list(csv.reader(io.StringIO(data.decode(), newline="")))[1]
    assert not any(cell.startswith(("=", "+", "-", "@", "\t", "\r")) for cell in cells)
    assert read_judgements(put(tmp_path, data)).pairs == (pair,)


def test_the_table_by_hand() -> None:
    pair = said("Glioma, low grade", "GBM", RELATED, "ADJ1", utc="2026-01-02T03:04:05Z", note='a "b"')
    assert judgement_table_bytes([pair]).decode() == (
        "reference,answer,judgement,judged_by,kind,judged_utc,note\n"
        '"Glioma, low grade",GBM,related,ADJ1,person,2026-01-02T03:04:05Z,"a ""b"""\n'
    )
    assert judgement_table_bytes([]).decode() == ",".join(COLUMNS) + "\n"


def test_a_table_without_rows_holds_nothing(tmp_path: Path) -> None:
    found = read_judgements(put(tmp_path, judgement_table_bytes([])), "m")
    assert (found.pairs, found.warnings) == ((), ())


@pytest.mark.parametrize(
    "data",
    [
        "gold,prediction,verdict\nGlioma,GBM,Correct\nGlioma,Cyst,Incorrect\n",
        "\ufeffGold;Prediction;Verdict\r\nGlioma;GBM;yes\r\nGlioma;Cyst;no\r\n",
        "ground_truth\tpredicted\tmatch\nGlioma\tGBM\t1\nGlioma\tCyst\t0\n",
        "Reference,Answer,Is Correct\n\nGlioma,GBM,TRUE\n\nGlioma,Cyst,False\n",
    ],
)
def test_tables_of_programs(tmp_path: Path, data: str) -> None:
    found = read_judgements(put(tmp_path, data), "gpt-x")
    assert [told(p) for p in found.pairs] == [
        ("Glioma", "GBM", SAME, "gpt-x", PROGRAM),
        ("Glioma", "Cyst", DIFFERENT, "gpt-x", PROGRAM),
    ]
    assert found.warnings == ()


@pytest.mark.parametrize(("name", "is_lines"), [("v.json", False), ("v.jsonl", True)])
@pytest.mark.parametrize("wrapped", [False, True])
def test_json_of_programs(tmp_path: Path, name: str, is_lines: bool, wrapped: bool) -> None:
    rows = [
        {"gold": "Glioma", "prediction": "GBM", "same": True, "judge": "gpt-x", "reason": "grade"},
        {"gold": "Glioma", "prediction": "Cyst", "same": 0, "judge": "llama"},
        {"gold": "Glioma", "prediction": "Ependymoma", "same": "unsure", "judge": "llama"},
    ]
    text = (
        "\r\n".join(map(json.dumps, rows)) if is_lines else json.dumps({"results": rows} if wrapped else rows)
    )
    found = read_judgements(put(tmp_path, text, name))
    assert [(*told(p), p.note) for p in found.pairs] == [
        ("Glioma", "GBM", SAME, "gpt-x", PROGRAM, "grade"),
        ("Glioma", "Cyst", DIFFERENT, "llama", PROGRAM, ""),
        ("Glioma", "Ependymoma", UNSURE, "llama", PROGRAM, ""),
    ]


@pytest.mark.parametrize(
    ("word", "judgement"),
    [
        *[(w, SAME) for w in ("same", "Yes", "TRUE", "true", "Correct", "1", "y", " same ")],
        *[(w, RELATED) for w in ("related", "Related", "partially correct")],
        *[(w, DIFFERENT) for w in ("different", "no", "False", "INCORRECT", "0", "n")],
        *[(w, UNSURE) for w in ("unsure", "uncertain")],
    ],
)
def test_words_for_a_judgement(tmp_path: Path, word: str, judgement: Judgement) -> None:
    (pair,) = read_judgements(put(tmp_path, f"gold,answer,verdict\nA,b,{word}\n"), "m").pairs
    assert pair.judgement is judgement


def test_odd_rows_are_left_out_with_their_row(tmp_path: Path) -> None:
    data = (
        "reference,answer,judgement,judged_by,kind\n"
        "A,b,same,m,program\n"  # row 2
        "A,,same,m,program\n"  # 3
        "A,c,perhaps\t,m,program\n"  # 4
        "A,d,same,,program\n"  # 5
        "A,e,same,m,robot\n"  # 6
        "A,f,same\n"  # 7
        "A,g,same,m,\n"  # 8
        "A,h,same,m,program\n"  # 9, contradicted by 10
        "A,h,different,m,program\n"
        "A,b,same,m,program\n"  # the same again
    )
    found = read_judgements(put(tmp_path, data))
    assert [(p.answer, p.judgement) for p in found.pairs] == [("b", SAME), ("g", SAME)]
    assert [(w.row, w.code) for w in found.warnings] == [
        (3, "no_diagnosis"),
        (4, "no_judgement"),
        (5, "no_judge"),
        (6, "no_kind"),
        (7, "no_row"),
        (9, "doubled"),
        (10, "doubled"),
    ]
    assert found.warnings[1].value == "perhaps\\t"
    assert all(w.message.startswith(f"Row {w.row}: ") for w in found.warnings)


@pytest.mark.parametrize(
    ("entry", "code"),
    [(None, "no_row"), ([], "no_row"), ({"gold": 3, "answer": "b", "verdict": 1}, "no_diagnosis"),
     ({"gold": "A", "answer": "b", "verdict": [1]}, "no_judgement"),
     ({"gold": "A", "answer": "b"}, "no_judgement")],
)  # fmt: skip
def test_odd_entries_of_json(tmp_path: Path, entry: Any, code: str) -> None:
    rows = [entry, {"gold": "A", "answer": "c", "verdict": "yes"}]
    found = read_judgements(put(tmp_path, json.dumps(rows), "v.json"), "m")
    assert [p.answer for p in found.pairs] == ["c"]
    assert [(w.code, w.row) for w in found.warnings] == [(code, 2)]


def test_half_of_a_letter_does_no_harm(tmp_path: Path) -> None:
    text = '[{"gold": "A\\ud83e", "answer": "b", "verdict": "yes"}]'
    (pair,) = read_judgements(put(tmp_path, text, "v.json"), "m").pairs
    assert pair.reference == "A?"


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        ("", "v.csv", "no column reference, answer, judgement"),
        ("a,b\n1,2\n", "v.csv", "no column reference, answer, judgement"),
        ("reference,answer\nA,b\n", "v.csv", "no column judgement"),
        ('reference,answer,judgement\n"A,b,same\n', "v.csv", "cannot be read as a table"),
        (b"reference,answer,judgement\n\xff,b,same\n", "v.csv", "not UTF-8"),
        ("{", "v.json", "cut short"),
        ("3", "v.json", "no list of judgements"),
        ("[]", "v.json", "no column"),
        ("reference,answer,judgement\nA,b,same\n", "v.csv", "Add --judge NAME"),
    ],
)
def test_files_that_are_refused(tmp_path: Path, data: str | bytes, name: str, words: str) -> None:
    with pytest.raises(FormatError, match=words):
        read_judgements(put(tmp_path, data, name))


def test_a_contradicted_judge_is_refused(tmp_path: Path) -> None:
    file = put(tmp_path, "reference,answer,judgement,judge\nA,b,same,llama\n")
    assert read_judgements(file, "llama").pairs[0].judged_by == "llama"
    with pytest.raises(FormatError, match="says that llama judged, --judge says gpt-x"):
        read_judgements(file, "gpt-x")


def test_nothing_there_and_a_folder_are_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="There is nothing at"):
        read_judgements(tmp_path / "nowhere.csv")
    with pytest.raises(UserError, match="cannot be read"):
        read_judgements(tmp_path)
