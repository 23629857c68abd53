"""The report of a run: what stands in it, what is folded, and what the analyst does with it, over real records."""

import json
import zipfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from config import Settings
from ghost.errors import StoreError
from ghost.reports import NOT_USED
from ghost.types import (
    Citation,
    ErrorKind,
    Intake,
    JudgeInfo,
    Kind,
    Label,
    Origin,
    Run,
    RunStatus,
    StanceLabel,
    Status,
    TraceStep,
)
from ghost.web import MAX_LINKS
from tests.pages.visits import Keep, Patch, Use, assert_no_markup, check, click, finish, open_page, shown
from tests.ui.bench import ScriptedBench
from tests.ui.samples import (
    AT,
    HOSTILE,
    broken_run,
    contested_run,
    false_run,
    hostile_run,
    leaning_run,
    misleading_run,
    open_run,
    opinion_run,
    searched_run,
)

RUN = "f" * 32


class ScriptedRatings:
    """Ratings in memory."""

    def __init__(self) -> None:
        self.kept: dict[str, float] = {}

    def rate(self, entry: str, credibility: float, reason: str = "") -> str:
        self.kept[entry] = credibility
        return entry

    def undo(self, change_id: str) -> None:
        del self.kept[change_id]


@pytest.fixture
def bench(stored: ScriptedBench) -> ScriptedBench:
    return stored


@pytest.fixture
def at(use: Use, bench: ScriptedBench) -> AppTest:
    return use(bench)


Opened = Callable[[Run], AppTest]


@pytest.fixture
def opened(at: AppTest, keep: Keep) -> Opened:
    """The report of a run."""
    return lambda run: open_page(at, keep(run).id)


def step(name: str, inputs: dict[str, object] | None = None, **outputs: object) -> TraceStep:
    return TraceStep(name, AT, 0.1, "decided", "why", inputs or {}, outputs)


def fold(at: AppTest, label: str) -> Any:
    [found] = [e for e in at.expander if e.label.startswith(label)]
    assert not found.proto.expanded
    return found


def words_in(block: Any) -> str:
    return "\n".join(e.value for e in (*block.markdown, *block.caption)).replace(":small[]", "").replace("\\", "")


def missing(words: str, *texts: str) -> list[str]:
    return [text for text in texts if text not in words]


def test_verdict_citations_and_what_it_rests_on_are_in_sight(opened: Opened) -> None:
    at = opened(false_run())
    words = shown(at)
    assert "False" in at.error[0].value
    assert not missing(
        words, "High confidence (93%)", "[[1]](#evidence-1) NASA says", "Published unknown", "Published 2 Mar 2024",
        ":yellow-background[no astronaut has seen it from the Moon]",
        "Contradicts**] 2 passages, 2 origins", "Supports: none", "Related, not decisive**] 1 passage",
    )  # fmt: skip
    other = fold(at, "Other evidence · 1 passage")
    assert [h.anchor for h in other.subheader] == ["evidence-3"], "the verdict does not cite it"
    assert [h.anchor for h in at.subheader] == ["evidence-1", "evidence-2", "evidence-3"]
    assert "The wall is invisible." in words_in(fold(at, "1 citation rejected by the gate"))
    assert "Nothing: no search was made" in words_in(fold(at, "What left this machine"))
    [bar] = [e.proto.body for e in at.get("html") if "ghost-balance" in e.proto.body and "<style>" not in e.proto.body]
    assert bar.count("flex:") == 1
    assert "flex:2;" in bar, "independent origins are counted"
    assert not missing(
        shown(opened(contested_run())), "Contested: good sources on both sides", "2 STATEMENTS",
        "Statement 1: contradicts 97%", "Statement 2: supports 90%",
    )  # fmt: skip


