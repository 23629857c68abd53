"""Within one research a page is fetched once, and weighed again for each later question."""

from ghost.demo_web import DemoWeb
from ghost.types import Research, RunStatus
from ghost.workbench import Workbench
from tests.research.conftest import carried_out

TOPIC = "Saltgate Bridge"
QUESTIONS = [
    "When was the Saltgate Bridge opened again?",
    "When did the Saltgate Bridge open again?",
    "What do the taxi drivers of Port Ansel say about the Saltgate Bridge?",
]


def searched(found: Research) -> list[dict[str, object]]:
    """What the web phase of each question came to."""
    return [s.outputs for s in found.steps if s.name == "web"]


def test_what_was_read_answers_the_next_question(bench: Workbench, web: DemoWeb) -> None:
    plan = bench.research.plan(TOPIC, questions=QUESTIONS)
    _, found = carried_out(bench.research, plan)
    assert found.status is RunStatus.FINISHED
    first, second, third = searched(found)
    assert first["fetches"]
    assert not first["weighed_again"]
    assert (second["searches"], second["fetches"], second["pages"]) == (0, 0, [])
    assert second["reused"]
    assert second["weighed_again"] == len(first["pages"])  # type: ignore[arg-type]
    fetched = [page["url"] for outputs in (first, second, third) for page in outputs["pages"]]  # type: ignore[attr-defined]
    assert len(set(fetched)) == len(fetched), "each page once"
    step = [s for s in found.steps if s.name == "web"][1]
    assert "read before" in step.reason
    assert "the web was not asked" in step.reason


def test_an_answer_from_pages_read_before_is_remembered_as_any_other(bench: Workbench) -> None:
    _, found = carried_out(bench.research, bench.research.plan("The bridge of Port Ansel", questions=QUESTIONS[:2]))
    answer = found.answers[1]
    assert answer.text
    assert not answer.from_memory
    facts = {f.passage_id for f in bench.research.facts(QUESTIONS[1])}
    assert {c.passage_id for c in answer.citations} <= facts
    episodes = [e for e in bench.research.episodes("The bridge of Port Ansel") if e.research_id == found.id]
    assert len({e.url for e in episodes}) == len(episodes), "one for each page"
    assert sum(e.facts for e in episodes) >= len(
        facts & {f.passage_id for f in bench.research.facts() if f.research_id == found.id}
    )
