"""What the trace keeps of step 3: each candidate with its numbers, and why it was kept or dropped."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from typing import Any

from ghost.steps.rerank.selection import RerankRules, stance_strength
from ghost.steps.trace import count
from ghost.types import Candidate, DropCode, Dropped, Evidence, Timing

FROM_HOME = 20
FROM_WEB = 40
"""The most rows for one statement, from the knowledge base and from the web: the heaviest. Evidence always has one."""
TITLE_CHARS = 120


def candidate_rows(
    weighed: Iterable[tuple[Candidate, Evidence]],
    chosen: Sequence[Evidence],
    evidence: Sequence[Evidence],
    dropped: Sequence[Dropped],
    read: Sequence[Evidence],
) -> list[dict[str, Any]]:
    """One row for each candidate of each statement, heaviest first. Texts are not repeated: the ids lead to them.

    ``chosen`` and ``evidence`` are what was kept: with its origin within each statement, and as the run shows it.
    ``read`` is what the stance model read; the rest was only screened.
    """
    closely = {(e.statement, e.passage.id) for e in read}
    origin = {(e.statement, e.passage.id): e.group for e in chosen}
    kept = {(e.statement, e.passage.id): e for e in evidence}
    left = {(d.statement, d.passage_id): d for d in dropped}
    rows: list[dict[str, Any]] = []
    places: Counter[tuple[int, bool]] = Counter()
    for candidate, before in sorted(weighed, key=lambda pair: (pair[1].statement, -pair[1].final, pair[1].rank)):
        p, stance, key = before.passage, before.stance, (before.statement, before.passage.id)
        home = p.indexed_at is not None
        places[before.statement, home] += 1
        if key not in kept and places[before.statement, home] > (FROM_HOME if home else FROM_WEB):
            continue
        e, why = kept.get(key, before), left.get(key)
        rows.append({
            "statement": e.statement,
            "passage_id": p.id,
            "n": None if why else e.number,
            "kept": why is None,
            "code": why.code if why else "",
            "why": why.why if why else "among the best for this statement",
            "title": p.title[:TITLE_CHARS],
            "domain": p.domain,
            "found_in": "knowledge base" if home else "search snippet" if p.snippet else "page read",
            "published_at": p.published_at.isoformat() if p.published_at else None,
            "as_of": p.as_of,
            "characters": len(p.text),
            "frame": p.frame.line,
            "rank": candidate.rank,
            "semantic": _rounded(candidate.semantic),
            "nearness": _rounded(e.nearness),
            "lexical": _rounded(candidate.lexical),
            "fused": round(candidate.fused, 6),
            "stance": stance.label,
            "stances": {side: round(chance, 4) for side, chance in asdict(stance).items()},
            "relevance": round(e.relevance, 6),
            "credibility": e.credibility,
            "access_bonus": e.access_bonus,
            "final": round(e.final, 6),
            "origin": origin.get(key) or (why.group if why else 0) or None,
            "telling": round(stance_strength(before), 4),
            "read": key in closely,
            "unreadable": before.unreadable,
            "corrected": e.correction.id if e.correction else None,
        })  # fmt: skip
    return rows


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 4)


def reason_of(read: int, evidence: Sequence[Evidence], dropped: Sequence[Dropped], rules: RerankRules) -> str:
    """What became of the pairs that were read."""
    if not read:
        return "There were no candidates to read."
    low = sum(d.code is DropCode.RELEVANCE for d in dropped)
    off_topic = sum(d.code is DropCode.OFF_TOPIC for d in dropped)
    disowned = Counter(d.why for d in dropped if d.code is DropCode.RETRACTED)
    own = sum(e.correction is not None for e in evidence)
    unread = sum(e.unreadable for e in evidence)
    withdrawn = "".join(f" {number} counted no more, because {why}." for why, number in disowned.items())
    rest = len(dropped) - low - off_topic - disowned.total()
    return (
        f"Read {count(read, 'pair')} of passage and statement: {len(evidence)} kept, {low} below the relevance of "
        f"{rules.min_relevance:g}, {off_topic} about something else, {rest} left out for diversity, place or origin."
        f"{withdrawn}"
        + (
            f" {count(own, 'passage')} of the evidence {'is' if own == 1 else 'are'} read as you read it."
            if own
            else ""
        )
        + (f" Ghost could not read {count(unread, 'passage')}: read against the passage's own words." if unread else "")
    )


def frame_notes(evidence: Sequence[Evidence]) -> Iterator[str]:
    """What counts otherwise because of what its page says around it."""
    framed = {e.passage.id: e for e in evidence if e.passage.frame.kind}
    yield from (f"[{e.number}] {e.passage.frame.line}." for e in framed.values())


def date_notes(evidence: Sequence[Evidence]) -> Iterator[str]:
    """What counts less because of its date."""
    late = {e.passage.id for e in evidence if e.timing is Timing.UNDATED and e.passage.latest}
    if late:
        yield f"{count(len(late), 'passage')} may be from after the as-of day, which counts less here."
    for timing, words in (
        (Timing.UNDATED, "{} without a date, which counts less here."),
        (Timing.OUTDATED, "{} older than what contradicts it, which counts less for a statement about the present."),
        (Timing.OVER, "{} about another time than now, and takes no side."),
        (Timing.OLD, "{} too old to settle a statement about the present."),
    ):
        if number := len({e.passage.id for e in evidence if e.timing is timing and e.passage.id not in late}):
            yield words.format(f"{count(number, 'passage')} {'is' if number == 1 else 'are'}")
