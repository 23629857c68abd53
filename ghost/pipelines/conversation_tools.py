"""What a model can do in a conversation: search, read pages, keep facts. Everything it may see is kept by a key."""

import re
from collections import Counter
from collections.abc import Callable, Generator, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import Any
from urllib.parse import unquote_plus, urlsplit

from ghost.budget import Budget
from ghost.errors import GhostError
from ghost.events import Event
from ghost.judges import (
    ExtractArguments,
    FetchArguments,
    FinishArguments,
    SearchArguments,
    ToolRequest,
    content,
)
from ghost.knowledge import HostRules, suspicious_passage
from ghost.matching import unnamed
from ghost.pipelines.base import Tools
from ghost.pipelines.provenance import WHY, DroppedFact, Fact, find_fact, in_page
from ghost.pipelines.turn_log import TurnLog
from ghost.steps import (
    Candidates,
    Investigation,
    Outcome,
    Scope,
    SearchContext,
    SearchCoverage,
    SearchHistory,
    SearchQuery,
    SourceReport,
    SourceState,
    count,
    investigate,
    read_chosen,
)
from ghost.types import Claim, NewPassage, Passage, Statement, canonical, cited_as, host_of, original, page_key
from ghost.web import Stage

HITS = 5
"""Passages of the knowledge base that one search shows."""
QUERY_CHARS = 120
SHOWN_CHARS = 400
"""So much of a passage is shown."""
PAGE_CHARS = 5_000
PAGE_CHUNKS = 2
_ADDRESS = re.compile(r"https?://[^\s<>\"“”]+", re.IGNORECASE)
_LEADS_ON = re.compile(r"(?<=.{8})(?:[/\\]|%(?:25)*(?:2f|5c)){2}", re.IGNORECASE)
"""An address within an address: the page redirects there, or an archive or a translator shows it and hears of it."""
_WORD = re.compile(r"[^\W_]+")
_QUERY_NAMES = frozenset({"q", "query", "s", "search", "term", "title"})
"""Names of parameters that say nothing."""
_OF_THE_SUBJECT = 3
"""So many words of what was read may stand in the path of a page that the model names: its subject, and no sentence."""
_AGAIN = "This page was asked for already."
_LATE = "The time for the conversation is over."
_UNKNOWN = "Only addresses that a search returned, that the claim names, or of your trusted sites are fetched."
_CARRIES = (
    "This address was not asked for: its query may have words of the claim only, and the rest of it must not tell what "
    "was read. Fetch the source of a hit, or search for the page."
)
Result = dict[str, Any]
"""What a function returns to the model; JSON-safe."""


