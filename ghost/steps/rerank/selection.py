"""Which weighed candidates become evidence: the best, from several domains, each origin before its copies."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ghost.types import DropCode, Dropped, Evidence, Passage, Stance
from ghost.web import page_key, rated

ON_THE_MATTER = 0.25
"""What being near counts without a side, where 1 is a side taken for certain."""
FAR = 0.4
"""Below this cosine a passage that takes no side is on another matter."""
NO_SIDE = 0.4
"""Less probable than this, a side is a guess."""
SIDE = 0.5
"""Probability from which a passage takes a side."""
SAME_MATTER = 0.7
"""Cosine with the statement from which a sentence is on the same matter: there, one page cannot have it both ways."""
NEARNESS_UNKNOWN = 0.5
"""For a text whose cosine nobody has measured."""


@dataclass(frozen=True, slots=True)
class RerankRules:
    """The numbers of step 3, from the settings."""

    keep: int = 5
    min_relevance: float = 0.3
    credibility_boost: float = 0.3
    max_per_domain: int = 2
    read: int = 8
    """Candidates for a statement that the stance model reads: those that the reranker finds best."""


def by_weight(evidence: Sequence[Evidence]) -> list[Evidence]:
    """The weightiest first; equals in the order of the first stage."""
    return sorted(evidence, key=lambda e: (-e.final, e.rank, e.passage.id))


def below_relevance(e: Evidence, rules: RerankRules) -> Dropped | None:
    """The candidate as one that is not relevant enough; None when it is."""
    if e.relevance >= rules.min_relevance:
        return None
    return drop(e, DropCode.RELEVANCE, f"relevance {e.relevance:.2f} is below {rules.min_relevance:.2f}")


def select_evidence(
    relevant: Sequence[Evidence], rules: RerankRules, says: Callable[[Evidence], float] | None = None
) -> tuple[list[Evidence], list[Dropped]]:
    """Fill the places for one statement from what is relevant, best first; each ``group`` is one origin.

    What an origin says again waits until each independent origin that speaks of the matter had its turn, and what is on
    another matter waits for both. What a passage says counts as much as its weight: among the sentences of a page on
    the topic, the nearest is often its headline and not the one that tells. ``says`` is how much that is, 0..1, where
    it is known otherwise than by ``stance_strength``. A page that is in is never without the sentence that denies it:
    there is always a place for that.
    """
    says = says or stance_strength
    seen: set[int] = set()
    firsts: list[Evidence] = []
    copies: list[Evidence] = []
    far: list[Evidence] = []
    for e in sorted(relevant, key=lambda e: -(e.final + says(e))):
        (far if _elsewhere(e) else copies if e.group in seen else firsts).append(e)
        seen.add(e.group)
    domains: Counter[str] = Counter()
    kept: list[Evidence] = []
    dropped: list[Dropped] = []
    for position, e in enumerate(firsts + copies + far):
        domain = domain_key(e.passage)
        if _denies_its_page(e, kept):
            kept.append(e)
        elif domains[domain] >= rules.max_per_domain:
            dropped.append(drop(e, DropCode.DOMAIN, f"{rules.max_per_domain} passages of {domain} are already in"))
        elif len(kept) >= rules.keep and 0 <= position - len(firsts) < len(copies):
            dropped.append(drop(e, DropCode.ORIGIN, "another passage of its origin is in; the other origins go first"))
        elif len(kept) >= rules.keep:
            dropped.append(drop(e, DropCode.PLACES, f"{rules.keep} stronger passages are already in"))
        else:
            kept.append(e)
            domains[domain] += 1
    return by_weight(kept), dropped


def _elsewhere(e: Evidence) -> bool:
    """Whether a passage is far from the statement and says nothing for or against it."""
    far = e.nearness is not None and e.nearness < FAR
    return far and max(e.stance.supports, e.stance.refutes) < NO_SIDE


def same_page(one: Passage, other: Passage) -> bool:
    """Whether two passages are from one page of the web."""
    return bool(one.source_url) and page_key(one.source_url) == page_key(other.source_url)


def _denies_its_page(e: Evidence, kept: Sequence[Evidence]) -> bool:
    """Whether a passage takes a side on this very matter that nothing takes of what is kept of its page."""
    mine = [k.stance for k in kept if same_page(k.passage, e.passage)]
    if not mine or (e.nearness is not None and e.nearness < SAME_MATTER):
        return False
    supports = e.stance.supports >= SIDE and all(stance.supports < SIDE for stance in mine)
    return supports or (e.stance.refutes >= SIDE and all(stance.refutes < SIDE for stance in mine))


def stance_strength(e: Evidence) -> float:
    """How much a passage says of the statement, 0..1."""
    return text_strength(e.passage.text, e.nearness, e.stance)


def text_strength(text: str, nearness: float | None, stance: Stance) -> float:
    """How much a text says of a statement, 0..1: near it, and on a side or rating it."""
    side = 1.0 if rated(text) else max(stance.supports, stance.refutes)
    near = NEARNESS_UNKNOWN if nearness is None else max(0.0, min(1.0, nearness))
    return near * (ON_THE_MATTER + side) / (ON_THE_MATTER + 1.0)


def drop(e: Evidence, code: DropCode, why: str) -> Dropped:
    """A weighed candidate as one that did not become evidence."""
    return Dropped(e.passage.id, e.passage.title, e.statement, e.relevance, e.final, why, code, e.group)


def final_weight(relevance: float, credibility: float, bonus: float, boost: float) -> float:
    """The weight by which candidates are ordered; ``boost`` is how far credibility counts in it."""
    return relevance + (credibility - 0.5) * boost + bonus


def with_boost(e: Evidence, boost: float) -> Evidence:
    """The same evidence with its weight under another ``boost``."""
    return replace(e, final=final_weight(e.relevance, e.credibility, e.access_bonus, boost))


def domain_key(passage: Passage) -> str:
    """Passages without a domain count per document: same title, else each on its own."""
    return passage.domain or passage.title or passage.id
