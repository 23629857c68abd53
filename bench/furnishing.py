"""A workbench as it is after a year of use, made up quickly: many passages, many runs, a batch, a case, reviews."""

import json
import random
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice
from typing import Any

import numpy as np
from sqlalchemy import bindparam, insert, select, update

from bench.corpus import claims, endless_passages
from config import UNKNOWN_CREDIBILITY, Settings
from ghost.events import RunStarted
from ghost.inference import Encoder, load_encoder
from ghost.knowledge import CredibilityBook, KnowledgeBase
from ghost.records import ItemState, NewBatch, NewItem, batch_items, run_steps, runs, uses
from ghost.types import Claim, Label, StanceLabel, Status
from ghost.workbench import MODELS, Workbench, build

VERIFIED = 12
"""Claims that are really verified; the other runs are copies of theirs, of other claims on other days."""
PER_RUN = 20
"""Passages that a run has weighed."""
ITEMS = 300
"""Claims of the batch."""
SENTENCES = 40
"""Sentences of the article, at most."""
WAITING, RETIRED = 0.02, 0.01
"""Shares of the passages that wait in quarantine and that are retired."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Furnished:
    """What there is, and what there is to look at."""

    passages: int
    runs: int
    run: str
    """Id of a run with a verdict; likewise the others."""
    other_run: str
    passage: str
    batch: str
    case: str
    words: str
    """A claim that a search can be made with."""
    article: str


class Hashed:
    """Passes for the real encoder and is many times as fast: how long a page takes does not depend on the vectors.

    Texts that share words are near each other.
    """

    def __init__(self, real: Encoder) -> None:
        self.name = real.name
        self.dimensions = real.dimensions
        self.checksum = real.checksum  # so that it takes the vectors for its own

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Unit vectors of the words of each text."""
        vectors = np.full((len(texts), self.dimensions), 1e-3, dtype=np.float32)
        for row, text in enumerate(texts):
            for word in text.lower().split():
                vectors[row, zlib.crc32(word.encode()) % self.dimensions] += 1.0
        return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def furnish(settings: Settings, count: int, run_count: int, seed: int, progress: Progress) -> Furnished:
    """Fill the data folder of these settings, which must be new; raises GhostError."""
    with build(settings, judge="embedded", web=False, progress=progress) as workbench:
        there = workbench.knowledge.stats().active
    if count > there:
        _add(settings, count - there, seed, progress)
    with build(settings, judge="embedded", web=False, progress=progress) as workbench:
        asked = claims(max(run_count, VERIFIED), seed)
        made = _runs(workbench, asked, run_count, seed, progress)
        return Furnished(
            passages=workbench.knowledge.stats().active,
            runs=workbench.runs.count(),
            run=made[0],
            other_run=made[1],
            passage=workbench.knowledge.list(limit=1)[0].id,
            batch=_batch(workbench, made, asked),
            case=_case(workbench, made),
            words=asked[0],
            article=workbench.list_article("\n".join(asked[:SENTENCES])).id,
        )


def _add(settings: Settings, count: int, seed: int, progress: Progress) -> None:
    """So many active passages, and some more that wait or are retired."""
    encoder = Hashed(load_encoder(settings.embedding_model, MODELS, settings.threads))
    book = CredibilityBook(settings.source_credibility, settings.fact_check_domains, UNKNOWN_CREDIBILITY)
    waiting, retired = int(count * WAITING), int(count * RETIRED)
    made = list(islice(endless_passages(seed), count + waiting + retired))
    made = [replace(p, status=Status.QUARANTINED) if n < waiting else p for n, p in enumerate(made)]
    with KnowledgeBase.open(settings.database_path, settings.chroma_path, "", encoder, book, progress) as knowledge:
        report = knowledge.add(made, progress)
        knowledge.retire(list(report.ids[waiting : waiting + retired]), "made up for a measurement")


