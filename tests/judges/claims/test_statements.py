"""Which statements a claim makes: a table of claims, some of them never looked at while the rules were written."""

import json
from collections import Counter
from pathlib import Path

import pytest

from ghost.inference import ClaimHead, OnnxEncoder
from ghost.judges import ClaimReader, classify
from ghost.workbench import MODELS

TABLE = Path(__file__).parents[2] / "data" / "claim_statements.jsonl"
ROWS = [json.loads(line) for line in TABLE.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def reader() -> ClaimReader:
    return ClaimReader(OnnxEncoder(MODELS / "all-minilm-l6-v2", 1), ClaimHead(MODELS / "claim-types"))


def said(text: str, reader: ClaimReader | None) -> list[str]:
    return [s.text.rstrip(".") for s in classify(text, reader=reader).statements]


def share(held_out: bool, reader: ClaimReader | None) -> float:
    rows = [row for row in ROWS if bool(row.get("held_out")) is held_out]
    return sum(said(row["text"], reader) == row["statements"] for row in rows) / len(rows)


def test_the_table_is_wide():
    kinds = Counter(row["kind"] for row in ROWS)
    assert len(ROWS) >= 200
    assert min(kinds[k] for k in ("split", "whole", "carry", "attribution", "question", "headline", "mixed")) >= 15
    assert sum(bool(row.get("held_out")) for row in ROWS) >= 60


def test_claims_that_were_looked_at_while_the_rules_were_written(reader: ClaimReader):
    assert share(False, reader) >= 0.91


def test_claims_that_were_not_looked_at(reader: ClaimReader):
    assert share(True, reader) >= 0.85


@pytest.mark.parametrize("row", [r for r in ROWS if r["kind"] == "whole"], ids=lambda r: r["text"][:40])
def test_what_belongs_together_is_never_torn_apart(row: dict):
    """To cut a list or a condition in two puts words into somebody's mouth; a missed cut does not."""
    assert said(row["text"], None) == row["statements"]
