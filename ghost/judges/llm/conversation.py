"""A conversation of a language model with functions: it gathers facts for a claim and writes the verdict on them.

What the model says is a proposal. Which words really stand in a source is for the pipeline, and what may be shown for
the gate.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ghost.budget import Budget
from ghost.errors import JudgeError, UnusableAnswerError
from ghost.judges.base import Drafting
from ghost.judges.llm import conversation_prompts as asking
from ghost.judges.llm import prompts
from ghost.judges.llm.cited_answer import whole_reply
from ghost.judges.llm.client import ChatClient
from ghost.judges.llm.conversation_replies import (
    ClaimExtraction,
    ConversationVerdict,
    SubClaim,
    TurnReply,
)
from ghost.judges.llm.judge import LLMJudge, drafted
from ghost.judges.llm.replies import BadReply, ClassifyReply, parse
from ghost.judges.llm.reply_validation import classification, queries, tidy
from ghost.judges.llm.request import Question, Reply
from ghost.judges.llm.tool_calls import ToolRequest, as_message, as_shown, requests_of, written_calls
from ghost.types import Claim, Classification, Evidence, Harm, JudgeInfo, Scopes, Statement

MOST_UNUSABLE = 2
"""After so many answers in a row without a call the model cannot follow."""
EVIDENCE_TOKENS = 4_000
"""Set aside for the evidence of the verdict call, before it is known."""
SHORT_TURN = 300
"""With fewer tokens left for an answer it is not worth asking."""
SHORT_VERDICT = 600


@dataclass(frozen=True, slots=True)
class Reachable:
    """A language model that may be asked."""

    client: ChatClient
    unusable: Callable[[], str] = lambda: ""
    """Why it need not be asked at all; empty when it can be. May look at a server, briefly."""


@dataclass(frozen=True, slots=True)
class ConversationTurn:
    """One answer of the model."""

    requests: tuple[ToolRequest, ...]
    problem: str = ""
    """Why nothing of the answer could be used."""


@dataclass(frozen=True, slots=True)
class StatementWeight:
    """What the model says of one statement besides its label."""

    truth: float
    """0 to 100."""
    importance: int
    """1 for a detail, to 3 where the claim stands or falls with it."""


@dataclass(frozen=True, slots=True)
class Assessment:
    """What the model says beside the verdict."""

    harm: Harm
    weights: Mapping[int, StatementWeight]
    """By statement."""


class Conversation:
    """The conversation of one run with the first model that can be asked. For one thread."""

    def __init__(self, models: Sequence[Reachable]) -> None:
        self._models = tuple(models)
        self._judge: LLMJudge | None = None
        self._question: Question | None = None
        self._messages: list[dict[str, Any]] = []
        self._answer = Reply("")
        self._unusable = 0
        self.queries: tuple[str, ...] = ()
        """What the model would search for, as far as it has to do with the claim; known after ``classify``."""
        self.assessment: Assessment | None = None
        """Known once ``decide`` has ended."""

    @property
    def name(self) -> str:
        """cloud or local; empty where no model has been asked yet."""
        return self._judge.info.name if self._judge else ""

    @property
    def info(self) -> JudgeInfo:
        """Who this is. Raises JudgeError when no model can be asked."""
        return self._asked.info

    def classify(self, claim: Claim, budget: Budget) -> Classification:
        """Claim type and statements with their scopes; statements that the claim does not make are refused."""
        found, said = self._asked.understood(
            asking.extraction(claim), budget, lambda text: _extracted(parse(text, ClaimExtraction), claim)
        )
        self.queries = queries(said.queries, Statement(1, said.main_claim), claim)
        return found

    def open(self, claim: Claim, statements: Sequence[Statement], turns: int, notes: str) -> None:
        """Begin to gather evidence, in at most so many turns. ``notes`` say what is not possible in this run."""
        self._question = asking.opening(claim, statements, self.queries, turns, notes)
        self._messages = list(self._question.messages)

    def show_hits(self, hits: Sequence[Mapping[str, Any]]) -> None:
        """Show passages of the knowledge base before the first turn."""
        self._add(asking.shown_block("The knowledge base has these passages", hits))

    def show_pages(self, pages: Sequence[Mapping[str, Any]]) -> None:
        """Show pages that the analyst has named."""
        self._add(asking.shown_block("The analyst named pages, and they were read", pages))

    def fits(self, budget: Budget) -> bool:
        """Whether what is left of the tokens and the money is enough for one more turn."""
        return self._affords(self._next_question(), SHORT_TURN, budget)

    def turn(self, budget: Budget) -> ConversationTurn:
        """The next answer; ``tell`` must follow where it has requests.

        Raises JudgeError, UnusableAnswerError when two answers in a row have no call, BudgetExceeded and Cancelled.
        """
        self._answer = whole_reply(self._asked.client, self._next_question(), budget)
        try:
            calls = self._answer.calls or written_calls(parse(self._answer.text, TurnReply))
        except BadReply as bad:
            who = f"An answer of the {self.info.name} model could not be used"
            budget.tell(f"{who}: {bad}", bad.kind)
            self._unusable += 1
            if self._unusable >= MOST_UNUSABLE:
                raise UnusableAnswerError(f"{who}, and neither could the one before it: {bad}") from bad
            self._messages.append({"role": "assistant", "content": self._answer.text[: prompts.SHOWN_CHARS] or "(…)"})
            self._add(asking.UNUSABLE.format(problem=bad))
            return ConversationTurn((), str(bad))
        self._unusable = 0
        return ConversationTurn(requests_of(calls))

    def tell(self, results: Sequence[tuple[ToolRequest, Any]], left: int) -> None:
        """What the functions of the last turn returned, as JSON-safe values, and how many turns are left."""
        if self._answer.calls:
            called = [as_message(request.call) for request, _ in results]
            self._messages.append({"role": "assistant", "content": self._answer.text, "tool_calls": called})
            for request, result in results:
                self._messages.append({"role": "tool", "tool_call_id": request.call.id, "content": as_shown(result)})
        else:
            self._messages.append({"role": "assistant", "content": self._answer.text[: prompts.SHOWN_CHARS]})
            for request, result in results:
                self._add(f"{request.call.name}: {as_shown(result)}")
        self._add(f"You have {left} answer{'' if left == 1 else 's'} left.")

    def verdict_needs(self, claim: Claim, statements: Sequence[Statement]) -> tuple[int, float]:
        """Tokens and US dollars to set aside for the verdict call."""
        asked = asking.conclusion(claim, statements, ()).tokens() + EVIDENCE_TOKENS
        price = self._asked.client.endpoint.price
        return asked + asking.VERDICT_TOKENS, price.of(asked, asking.VERDICT_TOKENS) if price else 0.0

    def decide(
        self, claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence], budget: Budget
    ) -> Drafting:
        """The verdict on the evidence. Where there is more of it than the budget allows, the lightest is left out."""
        question = asking.conclusion(claim, statements, evidence)
        shown = sorted(evidence, key=lambda e: -e.final)
        while len(shown) > 1 and not self._affords(question, SHORT_VERDICT, budget):
            shown.pop()
            question = asking.conclusion(claim, statements, [e for e in evidence if e in shown])
        if left := len(evidence) - len(shown):
            budget.tell(f"{left} of the lightest passages were not shown to the model, to keep to the limits.", "cut")
        reply = yield from self._asked.written(question, ConversationVerdict, budget)
        known = {s.number for s in statements}
        weights = {
            s.statement: StatementWeight(s.truth, s.importance) for s in reply.statements if s.statement in known
        }
        self.assessment = Assessment(reply.harm, weights)
        return drafted(reply, statements, evidence)

    @property
    def _asked(self) -> LLMJudge:
        """The model of this conversation, which stays the same once it is found."""
        if self._judge is None:
            whys = []
            for model in self._models:
                if not (why := model.unusable()):
                    self._judge = LLMJudge(model.client)
                    return self._judge
                whys.append(f"{model.client.endpoint.judge}: {why}")
            raise JudgeError(f"No language model can be asked. {' '.join(whys)}")
        return self._judge

    def _next_question(self) -> Question:
        assert self._question, "open() comes first"
        return replace(self._question, messages=tuple(self._messages))

    def _affords(self, question: Question, answer: int, budget: Budget) -> bool:
        tokens, money = budget.room()
        asked, price = question.tokens(), self._asked.client.endpoint.price
        return asked + answer <= tokens and (price is None or price.of(asked, answer) <= money)

    def _add(self, text: str) -> None:
        """Say more in the last message, where it is not the model's: templates want the roles to take turns."""
        last = self._messages[-1]
        if last["role"] == "assistant":
            self._messages.append({"role": "user", "content": text})
        else:
            self._messages[-1] = {**last, "content": f"{last['content']}\n\n{text}"}


