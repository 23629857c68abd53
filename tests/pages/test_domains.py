"""Ratings of domains on the page of the knowledge base."""

import threading
from collections.abc import Callable
from typing import Any

import pytest

from ghost.errors import StoreError
from ghost.knowledge import rating_of, read_ratings
from ghost.types import NewPassage, SourceType
from ghost.ui.knowledge import domains, rating_list
from ghost.workbench import Workbench
from tests.pages.sections import OTTERS, bench, opened, until
from tests.pages.visits import LIVE, SECONDS, Open, Patch, Use, shown, turn_to
from tests.ui.samples import HOSTILE

__all__ = ["bench"]


@pytest.fixture
def page(use: Use, bench: Workbench) -> Open:
    """Opens the page over the bench of the test."""
    return lambda *args, **params: opened(use(bench), *args, **params)


def test_an_empty_knowledge_base(page: Open) -> None:
    words = shown(page(section="domains"))
    assert "No active passage has an address yet." in words
    assert "You have not rated any domain." in words


def test_rating_a_domain_shows_the_effect_first_and_can_be_undone(page: Open, bench: Workbench) -> None:
    bench.knowledge.add([NewPassage(OTTERS, "https://www.nasa.gov/otters")])
    at = page(section="domains", rate="nasa.gov")
    assert at.text_input(key="domains_entry").value == "nasa.gov"
    assert at.slider(key="domains_score").value == 0.95
    assert list(at.dataframe[0].value["Rated by"]) == ["settings"]
    at.slider(key="domains_score").set_value(0.2)
    at.text_input(key="domains_reason").input("they like otters")
    at.button(key="domains_show").click().run()
    assert not at.exception
    assert "**1 passage** affected, 1 of them active. Now: 1 with 0.95." in shown(at)
    assert "No verdict cites them yet." in shown(at)
    assert bench.knowledge.book.credibility("nasa.gov") == 0.95
    at.button(key="domains_apply").click().run()
    assert "nasa.gov is rated 0.20." in shown(at)
    assert bench.knowledge.book.credibility("https://www.nasa.gov/x") == 0.2
    assert list(at.dataframe[0].value["Rated by"]) == ["you"]
    at.button(key="domains_undo").click().run()
    assert "The previous ratings apply again." in shown(at)
    assert bench.knowledge.book.credibility("nasa.gov") == 0.95
    at.button(key="domains_dismiss").click().run()
    assert "The previous ratings apply again." not in shown(at)


def test_what_is_typed_is_kept_when_another_page_is_looked_at(page: Open) -> None:
    at = page(section="domains")
    fields = (at.text_input(key="domains_entry"), at.text_input(key="domains_reason"), at.slider(key="domains_score"))
    assert not any(field.proto.form_id for field in fields)  # a form hands nothing over before its button
    at.text_input(key="domains_entry").input("otters.org").run()
    at.query_params.clear()
    at.switch_page("pages/trace.py").run()
    at.query_params.clear()
    at.switch_page("pages/knowledge.py").run()
    assert at.text_input(key="domains_entry").value == "otters.org"


def test_a_domain_that_is_picked_brings_its_own_kind_and_reason(page: Open, bench: Workbench) -> None:
    kept = rating_of("nasa.gov", 0.9, SourceType.GOVERNMENT, "they were there")
    bench.ratings.change({kept.entry: kept}, kept.note)
    at = page(section="domains", rate="nasa.gov")
    assert at.selectbox(key="domains_kind").value == SourceType.GOVERNMENT
    assert at.text_input(key="domains_reason").value == "they were there"
    at.button(key="domains_show").click().run()
    assert "Kind of source: Government or public body · Reason: they were there" in shown(at)
    at.query_params["rate"] = "example.org"
    at.run()
    assert not at.exception
    assert at.selectbox(key="domains_kind").value is None
    assert at.text_input(key="domains_reason").value == ""
    at.button(key="domains_show").click().run()
    assert "Kind of source: as known to Ghost · Reason: none" in shown(at)


def test_what_failed_is_not_shown_as_done(page: Open, bench: Workbench, monkeypatch: Patch) -> None:
    def fail(*_: object) -> None:
        raise StoreError("The disk is full.")

    at = page(section="domains", rate="nasa.gov")
    at.slider(key="domains_score").set_value(0.2)
    at.button(key="domains_show").click().run()
    with monkeypatch.context() as patch:
        patch.setattr(bench.ratings, "change", fail)
        at.button(key="domains_apply").click().run()
        assert ":red[:material/error:] The disk is full." in shown(at)
    at.button(key="domains_apply").click().run()
    assert ":green[:material/check_circle:] nasa.gov is rated 0.20." in shown(at)
    monkeypatch.setattr(bench.ratings, "undo", fail)
    at.button(key="domains_undo").click().run()
    assert ":red[:material/error:] The disk is full." in shown(at)