def test_the_evidence_says_how_it_got_in_and_a_note_is_no_quotation(opened: Opened) -> None:
    run = false_run()
    assert run.verdict
    entered = {"kind": Kind.EXCERPT, "intake": Intake.ENTERED}
    note = entered | {"kind": Kind.NOTE, "library_rating": 0.7}
    read = {"intake": Intake.READ, "retrieved_at": AT}
    weighed = zip(run.evidence, (read, entered, note), strict=True)
    evidence = tuple(replace(e, passage=replace(e.passage, **more)) for e, more in weighed)
    at = opened(replace(run, evidence=evidence))
    heads = [h.value.replace("\\", "") for h in at.subheader]
    assert heads[0] == "1 · NASA"
    assert heads[1].startswith("2 · A passage entered by hand from ")
    assert heads[2].startswith("3 · A note in the library (check it at UNESCO")
    words = shown(at)
    assert not missing(
        words, ":material/sticky_note_2: Note]", "Entered by hand, not checked against the page yet]",
        f"Read by Ghost on {AT.day} {AT:%b %Y}]", "(of the library; its page: ",
    )  # fmt: skip
    assert "> The wall is invisible." not in words_in(fold(at, "1 citation rejected by the gate"))


def test_each_ending_says_what_it_is_and_what_to_do(opened: Opened) -> None:
    for n, (run, *words) in enumerate((
        (opinion_run(), "Not Verifiable", "This is an opinion.", "Ask for something that can be counted."),
        (open_run(), "Not Enough Evidence", "No source speaks about it.", "Add a source that does.",
         "Why there is no verdict", "What would change this verdict", "says nothing about whether the claim is true"),
        (misleading_run(), "Misleading"),
        (broken_run(RunStatus.FAILED, "The disk is full."), "This check failed", "The disk is full."),
        (broken_run(RunStatus.INTERRUPTED, "It ended."), "This check was interrupted", "Kept: 3 steps"),
        (broken_run(RunStatus.CANCELLED, ""), "You cancelled this check", "Kept: 3 steps"),
    )):  # fmt: skip
        at = opened(replace(run, id=f"run-{n}"))
        assert not missing(shown(at), *words)
        if run.verdict and run.verdict.confidence is None:
            assert "%" not in at.info[0].value
            assert "leans" not in shown(at)


def test_a_leaning_is_small_grey_text_and_what_is_off_topic_is_no_evidence(
    opened: Opened, bench: ScriptedBench
) -> None:
    at = opened(leaning_run())
    words = shown(at)
    assert "Not Enough Evidence" in at.info[0].value
    assert not at.error
    assert not at.success
    leanings = [line for line in words.lower().splitlines() if "leans towards" in line]
    assert leanings
    assert all(":gray[:small[leans towards false" in line for line in leanings)
    assert "False" not in "\n".join(h.value for h in (*at.title, *at.header, *at.subheader))
    assert "The evidence is not clear enough for a verdict." in words
    assert "55%" not in words
    assert not missing(
        words_in(fold(at, f"{NOT_USED} · 2 passages")), "fish.example** Goldfish", "something else",
        "walls.example** Walls of", "too far from",
    )  # fmt: skip
    assert [h.anchor for h in at.subheader if str(h.anchor).startswith("evidence-")] == ["evidence-2", "evidence-3"]
    assert "2 links, 2 independent origins" in words
    assert "#evidence-4" not in words, "what is not drawn cannot be linked to"
    bench.reviews.override(leaning_run().id, Label.TRUE, "I read the register.")
    words = shown(open_page(at, leaning_run().id))
    assert "Ghost's verdict: :gray[:material/help: **Not Enough Evidence**]\n" in words


def test_the_sentence_on_verdicts_like_it_says_the_number_of_the_badge(opened: Opened) -> None:
    at = opened(false_run())
    assert "High confidence (93%)" in at.error[0].value
    assert "Of 100 verdicts like this one, 93 were right." in [m.value for m in at.markdown]


def test_a_judge_that_nobody_measured_has_no_confidence_and_says_so(opened: Opened) -> None:
    run = false_run()
    assert run.verdict
    at = opened(replace(run, verdict=replace(run.verdict, confidence=None), judge=JudgeInfo("cloud", "m")))
    assert "Confidence not measured for this model" in at.error[0].value
    assert "Of 100 verdicts" not in shown(at)


