"""One question to a language model, and the forms in which servers let us ask for a structured answer."""

from dataclasses import dataclass, replace
from typing import Any

from ghost.judges.llm.endpoint import Endpoint

BYTES_PER_TOKEN = 3
"""Cautious: English has about four bytes to a token, other scripts about three."""
TOKENS_PER_MESSAGE = 8
MESSAGE_CHARS = 12_000
"""So much of each message is kept in the trace: the question with its evidence is rarely longer."""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked, once; each question is a conversation of its own."""

    purpose: str
    """classify, snippets, reading, sufficiency or verdict."""
    messages: tuple[dict[str, str], ...]
    schema: dict[str, Any]
    max_tokens: int
    """Longest answer that makes sense."""

    def words(self) -> str:
        """The messages as a reader sees them, each under its role; a very long one is cut, and says so."""
        return "\n\n".join(f"{m['role'].upper()}\n{_cut(m['content'])}" for m in self.messages)

    def tokens(self) -> int:
        """About how many tokens it is, rather too many than too few."""
        size = sum(len(m["content"].encode()) // BYTES_PER_TOKEN + TOKENS_PER_MESSAGE for m in self.messages)
        return size + len(str(self.schema)) // BYTES_PER_TOKEN


@dataclass(frozen=True, slots=True)
class Form:
    """How a request is put; servers differ in what they understand."""

    structure: str = "json_schema"
    """json_schema, json_schema_object (llama.cpp's own way), json_object or text."""
    temperature: bool = True
    limit: str = "max_tokens"
    usage: bool = True
    """Whether to ask for the tokens used at the end of the stream."""
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
        later = _STRUCTURES[_STRUCTURES.index(self.structure) + 1 :]
        if not later:
            return None
        return replace(self, structure=later[0], usage=self.usage and later[0] != "text")

    def arguments(self, question: Question, to: Endpoint, max_tokens: int) -> dict[str, Any]:
        """The arguments of ``chat.completions.create``."""
        found: dict[str, Any] = {
            "model": to.model,
            "messages": list(question.messages),
            "stream": True,
            self.limit: max_tokens,
        }
        if self.temperature:
            found["temperature"] = to.temperature
        if self.effort:
            found["reasoning_effort"] = self.effort
        if self.usage:
            found["stream_options"] = {"include_usage": True}
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


def _cut(text: str) -> str:
    more = len(text) - MESSAGE_CHARS
    return text if more <= 0 else f"{text[:MESSAGE_CHARS]} … ({more:,} more characters)"
