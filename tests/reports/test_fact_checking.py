"""“Already fact-checked?” says "none" only where somebody was asked."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from ghost.reports import any_search_answered, fact_check_coverage
from ghost.types import Run, TraceStep
from tests.reports.runs import finished, html, markdown

AT = datetime(2024, 5, 3, tzinfo=UTC)
NONE = "No published fact-check of this was found."
KEPT = "The fact-checkers could not be asked: DuckDuckGo: the last search is kept for the whole web."


def step(stage: str, *rows: dict[str, object], reason: str = "") -> TraceStep:
    return TraceStep("investigate", AT, 0.1, "", reason, {"stage": stage}, {"searches": list(rows)})


def row(state: str, statement: int = 1, why: str = "", who: str = "DuckDuckGo") -> dict[str, object]:
    return {"statement": statement, "state": state, "why": why, "sent_to": who}


ANSWERED = step("trusted", row("answered"))
NOT_ASKED = row("not asked", why="the last search is kept for the whole web")


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([step("fact_check", row("answered"))], [NONE]),
        ([step("fact_check", row("from the cache"))], [NONE]),
        ([step("fact_check", row("failed", why="It is slow."), row("answered", who="Wikipedia"))], [NONE]),
        ([step("fact_check", NOT_ASKED)], [KEPT]),
        ([step("fact_check", row("failed", why="It is slow."), row("not asked", why="no key", who="Brave"))],
         ["The fact-checkers could not be asked: DuckDuckGo: It is slow; Brave: no key."]),
        ([step("fact_check", row("answered", 1), NOT_ASKED | {"statement": 2})],
         [NONE, KEPT.replace(" asked:", " asked about 1 of 2 statements:")]),
        ([step("fact_check", reason="The settings name no fact-checkers.")],
         ["The fact-checkers could not be asked: The settings name no fact-checkers."]),
        ([], ["The fact-checkers could not be asked: the search ended before it was their turn."]),
    ],
)  # fmt: skip
def test_none_is_said_only_where_the_fact_checkers_were_searched(steps: list[TraceStep], said: list[str]) -> None:
    assert any_search_answered([ANSWERED, *steps])
    assert fact_check_coverage([ANSWERED, *steps], found=False) == said
    assert fact_check_coverage([ANSWERED, *steps], found=True) == [s for s in said if s != NONE]


def test_only_what_was_asked_about_has_no_fact_check_and_the_rest_is_named() -> None:
    texts = ["Honey keeps.", "Wax melts.", "Bees fly.", "Bees sleep.", "Bees sting."]
    classified = TraceStep("classify", AT, 0.1, "", "", {}, {"statements": texts})
    some = [classified, ANSWERED, step("fact_check", row("answered"), row("failed", 2, "It is slow."))]
    failed = "The fact-checkers could not be asked about 1 of 2 statements: DuckDuckGo: It is slow."
    left = "The fact-checkers were not asked about “Bees fly”, “Bees sleep” and “Bees sting”."
    assert fact_check_coverage(some, found=False) == [
        "No published fact-check of “Honey keeps” was found.", failed, left,
    ]  # fmt: skip
    assert fact_check_coverage(some, found=True) == [failed, left]
    everything = [classified, step("fact_check", *(row("answered", n) for n in range(1, 6)))]
    assert fact_check_coverage(everything, found=False) == [NONE]
    one = [classified, step("fact_check", row("answered"))]
    assert fact_check_coverage(one, found=True) == [
        "The fact-checkers were not asked about “Wax melts”, “Bees fly”, “Bees sleep” and 1 more."
    ]


def test_a_broken_trace_breaks_nothing() -> None:
    broken = TraceStep("investigate", AT, 0.1, "", "", {"stage": "fact_check"}, {"searches": [1, {"statement": [2]}]})
    assert not any_search_answered([broken, TraceStep("investigate", AT, 0.1, "", "", {}, {"searches": "x"})])
    assert fact_check_coverage([broken], found=False) == [
        "The fact-checkers could not be asked: nobody: no reason kept."
    ]


def run(*steps: TraceStep) -> Run:
    return replace(finished(), steps=steps)


def test_reports_say_that_nobody_looked() -> None:
    for made in (markdown, html):
        unasked, asked = (
            made(run(ANSWERED, step("fact_check", NOT_ASKED))),
            made(run(step("fact_check", row("answered")))),
        )
        assert KEPT in unasked
        assert NONE not in unasked
        assert NONE in asked
        assert "Already fact-checked?" not in made(run(step("trusted", row("failed"))))


def test_reports_name_the_host_of_who_is_no_known_fact_checker() -> None:
    review = {"claim": "Honey spoils.", "rating": "False", "reviewer": "Reuters Fact Check", "statement": 1}
    found = step("fact_check", row("answered"))
    found.outputs["reviews"] = [
        review | {"url": "https://evil.test/x", "known": False},
        review | {"url": "https://reuters.com/fact-check/x", "known": True},
    ]
    for made in (markdown, html):
        plain = made(run(found)).replace("\\", "")
        assert "evil.test (calls itself Reuters Fact Check; not a known fact-checker) on “Honey spoils.”" in plain
        assert plain.count("Reuters Fact Check on “Honey spoils.”") == 1
