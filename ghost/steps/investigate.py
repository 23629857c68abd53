"""Step 5: look outside the knowledge base for what is missing, one stage at a time: trusted, fact-checkers, broad.

A provider that fails is not asked again in the run; the next one is. Snippets are evidence for their run only.
"""

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ghost.budget import Budget
from ghost.errors import BudgetExceeded, ProviderError
from ghost.events import SourceUpdate
from ghost.steps.hits import LISTS, Fate, Judged, SearchRules, Sieve, Sources, counted
from ghost.steps.outcome import Outcome, count
from ghost.types import Claim, NewPassage, Passage, Reason, ReasonCode, Statement, Sufficiency
from ghost.web.search import Hit, SearchProvider, Stage
from ghost.web.waiting import in_time

QUERIES_PER_STATEMENT = 2
"""In one stage."""
ASKED = 2
"""Times as many hits are asked for as can be kept, because engines also return what was not asked for."""
RESERVED = 1
"""Searches that the first two stages leave for the broad one."""


@dataclass(frozen=True, slots=True)
class Trail:
    """What the stages of a run leave for the next one."""

    snippets: tuple[Passage, ...] = ()
    down: Mapping[str, str] = field(default_factory=dict)
    """Provider -> why it is not asked any more in this run."""
    answered: tuple[Stage, ...] = ()
    """Stages in which at least one search was answered."""


@dataclass(frozen=True, slots=True)
class Investigation:
    """What a stage brought."""

    snippets: tuple[Passage, ...] = ()
    """New ones; they are unread and never enter the knowledge base."""
    passages: tuple[NewPassage, ...] = ()
    """Text that was read and may be admitted."""
    hits: tuple[Judged, ...] = ()
    reasons: tuple[Reason, ...] = ()
    """Why the search brought less than hoped."""
    trail: Trail = field(default_factory=Trail)

    @property
    def updates(self) -> Iterator[SourceUpdate]:
        """The news of each hit, for whoever watches."""
        for hit in self.hits:
            yield SourceUpdate(hit.url, hit.title, "kept" if hit.fate is Fate.KEPT else "dropped", hit.why)


@dataclass(frozen=True, slots=True)
class Query:
    """One thing to search for."""

    statement: int
    text: str


def queries(statements: Sequence[Statement], open_ones: Sequence[Sufficiency]) -> list[Query]:
    """What to search for: the first query of every open statement, in the order of the claim, then the second ones.

    The judge names the queries; without any the statement's own words are searched.
    """
    wanted = {o.statement: o.queries for o in open_ones}
    lists = [
        [Query(s.number, text) for text in dict.fromkeys(wanted[s.number] or (s.text,))][:QUERIES_PER_STATEMENT]
        for s in statements
        if s.number in wanted
    ]
    return [mine[turn] for turn in range(QUERIES_PER_STATEMENT) for mine in lists if turn < len(mine)]


def nothing_searched(web: bool) -> Outcome[Investigation]:
    """The step of a run that has nobody to ask."""
    why = "No search provider is set up." if web else "The web is switched off for this run."
    remedy = "Add a source to the knowledge base and verify the claim again" + ("." if web else ", or allow searches.")
    return Outcome(
        Investigation(reasons=(Reason(ReasonCode.NO_PROVIDER, why, remedy),)),
        decision="nothing searched",
        reason=f"{why} No search left this machine.",
        inputs={"web": web, "providers": []},
        outputs={"searches": []},
    )


def investigate(
    stage: Stage,
    claim: Claim,
    wanted: Sequence[Query],
    providers: Sequence[SearchProvider],
    rules: SearchRules,
    sources: Sources,
    budget: Budget,
    trail: Trail,
) -> Outcome[Investigation]:
    """One stage: each query goes to the first provider that brings something which belongs to the stage."""
    sieve = Sieve(stage, rules, sources, claim.as_of, claim.found_at)
    work = _Stage(stage, providers, rules, sieve, budget, trail)
    if stage is Stage.BROAD or rules.sites(stage):
        for query in wanted:
            work.ask(query)
    return work.outcome(wanted)


