"""The Verify page over hand-made runs: the form, a run as it goes on, and every way in which a page can fail."""

from dataclasses import replace
from datetime import date
from pathlib import Path

from streamlit.testing.v1 import AppTest

from bench.session import CHECK_KEY, CLAIM_KEY
from config import ConfigError, Settings
from ghost.errors import StoreBusyError, StoreError, WeightsDamagedError
from ghost.events import SourceUpdate
from ghost.types import CardOrigin, Claim, Label, RunStatus
from ghost.ui.shared import resources
from ghost.ui.verify import EXAMPLES
from tests.pages.visits import Patch, Use, assert_no_markup, check, click, finish, open_page, shown
from tests.ui.asking import hostile_card, wall_card
from tests.ui.bench import ScriptedBench
from tests.ui.samples import AT, HOSTILE, false_run, open_run

OTHER = replace(false_run(), claim=Claim("Honey never spoils", found_at="https://a.example/honey"))
BEES = ("Bees dance in the dark", "Said on television", date(2024, 5, 6))


def typed(at: AppTest) -> AppTest:
    at.run()
    at.text_area(key="verify_claim").input(BEES[0])
    at.text_area(key="verify_context").input(BEES[1])
    at.date_input(key="verify_as_of").set_value(BEES[2])
    return at.run()


def entered(at: AppTest) -> tuple[object, ...]:
    return (
        at.text_area(key="verify_claim").value, at.text_area(key="verify_context").value,
        at.date_input(key="verify_as_of").value,
    )  # fmt: skip


def test_the_empty_page_offers_examples_and_one_of_them_ends_in_a_verdict(use: Use, bench: ScriptedBench) -> None:
    at = use(bench).run()
    assert not at.exception
    words = shown(at)
    assert "Embedded judge: nothing you type leaves this machine." in words
    assert "Nothing has been checked yet." in words
    assert all(example in words for example in EXAMPLES)
    # The benchmark fills this form without a browser, by the keys of its widgets.
    assert at.text_area(key=CLAIM_KEY).label == "Claim"
    assert at.button(key=CHECK_KEY).label == "Check this claim"
    assert at.toggle(key="verify_web").disabled, "this workbench has no web"
    assert at.toggle(key="verify_web").value is False
    click(at, "verify_example_1")
    assert at.text_area(key="verify_claim").value == "Vaccines cause autism"
    at.button(key="verify_check").click()
    finish(at)
    assert "“Vaccines cause autism”" in shown(at)
    assert "False" in at.error[0].value
    assert at.query_params["run"] == next(iter(bench.runs.kept))


def test_everything_in_the_form_reaches_the_run_and_its_report(use: Use, bench: ScriptedBench) -> None:
    bench.search_recipients = ("DuckDuckGo", "Wikipedia")
    at = typed(use(bench))
    assert "are sent as search words to DuckDuckGo, then Wikipedia" in shown(at)
    assert at.toggle(key="verify_web").value is True
    at.toggle(key="verify_web").set_value(False)
    at.text_input(key="verify_found_at").input("https://example.org/post")
    at.text_input(key="verify_without").input("https://www.Example.org/blog, tabloid.example")
    at.text_input(key="verify_only").input("nasa.gov")
    at.button(key="verify_check").click()
    finish(at)
    claim = next(iter(bench.runs.kept.values())).claim
    assert (claim.text, claim.context, claim.as_of) == BEES
    assert claim.found_at == "https://example.org/post"
    assert bench.asked_for_web == [False]
    assert bench.asked_for_sites == [(("nasa.gov",), ("example.org/blog", "tabloid.example"))]
    words = shown(at)
    for text in ("Said on television", "Evidence up to 6 May 2024 only", "example.org/blog, tabloid.example"):
        assert text in words
    click(at, "verify_new")
    assert entered(at) == ("", "", None), "the form is empty after a check was started"


def test_editing_brings_the_claim_back_with_everything_that_was_set_for_it(use: Use, bench: ScriptedBench) -> None:
    bench.search_recipients = ("DuckDuckGo",)
    settings = {"web": False, "allowed_here": ["nasa.gov"], "denied_here": ["a.example", "b.example"]}
    claim = replace(open_run().claim, context="On television", statements=("It is visible from orbit.",))
    run = replace(false_run(), claim=claim, settings=settings)
    bench.runs.kept[run.id] = run
    at = open_page(use(bench), run.id)
    click(at, "verify_edit")
    assert entered(at) == (claim.text, "On television", claim.as_of)
    fields = {name: at.text_input(key=f"verify_{name}").value for name in ("found_at", "without", "only")}
    assert fields == {"found_at": claim.found_at, "without": "a.example, b.example", "only": "nasa.gov"}
    assert at.toggle(key="verify_web").value is False
    assert at.toggle(key="verify_review_first").value is True
    assert "run" not in at.query_params


