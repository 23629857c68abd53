"""The hand-written examples: enough, well formed, and the held-back part apart."""

import json
from pathlib import Path

ROOT = Path(__file__).parents[2]


def rows(name: str) -> list[dict]:
    file = ROOT / "training" / "data" / f"claim_types.{name}.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]


def test_there_are_enough_and_each_says_what_it_is():
    train, held = rows("train"), rows("held")
    assert len(train) >= 2400
    assert len(held) >= 200
    for row in train + held:
        assert set(row) - {"factual"} == {"text", "type", "topic", "pattern", "checkworthy"}, row
        assert row["type"] in {"FACTUAL", "OPINION", "MIXED", "AMBIGUOUS"}
        assert row["checkworthy"] in {0, 1, 2}
        assert ("factual" in row) is (row["type"] == "MIXED"), row


def test_the_held_back_part_shares_no_topic_no_pattern_and_no_text():
    train, held = rows("train"), rows("held")
    for field in ("topic", "pattern", "text"):
        assert not {r[field] for r in train} & {r[field] for r in held}, field


def test_nothing_that_is_tested_on_was_fitted_on():
    files = (ROOT / "tests" / "data" / f"claim_{name}.jsonl" for name in ("types", "statements"))
    tested = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    known = {json.loads(line)["text"].casefold().rstrip(".!? ") for line in tested}
    assert not known & {row["text"].casefold().rstrip(".!? ") for row in rows("train") + rows("held")}
