"""Everyday claims, live investigations and reading are measured for real and counted; sealed claims are not printed."""

from collections import Counter

import pytest

import seed_kb
from bench import reading as bench_reading
from bench.demo import demo
from bench.demo import figures as demo_figures
from bench.everyday import everyday, figures, read_claims
from bench.quality import terminal
from bench.result_types import Reading
from ghost.types import Label
from tests.bench.results import everyday_result

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
    shown = terminal(everyday_result() | found | {"claims": [r for r in rows if r["half"] == "open"]})
    assert "SHOWN" in shown
    assert "SECRET" not in shown


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
    facts = {fact["text"] for pack in seed_kb.packs() for fact in pack.facts}
    assert [r.topic for r in read_claims() if r.covered and r.fact not in facts] == []


def test_a_claim_is_checked_over_the_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bench.everyday.read_claims", lambda half="": read_claims("sealed")[:1])
    found = everyday("sealed", 1, "embedded")
    assert found["n"] == 1
    assert found["claims"] == []
    assert found["passages"] > 0


def investigated(label: str, found: str, right_pages: bool = False) -> dict:
    return {
        "label": label, "found": found, "pages": ["http://a.test/p"], "from_right_pages": right_pages, "seconds": 1.0,
    }  # fmt: skip


def test_the_figures_of_live_investigation_by_hand() -> None:
    rows = [
        investigated("True", "True", right_pages=True),
        investigated("True", "True"),
        investigated("True", "False"),
        investigated("False", "Not Enough Evidence"),
        investigated("Not Enough Evidence", "Not Enough Evidence"),
        investigated("Not Enough Evidence", "True"),
    ]
    found = demo_figures(rows, seed=1)
    assert (found["n"], found["accuracy"]) == (6, 0.5)
    assert (found["open_though_known"], found["wrong"]) == (1, 2)
    assert found["right_quoting_right_pages"] == 0.5
    assert found["confusion"]["True > True"] == 2


def test_a_claim_of_the_demo_is_investigated() -> None:
    found = demo(limit=0, seed=1, only=["bridge-open"])
    (only,) = found["claims"]
    assert (found["n"], found["limit"], found["settings"]) == (1, 1, {})
    assert (only["id"], only["label"]) == ("bridge-open", "True")
    assert only["seconds"] > 0
    assert only["found"] in ("True", "False", "Not Enough Evidence", "Partially True")


def test_pages_are_read_and_a_run_ends_though_servers_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GHOST_WEB", "true")
    for name, value in {"LIMIT": 1.0, "PAGES": 2, "HANGING": ("pages",)}.items():
        monkeypatch.setattr(bench_reading, name, value)
    found = bench_reading.reading(1, "python -m ghost bench reading")
    assert found["pages"] == 2
    assert found["characters"] > 4_500
    assert Reading.model_validate(found).longest > 0
    assert 0 < found["seconds_p50"] <= found["seconds_worst"]
    assert found["over_the_limit"]["pages"] > -1
