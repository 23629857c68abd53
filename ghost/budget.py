"""Hard limits of one run, asked before every spend, from any thread."""

import copy
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from ghost.errors import BudgetExceeded, Cancelled
from ghost.types import Usage


@dataclass(frozen=True, slots=True)
class Limits:
    """What one run may spend at most."""

    searches: int = 8
    fetches: int = 10
    tokens: int = 60_000
    cost_usd: float = 0.25
    seconds: float = 180.0


@dataclass(frozen=True, slots=True)
class Hold:
    """What was set aside for a call whose true size is not known before it ends."""

    tokens: int
    cost_usd: float


@dataclass(frozen=True, slots=True)
class Receipt:
    """One question to a language model, as the trace keeps it."""

    purpose: str
    """classify, reading, sufficiency or verdict."""
    judge: str
    model: str
    host: str
    """Where it went."""
    sent: bool
    """False when no connection came about, so that nothing left."""
    attempts: int
    tokens_in: int
    tokens_out: int
    estimated: bool
    """Whether the tokens are our estimate, because the server did not say."""
    cost_usd: float | None
    """None when the price is not known."""
    seconds: float
    form: str
    """How the structure of the answer was asked for: json_schema, json_object or text."""
    problem: str = ""
    """Why the answer could not be used; empty when it could."""
    prompt: str = ""
    """The words that were asked, each message under its role."""
    answer: str = ""
    """What the model wrote."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What a budget has booked: for a claim that was read before its run began, and counts in it."""

    usage: Usage
    receipts: tuple[Receipt, ...] = ()
    stories: tuple[tuple[str, str], ...] = ()


VERDICT_SHARE = 0.1
VERDICT_SECONDS = 20.0
"""So much of the time (a tenth, at most so many seconds) is kept for the verdict when sources are slow."""


