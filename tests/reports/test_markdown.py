"""The Markdown report: complete, and unable to carry markup from outside."""

import re
from dataclasses import replace
from datetime import date

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from ghost.reports import result, terminal
from ghost.reports.markdown import escape, markdown
from ghost.types import (
    Claim,
    ErrorKind,
    ErrorReport,
    JudgeInfo,
    Label,
    Override,
    Review,
    Run,
    SourceMark,
    Timing,
    Usage,
)
from tests.reports.runs import NOON, TEXT, cancelled, evidence, failed_at_once, finished, passage

HOSTILE = (
    "<script>alert(1)</script>",
    "<b>bold</b> &amp; &lt;",
    "[click](https://evil.example) ![img](https://evil.example/x.png)",
    "# heading",
    "- list",
    "1. list",
    "> quote",
    "--- | --- | ---",
    "a | b | c",
    "`code` ``` fence",
    "*bold* **bold** _em_ ~~gone~~",
    "https://evil.example www.evil.example me@evil.example",
    ":red[streamlit] :material/home: :smile: $x^2$",
    "one\n\n# two\r\nthree\u2028four\x85five",
    "\\[a](b) \\",
    "\x1b[31mred\u202eevil\x00",
    "=====",
    "    indented",
    "[ref]: https://evil.example",
)


def _tokens(text: str) -> list[Token]:
    flat: list[Token] = []
    for token in MarkdownIt("gfm-like", {"linkify": False}).enable(["table", "strikethrough"]).parse(text):
        flat += [token, *(token.children or [])]
    return flat


def _rendered(text: str) -> str:
    return "".join(t.content for t in _tokens(text) if t.type == "text").strip()


@pytest.mark.parametrize("hostile", HOSTILE)
def test_escaped_text_is_only_text(hostile: str) -> None:
    kinds = {t.type for t in _tokens(escape(hostile))}
    assert kinds <= {"paragraph_open", "paragraph_close", "inline", "text", "text_special"}


@pytest.mark.parametrize(
    "text", ["Plain words, 5 % of 3.2 (rounded); it's fine.", "C# costs $5 | a*b_c <d> [e] \\ 1:2"]
)
def test_escaped_text_reads_as_before(text: str) -> None:
    assert _rendered(escape(text)) == text


def _poisoned(text: str) -> Run:
    """A run with outside text wherever outside text can come in."""
    run = finished()
    assert run.verdict
    assert run.classification
    cited = replace(run.verdict.citations[0], quote=text, title=text, url=text, domain=text, why=text)
    return replace(
        run,
        claim=Claim(text, text, None, text),
        judge=JudgeInfo(text, text, (text,)),
        settings={text: text},
        classification=replace(run.classification, reason=text),
        evidence=(evidence(passage=passage(text=text, title=text, publisher=text, domain=text, source_url=text)),),
        verdict=replace(run.verdict, explanation=text, citations=(cited, replace(cited, accepted=False))),
        steps=(replace(run.steps[0], name=text, decision=text, reason=text),),
        usage=Usage(1, 1, 1, 0.1, 1.0),
        error=text,
    )


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_markup_from_outside_gets_into_a_report(hostile: str) -> None:
    def shape(run: Run) -> list[str]:
        return [t.type for t in _tokens(markdown(run)) if t.type not in ("text", "text_special")]

    assert shape(_poisoned(hostile)) == shape(_poisoned("harmless words"))


def test_the_report_has_all_its_parts() -> None:
    text = markdown(finished())
    assert re.findall(r"^#+ (.*)$", text, re.MULTILINE) == [
        "The Great Wall of China is visible from space.",
        "What weakens it",
        "What would change this verdict",
        "Citations",
        "Citations that were not accepted",
        "Evidence",
        "Steps",
        "What left the machine",
        "Settings",
    ]
    assert "**False** · High confidence (91%)" in text
    assert "Evidence up to 2026-01-01 only" in text
    assert f"> {escape(TEXT)}" in text
    assert "<https://www.nasa.gov/wall>" in text
    assert "Nothing: no search was made" in text
    assert "60 entries" in text


