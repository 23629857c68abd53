"""Claim cards on the page of the knowledge base: list, one card, and every change of it with its undo."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from ghost.types import CardOrigin, CardState, Category, ClaimCard, Label
from ghost.workbench import Workbench
from tests.cards.bench import reads
from tests.pages.benches import real_bench
from tests.pages.sections import Page, assert_plain, at_address, keys, page
from tests.pages.visits import click, shown, turn_to
from tests.ui.asking import hostile_card, wall_card
from tests.ui.samples import AT, HOSTILE

__all__ = ["page"]
LINKS = r"\]\(<https://[\w./%-]+>\)"
CHEESE = "The Moon is made of cheese"


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Workbench]:
    made = real_bench(tmp_path, reads)
    yield made
    made.close()


@pytest.fixture
def wall(bench: Workbench) -> ClaimCard:
    return bench.cards.store.add(wall_card())


def state(bench: Workbench, card: ClaimCard) -> CardState:
    return found.state(datetime.now(UTC)) if (found := bench.cards.get(card.id)) else CardState.RETIRED


def actions(bench: Workbench, card: ClaimCard) -> list[str]:
    return [change.action for change in bench.cards.history(card.id)]


def dialog(at: AppTest, name: str) -> AppTest:
    """Open a dialog of the card."""
    return click(at, f"knowledge_card_{name}")


def test_without_cards_the_section_says_how_one_comes_about(page: Page) -> None:
    at = page("knowledge", section="cards")
    assert "There are no cards yet. Check a claim, and its verdict becomes one." in shown(at)
    assert [title.value for title in at.header] == ["Claim cards"]


def test_cards_are_filtered_and_ordered(page: Page, bench: Workbench, wall: ClaimCard) -> None:
    soon = datetime.now(UTC) + timedelta(days=2)
    cheese = bench.cards.store.add(wall_card(
        claim=CHEESE, label=Label.TRUE, category=Category.OTHER, origin=CardOrigin.FACT_CHECK,
        publisher="The Moon Post", expires_at=soon, checked_at=AT + timedelta(days=1),
    ))  # fmt: skip
    old = bench.cards.store.add(wall_card(claim="Zebras are spotted", expires_at=AT))
    at = page("knowledge", section="cards")
    words = shown(at)
    assert ":green[:material/check: Active] 2 · :orange[:material/event_busy: Expired] 1" in words
    assert "1 to 3 of 3 cards" in words
    assert words.index(CHEESE) < words.index("Zebras") < words.index(wall.claim), "newest first"
    assert "Rated by The Moon Post on 22 Nov 2025 · other · holds until" in words
    for name, value, there in (
        ("state", CardState.EXPIRED, [old]), ("category", Category.OTHER, [cheese]),
        ("origin", CardOrigin.FACT_CHECK, [cheese]),
    ):  # fmt: skip
        at.selectbox(key=f"knowledge_cards_{name}").set_value(value).run()
        assert keys(at, "knowledge_card_open_") == [f"knowledge_card_open_{card.id}" for card in there]
        at.selectbox(key=f"knowledge_cards_{name}").set_value(None).run()
    at.selectbox(key="knowledge_cards_order").set_value("expiring").run()
    assert keys(at, "knowledge_card_open_") == [f"knowledge_card_open_{card.id}" for card in (old, cheese, wall)]
    at.text_input(key="knowledge_cards_text").input("no such words").run()
    assert "No card passes these filters." in shown(at)
    click(at, "knowledge_cards_clear")
    assert "1 to 3 of 3 cards" in shown(at)
    bench.cards.store.add_many([(wall_card(claim=f"Claim {n}"), ()) for n in range(15)])
    at.run()
    assert "1 to 15 of 18 cards" in shown(at)
    assert "16 to 18 of 18 cards" in shown(turn_to(at, 2))


def test_a_card_is_opened_by_its_address_and_left_again(page: Page, wall: ClaimCard) -> None:
    at = page("knowledge", section="cards")
    click(at, f"knowledge_card_open_{wall.id}")
    assert at.query_params["card"] == wall.id
    words = shown(at)
    for text in (wall.claim, wall.answer, wall.limitations, wall.would_change, "**Made**", "Claim:"):
        assert text in words, text
    click(at, "knowledge_cards_back")
    assert "card" not in at.query_params
    assert "1 to 1 of 1 card" in shown(at)
    at_address(at, section="cards", card=f"c_{HOSTILE}")
    assert "This card is not here" in shown(at)
    assert_plain(at)
    click(at, "knowledge_cards_back")
    assert "1 to 1 of 1 card" in shown(at)


def test_a_card_is_approved_retired_and_restored(page: Page, bench: Workbench, wall: ClaimCard) -> None:
    at = page("knowledge", section="cards")
    words = shown(click(at, f"knowledge_card_approve_{wall.id}"))
    assert "The card is approved." in words
    assert "approved by you" in words
    assert not keys(at, "knowledge_card_approve_")
    words = shown(click(at, f"knowledge_card_retire_{wall.id}"))
    assert "The card is retired. It answers nothing." in words
    assert state(bench, wall) is CardState.RETIRED
    assert bench.asking.checked_before(wall.claim) is None
    assert not keys(at, "knowledge_card_retire_")
    click(at, "knowledge_undo")
    assert state(bench, wall) is CardState.ACTIVE
    click(at, f"knowledge_card_retire_{wall.id}")
    at_address(at, section="cards", card=wall.id)
    assert "The card is restored." in shown(click(at, f"knowledge_card_restore_{wall.id}"))
    assert state(bench, wall) is CardState.ACTIVE
    assert actions(bench, wall) == ["restored", "retired", "undone", "retired", "approved", "made"]


def test_a_card_is_edited_but_never_against_its_label(page: Page, bench: Workbench, wall: ClaimCard) -> None:
    at = dialog(page("knowledge", section="cards", card=wall.id), "edit")
    assert at.text_area(key=f"knowledge_card_claim_{wall.id}").value == wall.claim
    click(at, f"knowledge_card_save_{wall.id}")
    assert "Nothing was changed." in shown(at)
    assert not keys(at, "knowledge_undo")
    assert actions(bench, wall) == ["made"]

    dialog(at, "edit")
    at.text_area(key=f"knowledge_card_answer_{wall.id}").input("The claim is true.")
    words = shown(click(at, f"knowledge_card_save_{wall.id}"))
    assert "“The claim is true.” says the opposite of “False”" in words
    at.text_area(key=f"knowledge_card_answer_{wall.id}").input("  ")
    assert "a card needs answer" in shown(click(at, f"knowledge_card_save_{wall.id}"))
    assert bench.cards.get(wall.id) == wall
    at.text_area(key=f"knowledge_card_answer_{wall.id}").input("The claim is false.")
    at.text_area(key=f"knowledge_card_limitations_{wall.id}").input("")
    at.selectbox(key=f"knowledge_card_kind_{wall.id}").set_value(Category.HISTORICAL)
    words = shown(click(at, f"knowledge_card_save_{wall.id}"))
    for text in (
        "The card was changed.", "**Edited**", f"Answer: {wall.answer} → The claim is false.",
        f"Limitations: {wall.limitations} → none",
    ):  # fmt: skip
        assert text in words, text
    now = bench.cards.get(wall.id)
    assert now
    assert (now.answer, now.limitations, now.category) == ("The claim is false.", "", Category.HISTORICAL)
    assert now.approved_at
    click(at, keys(at, "knowledge_card_undo_")[0])
    assert bench.cards.get(wall.id) == wall
    words = shown(at)
    assert "Undone" in words
    assert words.count("Undo this") == 1, "the undoing can be undone"


def test_a_long_text_is_not_cut_by_looking_at_it(page: Page, bench: Workbench) -> None:
    card = bench.cards.store.add(wall_card(claim="word " * 150, answer="It is not so. " * 200))
    at = dialog(page("knowledge", section="cards", card=card.id), "edit")
    click(at, f"knowledge_card_save_{card.id}")
    assert bench.cards.get(card.id) == card
    assert "Nothing was changed." in shown(at)


def test_how_long_a_card_holds(page: Page, bench: Workbench, wall: ClaimCard) -> None:
    at = dialog(page("knowledge", section="cards", card=wall.id), "expiry")
    assert "It holds for as long as its sources do now." in shown(at)
    assert at.button(key=f"knowledge_card_until_save_{wall.id}").disabled
    at.date_input(key=f"knowledge_card_until_{wall.id}").set_value(date(2098, 5, 6)).run()
    words = shown(click(at, f"knowledge_card_until_save_{wall.id}"))
    assert "The card holds until 6 May 2098." in words
    dialog(at, "expiry")
    assert "It holds until 6 May 2098 now." in shown(at)
    words = shown(click(at, f"knowledge_card_until_save_{wall.id}"))
    assert "Nothing was changed." in words
    assert actions(bench, wall) == ["expiry", "made"]
    dialog(at, "expiry")
    assert "The card is expired. It is checked again." in shown(click(at, f"knowledge_card_expire_{wall.id}"))
    assert state(bench, wall) is CardState.EXPIRED
    assert bench.asking.checked_before(wall.claim) is None
    click(at, "knowledge_undo")
    assert state(bench, wall) is CardState.ACTIVE
    click(dialog(at, "expiry"), f"knowledge_card_expire_{wall.id}")
    words = shown(click(at, keys(at, "knowledge_card_undo_")[-1]))
    assert "the card was changed again since" in words
    assert words.count("**Expiry changed**") == 3


def test_hostile_cards_are_text(page: Page, bench: Workbench) -> None:
    card = bench.cards.store.add(hostile_card())
    bench.cards.edit(card.id, limitations=f"{HOSTILE} {HOSTILE}", note=HOSTILE)
    at = page("knowledge", section="cards")
    assert "alert(1)" in shown(at)
    assert_plain(at)
    at_address(at, section="cards", card=card.id)
    assert_plain(at, LINKS)
    assert_plain(dialog(at, "edit"), LINKS)