def test_with_a_verdict_of_your_own_nothing_explains_why_there_is_none(opened: Opened, bench: ScriptedBench) -> None:
    at = opened(open_run())
    for label, missing_words in ((Label.FALSE, "What would change"), (Label.NOT_ENOUGH_EVIDENCE, "There is none")):
        bench.reviews.override(open_run().id, label, "I read the register.")
        words = shown(open_page(at, open_run().id))
        assert "Why there is no verdict" not in words
        assert missing_words not in words


def test_a_judge_that_failed_is_named_and_one_that_is_not_set_up_is_not(opened: Opened) -> None:
    refused = "cloud (m at h): left at step 1 (classify). The key was refused."
    route = ("local: not asked. GHOST_LOCAL_BASE_URL is not set.", refused, "embedded (e): always there.")
    at = opened(replace(false_run(), judge=JudgeInfo("embedded", "e", route)))
    [line] = [m.value for m in at.markdown if "The first judge failed" in m.value]
    assert "The key was refused" in line
    at = opened(replace(false_run("1" * 32), judge=JudgeInfo("cloud", "m", ("cloud (m at h): set.",))))
    assert "The first judge failed" not in shown(at)


def test_how_the_language_model_reads_a_passage_is_the_last_thing_it_said(opened: Opened) -> None:
    first = step("sufficiency", statements=[{"statement": 1, "stances": {"[1]": "REFUTES"}}])
    for n, (statements, word) in enumerate((
        ([{"statement": 1, "stances": {"[1]": "SUPPORTS"}}], "supports"),
        ([{"statement": 1, "stances": {"x": "REFUTES", "[1]": "PERHAPS", "[2]": []}}, None, {"stances": []}],
         "contradicts"),
        (None, "contradicts"),
    )):  # fmt: skip
        run = replace(false_run(), id=f"run-{n}", steps=(first, step("sufficiency", statements=statements)))
        assert f"The language model reads it as: {word}" in shown(opened(run))


def test_the_searches_are_folded_with_the_result_of_every_hit(opened: Opened) -> None:
    at = opened(searched_run())
    assert not missing(
        shown(at), "the page itself was not read", "Not in the knowledge base", "Search snippet",
        "trusted sources: 1 of 2 hits kept", "2 searches with the words of its statements went to DuckDuckGo.",
    )  # fmt: skip
    inside = fold(at, "Searches · 2")
    assert "DuckDuckGo, failed: Honey in tombs" in words_in(inside).replace("**", "")
    assert "No answer." in words_in(inside)
    table = inside.table[0].value
    assert [cell.partition("] ")[2] for cell in table["Result"]] == [
        "kept", "dropped: not on the list of trusted sources",
    ]  # fmt: skip
    assert list(table["Published"]) == ["unknown", "2024\\-01\\-31"]


def test_hostile_text_is_text_and_never_markup(opened: Opened, bench: ScriptedBench) -> None:
    run = hostile_run()
    for made in (searched_run(title=HOSTILE), run):
        at = opened(made)
        assert HOSTILE[:40] in shown(at) or HOSTILE[:40] in str(at.table[0].value).replace("\\", "")
        assert_no_markup(at)
    bench.reviews.override(run.id, Label.TRUE, HOSTILE)
    bench.reviews.report_error(run.id, ErrorKind.OTHER, HOSTILE)
    bench.reviews.mark(run.id, "domain", "evil.example", HOSTILE)
    bench.cases.add(bench.cases.create(HOSTILE[:100]).id, [run.id])
    at = open_page(at, run.id)
    assert shown(at).count(HOSTILE[:40]) > 5
    assert_no_markup(at)


