"""Whole runs over single pages with the shipped models: what a page does not say itself settles no claim."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime

import pytest

from config import Settings
from ghost.reports import result
from ghost.types import Claim, FrameKind, Label, Run
from ghost.web import Fetched, Links
from ghost.workbench import Workbench, build
from tests.reports.runs import html, markdown

HOST = "https://news.test/"
BEFORE = (
    "<p>The harbour council of {place} met on Tuesday to decide on repairs before winter, and many came to listen.</p>"
)
SAID = "The {place} bridge was sold to a foreign company."
LIST = f"<ul><li>{SAID}</li><li>The pier is made of glass.</li></ul>"
CLAIM = "<p><b>CLAIM:</b></p><p>{said}</p><p><b>RATING:</b></p><p><img src=a.png alt='{rating}'></p>"
FRAMED = {
    "Ostwick": (FrameKind.MYTH, f"<h2>Common misconceptions</h2>{LIST}"),
    "Lunden": (FrameKind.MYTH, f"<h2>Häufige Irrtümer</h2>{LIST}"),
    "Arvik": (FrameKind.QUIZ, f"<h2>Vrai ou faux ?</h2>{LIST}<p>Réponses : 1 faux, 2 faux.</p>"),
    "Belcastro": (FrameKind.MARK, f"<p>{SAID}<sup>[<i>citation needed</i>]</sup> It has two towers.</p>"),
    "Corvane": (FrameKind.DISPUTED, f"<table class=ambox><tr><td>This article may be a hoax.</table><p>{SAID}</p>"),
    "Dunmore": (FrameKind.REFERENCE, f"<h2>Further reading</h2><ul><li>Velde, J. (2001). {SAID} Herald.</li></ul>"),
    "Elmstad": (FrameKind.TAKEN_BACK, f"<p>{SAID} That is what thousands of people read on Monday.</p>"),
    "Farholm": (FrameKind.QUOTE, f"<blockquote><p>{SAID}</p><footer>— a leaflet</footer></blockquote>"),
    "Gravenhead": (FrameKind.SPEAKER, f"<p>KRULL: {SAID}</p><p>SOLVANE: That is a lie, Senator.</p>"),
    "Hestnes": (FrameKind.LETTER, f"<h2>Leserbriefe</h2><p>{SAID} When will your paper write about it? J. V.</p>"),
    "Ilmar": (FrameKind.ANSWER, f"<div class=answer><span>-14 votes</span><p>{SAID}</p></div>"),
    "Jorvale": (FrameKind.FICTION, f"<h2>Handlung</h2><p>{SAID} The heroine leaves the town by night.</p>"),
    "Kestrel": (FrameKind.CLAIM, CLAIM.format(said=SAID, rating="")),
}
PLAIN = {
    "Lorne": f"<p>{SAID} The land register confirms the sale.</p>",
    "Mirwick": f"<h2>Myths</h2><ul><li>The pier is made of glass.</li></ul><h2>What is known</h2><p>{SAID}</p>",
    "Norvale": f"<p>{SAID}</p><blockquote class=pullquote>{SAID}</blockquote>",
    "Overby": f"<h2>In short</h2><ul><li>{SAID}</li><li>The price is not known.</li></ul>",
    "Pellham": f"<blockquote>{SAID} It is a pity.</blockquote><p>{SAID} The deed is dated 4 May.</p>",
}
Check = Callable[..., Run]


@pytest.fixture(scope="module")
def check(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Check]:
    """Runs over one page, which is read without a search."""
    pages: dict[str, bytes] = {}

    class Pages:
        def fetch(self, url: str, seconds: float, check: Callable[[], None]) -> Fetched:
            body = pages[url]
            return Fetched(url, url, 200, "text/html", "", body, len(body), 0.01, datetime.now(UTC))

    folder = tmp_path_factory.mktemp("frames")
    settings = Settings(data_dir=folder, web=True, source_credibility={"news.test": 0.9})
    with build(settings, judge="embedded") as bench:
        bench._fetcher = Pages()

        def run(bench: Workbench, place: str, body: str) -> Run:
            html = (
                f"<html lang=en><title>News of {place}</title><article><h1>News of {place}</h1>{BEFORE}{body}</article>"
            )
            url = f"{HOST}{place}"
            pages[url] = html.replace("{place}", place).encode()
            events = list(bench.verify(Claim(SAID.format(place=place)), links=Links((url,)), web=False))
            found = bench.runs.get(events[0].run_id)  # type: ignore[union-attr]
            assert found
            assert found.verdict
            return found

        yield lambda place, body: run(bench, place, body)


@pytest.mark.parametrize("place", FRAMED)
def test_what_is_not_the_pages_own_word_is_no_support(check: Check, place: str) -> None:
    kind, body = FRAMED[place]
    run = check(place, body)
    assert run.verdict
    assert run.verdict.label in (Label.NOT_ENOUGH_EVIDENCE, Label.FALSE)
    said = [e for e in run.evidence if SAID.format(place=place) in e.passage.text]
    assert all(e.passage.frame.kind is kind and e.stance.supports == 0.0 for e in said)
    shown = [html(run), markdown(run)]
    for e in said:
        assert e.passage.frame.line in " ".join(step.reason for step in run.steps)
        assert all(e.passage.frame.line.split("“")[0] in text for text in shown)
        assert any(row["frame"] and row["frame"]["kind"] == kind for row in result(run)["evidence"])


def test_a_pictured_rating_decides(check: Check) -> None:
    run = check("Quarne", CLAIM.format(said=SAID, rating="False"))
    assert run.verdict
    assert run.verdict.label is Label.FALSE
    assert not any("RATING" in c.quote for c in run.verdict.citations)


@pytest.mark.parametrize("place", PLAIN)
def test_what_the_page_says_itself_still_counts(check: Check, place: str) -> None:
    run = check(place, PLAIN[place])
    assert run.verdict
    assert run.verdict.label is Label.TRUE
