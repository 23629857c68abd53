"""The decision gate: whether memory answers a question, or the web has to be asked.

The very same words in the same topic are exact. Otherwise the nearest questions are held against it by the claim match,
which has to say that they ask the same; shared words and a high cosine only propose them. Then the evidence must be
fresh enough, still stand unchanged in the knowledge base, and come from sources that the policy allows.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

import numpy as np

from ghost.knowledge import MARKED_CREDIBILITY, CredibilityBook, HostRules
from ghost.matching import Matcher, asked
from ghost.records import text_key
from ghost.research.memory import Memory
from ghost.research.questions import WORDS_ALIKE, may_share, question_key, shared_words, topic_key
from ghost.types import Coverage, Fact, GateDecision, GateState, MemoryMatch, Policy, Relation, SubQuestion

NEAR = 0.85
"""Questions with a lower cosine and fewer words in common are not held against each other."""
REMEMBERED = 1_000
"""Pairs."""
LOOKED_AT = 8
"""Nearest questions whose topic is compared."""
MOST_PAIRS = 6
"""Pairs that the claim match reads for all questions of a plan together: it takes some 30 ms for each."""

_TURNING = frozenset(
    "after before beyond despite during except inside outside since until within without "
    "animal band book car city company country county element film god metal planet province river song state "
    "team".split()
)
"""When and which of two namesakes: words that the claim match may take for trifles."""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """Coverage that may be of a question."""

    covered: Coverage
    found: MemoryMatch
    likely: float
    """How much speaks for it; orders what the claim match reads."""


class Gate:
    """Decides for the questions of a topic. Safe to use from any thread."""

    def __init__(self, memory: Memory, matcher: Callable[[], Matcher], book: CredibilityBook) -> None:
        self._memory = memory
        self._matcher = matcher
        self._book = book
        self._read: dict[tuple[str, str], Relation] = {}
        """What the claim match said of pairs lately: a plan passes the gate when it is made, and when it begins."""

    def decide(
        self, topic: str, questions: Sequence[SubQuestion], policy: Policy, today: date
    ) -> tuple[GateDecision, ...]:
        """A decision for each question, in their order. Raises StoreError and ModelError."""
        if not questions:
            return ()
        vectors = self._memory.encode([q.text for q in questions])
        asked_before = self._exact(topic, questions)
        exact = {n: c for n, c in asked_before.items() if c.covered.facts}
        others = [q for q in questions if q.number not in exact]
        matched = self._matched(topic, others, vectors[[q.number in {o.number for o in others} for q in questions]])
        covered = exact | matched
        facts = self._facts([c.covered for c in covered.values()])
        return tuple(
            self._judged(q, covered[q.number], facts, policy, today)
            if q.number in covered
            else _unknown(q, asked_before.get(q.number))
            for q in questions
        )

    def _exact(self, topic: str, questions: Sequence[SubQuestion]) -> dict[int, _Candidate]:
        keys = {text_key(question_key(q.text)): q.number for q in questions}
        return {
            keys[text_key(question_key(c.question))]: _Candidate(c, MemoryMatch.EXACT, 1.0)
            for c in self._memory.store.asked(list(keys))
            if topic_key(c.topic) == topic_key(topic)
        }

    def _matched(self, topic: str, questions: Sequence[SubQuestion], vectors: np.ndarray) -> dict[int, _Candidate]:
        """For each question the likeliest coverage that surely asks the same."""
        if not questions:
            return {}
        near = self._memory.questions.nearest(vectors, LOOKED_AT)
        known = {c.id: c for c in self._memory.store.coverages([n.id for row in near for n in row])}
        proposed: list[tuple[SubQuestion, _Candidate]] = []
        for question, row in zip(questions, near, strict=True):
            may = [_proposed(question.text, topic, known[n.id], n.cosine) for n in row if n.id in known]
            # Where the likeliest asks something else, the next one hardly asks the same.
            if best := max((c for c in may if c), key=lambda c: c.likely, default=None):
                proposed.append((question, best))
        proposed.sort(key=lambda pair: -pair[1].likely)
        proposed = proposed[:MOST_PAIRS]
        relations = self._relations([(q.text, c.covered.question) for q, c in proposed])
        found: dict[int, _Candidate] = {}
        for (question, candidate), relation in zip(proposed, relations, strict=True):
            if relation is Relation.SAME:
                found.setdefault(question.number, candidate)
        return found

    def _relations(self, pairs: Sequence[tuple[str, str]]) -> list[Relation]:
        """How the questions of each pair stand to each other."""
        known = self._read  # as it is now: another thread may put another one in its place
        new = [pair for pair in pairs if pair not in known]
        read = dict(zip(new, self._matcher().match(new), strict=True)) if new else {}
        found = known | {pair: match.relation for pair, match in read.items()}
        # A pair that could not be read (probability 0) is asked about again.
        kept = {pair: match.relation for pair, match in read.items() if match.probability > 0}
        self._read = kept if len(known) + len(kept) > REMEMBERED else known | kept
        return [found[pair] for pair in pairs]

    def _facts(self, covered: Sequence[Coverage]) -> dict[str, Fact]:
        return {f.id: f for f in self._memory.store.facts_with([i for c in covered for i in c.facts])}

    def _judged(
        self, question: SubQuestion, candidate: _Candidate, facts: dict[str, Fact], policy: Policy, today: date
    ) -> GateDecision:
        """Whether what was found may still answer."""
        c = candidate.covered
        mine = [facts[i] for i in c.facts if i in facts]
        allowed = [f for f in mine if not self._refusal(f.url, policy)]
        confirmed = max((f.found_at.date() for f in mine), default=c.covered_at.date())
        decision = GateDecision(
            question.number, GateState.NEEDS_WEB, "", candidate.found, c.id,
            c.question if question_key(c.question) != question_key(question.text) else "",
            newest=max((f.published_at or f.found_at.date() for f in mine), default=None),
        )  # fmt: skip
        how = "This question" if candidate.found is MemoryMatch.EXACT else f"“{c.question}”, which asks the same,"
        was = f"{how} was answered on {_day(confirmed)}"
        age = (today - confirmed).days
        gone = next((f.retired for f in mine if f.retired), "" if mine else "Its evidence was deleted.")
        if gone:
            return replace(decision, reason=f"{was}, but that answer is no longer valid. {gone}")
        if age > policy.freshness_days:
            return replace(
                decision, reason=f"{was}, {age} days ago; the skill trusts evidence for {policy.freshness_days} days."
            )
        if not allowed:
            return replace(decision, reason=f"{was}, but {self._refusal(mine[0].url, policy)}.")
        number = len(allowed)
        held = f"{number} {'excerpt is' if number == 1 else 'excerpts are'} still valid."
        return replace(
            decision, state=GateState.SATISFIED, reason=f"{was}, and its {held}",
            evidence=tuple(f.id for f in allowed),
        )  # fmt: skip

    def _refusal(self, url: str, policy: Policy) -> str:
        """Why the policy does not count a source; empty where it does."""
        if policy.denied_sites and HostRules(dict.fromkeys(policy.denied_sites, True)).matches(url):
            return "the skill leaves out its source"
        if policy.allowed_sites and not HostRules(dict.fromkeys(policy.allowed_sites, True)).matches(url):
            return "its source is not among those of the skill"
        if self._book.credibility(url) <= MARKED_CREDIBILITY:
            return "its source is marked as bad"
        if self._book.credibility(url) < policy.min_credibility:
            return f"its source is below the credibility that the skill asks for ({policy.min_credibility:g})"
        return ""


def _proposed(question: str, topic: str, covered: Coverage, cosine: float) -> _Candidate | None:
    """The coverage as a candidate for the claim match; None where no reading could make it the same."""
    # Never by way of a third question: what asks the same as the same may ask something else.
    if covered.same_as or not covered.facts or not may_share(question, topic, covered.question, covered.topic):
        return None
    words = shared_words(question, covered.question)
    near = cosine >= NEAR or words > WORDS_ALIKE
    # Who asks why does not ask when, and 2021 is not 2022: the claim match says so too, after reading both.
    alike = all(one == other for one, other in zip(_marks(question), _marks(covered.question), strict=True))
    return _Candidate(covered, MemoryMatch.MATCH, max(cosine, words)) if near and alike else None


def _marks(question: str) -> tuple[str, frozenset[str], frozenset[str]]:
    """What kind of question it is, and the figures and the small words in it that turn its meaning."""
    words = frozenset(re.findall(r"\w+", question.casefold()))
    return asked(question).form, frozenset(re.findall(r"\d+", question)), words & _TURNING


def _unknown(question: SubQuestion, searched: _Candidate | None) -> GateDecision:
    """No memory answers it; ``searched`` is the search that found nothing."""
    reason = "Memory has no matching question."
    if searched:
        day = _day(searched.covered.covered_at.date())
        reason = f"The web was searched for this question on {day}, and nothing answered it."
    return GateDecision(question.number, GateState.NEEDS_WEB, reason)


def _day(day: date) -> str:
    """27 November 2026."""
    return f"{day.day} {day:%B %Y}"
