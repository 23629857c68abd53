"""Step 5: look outside the knowledge base for what is missing, one stage at a time: trusted, fact-checkers, broad.

A provider that fails is not asked again in the run; the next one is. One that keeps failing is left alone in later runs
too. What a provider answered a while ago is taken from the cache: that costs no search, and nothing leaves the machine.
Snippets are evidence for their run only.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from ghost.budget import Budget
from ghost.events import SourceUpdate
from ghost.steps.asking import CACHED, Asker
from ghost.steps.hits import LISTS, Fate, Judged, SearchRules, Sieve, Sources, counted
from ghost.steps.outcome import Outcome, count
from ghost.types import Claim, NewPassage, Passage, Reason, ReasonCode, Statement, Sufficiency
from ghost.web.breaker import Breaker
from ghost.web.claim_review import ClaimReview
from ghost.web.search import SearchProvider, Stage

QUERIES_PER_STATEMENT = 2
"""In one stage."""
_OF_USE = (Fate.KEPT, Fate.REVIEW)


@dataclass(frozen=True, slots=True)
class Trail:
    """What the stages of a run leave for the next one."""

    snippets: tuple[Passage, ...] = ()
    down: Mapping[str, str] = field(default_factory=dict)
    """Provider -> why it is not asked any more in this run."""
    answered: tuple[Stage, ...] = ()
    """Stages in which at least one search was answered."""


@dataclass(frozen=True, slots=True)
class Investigation:
    """What a stage brought."""

    snippets: tuple[Passage, ...] = ()
    """New ones; they are unread and never enter the knowledge base."""
    passages: tuple[NewPassage, ...] = ()
    """Text that was read and may be admitted."""
    hits: tuple[Judged, ...] = ()
    reviews: tuple[ClaimReview, ...] = ()
    """Published fact-checks that were found, each once."""
    reasons: tuple[Reason, ...] = ()
    """Why the search brought less than hoped."""
    trail: Trail = field(default_factory=Trail)

    @property
    def updates(self) -> Iterator[SourceUpdate]:
        """The news of each hit, for whoever watches."""
        for hit in self.hits:
            yield SourceUpdate(hit.url, hit.title, "kept" if hit.fate in _OF_USE else "dropped", hit.why)


@dataclass(frozen=True, slots=True)
class Query:
    """One thing to search for."""

    statement: int
    text: str


def queries(statements: Sequence[Statement], open_ones: Sequence[Sufficiency]) -> list[Query]:
    """What to search for: the first query of every open statement, in the order of the claim, then the second ones.

    The judge names the queries; without any the statement's own words are searched.
    """
    wanted = {o.statement: o.queries for o in open_ones}
    lists = [
        [Query(s.number, text) for text in dict.fromkeys(wanted[s.number] or (s.text,))][:QUERIES_PER_STATEMENT]
        for s in statements
        if s.number in wanted
    ]
    return [mine[turn] for turn in range(QUERIES_PER_STATEMENT) for mine in lists if turn < len(mine)]


def nothing_searched(web: bool) -> Outcome[Investigation]:
    """The step of a run that has nobody to ask."""
    why = "No search provider is set up." if web else "The web is switched off for this run."
    remedy = "Add a source to the knowledge base and verify the claim again" + ("." if web else ", or allow searches.")
    return Outcome(
        Investigation(reasons=(Reason(ReasonCode.NO_PROVIDER, why, remedy),)),
        decision="nothing searched",
        reason=f"{why} No search left this machine.",
        inputs={"web": web, "providers": []},
        outputs={"searches": []},
    )


def investigate(
    stage: Stage,
    claim: Claim,
    wanted: Sequence[Query],
    providers: Sequence[SearchProvider],
    rules: SearchRules,
    sources: Sources,
    budget: Budget,
    trail: Trail,
    breaker: Breaker,
) -> Outcome[Investigation]:
    """One stage: each query goes to the first provider that brings something which belongs to the stage."""
    sieve = Sieve(stage, rules, sources, claim.as_of, claim.found_at)
    of_use = [provider for provider in providers if stage in provider.stages]
    work = _Stage(stage, of_use, rules, sieve, budget, trail, breaker)
    if stage is Stage.BROAD or rules.sites(stage):
        for query in wanted:
            work.ask(query)
    return work.outcome(wanted)


class _Stage:
    """The bookkeeping of one stage while it runs."""

    def __init__(
        self,
        stage: Stage,
        providers: Sequence[SearchProvider],
        rules: SearchRules,
        sieve: Sieve,
        budget: Budget,
        trail: Trail,
        breaker: Breaker,
    ) -> None:
        self._stage, self._providers, self._sieve, self._before = stage, providers, sieve, trail
        self._sites = rules.sites(stage)
        self._asker = Asker(stage, rules, budget, breaker, dict(trail.down))
        self._log: list[dict[str, Any]] = []
        self._hits: list[Judged] = []

    def ask(self, query: Query) -> None:
        """Put one query to the providers in turn."""
        for provider in self._providers:
            asked = self._asker.ask(provider, query.text)
            judged = self._sieve.judge(asked.hits, (p.id for p in self._snippets()))
            self._hits += judged
            self._log.append({"statement": query.statement} | asked.row | {"hits": [_row(j) for j in judged]})
            if any(j.fate in (Fate.KEPT, Fate.DUPLICATE) for j in judged):
                return

    def outcome(self, wanted: Sequence[Query]) -> Outcome[Investigation]:
        """What the stage brought, and what the trace keeps of it."""
        new = tuple(j.passage for j in self._hits if j.passage)
        answered = any(row["state"] in ("answered", CACHED) for row in self._log)
        stages = (*self._before.answered, self._stage) if answered else self._before.answered
        trail = Trail((*self._before.snippets, *new), self._asker.down, stages)
        kept, repeated = counted(self._hits, Fate.KEPT), counted(self._hits, Fate.DUPLICATE)
        why = Counter(j.why for j in self._hits if j.fate is Fate.DROPPED)
        return Outcome(
            Investigation(new, (), tuple(self._hits), self._reviews(), tuple(self._asker.reasons), trail),
            decision=f"{LISTS[self._stage]}: {self._summary(kept)}",
            reason=self._reason(kept, repeated, why),
            inputs={
                "stage": self._stage,
                "queries": [{"statement": q.statement, "text": q.text} for q in wanted],
                "providers": [p.name for p in self._providers],
                "list": list(self._sites),
                "web": True,
            },
            outputs={
                "searches": self._log,
                "kept": kept,
                "duplicate": repeated,
                "dropped": dict(why),
                "snippets": [p.id for p in new],
                "reviews": [_review_row(r) for r in self._reviews()],
            },
        )

    def _reviews(self) -> tuple[ClaimReview, ...]:
        return tuple(dict.fromkeys(j.review for j in self._hits if j.review))

    def _snippets(self) -> list[Passage]:
        return [*self._before.snippets, *(j.passage for j in self._hits if j.passage)]

    def _summary(self, kept: int) -> str:
        if any(row["state"] in ("answered", CACHED) for row in self._log):
            found = f", {count(len(self._reviews()), 'published fact-check')}" if self._reviews() else ""
            return f"{kept} of {count(len(self._hits), 'hit')} kept{found}" if self._hits else "no hits"
        return "the search failed" if any(row["state"] == "failed" for row in self._log) else "nothing searched"

    def _reason(self, kept: int, repeated: int, why: Mapping[str, int]) -> str:
        if not self._providers:
            return f"None of the search providers that are set up is of use for {LISTS[self._stage]}."
        if not self._log:
            return f"The settings name no {LISTS[self._stage]}."
        states = Counter(row["state"] for row in self._log)
        made = sum(row.get("requests", 0) for row in self._log)
        failed = f", {states['failed']} failed" if states["failed"] else ""
        parts = [f"{count(made, 'search', 'searches')} made{failed}".capitalize()]
        if states[CACHED]:
            parts.append(f"{count(states[CACHED], 'answer')} taken from the cache, so nothing was sent for it.")
        told = (row for row in self._log if "why" in row and row["state"] != CACHED)
        parts += list(dict.fromkeys(f"{row['sent_to']}: {row['why']}" for row in told))
        if kept:
            parts.append(f"{count(kept, 'search snippet')} kept for this run only; the pages were not read.")
        elif states["answered"] or states[CACHED]:
            parts.append("Nothing new to weigh, so what step 4 said still stands.")
        parts += [
            f"{r.reviewer or 'Somebody'} published a fact-check: {r.rating or 'no rating'}." for r in self._reviews()
        ]
        if repeated:
            parts.append(f"{repeated} known already.")
        parts += [f"{number} dropped: {text}." for text, number in why.items()]
        undated = sum(j.published_at is None for j in self._hits if j.passage)
        if undated:
            parts.append(f"The publication date of {undated} is unknown.")
        return " ".join(part if part.endswith((".", "?")) else f"{part}." for part in parts)


def _row(judged: Judged) -> dict[str, object]:
    return {
        "url": judged.url,
        "title": judged.title,
        "published_at": judged.published_at.isoformat() if judged.published_at else None,
        "fate": judged.fate,
        "why": judged.why,
    }


def _review_row(review: ClaimReview) -> dict[str, object]:
    return asdict(review) | {"reviewed_at": review.reviewed_at.isoformat() if review.reviewed_at else None}
