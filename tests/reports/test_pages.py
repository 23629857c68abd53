"""What is told of pages: those that were named, notices in them, and archived copies."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from ghost.reports import left_the_machine, pages, result
from ghost.reports.markdown import markdown
from ghost.types import Citation, Origin, Run, StanceLabel, TraceStep
from tests.reports.runs import finished

AT = datetime(2024, 5, 3, tzinfo=UTC)


def step(name: str, outputs: dict[str, object], **inputs: object) -> TraceStep:
    return TraceStep(name, AT, 0.1, "", "", inputs, outputs)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        ({"state": "read", "verdict": "supports"}, "Read, and weighed with the rest: it supports the claim."),
        ({"state": "read", "verdict": "", "why": "nothing in it bears on an open statement"},
         "Read, and weighed with the rest: nothing in it bears on an open statement."),
        ({"state": "refused", "why": "its site is denied for this run"}, "Not read. Its site is denied for this run."),
        ({"state": "not read", "why": ""}, "A limit of the run came first."),
        ({"state": "dropped", "why": "published after 2024-01-01"},
         "Read, but it may not count. Published after 2024-01-01."),
        ({}, ""),
    ],
)  # fmt: skip
def test_what_became_of_a_page_in_plain_words(row: dict[str, object], words: str) -> None:
    assert pages.told(row) == words


def test_named_pages_come_in_the_order_in_which_they_were_named_also_those_without_a_row() -> None:
    steps = (step("investigate", {"sources": [{"url": "b", "state": "read"}]}, links=["a", "b"]),
             step("investigate", {"sources": [{"url": "c"}]}), step("investigate", {"sources": "broken"}))  # fmt: skip
    assert [(r["url"], r["state"]) for r in pages.named(steps)] == [("a", "not read"), ("b", "read")]


def web_run() -> Run:
    run = finished()
    assert run.verdict
    first = run.evidence[0]
    passage = replace(first.passage, origin=Origin.WEB, source_url="https://a.example/page")
    cited = Citation(first.number, passage.id, passage.text, StanceLabel.REFUTES, True, "", url=passage.source_url,
                     published_at=date(2024, 5, 1))  # fmt: skip
    notice = {"kind": "correction", "text": "Correction: an earlier version was *wrong*."}
    read = {"url": "https://a.example/", "final_url": passage.source_url, "state": "read", "notices": [notice]}
    return replace(
        run,
        evidence=(replace(first, passage=passage),),
        verdict=replace(run.verdict, citations=(cited,)),
        steps=(*run.steps, step("investigate", {"sources": [read]})),
    )


def test_a_copy_is_suggested_for_what_is_cited_from_the_web_and_for_nothing_else() -> None:
    run = web_run()
    copy = result(run)["citations"][0]["archive"]
    assert copy == {
        "url": "https://web.archive.org/web/20240501/https://a.example/page",
        "found": False,
        "taken_at": None,
    }
    assert "Archived copies, if there are any: <https://web.archive.org/web/20240501/" in markdown(run)
    assert all(c["archive"] is None for c in result(finished())["citations"])


def test_a_copy_that_was_found_is_told_with_its_day() -> None:
    run = web_run()
    assert run.verdict
    found = replace(run.verdict.citations[0], archived_url="https://web.archive.org/web/1/x", archived_at=AT)
    run = replace(run, verdict=replace(run.verdict, citations=(found,)))
    assert result(run)["citations"][0]["archive"]["taken_at"].startswith("2024-05-03")
    assert "Archived copy of 2024-05-03: " in markdown(run)


def test_notices_are_told_with_the_evidence() -> None:
    run = web_run()
    assert result(run)["evidence"][0]["notices"] == [
        {"kind": "correction", "text": "Correction: an earlier version was *wrong*."}
    ]
    assert "has a notice (correction): Correction: an earlier version was \\*wrong\\*." in markdown(run)


def test_an_archive_that_was_asked_is_told() -> None:
    run = finished()
    asked = step("verdict", {"archived": [{"url": "https://a.example/", "asked": True}, {"url": "b", "asked": False}]})
    told = left_the_machine(replace(run, steps=(*run.steps, asked)))
    assert "1 copy was asked for at the Internet Archive (archive.org), to find copies." in told