def test_what_cannot_be_used_stays_in_the_form_with_what_to_change(use: Use, bench: ScriptedBench) -> None:
    at = typed(use(bench))
    for field, text, words in (
        ("without", "javascript:alert(1)", "“javascript:alert(1)” is not a site"),
        ("found_at", "javascript:alert(1)", "must be a web address"),
        ("claim", "", "There is no claim to check"),
    ):
        (at.text_area if field == "claim" else at.text_input)(key=f"verify_{field}").input(text)
        assert words in shown(click(at, "verify_check"))
        assert entered(at)[1:] == BEES[1:]
        if field != "claim":
            at.text_input(key=f"verify_{field}").input("")
    assert not bench.runs.kept


def test_a_run_is_watched_left_found_again_and_cancelled(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), stops_before="sufficiency")
    quotes = ("The wall cannot be seen.", "No astronaut has seen it.", "A third quote.")
    bench.news = (
        SourceUpdate("https://b.example/y", "Not listed", "dropped", "not on the list of trusted sources", "trusted"),
        SourceUpdate("https://a.example/x", "First", "reading", "", "trusted"),
        SourceUpdate("https://a.example/x", "First", "read", "", "trusted", 14_200, 0.62, quotes, "refutes", 1),
        SourceUpdate("https://c.example/z", HOSTILE, "refused", "The server has no such page (HTTP 404).", "broad"),
        SourceUpdate("javascript:alert(1)", "", "new kind of state", HOSTILE, "elsewhere", 10, 0.1, (HOSTILE,), "odd"),
    )
    at = check(use(bench), "The wall is visible")
    run_id = at.query_params["run"]
    for _ in range(50):
        words = shown(at.run())
        if "4 sources" in words:
            break
    for text in (
        "IN PROGRESS", "4 sources** :gray[· 1 read, 4 quotes that bear on the claim", "First", "a.example",
        "Contradicts", quotes[0], "and 1 more quote", "from trusted sources", "Not fetched",
        "The server has no such page (HTTP 404).", "1 hit left out: not on the list of trusted sources (1)",
    ):  # fmt: skip
        assert text in words
    assert_no_markup(at)
    at.switch_page("pages/knowledge.py").run()
    assert at.title[0].value == "Knowledge base"
    at.query_params.clear()
    at.switch_page("pages/verify.py").run()
    assert at.query_params["run"] == run_id
    click(at, "verify_cancel")
    words = shown(finish(at))
    assert "You cancelled this check" in words
    assert "Kept: 3 steps and 3 weighed passages." in words


def test_a_check_that_waits_for_its_turn_says_so(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), stops_before="classify")
    at = use(bench)
    for number in range(3):
        check(at, f"The wall is visible, number {number}")
        if number < 2:
            click(at, "verify_new")
    assert "Waiting for its turn; 2 checks started before it." in shown(at.run())
    bench.gate.set()
    finish(at)


