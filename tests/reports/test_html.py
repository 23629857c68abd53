"""The HTML report: complete, alone, and unable to carry markup from outside."""

import re
from collections.abc import Iterator
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from ghost.reports.markup import Html, anchor, element, joined
from ghost.types import ErrorKind, ErrorReport, Label, Override, Review, Run, SourceMark, TraceStep
from tests.reports.hostile import HOSTILE, poisoned
from tests.reports.runs import NOON, TEXT, cancelled, evidence, failed_at_once, finished, html, passage


class Reader(HTMLParser):
    """Elements with their attributes, and the text, as a browser would take them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def tags(self) -> list[str]:
        return [tag for tag, _ in self.found]

    @property
    def text(self) -> str:
        return " ".join(self.texts)


def links(page: Reader) -> Iterator[str]:
    for _, attributes in page.found:
        for name in ("href", "src"):
            if name in attributes:
                yield attributes[name] or ""


@pytest.mark.parametrize("hostile", HOSTILE)
def test_no_markup_from_outside_gets_into_a_page(hostile: str) -> None:
    page, twin = Reader(html(poisoned(hostile))), Reader(html(poisoned("harmless words")))

    def shape(of: Reader) -> list[str]:
        return [tag for tag in of.tags if tag not in ("a", "mark", "span")]

    assert shape(page) == shape(twin)
    assert not {"script", "img", "iframe", "object", "embed", "form", "base", "link"} & set(page.tags)
    known = {"class", "id", "href", "rel", "charset", "name", "content", "http-equiv", "lang", "scope"}
    assert {name for _, attributes in page.found for name in attributes} <= known
    assert all(link.startswith(("http://", "https://", "#evidence-")) for link in links(page))


@pytest.mark.parametrize("run", [finished(), cancelled(), failed_at_once()], ids=lambda r: r.status)
def test_the_page_fetches_nothing_and_runs_nothing(run: Run) -> None:
    text = html(run)
    page = Reader(text)
    policies = [a["content"] for _, a in page.found if a.get("http-equiv") == "Content-Security-Policy"]
    assert policies == ["default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"]
    assert "@import" not in text
    assert "url(" not in text
    assert not {"script", "img", "link"} & set(page.tags)
    assert page.tags.count("h1") == 1


def test_the_page_has_all_its_parts_in_order() -> None:
    page = Reader(html(finished()))
    order = ["False", "High confidence (91%)", TEXT, "What weakens it", "What would change this verdict", "Evidence",
             "Contradicts: 1 passage, 1 independent origin", "Citations that were not accepted", "How it was checked",
             "What left the machine", "Run r1"]  # fmt: skip
    at = 0
    for words in order:
        assert words in page.text[at:], words
        at = page.text.index(words, at)
    assert ("a", {"href": "#evidence-1"}) in page.found
    assert "https://www.nasa.gov/wall" in list(links(page))
    assert "mark" in page.tags


def test_both_verdicts_are_shown_the_analysts_first() -> None:
    override = Override(1, Label.MISLEADING, "It deceives.", NOON)
    noted = ErrorReport(2, ErrorKind.MISREAD, "See page 3", NOON)
    text = Reader(html(finished(review=Review(override, (noted,))))).text
    assert "The analyst's verdict, 2026-03-01: It deceives." in text
    assert "Ghost's own verdict, High confidence (91%). It is kept as it was." in text
    assert text.index("⚠ Misleading") < text.index("✘ False")
    assert "2026-03-01: A passage is misread: See page 3" in text


def test_a_confirmed_verdict_is_shown_once() -> None:
    page = Reader(html(finished(review=Review(Override(1, Label.FALSE, "", NOON)))))
    assert page.text.count("✘ False") == 1
    assert "confirmed by the analyst, 2026-03-01" in page.text


def test_a_run_without_a_verdict_says_so_and_keeps_its_evidence() -> None:
    text = Reader(html(cancelled())).text
    assert "No verdict" in text
    assert "The run is cancelled. The run was cancelled." in text
    assert TEXT in text


def test_what_the_analyst_notes_of_a_run_without_a_verdict_is_kept() -> None:
    mark = SourceMark(3, "domain", "nasa.gov", "Outdated.", NOON)
    text = Reader(html(replace(cancelled(), review=Review(None, (), (mark,))))).text
    assert "What the analyst notes" in text
    assert "nasa.gov marked as a bad source: Outdated." in text


def test_evidence_is_listed_by_side_with_its_origins() -> None:
    copy = evidence(number=2, kin="nearly the same text", passage=passage(id="p2", source_url="https://copy.example/"))
    text = Reader(html(finished(evidence=(evidence(), copy)))).text
    assert "2 links, 1 independent origin" in text
    assert "Contradicts: 2 passages, 1 independent origin" in text
    assert "origin 1, nearly the same text" in text


def test_quotes_are_marked_with_plain_or_typographic_signs() -> None:
    run = finished(evidence=(evidence(passage=passage(text="It said “so”, then left.")),))
    assert run.verdict
    cited = replace(run.verdict.citations[0], quote='said "so"')
    page = html(replace(run, verdict=replace(run.verdict, citations=(cited,))))
    assert "<mark>said “so”</mark>" in page


def test_notices_archived_copies_named_pages_and_narrowed_sites_are_told() -> None:
    run = finished(settings={"denied_here": ["blog.example"]})
    assert run.verdict
    row = {"url": "https://www.nasa.gov/wall", "state": "read", "verdict": "refutes"}
    row["notices"] = [{"kind": "retraction", "text": "This page was withdrawn."}]  # type: ignore[assignment]
    read = TraceStep("investigate", NOON, 0.1, "", "", {"links": ["https://www.nasa.gov/wall"]}, {"sources": [row]})
    cited = replace(
        run.verdict.citations[0], archived_url="https://web.archive.org/web/2024/https://www.nasa.gov/wall",
        archived_at=NOON,
    )  # fmt: skip
    verdict = replace(run.verdict, citations=(cited,))
    page = Reader(html(replace(run, verdict=verdict, steps=(*run.steps, read))))
    assert "Sites left out: blog.example" in page.text
    assert "it contradicts the claim." in page.text
    assert "Retraction: " in page.text
    assert "This page was withdrawn." in page.text
    assert "Archived copy of 2026-03-01: " in page.text
    assert cited.archived_url in list(links(page))


@pytest.mark.parametrize("url", ["javascript:alert(1)", "https://nasa.gov@evil.example/", "data:text/html,x", "a b"])
def test_an_address_that_is_not_plain_stays_text(url: str) -> None:
    assert anchor(url).startswith("<span")


def test_only_what_was_made_here_is_markup() -> None:
    assert element("p", "<b>", element("i", "x")) == "<p>&lt;b&gt;<i>x</i></p>"
    assert element("p", "a ", element("i", "x"), " b\n") == "<p>a <i>x</i> b </p>"
    assert element("p", title='"><script>') == '<p title="&quot;&gt;&lt;script&gt;"></p>'
    assert isinstance(joined("a"), Html)
    assert not re.search("[<>]", joined("<x>"))
