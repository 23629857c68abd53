"""Articles on the Verify page: entered, listed, picked, edited and checked."""

from dataclasses import replace
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from ghost.errors import ClaimError, StoreError
from ghost.jobs import Runner, RunView, view_of
from ghost.records import ArticleStore
from ghost.types import Claim, RunStatus
from ghost.web import probabilities
from tests.pages.visits import Use, assert_no_markup, click, finish, shown, turn_to
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
    at.button(key="verify_article_list").click().run()
    assert not at.exception
    return at


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


def test_the_statements_of_an_article_are_listed_with_their_worth(use: Use, bench: ScriptedBench) -> None:
    at = entered(use(bench))
    assert at.title[0].value == "Bridge shut"
    words = shown(at)
    assert URL in words.replace("<", "").replace(">", "")
    assert "7 sentences, 4 can be checked" in words
    assert list(boxes(at)) == [
        "The bridge was closed on Monday.",
        "The bridge was built in 1931.",
        "The repair will cost 12 million crowns.",
        "The tunnel opened in 1998.",
    ]
    assert "▰▰▰▰▰▰▰▰▰▱" in words or "▰▰▰▰▰▰▰▰▰▰" in words
    assert "**0.95**" in words
    assert "In the article: It was built in 1931." in words
    assert "3 sentences that cannot be checked, and why" in [e.label for e in at.expander]
    assert at.query_params["article"]


def test_picked_statements_become_checks_that_lead_to_their_reports_and_back(use: Use, bench: ScriptedBench) -> None:
    at = entered(use(bench))
    address = at.query_params["article"]
    box(at, "repair")
    box(at, "1931")
    press(at, "Check 2 statements")
    finish(at, "verify_article_stop")
    claims = sorted((run.claim for run in bench.runs.kept.values()), key=lambda c: c.text)
    assert [c.text for c in claims] == ["The bridge was built in 1931.", "The repair will cost 12 million crowns."]
    assert {c.found_at for c in claims} == {URL}
    assert "From the article “Bridge shut”. The bridge was closed on Monday." in claims[0].context
    assert not any(boxes(at).values())
    assert shown(at).count("False") >= 2
    next(b for b in at.button if b.key and b.key.startswith("verify_article_open_")).click().run()
    finish(at)
    assert "“The bridge was built in 1931.”" in shown(at)
    assert at.query_params["article"] == address
    at.button(key="verify_back").click().run()
    assert at.title[0].value == "Bridge shut"
    assert "run" not in at.query_params


def test_the_words_of_a_statement_can_be_edited(use: Use, bench: ScriptedBench) -> None:
    at = entered(use(bench))
    assert edit(at, "The Saltgate Bridge was closed in March 2024.") == "The bridge was closed on Monday."
    assert boxes(at)["The Saltgate Bridge was closed in March 2024."]
    press(at, "Check 1 statement")
    finish(at, "verify_article_stop")
    assert [r.claim.text for r in bench.runs.kept.values()] == ["The Saltgate Bridge was closed in March 2024."]


def test_the_threshold_and_the_order_decide_what_is_listed(use: Use, bench: ScriptedBench) -> None:
    at = entered(use(bench))
    at.slider[0].set_value(0.8).run()
    assert len(boxes(at)) == 2
    assert "2 statements below 0.80 not listed" in shown(at)
    press(at, "Select all 2 above")
    assert list(boxes(at).values()) == [True, True]
    at.slider[0].set_value(0.0).run()
    assert list(boxes(at).values()) == [True, True, False, False]
    press(at, "Select none")
    assert not any(boxes(at).values())


def test_sites_and_date_count_for_all_checks_of_an_article(use: Use, bench: ScriptedBench) -> None:
    at = entered(use(bench))
    press(at, "Select all")
    at.text_input(key="verify_article_without").input("not a site!").run()
    press(at, "Check 4 statements")
    assert "is not a site" in shown(at)
    assert not bench.runs.kept
    at.text_input(key="verify_article_without").input("tabloid.example").run()
    press(at, "Check 4 statements")
    finish(at, "verify_article_stop")
    assert bench.asked_for_sites == [((), ("tabloid.example",))] * 4