def test_a_draft_can_be_left_and_a_rating_taken_back(page: Open, bench: Workbench) -> None:
    bench.ratings.rate("example.org", 0.1, "a test")
    at = page(section="domains", rate="b.org")
    at.button(key="domains_show").click().run()
    assert "No passage comes from there yet." in shown(at)
    at.button(key="domains_leave").click().run()
    assert not [b for b in at.button if b.key == "domains_apply"]
    at.button(key="domains_remove_example.org").click().run()
    assert bench.ratings.all() == {}
    assert "Your rating of example.org was removed." in shown(at)


def test_every_rating_and_change_can_be_undone(page: Open, bench: Workbench, monkeypatch: Patch) -> None:
    monkeypatch.setattr(domains, "OWN_SHOWN", 2)
    monkeypatch.setattr(domains, "CHANGES_SHOWN", 2)
    changes = []
    for name in ("a.org", "b.org", "c.org"):
        kept = rating_of(name, 0.9)
        changes.append(bench.ratings.change({kept.entry: kept}))
    at = page(section="domains")
    assert "domains_remove_c.org" not in [b.key for b in at.button]
    turn_to(at, 2, "domains_own_page")
    turn_to(at, 2, "domains_changes_page")
    at.button(key="domains_remove_c.org").click().run()
    assert set(bench.ratings.all()) == {"a.org", "b.org"}
    at.button(key=f"domains_undo_{changes[0]}").click().run()
    assert not at.exception
    assert set(bench.ratings.all()) == {"b.org"}


def test_what_is_no_domain_is_explained(page: Open) -> None:
    at = page(section="domains", rate=HOSTILE)
    at.button(key="domains_show").click().run()
    assert not at.exception
    assert "is no domain" in at.warning[0].value
    for element in (*at.markdown, *at.caption, *at.warning):
        assert not LIVE.search(element.value), element.value


def test_a_list_is_shown_before_it_counts(use: Use, bench: Workbench) -> None:
    bench.knowledge.add([NewPassage(OTTERS, "https://www.nasa.gov/otters")])
    found = read_ratings(f"domain,score,note\nnasa.gov,0.3,{HOSTILE}\nx.org,7,\n".encode(), f"{HOSTILE}.csv")
    at = use(bench)
    at.session_state["domains_list"] = (found, bench.ratings.effect(dict(found.ratings)))
    at = opened(at, section="domains")
    assert "· 1 domain\n" in shown(at)
    assert bench.ratings.all() == {}
    at.button(key="domains_list_apply").click().run()
    until(at, lambda: "domains_work" not in at.session_state)
    assert set(bench.ratings.all()) == {"nasa.gov"}
    for element in (*at.markdown, *at.caption, *at.warning):
        assert not LIVE.search(element.value), element.value


class File:
    """An upload."""

    name = "list.csv"

    def getvalue(self) -> bytes:
        return b"domain,score,note\nnasa.gov,0.3,they like otters\n"


def test_a_list_is_read_in_the_background_and_cancelled(use: Use, bench: Workbench, monkeypatch: Patch) -> None:
    gate, effect = threading.Event(), bench.ratings.effect

    def slow(ratings: Any, looked: Callable[[int], None] = lambda _: None) -> Any:
        gate.wait(SECONDS)
        looked(400)
        return effect(ratings, looked)

    state: dict[str, Any] = {"k": File(), "domains_file_number": 0}
    monkeypatch.setattr(bench.ratings, "effect", slow)
    with monkeypatch.context() as patch:
        patch.setattr(rating_list.st, "session_state", state)
        rating_list._uploaded(bench, "k")
    at = use(bench)
    at.session_state["domains_work"] = state["domains_work"]
    at = opened(at, section="domains")
    assert "Finding the affected passages" in shown(at)
    at.button(key="domains_cancel").click().run()
    gate.set()
    until(at, lambda: "The list was cancelled. Nothing was changed." in shown(at))
    with monkeypatch.context() as patch:
        patch.setattr(rating_list.st, "session_state", state)
        rating_list._uploaded(bench, "k")
    at.session_state["domains_work"] = state["domains_work"]
    until(at.run(), lambda: "· 1 domain\n" in shown(at))
    assert bench.ratings.all() == {}


def test_a_list_that_cannot_be_kept_says_so(use: Use, bench: Workbench, monkeypatch: Patch) -> None:
    def broken(*_: object) -> str:
        raise StoreError("The disk is full.")

    found = read_ratings(File().getvalue(), "list.csv")
    at = use(bench)
    at.session_state["domains_list"] = (found, bench.ratings.effect(dict(found.ratings)))
    at = opened(at, section="domains")
    monkeypatch.setattr(bench.ratings, "change", broken)
    at.button(key="domains_list_apply").click().run()
    until(at, lambda: "The disk is full." in shown(at))
    assert at.button(key="domains_list_apply")


def test_a_failing_store_is_explained(page: Open, bench: Workbench, monkeypatch: Patch) -> None:
    def fail(*_: object) -> None:
        raise StoreError("The disk cannot be read.")

    monkeypatch.setattr(bench.ratings, "all", fail)
    at = page(section="domains")
    assert "The disk cannot be read." in at.error[0].value.replace("\\", "")