def _extracted(said: ClaimExtraction, claim: Claim) -> tuple[Classification, ClaimExtraction]:
    """The classification with the scopes that the claim states; raises BadReply where a statement is invented."""
    texts = [part.text for part in said.sub_claims] or [said.main_claim]
    reply = ClassifyReply(
        reason=said.reason, type=said.type, confidence=said.confidence, statements=texts, rephrase=said.rephrase
    )
    found = classification(reply, claim)
    parts = {tidy(part.text, 600): part for part in said.sub_claims}
    statements = tuple(
        replace(s, scopes=_scopes(parts[s.text], claim)) if s.text in parts else s for s in found.statements
    )
    return replace(found, statements=statements), said


def _scopes(part: SubClaim, claim: Claim) -> Scopes:
    """The limits that a model names, as far as the claim has them in these words."""
    said = f"{claim.text} {claim.context}".casefold()

    def kept(words: Sequence[str]) -> tuple[str, ...]:
        tidied = (tidy(word, 120) for word in words)
        return tuple(dict.fromkeys(w for w in tidied if w and _has_word(said, w.casefold())))

    return Scopes(kept(part.jurisdiction), kept(part.time), kept(part.population), kept(part.method))


def _has_word(text: str, words: str) -> bool:
    """Whether a text has these words whole: “house” does not name the US."""
    return re.search(rf"(?<!\w){re.escape(words)}(?!\w)", text) is not None
