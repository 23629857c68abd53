"""Attacked pages before both judges, as search hits and fetched over HTTP: the outcome is that of the clean twin, or an
abstention. Before the embedded judge, and before a model that obeys whatever it reads."""

from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from urllib.parse import urlsplit

import pytest

from config import Settings
from ghost.events import RunEnded
from ghost.knowledge import forged_markup, suspicious, suspicious_address
from ghost.testing import ScriptedLLM, ScriptedSearch
from ghost.types import Claim, Label, Run
from ghost.web import Fetcher, FetchLimits, Hit
from ghost.workbench import Workbench, build
from tests.attacks.obedient import Obedient
from tests.attacks.pages import (
    ATTACKS,
    CLAIM,
    EVERY,
    LIE,
    PARAGRAPHS,
    SEEN,
    TITLE,
    URL,
    Attack,
    blocks,
    folded,
    page,
    passages,
    said,
)  # fmt: skip
from tests.attacks.polite import Remembering
from tests.judged import judged
from tests.web.sites import HTML, Request, Site, named, site
from tests.web.sites import page as answer

HOST = "calder-gazette.example"
SNIPPET = "What the Calder Gazette has on the bridge and its inspection."
"""On the subject, and nothing more: the page itself has to be read."""
BESIDE = ("1968", "Traffic", "Traffic resumed on 12 March.", "It was cold.")
OURS = ("SNIPPET of a search engine for", "ENTERED BY HAND, not checked against")
"""What we say of a source."""
INNOCENT = (*PARAGRAPHS, *said(PARAGRAPHS), TITLE, HOST, "Calder Gazette", "date unknown", SNIPPET, *BESIDE, *OURS)
HELD = (Label.FALSE, Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE)
"""What the clean twin settles, and abstentions."""


def hits(attack: Attack) -> tuple[Hit, ...]:
    """What a careless search engine shows of a page: the hostile text alone and after a sentence of the page."""
    snippets = (PARAGRAPHS[0], attack.says, f"{PARAGRAPHS[2]} {attack.says}", *blocks(page(attack)))
    return tuple(Hit(attack.url, unescape(attack.title), s, "scripted") for s in snippets)


def read_hits(attack: Attack | None) -> tuple[Hit, ...]:
    """What is left of its text once it was read, the article's own first."""
    found = sorted(passages(blocks(page(attack))), key=lambda p: p not in PARAGRAPHS)
    title, url = (unescape(attack.title), attack.url) if attack else (TITLE, URL)
    return tuple(Hit(url, title, p, "scripted") for p in found if len(p.split()) > 4 and p != TITLE)


def left(shown: tuple[Hit, ...]) -> tuple[Hit, ...]:
    """The hits that screening lets pass: of attacks that leave the same, one is judged."""
    return tuple(
        hit
        for hit in shown
        if not (suspicious(f"{hit.title} {hit.snippet}") or forged_markup(hit.title) or suspicious_address(hit.url))
    )


