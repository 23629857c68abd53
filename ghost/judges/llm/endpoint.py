"""Where a language model is served, and what its tokens cost."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

OPENAI = "https://api.openai.com/v1"


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars for a million tokens."""

    tokens_in: float
    tokens_out: float

    def of(self, tokens_in: int, tokens_out: int) -> float:
        """US dollars for so many tokens."""
        return (tokens_in * self.tokens_in + tokens_out * self.tokens_out) / 1_000_000


_OPENAI_PRICES = {
    # developers.openai.com/api/docs/models/gpt-6-luna, as stored in autumn 2026 (released 2026-09-22).
    "gpt-6-luna": Price(0.10, 0.50),
    # platform.openai.com/docs/pricing as read by others in May 2026; the same at openrouter.ai and, for gpt-4o-mini, in
    # a table of 2026-09-26. OpenAI shuts these four models down on 2027-01-14 (its deprecations page, October 2026).
    "gpt-4o-mini": Price(0.15, 0.60),
    "gpt-4o": Price(2.50, 10.00),
    # platform.openai.com/docs/pricing as read by others on 2025-06-03, in March and on 2026-04-02.
    "gpt-4.1": Price(2.00, 8.00),
    "gpt-4.1-mini": Price(0.40, 1.60),
}
"""List prices of OpenAI's own service, without discounts, looked up on 2026-11-22. A model that is not here, or that is
named with a date, has no known price: it is shown as not known rather than guessed."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model on one server."""

    judge: str
    """cloud or local."""
    base_url: str = field(repr=False)
    """May hold a password."""
    model: str
    """Empty for a local server: the first model it lists."""
    key: str = field(default="", repr=False)
    temperature: float = 0.1
    timeout: float = 60.0
    """Seconds for one answer, retries not counted."""
    retries: int = 2
    price: Price | None = None
    """None when nobody knows it; then no cost is shown, rather than nought."""

    @property
    def host(self) -> str:
        """Host and port, without a password that the address may hold."""
        return host_of(self.base_url)


def host_of(url: str) -> str:
    """Host and port of an address, without a user or password that it may hold."""
    return urlsplit(url).netloc.rpartition("@")[2]


def known_price(base_url: str, model: str) -> Price | None:
    """The list price, where it could be looked up."""
    return _OPENAI_PRICES.get(model) if host_of(base_url) == host_of(OPENAI) else None
