"""The reports to read, as HTML, Markdown and on a terminal: what they say, and in which order."""

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from ghost.reports import (
    NOT_MEASURED,
    CaseExport,
    Format,
    confidence,
    export,
    result,
    terminal,
    unpublishable,
)
from ghost.types import (
    ClaimType,
    Classification,
    ErrorKind,
    ErrorReport,
    Intake,
    Kind,
    Label,
    Leaning,
    Override,
    Review,
    Run,
    RunStatus,
    SourceMark,
    Statement,
    StatementVerdict,
    Timing,
    TraceStep,
    Verdict,
)
from tests.reports import runs
from tests.reports.runs import (
    NOON,
    PUBLISHER,
    TEXT,
    Page,
    cancelled,
    case,
    evidence,
    failed_at_once,
    finished,
    html,
    markdown,
    passage,
    unpack,
)

Made = Callable[[Run], str]
LEANS = "leans towards false"


def page_text(run: Run) -> str:
    return " ".join(Page(html(run)).text.split())


def plain(run: Run) -> str:
    return " ".join(markdown(run).replace("\\", "").split())


both = pytest.mark.parametrize("made", [page_text, plain], ids=["html", "markdown"])


@pytest.mark.parametrize("run", [finished(), cancelled(), failed_at_once()], ids=lambda r: r.status)
def test_the_page_fetches_nothing_and_runs_nothing(run: Run) -> None:
    text = html(run)
    page = Page(text)
    policies = [a["content"] for _, a in page.found if a.get("http-equiv") == "Content-Security-Policy"]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"]
    assert "@import" not in text
    assert "url(" not in text
    assert not {"script", "img", "link"} & set(page.tags)
    assert page.tags.count("h1") == 1
    assert "prefers-color-scheme: dark" in text
    assert "@media print" in text


@both
@pytest.mark.parametrize(
    "order",
    [["The Great Wall", "False", "High confidence (91%)", "Contradicts: 1 passage, 1 independent origin",
      "NASA says", "Decisive evidence", TEXT, "Keep in mind", "What would change this verdict",
      "Rejected citations", "What left this machine", "Run r1"]],
)  # fmt: skip
def test_the_verdict_comes_first_then_what_decides_then_the_rest(made: Made, order: list[str]) -> None:
    text, at = made(finished()), 0
    for words in order:
        assert words in text[at:], words
        at = text.index(words, at)


def test_quotes_are_marked_and_numbers_lead_to_their_evidence() -> None:
    run = finished(evidence=(evidence(passage=passage(text="It said “so”, then left.")),))
    assert run.verdict
    cited = replace(run.verdict.citations[0], quote='said "so"')
    page = html(replace(run, verdict=replace(run.verdict, citations=(cited,), explanation="So [1], and [2].")))
    assert "<mark>said “so”</mark>" in page
    assert '<a href="#evidence-1">[1]</a>, and [2].' in page


HASH = "a" * 64
NOTE = {"kind": Kind.NOTE, "intake": Intake.ENTERED, "library_rating": 0.7}


@both
@pytest.mark.parametrize(
    ("source", "says"),
    [
        ({"intake": Intake.READ, "text_hash": HASH, "retrieved_at": NOON}, "read by Ghost on 2026-03-01"),
        ({"intake": Intake.READ_EARLIER}, "read by an earlier version, text not kept"),
        ({"intake": Intake.ENTERED}, "entered by hand, not checked against the page yet"),
        (
            {"intake": Intake.ENTERED, "trusted": True},
            "entered by hand, not checked against the page yet, marked as trusted",
        ),
        (NOTE, "A note in the library (check it at NASA: China’s Wall)"),
        ({"snippet": True}, "search snippet, page not read"),
    ],
)
def test_how_each_passage_got_in(made: Made, source: dict[str, Any], says: str) -> None:
    p = passage(title="China’s Wall", **source)
    run = finished(evidence=(evidence(passage=p),), verdict=None, status=RunStatus.CANCELLED)
    text = made(run)
    assert says in text.replace("\\", "")
    others = {"read by Ghost", "by an earlier version", "entered by hand", "library", "snippet"}
    assert [words for words in sorted(others) if words in text and words not in says] == []
    excerpt = p.kind is not Kind.NOTE
    assert (f"<blockquote>{TEXT}" in html(run), f"> {TEXT}" in markdown(run)) == (excerpt, excerpt)


def test_every_form_for_programs_says_whose_words_a_quote_is() -> None:
    run = finished(evidence=(evidence(passage=passage(**NOTE)),))
    assert run.verdict
    cited = tuple(replace(c, kind=Kind.NOTE, intake=Intake.ENTERED, publisher="NASA") for c in run.verdict.citations)
    values = result(replace(run, verdict=replace(run.verdict, citations=cited)))
    assert [(c["kind"], c["intake"]) for c in values["citations"]] == [("note", "entered")] * 2
    assert values["citations"][0]["cited_as"].startswith("A note in the library (check it at NASA: ")
    assert [(e["kind"], e["intake"], e["trusted"]) for e in values["evidence"]] == [("note", "entered", False)]


