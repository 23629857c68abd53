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
    "gpt-4o-mini": Price(0.15, 0.60),
    "gpt-4o": Price(2.50, 10.00),
    "gpt-4.1": Price(2.00, 8.00),
    "gpt-4.1-mini": Price(0.40, 1.60),
    "gpt-4.1-nano": Price(0.10, 0.40),
}
"""List prices of OpenAI's own service, without discounts. A model that is not here has no known price."""


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model on one server."""

    judge: str
    """cloud or local."""
    base_url: str
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
    """The list price, where we are sure of it."""
    return _OPENAI_PRICES.get(model) if host_of(base_url) == host_of(OPENAI) else None