def _runs(workbench: Workbench, asked: Sequence[str], count: int, seed: int, progress: Progress) -> list[str]:
    """Ids of so many runs, the first ones with a verdict and really made."""
    real = []
    for number, text in enumerate(asked[: min(VERIFIED, count)], start=1):
        real += [event.run_id for event in workbench.verify(Claim(text)) if isinstance(event, RunStarted)]
        progress("Verifying claims", number, min(VERIFIED, count))
    real.sort(key=lambda run_id: not (run := workbench.runs.get(run_id)) or run.verdict is None or not run.evidence)
    rng = random.Random(f"runs/{seed}")
    ids = [passage.id for passage in workbench.knowledge.list(limit=2_000)]
    database = workbench.knowledge.database
    with database.read() as connection:
        heads = [dict(row) for row in connection.execute(select(runs).where(runs.c.id.in_(real))).mappings()]
        steps = [
            dict(row) for row in connection.execute(select(run_steps).where(run_steps.c.run_id.in_(real))).mappings()
        ]
    copies = [_copy(rng.choice(heads), text, rng) for text in asked[len(real) : count]]
    of = {head["id"]: [step for step in steps if step["run_id"] == head["id"]] for head in heads}
    with database.write() as connection:
        for original, copy in copies:
            connection.execute(insert(runs), copy)
            if of[original]:
                connection.execute(insert(run_steps), [step | {"run_id": copy["id"]} for step in of[original]])
            connection.execute(insert(uses), [_use(copy, i, rng) for i in rng.sample(ids, min(PER_RUN, len(ids)))])
    return real + [copy["id"] for _, copy in copies]


def _copy(head: dict[str, Any], text: str, rng: random.Random) -> tuple[str, dict[str, Any]]:
    """The id of the run that was copied, and the run as it would have been with another claim on another day."""
    at = head["started_at"] - timedelta(hours=rng.randrange(1, 9_000))
    claim = json.dumps(json.loads(head["claim"]) | {"text": text})
    changed = {"id": f"{rng.getrandbits(128):032x}", "claim_text": text, "claim": claim}
    return head["id"], head | changed | {"started_at": at, "finished_at": at + timedelta(seconds=rng.uniform(0.2, 40))}


def _use(run: dict[str, Any], passage_id: str, rng: random.Random) -> dict[str, Any]:
    stance = rng.choice(list(StanceLabel)).value
    return {
        "run_id": run["id"], "passage_id": passage_id, "relevance": rng.random(), "stance": stance,
        "cited": rng.random() < 0.1, "at": run["finished_at"],
    }  # fmt: skip


def _batch(workbench: Workbench, made: Sequence[str], asked: Sequence[str]) -> str:
    """A batch of which a half is checked."""
    claims_in = asked[:ITEMS]
    batch_id = workbench.batches.create(
        NewBatch("Made up for a measurement", tuple(NewItem(n, text) for n, text in enumerate(claims_in, start=1)))
    )
    labels, rng = list(Label), random.Random(ITEMS)
    done = [
        {"item": number, "run": run_id, "kind": rng.choice(labels).value, "sure": rng.random()}
        for number, run_id in enumerate(made[: len(claims_in) // 2], start=1)
    ]
    table = batch_items
    change = (
        update(table)
        .where(table.c.batch_id == batch_id, table.c.position == bindparam("item"))
        .values(
            state=ItemState.DONE.value, run_id=bindparam("run"), label=bindparam("kind"),
            confidence=bindparam("sure"), seconds=1.0,
        )
    )  # fmt: skip
    if done:
        with workbench.knowledge.database.write() as connection:
            connection.execute(change, done)
    return batch_id


def _case(workbench: Workbench, made: Sequence[str]) -> str:
    """A case with a part of the runs, and what an analyst says of every tenth."""
    case = workbench.cases.create("Made up for a measurement")
    workbench.cases.add(case.id, made[:100])
    for run_id in made[::10]:
        run = workbench.runs.get(run_id)
        if run and run.verdict:
            workbench.reviews.override(run_id, Label.MISLEADING, "made up for a measurement")
    return case.id
