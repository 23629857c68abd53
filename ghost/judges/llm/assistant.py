"""A language model that finds earlier answers with the help of functions, and answers from them.

What it says is a proposal: which cards say the same is for the claim match, and what may be shown is for the gate.
"""

import json
import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from pydantic import BaseModel, ValidationError

from ghost.budget import Budget
from ghost.judges.llm import prompts
from ghost.judges.llm.cited_answer import cited_sentences, unusable, whole_reply
from ghost.judges.llm.client import ChatClient
from ghost.judges.llm.replies import (
    BadReply,
    DetailsCall,
    NewClaimCall,
    RouteReply,
    SameReply,
    SearchCall,
    parse,
)
from ghost.judges.llm.reply_validation import tidy
from ghost.judges.llm.request import Reply, ToolCall
from ghost.types import DraftSentence, JudgeInfo, Relation, RouteMode, Turn

MOST_CALLS = 3
"""Calls of the model before an answer begins."""
_ADDRESS = re.compile(r"\bhttps?://\S+", re.IGNORECASE)
RESULT_CHARS = 6_000
"""So much of what a function returns is shown."""


class CardLookup(Protocol):
    """What the functions of the model look into."""

    def search_existing_claims(self, query: str, limit: int = 5) -> Sequence[dict[str, Any]]:
        """Earlier answers about this, best first, as JSON-safe values."""
        ...

    def get_claim_details(self, claim_id: str) -> dict[str, Any] | None:
        """One of them whole; None when there is none with this id."""
        ...


@dataclass(frozen=True, slots=True)
class Proposal:
    """How a model would answer a question."""

    mode: RouteMode
    question: str
    """Self-contained."""
    cards: tuple[str, ...]
    reasoning: str
    context: str = ""
    """What a new check should know besides the question."""


class Assistant:
    """Asks one language model. Stateless; safe to share by threads."""

    def __init__(self, client: ChatClient) -> None:
        self._client = client
        to = client.endpoint
        self.info = JudgeInfo(to.judge, to.model, (), to.host)

    def route(self, question: str, turns: Sequence[Turn], cards: CardLookup, budget: Budget) -> Proposal:
        """Whether the question was answered before, in at most three calls.

        Raises JudgeError when the model gives no usable answer in them, BudgetExceeded and Cancelled.
        """
        asked = prompts.route(question, turns)
        for left in reversed(range(MOST_CALLS)):
            reply = whole_reply(self._client, asked if left else replace(asked, tools=()), budget)
            if not reply.calls:
                try:
                    return _proposal(parse(reply.text, RouteReply))
                except BadReply as bad:
                    if not left:
                        raise unusable(self._client, str(bad)) from bad
                    asked = replace(prompts.repair(asked, reply.text, str(bad)), tools=asked.tools)
                    continue
            results = []
            for call in reply.calls:
                if (found := _called(call, cards)) and isinstance(found, Proposal):
                    return found
                results.append((call, found))
            asked = replace(asked, messages=(*asked.messages, *_told(reply, results)))
        raise unusable(self._client, "It called functions until its calls were used up.")

    def relation(self, question: str, claim: str, budget: Budget) -> Relation:
        """How a claim stands to a question, in one call. Raises JudgeError, BudgetExceeded and Cancelled."""
        reply = whole_reply(self._client, prompts.same(question, claim), budget)
        try:
            return parse(reply.text, SameReply).relation
        except BadReply as bad:
            raise unusable(self._client, str(bad)) from bad

    def answer(self, question: str, cards: Sequence[str], budget: Budget) -> Generator[DraftSentence, None, None]:
        """The answer from the texts of cards, which it cites by number from 1, each sentence as soon as it is written.

        Raises JudgeError, BudgetExceeded and Cancelled; what was given before does not count then.
        """
        return cited_sentences(self._client, prompts.answer(question, cards), budget)


def _called(call: ToolCall, cards: CardLookup) -> Any:
    """The result of one function: JSON-safe, or a proposal where it ends the search."""
    kinds: dict[str, type[BaseModel]] = {
        "search_existing_claims": SearchCall,
        "get_claim_details": DetailsCall,
        "generate_new_claim": NewClaimCall,
    }
    if call.name not in kinds:
        return {"error": f"There is no function {call.name[:80]}."}
    try:
        asked = kinds[call.name].model_validate_json(call.arguments or "{}")
    except ValidationError as error:
        return {"error": f"Its arguments cannot be used: {error.errors(include_url=False)[0]['msg']}."}
    match asked:
        case SearchCall():
            return list(cards.search_existing_claims(asked.query, asked.limit))
        case DetailsCall():
            return cards.get_claim_details(asked.claim_id) or {"error": "There is no such claim."}
        case NewClaimCall():
            return Proposal(
                RouteMode.NOVEL, _said(asked.text), (), "The model asks for a new check.", _said(asked.context)
            )


def _told(reply: Reply, results: Sequence[tuple[ToolCall, Any]]) -> list[dict[str, Any]]:
    """What the model asked for and what came of it, as messages."""
    calls = [
        {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
        for call, _ in results
    ]
    told: list[dict[str, Any]] = [{"role": "assistant", "content": reply.text, "tool_calls": calls}]
    for call, result in results:
        words = prompts.data(json.dumps(result, ensure_ascii=False))[:RESULT_CHARS]
        told.append({"role": "tool", "tool_call_id": call.id, "content": words})
    return told


def _said(text: str) -> str:
    """Without addresses, since a check of the claim may fetch what stands in it."""
    return _ADDRESS.sub("", tidy(text))


def _proposal(reply: RouteReply) -> Proposal:
    cards = tuple(dict.fromkeys(reply.claim_ids))
    return Proposal(reply.mode, _said(reply.question), cards, tidy(reply.reasoning, 400))
