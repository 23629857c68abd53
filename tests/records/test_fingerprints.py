"""Our own conclusions are known again, wherever they come back from; what they quote is not ours."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import delete, func, select

from ghost.events import RunStarted, VerdictReached
from ghost.judges.embedded.judge import sentence
from ghost.records import Database, RunStore, meta, remember_earlier_explanations, repeated_explanations
from ghost.records.fingerprints import HOLDERS
from ghost.records.tables.runs import explanation_shingles
from ghost.testing import SUPPORTING, passage
from ghost.types import Citation, Claim, Evidence, JudgeInfo, Label, StanceLabel, Statement, Verdict

CLAIM = "The harbour bridge closes on 3 May."
SOURCE = "The council has voted to close the harbour bridge from 3 May so that its cables can be replaced."
OURS = (
    f"[1] The Herald says “{SOURCE.rstrip('.')}”, which supports the claim. Taken together, both accounts point the "
    "same way and nobody in the evidence at hand disputes the planned date or the stated purpose of the works."
)
JUDGE = JudgeInfo("embedded", "m")


def run(store: RunStore, identity: str, explanation: str = OURS, claim: str = CLAIM) -> None:
    store.apply(RunStarted(identity, Claim(claim), datetime.now(UTC), JUDGE, {}))
    cited = (Citation(1, "p_1", SOURCE, StanceLabel.SUPPORTS, True, ""),)
    store.apply(VerdictReached(Verdict(Label.TRUE, 0.9, explanation, cited), JUDGE))


def repeated(database: Database, *texts: str) -> list[str]:
    with database.read() as connection:
        return repeated_explanations(connection, texts)


def rows(database: Database) -> int:
    with database.read() as connection:
        return connection.execute(select(func.count()).select_from(explanation_shingles)).scalar_one()


@pytest.mark.parametrize(
    "text",
    [
        OURS,
        OURS.upper().replace("“", '"').replace("”", '"'),
        OURS.split("claim. ")[1],
        "A site writes: " + OURS.split("claim. ")[1].replace("nobody", "no one"),
    ],
    ids=["whole", "other marks", "one sentence", "edited"],
)
def test_repetitions(database: Database, text: str) -> None:
    run(RunStore(database), "r1")
    assert repeated(database, text) == ["r1"]


@pytest.mark.parametrize(
    "text",
    [
        SOURCE,
        CLAIM,
        f"The Herald: “{SOURCE}”",
        f"{CLAIM} {SOURCE}",
        "Nobody knows when the bridge will open again, and the ferries are full.",
        "",
    ],
)
def test_what_an_explanation_only_quotes_is_not_ours(database: Database, text: str) -> None:
    run(RunStore(database), "r1")
    assert repeated(database, text) == [""]


def test_the_frame_around_a_long_quotation_is_ours_without_the_number_too(database: Database) -> None:
    long = SOURCE.rstrip(".") + " before the storms of the next winter reach the coast and the ferries have to stop."
    store = RunStore(database)
    for n, stance in enumerate((StanceLabel.SUPPORTS, StanceLabel.REFUTES, StanceLabel.NEUTRAL)):
        e = Evidence(n + 1, 1, passage(long, "p_1"), SUPPORTING, 0.9, 0.5, 0.0, 0.9, 1, 1)
        said = sentence(e, stance, Statement(1, CLAIM), only_statement=True).text
        run(store, f"r{n}", said)
        bare = said.partition("] ")[2]
        assert repeated(database, bare, bare.partition(" says ")[2]) == [f"r{n}"] * 2
    assert repeated(database, long, f"The Herald says “{long}”", f"On Monday the Herald says “{long}”") == [""] * 3


def test_when_the_frame_is_common_what_joins_it_to_the_quotation_is_still_known(database: Database) -> None:
    store = RunStore(database)
    said = "[1] Paper {0} says “Town{0} has {0} wells and mayor{0} drinks of well{0}”, which supports the claim."
    texts = [said.format(n) for n in range(HOLDERS + 10)]
    for n, text in enumerate(texts):
        store.apply(RunStarted(f"r{n}", Claim(CLAIM), datetime.now(UTC), JUDGE, {}))
        store.apply(VerdictReached(Verdict(Label.TRUE, 0.9, text), JUDGE))
    assert repeated(database, *(text[4:] for text in texts)) == [f"r{n}" for n in range(len(texts))]


def test_runs_from_before_there_were_fingerprints_are_caught_up(database: Database) -> None:
    run(RunStore(database), "r1")
    before = rows(database)
    with database.write() as connection:
        connection.execute(delete(explanation_shingles))
        connection.execute(delete(meta).where(meta.c.key == "explanations"))
    assert repeated(database, OURS) == [""]
    assert remember_earlier_explanations(database) == 1
    assert rows(database) == before
    assert repeated(database, OURS) == ["r1"]
    assert remember_earlier_explanations(database) == 0