@both
def test_the_figures_of_a_conversation_stand_beside_its_verdict(made: Made) -> None:
    text = made(runs.conversed())
    assert "4% true · high potential harm" in text
    assert "Single conversation" in text
    assert "harm" not in made(finished())
    assert "4% true · high potential harm" in terminal(runs.conversed())


@both
def test_both_verdicts_are_shown_the_analysts_first(made: Made) -> None:
    noted = ErrorReport(2, ErrorKind.MISREAD, "See page 3", NOON)
    mark = SourceMark(3, "passage", "p1", "Outdated.", NOON)
    run = finished(review=Review(Override(1, Label.MISLEADING, "It deceives.", NOON), (noted,), (mark,)))
    text = made(run)
    assert "the analyst's verdict, 2026-03-01: It deceives." in text
    assert "High confidence (91%) · Ghost's own verdict" in text
    assert text.index("the analyst's verdict") < text.index("Ghost's own verdict")
    assert "2026-03-01: A passage is misread: See page 3" in text
    assert "2026-03-01: passage [1] marked as bad: Outdated." in text
    assert terminal(run).startswith(
        "Misleading: the analyst's verdict, 2026-03-01: It deceives.\nGhost's own verdict:\nFalse · High confidence"
    )
    values = result(run)
    assert (values["verdict"]["label"], values["final_label"]) == ("False", "Misleading")
    assert values["override"] == {
        "label": "Misleading", "reason": "It deceives.", "at": "2026-03-01T12:00:00+00:00", "confirms": False,
    }  # fmt: skip
    assert [e["kind"] for e in values["error_reports"]] == ["misread"]
    assert [m["name"] for m in values["source_marks"]] == ["p1"]


@both
def test_a_run_without_a_verdict_says_so_and_keeps_its_evidence_and_notes(made: Made) -> None:
    mark = SourceMark(3, "domain", "nasa.gov", "Outdated.", NOON)
    text = made(replace(cancelled(), review=Review(None, (), (mark,))))
    assert "No verdict" in text
    assert "he run is cancelled. The run was cancelled." in text
    assert TEXT in text
    assert "nasa.gov marked as a bad source: Outdated." in text
    assert "The disk is full." in made(failed_at_once())
    assert "Evidence" not in made(failed_at_once())


@both
def test_an_abstention_says_why_and_quietly_what_it_leans_to(made: Made) -> None:
    text = made(runs.leaning())
    assert text.count(LEANS) == 1
    assert text.index("Not Enough Evidence") < text.index(LEANS) < text.index("Why there is no verdict")
    assert "Strongest evidence" in text
    assert "Decisive evidence" not in text


def test_a_leaning_is_never_drawn_as_a_verdict() -> None:
    page = html(runs.leaning())
    assert f'<p class="meta">({LEANS})</p>' in page
    assert "<title>Not Enough Evidence: " in page
    assert not re.search(r'class="verdict (red|green|orange)', page)
    assert not re.search(r"<h\d>[^<]*(leans|False)", page)
    assert "%" not in page[page.index("<main>") : page.index("Why there is no verdict")]
    text = markdown(runs.leaning())
    assert "**False**" not in text
    assert not re.search(r"^#.*(leans|False)", text, re.MULTILINE)
    for color in (True, False):
        lines = terminal(runs.leaning(), 100, color).splitlines()
        assert "Not Enough Evidence" in lines[0]
        assert "confidence" not in lines[0]
        assert f"  ({LEANS})" in lines
        assert "\x1b[1;31m" not in "\n".join(lines)


def test_no_list_table_or_claim_review_has_a_leaning() -> None:
    made = CaseExport(case(), PUBLISHER)
    made.add(runs.leaning())
    files = unpack(made.finish())
    assert LEANS not in files["summary.md"].decode()
    assert "**Not Enough Evidence**\n" in files["summary.md"].decode()
    row = next(csv.DictReader(io.StringIO(files["checks.csv"].decode("utf-8-sig"))))
    assert (row["ghost's verdict"], row["final verdict"], row["confidence"]) == ("Not Enough Evidence",) * 2 + ("",)
    assert unpublishable(runs.leaning())
    packed = unpack(export(runs.leaning(), Format.BUNDLE, PUBLISHER))
    assert "claimreview.json" not in packed
    assert json.loads(packed["manifest.json"])["label"] == "Not Enough Evidence"


