"""The Research page: a plan whose questions are edited, a research that is watched, its report, and the memories."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from config import PROJECT, Settings
from ghost.errors import StoreError
from ghost.research import Skills
from ghost.types import NOTHING_SAVED, RunStatus
from ghost.ui.research import EXAMPLE
from tests.pages.sections import Page, assert_plain, at_address, choose, elsewhere_and_back, keys, page, until
from tests.pages.visits import Use, click, shown
from tests.ui.bench import ScriptedBench
from tests.ui.researching import (
    ANSWERS,
    GENERAL,
    QUESTIONS,
    TOPIC,
    Fault,
    episode,
    fact,
    finished_research,
    hostile_research,
    research_steps,
)
from tests.ui.samples import HOSTILE

__all__ = ["page"]
DONE = "1" * 32
OURS = r"\]\(<https://[\w./%-]+>\)|`"


def planned(at: AppTest, topic: str = TOPIC) -> AppTest:
    """Enter a topic and wait for its plan."""
    at.text_area(key="research_topic").input(topic).run()
    click(at, "research_plan")
    until(at, lambda: bool(keys(at, "research_start")) or "The plan could not be made" in shown(at))
    return at


def started(at: AppTest) -> AppTest:
    """Start the plan, and wait for the report."""
    click(at, "research_start")
    until(at, lambda: bool(keys(at, "research_repeat")))
    return at


def rows(at: AppTest) -> list[str]:
    """The questions as they stand in the fields."""
    return [area.value for area in at.text_area if area.key and area.key.startswith("research_question_")]


def test_the_empty_page_says_what_to_do(page: Page) -> None:
    at = page("research")
    words = shown(at)
    assert [title.value for title in at.title] == ["Research"]
    for text in (
        "Memory answers those it can", "Nothing is searched yet:", "No research yet.",
        "Embedded judge: nothing you type leaves this machine.", "Plans questions", "Asks memory first",
    ):  # fmt: skip
        assert text in words, text
    assert at.toggle(key="research_web").disabled, "nothing may be searched"
    assert "Enter a topic first." in shown(click(at, "research_plan"))
    at.button(key="research_example_0").click().run()
    assert at.text_area(key="research_topic").value == TOPIC


def test_a_plan_says_what_memory_has_and_why(page: Page, bench: ScriptedBench) -> None:
    bench.search_recipients = ("DuckDuckGo",)
    at = page("research")
    at.selectbox(key="research_skill").set_value("general").run()
    assert GENERAL.description in shown(at)
    words = shown(planned(at))
    assert rows(at) == list(QUESTIONS)
    for text in (
        "From memory", "Needs the web", "This very question was answered", "The evidence is 412 days old",
        "1 fact, newest 12 Oct 2025", "asked before as “Is the Great Wall of China visible to astronauts",
        "6 searches", "15 pages", "no language model is used",
        "evidence up to 180 days old", "How long is the Berlin Wall?",
        "It is about another topic.", "are sent as search words to DuckDuckGo", "If sources disagree, present both.",
    ):  # fmt: skip
        assert text in words, text
    assert bench.research.asked == [(TOPIC, "general", (), True)]
    assert not bench.research.kept, "nothing was started"


def test_edited_questions_go_through_the_gate_again(page: Page, bench: ScriptedBench) -> None:
    at = planned(page("research"))
    first = at.query_params["research"]
    fields = [area.key for area in at.text_area if area.key]
    at.text_area(key=fields[2]).input("How wide is the Great Wall near Beijing?").run()
    words = shown(at)
    assert "Memory has not been asked about this wording yet." in words
    assert not keys(at, "research_start"), "the decisions are of other questions"
    click(at, f"{fields[4]}_remove")
    click(at, f"{fields[0]}_down")
    click(at, "research_question_add")
    click(at, "research_again")
    until(at, lambda: bool(keys(at, "research_start")))
    assert at.query_params["research"] != first
    edited = (QUESTIONS[1], QUESTIONS[0], "How wide is the Great Wall near Beijing?", QUESTIONS[3])
    assert tuple(rows(at)) == edited
    assert bench.research.asked[-1] == (TOPIC, "general", edited, False)
    words = shown(at)
    assert "Your questions" in words
    assert "Memory has not been asked" not in words
    for key in [area.key for area in at.text_area if area.key]:
        click(at, f"{key}_remove")
    assert at.button(key="research_again").disabled
    assert "No questions left." in shown(at)
    click(at, "research_question_reset")
    assert tuple(rows(at)) == edited


def test_a_research_is_watched_to_its_report(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path))
    bench.search_recipients = ("DuckDuckGo",)
    bench.research.stops_before = "web"
    at = at_address(use(bench).switch_page("pages/research.py"))
    click(planned(at), "research_start")
    until(at, lambda: "2 of 5 questions done" in str([p.proto.text for p in at.get("progress")]))
    words = shown(at)
    for text in (
        "IN PROGRESS", "The wall cannot be seen from the Moon", "Search for the rest", "Question 3 of 5.", "1 source",
        "You can leave this page",
    ):  # fmt: skip
        assert text in words, text
    elsewhere_and_back(at, "research")
    assert "IN PROGRESS" in shown(at)
    bench.research.gate.set()
    until(at, lambda: bool(keys(at, "research_repeat")))
    words = shown(at)
    for text in (
        "**2** from memory", "**1** new", "**2** unanswered", "Sources disagree.", "1 · nasa.gov",
        "Memory saved **5 searches**", "6 searches, 9 pages fetched", "Plan only the gaps", "Rephrase a question",
        "Not from memory: the evidence",
    ):  # fmt: skip
        assert text in words, text
    links = [m.value for m in at.markdown if "(#source-1)" in m.value]
    assert links, "[1] leads to its source"


def test_it_is_cancelled_resumed_and_repeated(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path))
    bench.research.stops_before = "web"
    at = at_address(use(bench).switch_page("pages/research.py"))
    click(planned(at), "research_start")
    until(at, lambda: bool(keys(at, "research_cancel")))
    until(at, lambda: [len(r.answers) for r in bench.research.kept.values()] == [2])
    click(at, "research_cancel")
    until(at, lambda: "You cancelled this research." in shown(at))
    assert "The research ended before this question." in shown(at)
    bench.research.gate.set()
    click(at, "research_resume")
    until(at, lambda: bool(keys(at, "research_repeat")) and "Close the gaps" in shown(at))
    click(at, "research_gaps_plan")
    until(at, lambda: bool(keys(at, "research_start")))
    assert rows(at) == [QUESTIONS[3], QUESTIONS[4]]


@pytest.mark.parametrize("stage", ["plan", "web"])
def test_a_failure_says_what_happened_and_what_is_kept(use: Use, tmp_path: Path, stage: str) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path))
    bench.research.stops_before, bench.research.fails = stage, StoreError(f"Full: {HOSTILE}")
    bench.research.gate.set()
    at = planned(at_address(use(bench).switch_page("pages/research.py")))
    if stage == "plan":
        words = shown(at)
        assert "The plan could not be made. Full: " in words
        click(at, "research_edit")
        assert at.text_area(key="research_topic").value == TOPIC
    else:
        click(at, "research_start")
        until(at, lambda: "This research failed." in shown(at))
        assert "Resume" in shown(at)
    assert_plain(at, OURS)


def test_planning_can_be_stopped(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path))
    bench.research.stops_before = "plan"
    at = at_address(use(bench).switch_page("pages/research.py"))
    at.text_area(key="research_topic").input(TOPIC).run()
    click(at, "research_plan")
    assert "Planning does not search the web." in shown(at)
    click(at, "research_cancel")
    until(at, lambda: "You cancelled the plan. Nothing was searched." in shown(at))


def test_one_that_was_interrupted(page: Page, bench: ScriptedBench) -> None:
    steps = research_steps()[:6]
    bench.research.kept[DONE] = finished_research(status=RunStatus.INTERRUPTED, answers=ANSWERS[:2], steps=steps)
    words = shown(page("research", research=DONE))
    for text in ("Ghost was closed while this research ran.", "Resume", "Counted when the research ends."):
        assert text in words, text


def test_one_of_another_process_is_watched_through_the_store(page: Page, bench: ScriptedBench) -> None:
    whole = finished_research()
    bench.research.kept[DONE] = replace(whole, status=RunStatus.RUNNING, answers=ANSWERS[:2], finished_at=None)
    at = page("research", research=DONE)
    words = shown(at)
    for text in ("IN PROGRESS", "The wall cannot be seen from the Moon", "This research runs in another process."):
        assert text in words, text
    bench.research.kept[DONE] = whole
    assert "SAVED AND SPENT" in shown(at.run())


def test_nothing_was_saved(page: Page, bench: ScriptedBench) -> None:
    bench.research.kept[DONE] = finished_research(savings=NOTHING_SAVED)
    assert "Memory saved nothing this time." in shown(page("research", research=DONE))


def test_exports_and_deletion(page: Page, bench: ScriptedBench, downloads: dict[str, Callable[[], Any]]) -> None:
    bench.research.kept[DONE] = finished_research()
    at = page("research", research=DONE)
    for kind in ("HTML", "Markdown", "JSON"):
        assert TOPIC in downloads[kind]()
    click(at, "research_delete_sure")
    assert "was deleted. Its facts stay in memory." in shown(at)
    assert "No research yet." in shown(at)
    assert not bench.research.kept


def test_earlier_research_is_listed_and_found_by_its_address(page: Page, bench: ScriptedBench) -> None:
    bench.research.kept[DONE] = finished_research()
    bench.research.kept["3" * 32] = finished_research("3" * 32, status=RunStatus.INTERRUPTED, topic="Honey")
    at = page("research")
    words = shown(at)
    assert "3 of 5 questions answered" in words
    assert words.index("Honey") < words.index(f"**{TOPIC}")
    click(at, f"research_open_{DONE}")
    assert at.query_params["research"] == DONE
    elsewhere_and_back(at, "research")
    assert at.query_params["research"] == DONE, "back by the menu"
    click(at, "research_back")
    assert "EARLIER RESEARCH" in shown(at)
    words = shown(page("research", research="nothing"))
    assert "This research is not here" in words
    assert "A plan that was not started" in words


def test_facts_are_searched_retired_and_restored(page: Page, bench: ScriptedBench) -> None:
    bench.research.known = [fact(n) for n in range(20)]
    bench.research.kept[DONE] = finished_research()
    at = page("research", section="facts")
    assert "1 to 15 of 20 facts" in shown(at)
    at.text_input(key="research_facts_text").input("photographed").run()
    assert "1 to 5 of 5 facts" in shown(at)
    click(at, "research_retire_f2")
    words = shown(at)
    assert "The fact and its passage are retired" in words
    assert bench.research.known[2].retired
    click(at, "research_undo")
    assert not bench.research.known[2].retired
    click(at, "research_retire_f2")
    click(at, "research_restore_f2")
    assert not bench.research.known[2].retired
    at.text_input(key="research_facts_text").input("no such words").run()
    assert "Nothing found for these words." in shown(at)
    at.text_input(key="research_facts_text").input("").run()
    click(at, "research_fact_of_f1")
    assert at.query_params == {"research": DONE}


def test_pages_read_and_empty_memories(page: Page, bench: ScriptedBench) -> None:
    at = page("research", section="pages")
    assert "No pages yet" in shown(at)
    choose(at, "research_section", "facts")
    assert "No facts yet" in shown(at)
    assert at.query_params["section"] == "facts"
    bench.research.read = [episode(n) for n in range(3)]
    choose(at, "research_section", "pages")
    words = shown(at)
    assert "1 to 3 of 3 pages" in words
    assert "reading 2" in words
    assert "no facts" in words
    choose(at, "research_section", "topics")
    assert "section" not in at.query_params


def test_skills_say_what_is_wrong_with_the_file(page: Page, bench: ScriptedBench) -> None:
    at = page("research", section="skills")
    words = shown(at)
    assert "Health and medicine" in words
    assert "only 2 sites" in str([e.label for e in at.expander])
    bench.research.skills.problem = Fault(7, "freshness_days", f"must be a number {HOSTILE}")
    own = replace(GENERAL, name="mine", title=HOSTILE, description=HOSTILE, shipped=False)
    bench.research.skills.found = (GENERAL, own)
    words = shown(at.run())
    for text in ("Your skills.yaml has an error in line 7, field **freshness_days**", "the last valid version",
                 "Yours"):  # fmt: skip
        assert text.replace("**", "") in words.replace("**", ""), text
    assert_plain(at, OURS)
    choose(at, "research_section", "topics")
    assert "has an error" in shown(at)


def test_the_example_of_a_skill_can_be_used_and_is_that_of_the_docs(tmp_path: Path) -> None:
    file = tmp_path / "skills.yaml"
    file.write_text(EXAMPLE, encoding="utf-8")
    skills = Skills(file, str)
    assert "city-council" in {skill.name for skill in skills.all()}
    assert skills.problem is None
    assert f"```yaml\n{EXAMPLE}```" in (PROJECT / "docs" / "research.md").read_text(encoding="utf-8")


def test_stores_that_cannot_be_read_are_told(page: Page, bench: ScriptedBench) -> None:
    bench.research.unread = StoreError("The disk cannot be read.")
    for section in ("", "facts", "pages"):
        at = page("research", **({"section": section} if section else {}))
        assert "The disk cannot be read." in shown(at)
    at = page("research", research=DONE)
    assert "The disk cannot be read." in shown(at)
    bench.research.unread = None
    bench.research.kept[DONE] = finished_research()
    assert TOPIC in shown(click(at, "research_retry"))


def test_hostile_texts_are_text(page: Page, bench: ScriptedBench) -> None:
    bench.search_recipients = ("DuckDuckGo",)
    made = hostile_research()
    bench.research.kept[made.id] = made
    bench.research.known = [fact(n, question=HOSTILE, excerpt=HOSTILE, title=HOSTILE, url="javascript:alert(7)",
                                 retired=HOSTILE if n else "") for n in range(2)]  # fmt: skip
    bench.research.read = [episode(1, title=HOSTILE, topic=HOSTILE, url="javascript:alert(8)")]
    at = page("research", research=made.id)
    assert "alert(1)" in shown(at)
    assert_plain(at, OURS)
    click(at, "research_repeat")
    until(at, lambda: bool(keys(at, "research_start")))
    assert_plain(at, OURS)
    for section in ("topics", "facts", "pages"):
        assert_plain(at_address(at, section=section), OURS)
