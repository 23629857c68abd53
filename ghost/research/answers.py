"""The answer to a question, from its excerpts and nothing else. Every sentence passes the citation gate.

A language model writes it where there is one. Without one, and where nothing that it writes may be shown, the best
excerpts of independent sources speak for themselves, those of both sides where they disagree.
"""

from collections.abc import Collection, Generator, Sequence
from dataclasses import dataclass, field, replace

from ghost.budget import Budget
from ghost.errors import BudgetExceeded, JudgeError
from ghost.events import Event, SentenceAccepted, SentencesWithdrawn
from ghost.inference import Encoder, StanceReader
from ghost.judges import ResearchWriter, read_framed
from ghost.research.questions import as_statement, is_whether
from ghost.research.reading import AnswerReader, Excerpt
from ghost.steps import Outcome, QuoteReader, check_sentence, count, renumbered
from ghost.types import (
    Citation,
    Disagreement,
    DraftCitation,
    DraftSentence,
    Evidence,
    Passage,
    Policy,
    ResearchAnswer,
    StanceLabel,
    SubQuestion,
    citing,
    in_own_words,
)

EMBEDDED = "embedded"
MOST_QUOTES = 3
"""Sentences of an answer that only quotes; more where sources disagree."""
SHOWN_TO_WRITER = 8
WRITING_SHARE = 0.7
"""Of the time for a question; the rest is for the excerpts, where the language model is too slow."""
SIDE = 0.7
"""From this probability on an excerpt takes a side on a question that yes or no answers."""
CONTRADICTS, SAME_MATTER = 0.85, 0.6
"""From this probability on, read either way, two excerpts contradict each other, if their cosine says that they are of
one matter. Of the held-back contrast pairs read so, 16 of 21 do; a higher bound finds fewer and is no surer."""
COMPARED = 4
"""Excerpts of different origins that are held against each other."""