@both
def test_each_statement_has_its_own_words(made: Made) -> None:
    open_one = StatementVerdict(2, Label.NOT_ENOUGH_EVIDENCE, None, 0.1, 0.4, leaning=Leaning(Label.TRUE, 0.5))
    sure_one = StatementVerdict(1, Label.FALSE, 0.91, 0.02, 0.9)
    said = Classification(ClaimType.FACTUAL, 0.9, (Statement(1, "One."), Statement(2, "Two.")), "Both can be checked.")
    verdict = Verdict(Label.FALSE, 0.7, "", statements=(sure_one, open_one))
    text = made(finished(classification=said, verdict=verdict)).replace("**", "")
    assert "One. False · High confidence (91%)" in text
    assert "Two. Not Enough Evidence · leans towards true" in text


def test_dates_and_origins_are_told_apart() -> None:
    copy = evidence(
        number=2, kin="nearly the same text as that of *NASA*", timing=Timing.UNDATED,
        passage=passage(id="p2", source_url="https://copy.example/", published_at=None, indexed_at=None),
    )  # fmt: skip
    run = finished(evidence=(evidence(), copy))
    text, page = markdown(run), page_text(run)
    assert "2 links, 1 independent origin." in text
    assert "Contradicts: 2 passages, 1 independent origin" in page
    assert "origin 1, nearly the same text" in page
    assert "| 2005-05-09 | date unknown | 2026-03-01 |" in text
    assert "| date unknown (without a date, counts less) | date unknown | not indexed |" in text
    assert "- \\[2\\] is of origin 1: nearly the same text as that of \\*NASA\\*" in text
    held = passage(published_at=None, as_of="2024", rated=False)
    text = markdown(finished(evidence=(evidence(passage=held),)))
    assert "| as of 2024 |" in text
    assert "(unrated)" in text
    late = passage(published_at=date(2019, 5, 1), as_late_as=date(2024, 5, 1))
    text = markdown(finished(evidence=(evidence(timing=Timing.UNDATED, passage=late),)))
    assert "| 2019-05-01 (may be from as late as 2024-05-01, counts less) |" in text


@both
def test_notices_archived_copies_added_pages_and_narrowed_sites_are_shown(made: Made) -> None:
    run = finished(settings={"denied_here": ["blog.example"]})
    assert run.verdict
    notices = [{"kind": "retraction", "text": "This page was withdrawn."}]
    row = {"url": "https://www.nasa.gov/wall", "state": "read", "verdict": "refutes", "notices": notices}
    read = TraceStep("investigate", NOON, 0.1, "", "", {"links": ["https://www.nasa.gov/wall"]}, {"sources": [row]})
    copy = "https://web.archive.org/web/2024/https://www.nasa.gov/wall"
    cited = replace(run.verdict.citations[0], archived_url=copy, archived_at=NOON)
    run = replace(run, verdict=replace(run.verdict, citations=(cited,)), steps=(*run.steps, read))
    text = made(run)
    assert "Sites left out: blog.example" in text
    assert "it contradicts the claim." in text
    assert "etraction" in text
    assert "This page was withdrawn." in text
    assert "Archived copy of 2026-03-01: " in text
    assert copy in list(Page(html(run)).links)


def test_the_terminal_keeps_its_width_but_breaks_no_address() -> None:
    text = terminal(finished(), 100)
    assert text.startswith("False · High confidence (91%)\n")
    assert f'"{TEXT}"' in " ".join(text.split())
    assert "Not accepted: The quote does not stand" in text
    assert "Left the machine: Nothing" in text
    for width in (40, 60, 100):
        assert max(map(len, terminal(finished(), width).splitlines())) <= width
    run = finished()
    assert run.verdict
    url = "https://www.nasa.gov/" + "long-path/" * 20
    cited = replace(run.verdict.citations[0], url=url)
    assert url in terminal(replace(run, verdict=replace(run.verdict, citations=(cited,))), 40)


def test_the_terminal_is_coloured_only_when_asked_and_shows_runs_without_a_verdict() -> None:
    assert "\x1b[1;31mFalse\x1b[0m" in terminal(finished(), color=True)
    assert "\x1b" not in terminal(finished(), color=False)
    assert "No verdict: the run is failed. The disk is full." in terminal(failed_at_once())
    assert TEXT.split(",")[0] in " ".join(terminal(cancelled()).split())


@pytest.mark.parametrize(
    ("share", "words"),
    [
        (0.6, "Low confidence (60%)"), (0.74, "Low confidence (74%)"), (0.75, "Medium confidence (75%)"),
        (0.8949, "Medium confidence (89%)"), (0.8951, "High confidence (90%)"), (0.999, "High confidence (99%)"),
        (None, NOT_MEASURED),
    ],
)  # fmt: skip
def test_the_level_fits_the_number_beside_it(share: float | None, words: str) -> None:
    assert confidence(Verdict(Label.TRUE, share, "")) == words
    assert confidence(Verdict(Label.NOT_ENOUGH_EVIDENCE, share, "")) == ""