@dataclass(slots=True)
class ConversationTools:
    """The functions of one conversation and what they have brought."""

    claim: Claim
    statements: Sequence[Statement]
    tools: Tools
    budget: Budget
    found: list[Investigation] = field(default_factory=list)
    """What searches and pages have yielded, as step 5 reports it."""
    history: SearchHistory = field(default_factory=SearchHistory)
    passages: dict[str, Passage] = field(default_factory=dict)
    """By key: passages of the knowledge base, and snippets."""
    pages: dict[str, SourceReport] = field(default_factory=dict)
    """By key: pages that were read."""
    whole: set[str] = field(default_factory=set)
    """Addresses of pages that count beside what the model takes of them: the analyst has named them, or a note has."""
    facts: list[Fact] = field(default_factory=list)
    dropped: Counter[DroppedFact] = field(default_factory=Counter)
    finished: bool = False
    log: TurnLog = field(default_factory=TurnLog)
    """Of the current turn."""
    _keys: dict[str, str] = field(default_factory=dict)
    """Address of a page, or id of a passage without one, to the key that the model was told."""
    _addresses: dict[str, str] = field(default_factory=dict)
    """By key: where a hit leads to."""
    _asked: set[str] = field(default_factory=set)

    @property
    def kept(self) -> str:
        """How many facts were kept and dropped, in a sentence."""
        kinds = ", ".join(f"{number} {kind.replace('_', ' ')}" for kind, number in self.dropped.items())
        return f"The model kept {count(len(self.facts), 'fact')}{f'; dropped: {kinds}' if kinds else ''}."

    @property
    def coverage(self) -> SearchCoverage:
        """Where the run has searched. Pages behind hits belong to their search."""
        unasked = 0 if self.history.answered else sum(s.url not in self.whole for s in self.pages.values())
        return SearchCoverage(self.history.answered, self.history.links, unasked)

    def call(
        self, requests: Sequence[ToolRequest], late: Callable[[], bool]
    ) -> Generator[Event, None, list[tuple[ToolRequest, Result]]]:
        """Do what the model wants, in order; pages that it wants one after another are read side by side.

        Whatever is wrong with a call is told in its result; only limits of the run are raised. Nothing more is done
        once it is ``late``.
        """
        results: list[Result] = []
        for fetches, group in groupby(requests, key=lambda r: isinstance(r.arguments, FetchArguments)):
            mine = list(group)
            if fetches and not late():
                addresses = [r.arguments.address for r in mine if isinstance(r.arguments, FetchArguments)]
                done = yield from self._fetch(addresses)
                self.log.take_calls(mine, done)
                results += done
                continue
            for request in mine:
                result = {"error": _LATE} if late() else (yield from self._do(request))
                self.log.take_calls([request], [result])
                results.append(result)
        return list(zip(requests, results, strict=True))

    def _do(self, request: ToolRequest) -> Generator[Event, None, Result]:
        match request.arguments:
            case SearchArguments(query=query):
                return (yield from self._search(query))
            case ExtractArguments() as asked:
                return self._extract(asked)
            case FinishArguments():
                self.finished = True
                return {"finished": True}
        return {"error": request.problem}

    def show_candidates(self, candidates: Candidates, each: int) -> list[Result]:
        """The best passages of step 2 as hits."""
        best = [c.passage for hits in candidates.values() for c in hits[:each]]
        return [self._hit(p) for p in dict.fromkeys(best)]

    def show_named(self, found: Investigation) -> list[Result]:
        """The pages that the analyst has named."""
        self.take(found)
        self.whole |= {source.url for source in found.sources}
        return [self._page(source) for source in found.sources if source.shown]

    def take(self, found: Investigation) -> None:
        """Keep what step 5 has found."""
        self.found.append(found)
        self.history = found.history

    def _search(self, said: str) -> Generator[Event, None, Result]:
        query = " ".join(said.split())[:QUERY_CHARS]
        if not content(query) & content(self._about):
            # What leaves the machine must not be a model's invention.
            return {"error": "These words have nothing to do with the claim. Search for something in it."}
        if (words := query.casefold()) in self._asked:
            return {"error": "You have searched for this already. Use its hits, or other words."}
        self._asked.add(words)
        self.log.searched += 1
        tools, rules = self.tools, self.tools.search
        (hits,) = tools.knowledge.search_many([query], 2 * HITS, self.claim.as_of)
        inside = Scope(rules.allowed_here, rules.denied_here).within(hits)
        rows = [self._hit(c.passage) for c in inside[:HITS]]
        if not (tools.web and tools.providers):
            return {"hits": rows, "note": f"{count(len(rows), 'passage')} of the knowledge base; the web is off"}
        web, why = yield from self._search_web(query)
        note = f"{count(len(rows), 'passage')} of the knowledge base, {count(len(web), 'hit')} on the web"
        return {"hits": [*rows, *web], "note": note} | ({"problem": why} if why and not web else {})

    def _search_web(self, query: str) -> Generator[Event, None, tuple[list[Result], str]]:
        """The hits of the web, and why there are not more."""
        nearest = max(self.statements, key=lambda s: len(content(s.text) & content(query)))
        words = " ".join((query, *unnamed(nearest.scopes, query)))[: 2 * QUERY_CHARS]
        searching = investigate(
            Stage.BROAD, self.claim, self.statements, [SearchQuery(nearest.number, words)],
            self.context, self.budget, self.history, read=False,
        )  # fmt: skip
        outcome = yield from self._logged(searching)
        snippets = {p.source_url: p for p in outcome.value.snippets}
        rows: list[Result] = []
        for search in outcome.outputs["searches"]:
            for hit in search["hits"]:
                if snippet := snippets.get(hit["url"]):
                    rows.append(self._hit(snippet))
                elif hit["fate"] in ("to be read", "fact-check", "duplicate") and not suspicious_passage(
                    NewPassage(hit["title"], hit["url"], hit["title"])
                ):
                    key = self._key(hit["url"])
                    self._addresses[key] = hit["url"]
                    rows.append({"source": key, **{name: hit[name] for name in ("url", "title", "published_at")}})
        return rows, " ".join(str(search["why"]) for search in outcome.outputs["searches"] if search.get("why"))

    def _fetch(self, addresses: Sequence[str]) -> Generator[Event, None, list[Result]]:
        urls: dict[str, str] = {}
        problems: dict[str, str] = {}
        for said in addresses:
            url, problem = self._address(said.strip())
            if problem or url in urls.values():
                problems.setdefault(said, problem or _AGAIN)
            else:
                urls[said] = url
        sources: dict[str, SourceReport] = {}
        if urls:
            wanted, context = list(urls.values()), self.context
            context = replace(context, reading=replace(context.reading, one_site=frozenset(wanted)))
            reading = read_chosen(wanted, self.claim, self.statements, context, self.budget, self.history)
            found = (yield from self._logged(reading)).value
            sources = {s.url: s for s in found.sources}
        results = []
        for said in addresses:
            url = urls.pop(said, "")
            results.append(self._read(sources[url]) if url else {"error": problems.get(said, _AGAIN)})
        return results

    def _read(self, source: SourceReport) -> Result:
        if source.state is SourceState.READ and source.shown:
            return self._page(source)
        why = _ADDRESS.sub("another address", source.why)  # where it led to, in words of its choice
        return {"error": f"The page could not be used ({source.state}). {why}".strip()}

    def _address(self, named: str) -> tuple[str, str]:
        """The address that the model means, or why it is not asked for.

        A page could make the model send what it has read to an address of its choice, in the path or the query of it.
        So of a page that is known only the known address is asked for, and of unknown pages those of trusted sites.
        """
        url = canonical(self._addresses.get(named) or named)
        if not url:
            return "", "This is no address that can be fetched. Fetch the source of a hit."
        if not (self.tools.web and self.tools.fetcher):
            return "", "No page is fetched, because the web is off for this run."
        text = f"{self.claim.text} {self.claim.context}"
        named_by_claim = (m.group().rstrip(".,;:!?") for m in _ADDRESS.finditer(text))
        known = {page_key(u): u for u in map(canonical, (*named_by_claim, *self._addresses.values())) if u}
        rules = self.tools.search
        trusted = HostRules(dict.fromkeys((*rules.trusted, *rules.fact_check), True))
        if page_key(url) in known:
            url = known[page_key(url)]
        elif original(url) != url or _LEADS_ON.search(url) or not trusted.matches(url):
            return "", _UNKNOWN
        elif self._carries(url, {host_of(u) for u in known.values()}):
            return "", _CARRIES
        return ("", _AGAIN) if self.history.knows(url) else (url, "")

    def _carries(self, url: str, hosts: Set[str]) -> bool:
        """Whether an address that the model has made up could tell its site what the model has read."""
        _, _, path, query, _ = urlsplit(url)
        about, rules = _words(self._about), self.tools.search
        shown: list[Passage | SourceReport] = [*self.passages.values(), *self.pages.values()]
        read = _words(*(f"{each.title} {each.text}" for each in shown)) - about
        host = _words(host_of(url)) - _words(*rules.trusted, *rules.fact_check) if host_of(url) not in hosts else ()
        return (
            len(path + query) > QUERY_CHARS
            or not _words(query) <= about | _QUERY_NAMES
            or not all(label in about or (label.isalpha() and label not in read) for label in host)
            or len(_words(path) & read) > _OF_THE_SUBJECT
        )

    def _extract(self, asked: ExtractArguments) -> Result:
        kept, told = 0, []
        for said in asked.facts:
            self.budget.check()  # long pages take a while
            fact = find_fact(said, self.claim, self.statements, self.passages, self.pages)
            row = {"statement": said.statement, "source": said.source[:300], "excerpt": said.excerpt[:400]}
            if isinstance(fact, DroppedFact):
                self.dropped[fact] += 1
                self.log.dropped.append(row | {"kind": fact, "why": WHY[fact]})
                told.append({"excerpt": said.excerpt[:80], "dropped": WHY[fact]})
            elif all((f.statement, f.passage.id) != (fact.statement, fact.passage.id) for f in self.facts):
                kept += 1
                self.facts.append(fact)
                self.log.facts.append(row | {"passage_id": fact.passage.id, "opinion": fact.opinion})
        note = f"{count(kept, 'fact')} kept, {len(told)} dropped"
        return {"kept": kept, "dropped": told, "note": note}

    def _logged(self, work: Generator[Event, None, Outcome[Investigation]]) -> Generator[Event, None, Outcome[Any]]:
        """Step 5 for one call, with its rows in the log whatever happens."""
        try:
            outcome = yield from work
        except GhostError as stopped:
            self.log.take(stopped.partial)
            raise
        self.log.take(outcome.outputs)
        self.take(outcome.value)
        return outcome

    @property
    def _about(self) -> str:
        """All that the claim says."""
        return " ".join((self.claim.text, self.claim.context, *(s.text for s in self.statements)))

    @property
    def context(self) -> SearchContext:
        """What step 5 works with; the model of the conversation reads the pages itself."""
        return replace(self.tools.search_context, judge=None)

    def _hit(self, passage: Passage) -> Result:
        key = self._key(passage.source_url if passage.snippet else passage.id)
        self.passages[key] = passage
        if passage.source_url:
            self._addresses[key] = passage.source_url
        day = passage.published_at.isoformat() if passage.published_at else passage.as_of
        return {
            "source": key, "from": "the web" if passage.snippet else "the knowledge base", "title": passage.title,
            "cited_as": cited_as(passage), "url": passage.source_url, "published_at": day,
            "kind": passage.kind.value, "text": passage.text[:SHOWN_CHARS],
        }  # fmt: skip

    def _page(self, source: SourceReport) -> Result:
        key = self._key(source.url)
        self.pages[key] = source
        self.facts = [kept for fact in self.facts if (kept := self._moved(fact, source))]
        text = "\n".join(source.shown.chunks(self.statements, PAGE_CHUNKS)) if source.shown else ""
        if not text:
            # Nor is its title, which may be what speaks against the text.
            return {"source": key, "text": "", "note": "the page has no text that may be shown"}
        shown = text[:PAGE_CHARS]
        note = f"{len(shown):,} of {len(source.text):,} characters of {source.final_url}"
        return {"source": key, "title": source.title, "text": shown, "note": note}

    def _moved(self, fact: Fact, source: SourceReport) -> Fact | None:
        """A fact from the snippet of a page, once the page is read: its words in the page; None where it lacks them."""
        if not (fact.passage.snippet and page_key(fact.passage.source_url) == page_key(source.url)):
            return fact
        passage, new = in_page(fact.excerpt, source)
        if passage:
            return replace(fact, passage=passage, new=new)
        self.dropped[DroppedFact.NOT_VERBATIM] += 1
        row = {"statement": fact.statement, "source": fact.passage.source_url, "excerpt": fact.excerpt[:400]}
        why = "The search engine showed these words, and the page does not have them."
        self.log.dropped.append(row | {"kind": DroppedFact.NOT_VERBATIM, "why": why})
        return None

    def _key(self, of: str) -> str:
        return self._keys.setdefault(page_key(of), f"s{len(self._keys) + 1}")


def _words(*texts: str) -> set[str]:
    return {word for text in texts for word in _WORD.findall(unquote_plus(text).casefold())}
