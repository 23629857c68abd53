"""The Knowledge base page over a few passages in memory."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from config import Settings
from ghost.errors import StoreError
from ghost.types import Origin, Status
from tests.pages.test_verify import LIVE, shown, use
from tests.ui.bench import ScriptedBench, ScriptedKnowledge
from tests.ui.samples import HOSTILE, WALL, false_run, passage

__all__ = ["use"]


@pytest.fixture
def bench(tmp_path: Path) -> ScriptedBench:
    return ScriptedBench(Settings(data_dir=tmp_path))


def opened(at: AppTest) -> AppTest:
    at.run()
    at.switch_page("pages/knowledge.py").run()
    assert not at.exception
    return at


def test_figures_and_passages(use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench) -> None:
    at = opened(use(bench))
    assert {m.label: m.value for m in at.metric} == {
        "Active passages": "3", "Sources": "3", "Dated": "33 %", "Origins": "1",
    }  # fmt: skip
    words = shown(at)
    assert "1 to 3 of 3 passages, newest first" in words
    assert WALL.text in words
    assert "Published unknown" in words


def test_an_empty_knowledge_base_says_so(use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench) -> None:
    bench.knowledge = ScriptedKnowledge([])
    at = opened(use(bench))
    assert "The knowledge base is empty." in shown(at)
    assert {m.label: m.value for m in at.metric}["Dated"] == "none"


def test_search_and_filters(use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench) -> None:
    at = opened(use(bench))
    at.text_input(key="knowledge_query").input("20,000 kilometres").run()
    words = shown(at)
    assert "1 to 1 of 1 passages, best match first" in words
    assert WALL.text not in words
    at.selectbox(key="knowledge_origin").select(Origin.WEB).run()
    assert "Nothing passes these filters." in shown(at)
    at.text_input(key="knowledge_query").input("").run()
    assert "Nothing passes these filters." in shown(at)
    at.selectbox(key="knowledge_origin").select(Origin.SEED)
    at.selectbox(key="knowledge_status").select(Status.RETIRED).run()
    assert "Nothing passes these filters." in shown(at)


def test_pages_of_twenty_five(use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench) -> None:
    bench.knowledge = ScriptedKnowledge([replace(WALL, id=f"p{n}", text=f"Passage number {n}.") for n in range(60)])
    at = opened(use(bench))
    words = shown(at)
    assert "1 to 25 of 60 passages" in words
    assert "Passage number 24." in words
    assert "Passage number 25." not in words
    key = at.session_state["knowledge_pages"][0]
    at.session_state[key] = 3
    at.run()
    assert "51 to 60 of 60 passages" in shown(at)


def test_detail_shows_everything_known(use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench) -> None:
    run = false_run()
    bench.runs.kept[run.id] = run
    at = opened(use(bench))
    at.button(key="knowledge_open_p1").click().run()
    assert not at.exception
    assert at.query_params["passage"] == "p1"
    words = shown(at)
    assert WALL.text in words
    assert "The old text." in words
    assert "Checks that used it" in words
    at.button(key="knowledge_back").click().run()
    assert at.title[0].value == "Knowledge base"


def test_an_unknown_passage_is_explained(use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench) -> None:
    at = use(bench).run()
    at.switch_page("pages/knowledge.py")
    at.query_params["passage"] = "nonsense"
    at.run()
    assert at.header[0].value == "This passage is not here"


def test_a_store_that_fails_is_explained(use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench) -> None:
    bench.knowledge = ScriptedKnowledge([WALL], fails=StoreError("The disk cannot be read. Check it and try again."))
    at = opened(use(bench))
    assert "The disk cannot be read." in at.error[0].value.replace("\\", "")


def test_hostile_passages_are_text(use: Callable[[ScriptedBench], AppTest], bench: ScriptedBench) -> None:
    bad = passage(
        "p9", HOSTILE, title=HOSTILE, publisher="<b>x</b>", topic="<i>t</i>", source_url="javascript:alert(1)"
    )
    bench.knowledge = ScriptedKnowledge([bad])
    at = opened(use(bench))
    assert HOSTILE in shown(at)
    at.button(key="knowledge_open_p9").click().run()
    assert HOSTILE in shown(at)
    for element in (*at.markdown, *at.caption, *at.header):
        assert not LIVE.search(element.value), element.value
