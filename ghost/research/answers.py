"""The answer to a question, from its excerpts and nothing else. Every sentence passes the citation gate.

A language model writes it where there is one. Without one, and where nothing that it writes may be shown, the best
excerpts of independent sources speak for themselves, those of both sides where they disagree.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from ghost.budget import Budget
from ghost.errors import BudgetExceeded, JudgeError
from ghost.events import Event, SentenceAccepted
from ghost.inference import StanceReader
from ghost.judges import ResearchWriter
from ghost.knowledge import sentences
from ghost.research.questions import as_statement, is_whether, shared_words
from ghost.research.reading import Excerpt
from ghost.steps import Outcome, QuoteReader, check_sentence, count
from ghost.types import (
    Citation,
    Disagreement,
    DraftCitation,
    DraftSentence,
    Evidence,
    Policy,
    ResearchAnswer,
    StanceLabel,
    SubQuestion,
)

QUOTE_CHARS = 320
MOST_QUOTES = 3
"""Sentences of an answer that only quotes; more where sources disagree."""
SHOWN_TO_WRITER = 8
SIDE = 0.7
"""From this probability on an excerpt takes a side on a question that yes or no answers."""
CONTRADICTS = 0.9
"""From this probability on, read either way, two excerpts contradict each other."""
COMPARED = 4
"""Excerpts of different origins that are held against each other."""


@dataclass(frozen=True, slots=True)
class Numbered:
    """An excerpt with its ``[n]`` in the report."""

    number: int
    excerpt: Excerpt


def answer(
    question: SubQuestion,
    found: Sequence[Numbered],
    gap: str,
    policy: Policy,
    writer: ResearchWriter | None,
    reader: StanceReader,
    plain: StanceReader | None,
    budget: Budget,
    from_memory: bool,
) -> Generator[Event, None, Outcome[ResearchAnswer]]:
    """The answer, each sentence reported as soon as it may be shown. ``gap`` says why there is none, if so.

    Raises Cancelled, ModelError, and BudgetExceeded when the time is over.
    """
    made = ResearchAnswer(question.number, "", from_memory=from_memory)
    if not found:
        return Outcome(replace(made, gap=gap), "no answer", gap, outputs={"excerpts": 0})
    disagreements = disagreeing(question, found, reader)
    quotes = QuoteReader(reader, {question.number: as_statement(question.text)}, plain)
    evidence = [_as_evidence(n, question.number) for n in found]
    shown: list[str] = []
    citations: list[Citation] = []
    dropped: list[dict[str, str]] = []

    def passed(sentence: DraftSentence) -> str:
        checked = check_sentence(sentence, evidence, [question.text], quotes)
        if checked.text:
            shown.append(checked.text)
            citations.extend(c for c in checked.citations if c.accepted)
        else:
            dropped.append({"text": sentence.text[:500], "why": checked.why})
        return checked.text

    by, problem = "embedded", ""
    if writer:
        try:
            some = evidence[:SHOWN_TO_WRITER]
            for sentence in writer.answer(question.text, some, policy.guardrails, budget):
                if text := passed(_about(sentence, question.number)):
                    yield SentenceAccepted(text)
            by = writer.info.name if shown else by
            problem = "" if shown else "nothing that it wrote stands in the excerpts"
        except (JudgeError, BudgetExceeded) as failure:
            budget.check()
            shown, citations, problem = [], [], str(failure)
    if by == "embedded":
        for n in _chosen(found, disagreements):
            budget.check()
            if text := passed(_quoting(n, question)):
                yield SentenceAccepted(text)
    made = replace(
        made, text=" ".join(shown), citations=tuple(dict.fromkeys(citations)), written_by=by,
        disagreements=tuple(disagreements), gap="" if shown else "No sentence passed the citation gate.",
    )  # fmt: skip
    reason = (
        f"From {count(len(found), 'excerpt')}, {'written by the ' + by + ' model' if by != 'embedded' else 'quoted'}."
    )
    if problem:
        reason += f" The language model was left: {problem}."
    if disagreements:
        reason += f" Sources disagree ({len(disagreements)})."
    return Outcome(
        made,
        count(len(shown), "sentence"),
        reason,
        inputs={"question": question.text, "excerpts": [n.excerpt.passage.id for n in found]},
        outputs={"dropped": dropped, "scores": {str(n.number): round(n.excerpt.score, 4) for n in found}},
    )


def disagreeing(question: SubQuestion, found: Sequence[Numbered], reader: StanceReader) -> list[Disagreement]:
    """Pairs of excerpts of different origins that say opposite things about a question. Raises ModelError."""
    if is_whether(question.text):
        yes = [n for n in found if n.excerpt.stance.supports >= SIDE]
        no = [n for n in found if n.excerpt.stance.refutes >= SIDE]
        pairs = [(y, n) for y in yes for n in no if y.excerpt.group != n.excerpt.group][:1]
        return [Disagreement(question.number, y.number, n.number, "One says yes, the other no.") for y, n in pairs]
    first = list({n.excerpt.group: n for n in reversed(found)}.values())[::-1][:COMPARED]
    pairs = [(one, other) for i, one in enumerate(first) for other in first[i + 1 :]]
    texts = [(one.excerpt.passage.text, other.excerpt.passage.text) for one, other in pairs]
    read = reader.read([*texts, *((other, one) for one, other in texts)])
    return [
        Disagreement(
            question.number, one.number, other.number, "The stance model reads each as contradicting the other."
        )
        for (one, other), there, back in zip(pairs, read[: len(pairs)], read[len(pairs) :], strict=True)
        if min(there.refutes, back.refutes) >= CONTRADICTS
    ]


def _chosen(found: Sequence[Numbered], disagreements: Sequence[Disagreement]) -> list[Numbered]:
    """The best excerpts of independent origins, and both sides of each disagreement."""
    first = list({n.excerpt.group: n for n in reversed(found)}.values())[::-1]
    sides = {number for d in disagreements for number in (d.one, d.other)}
    chosen = [*(n for n in found if n.number in sides), *(n for n in first if n.number not in sides)]
    return sorted(chosen[: max(MOST_QUOTES, len(sides))], key=lambda n: -n.excerpt.score)


def _quoting(n: Numbered, question: SubQuestion) -> DraftSentence:
    """``nasa.gov: “…” [1]``."""
    passage = n.excerpt.passage
    quote = _quote(passage.text, question.text)
    source = passage.domain or (passage.source_name if len(passage.source_name.split()) <= 2 else "")
    text = f"{source}: “{quote}” [{n.number}]" if source else f"“{quote}” [{n.number}]"
    return DraftSentence(text, (DraftCitation(n.number, quote, StanceLabel.NEUTRAL, question.number),))


def _quote(text: str, question: str) -> str:
    """The whole passage when it is short, else its sentence with most words of the question."""
    if len(text) <= QUOTE_CHARS:
        return text
    best = max(sentences(text), key=lambda s: shared_words(s, question), default=text)
    if len(best) <= QUOTE_CHARS:
        return best
    cut, space, _ = best[:QUOTE_CHARS].rpartition(" ")
    return cut if space else best


def _about(sentence: DraftSentence, question: int) -> DraftSentence:
    return replace(sentence, citations=tuple(replace(c, statement=question) for c in sentence.citations))


def _as_evidence(n: Numbered, question: int) -> Evidence:
    e = n.excerpt
    return Evidence(
        n.number, question, e.passage, e.stance, e.stance.relevance, e.passage.credibility, 0.0, e.score,
        e.group or n.number, n.number, e.cosine,
    )  # fmt: skip
