"""Pages that an analyst names, over the demo web: read first, in the middle of a run, or in a new one."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import Settings
from ghost.demo_web import DemoWeb, values
from ghost.events import Event, EvidenceWeighed, SourceUpdate
from ghost.jobs import Runner, RunOptions
from ghost.reports import named_pages, page_outcome, result
from ghost.types import Claim, Label, Run, RunStatus, Verdict
from ghost.web import Links
from ghost.workbench import Workbench, build
from tests.jobs.test_runs import ended, wait_for
from tests.reports.runs import markdown

CLAIM = Claim("Cellmera made the faulty battery cells of the Lumen van.")
PAGE = "velmark-press.test:{port}/aurelis-recalls-lumen-vans"


def reading_of(verdict: Verdict) -> Label:
    """What the named page is read as saying: whether that is enough for a verdict is the stance model's affair."""
    return verdict.leaning.label if verdict.leaning else verdict.label


@pytest.fixture(scope="module")
def bench(web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with build(Settings(**values(web, tmp_path_factory.mktemp("links"))), judge="embedded") as workbench:
        yield workbench


def watched(bench: Workbench, *urls: str, **options) -> tuple[list[Event], Run]:
    events = list(bench.verify(CLAIM, links=Links(urls), **options))
    run = bench.runs.get(events[0].run_id)  # type: ignore[union-attr]
    assert run
    return events, run


def test_a_named_page_is_read_without_any_search_and_decides(bench: Workbench, web: DemoWeb) -> None:
    url = f"http://{PAGE.format(port=web.port)}"
    _, run = watched(bench, url, web=False)
    assert run.verdict
    assert reading_of(run.verdict) is Label.TRUE
    assert run.usage.searches == 0
    assert {c.url for c in run.verdict.citations if c.accepted} == {url}
    (row,) = named_pages(run.steps)
    assert (row["url"], row["state"], row["verdict"]) == (url, "read", "supports")
    assert run.settings["links"] == [url]
    told = result(run)
    assert told["links"][0]["told"] == "Read, and weighed with the rest: it supports the claim."
    assert "## Added pages" in markdown(run)
    assert "velmark-press.test" in json.dumps(told)


def test_what_cannot_be_read_is_an_outcome_with_plain_words(bench: Workbench, web: DemoWeb) -> None:
    at = f"http://brittle-host.test:{web.port}"
    urls = (f"{at}/missing/skerrin-star", "http://127.0.0.1:9/secret", "https://10.0.0.1/", "https://nowhere.example/a",
            f"{at}/picture/painting")  # fmt: skip
    _, run = watched(bench, *urls, web=False)
    assert run.status is RunStatus.FINISHED
    rows = named_pages(run.steps)
    assert [r["url"] for r in rows] == list(urls)
    assert all(r["state"] == "refused" and r["why"] for r in rows)
    assert all(page_outcome(r).startswith("Not read. ") for r in rows)
    assert not [a for a in web.asked if a.path.startswith("/secret")]


def test_the_page_it_was_found_at_and_denied_sites_are_not_asked_for(bench: Workbench, web: DemoWeb) -> None:
    url = f"http://{PAGE.format(port=web.port)}"
    events = list(bench.verify(Claim(CLAIM.text, found_at=url), links=Links([url]), web=False))
    run = bench.runs.get(events[0].run_id)  # type: ignore[union-attr]
    assert run
    assert [(r["state"], r["why"]) for r in named_pages(run.steps)] == [
        ("refused", "it is the page the claim was found at")
    ]
    assert not [e for e in run.evidence if e.passage.source_url == url]
    _, denied = watched(bench, url, web=False, denied=["velmark-press.test"])
    assert [r["why"] for r in named_pages(denied.steps)] == ["its site is denied for this run"]


def test_a_link_that_comes_in_the_middle_is_read_before_the_verdict(bench: Workbench, web: DemoWeb) -> None:
    box, url = Links(), f"http://{PAGE.format(port=web.port)}"
    events = []
    for event in bench.verify(CLAIM, links=box, web=False):
        events.append(event)
        if isinstance(event, EvidenceWeighed) and not box.named:
            assert box.add(url)
    news = [(e.state, e.stage) for e in events if isinstance(e, SourceUpdate)]
    assert news == [("reading", "link"), ("read", "link")]
    run = bench.runs.get(events[0].run_id)
    assert run
    assert run.verdict
    assert reading_of(run.verdict) is Label.TRUE
    assert run.settings["links"] == [], "it was not there at the start"
    assert not box.add("https://late.example/"), "the verdict is made"


def test_the_limit_of_pages_holds_and_is_told(web: DemoWeb, tmp_path: Path) -> None:
    with build(Settings(**values(web, tmp_path), max_fetches=1), judge="embedded") as bench:
        at = f"http://weather-yearbook.test:{web.port}/stations"
        _, run = watched(bench, f"{at}/hollin-point", f"{at}/ferry-hill", web=False)
    assert sorted(r["state"] for r in named_pages(run.steps)) == ["not read", "read"]
    assert run.usage.fetches == 1


def test_after_a_run_a_new_one_reads_the_page_first_and_keeps_what_it_follows(bench: Workbench, web: DemoWeb) -> None:
    claim = Claim("A gust of 201 kilometres per hour was measured at Hollin Point in January 2019.")
    url = f"http://weather-yearbook.test:{web.port}/stations/hollin-point"
    runner = Runner(bench)
    try:
        first = runner.start(claim, RunOptions(web=False, denied=("example.org",)))
        before = wait_for(runner, first, ended, 30)
        assert before.verdict
        assert before.verdict.label is Label.NOT_ENOUGH_EVIDENCE
        assert not runner.add_link(first, "https://late.example/")
        again = runner.read_again(first, url)
        view = wait_for(runner, again, ended, 30)
    finally:
        runner.close()
    assert view.verdict
    assert view.verdict.label is Label.TRUE
    run = bench.runs.get(again)
    assert run
    assert (run.claim, run.settings["follows"], run.settings["denied_here"]) == (claim, first, ["example.org"])
    assert bench.runs.get(first).verdict == before.verdict  # type: ignore[union-attr]
