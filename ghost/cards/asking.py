"""Questions asked in a conversation: routed, answered from cards or by a new check, and kept."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from typing import Protocol

from ghost.budget import Budget, Limits
from ghost.cards.answering import answer_from
from ghost.cards.base import Cards
from ghost.cards.router import Routed, Router
from ghost.errors import Cancelled, ClaimError, StoreError
from ghost.events import (
    AskEvent,
    Event,
    QuestionAnswered,
    QuestionRouted,
    QuestionSearched,
    SentenceAccepted,
)
from ghost.inference import StanceReader
from ghost.judges import Assistant
from ghost.records import DecisionFilter, DecisionStore, RunStore
from ghost.types import Claim, ClaimCard, Relation, RouteMode, RouterDecision, Turn

MAX_QUESTION_CHARS = 2_000
MOST_TURNS = 50
ROUTE_SECONDS, ANSWER_SECONDS, LOOK_SECONDS = 30.0, 60.0, 5.0
"""So long at most a language model may take to find an answer, to give it, and to confirm a card on Verify."""
SURER = 0.01
"""So much surer than the match that was wrong must be the next one that a card answers."""
SEARCHING, READING, CHECKING = "Searching existing claims…", "Reading earlier answers…", "Verifying a new claim…"


def tidy_question(question: str) -> str:
    """The question on one line. Raises ClaimError for an empty one, and for one of more than MAX_QUESTION_CHARS."""
    question = " ".join(question.replace("\x00", " ").split())
    if not question:
        raise ClaimError("There is no question. Type one and send it.")
    if len(question) > MAX_QUESTION_CHARS:
        raise ClaimError(f"The question is longer than {MAX_QUESTION_CHARS:,} characters. Shorten it.")
    return question


class Verifies(Protocol):
    """Starts a run and yields its events."""

    def __call__(self, claim: Claim, *, run_id: str, cancelled: Callable[[], bool], web: bool) -> Iterator[Event]: ...


StillSaid = Callable[[ClaimCard, bool, Callable[[], bool]], tuple[bool, str]]
"""Whether what a card rests on still stands on its pages, and what came of reading them; False: without the web."""


class Asking:
    """Answers questions. Safe to share by threads."""

    def __init__(
        self,
        router: Router,
        cards: Cards,
        decisions: DecisionStore,
        runs: RunStore,
        verify: Verifies,
        assistant: Callable[[], Assistant | None],
        reader: StanceReader,
        limits: Callable[[], Limits],
        new_run_id: Callable[[], str],
        still_said: StillSaid = lambda *_: (True, ""),
    ) -> None:
        self._router = router
        self._cards = cards
        self.decisions = decisions
        self._runs = runs
        self._verify = verify
        self._assistant = assistant
        self._reader = reader
        self._limits = limits
        self._new_run_id = new_run_id
        self._still_said = still_said

    def ask(
        self,
        question: str,
        conversation_id: str = "",
        turns: Sequence[Turn] = (),
        cancelled: Callable[[], bool] = lambda: False,
        web: bool = True,
        anew: bool = False,
        ask_id: str = "",
    ) -> Iterator[AskEvent]:
        """Answer a question; ``turns`` is the conversation so far, oldest first. ``anew`` checks it in any case.

        The decision is stored before the answer begins, so that a program that is killed leaves no answer without one.
        With an ``ask_id`` the decision has that id, so a question that is asked again replaces it. Raises ClaimError at
        once for an unusable question, Cancelled, StoreError.
        """
        return self._answered(tidy_question(question), conversation_id, turns, cancelled, web, anew, ask_id)

    def conversation(self, conversation_id: str) -> list[RouterDecision]:
        """The latest questions of a conversation, oldest first; none without an id. Raises StoreError."""
        if not conversation_id:
            return []
        return self.decisions.browse(DecisionFilter(conversation_id=conversation_id), MOST_TURNS)[::-1]

    def turns(self, conversation_id: str) -> list[Turn]:
        """What was asked and answered in a conversation, for the question after it. Raises StoreError."""
        return [self._turn(decision) for decision in self.conversation(conversation_id)]

    def checked_before(self, claim: str) -> ClaimCard | None:
        """The card that answers exactly this claim and holds, or None. Raises StoreError and ModelError.

        One that has to be read again is none: the check does that.
        """
        card = self._router.checked_before(claim, self._budget(LOOK_SECONDS))
        return card if card and self._still_said(card, False, lambda: False)[0] else None

    def reject(self, decision_id: str) -> Callable[[], None]:
        """This is not what was asked: keep it, and let the cards that say the same answer only where that is surer.

        Returns what takes both back. Raises StoreError for an unknown decision.
        """
        decision = self.decisions.get(decision_id)
        if decision is None:
            raise StoreError("Nothing was changed: there is no such decision.")
        self.decisions.mark_wrong(decision_id)
        before: dict[str, float] = {}
        if decision.mode is RouteMode.EXACT:
            for found in (c for c in decision.candidates if c.match.relation is Relation.SAME):
                if card := self._cards.get(found.card_id):
                    before[card.id] = card.margin
                    needed = found.match.probability - self._router.same_from + SURER
                    self._cards.set_margin(
                        card.id, min(1.0, max(card.margin, needed)), note="answered another question"
                    )

        def take_back() -> None:
            self.decisions.unmark(decision_id)
            for card_id, margin in before.items():
                self._cards.set_margin(card_id, margin)

        return take_back

    def _answered(
        self,
        question: str,
        conversation_id: str,
        turns: Sequence[Turn],
        cancelled: Callable[[], bool],
        web: bool,
        anew: bool,
        ask_id: str,
    ) -> Iterator[AskEvent]:
        yield QuestionSearched(SEARCHING)
        routed = self._router.decide(question, conversation_id, turns, self._budget(ROUTE_SECONDS, cancelled), anew)
        decision = replace(routed.decision, id=ask_id or routed.decision.id)
        if decision.mode is RouteMode.EXACT:
            holds, told = self._still_said(routed.cards[0], web, cancelled)
            decision = replace(decision, reasoning=f"{decision.reasoning} {told}".strip())
            if not holds:
                decision = replace(decision, mode=RouteMode.NOVEL, cards=())
                routed = replace(routed, cards=(), earlier=routed.cards[0])
        if cancelled():
            raise Cancelled("Stopped, as you asked.")
        if decision.mode is RouteMode.NOVEL:
            decision = replace(decision, run_id=self._new_run_id())
        self.decisions.add(decision)
        yield QuestionRouted(decision, routed.cards, routed.earlier, routed.problem)
        answer = ""
        if decision.mode is RouteMode.NOVEL:
            yield QuestionSearched(CHECKING)
            claim = Claim(decision.reformulated, routed.context)
            yield from self._verify(claim, run_id=decision.run_id, cancelled=cancelled, web=web)
        elif decision.mode is RouteMode.EXACT:
            answer = routed.cards[0].answer
            yield SentenceAccepted(answer)
        else:
            yield QuestionSearched(READING)
            answer, problem = yield from self._from_cards(routed, self._budget(ANSWER_SECONDS, cancelled))
            if problem:
                reasoning = f"{decision.reasoning} The language model was left: {problem}"
                decision = replace(decision, reasoning=reasoning)
        decision = replace(decision, answer=answer)
        self.decisions.add(decision)
        yield QuestionAnswered(decision, answer)

    def _turn(self, decision: RouterDecision) -> Turn:
        answer, cards = decision.answer, decision.cards
        if decision.run_id and (run := self._runs.get(decision.run_id)) and run.verdict:
            said = run.review.override
            answer = f"{run.label}. {said.reason if said else run.verdict.explanation}"
        if decision.run_id and (card := self._cards.store.of_run(decision.run_id)):
            cards = (card.id,)
        return Turn(decision.reformulated, answer, cards, decision.run_id)

    def _from_cards(self, routed: Routed, budget: Budget) -> Generator[AskEvent, None, tuple[str, str]]:
        """The answer, and why a language model was left."""
        sentences: list[str] = []
        given = answer_from(
            routed.decision.reformulated, routed.kind, routed.cards, self._assistant(), self._reader, budget
        )
        while True:
            try:
                text = next(given)
            except StopIteration as end:
                return " ".join(sentences), end.value
            sentences.append(text)
            yield SentenceAccepted(text)

    def _budget(self, seconds: float, cancelled: Callable[[], bool] = lambda: False) -> Budget:
        limits = self._limits()
        return Budget(replace(limits, seconds=min(seconds, limits.seconds)), cancelled)
