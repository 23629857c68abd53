"""What the trace says of pages, published fact-checks, and what left the machine, in sentences."""

from dataclasses import replace
from datetime import UTC, date, datetime

import pytest

from ghost.reports import (
    any_search_answered,
    fact_check_coverage,
    left_the_machine,
    may_leave,
    named_pages,
    page_outcome,
    result,
    terminal,
)
from ghost.types import Citation, JudgeInfo, Origin, Pipeline, StanceLabel, TraceStep, Usage
from tests.reports.runs import finished, html, markdown
from tests.ui.samples import searched_run

AT = datetime(2024, 5, 3, tzinfo=UTC)
NONE = "No published fact-check of this was found."
KEPT = "The fact-checkers could not be asked: DuckDuckGo: the last search is kept for the whole web."


def step(outputs: dict[str, object], name: str = "investigate", decision: str = "", **inputs: object) -> TraceStep:
    return TraceStep(name, AT, 0.1, decision, "", inputs, outputs)


def stage(name: str, *rows: dict[str, object], reason: str = "") -> TraceStep:
    return replace(step({"searches": list(rows)}, stage=name), reason=reason)


def row(state: str, statement: int = 1, why: str = "", who: str = "DuckDuckGo") -> dict[str, object]:
    return {"statement": statement, "state": state, "why": why, "sent_to": who}


ANSWERED = stage("trusted", row("answered"))
NOT_ASKED = row("not asked", why="the last search is kept for the whole web")


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
    assert page_outcome(row) == words


def test_named_pages_come_in_the_order_in_which_they_were_named_also_those_without_a_row() -> None:
    steps = (step({"sources": [{"url": "b", "state": "read"}]}, links=["a", "b"]),
             step({"sources": [{"url": "c"}]}), step({"sources": "broken"}))  # fmt: skip
    assert [(r["url"], r["state"]) for r in named_pages(steps)] == [("a", "not read"), ("b", "read")]


def test_programs_get_copies_of_cited_pages_and_notices() -> None:
    run = finished()
    assert run.verdict
    assert all(c["archive"] is None for c in result(run)["citations"])
    passage = replace(run.evidence[0].passage, origin=Origin.WEB, source_url="https://a.example/page")
    cited = Citation(1, passage.id, passage.text, StanceLabel.REFUTES, True, "", url=passage.source_url,
                     published_at=date(2024, 5, 1))  # fmt: skip
    notice = {"kind": "correction", "text": "Correction: an earlier version was *wrong*."}
    read = {"url": "https://a.example/", "final_url": passage.source_url, "state": "read", "notices": [notice]}
    run = finished(
        evidence=(replace(run.evidence[0], passage=passage),), verdict=replace(run.verdict, citations=(cited,)),
        steps=(step({"sources": [read]}),),
    )  # fmt: skip
    suggested = "https://web.archive.org/web/20240501/https://a.example/page"
    assert result(run)["citations"][0]["archive"] == {"url": suggested, "found": False, "taken_at": None}
    assert f"Archived copies, if there are any: <{suggested}" in markdown(run)
    assert result(run)["evidence"][0]["notices"] == [notice]
    assert "has a notice (correction): Correction: an earlier version was \\*wrong\\*." in markdown(run)
    taken = replace(cited, archived_url="https://web.archive.org/web/1/x", archived_at=AT)
    assert run.verdict
    found = result(replace(run, verdict=replace(run.verdict, citations=(taken,))))["citations"][0]["archive"]
    assert (found["found"], found["taken_at"][:10]) == (True, "2024-05-03")


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([stage("fact_check", row("answered"))], [NONE]),
        ([stage("fact_check", row("from the cache"))], [NONE]),
        ([stage("fact_check", row("failed", why="It is slow."), row("answered", who="Wikipedia"))], [NONE]),
        ([stage("fact_check", NOT_ASKED)], [KEPT]),
        ([stage("fact_check", row("failed", why="It is slow."), row("not asked", why="no key", who="Brave"))],
         ["The fact-checkers could not be asked: DuckDuckGo: It is slow; Brave: no key."]),
        ([stage("fact_check", row("answered", 1), NOT_ASKED | {"statement": 2})],
         [NONE, KEPT.replace(" asked:", " asked about 1 of 2 statements:")]),
        ([stage("fact_check", reason="The settings name no fact-checkers.")],
         ["The fact-checkers could not be asked: The settings name no fact-checkers."]),
        ([], ["The fact-checkers could not be asked: the search ended before it was their turn."]),
    ],
)  # fmt: skip
def test_none_is_said_only_where_the_fact_checkers_were_searched(steps: list[TraceStep], said: list[str]) -> None:
    assert any_search_answered([ANSWERED, *steps])
    assert fact_check_coverage([ANSWERED, *steps], found=False) == said
    assert fact_check_coverage([ANSWERED, *steps], found=True) == [s for s in said if s != NONE]