class _Stage:
    """The bookkeeping of one stage while it runs."""

    def __init__(
        self,
        stage: Stage,
        providers: Sequence[SearchProvider],
        rules: SearchRules,
        sieve: Sieve,
        budget: Budget,
        trail: Trail,
    ) -> None:
        self._stage, self._providers, self._rules = stage, providers, rules
        self._sieve, self._budget, self._before = sieve, budget, trail
        self._sites = rules.sites(stage)
        self._down = dict(trail.down)
        self._log: list[dict[str, Any]] = []
        self._hits: list[Judged] = []
        self._reasons: list[Reason] = []

    def ask(self, query: Query) -> None:
        """Put one query to the providers in turn."""
        for provider in self._providers:
            words = provider.wording(query.text, self._sites)
            entry = {"statement": query.statement, "query": words or query.text, "provider": provider.name}
            entry["sent_to"] = provider.recipient
            if why := self._obstacle(provider, words):
                self._log.append(entry | {"state": "not asked", "why": why, "hits": []})
                continue
            started = time.monotonic()
            try:
                hits = self._search(provider, query)
            except ProviderError as error:
                state = {"state": "failed", "why": str(error), "kind": type(error).__name__, "hits": []}
                self._fail(provider, str(error))
                self._log.append(entry | state | _seconds(started))
                continue
            judged = self._sieve.judge(hits, (p.id for p in self._snippets()))
            self._hits += judged
            self._log.append(entry | {"state": "answered", "hits": [_row(j) for j in judged]} | _seconds(started))
            if any(j.fate in (Fate.KEPT, Fate.DUPLICATE) for j in judged):
                return

    def outcome(self, wanted: Sequence[Query]) -> Outcome[Investigation]:
        """What the stage brought, and what the trace keeps of it."""
        new = tuple(j.passage for j in self._hits if j.passage)
        answered = any(row["state"] == "answered" for row in self._log)
        stages = (*self._before.answered, self._stage) if answered else self._before.answered
        trail = Trail((*self._before.snippets, *new), self._down, stages)
        kept, repeated = counted(self._hits, Fate.KEPT), counted(self._hits, Fate.DUPLICATE)
        why = Counter(j.why for j in self._hits if j.fate is Fate.DROPPED)
        return Outcome(
            Investigation(new, (), tuple(self._hits), tuple(self._reasons), trail),
            decision=f"{LISTS[self._stage]}: {self._summary(kept)}",
            reason=self._reason(kept, repeated, why),
            inputs={
                "stage": self._stage,
                "queries": [{"statement": q.statement, "text": q.text} for q in wanted],
                "providers": [p.name for p in self._providers],
                "list": list(self._sites),
                "web": True,
            },
            outputs={
                "searches": self._log,
                "kept": kept,
                "duplicate": repeated,
                "dropped": dict(why),
                "snippets": [p.id for p in new],
            },
        )

    def _obstacle(self, provider: SearchProvider, words: str) -> str:
        """Why a provider is not asked; empty when it can be."""
        if provider.name in self._down:
            return f"it failed earlier in this run: {self._down[provider.name]}"
        if not words:
            return "it cannot search these sites"
        left = self._budget.limits.searches - self._budget.usage().searches
        if left <= 0:
            self._note(ReasonCode.BUDGET, str(BudgetExceeded("searches", self._budget.limits.searches)), _RAISE)
            return "the limit of searches for one run is reached"
        if left <= RESERVED and self._stage is not Stage.BROAD:
            return "the last search is kept for the whole web"
        return ""

    def _search(self, provider: SearchProvider, query: Query) -> list[Hit]:
        """One search, booked before it is made; the run can be stopped while it is on its way."""
        self._budget.spend(searches=1)
        seconds = max(0.1, min(self._rules.seconds, self._budget.seconds_left))
        limit = self._rules.hits * ASKED
        return in_time(
            lambda: provider.search(query.text, self._sites, limit, seconds),
            seconds,
            self._budget.check,
            provider.recipient,
        )[:limit]

    def _fail(self, provider: SearchProvider, why: str) -> None:
        self._down[provider.name] = why
        self._note(ReasonCode.PROVIDER_DOWN, f"A search failed. {why}", "Verify the claim again later.")

    def _note(self, code: ReasonCode, text: str, remedy: str) -> None:
        reason = Reason(code, text, remedy)
        if reason not in self._reasons:
            self._reasons.append(reason)

    def _snippets(self) -> list[Passage]:
        return [*self._before.snippets, *(j.passage for j in self._hits if j.passage)]

    def _summary(self, kept: int) -> str:
        if any(row["state"] == "answered" for row in self._log):
            return f"{kept} of {count(len(self._hits), 'hit')} kept" if self._hits else "no hits"
        return "the search failed" if any(row["state"] == "failed" for row in self._log) else "nothing searched"

    def _reason(self, kept: int, repeated: int, why: Mapping[str, int]) -> str:
        if not self._log:
            return f"The settings name no {LISTS[self._stage]}."
        states = Counter(row["state"] for row in self._log)
        made = states["answered"] + states["failed"]
        failed = f", {states['failed']} failed" if states["failed"] else ""
        parts = [f"{count(made, 'search', 'searches')} made{failed}".capitalize()]
        parts += list(dict.fromkeys(f"{r['sent_to']}: {r['why']}" for r in self._log if "why" in r))
        if kept:
            parts.append(f"{count(kept, 'search snippet')} kept for this run only; the pages were not read.")
        elif states["answered"]:
            parts.append("Nothing new to weigh, so what step 4 said still stands.")
        if repeated:
            parts.append(f"{repeated} known already.")
        parts += [f"{number} dropped: {text}." for text, number in why.items()]
        undated = sum(j.published_at is None for j in self._hits if j.passage)
        if undated:
            parts.append(f"The publication date of {undated} is unknown.")
        return " ".join(part if part.endswith((".", "?")) else f"{part}." for part in parts)


_RAISE = "Raise GHOST_MAX_SEARCHES and verify the claim again."


def _seconds(started: float) -> dict[str, float]:
    return {"seconds": round(time.monotonic() - started, 3)}


def _row(judged: Judged) -> dict[str, object]:
    return {
        "url": judged.url,
        "title": judged.title,
        "published_at": judged.published_at.isoformat() if judged.published_at else None,
        "fate": judged.fate,
        "why": judged.why,
    }
