"""The LLM judge: a language model behind the OpenAI protocol. Each question is a conversation of its own."""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from pydantic import ValidationError

from ghost.budget import Budget
from ghost.errors import UnusableAnswerError
from ghost.judges.base import Drafting, SourceQuote, SourceReading, Withdrawn
from ghost.judges.embedded.decision import side
from ghost.judges.llm import prompts
from ghost.judges.llm.client import ChatClient
from ghost.judges.llm.replies import (
    BadReply,
    ClassifyReply,
    DecidedReply,
    Items,
    ReadingReply,
    SentenceReply,
    StatementAnswer,
    SufficiencyReply,
    VerdictReply,
    parse,
)
from ghost.judges.llm.reply_validation import classification, queries, tidy
from ghost.judges.llm.request import Question
from ghost.types import (
    DECIDED,
    Claim,
    Classification,
    Draft,
    DraftCitation,
    DraftSentence,
    Evidence,
    JudgeInfo,
    Label,
    Reason,
    ReasonCode,
    StanceLabel,
    Statement,
    StatementVerdict,
    Sufficiency,
)

T = TypeVar("T")
V = TypeVar("V", bound=VerdictReply)
Part = TypeVar("Part")
STATEMENTS_PER_CALL = 4
"""More statements than this are asked about in calls side by side, so that no answer gets too long."""
READING_SHARE = 0.5
"""Of the tokens and the money of a run: so much may be spent before reading stops; the rest is for the verdict."""
TAKES_SIDE = (StanceLabel.SUPPORTS, StanceLabel.REFUTES)


class LLMJudge:
    """Asks a language model. Stateless; whatever the model says is checked here for form and by the gate for truth."""

    def __init__(self, client: ChatClient, route: tuple[str, ...] = ()) -> None:
        self.client = client
        to = client.endpoint
        self._info = JudgeInfo(to.judge, to.model, route, to.host)

    @property
    def info(self) -> JudgeInfo:
        """Who this is."""
        return self._info

    def classify(self, claim: Claim, budget: Budget) -> Classification:
        """Claim type and statements; statements that the claim does not make are refused."""
        return self.understood(
            prompts.classify(claim), budget, lambda text: classification(parse(text, ClassifyReply), claim)
        )

    def sufficiency(
        self, claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence], budget: Budget
    ) -> tuple[Sufficiency, ...]:
        """One call for up to four statements; more of them are asked about side by side."""
        parts = [statements[i : i + STATEMENTS_PER_CALL] for i in range(0, len(statements), STATEMENTS_PER_CALL)]
        answers = _side_by_side(lambda part: self._sufficiency(claim, part, evidence, budget), parts)
        return tuple(found for part in answers for found in part)

    def draft(self, *_: object) -> None:
        """Has to be asked."""

    def read_source(
        self, statements: Sequence[Statement], title: str, chunks: Sequence[str], budget: Budget
    ) -> SourceReading | None:
        """One call for each part of the page, for all statements, side by side."""
        questions = [prompts.reading(statements, title, chunk) for chunk in chunks]
        if not questions or self._too_dear(questions[0], len(questions), budget):
            return None
        known = {s.number for s in statements}

        def ask(question: Question) -> list[SourceQuote]:
            reply = self.understood(question, budget, lambda text: parse(text, ReadingReply))
            kept = [q for q in reply.quotes if q.statement in known and q.stance is not StanceLabel.OFF_TOPIC]
            return [SourceQuote(q.statement, tidy(q.quote), q.stance) for q in kept[: prompts.MAX_QUOTES]]

        found = tuple(quote for quotes in _side_by_side(ask, questions) for quote in quotes)
        return SourceReading(self._info.name, found, len(chunks))

    def decide(
        self, claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence], budget: Budget
    ) -> Drafting:
        """The verdict, each sentence as soon as the model has written it to its end."""
        reply = yield from self.written(prompts.verdict(claim, statements, evidence), VerdictReply, budget)
        return drafted(reply, statements, evidence)

    def written(
        self, question: Question, form: type[V], budget: Budget
    ) -> Generator[DraftSentence | Withdrawn, None, V]:
        """The answer to a question for a verdict, each sentence as soon as the model has written it to its end.

        Raises JudgeError, UnusableAnswerError where a second answer is of no use either.
        """
        said, text, items = 0, "", Items("sentences")
        for piece in self.client.ask(question, budget):
            text += piece
            for item in items.feed(piece):
                if sentence := _sentence(item):
                    said += 1
                    yield sentence
        try:
            return parse(text, form)
        except BadReply as bad:
            if said:
                yield Withdrawn(f"The answer of the {self._info.name} model could not be used: {bad}")
            reply = self._again(question, text, bad, budget, lambda answer: parse(answer, form))
            yield from _sentences(reply)
            return reply

    def _sufficiency(
        self, claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence], budget: Budget
    ) -> tuple[Sufficiency, ...]:
        mine = [e for e in evidence if e.statement in {s.number for s in statements}]
        question = prompts.sufficiency(claim, statements, mine)
        reply = self.understood(question, budget, lambda text: parse(text, SufficiencyReply))
        answers = {a.statement: a for a in reply.statements}
        return tuple(
            _enough(s, answers[s.number], [e for e in mine if e.statement == s.number], claim)
            for s in statements
            if s.number in answers
        )

    def _too_dear(self, question: Question, calls: int, budget: Budget) -> bool:
        """Whether these calls could take what is kept for the verdict."""
        price, limits = self.client.endpoint.price, budget.limits
        tokens, money = budget.room()
        asked = question.tokens()
        after = tokens - calls * (asked + question.max_tokens)
        cost = calls * price.of(asked, question.max_tokens) if price else 0.0
        kept = 1 - READING_SHARE
        if after >= kept * limits.tokens and money - cost >= kept * limits.cost_usd:
            return False
        budget.tell(
            "What is left of the tokens or the money of this run is kept for the verdict, so the stance model reads "
            "the sources from here on.", "reading_stopped",
        )  # fmt: skip
        return True

    def understood(self, question: Question, budget: Budget, read: Callable[[str], T]) -> T:
        """What ``read`` makes of the answer; one that it refuses with BadReply is asked for once more.

        Raises JudgeError, UnusableAnswerError where the second answer is of no use either.
        """
        text = "".join(self.client.ask(question, budget))
        try:
            return read(text)
        except BadReply as bad:
            return self._again(question, text, bad, budget, read)

    def _again(self, question: Question, text: str, bad: BadReply, budget: Budget, read: Callable[[str], T]) -> T:
        """The one chance to mend an answer; raises JudgeError when that is of no use either."""
        who = f"The answer of the {self._info.name} model ({question.purpose}) could not be used"
        budget.tell(f"{who}: {bad} It was asked once more.", bad.kind)
        try:
            return read("".join(self.client.ask(prompts.repair(question, text, str(bad)), budget)))
        except BadReply as still:
            budget.tell("", still.kind)
            raise UnusableAnswerError(f"{who}, and neither could the second one: {still}") from still


