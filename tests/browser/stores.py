"""``app.py`` over real stores without weights, empty or full of hostile words: ``python -m tests.browser.stores``."""

import sys
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import streamlit as st

from config import PROJECT
from ghost.knowledge import Use
from ghost.records import NewBatch, NewItem
from ghost.types import ErrorKind, Label, NewPassage, Origin, Research, RouteMode, RunStatus, StanceLabel, Status
from ghost.ui.shared import resources
from ghost.workbench import Workbench
from tests.browser.scripted import serve
from tests.pages.benches import real_bench
from tests.records.kept import keep_run
from tests.ui import conversing, researching, samples
from tests.ui.asking import decision, hostile_card, wall_card
from tests.ui.samples import AT, HOSTILE

CASE, BATCH, ARTICLE, PASSAGE, CARD = "case.txt", "batch.txt", "article.txt", "passage.txt", "card.txt"
"""Files in the data folder with the ids of what was made."""
SKILLS = "skills:\n  - name: mine\n    title: Mine\n    description: Of my own.\n    policy: {freshness_days: soon}\n"
"""A file that cannot be used, in its fifth line."""
ARTICLE_TEXT = f"<img src=x onerror=alert(1)> shut\nThe bridge was closed on Monday. {HOSTILE} was built in 1931.\n"


def fill(bench: Workbench, folder: Path) -> None:
    """A bit of everything, with markup in every text that can come from outside."""
    _passages(bench, folder)
    _runs(bench)
    (folder / CARD).write_text(_asked(bench))
    case = bench.cases.create(HOSTILE[:80], HOSTILE)
    bench.cases.add(case.id, [run.id for run in bench.runs.browse()])
    (folder / CASE).write_text(case.id)
    (folder / BATCH).write_text(_batch(bench))
    for research in (researching.finished_research(), researching.hostile_research(), unfinished()):
        researching.keep_research(bench.knowledge.database, research)
    passages = [passage.id for passage in bench.knowledge.list(limit=6)]
    researching.remember(bench, passages[:3], topic=HOSTILE[:200], question=HOSTILE, title=HOSTILE)
    researching.remember(bench, passages[3:])
    bench.knowledge.retire(passages[2:4], HOSTILE)
    bench.research.skills.path.write_text(SKILLS, encoding="utf-8")
    (folder / ARTICLE).write_text(bench.list_article(ARTICLE_TEXT).id)


def unfinished() -> Research:
    """One that was stopped after two of its answers."""
    return researching.finished_research(
        "3" * 32, status=RunStatus.CANCELLED, answers=researching.ANSWERS[:2], steps=researching.research_steps()[:6]
    )


def _passages(bench: Workbench, folder: Path) -> None:
    knowledge = bench.knowledge
    said = knowledge.add(
        [
            *(NewPassage(f"{HOSTILE} It is the passage with the number {n} of some, in {1990 + n}.",
                         f"https://example.org/{n}", HOSTILE, publisher=HOSTILE[:60], topic=HOSTILE[:60],
                         published_at=date(1990 + n, 1, 2), note=HOSTILE) for n in range(24)),
            *(NewPassage(f"{HOSTILE} It waits for a decision, as the {n} others do.", f"https://example.org/wait/{n}",
                         HOSTILE, origin=Origin.IMPORT, status=Status.QUARANTINED, note=HOSTILE) for n in range(2)),
            NewPassage("The Moon orbits the Earth once in about 27 days, as seen from the stars.",
                       "https://www.nasa.gov/moon", "The Moon", topic="space", origin=Origin.SEED),
            NewPassage("The sea level rose by a few centimetres in the last ten years.", "https://www.reuters.com/sea",
                       "The sea", topic="climate", origin=Origin.WEB, published_at=date(2020, 5, 1)),
        ]
    )  # fmt: skip
    # Admission is suspicious of such texts, and right; the analyst lets all but four of them in.
    knowledge.curation.restore(said.ids[:22], HOSTILE)
    knowledge.curation.retire([said.ids[1]], HOSTILE)
    knowledge.record_use("f" * 32, [Use(said.ids[0], 0.9, StanceLabel.REFUTES, True)])
    (folder / PASSAGE).write_text(said.ids[0])


