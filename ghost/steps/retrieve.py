"""Step 2: find candidate passages for each statement, by meaning and by words."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from ghost.knowledge import HostRules, RunKnowledge
from ghost.steps.trace import Outcome, count
from ghost.types import Candidate, Statement

Candidates = dict[int, Sequence[Candidate]]
"""Statement number -> its candidates, best first."""


MORE = 3
"""Factor on the number of candidates where some will be left out."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The sites that a run is limited to or leaves out: host suffixes with an optional path."""

    allowed: tuple[str, ...] = ()
    """If not empty, nothing else counts, and neither does a passage without an address."""
    denied: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.allowed or self.denied)

    def within(self, hits: Sequence[Candidate]) -> Sequence[Candidate]:
        """The candidates that may count, in order."""
        if not self:
            return hits
        allowed, denied = (HostRules(dict.fromkeys(sites, True)) for sites in (self.allowed, self.denied))
        return [
            c
            for c in hits
            if not denied.matches(c.passage.source_url) and (not self.allowed or allowed.matches(c.passage.source_url))
        ]


ANYWHERE = Scope()


def retrieve(
    statements: Sequence[Statement], knowledge: RunKnowledge, k: int, as_of: date | None, scope: Scope = ANYWHERE
) -> Outcome[Candidates]:
    """The ``k`` best passages for each statement by dense and lexical search, fused into one order.

    Passages of sites outside ``scope`` are skipped.
    """
    found = knowledge.search_many([s.text for s in statements], k * MORE if scope else k, as_of)
    inside = [scope.within(hits) for hits in found]
    outside = {c.passage.id for hits in found for c in hits} - {c.passage.id for hits in inside for c in hits}
    candidates = {s.number: hits[:k] for s, hits in zip(statements, inside, strict=True)}
    published = {c.passage.id: c.passage.published_at for hits in candidates.values() for c in hits}
    total, undated = len(published), sum(day is None for day in published.values())
    reason = "The knowledge base returned nothing for these words."
    if total:
        reason = f"Searched by meaning and by words; {undated} of {total} have no known publication date."
    if as_of:
        reason += f" Nothing published after {as_of.isoformat()} was considered."
    if outside:
        reason += f" {count(len(outside), 'passage')} of sites that this run leaves out did not count."
    return Outcome(
        candidates,
        decision=count(total, "candidate"),
        reason=reason,
        inputs={"statements": [s.text for s in statements], "k": k, "as_of": as_of.isoformat() if as_of else None}
        | ({"only_sites": list(scope.allowed), "without_sites": list(scope.denied)} if scope else {}),
        outputs={"candidates": {str(n): [_row(c) for c in hits] for n, hits in candidates.items()}},
    )


def _row(candidate: Candidate) -> dict[str, object]:
    return {
        "passage_id": candidate.passage.id,
        "rank": candidate.rank,
        "semantic": None if candidate.semantic is None else round(candidate.semantic, 4),
        "lexical": None if candidate.lexical is None else round(candidate.lexical, 4),
        "fused": round(candidate.fused, 6),
    }