def test_only_what_was_asked_about_has_no_fact_check_and_the_rest_is_named() -> None:
    classified = step({"statements": ["Honey keeps.", "Wax melts.", "Bees fly.", "Bees sleep."]}, "classify")
    some = [classified, stage("fact_check", row("answered"), row("failed", 2, "It is slow."))]
    assert fact_check_coverage(some, found=False) == [
        "No published fact-check of “Honey keeps” was found.",
        "The fact-checkers could not be asked about 1 of 2 statements: DuckDuckGo: It is slow.",
        "The fact-checkers were not asked about “Bees fly” and “Bees sleep”.",
    ]
    everything = [classified, stage("fact_check", *(row("answered", n) for n in range(1, 5)))]
    assert fact_check_coverage(everything, found=False) == [NONE]


def test_a_broken_trace_breaks_nothing() -> None:
    broken = step({"searches": [1, {"statement": [2]}]}, stage="fact_check")
    assert not any_search_answered([broken, step({"searches": "x"})])
    assert fact_check_coverage([broken], found=False) == [
        "The fact-checkers could not be asked: nobody: no reason kept."
    ]


def test_reports_say_who_looked_and_name_the_host_of_who_is_no_known_fact_checker() -> None:
    found = stage("fact_check", row("answered"))
    review = {"claim": "Honey spoils.", "rating": "False", "reviewer": "Reuters Fact Check", "statement": 1}
    found.outputs["reviews"] = [
        review | {"url": "https://evil.test/x", "known": False},
        review | {"url": "https://reuters.com/fact-check/x", "known": True},
    ]
    for made in (markdown, html):
        assert KEPT in made(finished(steps=(ANSWERED, stage("fact_check", NOT_ASKED))))
        assert NONE in made(finished(steps=(stage("fact_check", row("answered")),)))
        assert "Already fact-checked?" not in made(finished(steps=(stage("trusted", row("failed")),)))
        plain = made(finished(steps=(found,))).replace("\\", "")
        assert "evil.test (calls itself Reuters Fact Check; not a known fact-checker) on “Honey spoils.”" in plain
        assert plain.count("Reuters Fact Check on “Honey spoils.”") == 1


DDG = {"sent_to": "DuckDuckGo", "state": "answered"}
WIKI = {"sent_to": "Wikipedia", "state": "failed", "kind": "RateLimitError"}
LOST = WIKI | {"kind": "ProviderUnreachableError"}
NOT_REACHED = "Wikipedia could not be reached, so no words went there."


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([DDG], ["1 search with the words of its statements went to DuckDuckGo."]),
        ([DDG, DDG, WIKI], ["3 searches with the words of its statements went to DuckDuckGo (2) and Wikipedia (1)."]),
        ([DDG, LOST, DDG | {"state": "not asked"}],
         ["1 search with the words of its statements went to DuckDuckGo.", NOT_REACHED]),
        ([LOST], [NOT_REACHED]),
    ],
)  # fmt: skip
def test_each_recipient_is_named_with_how_often_it_was_asked(rows: list[dict[str, str]], said: list[str]) -> None:
    made = sum(row["state"] != "not asked" for row in rows)
    assert left_the_machine(finished(steps=(step({"searches": rows}),), usage=Usage(searches=made))) == said


