"""Everyday claims are counted as right, open and wrong, and sealed ones are never printed."""

from collections import Counter

import pytest

from bench.everyday import everyday, figures, read_claims, table
from config import PROJECT
from ghost.types import Label

ROW = {"half": "open", "topic": "t", "kind": "plain", "covered": True, "confidence": 0.9, "seconds": 1.0}


def row(label: str, found: str, **more: object) -> dict:
    return ROW | {"claim": f"{label} {found}", "label": label, "found": found} | more


def test_the_figures_by_hand() -> None:
    rows = [
        row("True", "True"),
        row("True", "Not Enough Evidence"),
        row("False", "True", half="sealed", claim="SECRET"),
        row("False", "False", covered=False),
        row("False", "Not Verifiable", covered=False),
        row("True", "False", claim="SHOWN"),
    ]
    found = figures(rows)
    assert found["parts"]["all"] == {"n": 6, "right": 2, "open": 2, "wrong": 2}
    assert found["parts"]["covered"] == {"n": 4, "right": 1, "open": 1, "wrong": 2}
    assert found["halves"]["sealed"] == {"n": 1, "right": 0, "open": 0, "wrong": 1}
    shown = table(found | {"passages": 10, "claims": [r for r in rows if r["half"] == "open"]})
    assert "SHOWN" in shown
    assert "SECRET" not in shown
    assert "now 33.3%" in shown


def test_both_halves_are_even_and_on_different_topics() -> None:
    rows = read_claims()
    counts = Counter((r.half, r.covered, r.label) for r in rows)
    assert len(rows) == 500
    assert len({r.claim.casefold() for r in rows}) == 500
    assert max(counts.values()) - min(counts.values()) <= 1
    assert set(counts) == {
        (h, c, x) for h in ("open", "sealed") for c in (True, False) for x in (Label.TRUE, Label.FALSE)
    }
    topics = [{r.topic for r in rows if r.half == half} for half in ("open", "sealed")]
    assert not topics[0] & topics[1]


def test_what_covers_a_claim_is_in_the_library() -> None:
    facts = "\n".join(path.read_text(encoding="utf-8") for path in sorted((PROJECT / "packs").glob("*.jsonl")))
    missing = [r.topic for r in read_claims() if r.covered and r.fact not in facts and r.fact not in _texts()]
    assert missing == []


def _texts() -> set[str]:
    import seed_kb

    return {fact["text"] for pack in seed_kb.packs() for fact in pack.facts}


def test_a_claim_is_checked_over_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.everyday.read_claims", lambda half="": read_claims("sealed")[:1])
    found = everyday("sealed", 1, "embedded")
    assert found["n"] == 1
    assert found["claims"] == []
    assert found["passages"] > 0
