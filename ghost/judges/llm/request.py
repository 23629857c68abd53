"""One question to a language model, where it is served and what it costs, and how servers let us ask for structure."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any
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


BYTES_PER_TOKEN = 3
"""Cautious: English has about four bytes to a token, other scripts about three."""
TOKENS_PER_MESSAGE = 8
MESSAGE_CHARS = 12_000
"""So much of each message is kept in the trace: the question with its evidence is rarely longer."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, once; each question is a conversation of its own."""

    purpose: str
    """classify, reading, sufficiency, verdict, route, same, answer, research_plan or research_answer."""
    messages: tuple[dict[str, Any], ...]
    schema: dict[str, Any]
    max_tokens: int
    """Longest answer that makes sense."""
    tools: tuple[dict[str, Any], ...] = ()
    """Functions that the model may ask for instead of answering: name, description and parameters as a schema."""

    def words(self) -> str:
        """The messages as a reader sees them, each under its role; a very long one is cut, and says so."""
        return "\n\n".join(f"{m['role'].upper()}\n{_cut(_said(m))}" for m in self.messages)

    def tokens(self) -> int:
        """About how many tokens it is, rather too many than too few."""
        size = sum(len(_said(m).encode()) // BYTES_PER_TOKEN + TOKENS_PER_MESSAGE for m in self.messages)
        return size + (len(str(self.schema)) + len(str(self.tools))) // BYTES_PER_TOKEN


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A function that a model wants called before it answers."""

    id: str
    name: str
    arguments: str
    """JSON, if the model kept to it."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered: words, or functions that it wants called."""

    text: str
    calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, slots=True)
class Form:
    """How a request is put; servers differ in what they understand."""

    structure: str = "json_schema"
    """json_schema, json_schema_object (llama.cpp's own way), json_object or text."""
    temperature: bool = True
    limit: str = "max_tokens"
    usage: bool = True
    """Whether to ask for the tokens used at the end of the stream."""
    tools: bool = True
    """Whether functions are described the protocol's way; else only the words of the question name them."""
    effort: str = ""
    """How much a model may think before it answers; empty leaves that to the server."""

    def simpler(self, refusal: str) -> "Form | None":
        """The next form to try when a server refuses this one with these words; None when there is none."""
        words = refusal.lower()
        if "context" in words and any(w in words for w in ("length", "window", "exceed")):
            return None
        if "max_completion_tokens" in words and self.limit == "max_tokens":
            return replace(self, limit="max_completion_tokens")
        if "temperature" in words and self.temperature:
            return replace(self, temperature=False)
        if "stream_options" in words and self.usage:
            return replace(self, usage=False)
        if THOUGHTS in words:
            later = _EFFORTS[_EFFORTS.index(self.effort) + 1 :]
            return replace(self, effort=later[0]) if later else None
        if "tool" in words and self.tools:
            return replace(self, tools=False)
        later = _STRUCTURES[_STRUCTURES.index(self.structure) + 1 :]
        if not later:
            return None
        return replace(self, structure=later[0], usage=self.usage and later[0] != "text")

    def arguments(self, question: Question, to: Endpoint, max_tokens: int) -> dict[str, Any]:
        """The arguments of ``chat.completions.create``."""
        found: dict[str, Any] = {
            "model": to.model,
            "messages": list(question.messages) if self.tools else without_tools(question.messages),
            "stream": True,
            self.limit: max_tokens,
        }
        if self.temperature:
            found["temperature"] = to.temperature
        if self.effort:
            found["reasoning_effort"] = self.effort
        if self.usage:
            found["stream_options"] = {"include_usage": True}
        if question.tools and self.tools:
            found["tools"] = [{"type": "function", "function": tool} for tool in question.tools]
        if self.structure == "json_schema":
            schema = {"name": question.purpose, "strict": True, "schema": question.schema}
            found["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif self.structure == "json_schema_object":
            found["response_format"] = {"type": "json_object", "schema": question.schema}
        elif self.structure == "json_object":
            found["response_format"] = {"type": "json_object"}
        return found


THOUGHTS = "reasoning_effort"
"""What the trouble is about when a model thinks until nothing is left for the answer."""
_EFFORTS = ("", "none", "low")
"""Models that think do so unasked. Not all of them can do without; none of our questions needs much of it."""
_STRUCTURES = ("json_schema", "json_schema_object", "json_object", "text")


def without_tools(messages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The same conversation for a server that knows no functions: calls and their results as plain messages.

    Neighbouring messages of one role are joined, because the templates of many models want the roles to take turns.
    """
    plain: list[dict[str, Any]] = []
    for message in messages:
        role = "user" if message["role"] == "tool" else message["role"]
        if plain and plain[-1]["role"] == role:
            plain[-1] = {"role": role, "content": f"{plain[-1]['content']}\n{_said(message)}"}
        else:
            plain.append({"role": role, "content": _said(message)})
    return plain


def _said(message: dict[str, Any]) -> str:
    """The words of a message, with the functions that it asks for."""
    calls = (call["function"] for call in message.get("tool_calls", ()))
    return "\n".join([message["content"], *(f"{call['name']}({call['arguments']})" for call in calls)]).strip()


def _cut(text: str) -> str:
    more = len(text) - MESSAGE_CHARS
    return text if more <= 0 else f"{text[:MESSAGE_CHARS]} … ({more:,} more characters)"
