"""What is trained on: a malformed row is named, pairs have the labels of their rows, and shipped data is balanced."""

import json
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from config import PROJECT
from training.dossiers import crossed_dossier_pairs, dossier_pairs, plain_pairs, read_dossiers, renumber
from training.headings import KNOWN, heading_pairs, read_headings
from training.pairs import Pair, evened, shared_words
from training.passages import ASPECTS, REPORTED, SORTS, passage_pairs, read_passages
from training.written import contrast_pairs, crossed_pairs, read_contrasts

PAGE = ["The mill burned down on Sunday.", "Nobody was hurt.", "It was built in 1890.", "A heater was the cause."]
FIRE, DIED, INSURED = "A fire destroyed the mill", "Two people died in the mill", "The mill was insured"
DOSSIER = {
    "topic": "mill fire", "page": PAGE,
    "claims": [
        {"text": FIRE, "S": [0], "R": []}, {"text": DIED, "S": [], "R": [1]}, {"text": INSURED, "S": [], "R": []},
    ],
}  # fmt: skip
CONTRAST = {
    "topic": "ferry", "a": "The ferry sails on Sundays.", "b": "There are no sailings at the weekend.",
    "claims": [{"text": "You can cross on Sunday", "a": "S", "b": "R"}, {"text": "It is red", "a": "N", "b": "O"}],
}  # fmt: skip
HEADINGS = {
    "topic": "mill fire",
    "heads": [{"text": "Mill lost to flames", "S": [0], "R": [1]}, {"text": "The mill", "S": [], "R": []}],
}
PASSAGE = {"kind": "denied", "topic": "sale", "passage": "Posts say so. It is false.", "claims": [["Sold.", "REFUTES"]]}


def write(folder: Path, *rows: object) -> Path:
    file = folder / "rows.jsonl"
    file.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    return file


@pytest.mark.parametrize(
    ("read", "good", "bad"),
    [
        (read_dossiers, DOSSIER, [{"claims": [{"text": "x", "S": [9], "R": []}]}]),
        (read_contrasts, CONTRAST, [{"claims": [{"text": "x", "a": "T", "b": "S"}]}]),
        (read_headings, HEADINGS, [{"heads": [{"text": "x", "S": [0], "R": [0]}]}, {"heads": [{"text": "x"}]}]),
        (
            lambda file: read_passages(REPORTED, file), PASSAGE,
            [{"kind": "nearby"}, {"passage": " "}, {"claims": []}, {"claims": [["a", "MAYBE"]]}, {"claims": [["a"]]}],
        ),
    ],
    ids=["dossiers", "contrasts", "headings", "passages"],
)  # fmt: skip
def test_a_malformed_row_is_named(
    tmp_path: Path, read: Callable[[Path], Any], good: dict[str, Any], bad: list[dict[str, Any]]
) -> None:
    assert read(write(tmp_path, good))
    for row in ("{", "[]", *(json.dumps(good | wrong) for wrong in bad)):
        with pytest.raises(ValueError, match=r"line 2"):
            read(write(tmp_path, good, row))


def test_each_sentence_of_a_page_is_read_with_the_one_before_it(tmp_path: Path) -> None:
    rows = read_dossiers(write(tmp_path, DOSSIER))
    pairs = list(dossier_pairs(rows, random.Random(1)))
    of = {text: [(p.evidence, p.label) for p in pairs if p.claim == text] for text in (FIRE, DIED, INSURED)}
    assert of[FIRE] == [
        (PAGE[0], "SUPPORTS"), (f"{PAGE[0]} {PAGE[1]}", "SUPPORTS"),
        (f"{PAGE[1]} {PAGE[2]}", "NEUTRAL"), (f"{PAGE[2]} {PAGE[3]}", "NEUTRAL"),
    ]  # fmt: skip
    assert of[DIED][:2] == [(f"{PAGE[0]} {PAGE[1]}", "REFUTES"), (f"{PAGE[1]} {PAGE[2]}", "REFUTES")]
    assert [label for _, label in of[INSURED]] == ["NEUTRAL"] * 4
    some = list(dossier_pairs(rows, random.Random(1), left_open=2))
    assert [p.label for p in some].count("NEUTRAL") == 6
    assert [p for p in some if p.label == "NEUTRAL" and p.evidence in PAGE[1:]], "half of them alone"


def test_pairs_of_other_pages_and_rows_are_off_topic(tmp_path: Path) -> None:
    pages = read_dossiers(write(tmp_path, DOSSIER, {"topic": "tea", "page": ["Tea is hot."], "claims": []}))
    crossed = [(p.evidence, p.label) for p in crossed_dossier_pairs(pages, random.Random(1))]
    assert crossed == [("Tea is hot.", "OFF-TOPIC")] * 3
    rows = read_contrasts(
        write(tmp_path, CONTRAST, CONTRAST | {"topic": "tea", "a": "Tea is hot.", "b": "Tea is cold."})
    )
    pairs = list(crossed_pairs(rows, random.Random(1), share=1.0))
    assert {p.label for p in pairs} == {"OFF-TOPIC"}
    assert [p.evidence in rows[1].passages for p in pairs] == [True, True, False, False]


def test_a_page_supports_its_own_words_and_refutes_them_turned(tmp_path: Path) -> None:
    pairs = list(plain_pairs(read_dossiers(write(tmp_path, DOSSIER)), random.Random(1)))
    by_claim = {p.claim: {q.label for q in pairs if q.claim == p.claim} for p in pairs}
    assert all(by_claim[sentence] == {"SUPPORTS", "NEUTRAL"} for sentence in PAGE)
    assert by_claim["It was not built in 1890."] == {"REFUTES"}
    assert all(p.claim in p.evidence for p in pairs if p.label == "SUPPORTS")
    for seed in range(20):
        for text in ("It was built in 1890.", "The fine is 1,200 crowns.", "Two of 40 ships sank."):
            found = renumber(text, random.Random(seed))
            assert found
            assert found != text
            assert re.sub(r"[\d,]+", "#", found) == re.sub(r"[\d,]+", "#", text)
    assert renumber("Nobody was hurt.", random.Random(1)) is None


