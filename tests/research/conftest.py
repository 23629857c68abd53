"""One demo web with one workbench on it for each file, and a workbench without a web to fill the memory of."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from config import Settings
from ghost.demo_web import DemoWeb, values
from ghost.events import ResearchEnded, ResearchEvent, ResearchStarted
from ghost.records import MemoryStore, NewCoverage, NewFact, text_key, utc_now
from ghost.research import Researcher, question_key, topic_key
from ghost.types import Coverage, GateDecision, NewPassage, Origin, Research, ResearchPlan
from ghost.workbench import Workbench, build


@pytest.fixture(scope="module")
def web() -> Iterator[DemoWeb]:
    with DemoWeb() as running:
        yield running


@pytest.fixture(scope="module")
def bench(web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with build(Settings(**values(web, tmp_path_factory.mktemp("demo"))), judge="embedded") as workbench:
        yield workbench


@pytest.fixture(scope="module")
def offline(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with build(Settings(data_dir=tmp_path_factory.mktemp("offline")), judge="embedded", web=False) as workbench:
        yield workbench


Fill = Callable[..., Coverage]


@pytest.fixture
def fill(offline: Workbench) -> Fill:
    """Puts a question with its evidence into memory, as a research would."""

    def filled(topic: str, question: str, text: str = "", url: str = "https://press.test/page") -> Coverage:
        text = text or f"This is what a page says about it, namely this: {topic}, {question}"
        (added,) = offline.knowledge.add([NewPassage(text, url, "A page", Origin.WEB, retrieved_at=utc_now())]).outcomes
        assert added.passage_id, added.reason
        fact = NewFact(text, added.passage_id, url, "A page")
        keys = text_key(topic_key(topic)), text_key(question_key(question))
        kept = NewCoverage(topic, question, *keys, "earlier", (fact,), (), 3, 4)
        covered = MemoryStore(offline.knowledge.database).remember(kept)
        assert covered
        return covered

    return filled


def decided(researcher: Researcher, topic: str, *questions: str, skill: str = "") -> Sequence[GateDecision]:
    """What the gate says of these questions."""
    return researcher.plan(topic, questions=questions, skill=skill).decisions


def carried_out(researcher: Researcher, plan: ResearchPlan, **options: object) -> tuple[list[ResearchEvent], Research]:
    """The events of a research to its end, and its record."""
    events = list(researcher.run(plan, **options))  # type: ignore[arg-type]
    assert isinstance(events[0], ResearchStarted)
    assert isinstance(events[-1], ResearchEnded)
    found = researcher.get(events[0].research_id)
    assert found
    return events, found


def folder_of(bench: Workbench) -> Path:
    return bench.settings.data_dir