def test_a_run_that_is_unknown_or_cannot_be_read_is_explained_and_leads_back(
    use: Use, bench: ScriptedBench, monkeypatch: Patch
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("The disk is busy.")

    at = open_page(use(bench), "<b>nonsense</b>")
    assert "This check is not here" in at.title[0].value
    assert "<b>nonsense</b>" in shown(at)
    assert "GHOST_DATA_DIR" in shown(at)
    click(at, "verify_new")
    assert at.title[0].value == "Check a claim"
    bench.runs.kept[false_run().id] = false_run()
    with monkeypatch.context() as patch:
        patch.setattr(bench.runs, "get", fail)
        at = open_page(at, false_run().id)
        assert "This check cannot be read now" in at.title[0].value
        assert "The disk is busy." in shown(at)
        click(at, "verify_new")  # the page must not be lost for this visitor
        assert at.title[0].value == "Check a claim"
        open_page(at, false_run().id)
    click(at, "verify_retry")
    assert "False" in at.error[0].value


def test_a_start_that_fails_is_a_page_that_helps_and_can_be_tried_again(
    use: Use, bench: ScriptedBench, monkeypatch: Patch
) -> None:
    at = use(bench)
    for error, title, words in (
        (ConfigError("GHOST_TOP_K_RERANK: not a number"), "A setting cannot be used", "GHOST_TOP_K_RERANK"),
        (StoreBusyError(Path("/data"), "process 7"), "The knowledge base is in use", "python -m ghost up"),
        (StoreError("No."), "The knowledge base could not be opened", "What was stored before is kept."),
        (WeightsDamagedError("model.onnx is damaged."), "A model could not be loaded", "model.onnx is damaged."),
        (RuntimeError("<b>boom</b>"), "Ghost could not start", "Unexpected RuntimeError: <b>boom</b>"),
    ):

        def fail(error: Exception = error) -> None:
            raise error

        monkeypatch.setattr(resources, "open_workbench", fail)
        at.run()
        assert not at.exception
        assert at.header[0].value == title
        assert words in shown(at)
    monkeypatch.setattr(resources, "open_workbench", lambda: bench)
    click(at, "resources_retry")
    assert at.title[0].value == "Check a claim"


def test_what_took_the_place_of_a_typed_claim_can_be_undone(use: Use, bench: ScriptedBench) -> None:
    bench.runs.kept[OTHER.id] = OTHER
    at = typed(use(bench))
    click(at, f"verify_recent_{OTHER.id}")
    assert "“Honey never spoils”" in shown(at)
    click(at, "verify_new")
    assert entered(at) == BEES, "a look at an earlier check leaves what was typed"
    click(at, "verify_example_1")
    assert at.text_area(key="verify_claim").value == "Vaccines cause autism"
    assert "was replaced" in shown(at.run()), "it stays while the visitor works on"
    click(at, "verify_undo")
    assert entered(at) == BEES
    assert "Undone." in shown(at)
    click(at, f"verify_recent_{OTHER.id}")
    click(at, "verify_edit")
    assert at.text_input(key="verify_found_at").value == "https://a.example/honey"
    click(at, "verify_undo")
    assert entered(at) == BEES
    assert at.text_input(key="verify_found_at").value == ""
    click(at, "verify_example_1")
    assert "was replaced" not in shown(open_page(at, OTHER.id)), "it does not follow the visitor"


def test_a_review_that_an_earlier_claim_took_the_place_of_comes_back(use: Use, bench: ScriptedBench) -> None:
    bench.runs.kept[OTHER.id] = OTHER
    at = click(use(bench).run(), "verify_example_1")
    at.toggle(key="verify_review_first").set_value(True)
    click(at, "verify_check")
    at.text_area(key="verify_statement_1").input("My own words.")
    open_page(at, OTHER.id)
    click(at, "verify_edit")
    assert at.text_area(key="verify_claim").value == "Honey never spoils"
    click(at, "verify_undo")
    assert at.text_area(key="verify_statement_1").value == "My own words."


def test_nothing_is_offered_back_where_nothing_was_typed(use: Use, bench: ScriptedBench) -> None:
    at = use(bench).run()
    click(at, "verify_example_1")
    click(at, "verify_example_2")
    assert not [b for b in at.button if b.key == "verify_undo"]
    at.text_area(key="verify_claim").input("Water boils")
    assert "was replaced" in shown(click(at, "verify_example_1"))
    assert "was replaced" not in shown(click(at, "verify_dismiss"))


def linked(at: AppTest, claim: str, found_at: str = "") -> AppTest:
    """The page as a link opens it."""
    at.query_params.update({"claim": claim} | ({"found_at": found_at} if found_at else {}))
    at.run()
    assert not at.exception
    assert not {"claim", "found_at"} & set(at.query_params), "a reload must not bring them again"
    return at


def test_a_link_fills_the_form_and_starts_nothing(use: Use, bench: ScriptedBench) -> None:
    at = linked(use(bench), "Honey\n never spoils", "https://reader:secret@a.example/honey")
    assert at.text_area(key="verify_claim").value == "Honey never spoils"
    assert at.text_input(key="verify_found_at").value == "https://a.example/honey"
    assert "This claim comes from a link. Nothing has been checked yet." in shown(at)
    assert not bench.runs.kept
    at.button(key="verify_check").click()
    finish(at)
    (run,) = bench.runs.kept.values()
    assert (run.claim.text, run.claim.found_at) == ("Honey never spoils", "https://a.example/honey")


def test_what_a_link_took_the_place_of_comes_back(use: Use, bench: ScriptedBench) -> None:
    at = linked(typed(use(bench)), "Honey never spoils")
    assert entered(at)[0] == "Honey never spoils"
    assert "was replaced" in shown(at)
    assert entered(click(at, "verify_undo")) == BEES


def test_a_link_brings_no_more_than_a_visitor_could_type(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path, max_claim_chars=60))
    at = linked(use(bench), "\x00\u202e" + HOSTILE * 9, "javascript:alert(1)")
    value = at.text_area(key="verify_claim").value
    assert len(value) == 60
    assert not {"\x00", "\u202e"} & set(value)
    assert "only the first 60 characters" in shown(at)
    assert "it is not a web address" in shown(at)
    assert at.text_input(key="verify_found_at").value == ""
    assert_no_markup(at)
    at = linked(use(bench), "\x00 \u200b")
    assert at.text_area(key="verify_claim").value == ""
    assert "from a link" not in shown(at)