def test_each_claim_meets_its_passages_and_headings(tmp_path: Path) -> None:
    pairs = contrast_pairs(read_contrasts(write(tmp_path, CONTRAST)))
    assert [(p.evidence, p.label) for p in pairs] == [
        (CONTRAST["a"], "SUPPORTS"), (CONTRAST["b"], "REFUTES"),
        (CONTRAST["a"], "NEUTRAL"), (CONTRAST["b"], "OFF-TOPIC"),
    ]  # fmt: skip
    (row,) = read_passages(REPORTED, write(tmp_path, PASSAGE))
    assert [(p.evidence, p.claim, p.label) for p in passage_pairs(REPORTED, [row])] == [
        (PASSAGE["passage"], "Sold.", "REFUTES")
    ]
    (page,) = read_dossiers(write(tmp_path, DOSSIER))
    headings = read_headings(write(tmp_path, HEADINGS))
    labels = {p.claim: p.label for p in heading_pairs([page], headings, random.Random(1)) if "flames" in p.evidence}
    assert labels == {FIRE: "SUPPORTS", DIED: "REFUTES", INSURED: "NEUTRAL"}


def test_shared_words_tell_nothing_of_the_side() -> None:
    copied, told = ("The mill burned.", "The mill burned"), ("It was destroyed.", "The mill burned")
    assert [shared_words(Pair(*pair, "", "x")) for pair in (copied, told, ("", "?"))] == [1.0, 0.0, 0.0]
    assert shared_words(Pair("The mill.", "The mill burned on Sunday night", "", "x")) == 2 / 5
    counts = [(copied, "SUPPORTS", 9), (copied, "REFUTES", 4), (copied, "NEUTRAL", 7), (told, "REFUTES", 5),
              (told, "SUPPORTS", 1)]  # fmt: skip
    pairs = [Pair(*pair, label, str(i)) for pair, label, count in counts for i in range(count)]
    kept = evened(pairs, random.Random(1))
    assert Counter((int(10 * shared_words(p)), p.label) for p in kept) == {
        (10, "SUPPORTS"): 4, (10, "REFUTES"): 4, (10, "NEUTRAL"): 7, (0, "REFUTES"): 1, (0, "SUPPORTS"): 1,
    }  # fmt: skip
    assert set(kept) <= set(pairs)


def test_the_shipped_pages_and_contrasts_are_balanced_and_partly_held_back() -> None:
    pages, contrasts = read_dossiers(), read_contrasts()
    labels = Counter(c.label for page in pages for c in page.claims)
    assert 0.8 < labels["SUPPORTS"] / labels["REFUTES"] < 1.25
    assert labels["NEI"] > labels.total() / 8
    sided = [p for p in dossier_pairs(pages[::6], random.Random(1)) if p.label in ("SUPPORTS", "REFUTES")]
    assert len(evened(sided, random.Random(1))) > 0.7 * len(sided), "the words that a claim shares tell its side"
    assert 0.1 < sum(page.held_back for page in pages) / len(pages) < 0.25
    assert len({page.topic for page in pages}) == len(pages)
    told = Counter(p.label for p in contrast_pairs(contrasts))
    assert 0.8 < told["SUPPORTS"] / told["REFUTES"] < 1.25
    assert 0.05 < sum(row.held_back for row in contrasts) / len(contrasts) < 0.15
    claims = {page.topic: len(page.claims) for page in pages}
    for topic, heads in read_headings().items():
        assert all(max({*h.supports, *h.refutes}, default=0) < min(KNOWN, claims[topic]) for h in heads), topic
        assert any(not h.supports | h.refutes for h in heads), topic


@pytest.mark.parametrize("sort", [REPORTED, ASPECTS], ids=SORTS)
def test_the_shipped_passages_are_whole(sort: Any) -> None:
    rows = read_passages(sort)
    assert {row.kind for row in rows} == set(sort.kinds)
    assert len(rows) / 6 < sum(row.held_back for row in rows) < len(rows) / 3
    assert len({row.text for row in rows}) == len(rows)
    assert all(len({claim for claim, _ in row.claims}) == len(row.claims) for row in rows)
    told = Counter(label for row in rows for _, label in row.claims)
    assert min(told.values()) > told.total() / 5


def _examples(file: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (PROJECT / file).read_text(encoding="utf-8").splitlines()]


def test_the_examples_of_claim_types_are_enough_and_the_held_back_part_is_apart() -> None:
    train, held = (_examples(f"training/data/claim_types.{name}.jsonl") for name in ("train", "held"))
    assert len(train) >= 2400
    assert len(held) >= 200
    for row in train + held:
        assert set(row) - {"factual"} == {"text", "type", "topic", "pattern", "checkworthy"}, row
        assert row["type"] in {"FACTUAL", "OPINION", "MIXED", "AMBIGUOUS"}
        assert row["checkworthy"] in {0, 1, 2}
        assert ("factual" in row) is (row["type"] == "MIXED"), row
    for field in ("topic", "pattern", "text"):
        assert not {r[field] for r in train} & {r[field] for r in held}, field
    tested = _examples("tests/data/claim_types.jsonl") + _examples("tests/data/claim_statements.jsonl")
    known, fitted = ({row["text"].casefold().rstrip(".!? ") for row in rows} for rows in (tested, train + held))
    assert not known & fitted