def test_what_left_the_machine_is_counted() -> None:
    text = markdown(finished(usage=Usage(searches=1, fetches=3, tokens=1234), judge=JudgeInfo("cloud", "gpt-x")))
    assert "1 search with the words of its statements went to search providers." in text
    assert "3 pages were fetched from the web." in text
    assert "language model gpt-x (cloud judge, 1,234 tokens)" in text
    assert "Nothing" not in text


def test_a_run_without_a_verdict_says_so_and_keeps_its_evidence() -> None:
    text = markdown(cancelled())
    assert "**No verdict**: the run is cancelled. The run was cancelled." in text
    assert "## Evidence" in text
    assert "**False**" not in text


def test_what_the_analyst_notes_of_a_run_without_a_verdict_is_kept() -> None:
    noted = ErrorReport(2, ErrorKind.MISSING, "The census", NOON)
    mark = SourceMark(3, "domain", "nasa.gov", "Outdated.", NOON)
    text = markdown(replace(cancelled(), review=Review(None, (noted,), (mark,))))
    assert "- 2026-03-01: Important evidence is missing: The census" in text
    assert "marked as a bad source: Outdated." in text


def test_a_run_that_ended_at_once() -> None:
    text = markdown(failed_at_once())
    assert "The disk is full." in text
    assert "## Evidence" not in text


@pytest.mark.parametrize(
    "url", ["javascript:alert(1)", "https://a.example/x y", "https://a.example/<b>", "file:///etc/x"]
)
def test_only_plain_web_addresses_become_links(url: str) -> None:
    run = finished(claim=Claim("A claim.", found_at=url), evidence=(), verdict=None)
    assert "link_open" not in {t.type for t in _tokens(markdown(run))}


def test_both_verdicts_stand_in_the_report_and_on_the_terminal() -> None:
    noted = ErrorReport(2, ErrorKind.MISSING, "The *census*", NOON)
    mark = SourceMark(3, "passage", "p1", "Outdated.", NOON)
    run = finished(review=Review(Override(1, Label.MISLEADING, "It deceives.", NOON), (noted,), (mark,)))
    text = markdown(run)
    assert "**Misleading** (the analyst's verdict, 2026-03-01: It deceives.)" in text
    assert "Ghost's own verdict:\n**False** · High confidence (91%)" in text
    assert "- 2026-03-01: Important evidence is missing: The \\*census\\*" in text
    assert "- 2026-03-01: passage \\[1\\] marked as bad: Outdated." in text
    shown = terminal(run)
    assert shown.startswith(
        "Misleading: the analyst's verdict, 2026-03-01: It deceives.\nGhost's own verdict:\nFalse · High confidence"
    )
    values = result(run)
    assert values["verdict"]["label"] == "False"
    assert values["final_label"] == "Misleading"
    assert values["override"] == {
        "label": "Misleading", "reason": "It deceives.", "at": "2026-03-01T12:00:00+00:00", "confirms": False,
    }  # fmt: skip
    assert [e["kind"] for e in values["error_reports"]] == ["missing"]
    assert [m["name"] for m in values["source_marks"]] == ["p1"]


def test_dates_and_origins_are_told_apart() -> None:
    copy = evidence(
        number=2, kin="nearly the same text as that of *NASA*", timing=Timing.UNDATED,
        passage=passage(id="p2", source_url="https://copy.example/", published_at=None, indexed_at=None),
    )  # fmt: skip
    text = markdown(finished(evidence=(evidence(), copy)))
    assert "2 links, 1 independent origin." in text
    assert "| Published | Retrieved | Indexed |" in text
    assert "| 2005-05-09 | date unknown | 2026-03-01 |" in text
    assert "| date unknown (without a date, counts less) | date unknown | not indexed |" in text
    held = passage(published_at=None, as_of="2024")
    text += markdown(finished(evidence=(evidence(passage=replace(held, rated=False)),)))
    assert "| as of 2024 |" in text
    assert "(unrated)" in text
    late = passage(published_at=date(2019, 5, 1), as_late_as=date(2024, 5, 1))
    text += markdown(finished(evidence=(evidence(timing=Timing.UNDATED, passage=late),)))
    assert "| 2019-05-01 (may be from as late as 2024-05-01, counts less) |" in text
    assert "- \\[2\\] is of origin 1: nearly the same text as that of \\*NASA\\*" in text
