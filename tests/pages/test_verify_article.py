"""Articles on the Verify page: entered, listed, picked, edited and checked."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ghost.errors import ClaimError, StoreError
from ghost.jobs import Runner, RunView, view_of
from ghost.records import Article, ArticleStore
from ghost.types import Claim, RunStatus
from ghost.web import probabilities
from tests.pages.visits import Patch, Use, assert_no_markup, click, finish, shown, turn_to
from tests.ui.bench import ScriptedBench
from tests.ui.samples import HOSTILE, false_run

TEXT = """Bridge shut
The bridge was closed on Monday. It was built in 1931. I think that is sad.

The repair will cost 12 million crowns. The tunnel opened in 1998. What now?
"""
URL = "https://gazette.example/bridge"


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """What tells languages apart takes a second to load, and the form waits half a second for an article."""
    probabilities("Der Mond")


def entered(at: AppTest, text: str = TEXT, url: str = URL) -> AppTest:
    at.run()
    at.segmented_control(key="verify_mode").set_value("An article").run()
    at.text_area(key="verify_article_text").input(text)
    at.text_input(key="verify_article_url").input(url)
    return click(at, "verify_article_list")


def boxes(at: AppTest) -> dict[str, bool]:
    return {box.label.replace(":small[]", "").replace("\\", ""): box.value for box in at.checkbox}


def box(at: AppTest, words: str) -> None:
    next(b for b in at.checkbox if words in b.label.replace("\\", "")).check().run()


def edit(at: AppTest, words: str) -> str:
    """Change the words of the first statement, and return those it had."""
    next(b for b in at.button if b.key and "_edit_" in b.key).click().run()
    field = next(area for area in at.text_area if area.key and "_words_" in area.key)
    before: str = field.value
    field.input(words).run()
    return before


def press(at: AppTest, label: str) -> AppTest:
    next(b for b in at.button if b.label.startswith(label)).click()
    return at.run()


def fail(*_: object, **__: object) -> None:
    raise StoreError("The disk is busy.")


def test_statements_are_listed_by_their_worth_and_found_again(use: Use, bench: ScriptedBench) -> None:
    at = entered(use(bench))
    assert at.title[0].value == "Bridge shut"
    words = shown(at)
    assert URL in words.replace("<", "").replace(">", "")
    for text in ("7 sentences, 4 can be checked", "▰▰▰▰▰", "**0.95**", "In the article: It was built in 1931."):
        assert text in words
    assert list(boxes(at)) == [
        "The bridge was closed on Monday.",
        "The bridge was built in 1931.",
        "The repair will cost 12 million crowns.",
        "The tunnel opened in 1998.",
    ]
    assert "3 sentences that cannot be checked, and why" in [e.label for e in at.expander]
    at.slider[0].set_value(0.8).run()
    assert len(boxes(at)) == 2
    assert "2 statements below 0.80 not listed" in shown(at)
    press(at, "Select all 2 above")
    assert list(boxes(at).values()) == [True, True]
    at.slider[0].set_value(0.0).run()
    assert list(boxes(at).values()) == [True, True, False, False]
    press(at, "Select none")
    assert not any(boxes(at).values())
    box(at, "repair")
    at.switch_page("pages/knowledge.py").run()
    at.switch_page("pages/verify.py").run()
    assert at.title[0].value == "Bridge shut"
    assert boxes(at)["The repair will cost 12 million crowns."]
    press(at, "New claim")
    assert at.title[0].value == "Check a claim"
    press(at, "Bridge shut")
    assert at.title[0].value == "Bridge shut"


def test_picked_statements_become_checks_that_lead_to_their_reports_and_back(use: Use, bench: ScriptedBench) -> None:
    at = entered(use(bench))
    address = at.query_params["article"]
    box(at, "repair")
    box(at, "1931")
    assert edit(at, "The Saltgate Bridge was closed in March 2024.") == "The bridge was closed on Monday."
    assert boxes(at)["The Saltgate Bridge was closed in March 2024."]
    press(at, "Check 3 statements")
    finish(at, "verify_article_stop")
    claims = sorted((run.claim for run in bench.runs.kept.values()), key=lambda c: c.text)
    assert [c.text for c in claims] == [
        "The Saltgate Bridge was closed in March 2024.", "The bridge was built in 1931.",
        "The repair will cost 12 million crowns.",
    ]  # fmt: skip
    assert {c.found_at for c in claims} == {URL}
    assert "From the article “Bridge shut”. The bridge was closed on Monday." in claims[1].context
    assert not any(boxes(at).values())
    assert shown(at).count("False") >= 3
    [*_, last] = [b for b in at.button if b.key and b.key.startswith("verify_article_open_")]
    last.click().run()
    finish(at)
    assert "“The repair will cost 12 million crowns.”" in shown(at)
    assert at.query_params["article"] == address
    click(at, "verify_back")
    assert at.title[0].value == "Bridge shut"
    assert "run" not in at.query_params


def test_sites_count_for_all_checks_and_one_that_cannot_be_used_starts_none(use: Use, bench: ScriptedBench) -> None:
    bench.settings = bench.settings.model_copy(update={"max_claim_chars": 40})
    at = entered(use(bench))
    edit(at, "Too many words. " * 9)
    press(at, "Select all")
    press(at, "Check 4 statements")
    assert "at most 40 can be checked at once" in shown(at)
    press(at, "Reset")
    at.text_input(key="verify_article_without").input("not a site!").run()
    press(at, "Check 4 statements")
    assert "is not a site" in shown(at)
    assert not bench.asked_for_web
    at.text_input(key="verify_article_without").input("tabloid.example").run()
    press(at, "Check 4 statements")
    finish(at, "verify_article_stop")
    assert bench.asked_for_sites == [((), ("tabloid.example",))] * 4
    assert all(len(run.claim.context) <= 40 for run in bench.runs.kept.values())


def test_checks_that_began_are_kept_when_a_later_one_is_refused(
    use: Use, bench: ScriptedBench, monkeypatch: Patch
) -> None:
    at = entered(use(bench))
    begin = bench.verify

    def verify(claim: Claim, **options: Any) -> Any:
        if "tunnel" in claim.text:
            raise StoreError("The disk is full.")
        return begin(claim, **options)

    monkeypatch.setattr(bench, "verify", verify)
    press(at, "Select all")
    press(at, "Check 4 statements")
    assert "The disk is full." in shown(at)
    finish(at, "verify_article_stop")
    assert len(bench.articles.checks(at.query_params["article"])) == len(bench.asked_for_web) == 3
    assert [words for words, picked in boxes(at).items() if picked] == ["The tunnel opened in 1998."]


def test_checks_that_the_article_cannot_list_are_not_started_twice(
    use: Use, bench: ScriptedBench, monkeypatch: Patch
) -> None:
    at = entered(use(bench))
    monkeypatch.setattr(ArticleStore, "checked", fail)
    press(at, "Select all")
    press(at, "Check 4 statements")
    assert "4 checks started, but the article cannot list them: The disk is busy." in shown(at)
    at.run()
    assert not any(boxes(at).values())
    assert len(bench.asked_for_web) == 4


def test_too_many_are_not_started_at_once_and_a_long_list_has_pages(use: Use, bench: ScriptedBench) -> None:
    at = entered(use(bench), "Bridges\n" + " ".join(f"Bridge number {n} was built in 19{n}." for n in range(10, 33)))
    at.slider[0].set_value(0.0).run()
    assert len(boxes(at)) == 20
    turn_to(at, 2)
    assert len(boxes(at)) == 3
    press(at, "Select all")
    assert "23 are selected; at most 20 can be started at once." in shown(at)
    assert at.button(key="verify_article_check").disabled


def test_what_cannot_be_listed_is_said_with_what_to_do_until_it_is_changed(
    use: Use, bench: ScriptedBench, monkeypatch: Patch
) -> None:
    def refuse(*_: object) -> None:
        raise ClaimError("Copy its words.")

    at = use(bench)
    for text, url, words in (
        ("", "", "There is no article."),
        ("", "nonsense", "The address cannot be used"),
        ("", URL, "web is switched off for this workbench (GHOST_WEB). Open it in your browser and paste its text"),
        ("\x00", "", "There is no sentence in the article."),
    ):
        assert words in shown(entered(at, text, url))
        assert at.text_input(key="verify_article_url").value == url
    with monkeypatch.context() as patch:
        for what, words in ((refuse, "Copy its words."), (fail, "The disk is busy.")):
            patch.setattr(bench, "list_article", what)
            assert words in shown(entered(at))
    at = entered(at, "What happens next in the town? I love it!")
    assert "No sentence makes a claim that evidence could settle." in shown(at)
    assert "It is a question that asserts nothing." in shown(at)


def test_a_long_article_shows_how_far_it_is_to_everybody_and_can_be_stopped(
    use: Use, bench: ScriptedBench, monkeypatch: Patch
) -> None:
    def read(text: str, url: str, told: Callable[[str, int, int], None], *_: Any) -> None:
        while not bench.gate.wait(0.01):
            told("Reading its sentences", 16, 64)

    with monkeypatch.context() as patch:
        patch.setattr(bench, "list_article", read)
        at, other = entered(use(bench)), use(bench)
        article_id = other.query_params["article"] = at.query_params["article"]
        for visitor in (at, other.run()):
            assert visitor.title[0].value == "Reading the article"
            assert "verify_article_cancel" in [b.key for b in visitor.button]
        click(at, "verify_new")
        assert at.text_area(key="verify_article_text").value == TEXT, "it is not sure to be read"
        at.query_params["article"] = article_id
        click(at.run(), "verify_article_cancel")
        for visitor in (finish(at, "verify_article_cancel"), other.run()):
            assert "Cancelled. Nothing was saved; the text is still in the form." in shown(visitor)
            assert visitor.text_area(key="verify_article_text").value == TEXT
            assert visitor.text_input(key="verify_article_url").value == URL
        at.text_area(key="verify_article_text").input("Bees dance.").run()
        assert at.text_area(key="verify_article_text").value == "Bees dance.", "what failed is put in once"
    click(other, "verify_article_list")
    assert other.title[0].value == "Bridge shut"
    assert other.query_params["article"] != article_id


def test_what_was_typed_while_an_article_was_read_stays_in_the_form(
    use: Use, bench: ScriptedBench, monkeypatch: Patch
) -> None:
    listed = bench.list_article

    def read(*args: Any) -> Article:
        bench.gate.wait(20)
        return listed(*args)

    monkeypatch.setattr(bench, "list_article", read)
    at = entered(use(bench))
    article_id = at.query_params["article"]
    click(at, "verify_new")
    at.text_area(key="verify_article_text").input("Bees dance.").run()
    bench.gate.set()
    at.query_params["article"] = article_id
    finish(at.run(), "verify_article_cancel")
    assert at.title[0].value == "Bridge shut"
    click(at, "verify_new")
    assert at.text_area(key="verify_article_text").value == "Bees dance."


def test_records_that_fail_or_do_not_know_it_are_explained(use: Use, bench: ScriptedBench, monkeypatch: Patch) -> None:
    at = use(bench)
    at.query_params["article"] = "<b>nonsense</b>"
    at.run()
    assert "This article is not here" in at.title[0].value
    click(at, "verify_new")
    at = entered(at)
    article = at.query_params["article"]
    bench.articles.checked(article, [(4, "lost", "The repair will cost 12 million crowns.")])
    for store, name in ((ArticleStore, "get"), (ArticleStore, "checks"), (bench.runs, "summaries")):
        with monkeypatch.context() as patch:
            patch.setattr(store, name, fail)
            assert "The disk is busy." in shown(at.run())
            assert not at.exception
        click(at, "verify_retry")
        words = shown(at)
        assert "Did not start" in words
        assert "Ghost was closed before its turn. Select it again." in words
    going = replace(view_of(false_run()), run_id="lost", status=RunStatus.RUNNING, verdict=None)
    looks = iter([going])

    def snapshot(*_: object) -> RunView:
        for view in looks:
            return view
        raise StoreError("The disk is busy.")

    monkeypatch.setattr(Runner, "snapshot", snapshot)
    assert "The progress of the checks cannot be read now. The disk is busy." in shown(at.run())
    monkeypatch.setattr(ArticleStore, "latest", fail)
    click(at, "verify_new")
    assert "Articles cannot be read now. The disk is busy." in shown(at)


def test_a_hostile_article_is_text_and_never_markup(use: Use, bench: ScriptedBench) -> None:
    at = entered(use(bench), f"{HOSTILE}\nThe Moon {HOSTILE} orbits the Earth in 27 days. Shall {HOSTILE} we go?", "")
    assert HOSTILE[:40] in shown(at)
    assert_no_markup(at)


def test_every_article_is_in_the_list_a_page_at_a_time(use: Use, bench: ScriptedBench) -> None:
    for n in range(5):
        bench.list_article(f"Article {n}\nThe bridge was built in 19{n}1.")
    at = use(bench).run()
    assert "Article 0" not in shown(at)
    turn_to(at, 2)
    assert "Article 0" in shown(at)
    assert "Article 4" not in shown(at)
    press(at, "Article 0")
    assert at.title[0].value == "Article 0"


def test_an_address_that_is_entered_as_a_claim_opens_as_an_article(use: Use, bench: ScriptedBench) -> None:
    at = use(bench).run()
    at.segmented_control(key="verify_mode").set_value("An article").run()
    at.text_area(key="verify_article_text").input(TEXT).run()
    at.segmented_control(key="verify_mode").set_value("One claim").run()
    at.text_area(key="verify_claim").input(f" {URL} ").run()
    click(at, "verify_check")
    assert at.segmented_control(key="verify_mode").value == "An article"
    assert at.text_input(key="verify_article_url").value == URL
    assert at.text_area(key="verify_article_text").value == ""
    assert "That is the address of a page" in shown(at)
    assert bench.runs.kept == {}
    click(at, "verify_undo")
    assert at.segmented_control(key="verify_mode").value == "One claim"
    assert at.text_area(key="verify_claim").value == f" {URL} "
    at.segmented_control(key="verify_mode").set_value("An article").run()
    assert at.text_area(key="verify_article_text").value == TEXT, "no article is taken away that was being entered"


def test_a_look_at_an_earlier_check_leaves_a_pasted_article(use: Use, bench: ScriptedBench) -> None:
    bench.runs.kept["f" * 32] = false_run()
    at = use(bench).run()
    at.segmented_control(key="verify_mode").set_value("An article").run()
    at.text_area(key="verify_article_text").input("Bees dance. They are yellow.")
    click(at, f"verify_recent_{'f' * 32}")
    click(at, "verify_new")
    assert at.text_area(key="verify_article_text").value == "Bees dance. They are yellow."
    click(at, "verify_article_list")
    assert "article" in at.query_params
    click(at, "verify_new")
    assert at.text_area(key="verify_article_text").value == ""
