"""Files of data: read whatever is right, and say file and line of what is wrong."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from bench.rows import ClaimRow, DataError, DocumentRow, Labels, PairRow, Row, Table, read_claims, read_table
from ghost.types import Label


def _file(folder: Path, *rows: Any, name: str = "some.claims.jsonl") -> Path:
    file = folder / name
    content = "".join((row if isinstance(row, str) else json.dumps(row)) + "\n" for row in rows).encode()
    file.write_bytes(gzip.compress(content) if name.endswith(".gz") else content)
    return file


def test_plain_and_packed_files_read_alike(tmp_path: Path) -> None:
    rows = [
        {"id": 7, "claim": " It rains. ", "label": "NEI", "gold": [{"doc_id": 3, "label": "NEI"}], "split": "train"},
        "",
        {"id": "8", "claim": "It snows.", "label": "True", "cited": ["a", "b"], "gold": [{"doc_id": "c"}]},
    ]
    plain = read_claims(_file(tmp_path, *rows))
    packed = read_claims(_file(tmp_path, *rows, name="some.claims.jsonl.gz"))
    assert plain.rows == packed.rows
    assert plain.sha256 == packed.sha256
    assert plain.name == packed.name == "some"
    assert plain.lines == (1, 3)
    assert [(row.id, row.claim, row.relevant) for row in plain.rows] == [
        ("7", "It rains.", {"3"}),
        ("8", "It snows.", {"a", "b"}),
    ]


def test_a_claim_without_an_id_is_known_by_its_line(tmp_path: Path) -> None:
    table = read_claims(_file(tmp_path, {"claim": "It rains."}, "", {"claim": "It snows."}))
    assert [(row.id, row.claim) for row in table.rows] == [("line 1", "It rains."), ("line 3", "It snows.")]


@pytest.mark.parametrize(
    ("model", "rows", "said"),
    [
        (ClaimRow, [{"claim": "a"}, {"id": "2"}], "line 2: claim: Field required"),
        (ClaimRow, [{"claim": "  "}], "line 1: claim: String should have at least 1 character"),
        (ClaimRow, [{"claim": "a", "gold": [{"label": "NEI"}]}], "line 1: gold.0.doc_id: Field required"),
        (ClaimRow, [{"claim": "a", "gold": "none"}], "line 1: gold: "),
        (ClaimRow, [{"claim": "a", "label": True}], "line 1: label: Input should be a valid string"),
        (ClaimRow, [{"id": "1", "claim": "a"}, "", {"id": 1, "claim": "b"}], "line 3: '1' was there before, in line 1"),
        (DocumentRow, [{"doc_id": "d", "text": "a"}] * 2, "line 2: 'd' was there before, in line 1"),
        (DocumentRow, [{"text": "a"}], "line 1: doc_id: Field required"),
        (DocumentRow, [{"doc_id": "d"}], "line 1: it has no text: neither `text` nor `abstract` nor `title`"),
        (PairRow, [{"claim": "a", "evidence": "b"}], "line 1: label: Field required"),
        (ClaimRow, [{"claim": "a"}, "{'claim'"], "line 2: this is not JSON"),
        (ClaimRow, ["[" * 100_000], "line 1: this is not JSON"),
        (ClaimRow, ["[1]"], "line 1: Input should be a valid dictionary"),
        (ClaimRow, [], "has no rows"),
        (ClaimRow, ["", " "], "has no rows"),
    ],
)
def test_what_is_wrong_is_said_with_file_and_line(tmp_path: Path, model: type[Row], rows: list[Any], said: str) -> None:
    file = _file(tmp_path, *rows)
    with pytest.raises(DataError) as wrong:
        read_table(file, model)
    assert str(wrong.value).startswith(str(file))
    assert said in str(wrong.value)


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    for name, content, said in (
        ("text.jsonl", b'{"claim": "a"}\n{"claim": "\xff"}\n', "line 2: this is not JSON"),
        ("half.jsonl.gz", gzip.compress(b'{"claim": "a"}' * 900)[:40], "cannot be read"),
        ("not packed.jsonl.gz", b'{"claim": "a"}\n', "cannot be read"),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(DataError, match=said) as wrong:
            read_claims(tmp_path / name)
        assert name in str(wrong.value)
    with pytest.raises(DataError, match=r"nowhere\.jsonl cannot be read: No such file"):
        read_claims(tmp_path / "nowhere.jsonl")
    with pytest.raises(DataError, match="cannot be read: Is a directory"):
        read_claims(tmp_path)


def test_a_sample_is_the_same_for_a_seed_and_in_the_order_of_the_file(tmp_path: Path) -> None:
    table = read_claims(_file(tmp_path, *[{"claim": f"Claim {number}."} for number in range(50)]))
    first = table.sample(10, 1)
    assert len(first.rows) == 10
    assert first == table.sample(10, 1)
    assert first != table.sample(10, 2)
    assert list(first.lines) == sorted(first.lines)
    assert table.sample(0, 1) is table
    assert table.sample(50, 1) is table


def _labels(*labels: str) -> Labels:
    rows = tuple(ClaimRow(claim="a", label=label) for label in labels)
    return Labels.of(Table(Path("f.jsonl"), rows, tuple(range(1, len(rows) + 1)), ""))


@pytest.mark.parametrize(
    ("label", "verdicts"),
    [
        ("SUPPORTS", {Label.TRUE}),
        ("REFUTES", {Label.FALSE}),
        ("CONFLICT", {Label.PARTIALLY_TRUE, Label.MISLEADING}),
        ("DISPUTED", {Label.PARTIALLY_TRUE, Label.MISLEADING}),
        ("nei", {Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE}),
    ],
)
def test_which_verdicts_answer_to_a_label_of_data_sets(label: str, verdicts: set[Label]) -> None:
    labels = _labels(label)
    assert {verdict for verdict in Label if labels.found(verdict) == labels.wanted(label)} == verdicts


def test_a_file_with_our_names_is_compared_in_our_names() -> None:
    labels = _labels("True", "not verifiable", "Misleading")
    for verdict in Label:
        assert labels.found(verdict) == labels.wanted(verdict.value) == verdict.value
    assert labels.decisive == {"True", "False", "Partially True", "Misleading"}


def test_a_file_with_both_is_compared_in_the_four_classes() -> None:
    labels = _labels("True", "NEI")
    assert labels.wanted("True") == labels.found(Label.TRUE) == "SUPPORTS"
    assert labels.wanted("Misleading") == "CONFLICT"
    assert labels.decisive == {"SUPPORTS", "REFUTES", "CONFLICT"}


@pytest.mark.parametrize("label", ["", "MAYBE", "Half True"])
def test_another_label_is_refused_with_its_line(label: str) -> None:
    with pytest.raises(DataError, match=r"^f\.jsonl, line 2: the label '.*' is none of SUPPORTS, REFUTES"):
        _labels("NEI", label)
