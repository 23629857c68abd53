"""Snippets as candidates, and numbers that stay."""

from ghost.steps import Investigation, RerankRules, rerank, with_findings
from ghost.testing import SUPPORTING, HashingEncoder, ScriptedReader, passage
from ghost.types import Candidate, Statement

STATEMENTS = (Statement(1, "Honey keeps well"), Statement(2, "Wax melts"))
KEPT = Candidate(passage("Honey keeps.", "p1"), 1, 0.5)
FOUND = Investigation((passage("Honey keeps well in tombs.", "web:1"), passage("Trains are late.", "web:2")))


def test_snippets_join_the_candidates_of_open_statements_with_their_nearness() -> None:
    found = with_findings({1: [KEPT], 2: [KEPT]}, FOUND, STATEMENTS, STATEMENTS[:1], HashingEncoder())
    assert found[2] == [KEPT]
    assert [c.passage.id for c in found[1]] == ["p1", "web:1", "web:2"]
    near, far = (c.semantic for c in found[1][1:])
    assert near is not None
    assert far is not None
    assert near > 0.5 > far
    assert [c.rank for c in found[1][1:]] == [1, 2]


def test_without_an_encoder_the_nearness_is_unknown() -> None:
    found = with_findings({}, FOUND, STATEMENTS, STATEMENTS, None)
    assert [c.semantic for c in found[1]] == [None, None]
    assert len(found[2]) == 2


def test_evidence_keeps_its_number_through_the_rounds() -> None:
    reader, numbers = ScriptedReader(lambda text, statement: SUPPORTING), dict[str, int]()

    def look(*passages):
        candidates = {1: [Candidate(p, n, 0.1) for n, p in enumerate(passages, 1)]}
        return rerank(STATEMENTS[:1], candidates, reader, reader, RerankRules(keep=2), numbers=numbers)

    weak, strong = (
        passage("Honey keeps.", "p1", credibility=0.4),
        passage("Nothing spoils here.", "p2", credibility=0.9),
    )
    other = passage("Bees are busy all day long.", "p3", credibility=0.8)
    assert [(e.passage.id, e.number) for e in look(weak).value.evidence] == [("p1", 1)]
    second = look(weak, strong)
    assert [(e.passage.id, e.number) for e in second.value.evidence] == [("p2", 2), ("p1", 1)]
    assert [(r["passage_id"], r["n"]) for r in second.outputs["evidence"]] == [("p2", 2), ("p1", 1)]
    assert [(e.passage.id, e.number) for e in look(weak, strong, other).value.evidence] == [("p2", 2), ("p3", 3)]
    assert numbers == {"p1": 1, "p2": 2, "p3": 3}