PAGE = {"url": "https://reuters.com/a", "state": "read", "bytes": 9}
UNREAD = {"url": "https://slow.example/a", "state": "not read"}
LOOKED_UP = {"archived": [{"url": "https://reuters.com/a", "copy": "", "asked": False, "why": "It timed out."}]}


@pytest.mark.parametrize(
    ("stopped", "searches", "fetches", "sources", "said"),
    [
        (True, 4, 7, [PAGE],
         ["1 page was asked for at reuters.com; a site learns the address of this machine and which page is read.",
          "Up to 3 more searches went out before the run was stopped.",
          "Up to 6 more pages may have been asked for before the run was stopped."]),
        (True, 1, 1, [UNREAD | {"kind": "timeout"}],
         ["1 page was asked for at slow.example; a site learns the address of this machine and which page is read."]),
        (False, 1, 2, [UNREAD],
         ["Up to 1 more page may have been asked for before the time for reading was over."]),
    ],
)  # fmt: skip
def test_what_no_row_names_was_sent_too(
    stopped: bool, searches: int, fetches: int, sources: list[dict[str, object]], said: list[str]
) -> None:
    last = step({}, decision="stopped") if stopped else step(LOOKED_UP, "verdict")  # the look-up is a fetch too
    steps = (step({"searches": [DDG], "sources": sources}), last)
    assert left_the_machine(finished(steps=steps, usage=Usage(searches=searches, fetches=fetches)))[1:] == said


def test_an_archive_that_was_asked_is_named() -> None:
    asked = {"archived": [{"url": "https://a.example/", "asked": True}, {"url": "b", "asked": False}]}
    said = left_the_machine(finished(steps=(step(asked, "verdict"),)))
    assert "1 copy was asked for at the Internet Archive (archive.org), to find copies." in said


def test_every_report_says_that_a_snippet_was_not_read_in_full() -> None:
    run = searched_run()
    assert "refutes (search snippet, page not read)" in terminal(run, 120)
    assert "% (search snippet, page not read)" in markdown(run)
    assert "search snippet, page not read" in html(run)
    made = result(run)
    assert [c["snippet"] for c in made["citations"]] == [True]
    assert [e["snippet"] for e in made["evidence"]] == [False, False, False, True]


def test_what_may_leave_is_said_before_a_run() -> None:
    embedded = JudgeInfo("embedded", "m")
    assert [leaves for leaves, _ in may_leave(embedded, (), 10)] == [False, False]
    near = may_leave(JudgeInfo("local", "llama", host="127.0.0.1:11434", next="api.openai.com"), ("DuckDuckGo",), 0)
    assert [leaves for leaves, _ in near] == [False, True, True]
    assert "may go to api.openai.com" in near[1][1]
    far = may_leave(JudgeInfo("cloud", "gpt", host="api.openai.com"), ("DuckDuckGo", "Wikipedia"), 10)
    assert all(leaves for leaves, _ in far)
    assert "the language model gpt at api.openai.com" in far[0][1]
    assert "DuckDuckGo, then Wikipedia" in far[1][1]
    assert "10 pages that a search finds" in far[2][1]
    assert "up to three of these are the notes' pages" in far[3][1]
    talks = may_leave(
        JudgeInfo("cloud", "gpt", host="api.openai.com"), ("DuckDuckGo",), 10, False, Pipeline.SINGLE_CONVERSATION
    )
    said = " ".join(sentence for _, sentence in talks)
    for text in (
        "passages of your knowledge base",
        "Search words that the",
        "10 pages that the language model chooses",
    ):
        assert text in said, text
