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
    room: dict[tuple[int, bool], int] = {}
    for candidate, before in sorted(weighed, key=lambda pair: (pair[1].statement, -pair[1].final, pair[1].rank)):
        key = before.statement, before.passage.id
        place = before.statement, before.passage.indexed_at is not None
        room[place] = room.get(place, 0) + 1
        if key in kept or room[place] <= (FROM_HOME if place[1] else FROM_WEB):
            row = _candidate_row(candidate, kept.get(key, before), left.get(key), origin.get(key))
            rows.append(row | {"telling": round(stance_strength(before), 4), "read": key in closely})
    return rows


def _candidate_row(candidate: Candidate, e: Evidence, left: Dropped | None, origin: int | None) -> dict[str, Any]:
    p, s = e.passage, e.stance
    return {
        "statement": e.statement,
        "passage_id": p.id,
        "n": e.number if left is None else None,
        "kept": left is None,
        "code": "" if left is None else left.code,
        "why": "among the best for this statement" if left is None else left.why,
        "title": p.title[:TITLE_CHARS],
        "domain": p.domain,
        "found_in": "knowledge base" if p.indexed_at else "search snippet" if p.snippet else "page read",
        "published_at": p.published_at.isoformat() if p.published_at else None,
        "as_of": p.as_of,
        "characters": len(p.text),
        "rank": candidate.rank,
        "semantic": None if candidate.semantic is None else round(candidate.semantic, 4),
        "nearness": None if e.nearness is None else round(e.nearness, 4),
        "lexical": None if candidate.lexical is None else round(candidate.lexical, 4),
        "fused": round(candidate.fused, 6),
        "stance": s.label,
        "stances": {side: round(chance, 4) for side, chance in asdict(s).items()},
        "relevance": round(e.relevance, 6),
        "credibility": e.credibility,
        "access_bonus": e.access_bonus,
        "final": round(e.final, 6),
        "origin": origin or (left.group if left else 0) or None,
    }


def reason_of(read: int, evidence: Sequence[Evidence], dropped: Sequence[Dropped], rules: RerankRules) -> str:
    """What became of the pairs that were read."""
    if not read:
        return "There were no candidates to read."
    low = sum(d.code is DropCode.RELEVANCE for d in dropped)
    off_topic = sum(d.code is DropCode.OFF_TOPIC for d in dropped)
    disowned = Counter(d.why for d in dropped if d.code is DropCode.RETRACTED)
    withdrawn = "".join(f" {number} counted no more, because {why}." for why, number in disowned.items())
    rest = len(dropped) - low - off_topic - disowned.total()
    return (
        f"Read {count(read, 'pair')} of passage and statement: {len(evidence)} kept, {low} below the relevance of "
        f"{rules.min_relevance:g}, {off_topic} about something else, {rest} left out for diversity, place or origin."
        f"{withdrawn}"
    )


def date_notes(evidence: Sequence[Evidence]) -> Iterator[str]:
    """What counts less because of its date."""
    late = {e.passage.id for e in evidence if e.timing is Timing.UNDATED and e.passage.latest}
    if late:
        yield f"{count(len(late), 'passage')} may be from after the as-of day, which counts less here."
    for timing, words in (
        (Timing.UNDATED, "{} without a date, which counts less here."),
        (Timing.OUTDATED, "{} older than what contradicts it, which counts less for a statement about the present."),
        (Timing.OLD, "{} too old to settle a statement about the present."),
    ):
        if number := len({e.passage.id for e in evidence if e.timing is timing and e.passage.id not in late}):
            yield words.format(f"{count(number, 'passage')} {'is' if number == 1 else 'are'}")


def evidence_row(e: Evidence) -> dict[str, object]:
    """A piece of evidence in the trace."""
    return {
        "n": e.number,
        "statement": e.statement,
        "passage_id": e.passage.id,
        "stance": e.stance.label,
        "relevance": round(e.relevance, 4),
        "credibility": e.credibility,
        "access_bonus": e.access_bonus,
        "final": round(e.final, 4),
        "group": e.group,
        "kin": e.kin,
        "timing": e.timing,
        "time_weight": e.time_weight,
    }


def dropped_row(d: Dropped) -> dict[str, object]:
    """A dropped candidate in the trace."""
    return {
        "statement": d.statement,
        "passage_id": d.passage_id,
        "title": d.title,
        "relevance": round(d.relevance, 4),
        "final": round(d.final, 4),
        "why": d.why,
    }
