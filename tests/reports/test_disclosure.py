"""What left the machine, in sentences."""

from datetime import UTC, datetime

from ghost.reports import left_the_machine, may_leave, result, terminal
from ghost.reports.markdown import markdown
from ghost.types import JudgeInfo, TraceStep, Usage
from tests.reports.runs import finished
from tests.ui.samples import searched_run

AT = datetime(2026, 1, 1, tzinfo=UTC)


def searched(*rows: dict[str, str]) -> list[str]:
    step = TraceStep("investigate", AT, 0.1, "", "", {}, {"searches": list(rows)})
    made = sum(row["state"] != "not asked" for row in rows)
    return left_the_machine(finished(steps=(step,), usage=Usage(searches=made)))


DDG = {"sent_to": "DuckDuckGo", "state": "answered"}
WIKI = {"sent_to": "Wikipedia", "state": "failed", "kind": "RateLimitError"}


def test_each_recipient_is_named_with_how_often_it_was_asked() -> None:
    assert searched(DDG) == ["1 search with the words of its statements went to DuckDuckGo."]
    assert searched(DDG, DDG, WIKI) == [
        "3 searches with the words of its statements went to DuckDuckGo (2) and Wikipedia (1)."
    ]


def test_who_was_not_asked_or_not_reached_received_nothing() -> None:
    lost = WIKI | {"kind": "ProviderUnreachableError"}
    assert searched(DDG, lost, DDG | {"state": "not asked"}) == [
        "1 search with the words of its statements went to DuckDuckGo.",
        "Wikipedia could not be reached, so no words went there.",
    ]
    assert searched(lost) == ["Wikipedia could not be reached, so no words went there."]


def test_every_report_says_that_a_snippet_was_not_read_in_full() -> None:
    run = searched_run()
    assert "refutes (search snippet, page not read)" in terminal(run, 120)
    assert "refutes (search snippet, page not read)" in markdown(run)
    assert "web (search snippet, page not read)" in markdown(run)
    made = result(run)
    assert [c["snippet"] for c in made["citations"]] == [True]
    assert [e["snippet"] for e in made["evidence"]] == [False, False, False, True]
    assert made["evidence"][3]["indexed_at"] is None


def test_what_may_leave_is_told_before_a_run() -> None:
    embedded = JudgeInfo("embedded", "m")
    assert [leaves for leaves, _ in may_leave(embedded, (), 10)] == [False, False]
    near = may_leave(JudgeInfo("local", "llama", host="127.0.0.1:11434", next="api.openai.com"), ("DuckDuckGo",), 0)
    assert [leaves for leaves, _ in near] == [False, True, True]
    assert "may go to api.openai.com" in near[1][1]
    far = may_leave(JudgeInfo("cloud", "gpt", host="api.openai.com"), ("DuckDuckGo", "Wikipedia"), 10)
    assert all(leaves for leaves, _ in far)
    assert "the language model gpt at api.openai.com" in far[0][1]
    assert "DuckDuckGo, then Wikipedia" in far[1][1]
    assert "10 pages" in far[2][1]


def stopped(searches: int, fetches: int, *sources: dict[str, object]) -> list[str]:
    outputs = {"searches": [DDG], "sources": list(sources)}
    stages = ("done", outputs), ("stopped", {})
    steps = tuple(TraceStep("investigate", AT, 0.1, decision, "", {}, found) for decision, found in stages)
    return left_the_machine(finished(steps=steps, usage=Usage(searches=searches, fetches=fetches)))


def test_what_a_stopped_stage_has_sent_is_told_though_no_row_names_it() -> None:
    page = {"url": "https://reuters.com/a", "state": "read", "bytes": 9}
    assert stopped(4, 7, page)[1:] == [
        "1 page was asked for at reuters.com; a site learns the address of this machine and which page is read.",
        "Up to 3 more searches went out before the run was stopped.",
        "Up to 6 more pages may have been asked for before the run was stopped.",
    ]
    assert len(stopped(1, 1, page)) == 2


def test_a_finished_run_is_not_said_to_have_been_stopped() -> None:
    left = {"url": "https://slow.example/a", "state": "not read"}
    looked = {"archived": [{"url": "https://reuters.com/a", "copy": "", "asked": False, "why": "It timed out."}]}
    page = {"url": "https://reuters.com/a", "state": "read", "bytes": 9}

    def told(fetches: int, *sources: dict[str, object]) -> list[str]:
        steps = (
            TraceStep("investigate", AT, 0.1, "done", "", {}, {"searches": [DDG], "sources": list(sources)}),
            TraceStep("verdict", AT, 0.1, "True", "", {}, looked),
        )
        return left_the_machine(finished(steps=steps, usage=Usage(searches=1, fetches=fetches)))

    assert len(told(2, page)) == 2, "the look-up in the archive is the second fetch"
    late = "Up to 1 more page may have been asked for before the time for reading was over."
    assert told(3, page, left)[2:] == [late]
    assert told(2, left)[1:] == [late]


def test_a_page_that_was_cut_off_by_the_clock_was_asked_for() -> None:
    late = {"url": "https://slow.example/a", "state": "not read", "kind": "timeout"}
    assert stopped(1, 1, late)[1].startswith("1 page was asked for at slow.example")