def test_fact_checkers_that_were_not_asked_have_not_found_nothing(opened: Opened) -> None:
    row = {"statement": 1, "sent_to": "DuckDuckGo", "why": "the limit of searches for one run is reached"}
    texts = {
        "not asked": "The fact-checkers could not be asked: DuckDuckGo: the limit of searches for one run is reached.",
        "answered": "No published fact-check of this was found.",
    }
    for state, words in texts.items():
        steps = [
            step("investigate", {"stage": stage}, searches=[row | {"state": of}])
            for stage, of in (("trusted", "answered"), ("fact_check", state))
        ]
        shown_here = shown(opened(replace(false_run(), id=f"run-{len(state)}", steps=tuple(steps))))
        assert [w in shown_here for w in texts.values()] == [w == words for w in texts.values()]
    review = {"claim": "Honey spoils.", "rating": "False", "reviewer": "Reuters Fact Check", "statement": 1}
    searches = [{"statement": 1, "sent_to": "DuckDuckGo", "state": "answered"}]
    reviews = [review | {"url": "https://evil.test/x", "known": False}]
    steps = [step("investigate", {"stage": "fact_check"}, searches=searches, reviews=reviews)]
    words = shown(opened(replace(false_run(), id="posing", steps=tuple(steps))))
    assert "evil.test (calls itself Reuters Fact Check; not a known fact-checker)" in words


def test_an_override_is_shown_beside_the_machines_verdict_and_undone(opened: Opened, bench: ScriptedBench) -> None:
    at = opened(false_run())
    click(at, "verify_override")
    at.radio(key="verify_override_label").set_value(Label.MISLEADING)
    click(at, "verify_override_keep")
    assert "say why your verdict differs" in shown(at)
    at.radio(key="verify_override_label").set_value(Label.MISLEADING)
    at.text_area(key="verify_override_reason").input("It **deceives**.")
    click(at, "verify_override_keep")
    assert "Misleading" in at.warning[0].value
    assert not missing(shown(at), "It **deceives**.", "Ghost's verdict:", "Your verdict is **Misleading**.")
    click(at, "verify_undo")
    assert "False" in at.error[0].value
    assert not missing(shown(at), "Undone.", "withdrawn")
    assert bench.reviews.of(RUN).override is None
    click(at, next(str(b.key) for b in at.button if b.label == "Restore"))
    assert "Misleading" in at.warning[0].value
    click(at, "verify_new")
    assert "(yours; Ghost: False)" in shown(at)


def test_a_verdict_is_confirmed_and_an_error_reported_and_withdrawn(opened: Opened, bench: ScriptedBench) -> None:
    at = opened(false_run())
    click(at, "verify_override")
    click(at, "verify_override_keep")
    assert "You confirmed this" in at.error[0].value
    assert bench.reviews.overrides()[0].agrees
    click(at, "verify_report_error")
    at.radio(key="verify_error_kind").set_value(ErrorKind.MISREAD)
    at.text_area(key="verify_error_note").input("Passage 2 speaks of orbit.")
    click(at, "verify_error_keep")
    assert not missing(shown(at), "A passage is misread", "Passage 2 speaks of orbit.")
    click(at, next(str(b.key) for b in at.button if b.label == "Withdraw"))
    assert bench.reviews.of(RUN).errors == ()


def test_a_passage_or_a_domain_is_marked_as_bad_with_a_reason_and_comes_back(
    opened: Opened, bench: ScriptedBench
) -> None:
    bench.ratings = rated = ScriptedRatings()
    at = opened(false_run())
    click(at, "verify_mark_2")
    click(at, "verify_mark_keep")
    assert "say why the source is bad" in shown(at)
    at.text_area(key="verify_mark_reason").input("Outdated.")
    click(at, "verify_mark_keep")
    assert bench.knowledge.get(["p2"])[0].status is Status.RETIRED
    assert "This passage is marked as bad**]: Outdated." in shown(at)
    click(at, "verify_unmark_2_passage")
    assert bench.knowledge.get(["p2"])[0].status is Status.ACTIVE
    assert "is marked as bad" not in shown(at)
    click(at, "verify_mark_2")
    at.radio(key="verify_mark_target").set_value("domain")
    at.text_area(key="verify_mark_reason").input("Satire.")
    click(at, "verify_mark_keep")
    assert rated.kept == {"britannica.com": 0.1}
    assert "britannica.com is marked as bad" in shown(at)
    click(at, "verify_unmark_2_domain")
    assert rated.kept == {}