@dataclass(slots=True)
class AnswerWriter:
    """Writes the answers of one research."""

    policy: Policy
    writer: ResearchWriter | None
    """Without it every answer is made of quotes."""
    encoder: Encoder
    reader: StanceReader
    plain: StanceReader | None
    answer_reader: AnswerReader
    """Finds the sentences that are quoted."""
    budget: Budget
    numbers: dict[str, int] = field(default_factory=dict)
    """Passage id -> its ``[n]``, which is the same through the whole research."""
    quoted: set[str] = field(default_factory=set)
    """Ids of the passages that are cited already."""

    def answer(
        self, question: SubQuestion, excerpts: Sequence[Excerpt], gap: str, from_memory: bool, left: int = 1
    ) -> Generator[Event, None, Outcome[ResearchAnswer]]:
        """The answer, each sentence reported as soon as it may be shown. ``gap`` says why there are no excerpts.

        ``left``: how many answers are to be written, this one included; each gets its share of the time.
        Raises Cancelled, ModelError, and BudgetExceeded when the time is over.
        """
        made = ResearchAnswer(question.number, "", from_memory=from_memory)
        if not excerpts:
            return Outcome(replace(made, gap=gap), "no answer", gap, {"question": question.text})
        opposed = disagreeing(question, excerpts, self.reader, self.encoder)
        text = _Text(question, {}, QuoteReader(self.reader, {question.number: as_statement(question.text)}, self.plain))
        writer = self.writer
        problem = (yield from self._written(writer, text, excerpts, left)) if writer else ""
        text.evidence.clear()  # their numbers there were those for the model
        by = writer.info.name if writer and text.sentences else EMBEDDED
        sides = {passage_id for one, other, _ in opposed for passage_id in (one, other)}
        for e in _chosen(excerpts, sides, self.quoted):
            # A model that left out a side does not leave it out of the answer.
            if by == EMBEDDED or (e.passage.id in sides - text.cited):
                self.budget.check()
                quote = self.answer_reader.quote(question.text, e.passage)
                if quote and (shown := self._add(_quoting(self._numbered(e, text), quote, question), text)):
                    yield SentenceAccepted(shown)
        self.quoted |= text.cited
        cited = [e.passage for e in excerpts if e.passage.id in text.cited]
        days = [p.retrieved_at.date() for p in cited if p.retrieved_at]
        made = replace(
            made,
            read_on=min(days, default=None) if from_memory else None,
            text=" ".join(text.sentences),
            citations=tuple(dict.fromkeys(text.citations)),
            written_by=by,
            disagreements=tuple(
                Disagreement(question.number, self.numbers[one], self.numbers[other], why)
                for one, other, why in opposed
                if {one, other} <= text.cited
            ),
            gap="" if text.sentences else "Nothing that could be said of it passed the citation gate.",
        )
        return _outcome(made, text, excerpts, problem)

    def _written(
        self, writer: ResearchWriter, text: "_Text", excerpts: Sequence[Excerpt], left: int
    ) -> Generator[Event, None, str]:
        """Let the language model write; returns why it was left, and then nothing of it stays.

        One that fails is not asked again.
        """
        for e in excerpts[:SHOWN_TO_WRITER]:
            self._numbered(e, text)
        question, rules, before = text.question, self.policy.guardrails, dict(self.numbers)
        seconds = WRITING_SHARE * self.budget.seconds_left / max(1, left)
        mine = self.budget.part(replace(self.budget.limits, seconds=seconds))
        try:
            for sentence in writer.answer(question.text, list(text.evidence.values()), rules, mine):
                if shown := self._add(_about(sentence, question.number), text):
                    yield SentenceAccepted(shown)
        except (JudgeError, BudgetExceeded) as failure:
            self.budget.check()
            self.writer = None
            if text.sentences:
                yield SentencesWithdrawn(str(failure))
            text.clear()
            self.numbers = before
            return str(failure)
        return "" if text.sentences else "Nothing that it wrote stands in the excerpts."

    def _numbered(self, e: Excerpt, text: "_Text") -> Evidence:
        """The excerpt as evidence under its number, or under one for this answer alone until it is cited."""
        n = self.numbers.get(e.passage.id) or max((*self.numbers.values(), *text.evidence), default=0) + 1
        text.evidence[n] = Evidence(
            n, text.question.number, e.passage, e.stance, e.stance.relevance, e.passage.standing, 0.0, e.score,
            e.group or n, n, e.cosine,
        )  # fmt: skip
        return text.evidence[n]

    def _add(self, sentence: DraftSentence, text: "_Text") -> str:
        """The sentence as it may be shown; empty where it may not. What it cites gets its number now."""
        numbers: dict[int, int] = {}

        def final(n: int, passage_id: str) -> int:
            numbers[n] = self.numbers.setdefault(passage_id, max(self.numbers.values(), default=0) + 1)
            return numbers[n]

        shown, holding = text.check(sentence)
        cited = [replace(c, n=final(c.n, c.passage_id)) for c in holding]
        return text.add(renumbered(shown, numbers), cited)


@dataclass(slots=True)
class _Text:
    """An answer while it is written: what has passed the gate, and what has not."""

    question: SubQuestion
    evidence: dict[int, Evidence]
    quotes: QuoteReader
    sentences: list[str] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    dropped: list[dict[str, str]] = field(default_factory=list)

    def check(self, sentence: DraftSentence) -> tuple[str, list[Citation]]:
        """A sentence as the gate lets it pass, with the citations that hold; empty where it may not be shown."""
        checked = check_sentence(sentence, list(self.evidence.values()), [self.question.text], self.quotes)
        if not checked.text:
            self.dropped.append({"text": sentence.text[:500], "why": checked.why})
        return checked.text, [c for c in checked.citations if c.accepted and checked.text]

    def add(self, sentence: str, citations: Sequence[Citation]) -> str:
        """The sentence, added where it has passed the gate."""
        if sentence:
            self.sentences.append(sentence)
            self.citations += citations
        return sentence

    def clear(self) -> None:
        """Take everything back."""
        self.sentences.clear()
        self.citations.clear()

    @property
    def cited(self) -> set[str]:
        """Ids of the passages that are cited."""
        return {c.passage_id for c in self.citations}


