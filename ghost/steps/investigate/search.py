"""Putting one query to one provider: unless the cache has the answer or the provider rests, and within the budget."""

import time
from dataclasses import dataclass, field
from typing import Any

from ghost.budget import Budget
from ghost.errors import BudgetExceeded, EnginesSilentError, ProviderError, ProviderTimeoutError
from ghost.steps.investigate.hits import SearchRules
from ghost.types import Reason, ReasonCode
from ghost.web import Breaker, Hit, Remembered, Remembering, SearchProvider, Stage, in_time, pause, pause_before_retry

ASKED = 2
"""Times as many hits are asked for as can be kept, because engines also return what was not asked for."""
RESERVED = 1
"""Searches that the first two stages leave for the broad one."""
FOR_FACT_CHECKERS = 0.25
"""Share of the searches of a run, rounded down but at least one, that the first stage leaves for the fact-checkers."""
CACHED = "from the cache"
"""The state of a search whose answer was kept from an earlier one."""
_TIME = "The time for searching and reading was over before everything was looked at."
_LATER = "Verify the claim again later."
_RAISE = "Raise GHOST_MAX_SEARCHES and verify the claim again."


@dataclass(frozen=True, slots=True)
class Asked:
    """What came of it."""

    hits: tuple[Hit, ...]
    row: dict[str, Any]
    """What the trace keeps: the words, to whom they went, ``requests`` made, the state, and why nothing came."""


@dataclass(slots=True)
class _Tries:
    made: int = 0


@dataclass(slots=True)
class ProviderClient:
    """Asks the providers of one stage, and remembers who is not to be asked again in the run."""

    stage: Stage
    rules: SearchRules
    budget: Budget
    breaker: Breaker
    down: dict[str, str]
    """Provider -> why it is not asked any more in this run."""
    reasons: list[Reason] = field(default_factory=list)
    """Why the searches brought less than hoped."""
    last: bool = False
    """Whether nothing is open before this stage, so that another one comes after it only if it opens something."""
    _spare: bool = field(init=False)
    """Whether there was more than one search left when the stage began."""

    def __post_init__(self) -> None:
        self._spare = self._left > RESERVED

    def ask(self, provider: SearchProvider, query: str) -> Asked:
        """Never raises for what a provider does; raises Cancelled, and BudgetExceeded when the time is over."""
        words = provider.wording(query, self._sites)
        row: dict[str, Any] = {"query": words or query, "provider": provider.name, "sent_to": provider.recipient}
        if words and (kept := self._remembered(provider, query)):
            when = f"{kept.stored_at:%Y-%m-%d} at {kept.stored_at:%H:%M} UTC"
            why = f"{provider.recipient} answered the same search on {when}"
            return Asked(kept.hits, row | {"sent_to": "", "state": CACHED, "why": why})
        if why := self._obstacle(provider, words):
            return Asked((), row | {"state": "not asked", "why": why})
        started, tries = time.monotonic(), _Tries()
        try:
            hits = self._search(provider, query, tries)
        except ProviderError as error:
            hits, outcome = [], {"state": "failed", "why": str(error), "kind": type(error).__name__}
            if not isinstance(error, EnginesSilentError):  # of other words the engines that are left may know something
                self.down[provider.name] = f"it failed earlier in this run: {error}"
            self._note(ReasonCode.PROVIDER_DOWN, f"A search failed. {error}", _LATER)
        else:
            outcome = {"state": "answered"} | ({} if hits else {"why": "it found nothing"})
        seconds = round(time.monotonic() - started, 3)
        return Asked(tuple(hits), row | outcome | {"requests": tries.made, "seconds": seconds})

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
        """Searches that this stage leaves for the later ones."""
        if self.stage is Stage.BROAD:
            return 0
        if self.last:  # a fact-check may open a statement again, and then the whole web is due
            return RESERVED if self._spare else 0
        if self.stage is Stage.FACT_CHECK or not self.rules.sites(Stage.FACT_CHECK):
            return RESERVED
        most = self.budget.limits.searches
        # Of two searches the first stage has one: without it there would be no stage for what is trusted.
        return min(RESERVED + max(1, int(most * FOR_FACT_CHECKERS)), max(RESERVED, most - 1))

    def _search(self, provider: SearchProvider, query: str, tries: _Tries) -> list[Hit]:
        """The hits, after another try where the failure may pass at once; the breaker hears how it went."""
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
                        # What the end of the run cut short, and engines behind it, say nothing of the provider.
                        if not hurried and not isinstance(error, EnginesSilentError):
                            self.breaker.failed(provider.name, error)
                        raise
                    pause(wait, self.budget.check)
                else:
                    self.breaker.answered(provider.name)
                    return hits
        finally:
            self.breaker.left(provider.name)  # also when the run was stopped and nobody knows how it went

    def _request(self, provider: SearchProvider, query: str, seconds: float, tries: _Tries) -> list[Hit]:
        """One request, booked before it is made; the run can be stopped while it is on its way."""
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
