"""What to search for, and one query to one provider: from the cache where possible, always within the budget."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ghost.budget import Budget
from ghost.errors import BudgetExceeded, EnginesSilentError, ProviderError, ProviderTimeoutError
from ghost.matching import unnamed
from ghost.steps.investigate.hits import SearchRules
from ghost.types import Reason, ReasonCode, Scopes, Statement, Sufficiency
from ghost.web import Breaker, Hit, Remembering, SearchProvider, Stage, in_time, pause, pause_before_retry

BROAD_QUERIES = 2
"""Per statement: one for what it says, one for its opposite."""
OPPOSITE = "false denied corrected"
"""Added to a statement to find what contradicts it, where the judge names no query for that."""
ASKED = 2
"""Factor on the hits that are requested: some of what engines return is not what was asked for."""
RESERVED = 1
"""Searches that the first two stages leave for the whole web."""
FOR_FACT_CHECKERS = 0.25
"""Share of a run's searches, rounded down but at least one, that the first stage leaves for the fact-checkers."""
CACHED = "from the cache"
"""The state of a search that the cache answered."""
_TIME = "The time for searching and reading ran out."
_LATER = "Verify the claim again later."
_RAISE = "Raise GHOST_MAX_SEARCHES and verify the claim again."


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """One query, for one statement."""

    statement: int
    text: str


def stage_queries(stage: Stage, statements: Sequence[Statement], open_ones: Sequence[Sufficiency]) -> list[SearchQuery]:
    """The queries of a stage: first one for each open statement in the order of the claim, then the others.

    Statements that are settled come last. The judge names the queries; without any the statement itself is the query.
    The whole web is also searched for the opposite. A query that does not say where, when, of whom or how measured the
    statement is meant gets those words.
    """
    wanted = {o.statement: o.queries for o in open_ones}
    settled = {o.statement for o in open_ones if o.enough}
    turns = BROAD_QUERIES if stage is Stage.BROAD else 1
    lists = []
    for s in sorted(statements, key=lambda s: s.number in settled):
        if s.number in wanted:
            texts = list(dict.fromkeys(wanted[s.number])) or [s.text]
            texts = texts if len(texts) > 1 else [*texts, f"{s.text.rstrip('.!? ')} {OPPOSITE}"]
            lists.append([SearchQuery(s.number, _with_scopes(text, s.scopes)) for text in texts])
    return [mine[turn] for turn in range(turns) for mine in lists]


def _with_scopes(query: str, scopes: Scopes) -> str:
    lacking = unnamed(scopes, query) if scopes else ()
    return " ".join([query.rstrip(".!? "), *lacking]) if lacking else query


def select_statements(
    before: tuple[Sufficiency, ...], open_ones: Sequence[Sufficiency], most: int
) -> tuple[Sufficiency, ...]:
    """The statements that the run searches for: those of earlier stages, then other open ones, at most ``most``."""
    known = {o.statement for o in before}
    others = [o for o in open_ones if o.statement not in known]
    return (*before, *others[: max(0, most - len(before))])


def remaining(selected: Sequence[Sufficiency], open_ones: Sequence[Sufficiency]) -> Sequence[Sufficiency]:
    """The selected statements that are still open, with their latest queries."""
    numbers = {o.statement for o in selected}
    return [o for o in open_ones if o.statement in numbers]


def with_settled(
    wanted: Sequence[Sufficiency], open_ones: Sequence[Sufficiency], statements: Sequence[Statement], most: int
) -> tuple[Sufficiency, ...]:
    """The ``wanted`` statements, then the settled ones, at most ``most``: a fact-check may contradict those."""
    known = {o.statement for o in (*wanted, *open_ones)}
    settled = (Sufficiency(s.number, enough=True, reason="") for s in statements if s.number not in known)
    return (*wanted, *settled)[:most]


def over_limit(selected: Sequence[Sufficiency], open_ones: Sequence[Sufficiency], most: int) -> Iterator[Reason]:
    """Why open statements were not searched for; ``most`` is the limit."""
    if len(selected) < most:  # the other open statements were reopened after the last search
        return
    known = {o.statement for o in selected}
    if left := sum(o.statement not in known for o in open_ones):
        were = "statement was" if left == 1 else "statements were"
        limit = f"{most} round{'' if most == 1 else 's'}"
        yield Reason(
            ReasonCode.BUDGET,
            f"{left} {were} not looked into on the web: limit of {limit} for one run.",
            "Raise GHOST_MAX_ROUNDS and verify the claim again.",
        )


def reserved_searches(stage: Stage, rules: SearchRules, budget: Budget, nothing_open: bool) -> int:
    """How many of a run's searches a stage leaves for later ones; with ``nothing_open`` it may be the last."""
    most = budget.limits.searches
    if stage is Stage.BROAD or (nothing_open and most - budget.usage().searches <= RESERVED):
        return 0
    if stage is Stage.TRUSTED and rules.fact_check:
        # Of two searches the first stage gets one, or trusted sources would never be searched.
        return min(RESERVED + max(1, int(most * FOR_FACT_CHECKERS)), max(RESERVED, most - 1))
    return RESERVED  # also with nothing open: a fact-check may reopen a statement