def _outcome(made: ResearchAnswer, text: _Text, excerpts: Sequence[Excerpt], problem: str) -> Outcome[ResearchAnswer]:
    how = "quoted" if made.written_by == EMBEDDED else f"written by the {made.written_by} model"
    reason = f"From {count(len(excerpts), 'excerpt')}, {how}."
    if problem:
        reason += f" The language model was left: {problem}"
    if made.disagreements:
        reason += f" {count(len(made.disagreements), 'disagreement')} between sources."
    return Outcome(
        made,
        count(len(text.sentences), "sentence"),
        reason,
        {"question": text.question.text, "excerpts": [e.passage.id for e in excerpts]},
        {"dropped": text.dropped, "scores": {e.passage.id: round(e.score, 4) for e in excerpts}},
    )


Opposed = tuple[str, str, str]
"""Ids of two passages, and why they disagree."""


def disagreeing(
    question: SubQuestion, found: Sequence[Excerpt], reader: StanceReader, encoder: Encoder
) -> list[Opposed]:
    """Pairs of excerpts of different origins that say opposite things about a question. Raises ModelError."""
    if is_whether(question.text):
        yes = [e for e in found if e.stance.supports >= SIDE]
        no = [e for e in found if e.stance.refutes >= SIDE]
        pairs = [(y, n) for y in yes for n in no if y.group != n.group][:1]
        return [
            (y.passage.id, n.passage.id, f"One says yes ({_day(y.passage)}), the other no ({_day(n.passage)}).")
            for y, n in pairs
        ]
    first = _of_each_origin(found)[:COMPARED]
    vectors = encoder.encode([e.passage.text for e in first])
    near = vectors @ vectors.T >= SAME_MATTER
    pairs = [(first[i], first[j]) for i in range(len(first)) for j in range(i + 1, len(first)) if near[i][j]]
    if not pairs:
        return []
    both = [(a.passage, b.passage.text) for one, other in pairs for a, b in ((one, other), (other, one))]
    read = read_framed(reader, both)
    why = "The stance model reads each as contradicting the other."
    return [
        (one.passage.id, other.passage.id, why)
        for (one, other), there, back in zip(pairs, read[::2], read[1::2], strict=True)
        if min(there.refutes, back.refutes) >= CONTRADICTS
    ]


def _chosen(found: Sequence[Excerpt], sides: Collection[str], quoted: Collection[str]) -> list[Excerpt]:
    """The best excerpts of independent origins, and both sides of each disagreement.

    After the very best, those that no earlier answer quotes come first.
    """
    first = _of_each_origin(found)
    rest = sorted(first[1:], key=lambda e: e.passage.id in quoted)
    chosen = [
        *(e for e in found if e.passage.id in sides),
        *(e for e in (*first[:1], *rest) if e.passage.id not in sides),
    ]
    return sorted(chosen[: max(MOST_QUOTES, len(sides))], key=lambda e: -e.score)


def _of_each_origin(found: Sequence[Excerpt]) -> list[Excerpt]:
    return list({e.group: e for e in reversed(found)}.values())[::-1]


def _quoting(e: Evidence, quote: str, question: SubQuestion) -> DraftSentence:
    """``nasa.gov: “…” [1]``, and in a sentence what was not read there."""
    passage = e.passage
    source = passage.domain or (passage.source_name if len(passage.source_name.split()) <= 2 else "")
    text = f"{source}: “{quote}” [{e.number}]" if source else f"“{quote}” [{e.number}]"
    if not in_own_words(passage):
        text = f"{citing(passage, quote)} [{e.number}]"
    return DraftSentence(text, (DraftCitation(e.number, quote, StanceLabel.NEUTRAL, question.number),))


def _about(sentence: DraftSentence, question: int) -> DraftSentence:
    return replace(sentence, citations=tuple(replace(c, statement=question) for c in sentence.citations))


def _day(passage: Passage) -> str:
    return passage.published_at.isoformat() if passage.published_at else "date unknown"
