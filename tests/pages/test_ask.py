"""The Ask page: a conversation answered from cards and by new checks, and every way in which an answer can fail."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from config import Settings
from ghost.errors import StoreError
from ghost.types import Label, Relation, RouteMode, RunStatus
from ghost.ui.ask import EXAMPLES
from tests.pages.sections import Page, assert_plain, at_address, keys, page
from tests.pages.visits import Patch, Use, click, finish, shown
from tests.ui.asking import decision, hostile_card, wall_card
from tests.ui.bench import ScriptedBench
from tests.ui.samples import AT, HOSTILE, broken_run, false_run

__all__ = ["page"]
NEW = "Can the Great Wall be heard from the Moon?"
FALSE, TRUE = "**:red[:material/cancel: False]**", "**:green[:material/check_circle: True]**"
OURS = r"\]\(<https://[\w./%-]+>\)"


def ask(at: AppTest, question: str) -> AppTest:
    """Type a question and send it."""
    at.chat_input(key="ask_input").set_value(question).run()
    assert not at.exception
    return at


def answered(at: AppTest) -> AppTest:
    """Wait for the end of the answer."""
    finish(at, "ask_cancel")
    assert not at.exception
    return at


def until(at: AppTest, words: str) -> str:
    """Run the page, as its timer does, until these words are on it."""
    for _ in range(500):
        if words in (found := shown(at.run())):
            return found
    raise AssertionError(shown(at))


def turns(at: AppTest) -> list[str]:
    """Who speaks: the names of the messages in their order."""
    return [message.name for message in at.chat_message]


def test_the_empty_page_offers_examples_and_recent_conversations(page: Page, bench: ScriptedBench) -> None:
    at = page("ask")
    words = shown(at)
    assert [title.value for title in at.title] == ["Ask"]
    assert all(example in words for example in EXAMPLES)
    assert "Embedded judge: nothing you type leaves this machine." in words
    assert "RECENT CONVERSATIONS" not in words
    for number, talk in enumerate(("one", "two", "two")):
        bench.asking.decisions.add(decision(number, conversation_id=talk))
    words = shown(at.run())
    assert words.index("Question 1? :gray[· 2 questions]") < words.index("Question 0? :gray[· 1 question]")
    click(at, "ask_recent_two")
    assert at.query_params["conversation"] == "two"
    assert turns(at) == ["user", "assistant"] * 2
    click(at, "ask_new")
    assert "conversation" not in at.query_params
    click(at, "ask_example_1")
    assert EXAMPLES[1] in shown(answered(at))
    assert bench.asking.decisions.count() == 4


def test_a_card_answers_exactly_this_question(page: Page, bench: ScriptedBench) -> None:
    card = bench.cards.add(wall_card(run_id="f" * 32))
    at = answered(ask(page("ask"), f"{card.claim}?"))
    words = shown(at)
    for text in (
        "Answered before", "A card answers exactly this question.", FALSE, card.answer,
        f"Claim:]]  \n**{card.claim}**", "Checked here on 21 Nov 2025", "High confidence (93%)",
        "Only for the unaided eye.",
        "A photograph that shows it.", "> The Great Wall of China cannot be seen from the Moon",
    ):  # fmt: skip
        assert text in words, text
    assert "by the claim match in" in words
    assert "Same] 99%" in at.table[0].value.to_string()
    assert not bench.runs.kept, "nothing was checked"
    assert at.query_params["conversation"]
    (kept,) = bench.asking.decisions.browse()
    assert (kept.mode, kept.cards, kept.answer) == (RouteMode.EXACT, (card.id,), card.answer)


def test_a_question_about_an_answer_is_reasoned_from_its_card(page: Page, bench: ScriptedBench) -> None:
    card = bench.cards.add(wall_card())
    at = answered(ask(page("ask"), card.claim))
    answered(ask(at, "What are your sources?"))
    words = shown(at)
    assert "From earlier answers" in words
    assert "not audited as a whole" in words
    assert f"The answer rests on: {card.citations[0].title} (nasa.gov). [1]" in words
    assert f"**[1]** :small[:gray[Claim:]]  \n**{card.claim}**" in words, "the number of the answer stands on its card"
    answered(ask(at, "How sure are you?"))
    assert "Of 100 verdicts like this one, 93 were right." in shown(at)
    assert turns(at) == ["user", "assistant"] * 3


def test_the_opposite_of_an_answer_is_not_its_answer(page: Page, bench: ScriptedBench) -> None:
    card = bench.cards.add(wall_card())
    question = "The Great Wall cannot be seen from the Moon"
    bench.matcher.says[question, card.claim] = Relation.OPPOSITE
    at = answered(ask(page("ask"), question))
    words = shown(at)
    assert "From earlier answers" in words
    assert f"An earlier check found the claim “{card.claim}” False" in words
    assert (
        "Opposite" in page("ask", conversation=bench.asking.decisions.conversations()[0].id).table[0].value.to_string()
    )


def test_a_new_claim_is_checked_step_by_step(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), stops_before="sufficiency")
    stale = bench.cards.add(wall_card(claim=NEW, expires_at=AT))
    at = at_address(use(bench).switch_page("pages/ask.py"))
    ask(at, NEW)
    words = until(at, "Would this settle the claim?")
    for text in (
        "Newly checked", "Verifying a new claim…", "**Understand the claim**", "Cancel",
        "Checked here on 21 Nov 2025, not reviewed: :red[:material/cancel: False]. Checking again.",
    ):  # fmt: skip
        assert text in words, text
    assert at.chat_input(key="ask_input").disabled
    click(at, "ask_new")
    assert not at.chat_input(key="ask_input").disabled, "another conversation is not held up"
    at_address(at, conversation=bench.asking.decisions.conversations()[0].id)
    assert at.chat_input(key="ask_input").disabled
    bench.gate.set()
    words = shown(answered(at))
    for text in (FALSE, "NASA says", "It was answered before, and that answer is expired."):
        assert text in words, text
    assert "Ask again" not in words
    assert not at.chat_input(key="ask_input").disabled
    assert bench.cards.get(stale.id) == stale
    (run,) = bench.runs.kept.values()
    assert [link.proto.query_string for link in at.get("page_link")] == [f"run={run.id}"]


def test_a_check_is_cancelled_and_asked_again(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), stops_before="sufficiency")
    at = at_address(use(bench).switch_page("pages/ask.py"))
    ask(at, NEW)
    until(at, "Would this settle the claim?")
    click(at, "ask_cancel")
    words = shown(answered(at))
    assert "Cancelled" in words
    (first,) = bench.asking.decisions.browse()
    assert keys(at, "ask_again") == [f"ask_again_{first.id}"]
    bench.gate.set()
    words = shown(answered(click(at, f"ask_again_{first.id}")))
    assert "You asked for a new check." in words
    assert FALSE in words
    assert turns(at) == ["user", "assistant"] * 2


def test_a_question_that_is_stopped_before_it_is_routed(page: Page, bench: ScriptedBench, monkeypatch: Patch) -> None:
    waits: list[Callable[[], bool]] = []
    verify = bench.asking.ask

    def slow(question: str, *rest: Any, cancelled: Callable[[], bool], **more: Any) -> Any:
        def events() -> Any:
            waits.append(cancelled)
            while not cancelled():
                pass
            yield from verify(question, *rest, cancelled=cancelled, **more)

        return events()

    asking = bench.asking
    monkeypatch.setattr(asking, "ask", slow)
    monkeypatch.setattr(ScriptedBench, "asking", asking)
    at = ask(page("ask"), NEW)
    click(at, "ask_cancel")
    words = shown(answered(at))
    assert "Stopped, as you asked." in words
    assert NEW in words
    monkeypatch.setattr(asking, "ask", verify)
    assert FALSE in shown(answered(click(at, "ask_again")))


@pytest.mark.parametrize("kind", ["store", "judge"])
def test_a_check_that_fails_says_why_and_can_be_asked_again(use: Use, tmp_path: Path, kind: str) -> None:
    if kind == "store":
        bench = ScriptedBench(Settings(data_dir=tmp_path), stops_before="verdict", fails=StoreError(f"Full: {HOSTILE}"))
        bench.gate.set()
        words = ("There is no answer. Full: ", "The check of this question was not stored")
    else:
        bench = ScriptedBench(Settings(data_dir=tmp_path), script=broken_run(RunStatus.FAILED, "x"))
        words = ("Failed", f"No judge answered: {HOSTILE[:20]}")
    at = at_address(use(bench).switch_page("pages/ask.py"))
    answered(ask(at, NEW))
    if kind == "judge":  # the script ends its runs well; what a judge's failure leaves is this
        (run,) = bench.runs.kept.values()
        bench.runs.kept[run.id] = replace(run, status=RunStatus.FAILED, error=f"No judge answered: {HOSTILE}")
        at.run()
    for text in words:
        assert text in shown(at), text
    assert_plain(at, OURS)
    assert len(keys(at, "ask_again_")) == 1
    assert at.chat_input(key="ask_input").disabled is False
    click(at, keys(at, "ask_again_")[0])
    assert len(turns(answered(at))) >= 4


def test_a_store_that_cannot_be_read_is_told(page: Page, bench: ScriptedBench, monkeypatch: Patch) -> None:
    at = page("ask")
    asking = bench.asking

    def broken(*_: object) -> None:
        raise StoreError("The disk cannot be read.")

    monkeypatch.setattr(asking, "conversation", broken)
    monkeypatch.setattr(ScriptedBench, "asking", asking)
    assert "The disk cannot be read." in shown(at.run())
    assert "The disk cannot be read." in shown(ask(at, NEW))
    monkeypatch.undo()


def test_not_what_was_asked_makes_the_card_stricter_and_checks_anew(page: Page, bench: ScriptedBench) -> None:
    card = bench.cards.add(wall_card())
    at = answered(ask(page("ask"), card.claim))
    (first,) = bench.asking.decisions.browse()
    click(at, f"ask_wrong_{first.id}")
    words = shown(answered(at))
    for text in ("You said that this is not what you asked.", "The card now answers only", FALSE, "Undo"):
        assert text in words, text
    assert bench.asking.decisions.get(first.id).wrong
    assert bench.cards.get(card.id).margin > 0
    assert f"ask_wrong_{first.id}" not in keys(at, "ask_wrong_")
    assert [d.mode for d in bench.asking.decisions.browse()] == [RouteMode.NOVEL, RouteMode.EXACT]
    words = shown(click(at, "ask_undo"))
    assert "Undone." in words
    assert "You said that" not in words
    assert (bench.asking.decisions.get(first.id).wrong, bench.cards.get(card.id).margin) == (False, 0)
    click(at, f"ask_anew_{first.id}")
    answered(at)
    assert bench.asking.decisions.count() == 3
    assert not bench.asking.decisions.get(first.id).wrong


def test_a_conversation_is_found_by_its_address(page: Page, bench: ScriptedBench) -> None:
    run = false_run()
    bench.runs.kept[run.id] = run
    card = bench.cards.add(wall_card(label=Label.TRUE))
    asked = "And the Pyramids?"
    for made in (
        decision(1, cards=(card.id,), answer="It can be seen [1].", wrong=True),
        decision(2, RouteMode.CONTEXTUAL, cards=("c_gone", card.id), answer="Both [1] [2].", question=asked),
        decision(3, RouteMode.NOVEL, run_id=run.id),
        decision(4, RouteMode.NOVEL, run_id="9" * 32),
    ):
        bench.asking.decisions.add(made)
    at = page("ask", conversation="talk")
    words = shown(at)
    for text in (
        TRUE, "It can be seen [1].", "You said that this is not what you asked.", "Both [1] [2].",
        "A card of this answer is not here any more.", "Understood as: Question 2?", asked, FALSE, "NASA says",
        "The check of this question was not stored", "**[2]** :small",
    ):  # fmt: skip
        assert text in words, text
    assert turns(at) == ["user", "assistant"] * 4
    assert words.index("Question 1?") < words.index(asked) < words.index("Question 3?")
    assert keys(at, "ask_again_") == [f"ask_again_{4:032x}"]
    at.switch_page("pages/trace.py").run()
    at.query_params.clear()
    at.switch_page("pages/ask.py").run()
    assert at.query_params["conversation"] == "talk", "back by the menu"
    assert turns(at) == ["user", "assistant"] * 4


def test_an_unknown_conversation_and_a_long_one(page: Page, bench: ScriptedBench) -> None:
    at = page("ask", conversation=HOSTILE)
    assert "There is no conversation at this address." in shown(at)
    assert_plain(at)
    assert EXAMPLES[0] in shown(at)
    for number in range(51):
        bench.asking.decisions.add(decision(number))
    words = shown(at_address(at, conversation="talk"))
    assert "The latest 50 of 51 questions." in words
    assert "Question 0?" not in words


def test_hostile_texts_are_text(page: Page, bench: ScriptedBench) -> None:
    card = bench.cards.add(hostile_card())
    match = decision().candidates[0].match
    slot = replace(match.slots[0], name=HOSTILE, one=HOSTILE, other=HOSTILE)
    candidate = replace(decision().candidates[0], claim=HOSTILE, match=replace(match, slots=(slot,), why=HOSTILE))
    hostile = dict.fromkeys(("question", "reformulated", "reasoning", "answer", "decided_by"), HOSTILE)
    run = replace(broken_run(RunStatus.FAILED, HOSTILE), id="d" * 32)
    bench.runs.kept[run.id] = run
    for number, mode in enumerate(RouteMode):
        made = decision(number, mode, cards=(card.id,), candidates=(candidate,), run_id=run.id)
        bench.asking.decisions.add(replace(made, **hostile | {"reformulated": f"{HOSTILE} {HOSTILE}"}))
    at = page("ask", conversation="talk")
    assert "alert(1)" in shown(at)
    assert_plain(at, OURS)
    answered(ask(at, HOSTILE))
    assert_plain(at, OURS)
    at_address(at)
    click(at, "ask_new")
    assert "RECENT CONVERSATIONS" in shown(at)
    assert_plain(at, OURS)
