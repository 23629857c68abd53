"""What happened in one turn of a conversation, for the trace."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ghost.judges import ToolRequest
from ghost.steps import Outcome, count


@dataclass(slots=True)
class TurnLog:
    """What happened in one turn, for the trace."""

    searched: int = 0
    """Searches of the knowledge base, with or without the web."""
    searches: list[dict[str, Any]] = field(default_factory=list)
    sources: list[dict[str, Any]] = field(default_factory=list)
    reviews: list[dict[str, Any]] = field(default_factory=list)
    calls: list[dict[str, Any]] = field(default_factory=list)
    """Each function that was called, in order, with what came of it in a few words."""
    facts: list[dict[str, Any]] = field(default_factory=list)
    dropped: list[dict[str, Any]] = field(default_factory=list)

    def take(self, outputs: Mapping[str, Any]) -> None:
        """Add the rows of a search or of a page, also of one that was stopped."""
        for name in ("searches", "sources", "reviews"):
            getattr(self, name).extend(outputs.get(name, ()))

    def take_calls(self, requests: Sequence[ToolRequest], results: Sequence[Mapping[str, Any]]) -> None:
        """Add what was called, and what came of it in a few words."""
        for request, result in zip(requests, results, strict=True):
            said = str(result.get("error") or result.get("note") or "done")[:400]
            row = {"name": request.call.name[:80], "arguments": request.call.arguments[:400]}
            self.calls.append(row | {"result": said})

    def outputs(self) -> dict[str, Any]:
        """As the trace keeps it."""
        return {
            "searches": self.searches, "sources": self.sources, "reviews": self.reviews, "tools": self.calls,
            "facts": self.facts, "dropped_facts": self.dropped,
        }  # fmt: skip

    def outcome(self, number: int, turns: int, problem: str, web: bool, providers: Sequence[str]) -> Outcome[None]:
        """The turn as a step; ``problem`` says why the answer could not be used, empty where it could."""
        whys = [str(row["result"]) for row in self.calls if row["result"] != "done"]
        whys += [str(row["why"]) for row in self.dropped]
        return Outcome(
            None,
            decision=f"turn {number} of {turns}: {', '.join(self._done()) or 'nothing done'}",
            reason=problem or " ".join(f"{why.rstrip('.')}." for why in dict.fromkeys(whys)),
            inputs={
                "stage": "conversation", "turn": number, "turns": turns, "web": web, "providers": list(providers),
                "queries": [{"statement": s.get("statement"), "text": s.get("query")} for s in self.searches],
            },
            outputs={**self.outputs(), "turn": number, "turns": turns, "problem": problem},
        )  # fmt: skip

    def _done(self) -> Iterator[str]:
        read = sum(row.get("state") == "read" for row in self.sources)
        if self.searched:
            yield count(self.searched, "search", "searches")
        if self.sources:
            yield f"{read} of {count(len(self.sources), 'page')} read"
        if self.facts or self.dropped:
            yield f"{count(len(self.facts), 'fact')} kept"
        if self.dropped:
            yield f"{len(self.dropped)} dropped"
        if any(row["name"] == "finish" and row["result"] == "done" for row in self.calls):
            yield "finished"