@dataclass(slots=True)
class _Books:
    """What was spent and told, shared by all who work on a run."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    searches: int = 0
    fetches: int = 0
    tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0
    receipts: list[Receipt] = field(default_factory=list)
    stories: list[tuple[str, str]] = field(default_factory=list)


class Budget:
    """Counts what a run spends and refuses what would pass a limit."""

    def __init__(
        self, limits: Limits, cancelled: Callable[[], bool] = lambda: False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.limits = limits
        self._cancelled = cancelled
        self._clock = clock
        self._started = clock()
        self._stopped: Callable[[], bool] = lambda: False
        self._books = _Books()
        self._whole: Budget | None = None

    def part(self, limits: Limits) -> "Budget":
        """A budget of its own for a part of the work, within what is left of this one, where all of it counts too."""
        tokens, cost = self.room()
        left, limits_here = self.seconds_left, self.limits
        spent = self.usage()
        mine = Limits(
            max(0, min(limits.searches, limits_here.searches - spent.searches)),
            max(0, min(limits.fetches, limits_here.fetches - spent.fetches)),
            max(0, min(limits.tokens, tokens)),
            max(0.0, min(limits.cost_usd, cost)),
            max(0.0, min(limits.seconds, left)),
        )
        made = Budget(mine, self._cancelled, self._clock)
        made._stopped, made._whole = self._stopped, self
        return made

    def until(self, stopped: Callable[[], bool]) -> "Budget":
        """The same limits and books for work that is also given up, as if cancelled, once ``stopped`` says so."""
        twin = copy.copy(self)
        twin._stopped = stopped
        return twin

    def check(self) -> None:
        """Raise Cancelled or BudgetExceeded when the run must not go on."""
        if self._cancelled():
            raise Cancelled("The run was cancelled.")
        if self._stopped():
            raise Cancelled("This work is not wanted any more.")
        if self.seconds_left <= 0:
            raise BudgetExceeded("seconds", self.limits.seconds)

    def spend(self, *, searches: int = 0, fetches: int = 0, tokens: int = 0, cost_usd: float = 0.0) -> None:
        """Book a spend before it is made; nothing is booked when it would pass a limit."""
        self.check()
        with self._books.lock:
            for name, used, more, allowed in (
                ("searches", self._books.searches, searches, self.limits.searches),
                ("fetches", self._books.fetches, fetches, self.limits.fetches),
                ("tokens", self._books.tokens, tokens, self.limits.tokens),
                ("US dollars", self._books.cost, cost_usd, self.limits.cost_usd),
            ):
                if more and used + more > allowed:
                    raise BudgetExceeded(name, allowed)
            if self._whole:
                self._whole.spend(searches=searches, fetches=fetches, tokens=tokens, cost_usd=cost_usd)
            self._books.searches += searches
            self._books.fetches += fetches
            self._books.tokens += tokens
            self._books.cost += cost_usd

    def hold(self, tokens: int, cost_usd: float) -> Hold:
        """Set aside the most that a call can spend, so that calls side by side cannot pass a limit together."""
        self.spend(tokens=tokens, cost_usd=cost_usd)
        return Hold(tokens, cost_usd)

    def settle(self, held: Hold, tokens: int, cost_usd: float | None) -> None:
        """Book what the call has really spent in place of what was set aside; None is a price nobody knows."""
        if self._whole:
            self._whole.settle(held, tokens, cost_usd)
        with self._books.lock:
            self._books.tokens += tokens - held.tokens
            self._books.cost += (cost_usd or 0.0) - held.cost_usd
            self._books.unpriced += tokens if cost_usd is None else 0

    def room(self) -> tuple[int, float]:
        """Tokens and US dollars that are left."""
        with self._books.lock:
            return self.limits.tokens - self._books.tokens, self.limits.cost_usd - self._books.cost

    def keep(self, receipt: Receipt) -> None:
        """Keep a receipt for the trace."""
        if self._whole:
            self._whole.keep(receipt)
        with self._books.lock:
            self._books.receipts.append(receipt)

    def tell(self, story: str, kind: str) -> None:
        """Keep a sentence for the trace: what went another way than planned. Each ``kind`` is counted."""
        if self._whole:
            self._whole.tell(story, kind)
        with self._books.lock:
            self._books.stories.append((kind, story))

    def mark(self) -> tuple[int, int]:
        """A point from which ``since`` looks on."""
        with self._books.lock:
            return len(self._books.receipts), len(self._books.stories)

    def since(self, mark: tuple[int, int]) -> tuple[list[Receipt], list[tuple[str, str]]]:
        """Receipts, and stories with their kinds, kept after ``mark``."""
        with self._books.lock:
            return self._books.receipts[mark[0] :], self._books.stories[mark[1] :]

    def spent(self) -> Spent:
        """All that was booked, for another budget to carry."""
        receipts, stories = self.since((0, 0))
        return Spent(self.usage(), tuple(receipts), tuple(stories))

    def carry(self, spent: Spent) -> None:
        """Book what was spent before; it is spent, so nothing is refused here, but the next spend may be."""
        with self._books.lock:
            self._books.tokens += spent.usage.tokens
            self._books.cost += spent.usage.cost_usd
            self._books.unpriced += spent.usage.unpriced_tokens
            self._books.receipts += spent.receipts
            self._books.stories += spent.stories

    @property
    def seconds_left(self) -> float:
        """Seconds until the run must have ended."""
        return self.limits.seconds - (self._clock() - self._started)

    @property
    def seconds_to_look(self) -> float:
        """Seconds that may still go into searching and reading; what is left then is for the verdict."""
        return self.seconds_left - min(VERDICT_SECONDS, VERDICT_SHARE * self.limits.seconds)

    def usage(self) -> Usage:
        """What has been spent so far."""
        with self._books.lock:
            return Usage(
                self._books.searches,
                self._books.fetches,
                self._books.tokens,
                round(self._books.cost, 6),
                round(self._clock() - self._started, 4),
                self._books.unpriced,
            )