def _side_by_side(ask: Callable[[Part], T], parts: Sequence[Part]) -> list[T]:
    if len(parts) == 1:
        return [ask(parts[0])]
    with ThreadPoolExecutor(len(parts)) as pool:
        return list(pool.map(ask, parts))


def _sentence(item: dict[str, Any]) -> DraftSentence | None:
    """A sentence of a stream; one that is not in form waits for the check of the whole answer."""
    try:
        return _drafted(SentenceReply.model_validate(item))
    except ValidationError:
        return None


def _sentences(reply: VerdictReply) -> tuple[DraftSentence, ...]:
    return tuple(_drafted(s) for s in reply.sentences)


def _drafted(sentence: SentenceReply) -> DraftSentence:
    cited = tuple(DraftCitation(c.n, tidy(c.quote), c.stance, max(0, c.statement)) for c in sentence.citations)
    return DraftSentence(tidy(sentence.text), cited)


def drafted(reply: VerdictReply, statements: Sequence[Statement], evidence: Sequence[Evidence]) -> Draft:
    """A model's answer as a draft for the gate."""
    sentences = _sentences(reply)
    label = Label(reply.label.value)
    said = {d.statement: d for d in reply.statements}
    only = len(statements) == 1
    decided = tuple(_decided(s, said.get(s.number), reply, only, sentences, evidence) for s in statements)
    reasons: tuple[Reason, ...] = ()
    if label is Label.NOT_ENOUGH_EVIDENCE:
        remedy = tidy(reply.missing, 400) or "A source that says this explicitly would settle it."
        reasons = (Reason(ReasonCode.NOT_DECISIVE, "The judge finds that the evidence does not settle it.", remedy),)
    contested = label is Label.PARTIALLY_TRUE and any(d.contested for d in decided)
    confidence = reply.confidence if label in DECIDED else None
    return Draft(label, confidence, sentences, decided, contested, reasons)


def _decided(
    statement: Statement,
    said: DecidedReply | None,
    reply: VerdictReply,
    only: bool,
    sentences: Sequence[DraftSentence],
    evidence: Sequence[Evidence],
) -> StatementVerdict:
    """The judge's label for a statement, with the strengths of the stance model beside it."""
    mine = [e for e in evidence if e.statement == statement.number]
    stances = {c.stance for s in sentences for c in s.citations if only or c.statement == statement.number}
    label, confidence = Label.NOT_ENOUGH_EVIDENCE, 0.0
    if said:
        label, confidence = Label(said.label.value), said.confidence
    elif only:
        label, confidence = Label(reply.label.value), reply.confidence
    return StatementVerdict(
        statement.number,
        label,
        confidence if label in DECIDED else None,
        side(mine, StanceLabel.SUPPORTS).strength,
        side(mine, StanceLabel.REFUTES).strength,
        contested=label is Label.PARTIALLY_TRUE and set(TAKES_SIDE) <= stances,
    )


def _enough(statement: Statement, said: StatementAnswer, evidence: Sequence[Evidence], claim: Claim) -> Sufficiency:
    """The judge's answer; evidence of which it says itself that it takes no side is never enough."""
    numbers = {e.number for e in evidence}
    stances = tuple((s.n, s.stance) for s in said.stances if s.n in numbers)
    reason = tidy(said.reason, 300) or "The judge gave no reason."
    if said.enough and any(stance in TAKES_SIDE for _, stance in stances):
        return Sufficiency(statement.number, True, reason, stances=stances)
    if said.enough:
        reason = "The judge calls the evidence enough but reads no passage as taking a side."
    return Sufficiency(
        statement.number,
        False,
        reason,
        tidy(said.missing, 400) or "A source that says this explicitly would settle it.",
        ReasonCode.NOT_DECISIVE,
        queries(said.queries, statement, claim),
        stances,
    )