def test_a_report_goes_into_a_case_and_out_of_it(opened: Opened, bench: ScriptedBench) -> None:
    at = opened(false_run())
    click(at, "verify_case_add")
    click(at, "verify_case_keep")
    assert "Choose a case, or type a name" in shown(at)
    case = bench.cases.create("Walls")
    click(at, "verify_case_add")
    at.selectbox(key="verify_case_name").set_value("Walls")
    click(at, "verify_case_keep")
    assert [c.name for c in bench.cases.holding(RUN)] == ["Walls"]
    click(at, f"verify_case_out_{case.id}")
    assert bench.cases.holding(RUN) == []
    click(at, "verify_undo")
    assert [c.name for c in bench.cases.holding(RUN)] == ["Walls"]


def test_every_file_is_offered_and_names_the_publisher_entered_on_the_page(
    downloads: dict[str, Callable[[], bytes]], opened: Opened
) -> None:
    at = opened(false_run())
    assert [*downloads] == ["HTML", "Markdown", "JSON", "Bundle"]
    assert at.code[0].value.endswith(f"run={RUN}")
    assert "A ClaimReview names who publishes it." in shown(at)
    at.text_input(key="verify_publisher_name").input("Example Checks").run()
    at.text_input(key="verify_publisher_url").input("https://checks.example").run()
    with ThreadPoolExecutor(1) as pool:  # as for a browser: in a thread that knows no visitor
        review = json.loads(pool.submit(downloads["Download"]).result())
        bundle = pool.submit(downloads["Bundle"]).result()
    assert (review["author"]["name"], review["author"]["url"]) == ("Example Checks", "https://checks.example")
    with zipfile.ZipFile(BytesIO(bundle)) as files:
        assert any(b"Example Checks" in files.read(name) for name in files.namelist())


def test_records_that_fail_leave_a_report_that_can_be_read(
    opened: Opened, bench: ScriptedBench, monkeypatch: Patch
) -> None:
    def fail(*_: object) -> None:
        raise StoreError("The disk is full.")

    for store, names in ((bench.reviews, ("of", "acts", "marks_of", "override")), (bench.cases, ("holding", "list"))):
        for name in names:
            monkeypatch.setattr(store, name, fail)
    at = opened(false_run())
    assert "False" in at.error[0].value
    assert "Your review of this check cannot be read now." in shown(at)
    click(at, "verify_override")
    click(at, "verify_override_keep")
    assert "The disk is full." in shown(at)


def test_a_link_is_added_in_the_middle_of_a_run(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path), stops_before="sufficiency")
    at = check(use(bench))

    def add(url: str) -> str:
        at.text_input(key="verify_link").input(url)
        return shown(click(at, "verify_link_add"))

    assert "will be read between two steps" in add("nasa.gov/wall")
    assert at.text_input(key="verify_link").value == ""
    assert "is no address of a web page" in add("javascript:alert(1)")
    assert at.text_input(key="verify_link").value == "javascript:alert(1)", "what was refused can be corrected"
    assert bench.boxes[0].named == ("https://nasa.gov/wall",)
    bench.boxes[0].close()
    assert "Too late for this check" in add("nasa.gov/moon")
    bench.gate.set()
    finish(at)


def test_a_claim_is_checked_again_with_the_added_pages_read_first(use: Use, tmp_path: Path) -> None:
    bench = ScriptedBench(Settings(data_dir=tmp_path))
    at = use(bench)

    def read(run: Run, url: str = "https://nasa.gov/wall") -> AppTest:
        bench.runs.kept[run.id] = run
        open_page(at, run.id)
        at.text_input(key="verify_link").input(url)
        return click(at, "verify_link_add")

    for typed in ("", "honey"):
        assert "Enter one such as https://example.org/page" in shown(read(false_run(), typed))
    base = false_run().settings
    full = base | {"links": [f"https://a.example/{n}" for n in range(MAX_LINKS)]}
    assert f"at most {MAX_LINKS} pages that you name" in shown(read(replace(false_run("1" * 32), settings=full)))
    assert bench.options == []
    pages = ["https://a.example/1", "https://a.example/2"]
    rows = [{"url": "https://a.example/2"}, {"url": "https://a.example/3"}]
    before = step("investigate", {"stage": "link", "links": [row["url"] for row in rows]}, searches=[], sources=rows)
    run = replace(false_run("2" * 32), settings=base | {"links": pages}, steps=(*false_run().steps, before))
    finish(read(run))
    assert at.query_params["run"] != run.id
    assert bench.options[-1]["follows"] == run.id
    assert bench.options[-1]["links"] == ("https://nasa.gov/wall", *pages, "https://a.example/3")
    assert bench.runs.kept[run.id] == run, "the first check stays as it is"