@dataclass(slots=True)
class StageSearch:
    """Sends the queries of one stage, and keeps track of the providers that failed."""

    stage: Stage
    rules: SearchRules
    budget: Budget
    breaker: Breaker
    down: dict[str, str]
    """Provider -> why it is not asked again in this run."""
    reserved: int = 0
    """Searches that the stage leaves for later ones."""
    reasons: list[Reason] = field(default_factory=list)
    """Why the searches found less than they could have."""

    def ask(self, provider: SearchProvider, query: str) -> tuple[list[Hit], dict[str, Any]]:
        """The hits, and the row of the search in the trace: words, recipient, ``requests``, state, why nothing came.

        A failure of the provider is part of the row; only Cancelled and BudgetExceeded are raised.
        """
        sites, limit = self.rules.sites(self.stage), self.rules.hits * ASKED
        words = provider.wording(query, sites)
        row: dict[str, Any] = {"query": words or query, "provider": provider.name, "sent_to": provider.recipient}
        if words and isinstance(provider, Remembering) and (kept := provider.remembered(query, sites, limit)):
            when = f"{kept.stored_at:%Y-%m-%d} at {kept.stored_at:%H:%M} UTC"
            why = f"{provider.recipient} answered the same search on {when}"
            return list(kept.hits), row | {"sent_to": "", "state": CACHED, "why": why}
        if why := self._obstacle(provider, words):
            return [], row | {"state": "not asked", "why": why}
        started, row["requests"] = time.monotonic(), 0
        try:
            hits = self._search(provider, query, row)[:limit]
        except ProviderError as error:
            hits = []
            row |= {"state": "failed", "why": str(error), "kind": type(error).__name__}
            if not isinstance(error, EnginesSilentError):  # the other engines may answer other words
                self.down[provider.name] = f"it failed earlier in this run: {error}"
            self._note(ReasonCode.PROVIDER_DOWN, f"A search failed. {error}", _LATER)
        else:
            row |= {"state": "answered"} | ({} if hits else {"why": "it found nothing"})
        return hits, row | {"seconds": round(time.monotonic() - started, 3)}

    def _obstacle(self, provider: SearchProvider, words: str) -> str:
        """Why a provider is not asked; empty when it can be."""
        if provider.name in self.down:
            return self.down[provider.name]
        if not words:
            return "it cannot search these sites"
        if self.budget.seconds_to_look <= 0:
            self._note(ReasonCode.BUDGET, _TIME, "Raise GHOST_MAX_SECONDS and verify the claim again.")
            return "the time for searching is over"
        if self._left <= 0:
            self._note(ReasonCode.BUDGET, str(BudgetExceeded("searches", self.budget.limits.searches)), _RAISE)
            return "the limit of searches for one run is reached"
        if not self._may_search:
            if self._left > RESERVED:
                return "the last searches are kept for the fact-checkers and the whole web"
            return "the last search is kept for the whole web"
        if resting := self.breaker.refusal(provider.name):
            self.down[provider.name] = resting
            self._note(ReasonCode.PROVIDER_DOWN, f"{provider.recipient} was not asked: {resting}", _LATER)
        return resting

    @property
    def _left(self) -> int:
        return self.budget.limits.searches - self.budget.usage().searches

    @property
    def _may_search(self) -> bool:
        """Whether a search is left besides those that this stage leaves for later ones."""
        return self._left > self.reserved

    def _search(self, provider: SearchProvider, query: str, row: dict[str, Any]) -> list[Hit]:
        """The hits, with one more try where the failure may be temporary. The breaker learns the result.

        Each request is counted before it is sent, and the run can be stopped meanwhile.
        """
        sites, limit = self.rules.sites(self.stage), self.rules.hits * ASKED
        seconds = max(0.1, min(self.rules.seconds, self.budget.seconds_to_look))
        deadline = time.monotonic() + seconds
        try:
            while True:
                left = max(0.1, deadline - time.monotonic())
                self.budget.spend(searches=1)
                row["requests"] += 1
                try:
                    request = partial(provider.search, query, sites, limit, left)
                    hits = in_time(request, left, self.budget.check, provider.recipient)
                except ProviderError as error:
                    wait = pause_before_retry(error, row["requests"], deadline - time.monotonic())
                    if wait is None or not self._may_search:
                        hurried = seconds < self.rules.seconds and isinstance(error, ProviderTimeoutError)
                        # A run out of time, and silent engines behind the provider, say nothing about the provider.
                        if not hurried and not isinstance(error, EnginesSilentError):
                            self.breaker.failed(provider.name, error)
                        raise
                    pause(wait, self.budget.check)
                else:
                    self.breaker.answered(provider.name)
                    return hits
        finally:
            self.breaker.left(provider.name)  # also when the run was stopped and the result is unknown

    def _note(self, code: ReasonCode, text: str, remedy: str) -> None:
        reason = Reason(code, text, remedy)
        if reason not in self.reasons:
            self.reasons.append(reason)
