"""Asking a language model and reading its answer: whole, or sentence by sentence with what each one cites."""

from collections.abc import Generator

from pydantic import ValidationError

from ghost.budget import Budget
from ghost.errors import JudgeError
from ghost.events import result_of
from ghost.judges.llm.client import ChatClient
from ghost.judges.llm.replies import AnswerReply, BadReply, CardSentence, Items, parse
from ghost.judges.llm.reply_validation import tidy
from ghost.judges.llm.request import Question, Reply
from ghost.types import DraftCitation, DraftSentence, StanceLabel


def whole_reply(client: ChatClient, question: Question, budget: Budget) -> Reply:
    """The answer when it is complete. Raises JudgeError, BudgetExceeded and Cancelled."""
    return result_of(client.ask(question, budget))


def cited_sentences(client: ChatClient, question: Question, budget: Budget) -> Generator[DraftSentence, None, None]:
    """The sentences of an ``AnswerReply``, each as soon as it is written.

    Raises JudgeError, BudgetExceeded and Cancelled; what was given before does not count then.
    """
    text, items, said = "", Items("sentences"), 0
    for piece in client.ask(question, budget):
        text += piece
        for item in items.feed(piece):
            try:
                yield _drafted(CardSentence.model_validate(item))
                said += 1
            except ValidationError as error:
                raise unusable(client, "A sentence of it is not in the form that was asked for.") from error
    try:
        rest = parse(text, AnswerReply).sentences[said:]
    except BadReply as bad:
        raise unusable(client, str(bad)) from bad
    yield from (_drafted(sentence) for sentence in rest)


def unusable(client: ChatClient, why: str) -> JudgeError:
    """The error for an answer that came and cannot be used."""
    return JudgeError(f"The answer of the {client.endpoint.judge} model could not be used: {why}")


def _drafted(sentence: CardSentence) -> DraftSentence:
    cited = tuple(DraftCitation(c.n, tidy(c.quote), StanceLabel.NEUTRAL, 1) for c in sentence.citations)
    return DraftSentence(tidy(sentence.text), cited)
