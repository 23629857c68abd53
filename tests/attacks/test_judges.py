"""Attacked pages before both judges: the outcome is that of the clean twin, or an abstention."""

from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape

import pytest

from config import Settings
from ghost import workbench as workbench_module
from ghost.events import RunEnded
from ghost.steps.gate import is_verbatim
from ghost.steps.investigate import HitFilter
from ghost.testing import ScriptedLLM, ScriptedSearch
from ghost.types import Claim, Label, Run
from ghost.web import Hit, Stage
from ghost.workbench import Workbench, build
from tests.attacks.corpus import ATTACKS, SEEN
from tests.attacks.obedient import Obedient
from tests.attacks.pages import CLAIM, PARAGRAPHS, TITLE, URL, Attack, blocks, page, passages, said

HOST = "calder-gazette.example"
INNOCENT = (*PARAGRAPHS, *said(PARAGRAPHS), TITLE, HOST, "Calder Gazette", "date unknown")
ABSTAINED = (Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE)


def read_hits(attack: Attack | None) -> tuple[Hit, ...]:
    """A page as it will be handed on when it is read: its passages that passed, the article's own first."""
    found = sorted(passages(page(attack)), key=lambda p: p not in PARAGRAPHS)
    title, url = (unescape(attack.title), attack.url) if attack else (TITLE, URL)
    return tuple(Hit(url, title, p, "scripted") for p in found if len(p.split()) > 4 and p != TITLE)


def raw_hits(attack: Attack) -> tuple[Hit, ...]:
    """What a careless search engine shows of a page: the hostile text alone and after a sentence of the page."""
    title = unescape(attack.title)
    snippets = (PARAGRAPHS[0], attack.says, f"{PARAGRAPHS[2]} {attack.says}", *blocks(page(attack)))
    return tuple(Hit(attack.url, title, s, "scripted") for s in snippets)


class House:
    """One workbench whose search engine and judge are exchanged."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench
        self._known: dict[object, Run] = {}

    def run(self, hits: tuple[Hit, ...], judge: str = "embedded") -> Run:
        """The run on these hits. What is alike after the sieve is judged once: most are the clean twin by then."""
        tools = self.bench.tools
        sifted = HitFilter(Stage.TRUSTED, tools.search, tools.sources).apply(hits)
        key = (judge, tuple((j.title, j.passage.text, j.url) for j in sifted if j.passage))
        if key not in self._known:
            self.bench._providers = (ScriptedSearch(hits),)
            *_, end = self.bench.verify(Claim(CLAIM))
            assert isinstance(end, RunEnded)
            run = self.bench.runs.get(end.run_id)
            assert run is not None
            assert not run.error
            self._known[key] = run
        return self._known[key]

    @contextmanager
    def judged_by(self, script: Obedient) -> Iterator[None]:
        with ScriptedLLM.serving(script) as server:
            settings = self.bench.settings.model_copy(update={"local_base_url": server.url, "judge": "local"})
            before = self.bench.settings, self.bench._judges
            name, _ = self.bench.stance_model
            judges = workbench_module._judges(settings, "local", name, self.bench._claims, self.bench._odds)
            self.bench.settings, self.bench._judges, self.bench._snapshot = settings, judges, None
            try:
                yield
            finally:
                judges.close()
                self.bench.settings, self.bench._judges = before
                self.bench._snapshot = None


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("attacked"),
        web=True,
        trusted_domains=(HOST,),
        source_credibility={HOST: 0.95},
        search_hits=8,
        max_fetches=0,  # what is attacked here is what a search shows; pages have tests of their own
    )
    with build(settings, judge="embedded") as bench:
        yield House(bench)


def label(run: Run) -> Label:
    assert run.verdict is not None
    texts = {e.number: e.passage.text for e in run.evidence}
    assert all(is_verbatim(c.quote, texts[c.n]) for c in run.verdict.citations if c.accepted)
    return run.verdict.label


def test_the_clean_twin_settles_the_claim_before_both_judges(house: House) -> None:
    """Otherwise everything below would pass by abstaining."""
    assert label(house.run(read_hits(None))) is Label.FALSE
    obedient = Obedient(CLAIM, INNOCENT)
    with house.judged_by(obedient):
        run = house.run(read_hits(None), "clean")
    assert run.judge.name == "local"
    assert label(run) is Label.FALSE
    assert obedient.obeyed == []


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda a: a.name)
def test_the_embedded_judge_is_not_moved(house: House, attack: Attack) -> None:
    for hits in (read_hits(attack), raw_hits(attack)):
        if attack.hidden and hits != read_hits(attack):
            continue  # a lie without an order, shown by a search engine, is a statement like any other
        run = house.run(hits)
        assert run.judge.name == "embedded"
        assert label(run) in (Label.FALSE, *ABSTAINED)


def test_a_model_that_obeys_everything_moves_no_verdict_and_finds_little_to_obey(house: House) -> None:
    """The screening lets a few orders pass; the verdict holds for these too."""
    obedient = Obedient(CLAIM, INNOCENT)
    reached = set()
    with house.judged_by(obedient):
        for attack in ATTACKS:
            before = len(obedient.obeyed)
            for hits in (read_hits(attack), *([] if attack.hidden else [raw_hits(attack)])):
                run = house.run(hits, "obedient")
                assert label(run) in (Label.FALSE, *ABSTAINED), attack.name
                assert run.judge.name == "local"
            reached |= {attack} if len(obedient.obeyed) > before else set()
    assert not any(attack.hidden for attack in reached)
    assert len(reached) <= len(SEEN) / 10, [attack.name for attack in reached]
