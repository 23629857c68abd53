"""The written examples: enough, well formed, held back in part, and none near to what is measured."""

import json
from pathlib import Path

from training.dossiers import read_dossiers
from training.headings import KNOWN, read_headings
from training.unseen import MEASURED, measured_claims, unseen
from training.written import Contrast, contrast_pairs, read_contrasts

ROOT = Path(__file__).parents[2]
BREAD = "The bakery in Hulsen bakes at four in the morning."
WALL = "You can see the Great Wall of China from the Moon."


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


def test_rows_with_a_claim_near_to_a_measuring_one_are_left_out() -> None:
    rows = [
        Contrast("wall", ("A passage.",), (("The wall is old.", "SUPPORTS"), (WALL, "REFUTES"))),
        Contrast("bread", ("A passage.",), ((BREAD, "SUPPORTS"),)),
        Contrast("nothing", ("A passage.",), ()),
    ]
    assert [row.topic for row in unseen(rows)] == ["bread", "nothing"]
    assert unseen(rows[2:]) == rows[2:]


def test_the_measuring_claims_are_those_of_the_tests_and_of_the_demo_web() -> None:
    both = measured_claims()
    assert both[0] == "The Great Wall of China is visible from the Moon"
    assert len(both) == sum(len(measured_claims([file])) for file in MEASURED) > 180


def test_the_shipped_contrasts_are_balanced_and_partly_held_back() -> None:
    rows = read_contrasts()
    pairs = list(contrast_pairs(rows))
    supported, refuted = (sum(p.label == label for p in pairs) for label in ("SUPPORTS", "REFUTES"))
    assert 0.8 < supported / refuted < 1.25
    assert 0.05 < sum(row.held_back for row in rows) / len(rows) < 0.15


def test_what_was_written_belongs_to_its_pages() -> None:
    claims = {d.topic: len(d.claims) for d in read_dossiers()}
    headings = read_headings()
    assert headings
    assert headings.keys() <= claims.keys()
    for topic, heads in headings.items():
        assert all(max({*h.supports, *h.refutes}, default=0) < min(KNOWN, claims[topic]) for h in heads), topic
        assert any(not h.supports | h.refutes for h in heads), topic
