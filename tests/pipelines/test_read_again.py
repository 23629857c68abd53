"""What a weak source, or one alone, said on an earlier day is read again before it settles anything."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from config import Settings
from ghost.budget import Limits
from ghost.events import QuestionAnswered
from ghost.reports import left_the_machine, research_text
from ghost.testing import ScriptedSearch
from ghost.types import Claim, Label, PageCheck, ResearchAnswer, RouteMode, RouterDecision, Run, Status
from ghost.web import Fetcher, FetchLimits, Hit
from ghost.workbench import Workbench, build
from tests.seeded import PACKS_OFF
from tests.web.sites import Request, Site, named, page, site

CLAIM = "The Brackwater library closed in 2024."
QUESTION = "Did the Brackwater library close in 2024?"
CLOSED = "The Brackwater library closed in 2024, as the town council of Brackwater decided in its session of March."
CORRECTED = CLOSED.replace("closed in 2024", "did not close in 2024")


@dataclass
class Town:
    """A site with one page, which changes, and a workbench that finds it."""

    bench: Workbench
    site: Site
    search: ScriptedSearch
    says: list[str]
    """What the page says, or the status that its server gives, last."""
    runs: int = 0
    seen: list[int] = field(default_factory=lambda: [0, 0])

    def asked(self) -> tuple[list[bool], int]:
        """Since the last time: for each request of the page whether it was conditional, and the number of searches."""
        pages = [r for r in self.site.asked if r.path == "/library"]
        new = (
            [r.headers.get("if-none-match", "") != "" for r in pages[self.seen[0] :]],
            len(self.search.asked) - self.seen[1],
        )
        self.seen = [len(pages), len(self.search.asked)]
        return new

    def check(self, web: bool = True) -> Run:
        self.runs += 1
        list(self.bench.verify(Claim(CLAIM), run_id=f"r{self.runs}", web=web))
        run = self.bench.runs.get(f"r{self.runs}")
        assert run is not None
        return run

    def ask(self, web: bool = True) -> RouterDecision:
        *_, last = self.bench.asking.ask(QUESTION, web=web)
        assert isinstance(last, QuestionAnswered)
        return last.decision

    def research(self, web: bool = True) -> tuple[ResearchAnswer, str]:
        plan = self.bench.research.plan("Brackwater library", questions=["When did the Brackwater library close?"])
        events = list(self.bench.research.run(plan, web=web))
        found = self.bench.research.get(events[0].research_id)  # type: ignore[attr-defined]
        assert found is not None
        return found.answers[0], research_text(found)

    def status(self) -> dict[str, Status]:
        """Of what the page said."""
        return {p.text: p.status for p in self.bench.knowledge.list(limit=5_000) if "Brackwater" in p.text}


@pytest.fixture(params=[0.5, 0.9], ids=["weak", "alone"])
def town(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Town]:
    says = [CLOSED]

    def answer(asked: Request) -> bytes:
        if asked.path == "/robots.txt" or says[-1].isdigit():
            return page(b"no", 404 if asked.path == "/robots.txt" else int(says[-1]))
        tag = f'"{len(says[-1])}"'
        if asked.headers.get("if-none-match") == tag:
            return page(b"", 304, ETag=tag)
        return page(f"<!doctype html><title>The library</title><article><p>{says[-1]}</p></article>".encode(), ETag=tag)

    with site(answer) as running:
        search = ScriptedSearch([Hit(f"http://town.test:{running.port}/library", "The library", "News", "scripted")])
        monkeypatch.setattr("ghost.workbench.building.make_providers", lambda *_: [search])
        monkeypatch.setattr(
            "ghost.workbench.building.make_fetcher",
            lambda _, cache: Fetcher(
                cache, FetchLimits(gap=0.0), named({"town.test": "127.0.0.1"}), local=[("town.test", running.port)]
            ),
        )
        settings = Settings(
            data_dir=tmp_path, web=True, source_credibility={"town.test": request.param}, packs_off=PACKS_OFF
        )
        with build(settings, judge="embedded") as bench:
            yield Town(bench, running, search, says)


def test_a_check_reads_again_and_searches_nothing_where_the_page_still_says_it(town: Town) -> None:
    assert town.check().label is Label.TRUE
    assert town.asked()[0] == [False]
    (before,) = [p for p in town.bench.knowledge.list(limit=5_000) if p.text == CLOSED]
    again = town.check()
    assert again.label is Label.TRUE
    assert town.asked() == ([True], 0)
    assert again.usage.fetches == 1
    assert any("1 page was asked for at town.test" in line for line in left_the_machine(again))
    (after,) = town.bench.knowledge.get([before.id])
    assert before.retrieved_at
    assert after.retrieved_at
    assert after.retrieved_at > before.retrieved_at
    assert after.page_check is None


def test_what_a_page_does_not_say_any_more_settles_nothing_and_is_retired(town: Town) -> None:
    town.check()
    town.says.append(CORRECTED)
    assert town.check().label is Label.FALSE
    assert town.status() == {CLOSED: Status.RETIRED, CORRECTED: Status.ACTIVE}
    town.says.append("410")
    gone = town.check()
    assert gone.label is Label.NOT_ENOUGH_EVIDENCE
    assert not any("Brackwater" in e.passage.text for e in gone.evidence)
    assert set(town.status().values()) == {Status.RETIRED}


@pytest.mark.parametrize("offline", [True, False])
def test_what_cannot_be_read_again_settles_no_check_alone_and_the_run_says_why(town: Town, offline: bool) -> None:
    town.check()
    town.says.append("503")
    town.asked()
    run = town.check(web=not offline)
    assert town.asked()[0] == [True] * (not offline)
    assert run.verdict
    assert run.verdict.label is Label.NOT_ENOUGH_EVIDENCE
    assert "was not read again" in run.verdict.reasons[0].text
    assert [e.passage.page_check for e in run.evidence if "Brackwater" in e.passage.text] == [PageCheck.NOT_REACHED]
    assert offline or any("not reached: The server has trouble" in s.reason for s in run.steps)
    assert town.status() == {CLOSED: Status.ACTIVE}


def test_a_card_is_read_again_before_it_answers(town: Town) -> None:
    town.check()
    town.asked()
    answered = town.ask()
    assert (answered.mode, town.asked()) == (RouteMode.EXACT, ([True], 0))
    assert "Nobody has reviewed its answer. town.test was read again and still says it." in answered.reasoning
    assert town.bench.asking.checked_before(CLAIM) is None  # the check reads it again
    assert town.ask(web=False).mode is RouteMode.NOVEL
    town.says.append(CORRECTED)
    corrected = town.ask()
    assert corrected.mode is RouteMode.NOVEL
    assert "does not say it any more" in corrected.reasoning
    run = town.bench.runs.get(corrected.run_id)
    assert run is not None
    assert run.label is Label.FALSE


def test_a_card_that_a_person_stands_behind_answers_as_it_is(town: Town) -> None:
    town.bench.reviews.override(town.check().id, Label.TRUE)
    town.asked()
    assert (town.ask(web=False).mode, town.asked()) == (RouteMode.EXACT, ([], 0))


def test_memory_answers_with_its_day_and_a_corrected_page_is_memory_no_more(town: Town) -> None:
    town.research()
    town.asked()
    for web, mode in ((True, CLOSED), (False, CLOSED), (True, "503")):
        town.says.append(mode)
        kept, told = town.research(web)
        assert kept.from_memory
        assert kept.read_on
        assert f"from memory, read on {kept.read_on}" in told
        assert town.asked() == ([True] * web, 0)
    town.says.append(CORRECTED)
    new, _ = town.research()
    assert not new.from_memory
    assert town.asked()[0] == [True]  # read once, also for the new answer
    assert "did not close" in new.text
    assert town.status() == {CLOSED: Status.RETIRED, CORRECTED: Status.ACTIVE}


def test_a_limit_of_fetches_counts_reading_again(town: Town, monkeypatch: pytest.MonkeyPatch) -> None:
    town.check()
    monkeypatch.setattr("ghost.workbench.workbench.limits_of", lambda _: Limits(fetches=0))
    town.asked()
    assert town.check().label is Label.NOT_ENOUGH_EVIDENCE
    assert town.asked()[0] == []
