"""People's readings of passages, which count in place of the stance model's.

A reading belongs to the passage, as its text was then, and to a statement. It counts for another statement only where
the claim match is sure that both say the same, and turned round where they say the opposite. Where nobody has read a
passage, no model is asked.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ghost.judges import VERBATIM, bare
from ghost.knowledge import key_of, normalise
from ghost.matching import Matcher
from ghost.records import PassageReading
from ghost.steps.rerank.selection import final_weight
from ghost.types import Correction, Evidence, Passage, Relation, Stance, StanceLabel, Statement

StandingReadings = Callable[[Sequence[str]], Sequence[PassageReading]]
"""The readings that stand of the passages with these keys, the newest first."""
Corrections = Mapping[tuple[int, str], Correction]
"""By number of the statement and id of the passage."""
_MIRRORED = {StanceLabel.SUPPORTS: StanceLabel.REFUTES, StanceLabel.REFUTES: StanceLabel.SUPPORTS}
_REST = (1.0 - VERBATIM) / 3
_STANCES = {
    StanceLabel.SUPPORTS: Stance(VERBATIM, _REST, _REST, _REST),
    StanceLabel.REFUTES: Stance(_REST, VERBATIM, _REST, _REST),
    StanceLabel.NEUTRAL: Stance(_REST, _REST, VERBATIM, _REST),
}


def reading_key(passage: Passage) -> str:
    """What a reading belongs to: the text and the address of a passage, wherever it is stored."""
    return key_of(normalise(passage.text), normalise(passage.source_url))


def find_corrections(
    rows: Sequence[tuple[Statement, Passage]], standing: StandingReadings, matcher: Matcher | None = None
) -> Corrections:
    """The corrections of these passages. Without a ``matcher`` only those of statements in the same words."""
    keys = {passage.id: reading_key(passage) for _, passage in rows}
    known: dict[str, list[PassageReading]] = {}
    for reading in standing(list(dict.fromkeys(keys.values()))):
        known.setdefault(reading.key, []).append(reading)
    met = [(s, p, reading) for s, p in rows for reading in known.get(keys[p.id], ())]
    pairs = list(dict.fromkeys((s.text, r.statement) for s, _, r in met if bare(s.text) != bare(r.statement)))
    matches = zip(pairs, matcher.match(pairs), strict=True) if matcher and pairs else ()
    relations = {pair: match.relation for pair, match in matches}
    found: dict[tuple[int, str], Correction] = {}
    # The statement's own words first, then the newest.
    for s, p, r in sorted(met, key=lambda row: bare(row[0].text) != bare(row[2].statement)):
        relation = Relation.SAME if bare(s.text) == bare(r.statement) else relations.get((s.text, r.statement))
        if relation in (Relation.SAME, Relation.OPPOSITE):
            label = r.label if relation is Relation.SAME else _MIRRORED.get(r.label, r.label)
            found.setdefault((s.number, p.id), Correction(r.id, label, r.statement, r.at))
    return found


def machine_label(correction: Correction, reading: PassageReading) -> StanceLabel:
    """What Ghost had read before this ``reading`` of a person became the correction.

    Turned round as the reading was. A *neither* looks the same both ways, so beside it the label stays as it was kept.
    """
    return reading.machine if correction.label is reading.label else _MIRRORED.get(reading.machine, reading.machine)


def corrected(e: Evidence, corrections: Corrections, boost: float) -> Evidence:
    """The evidence as a person reads it; as it is where nobody has. What they say takes a side is on the topic."""
    correction = corrections.get((e.statement, e.passage.id))
    if correction is None:
        return e
    e = replace(e, stance=_STANCES[correction.label], correction=correction, unreadable=False)
    if correction.label is StanceLabel.NEUTRAL:
        return e
    return replace(e, relevance=1.0, nearness=1.0, final=final_weight(1.0, e.credibility, e.access_bonus, boost))
