"""The Analytics page over a real knowledge base: empty, filled, hostile, and with a store that fails."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from config import FACT_CHECK_DOMAINS, SOURCE_CREDIBILITY, UNKNOWN_CREDIBILITY, Settings
from ghost.errors import StoreError
from ghost.knowledge import CredibilityBook, KnowledgeBase
from ghost.knowledge import Use as Used
from ghost.testing import HashingEncoder
from ghost.types import NewPassage, Origin, StanceLabel, Status
from tests.pages.visits import LIVE, Open, Patch, Use, shown
from tests.ui.bench import ScriptedBench
from tests.ui.samples import HOSTILE

VIEWS = ("Sources", "Time", "Use", "Map", "Health")


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[KnowledgeBase]:
    book = CredibilityBook(SOURCE_CREDIBILITY, FACT_CHECK_DOMAINS, UNKNOWN_CREDIBILITY)
    with KnowledgeBase.open(tmp_path / "data" / "ghost.db", tmp_path / "chroma_db", "", HashingEncoder(), book) as kb:
        yield kb


@pytest.fixture
def bench(tmp_path: Path, knowledge: KnowledgeBase) -> ScriptedBench:
    bench: Any = ScriptedBench(Settings(data_dir=tmp_path))
    bench.knowledge = knowledge
    made: ScriptedBench = bench
    return made


def fill(knowledge: KnowledgeBase) -> None:
    """Passages of several kinds, and a check that used one of them."""
    knowledge.add(
        [
            NewPassage("The Moon orbits the Earth once in about 27 days.", "https://www.nasa.gov/moon", topic="space",
                       published_at=date(2009, 3, 1), origin=Origin.SEED),
            NewPassage("The sea level rose by a few centimetres in ten years.", "https://www.reuters.com/sea"),
            *(NewPassage(f"Kelp tea number {n} tastes of iron and sea.", f"https://kelp-blog.net/{n}", topic="kelp")
              for n in range(4)),
            NewPassage("It waits for a decision of the analyst.", "https://example.org/w", status=Status.QUARANTINED),
        ]
    )  # fmt: skip
    moon = knowledge.search("The Moon orbits the Earth", 1)[0].passage.id
    knowledge.record_use("f" * 32, [Used(moon, 0.9, StanceLabel.REFUTES, True)])


def opened(at: AppTest, view: str = "Sources") -> AppTest:
    at.run()
    at.switch_page("pages/analytics.py")
    if view != "Sources":
        at.query_params["analytics_view"] = view
    at.run()
    assert not at.exception
    return at


def charts(at: AppTest) -> list[Any]:
    return list(at.get("plotly_chart"))


@pytest.fixture
def page(use: Use, bench: ScriptedBench) -> Open:
    """Opens the page over the bench of the test."""
    return lambda *args, **params: opened(use(bench), *args, **params)


def test_an_empty_knowledge_base_says_what_to_do(page: Open) -> None:
    at = page()
    assert "There are no active passages yet." in shown(at)
    assert not charts(at)
    assert not at.metric


def test_figures_and_charts_of_every_view(page: Open, knowledge: KnowledgeBase) -> None:
    fill(knowledge)
    at = page()
    assert {m.label: m.value for m in at.metric} == {
        "Active passages": "6", "Sources": "3", "Mean credibility": "0.64", "Different texts": "100%",
        "Dated": "17%", "Ever used": "17%",
    }  # fmt: skip
    seen = {}
    for view in VIEWS:
        at = page(view)
        seen[view] = (len(charts(at)), shown(at))
    assert {view: n for view, (n, _) in seen.items()} == {"Sources": 3, "Time": 1, "Use": 1, "Map": 0, "Health": 0}
    assert "The largest is **kelp-blog.net** with 4 passages" in seen["Sources"][1]
    assert "1 check used stored passages 1 time." in seen["Use"][1]
    assert "Draw the map" in seen["Map"][1]
    assert "**1** of 2 topics depends on a single domain." in seen["Health"][1]
    assert "**1 passage** waits for your decision." in seen["Health"][1]


def test_the_switch_changes_the_view_and_the_address(page: Open, knowledge: KnowledgeBase) -> None:
    fill(knowledge)
    at = page()
    at.button(key="analytics_to_health").click().run()
    assert not at.exception
    assert "What to review" in [h.value for h in at.header]


def test_the_map_is_drawn_on_a_button(page: Open, knowledge: KnowledgeBase) -> None:
    fill(knowledge)
    at = page("Map")
    at.button(key="analytics_map_draw").click().run()
    knowledge.analytics.atlas.wait(60)
    at.run()
    assert not at.exception
    assert len(charts(at)) == 1
    knowledge.add([NewPassage("Another passage about the harbour came in.", "https://example.org/h")])
    at.run()
    assert "The knowledge base has changed since this map was drawn." in shown(at)


def test_nothing_is_counted_twice(page: Open, knowledge: KnowledgeBase, monkeypatch: Patch) -> None:
    fill(knowledge)
    at = page()

    def again() -> None:
        raise AssertionError("counted again")

    for what in ("sources", "time", "use", "copies", "alerts_about"):
        monkeypatch.setattr(knowledge.analytics, what, again)
    at.run()
    assert not at.exception
    assert at.metric


def test_hostile_text_stays_text(page: Open, knowledge: KnowledgeBase) -> None:
    knowledge.add(
        [
            NewPassage(f"{n} {HOSTILE} and more words for a passage", f"https://example{n}.org/", title=HOSTILE,
                       publisher=HOSTILE, topic="<b>x</b>[y](javascript:1)", language="<i>")
            for n in range(4)
        ]
    )  # fmt: skip
    knowledge.restore([p.id for p in knowledge.list()])
    ids = [p.id for p in knowledge.list()]
    knowledge.record_use("r", [Used(i, 0.9, StanceLabel.SUPPORTS, True) for i in ids])
    knowledge.analytics.atlas.start()
    knowledge.analytics.atlas.wait(60)
    for view in VIEWS:
        at = page(view)
        for element in (*at.markdown, *at.caption, *at.header, *at.subheader):
            assert not LIVE.search(element.value), element.value
        for chart in charts(at):
            assert "<script" not in chart.proto.spec
            assert "<img" not in chart.proto.spec


def test_a_store_that_fails_is_explained(page: Open, knowledge: KnowledgeBase, monkeypatch: Patch) -> None:
    def fails() -> str:
        raise StoreError("The disk cannot be read. Check it and try again.")

    monkeypatch.setattr(knowledge.analytics, "mark", fails)
    at = page()
    assert "The disk cannot be read." in at.error[0].value.replace("\\", "")
    assert at.button(key="analytics_retry")
