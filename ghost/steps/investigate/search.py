"""What to search for, and one query to one provider: from the cache where possible, always within the budget."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from ghost.budget import Budget
from ghost.errors import BudgetExceeded, EnginesSilentError, ProviderError, ProviderTimeoutError
from ghost.steps.investigate.hits import SearchRules
from ghost.types import Reason, ReasonCode, Statement, Sufficiency
from ghost.web import Breaker, Hit, Remembered, Remembering, SearchProvider, Stage, in_time, pause, pause_before_retry

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
_TIME = "The time for searching and reading was over before everything was looked at."
_LATER = "Verify the claim again later."
_RAISE = "Raise GHOST_MAX_SEARCHES and verify the claim again."


@dataclass(frozen=True, slots=True)
class SearchAnswer:
    """The hits of a search, and its row in the trace."""

    hits: tuple[Hit, ...]
    row: dict[str, Any]
    """The words, the recipient, the number of ``requests``, the state, and why nothing came."""


@dataclass(slots=True)
class _Attempts:
    made: int = 0


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """One query, for one statement."""

    statement: int
    text: str


def stage_queries(stage: Stage, statements: Sequence[Statement], open_ones: Sequence[Sufficiency]) -> list[SearchQuery]:
    """The queries of a stage: first one for each open statement in the order of the claim, then the others.

    Statements that are settled come last. The judge names the queries; without any the statement itself is the query.
    The whole web is also searched for the opposite.
    """
    wanted = {o.statement: o.queries for o in open_ones}
    settled = {o.statement for o in open_ones if o.enough}
    turns = BROAD_QUERIES if stage is Stage.BROAD else 1
    lists = []
    for s in sorted(statements, key=lambda s: s.number in settled):
        if s.number in wanted:
            texts = list(dict.fromkeys(wanted[s.number])) or [s.text]
            texts = texts if len(texts) > 1 else [*texts, f"{s.text.rstrip('.!? ')} {OPPOSITE}"]
            lists.append([SearchQuery(s.number, text) for text in texts])
    return [mine[turn] for turn in range(turns) for mine in lists]


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


@dataclass(slots=True)
class ProviderClient:
    """Sends the queries of one stage, and keeps track of the providers that failed."""

    stage: Stage
    rules: SearchRules
    budget: Budget
    breaker: Breaker
    down: dict[str, str]
    """Provider -> why it is not asked again in this run."""
    reasons: list[Reason] = field(default_factory=list)
    """Why the searches found less than they could have."""
    last: bool = False
    """Whether nothing was open before this stage, so that another follows only if this one opens something."""
    _spare: bool = field(init=False)
    """Whether more than one search was left when the stage began."""

    def __post_init__(self) -> None:
        self._spare = self._left > RESERVED

    def ask(self, provider: SearchProvider, query: str) -> SearchAnswer:
        """The provider's answer. Its failures are part of that; only Cancelled and BudgetExceeded are raised."""
        words = provider.wording(query, self._sites)
        row: dict[str, Any] = {"query": words or query, "provider": provider.name, "sent_to": provider.recipient}
        if words and (kept := self._remembered(provider, query)):
            when = f"{kept.stored_at:%Y-%m-%d} at {kept.stored_at:%H:%M} UTC"
            why = f"{provider.recipient} answered the same search on {when}"
            return SearchAnswer(kept.hits, row | {"sent_to": "", "state": CACHED, "why": why})
        if why := self._obstacle(provider, words):
            return SearchAnswer((), row | {"state": "not asked", "why": why})
        started, tries = time.monotonic(), _Attempts()
        try:
            hits = self._search(provider, query, tries)
        except ProviderError as error:
            hits, outcome = [], {"state": "failed", "why": str(error), "kind": type(error).__name__}
            if not isinstance(error, EnginesSilentError):  # the other engines may answer other words
                self.down[provider.name] = f"it failed earlier in this run: {error}"
            self._note(ReasonCode.PROVIDER_DOWN, f"A search failed. {error}", _LATER)
        else:
            outcome = {"state": "answered"} | ({} if hits else {"why": "it found nothing"})
        seconds = round(time.monotonic() - started, 3)
        return SearchAnswer(tuple(hits), row | outcome | {"requests": tries.made, "seconds": seconds})

    @property
    def _sites(self) -> tuple[str, ...]:
        return self.rules.sites(self.stage)

    @property
    def _limit(self) -> int:
        return self.rules.hits * ASKED

    def _remembered(self, provider: SearchProvider, query: str) -> Remembered | None:
        return provider.remembered(query, self._sites, self._limit) if isinstance(provider, Remembering) else None

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
        return self._left > self._reserved

    @property
    def _reserved(self) -> int:
        """Searches that this stage leaves for later ones."""
        if self.stage is Stage.BROAD:
            return 0
        if self.last:  # a fact-check may reopen a statement, and then the whole web is searched
            return RESERVED if self._spare else 0
        if self.stage is Stage.FACT_CHECK or not self.rules.sites(Stage.FACT_CHECK):
            return RESERVED
        most = self.budget.limits.searches
        # Of two searches the first stage gets one, or trusted sources would never be searched.
        return min(RESERVED + max(1, int(most * FOR_FACT_CHECKERS)), max(RESERVED, most - 1))

    def _search(self, provider: SearchProvider, query: str, tries: _Attempts) -> list[Hit]:
        """The hits, with one more try where the failure may be temporary. The breaker learns the result."""
        seconds = max(0.1, min(self.rules.seconds, self.budget.seconds_to_look))
        deadline = time.monotonic() + seconds
        try:
            while True:
                try:
                    hits = self._request(provider, query, max(0.1, deadline - time.monotonic()), tries)
                except ProviderError as error:
                    wait = pause_before_retry(error, tries.made, deadline - time.monotonic())
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

    def _request(self, provider: SearchProvider, query: str, seconds: float, tries: _Attempts) -> list[Hit]:
        """One request, counted before it is sent. The run can be stopped meanwhile."""
        self.budget.spend(searches=1)
        tries.made += 1
        return in_time(
            lambda: provider.search(query, self._sites, self._limit, seconds),
            seconds,
            self.budget.check,
            provider.recipient,
        )[: self._limit]

    def _note(self, code: ReasonCode, text: str, remedy: str) -> None:
        reason = Reason(code, text, remedy)
        if reason not in self.reasons:
            self.reasons.append(reason)