class House:
    """One workbench whose search engine and judge are exchanged."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench

    def label(self, shown: tuple[Hit, ...], judge: str) -> Label:
        """The verdict on the claim over these hits; every accepted quote stands in the evidence."""
        self.bench._providers = (ScriptedSearch(shown),)
        *_, end = self.bench.verify(Claim(CLAIM))
        assert isinstance(end, RunEnded)
        self.run = self.bench.runs.get(end.run_id)
        assert self.run
        assert not self.run.error
        assert self.run.judge.name == judge
        assert self.run.verdict
        texts = {e.number: folded(e.passage.text) for e in self.run.evidence}
        assert all(folded(c.quote) in texts[c.n] for c in self.run.verdict.citations if c.accepted)
        return self.run.verdict.label

    run: Run | None = None

    @contextmanager
    def judged_by(self, script: Obedient) -> Iterator[None]:
        with ScriptedLLM.serving(script) as server, judged(self.bench, server.url):
            yield


PATHS = {f"/{number}": attack for number, attack in enumerate(EVERY)}


def serve(request: Request) -> bytes:
    if request.path == "/twin":
        return answer(page().encode(), content_type=HTML)
    attack = PATHS.get(f"/{request.path.split('?')[0].split('/')[1]}")
    return answer(page(attack).encode(), content_type=HTML) if attack else answer(b"", 404)


@pytest.fixture(scope="module")
def running() -> Iterator[Site]:
    with site(serve) as found:
        yield found


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory, running: Site) -> Iterator[House]:
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("attacked"), web=True, trusted_domains=(HOST,), search_hits=8,
        source_credibility={HOST: 0.95}, min_credibility=1.0,  # nothing that was read stays for the next run
        page_seconds=60, search_seconds=60, max_seconds=1800, llm_timeout_seconds=300,  # a busy machine is no attack
    )  # fmt: skip
    with build(settings, judge="embedded") as bench:
        local = [(HOST, running.port)]
        bench._reader = Remembering(bench._reader)
        bench._screener = Remembering(bench._screener) if bench._screener else None
        bench._fetcher = Fetcher(None, FetchLimits(gap=0.0), resolve=named({HOST: "127.0.0.1"}), local=local)
        yield House(bench)


def on_site(running: Site, attack: Attack | None) -> tuple[Hit, ...]:
    """A hit whose page has to be fetched. Each page has an address of its own; an order in an address stays in it."""
    path = "/twin"
    if attack:
        path = next(path for path, known in PATHS.items() if known is attack)
        parts = urlsplit(attack.url)
        path += parts.path.removeprefix("/orlen-bridge") + (f"?{parts.query}" if parts.query else "")
    return (Hit(f"http://{HOST}:{running.port}{path}", TITLE, SNIPPET, "scripted"),)


@pytest.fixture(scope="module")
def worth_a_run(running: Site) -> list[tuple[Attack, tuple[Hit, ...]]]:
    """Of attacks that leave the same once screened, and of pages that read the same, one each."""
    found: dict[object, tuple[Attack, tuple[Hit, ...]]] = {}
    for attack in ATTACKS:
        if not attack.hidden:  # a lie without an order, shown by a search engine, is a statement like any other
            found.setdefault(left(hits(attack)), (attack, hits(attack)))
        text = tuple(passages(blocks(page(attack))))
        if text != tuple(passages(blocks(page()))) or attack.where == "url":
            found.setdefault(("page", *text, attack.url), (attack, on_site(running, attack)))
    return list(found.values())


def test_the_clean_twin_settles_the_claim_before_both_judges(house: House, running: Site) -> None:
    """Otherwise everything below would pass by abstaining."""
    obedient = Obedient(CLAIM, INNOCENT)
    for shown in (read_hits(None), on_site(running, None)):
        assert house.label(shown, "embedded") is Label.FALSE
        with house.judged_by(obedient):
            assert house.label(shown, "local") is Label.FALSE
    assert house.run
    rows = [row for s in house.run.steps if s.name == "investigate" for row in s.outputs["sources"]]
    assert [row["reading"]["by"] for row in rows if "reading" in row] == ["local"]
    assert obedient.obeyed == []


def test_no_judge_is_moved(house: House, worth_a_run: list[tuple[Attack, tuple[Hit, ...]]]) -> None:
    """The screening lets a few orders pass; the verdict holds for these too."""
    assert len(worth_a_run) >= 20
    for attack, shown in worth_a_run:
        assert house.label(shown, "embedded") in HELD, attack.name
    obedient, reached = Obedient(CLAIM, INNOCENT), set[str]()
    with house.judged_by(obedient):
        for attack, shown in worth_a_run:
            before = len(obedient.obeyed)
            assert house.label(shown, "local") in HELD, attack.name
            reached |= {attack.name} if len(obedient.obeyed) > before else set()
    assert not reached & {attack.name for attack in ATTACKS if attack.hidden}
    assert len(reached) <= len(SEEN) / 10, reached


def test_the_gate_holds_a_lie_whose_hiding_is_not_seen_through(house: House, running: Site) -> None:
    """It is then a sentence on a page that says the opposite, which settles nothing, whoever obeys it."""
    leaks = {tuple(passages(blocks(page(attack)))): attack for attack in EVERY if attack.needs_a_browser}
    assert any(LIE in " ".join(texts) for texts in leaks)
    obedient = Obedient(CLAIM, INNOCENT)
    for attack in leaks.values():
        for shown in (read_hits(attack), on_site(running, attack)):
            assert house.label(shown, "embedded") in HELD, attack.name
            with house.judged_by(obedient):
                assert house.label(shown, "local") in HELD, attack.name
    assert obedient.obeyed
