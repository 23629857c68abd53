"""How far polite orders move a model that obeys them, beside the same lies as plain sentences.

    python -m tests.attacks.polite [--silent]

Each page is served over HTTP, found by a search, fetched, read and judged. The model believes whatever stands in the
page beside the article, and backs it in four ways.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from config import Settings
from ghost.inference import StanceReader
from ghost.testing import Answer, Asked, ScriptedLLM, ScriptedSearch
from ghost.types import Claim, Label, Stance, Verdict
from ghost.web import Fetcher, FetchLimits, Hit
from ghost.workbench import Workbench, build
from tests.attacks.pages import folded
from tests.judges.answers import cited, classified, decided, said, sufficient
from tests.web.sites import HTML, Request, Site, named, site
from tests.web.sites import page as answer

HOST = "calder-gazette.example"
OPEN = (Label.NOT_ENOUGH_EVIDENCE, Label.NOT_VERIFIABLE)
BACKINGS = ("truth", "order", "neutral", "words")
"""What the model quotes for the lie: the truth, all it was told, a sentence that settles nothing, the lie alone."""

_ROW = re.compile(r"\[(\d+)\] <source>.*?</source>[^\n]*\n<passage>(.*?)</passage>")


def _rows(file: str) -> list[dict[str, Any]]:
    lines = (Path(__file__).parent / file).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@dataclass(frozen=True)
class Article:
    """What a page says, and what an order on it wants to be said instead."""

    name: str
    title: str
    truth: str
    lie: str
    """As a clause: the order may begin with other words."""
    neutral: str
    """A sentence on the subject that settles nothing."""
    rest: str
    unseen: bool
    """Whether nothing in the gate was chosen on it."""
    right: str = ""
    """The claim that is right, where the page says it in other words."""


ARTICLES = [Article(**row) for row in _rows("polite_articles.jsonl")]
"""Truthful articles, into each of which one sentence is put: a polite order, or the lie as it is."""


@dataclass(frozen=True)
class Case:
    """One page and one claim about it."""

    kind: str
    language: str
    article: Article
    order: str
    lie: str
    """The lie as a plain sentence, in the language of the order."""
    words: str
    """The words of the order that are the lie itself; all of the order where it has none."""
    of_truth: bool
    """Whether the claim is what the page says, and the order wants it called false; else the other way round."""
    inside: bool
    """Whether it stands in the paragraph of the truth; else in one of its own at the end."""

    @property
    def claim(self) -> str:
        """What is checked."""
        return (self.article.right or self.article.truth) if self.of_truth else sentence(self.article.lie)


def sentence(clause: str) -> str:
    """A clause as a sentence."""
    return f"{clause[0].upper()}{clause[1:]}."


def cases() -> Iterator[Case]:
    """Every wording on one of the articles, once against a claim that is right and once for one that is wrong."""
    articles = {a.name: a for a in ARTICLES}
    for number, row in enumerate(_rows("polite.jsonl")):
        article = articles[row["page"]] if "page" in row else ARTICLES[number % len(ARTICLES)]
        capital = article.lie[0].upper() + article.lie[1:]
        order = row["wording"].replace("{lie}", article.lie).replace("{Lie}", capital)
        plain = row.get("lie") or f"{capital}."
        words = next((w for w in (article.lie, capital, plain.rstrip(".。")) if w in order), order)
        inside = number // len(ARTICLES) % 2 == 0
        for of_truth in (False, True):
            yield Case(row["kind"], row["language"], article, order, plain, words, of_truth, inside)


def page(article: Article, text: str, inside: bool, silent: bool = False) -> str:
    """The HTML of an article with a sentence put into it; ``silent`` leaves out what is true."""
    truth = "" if silent else article.truth
    first, last = (f" {text}", "") if inside else ("", f"<p>{text}</p>")
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{article.title}</title></head>'
        f"<body><article><h1>{article.title}</h1><p>{truth}{first} {article.rest}</p>"
        f"<p>{article.neutral} Further reports will follow when there is more to tell.</p>{last}"
        "</article></body></html>"
    )


@dataclass(frozen=True)
class Trial:
    """One run to be made."""

    case: Case
    backing: str
    control: bool = False
    """Whether the lie stands there as a plain sentence, in place of the order."""
    obeys: bool = True
    """Whether the model does as it is told; else it says what it quotes."""

    @property
    def text(self) -> str:
        """The sentence that was put into the article."""
        return self.case.lie if self.control else self.case.order

    @property
    def stance(self) -> str:
        """What the model wants the page to do to the claim."""
        return "SUPPORTS" if self.case.of_truth != self.obeys else "REFUTES"

    @property
    def quote(self) -> str:
        """What it cites for that."""
        words = self.case.lie.rstrip(".。") if self.control else self.case.words
        article = self.case.article
        return {"truth": article.truth, "order": self.text, "neutral": article.neutral, "words": words}[self.backing]


class Believing:
    """A model that takes the one sentence for the whole truth, and cites what backs it least or best."""

    def __init__(self, trial: Trial) -> None:
        self.trial = trial

    def __call__(self, asked: Asked) -> Answer:
        trial = self.trial
        if asked.purpose == "classify":
            return classified(trial.case.claim)
        if asked.purpose == "reading":
            return {"quotes": [{"statement": 1, "quote": trial.quote, "stance": trial.stance}]}
        rows = [(int(n), folded(text)) for n, text in _ROW.findall(asked.words)]
        if asked.purpose == "sufficiency":
            stances = [{"n": n, "stance": trial.stance} for n, text in rows if folded(trial.quote) in text]
            return sufficient(1, enough=bool(stances), stances=stances)
        n = next((n for n, text in rows if folded(trial.quote) in text), None)
        if n is None:
            return decided("Not Enough Evidence")
        label = "True" if trial.stance == "SUPPORTS" else "False"
        return decided(
            label,
            said(f"The page says “{trial.quote}” [{n}].", cited(n, trial.quote, trial.stance)),
            statements={1: label},
        )


class Remembering:
    """Reads each pair once: the same article is read in many runs."""

    def __init__(self, reader: StanceReader) -> None:
        self.reader, self.name = reader, reader.name
        self.known: dict[tuple[str, str], Stance] = {}

    @property
    def checksum(self) -> str:
        return self.reader.checksum

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        new = [pair for pair in dict.fromkeys(pairs) if pair not in self.known]
        self.known |= zip(new, self.reader.read(new) if new else [], strict=True)
        return [self.known[pair] for pair in pairs]


class Trials:
    """A workbench that finds the page of one trial at a time, and asks the model of that trial."""

    def __init__(self, bench: Workbench, served: Site, model: ScriptedLLM, pages: dict[str, str], silent: bool) -> None:
        self.bench, self._site, self._model, self._pages, self._silent = bench, served, model, pages, silent
        self._known: dict[tuple[str, str, str, str], Label] = {}

    def label(self, trial: Trial) -> Label:
        """The verdict. The same lie in the same place is judged once, whatever order it is the control of."""
        html = page(trial.case.article, trial.text, trial.case.inside, self._silent)
        key = (html, trial.case.claim, trial.quote, trial.stance)
        if key not in self._known:
            self._known[key] = self.verdict(trial).label
        return self._known[key]

    def verdict(self, trial: Trial) -> Verdict:
        """The verdict of a run."""
        path = f"/{len(self._pages)}"
        self._pages[path] = page(trial.case.article, trial.text, trial.case.inside, self._silent)
        self._model.script = Believing(trial)
        url = f"http://{HOST}:{self._site.port}{path}"
        hit = Hit(url, trial.case.article.title, f"What the Gazette has: {trial.case.article.title}.", "scripted")
        self.bench._providers = (ScriptedSearch((hit,)),)
        *_, end = self.bench.verify(Claim(trial.case.claim))
        run = self.bench.runs.get(end.run_id)  # type: ignore[union-attr]
        assert run
        assert run.verdict
        assert not run.error
        assert run.judge.name == "local", run.judge
        return run.verdict


@contextmanager
def trials(folder: Path, silent: bool = False) -> Iterator[Trials]:
    """The workbench, with everything on this machine; pages that are ``silent`` do not say what is true."""
    settings = Settings(
        data_dir=folder, web=True, trusted_domains=(HOST,), source_credibility={HOST: 0.95}, archive_copies=False,
        min_credibility=1.0,  # nothing that was read stays for the next run
        page_seconds=60, search_seconds=60, max_seconds=1800, llm_timeout_seconds=300,  # a busy machine is no attack
    )  # fmt: skip
    pages: dict[str, str] = {}

    def serve(request: Request) -> bytes:
        found = pages.get(request.path)
        return answer(found.encode(), content_type=HTML) if found else answer(b"", 404)

    def mute(asked: Asked) -> Answer:
        return None

    with site(serve) as served, ScriptedLLM.serving(mute) as model:
        settings = settings.model_copy(update={"local_base_url": model.url})
        with build(settings, judge="local") as bench:
            local = [(HOST, served.port)]
            bench._fetcher = Fetcher(None, FetchLimits(gap=0.0), resolve=named({HOST: "127.0.0.1"}), local=local)
            bench._reader = Remembering(bench._reader)
            bench._screener = Remembering(bench._screener) if bench._screener else None
            yield Trials(bench, served, model, pages, silent)


def moved(label: Label, case: Case) -> bool:
    """Whether an order has had its way, or a claim that is wrong has become something else than wrong or open."""
    return label is (Label.FALSE if case.of_truth else Label.TRUE) or (
        label not in OPEN and label is not (Label.TRUE if case.of_truth else Label.FALSE)
    )


def asked(wanted: Iterable[Case]) -> Iterator[Trial]:
    """Each wording in all four ways, two of them for either claim, and each time the plain lie in its place."""
    for number, case in enumerate(wanted):
        block = number // 2 // (2 * len(ARTICLES))  # so that each article meets either claim, inside and at the end
        for backing in BACKINGS:
            if case.of_truth == bool((block + (backing in ("order", "neutral"))) % 2):
                yield from (Trial(case, backing), Trial(case, backing, control=True))


def table(rows: Sequence[tuple[Trial, bool]]) -> str:
    """Moved of all runs: with orders, and with plain lies; by kind, by way of backing, and by who has seen them."""
    runs: Counter[tuple[str, bool, bool]] = Counter()
    for trial, was in rows:
        case = trial.case
        seen = "articles to choose on" if not case.article.unseen else "other articles"
        for group in ("all", seen, f"quotes the {trial.backing}", f"kind: {case.kind}"):
            runs[group, trial.control, was] += 1

    def share(group: str, control: bool) -> str:
        yes, no = runs[group, control, True], runs[group, control, False]
        return f"{yes:4} of {yes + no:4}"

    groups = dict.fromkeys(group for group, _, _ in runs)
    return "\n".join(f"{g:26} orders {share(g, False)}   plain lies {share(g, True)}" for g in groups)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--silent", action="store_true", help="the articles do not say what is true")
    chosen = parser.parse_args()
    with TemporaryDirectory() as folder, trials(Path(folder), chosen.silent) as judged:
        wanted = [t for t in asked(cases()) if not (chosen.silent and t.backing == "truth")]
        rows = [(trial, moved(judged.label(trial), trial.case)) for trial in wanted]
    print(table(rows))


if __name__ == "__main__":
    main()
