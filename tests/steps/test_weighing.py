"""What the trace keeps of the candidates: every number, and why each was kept or dropped."""

import json
from collections import Counter
from dataclasses import replace
from typing import Any

from ghost.steps import RerankContext, RerankRules, rerank
from ghost.steps.rerank.report import FROM_HOME, FROM_WEB
from ghost.testing import OFF_TOPIC, SUPPORTING, ScriptedReader, passage
from ghost.types import Candidate, Passage, Statement

S = Statement(1, "Honey does not spoil.")


def page(n: int, **changes: object) -> Passage:
    made = passage(f"alpha{n} bravo{n} charlie{n} delta{n}", f"p{n}", url=f"https://s{n}.org/a", domain=f"s{n}.org")
    return replace(made, **changes)  # type: ignore[arg-type]


def table(*passages: Passage, rules: RerankRules | None = None, **context: Any) -> list[dict[str, Any]]:
    candidates = {1: [Candidate(p, n, 1 / (60 + n), 0.7 - n / 100, 3.5) for n, p in enumerate(passages, 1)]}
    reader = ScriptedReader(lambda text, _: OFF_TOPIC if "alpha9 " in text else SUPPORTING)
    found = rerank([S], candidates, reader, reader, rules or RerankRules(), RerankContext(**context))
    return json.loads(json.dumps(found.outputs["candidates"]))


def test_a_row_has_every_number_of_the_way_to_the_weight() -> None:
    (row,) = table(page(1, credibility=0.9, access_count=1))
    assert (row["passage_id"], row["n"], row["kept"], row["code"]) == ("p1", 1, True, "")
    assert (row["rank"], row["semantic"], row["lexical"], row["fused"]) == (1, 0.69, 3.5, 0.016393)
    assert (row["stance"], row["stances"]["supports"]) == ("SUPPORTS", 0.96)
    assert row["final"] == round(row["relevance"] + 0.4 * 0.3 + row["access_bonus"], 6)
    assert row["found_in"] == "knowledge base"
    assert "text" not in row


def test_what_is_dropped_says_why_and_keeps_its_numbers() -> None:
    passages = [page(n) for n in (1, 9)] + [page(2, domain="s1.org"), page(3, domain="s1.org")]
    rows = {r["passage_id"]: r for r in table(*passages, rules=RerankRules(max_per_domain=2))}
    assert {i: r["code"] for i, r in rows.items()} == {"p1": "", "p2": "", "p3": "domain", "p9": "relevance"}
    assert rows["p9"]["why"].endswith("is below 0.30")
    assert rows["p9"]["origin"] is None
    assert rows["p3"]["origin"] == rows["p1"]["origin"] == 1  # one publisher
    assert rows["p3"]["n"] is None
    found = table(page(1), found_at="https://s1.org/a")
    assert found[0]["code"] == "found_page"
    first, *others = table(page(1), *(page(n, domain="s9.org") for n in (2, 3)), rules=RerankRules(keep=2))
    assert (first["kept"], [r["code"] for r in others]) == (True, ["", "origin"])
    assert "places" in {r["code"] for r in table(*(page(n) for n in range(10, 18)))}


def test_what_the_web_brought_is_told_apart() -> None:
    rows = table(page(1, indexed_at=None), page(2, indexed_at=None, snippet=True))
    assert {r["passage_id"]: r["found_in"] for r in rows} == {"p1": "page read", "p2": "search snippet"}


def test_the_table_is_bounded_and_never_loses_what_was_kept() -> None:
    many = [page(n) for n in range(100, 160)] + [page(n, indexed_at=None) for n in range(200, 260)]
    rows = table(*many)
    assert Counter(r["found_in"] for r in rows) == {"knowledge base": FROM_HOME, "page read": FROM_WEB}
    assert sum(r["kept"] for r in rows) == 5
    assert max(len(json.dumps(r)) for r in rows) < 700


def test_the_numbers_are_those_of_the_run() -> None:
    reader = ScriptedReader(lambda text, statement: SUPPORTING)
    numbers = {"p2": 7}
    candidates = {1: [Candidate(page(n), n, 0.1) for n in (1, 2)]}
    found = rerank([S], candidates, reader, reader, RerankRules(), numbers=numbers)
    assert {r["passage_id"]: r["n"] for r in found.outputs["candidates"]} == {"p1": 2, "p2": 7}


def test_no_candidates_no_rows() -> None:
    assert table() == []