def test_the_result_of_added_pages_notices_and_copies_are_text(opened: Opened) -> None:
    run = false_run()
    assert run.verdict
    web = replace(run.evidence[0].passage, origin=Origin.WEB)
    url = web.source_url
    rows = [
        {"url": "https://gone.example/a", "state": "refused", "why": f"The server has no such page. {HOSTILE}"},
        {"url": url, "final_url": url, "state": "read", "verdict": "refutes", "title": HOSTILE,
         "notices": [{"kind": "retraction", "text": f"This article was retracted. {HOSTILE}"}]},
    ]  # fmt: skip
    cited = Citation(1, web.id, web.text, StanceLabel.REFUTES, True, "", url=url,
                     archived_url="https://web.archive.org/web/2024/https://a.example/",
                     archived_at=datetime(2024, 5, 3, tzinfo=UTC))  # fmt: skip
    links = step("investigate", {"stage": "link", "links": [row["url"] for row in rows]}, searches=[], sources=rows)
    at = opened(replace(
        run, evidence=(replace(run.evidence[0], passage=web), *run.evidence[1:]),
        verdict=replace(run.verdict, citations=(cited,)), steps=(*run.steps, links),
    ))  # fmt: skip
    assert not missing(
        shown(at), "Not read. The server has no such page.", "Read, and weighed with the rest: it contradicts the",
        "Retraction", "This article was retracted.", "Archived copy of 3 May 2024",
    )  # fmt: skip
    assert_no_markup(at)


def test_one_click_corrects_a_reading_decides_again_and_can_be_undone(
    opened: Opened, bench: ScriptedBench, at: AppTest
) -> None:
    run = false_run()
    at = opened(run)
    control = at.segmented_control(key="verify_reads_1_1")
    assert control.value == StanceLabel.REFUTES
    control.set_value(StanceLabel.NEUTRAL).run()
    at.segmented_control(key="verify_reads_2_1").set_value(StanceLabel.SUPPORTS).run()
    assert not at.exception
    words = shown(at)
    assert not missing(
        words, "Passage 2 supports the statement, as you read it. The verdict is now **", "Read by you: supports",
        "Read by you: neither supports nor contradicts", "Contradicts: none",
    )  # fmt: skip
    kept = bench.runs.get(run.id)
    assert kept
    assert kept.verdict
    assert kept.verdict.label is not Label.FALSE
    click(at, "verify_undo")
    assert at.segmented_control(key="verify_reads_2_1").value == StanceLabel.NEUTRAL, "as the verdict now cites it"
    bench.readings.set(1, False)
    back = bench.runs.get(run.id)
    assert back
    assert back.verdict == run.verdict
    at.run()
    assert not missing(shown(at), "High confidence (93%)")
    assert "Read by you" not in shown(at)


def test_a_passage_that_could_not_be_read_says_so_and_is_on_no_side(opened: Opened) -> None:
    run = false_run()
    first = replace(run.evidence[0], unreadable=True, stance=run.evidence[2].stance)
    assert run.verdict
    cited = tuple(c for c in run.verdict.citations if c.n != first.number)  # the gate refuses it
    verdict = replace(run.verdict, citations=cited)
    words = shown(opened(replace(run, verdict=verdict, evidence=(first, *run.evidence[1:]))))
    assert not missing(words, "Ghost could not read this passage", "Contradicts**] 1 passage", "decisive**] 2 passages")
