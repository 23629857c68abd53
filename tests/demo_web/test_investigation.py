"""A live investigation over the demo web: searched, fetched, read, judged by the embedded models, and admitted."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from config import PROJECT, Settings
from ghost.demo_web import DAY, DemoWeb, claims_to_try, values
from ghost.events import Event, RunEnded, SourceUpdate, VerdictReached
from ghost.steps import is_verbatim
from ghost.types import Claim, Label, Origin, ReasonCode, Run, RunStatus
from ghost.workbench import Workbench, build


@pytest.fixture(scope="module")
def bench(web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder = tmp_path_factory.mktemp("demo")
    with build(Settings(**values(web, folder)), judge="embedded") as workbench:
        yield workbench


def watched(bench: Workbench, claim: Claim, **options) -> tuple[list[Event], Run]:
    events = list(bench.verify(claim, **options))
    run = bench.runs.get(events[0].run_id)  # type: ignore[union-attr]
    assert run
    return events, run


def rows(run: Run) -> list[dict]:
    return [row for s in run.steps if s.name == "investigate" for row in s.outputs.get("sources", ())]


def test_pages_are_read_and_what_they_say_is_quoted_and_admitted(bench: Workbench, web: DemoWeb) -> None:
    events, run = watched(bench, Claim("Foreign divers sabotaged the cables of the Saltgate Bridge."))
    assert run.status is RunStatus.FINISHED
    news = [e for e in events if isinstance(e, SourceUpdate)]
    states = {e.state for e in news}
    assert {"kept", "reading", "read"} <= states
    assert all(e.bytes and e.stage for e in news if e.state == "read")
    first_read = next(i for i, e in enumerate(events) if isinstance(e, SourceUpdate) and e.state == "read")
    assert first_read < next(i for i, e in enumerate(events) if isinstance(e, VerdictReached))
    read = [e.passage for e in run.evidence if e.passage.origin is Origin.WEB and not e.passage.snippet]
    assert read
    assert run.verdict
    texts = {e.number: e.passage.text for e in run.evidence}
    assert all(is_verbatim(c.quote, texts[c.n]) for c in run.verdict.citations if c.accepted)
    assert run.usage.fetches == len([r for r in rows(run) if r["state"] != "not read"])
    assert len(bench.knowledge.get([p.id for p in read])) == len(read), "what became evidence was admitted"
    assert any(s.outputs["reviews"] for s in run.steps if s.name == "investigate"), "already fact-checked?"


def test_the_claims_to_try_come_out_as_documented(web: DemoWeb, tmp_path: Path) -> None:
    documented = (PROJECT / "docs" / "demo.md").read_text("utf-8")
    with build(Settings(**values(web, tmp_path)), judge="embedded") as fresh:
        for claim in claims_to_try():
            _, run = watched(fresh, Claim(claim.claim))
            assert run.label is claim.label
            assert f"| {claim.claim} | {claim.label.value}" in documented


def test_the_next_claim_finds_the_whole_page_and_not_only_what_the_last_one_turned_on(bench: Workbench) -> None:
    watched(bench, Claim("The cracks in the Saltgate Bridge were caused by a ship."))
    told = [p.text for p in bench.knowledge.list(limit=500) if p.source_url.endswith("saltgate-inspection.pdf")]
    for sentence in (
        "caused by corrosion from salt water",
        "not caused by a ship",
        "every two years",
        "summer of 2024",
    ):
        assert any(sentence in text for text in told), sentence


def test_the_snippet_of_a_page_that_was_read_counts_no_more(bench: Workbench) -> None:
    _, run = watched(bench, Claim("Jana Verle lost her marathon title after a failed doping test."))
    done = {r["url"] for r in rows(run) if r["state"] in ("read", "dropped")}
    assert done
    assert not [e for e in run.evidence if e.passage.snippet and e.passage.source_url in done]


def test_the_made_up_world_has_a_day_of_its_own(bench: Workbench, tmp_path: Path) -> None:
    assert bench.tools.today() == DAY
    with build(Settings(data_dir=tmp_path / "real"), judge="embedded") as real:
        assert abs((real.tools.today() - datetime.now(UTC).date()).days) <= 1


def test_cancel_is_heard_while_pages_hang(web: DemoWeb, bench: Workbench) -> None:
    stop: list[float] = []
    events: list[Event] = []
    claim = Claim("Grenholt has a museum of lighthouses with a golden door.")
    for event in bench.verify(claim, cancelled=lambda: bool(stop)):
        events.append(event)
        if isinstance(event, SourceUpdate) and event.state == "reading" and not stop:
            stop.append(time.monotonic())
    assert isinstance(events[-1], RunEnded)
    assert stop, "no page was asked for"
    assert events[-1].status is RunStatus.CANCELLED
    assert time.monotonic() - stop[0] < 1


def test_slow_pages_end_the_run_in_time_with_a_verdict_and_the_reason(web: DemoWeb, tmp_path: Path) -> None:
    """Every page of one host hangs; the time that is kept for the verdict is used for it."""
    limits = {"max_seconds": 4.0, "page_seconds": 30.0, "allowed_domains": ("brittle-host.test",)}
    settings = Settings(**(values(web, tmp_path) | limits))
    with build(settings, judge="embedded") as bench:
        started = time.monotonic()
        _, run = watched(bench, Claim("The ministry counted the visitors of the Saltgate Bridge by hand."))
        assert time.monotonic() - started < 5
    assert run.status is RunStatus.FINISHED
    assert run.verdict
    assert run.verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert run.usage.fetches
    assert run.usage.seconds > 3, "no page hung"
    assert ReasonCode.BUDGET in {r.code for r in run.verdict.reasons}


def test_copies_of_the_page_the_claim_was_found_at_do_not_count(web: DemoWeb, tmp_path: Path) -> None:
    found_at = f"http://velmark-press.test:{web.port}/saltgate-bridge-closed"
    claim = Claim("In March 2024 inspectors found cracks in two main cables of the Saltgate Bridge.", found_at=found_at)
    with build(Settings(**values(web, tmp_path)), judge="embedded") as bench:
        _, run = watched(bench, claim)
    page = [r for r in rows(run) if r["url"] == found_at]
    assert [r["why"] for r in page] == ["it is the page the claim was found at"]
    copies = (
        "velmark-press.test/saltgate-bridge-closed",
        "brackwater-gazette.test",
        "coastline-daily.test/bridge-closed",
    )
    supporting = [web.plain(e.passage.source_url) for e in run.evidence if e.stance.label == "SUPPORTS"]
    assert not [url for url in supporting if any(copy in url for copy in copies)]