def test_a_run_that_another_process_makes_is_followed(use: Use, bench: ScriptedBench) -> None:
    going = replace(false_run(), status=RunStatus.RUNNING, verdict=None, finished_at=None)
    bench.runs.kept[going.id] = going
    at = open_page(use(bench), going.id)
    assert "IN PROGRESS" in shown(at)
    assert "started elsewhere" in shown(at)
    bench.runs.kept[going.id] = replace(false_run(), id=going.id)
    at.run()
    assert "IN PROGRESS" not in shown(at)
    assert at.error[0].value


def test_an_earlier_answer_is_offered_and_used(use: Use, bench: ScriptedBench) -> None:
    run = false_run()
    bench.runs.kept[run.id] = run
    card = bench.cards.add(wall_card(run_id=run.id))
    at = check(use(bench), card.claim)
    assert at.title[0].value == "Checked before"
    words = shown(at)
    for text in (card.claim, "Checked here on 21 Nov 2025", card.answer, "Claim:", "Only for the unaided eye."):
        assert text in words, text
    assert list(bench.runs.kept) == [run.id]
    open_page(at, run.id)
    click(at, "verify_edit")
    assert at.text_area(key="verify_claim").value == run.claim.text, "another claim takes the place of the choice"
    check(at, card.claim)
    click(at, "verify_earlier_back")
    assert at.text_area(key="verify_claim").value == card.claim
    click(at, "verify_check")
    click(at, "verify_earlier_use")
    assert at.query_params["run"] == run.id
    assert list(bench.runs.kept) == [run.id]
    click(at, "verify_new")
    assert at.text_area(key="verify_claim").value == ""


def test_an_earlier_answer_is_verified_anew(use: Use, bench: ScriptedBench) -> None:
    card = bench.cards.add(hostile_card(claim="The wall is visible"))
    at = check(use(bench), card.claim)
    assert "alert(1)" in shown(at)
    assert_no_markup(at)
    assert "verify_earlier_use" not in {button.key for button in at.button}, "a publisher's answer has no check"
    at.button(key="verify_earlier_anew").click()
    finish(at)
    (run,) = bench.runs.kept.values()
    assert run.claim.text == card.claim
    assert at.query_params["run"] == run.id
    assert "False" in at.error[0].value


def test_what_narrows_a_check_is_never_answered_from_a_card(use: Use, bench: ScriptedBench) -> None:
    card = bench.cards.add(wall_card())
    for field, value in (("context", "On television"), ("found_at", "https://a.example/x"), ("without", "a.example"),
                         ("only", "nasa.gov"), ("as_of", date(2024, 5, 6))):  # fmt: skip
        at = use(bench).run()
        at.text_area(key="verify_claim").input(card.claim)
        if field == "as_of":
            at.date_input(key="verify_as_of").set_value(value)
        else:
            (at.text_area if field == "context" else at.text_input)(key=f"verify_{field}").input(value)
        before = len(bench.runs.kept)
        at.button(key="verify_check").click()
        finish(at)
        assert at.title[0].value != "Checked before", field
        assert len(bench.runs.kept) == before + 1, field


def test_what_cannot_answer_is_not_offered(use: Use, bench: ScriptedBench, monkeypatch: Patch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise StoreError("The index is gone.")

    for changes in ({"origin": CardOrigin.LIBRARY}, {"expires_at": AT}, {"label": Label.TRUE}, {}):
        card = bench.cards.add(wall_card(**changes))
        if not changes:
            monkeypatch.setattr(bench.cards, "search", broken)
            monkeypatch.setattr(type(bench.cards), "search", broken)
        if changes.get("label"):  # two that hold and say otherwise
            bench.cards.add(wall_card(origin=CardOrigin.FACT_CHECK, publisher="The Moon Post"))
        at = check(use(bench), card.claim)
        finish(at)
        assert at.title[0].value != "Checked before", changes


def test_an_earlier_answer_that_cannot_be_read_leaves_the_claim(
    use: Use, bench: ScriptedBench, monkeypatch: Patch
) -> None:
    def broken(*_: object) -> None:
        raise StoreError("The disk cannot be read.")

    at = check(use(bench), bench.cards.add(wall_card()).claim)
    monkeypatch.setattr(bench.cards, "get", broken)
    assert "The disk cannot be read." in shown(at.run())
    at.button(key="verify_earlier_anew").click()
    finish(at)
    assert len(bench.runs.kept) == 1
