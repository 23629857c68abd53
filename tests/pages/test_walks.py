"""Whatever somebody does on the pages, in whatever order: no page breaks."""

import os
import zlib
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
import streamlit as st

from ghost.knowledge import KnowledgeBase
from ghost.records import NewBatch, NewItem
from ghost.testing import OFF_TOPIC, ON_TOPIC, REFUTING, SUPPORTING
from ghost.types import Claim, Label, NewPassage, Origin, RouteMode, RunStatus, Stance, Status
from ghost.ui.shared import resources
from ghost.workbench import Workbench
from tests.pages.benches import real_bench
from tests.pages.walks import Walk
from tests.records.kept import keep_run
from tests.ui.asking import decision, hostile_card, wall_card
from tests.ui.conversing import conversation_run, left_run
from tests.ui.researching import finished_research, hostile_research, keep_research, remember
from tests.ui.samples import (
    AT,
    HOSTILE,
    broken_run,
    contested_run,
    false_run,
    hostile_run,
    misleading_run,
    open_run,
    opinion_run,
    searched_run,
)

SEEDS, ACTIONS = (int(number) for number in os.environ.get("WALKS", "2x50").split("x"))
"""How many walks of how many actions; ``WALKS=20x500`` before a release."""
FIRST = int(os.environ.get("WALKS_FROM", "0"))
STANCES = (SUPPORTING, REFUTING, ON_TOPIC, OFF_TOPIC)


def _furnished(folder: Path) -> Workbench:
    """Real stores in this folder; what evidence says is drawn from the texts."""
    bench = real_bench(folder, _stance)
    _passages(bench.knowledge)
    _records(bench)
    return bench


def _ids(bench: Workbench) -> list[str]:
    """What links can lead to."""
    found = [run.id for run in bench.runs.list(100)] + [passage.id for passage in bench.knowledge.list(limit=100)]
    found += [card.id for card in bench.cards.browse()] + ["talk"]
    found += [research.id for research in bench.research.list()]
    return found + [case.id for case in bench.cases.list()] + [batch.id for batch in bench.batches.list()]


def _stance(passage: str, statement: str) -> Stance:
    return STANCES[zlib.crc32(f"{passage}/{statement}".encode()) % len(STANCES)]


def _passages(knowledge: KnowledgeBase) -> None:
    hosts = ("www.nasa.gov", "www.britannica.com", "kelp-blog.net", "example.org", "")
    sites = [f"https://{host}/wall/" if host else "" for host in hosts]
    knowledge.add(
        [
            NewPassage(
                f"The wall number {n} is {n * 7} metres long and cannot be seen from the Moon.",
                sites[n % 5] and f"{sites[n % 5]}{n}",
                f"Wall {n}" if n % 4 else HOSTILE,
                list(Origin)[n % len(Origin)],
                Status.QUARANTINED if n % 9 == 0 else Status.ACTIVE,
                topic=("space", "", "food")[n % 3],
                published_at=date(2000 + n % 26, 3, 1) if n % 2 else None,
                note="made up",
            )
            for n in range(60)
        ]
        + [NewPassage("Honey can keep for thousands of years when it is sealed.", "https://www.nasa.gov/honey")]
    )
    knowledge.retire([passage.id for passage in knowledge.list(limit=3)], "made up")


def _records(bench: Workbench) -> None:
    runs = (
        false_run(), hostile_run(), open_run(), opinion_run(), contested_run(), misleading_run(), searched_run(),
        broken_run(RunStatus.FAILED, HOSTILE),
    )  # fmt: skip
    for run in runs:
        keep_run(bench.knowledge.database, run)
    for research in (finished_research(), hostile_research()):
        keep_research(bench.knowledge.database, research)
    remember(bench, [passage.id for passage in bench.knowledge.list(limit=20)])
    for run in (conversation_run(words=HOSTILE), left_run(why=HOSTILE)):
        keep_run(bench.knowledge.database, run)
    for text in ("The wall number 5 is 35 metres long.", "Honey keeps for 3,000 years."):
        for _ in bench.verify(Claim(text)):
            pass
    cards = bench.cards.store.add_many(
        [(card, ()) for card in (wall_card(), hostile_card(), wall_card(claim="Old", expires_at=AT))]
    )
    for number, mode in enumerate(RouteMode):
        bench.asking.decisions.add(decision(number, mode, cards=(cards[0].id,), run_id=runs[0].id, answer=HOSTILE))
    bench.reviews.override(runs[0].id, Label.TRUE, "It is wrong.")
    case = bench.cases.create("Walls", HOSTILE)
    bench.cases.add(case.id, [runs[0].id])
    bench.batches.create(
        NewBatch("A list", (NewItem(1, "Honey keeps."), NewItem(2, HOSTILE), NewItem(3, "", refused="It is empty.")))
    )
    bench.ratings.rate("kelp-blog.net", 0.2, "It sells kelp.")


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    st.cache_resource.clear()
    st.cache_data.clear()
    made = _furnished(tmp_path)
    monkeypatch.setattr(resources, "open_workbench", lambda: made)
    yield made
    resources.close(resources.opened())
    st.cache_resource.clear()
    st.cache_data.clear()


@pytest.mark.parametrize("seed", range(FIRST, FIRST + SEEDS))
def test_no_page_breaks_whatever_is_done(bench: Workbench, seed: int) -> None:
    walk = Walk(seed, _ids(bench))
    for number in range(ACTIONS):
        try:
            at = walk.step()
        except Exception as error:
            error.add_note(f"seed {seed}, action {number}, before: " + "\n".join(walk.done))
            raise
        if at.exception:
            wrong = "\n".join(f"{e.message}\n{e.stack_trace}" for e in at.exception)
            pytest.fail(f"seed {seed}, action {number}:\n{wrong}\nbefore: " + "\n".join(walk.done))
