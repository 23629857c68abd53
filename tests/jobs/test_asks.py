"""Questions outside the page: what a snapshot shows while they are answered, their turn, stopping, and failing."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from config import Settings
from ghost.errors import ClaimError, StoreError
from ghost.jobs import Asker, AskView
from ghost.types import RouteMode, RunStatus
from tests.jobs.conftest import wait_for
from tests.ui.asking import wall_card
from tests.ui.bench import ScriptedBench
from tests.ui.samples import AT

NEW = "Can the Great Wall be heard from the Moon?"
Make = Callable[..., tuple[ScriptedBench, Asker]]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Makes a bench and its asker; both are closed at the end of the test."""
    made: list[tuple[ScriptedBench, Asker]] = []

    def build(**script: Any) -> tuple[ScriptedBench, Asker]:
        bench = ScriptedBench(Settings(data_dir=tmp_path), **script)
        made.append((bench, Asker(bench.asking)))
        return made[-1]

    yield build
    for bench, asker in made:
        asker.close()
        bench.close()


def ended(view: AskView) -> bool:
    return view.ended


def at_the_gate(view: AskView) -> bool:
    return bool(view.run and view.run.step == "sufficiency")


def test_a_card_answers_at_once(make: Make) -> None:
    bench, asker = make()
    card = bench.cards.add(wall_card())
    view = wait_for(asker, asker.start(card.claim, "talk"), ended)
    assert (view.question, view.conversation_id, view.cards) == (card.claim, "talk", (card,))
    assert (view.sentences, view.run, view.doing, view.error) == ((card.answer,), None, "", "")
    assert view.decision == bench.asking.decisions.get(view.decision.id)
    assert (view.decision.mode, view.decision.answer) == (RouteMode.EXACT, card.answer)


def test_a_new_check_is_watched_to_its_end(make: Make) -> None:
    bench, asker = make(stops_before="sufficiency")
    earlier = bench.cards.add(wall_card(claim=NEW, expires_at=AT))
    ask_id = asker.start(NEW)
    view = wait_for(asker, ask_id, at_the_gate)
    assert (view.decision.mode, view.earlier, view.doing) == (RouteMode.NOVEL, earlier, "Verifying a new claim…")
    assert "expired" in view.decision.reasoning
    assert [step.name for step in view.run.steps] == ["classify", "retrieve", "rerank"]
    assert not view.ended
    bench.gate.set()
    now = wait_for(asker, ask_id, ended)
    assert (now.run.run_id, now.run.status) == (now.decision.run_id, RunStatus.FINISHED)
    assert now.run.verdict
    assert (now.sentences, now.error, now.cancelled) == ((), "", False)
    assert not view.ended, "a view never changes"
    assert asker.snapshot("unknown") is None


def test_a_check_is_stopped_within_a_second(make: Make) -> None:
    bench, asker = make(stops_before="sufficiency")
    ask_id = asker.start(NEW)
    wait_for(asker, ask_id, at_the_gate)
    asker.cancel(ask_id)
    assert asker.snapshot(ask_id).cancelling
    view = wait_for(asker, ask_id, ended, seconds=1.0)
    assert (view.cancelled, view.error, view.run.status) == (True, "", RunStatus.CANCELLED)
    assert bench.asking.decisions.get(view.decision.id) == view.decision
    asker.cancel(ask_id)
    asker.cancel("unknown")
    assert asker.snapshot(ask_id) == view


def test_two_are_answered_side_by_side_and_the_others_in_their_order(make: Make) -> None:
    bench, asker = make(stops_before="sufficiency")
    card = bench.cards.add(wall_card())
    running = [asker.start(f"{NEW} {n}") for n in range(2)]
    for ask_id in running:
        wait_for(asker, ask_id, at_the_gate)
    waiting = [asker.start(card.claim, f"talk {n}") for n in range(4)]
    for ask_id in waiting:
        wait_for(asker, ask_id, lambda view: view.doing == "Waiting for other questions…")
    asker.cancel(waiting[1])
    stopped = wait_for(asker, waiting[1], ended, seconds=1.0)
    assert (stopped.cancelled, stopped.decision) == (True, None), "it need not wait for its turn to be stopped"
    assert not any(asker.snapshot(ask_id).ended for ask_id in (*running, waiting[0], waiting[2], waiting[3]))
    asker.cancel(running[0])
    for ask_id in (waiting[0], waiting[2], waiting[3]):
        assert wait_for(asker, ask_id, ended).sentences == (card.answer,)
    made = bench.asking.decisions.browse()
    assert [d.conversation_id for d in made[:3]] == ["talk 3", "talk 2", "talk 0"], "newest first"
    assert not asker.snapshot(running[1]).ended


def test_closing_stops_what_runs_and_what_waits(make: Make) -> None:
    _, asker = make(stops_before="sufficiency")
    asked = [asker.start(f"{NEW} {n}") for n in range(3)]
    for ask_id in asked[:2]:
        wait_for(asker, ask_id, at_the_gate)
    asker.close()
    assert all(wait_for(asker, ask_id, ended, seconds=1.0).cancelled for ask_id in asked)


def test_a_failure_is_told_and_gives_its_place_back(make: Make) -> None:
    bench, asker = make(stops_before="sufficiency", fails=StoreError("The disk is full."))
    bench.gate.set()
    for _ in range(3):
        view = wait_for(asker, asker.start(NEW), ended)
        assert (view.error, view.cancelled, view.decision.mode) == ("The disk is full.", False, RouteMode.NOVEL)
    broken, asker = make(stops_before="verdict", fails=RuntimeError("https://me:secret@a.example failed"))
    broken.gate.set()
    view = wait_for(asker, asker.start(NEW), ended)
    assert view.error.startswith("Unexpected RuntimeError")
    assert "secret" not in view.error


@pytest.mark.parametrize("question", ["", " \x00 ", "x" * 2_001])
def test_an_unusable_question_is_refused_at_once(make: Make, question: str) -> None:
    with pytest.raises(ClaimError):
        make()[1].start(question)


def test_only_the_last_answered_questions_stay_in_memory(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    bench, asker = make()
    card = bench.cards.add(replace(wall_card(), answer="No."))
    asked = []
    for _ in range(70):
        asked.append(asker.start(card.claim))
        wait_for(asker, asked[-1], ended)
    assert [asker.snapshot(ask_id) is None for ask_id in (asked[0], asked[4], asked[5], asked[-1])] == [
        True, True, False, False,
    ]  # fmt: skip
    assert bench.asking.decisions.count() == 70
