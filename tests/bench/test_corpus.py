"""The made-up corpus is the same for a seed, varied, and of realistic length."""

from itertools import islice

from bench.corpus import claims, endless_passages
from ghost.judges import classify
from ghost.knowledge import admit
from ghost.types import NewPassage, Status


def passages(count: int, seed: int) -> list[NewPassage]:
    return list(islice(endless_passages(seed), count))


def test_a_seed_always_makes_the_same() -> None:
    assert passages(50, 3) == passages(50, 3)
    assert claims(20, 3) == claims(20, 3)
    assert passages(50, 3) != passages(50, 4)
    assert claims(20, 3) != claims(20, 4)


def test_passages_are_different_and_of_realistic_length() -> None:
    made = passages(600, 1)
    assert len({p.text for p in made}) == 600
    lengths = [len(p.text.split()) for p in made]
    assert min(lengths) >= 12
    assert max(lengths) <= 40
    assert max(lengths) - min(lengths) > 20
    assert not [p for p in made if "{" in p.text]
    assert len({p.topic for p in made}) >= 10
    assert 0.4 < sum(p.published_at is None for p in made) / len(made) + 0.2 < 0.8


def test_every_passage_is_admitted() -> None:
    """A refused or quarantined passage would make the measured knowledge base smaller than it says."""
    admissions = [admit(p) for p in passages(150, 1)]
    assert all(a.passage is not None and a.passage.status is Status.ACTIVE for a in admissions)


def test_claims_are_different_and_checkable() -> None:
    """A claim that ends at step 1 takes no time and would flatter the figures."""
    made = claims(60, 1)
    assert len(set(made)) == 60
    assert [c for c in made if not classify(c, "").statements] == []