def _runs(bench: Workbench) -> None:
    made = (
        samples.false_run(),
        samples.opinion_run(),
        samples.open_run(),
        samples.contested_run(),
        samples.misleading_run(),
        samples.searched_run(title=HOSTILE),
        samples.broken_run(RunStatus.FAILED, HOSTILE),
        samples.hostile_run(),
        conversing.conversation_run(words=HOSTILE),
        conversing.left_run(why=HOSTILE),
    )
    for run in made:
        keep_run(bench.knowledge.database, run)
    for run_id in ("f" * 32, "e" * 32):
        bench.reviews.override(run_id, Label.TRUE, HOSTILE)
        bench.reviews.report_error(run_id, next(iter(ErrorKind)), HOSTILE)


def _asked(bench: Workbench) -> str:
    """Cards of every state and a conversation of every mode, on two days; returns the id of a card."""
    store = bench.cards.store
    hostile, wall, old, gone = store.add_many([
        (hostile_card(), ()), (wall_card(run_id="f" * 32), ()),
        (wall_card(claim="Zebras are spotted", expires_at=AT), ()),
        (wall_card(claim="Bees sleep at night", approved_at=AT), ()),
    ])  # fmt: skip
    store.retire(gone.id, note=HOSTILE)
    bench.cards.edit(hostile.id, limitations=f"{HOSTILE} {HOSTILE}", note=HOSTILE)
    seen = replace(decision().candidates[0], card_id=hostile.id, claim=HOSTILE)
    for number, (mode, cards, run_id) in enumerate((
        (RouteMode.EXACT, (wall.id,), ""), (RouteMode.CONTEXTUAL, (hostile.id, wall.id, old.id), ""),
        (RouteMode.NOVEL, (), "f" * 32), (RouteMode.NOVEL, (), "a" * 32), (RouteMode.EXACT, (hostile.id,), ""),
    )):  # fmt: skip
        made = decision(number, mode, cards=cards, candidates=(seen, *decision().candidates), run_id=run_id)
        made = replace(made, question=HOSTILE, reasoning=HOSTILE, answer=f"{HOSTILE} [1] [2].", wrong=number == 4)
        bench.asking.decisions.add(replace(made, created_at=made.created_at + timedelta(days=number // 2)))
    return hostile.id


def _batch(bench: Workbench) -> str:
    items = (
        NewItem(1, HOSTILE, HOSTILE, "https://example.org/x", (HOSTILE, HOSTILE)),
        NewItem(2, f"{HOSTILE} again", cells=(HOSTILE, HOSTILE)),
        NewItem(3, HOSTILE, cells=(HOSTILE, HOSTILE), refused=HOSTILE),
        NewItem(4, "The Moon orbits the Earth", cells=("The Moon orbits the Earth", "")),
    )
    new = NewBatch(HOSTILE[:80], items, f"{HOSTILE[:40]}.csv", ("claim", HOSTILE), (HOSTILE,), date(2024, 1, 2), False)
    batch = bench.batches.create(new)
    bench.batch_queue.begin(batch)
    for outcome in ("done", "failed"):
        item = bench.batch_queue.next(batch)
        assert item
        if outcome == "done":
            bench.batch_queue.done(item, Label.FALSE, 0.9, timedelta(seconds=1).total_seconds())
        else:
            bench.batch_queue.failed(item, HOSTILE, "", 1.0)
    bench.batch_queue.pause(batch, HOSTILE)
    return batch


if __name__ == "__main__":
    port, folder, filled = int(sys.argv[1]), Path(sys.argv[2]), sys.argv[3] == "filled"
    st.cache_resource.clear()

    def opened() -> Workbench:
        bench = real_bench(folder)
        bench.get_ready()
        if filled:
            fill(bench, folder)
        return bench

    bench = opened()  # before the first visit, so that a test knows what is there
    resources.open_workbench = lambda: bench
    serve(PROJECT / "app.py", port)
