"""``python -m ghost bench research``: how long the gate takes among many memories, and what the embedded models answer.

The memories are made up: one question with one fact each. The questions of the second part are about the starter
library; of some it has the answer, of the others only the subject.
"""

from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from bench.asking import THINGS, TOWNS
from bench.results import head, percentile, say
from bench.rows import Row, read_table
from config import PROJECT, load_settings
from ghost.events import QuestionResearched
from ghost.knowledge import pack
from ghost.records import MemoryStore, NewCoverage, NewFact, text_key
from ghost.research import Memory, question_key, topic_key
from ghost.types import GateState, MemoryMatch
from ghost.workbench import Workbench, build

QUESTIONS = PROJECT / "bench" / "data" / "research.jsonl"
GOAL = 0.3
"""Seconds at the median, for the questions of one plan and a warm workbench."""
EACH = 6
"""Questions of a plan: some that were asked before, some in other words, and some about the same thing only."""


class QuestionRow(Row):
    """A question, and words that stand in its answer; empty where the library does not answer it."""

    question: str
    answer: str = ""


def research(memories: int, plans: int, command: str = "") -> dict[str, Any]:
    """Seconds of the gate, what it found, and how questions to the starter library were answered."""
    table = read_table(QUESTIONS, QuestionRow)
    with TemporaryDirectory(prefix="ghost-research-") as folder:
        settings = load_settings().model_copy(update={"data_dir": Path(folder), "web": False})
        with build(settings, judge="embedded") as workbench:
            answered = _answered(workbench, [(row.question, row.answer) for row in table.rows])
            say(f"Making {memories:,} memories.")
            _fill(workbench, memories)
            begun = perf_counter()
            _gate(workbench, 0)  # reads all vectors
            first = perf_counter() - begun
            gates = [_gate(workbench, n) for n in range(1, plans + 1)]
            models = workbench.models
    times = [seconds for seconds, _ in gates]
    found = [kind for _, kinds in gates for kind in kinds]
    return {
        **head("research", command, settings, models=models),
        "memories": memories,
        "plans": plans,
        "gate_first_seconds": round(first, 3),
        "gate_seconds_50": round(percentile(times, 50), 3),
        "gate_seconds_95": round(percentile(times, 95), 3),
        "exact": found.count(MemoryMatch.EXACT),
        "match": found.count(MemoryMatch.MATCH),
        "none": found.count(MemoryMatch.NONE),
        "goal": GOAL,
        "goal_met": percentile(times, 50) < GOAL,
        "questions": len(table.rows),
        "answered": answered,
    }


def _answered(workbench: Workbench, questions: list[tuple[str, str]]) -> dict[str, int]:
    """How many answers are right, beside the point, or missing, and how many questions rightly stay open."""
    counts = {"right": 0, "right_among_others": 0, "beside_the_point": 0, "missed": 0, "rightly_open": 0, "wrongly": 0}
    for question, words in questions:
        plan = workbench.research.plan(question, questions=[question], web=False)
        (answer,) = (e.answer for e in workbench.research.run(plan, web=False) if isinstance(e, QuestionResearched))
        first = answer.citations[0].quote if answer.citations else ""
        if not words:
            counts["wrongly" if answer.text else "rightly_open"] += 1
        elif words in first:
            counts["right"] += 1
        elif words in answer.text:
            counts["right_among_others"] += 1
        else:
            counts["beside_the_point" if answer.text else "missed"] += 1
    return counts


def _fill(workbench: Workbench, number: int) -> None:
    """One question with its fact for each thing of each town; the facts are those of one passage."""
    (passage,) = workbench.knowledge.list(limit=1)
    store = MemoryStore(workbench.knowledge.database)
    fact = NewFact(passage.text, passage.id, passage.source_url, passage.title)
    places = [(town, _question(thing, town)) for town in TOWNS for thing in THINGS][:number]
    vectors = workbench.knowledge.encode([question for _, question in places])
    encoder = workbench.tools.encoder
    assert encoder
    model = Memory(store, encoder).model
    for (town, question), vector in zip(places, vectors, strict=True):
        keys = text_key(topic_key(town)), text_key(question_key(question))
        store.remember(NewCoverage(town, question, *keys, "bench", (fact,), (), 3, 4, pack(vector), model))


def _gate(workbench: Workbench, n: int) -> tuple[float, list[MemoryMatch]]:
    """Seconds of the gate for one plan, and how each question was found."""
    town = TOWNS[n % len(TOWNS)]
    mine = [THINGS[(7 * n + 3 * k) % len(THINGS)] for k in range(EACH)]
    asked = [
        *(_question(thing, town) for thing in mine[:2]),
        *(f"When was the {thing} of {town} opened?" for thing in mine[2:4]),
        *(f"Why was the {thing} of {town} closed?" for thing in mine[4:]),
    ]
    plan = workbench.research.plan(town, questions=asked, web=False)
    assert all((d.state is GateState.SATISFIED) == bool(d.evidence) for d in plan.decisions)
    return next(s.seconds for s in plan.steps if s.name == "gate"), [
        d.found if d.evidence else MemoryMatch.NONE for d in plan.decisions
    ]


def _question(thing: str, town: str) -> str:
    return f"When did the {thing} of {town} open?"
