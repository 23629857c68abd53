"""Near misses are counted by kind, and checked over their own passages or page alone."""

from bench.near_misses import NearMiss, figures, near_misses, read_near_misses
from bench.quality import terminal
from ghost.types import Label

OPEN = (Label.NOT_ENOUGH_EVIDENCE, Label.FALSE)


def row(name: str, *accept: Label) -> NearMiss:
    return NearMiss(name=name, kind=name.partition("-")[0], claim="A claim.", accept=accept, why="by hand")


def test_traps_that_are_taken_and_twins_that_are_settled_are_counted() -> None:
    rows = [row("a-1", *OPEN), row("a-2", *OPEN), row("a-3", Label.TRUE), row("b-1", Label.FALSE), row("c-1", *OPEN)]
    found = figures(rows, [Label.TRUE, Label.FALSE, Label.TRUE, Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE])
    assert found["all"] == {"traps": 3, "taken": 1, "twins": 2, "settled": 1}
    assert found["kinds"]["c"]["taken"] == 0, "what was not checked took no trap"
    assert found["kinds"]["b"] == {"traps": 0, "taken": 0, "twins": 1, "settled": 0}
    assert found["wrong"] == {"a-1": "True", "b-1": "Not Enough Evidence", "c-1": "Not Verifiable"}


def test_every_kind_has_a_trap_or_a_twin_and_every_row_something_to_read() -> None:
    rows = read_near_misses()
    assert len({r.name for r in rows}) == len(rows) > 150
    assert all(bool(r.html) != bool(r.passages) for r in rows)
    assert sum(r.trap for r in rows) < 0.7 * len(rows)


def test_a_claim_is_checked_over_its_own_passages() -> None:
    found = near_misses(limit=2)
    assert found["n"] == 2
    assert found["all"]["traps"] + found["all"]["twins"] == 2
    assert "taken" in terminal(found)