def test_one_that_cannot_be_used_starts_none(use: Use, bench: ScriptedBench) -> None:
    bench.settings = bench.settings.model_copy(update={"max_claim_chars": 40})
    at = entered(use(bench))
    edit(at, "Too many words. " * 9)
    press(at, "Select all")
    press(at, "Check 4 statements")
    assert "at most 40 can be checked at once" in shown(at)
    assert not bench.asked_for_web
    press(at, "Reset")
    press(at, "Check 4 statements")
    finish(at, "verify_article_stop")
    assert len(bench.runs.kept) == 4
    assert all(len(run.claim.context) <= 40 for run in bench.runs.kept.values())


def test_checks_that_began_are_kept_when_a_later_one_is_refused(
    use: Use, bench: ScriptedBench, monkeypatch: pytest.MonkeyPatch
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
    use: Use, bench: ScriptedBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("The disk is full.")

    at = entered(use(bench))
    monkeypatch.setattr("ghost.records.articles.ArticleStore.checked", fail)
    press(at, "Select all")
    press(at, "Check 4 statements")
    assert "4 checks started, but the article cannot list them: The disk is full." in shown(at)
    at.run()
    assert not any(boxes(at).values())
    assert len(bench.asked_for_web) == 4


def test_too_many_are_not_started_at_once_and_a_long_list_has_pages(use: Use, bench: ScriptedBench) -> None:
    at = entered(use(bench), "Bridges\n" + " ".join(f"Bridge number {n} was built in 19{n}." for n in range(10, 33)))
    at.slider[0].set_value(0.0).run()
    assert len(boxes(at)) == 20
    press(at, "Next")
    assert len(boxes(at)) == 3
    press(at, "Select all")
    assert "23 are selected; at most 20 can be started at once." in shown(at)
    assert next(b for b in at.button if b.key == "verify_article_check").disabled


@pytest.mark.parametrize(
    ("text", "url", "words"),
    [
        ("", "", "There is no article."),
        ("", "nonsense", "The address cannot be used"),
        (
            "",
            URL,
            "web is switched off for this workbench (GHOST_WEB). Open it in your browser and paste its text here.",
        ),
        ("\x00", "", "There is no sentence in the article."),
    ],
)
def test_what_cannot_be_used_is_said_with_what_to_do(
    use: Use, bench: ScriptedBench, text: str, url: str, words: str
) -> None:
    at = entered(use(bench), text, url)
    assert words in shown(at)
    assert at.text_input(key="verify_article_url").value == url


def test_an_article_without_statements_says_why_of_each_sentence(use: Use, bench: ScriptedBench) -> None:
    at = entered(use(bench), "What happens next in the town? I love it!")
    assert "No sentence makes a claim that evidence could settle." in shown(at)
    assert "It is a question that asserts nothing." in shown(at)


def test_an_article_is_found_again_after_other_pages_and_among_the_recent_ones(use: Use, bench: ScriptedBench) -> None:
    at = entered(use(bench))
    box(at, "repair")
    at.switch_page("pages/knowledge.py").run()
    at.switch_page("pages/verify.py").run()
    assert at.title[0].value == "Bridge shut"
    assert boxes(at)["The repair will cost 12 million crowns."]
    press(at, "New claim")
    assert at.title[0].value == "Check a claim"
    press(at, "Bridge shut")
    assert at.title[0].value == "Bridge shut"


def test_checks_that_never_began_say_so_and_can_be_picked_again(use: Use, bench: ScriptedBench) -> None:
    at = entered(use(bench))
    bench.articles.checked(at.query_params["article"], [(4, "lost", "The repair will cost 12 million crowns.")])
    words = shown(at.run())
    assert "Did not start" in words
    assert "Ghost was closed before its turn. Select it again." in words


def test_an_unknown_article_is_explained_and_leads_back(use: Use, bench: ScriptedBench) -> None:
    at = use(bench)
    at.query_params["article"] = "<b>nonsense</b>"
    at.run()
    assert "This article is not here" in at.title[0].value
    at.button(key="verify_new").click().run()
    assert at.title[0].value == "Check a claim"


def test_a_store_that_fails_is_said_on_the_page(
    use: Use, bench: ScriptedBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise StoreError("The disk is gone.")

    at = entered(use(bench))
    monkeypatch.setattr("ghost.records.articles.ArticleStore.get", fail)
    assert "The disk is gone." in shown(at.run())
    monkeypatch.setattr(bench, "list_article", fail)
    monkeypatch.setattr("ghost.records.articles.ArticleStore.latest", fail)
    at.query_params.clear()
    at.session_state["verify_view"] = type(at.session_state["verify_view"])()
    at = entered(at)
    assert "The disk is gone." in shown(at)


@pytest.mark.parametrize("name", ["checks", "summaries"])
def test_checks_that_cannot_be_read_are_said_and_can_be_tried_again(
    use: Use, bench: ScriptedBench, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("The disk is busy.")

    at = entered(use(bench))
    bench.articles.checked(at.query_params["article"], [(4, "lost", "The repair will cost 12 million crowns.")])
    with monkeypatch.context() as patch:
        patch.setattr(ArticleStore if name == "checks" else bench.runs, name, fail)
        assert "The disk is busy." in shown(at.run())
        assert not at.exception
    press(at, "Try again")
    assert not at.exception
    assert "Did not start" in shown(at)


def test_a_watched_check_that_cannot_be_read_for_a_moment_is_looked_at_again(
    use: Use, bench: ScriptedBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = entered(use(bench))
    article = at.query_params["article"]
    bench.articles.checked(article, [(4, "f" * 32, "The repair will cost 12 million crowns.")])
    going = replace(view_of(false_run()), run_id="f" * 32, status=RunStatus.RUNNING, verdict=None)
    looks = iter([going])

    def snapshot(*_: object) -> RunView:
        for view in looks:
            return view
        raise StoreError("The disk is busy.")

    monkeypatch.setattr(Runner, "snapshot", snapshot)
    assert "The progress of the checks cannot be read now. The disk is busy." in shown(at.run())
    assert not at.exception


def test_an_error_stays_until_the_form_is_emptied(
    use: Use, bench: ScriptedBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ClaimError("Copy its words.")

    with monkeypatch.context() as patch:
        patch.setattr(bench, "list_article", fail)
        at = entered(use(bench))
        assert "Copy its words." in shown(at)
    at = entered(at)
    assert at.title[0].value == "Bridge shut"


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
    at.text_area(key="verify_claim").input(f" {URL} ").run()
    at.button(key="verify_check").click().run()
    assert not at.exception
    assert at.segmented_control(key="verify_mode").value == "An article"
    assert at.text_input(key="verify_article_url").value == URL
    assert at.text_area(key="verify_article_text").value == ""
    assert "That is the address of a page" in shown(at)
    assert bench.runs.kept == {}
    at.button(key="verify_undo").click().run()
    assert at.segmented_control(key="verify_mode").value == "One claim"
    assert at.text_area(key="verify_claim").value == f" {URL} "


def test_an_address_takes_no_article_away_that_was_being_entered(use: Use, bench: ScriptedBench) -> None:
    at = use(bench).run()
    at.segmented_control(key="verify_mode").set_value("An article").run()
    at.text_area(key="verify_article_text").input(TEXT).run()
    at.segmented_control(key="verify_mode").set_value("One claim").run()
    at.text_area(key="verify_claim").input(URL).run()
    at.toggle(key="verify_review_first").set_value(True).run()
    at.button(key="verify_check").click().run()
    assert at.text_input(key="verify_article_url").value == URL
    at.button(key="verify_undo").click().run()
    at.segmented_control(key="verify_mode").set_value("An article").run()
    assert at.text_area(key="verify_article_text").value == TEXT


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
