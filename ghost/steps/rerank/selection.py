"""Which weighed candidates become evidence: the best, from several domains, each origin before its copies."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ghost.types import DropCode, Dropped, Evidence, Passage, Stance, page_key
from ghost.web import rated

NO_SIDE_WEIGHT = 0.25
"""What being near the statement counts without a side, where 1 is a certain side."""
FAR = 0.4
"""Below this cosine a passage that takes no side is about something else."""
NO_SIDE = 0.4
"""Below this probability a side is a guess."""
SIDE = 0.5
"""From this probability on a passage takes a side."""
SAME_MATTER = 0.7
"""From this cosine on a sentence is about exactly what the statement says. There one page cannot have it both ways."""
UNKNOWN_COSINE = 0.5
"""For a text without a cosine."""


@dataclass(frozen=True, slots=True)
class RerankRules:
    """The numbers of step 3, from the settings."""

    keep: int = 5
    min_relevance: float = 0.3
    credibility_boost: float = 0.3
    max_per_domain: int = 2
    read: int = 8
    """Candidates per statement that the stance model reads: the screener's best."""


def by_weight(evidence: Sequence[Evidence]) -> list[Evidence]:
    """Heaviest first; equals in the order of the first stage."""
    return sorted(evidence, key=lambda e: (-e.final, e.rank, e.passage.id))


def below_relevance(e: Evidence, rules: RerankRules) -> Dropped | None:
    """The candidate as dropped where it is not relevant enough, else None."""
    if e.relevance >= rules.min_relevance:
        return None
    return drop(e, DropCode.RELEVANCE, f"relevance {e.relevance:.2f} is below {rules.min_relevance:.2f}")


def select_evidence(
    relevant: Sequence[Evidence], rules: RerankRules, strength: Callable[[Evidence], float] | None = None
) -> tuple[list[Evidence], list[Dropped]]:
    """Choose the evidence for one statement from what is relevant, best first; each ``group`` is one origin.

    Each independent origin gets a place before a second passage of the same origin, and passages about something else
    come last. What a passage says counts as much as its weight, because the nearest sentence of a page is often its
    headline, which says little. ``strength`` (0..1) replaces ``stance_strength`` where it is already known. If a page
    is in, the sentence in which it denies itself always gets a place too.
    """
    strength = strength or stance_strength
    seen: set[int] = set()
    firsts: list[Evidence] = []
    copies: list[Evidence] = []
    far: list[Evidence] = []
    for e in sorted(relevant, key=lambda e: -(e.final + strength(e))):
        (far if _about_something_else(e) else copies if e.group in seen else firsts).append(e)
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


def _about_something_else(e: Evidence) -> bool:
    """Whether a passage is far from the statement and takes no side."""
    far = e.nearness is not None and e.nearness < FAR
    return far and max(e.stance.supports, e.stance.refutes) < NO_SIDE


def same_page(one: Passage, other: Passage) -> bool:
    """Whether two passages come from the same web page."""
    return bool(one.source_url) and page_key(one.source_url) == page_key(other.source_url)


def _denies_its_page(e: Evidence, kept: Sequence[Evidence]) -> bool:
    """Whether a passage takes a side that none of the kept passages of its page takes, on exactly this matter."""
    mine = [k.stance for k in kept if same_page(k.passage, e.passage)]
    if not mine or (e.nearness is not None and e.nearness < SAME_MATTER):
        return False
    supports = e.stance.supports >= SIDE and all(stance.supports < SIDE for stance in mine)
    return supports or (e.stance.refutes >= SIDE and all(stance.refutes < SIDE for stance in mine))


def stance_strength(e: Evidence) -> float:
    """How much a passage says about the statement, 0..1."""
    return text_strength(e.passage.text, e.nearness, e.stance)


def text_strength(text: str, cosine: float | None, stance: Stance) -> float:
    """How much a text says about a statement, 0..1: it is near, and takes a side or rates it."""
    side = 1.0 if rated(text) else max(stance.supports, stance.refutes)
    near = UNKNOWN_COSINE if cosine is None else max(0.0, min(1.0, cosine))
    return near * (NO_SIDE_WEIGHT + side) / (NO_SIDE_WEIGHT + 1.0)


def drop(e: Evidence, code: DropCode, why: str) -> Dropped:
    """A weighed candidate that did not become evidence."""
    return Dropped(e.passage.id, e.passage.title, e.statement, e.relevance, e.final, why, code, e.group)


def final_weight(relevance: float, credibility: float, bonus: float, boost: float) -> float:
    """The weight that orders candidates; ``boost`` is how much credibility counts."""
    return relevance + (credibility - 0.5) * boost + bonus


def with_boost(e: Evidence, boost: float) -> Evidence:
    """The same evidence weighed with another ``boost``."""
    return replace(e, final=final_weight(e.relevance, e.credibility, e.access_bonus, boost))


def domain_key(passage: Passage) -> str:
    """The domain. Passages without one count per document, by title, or else one by one."""
    return passage.domain or passage.title or passage.id
