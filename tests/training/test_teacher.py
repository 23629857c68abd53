"""What a teacher is asked, and what is kept of its answers."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest

pytest.importorskip("torch")
from ghost.types import Stance
from training.dossiers import Dossier, DossierClaim, read_dossiers, window
from training.headings import Heading
from training.pairs import Pair
from training.teacher import CHUNK, UNKNOWN, asked, page_pairs, read_taught, teach
from training.train_cross_encoder import SMOOTHING, target
from training.written import read_contrasts

pytestmark = pytest.mark.models

NONE: frozenset[int] = frozenset()
PAGE = Dossier(
    "harbour",
    ("The harbour opened in May.", "It cost two million.", "Nobody came."),
    (
        DossierClaim("It opened in spring.", frozenset({0}), NONE),
        DossierClaim("It was cheap.", NONE, frozenset({1})),
        DossierClaim("It opened in June.", NONE, frozenset({0})),
        DossierClaim("It is large.", NONE, NONE),
    ),
)
HEADS = {"harbour": (Heading("The new harbour", NONE, NONE),)}


class Counting:
    """Reads a pair by the length of its evidence, and counts what it has read."""

    name, checksum = "counting", "0" * 64

    def __init__(self) -> None:
        self.read_pairs = 0

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        self.read_pairs += len(pairs)
        return [Stance(0.1, 0.2, 0.3, 0.4) for _ in pairs]


def test_claims_of_a_page_are_read_against_one_another_and_against_the_page() -> None:
    pairs = list(page_pairs([PAGE], HEADS, random.Random(1), 6))
    claims = {claim.text for claim in PAGE.claims}
    page = {*PAGE.page, *(window(PAGE.page, i) for i in range(3))}
    by_source = {name: [p for p in pairs if p.source == name] for name in ("claims", "page", "heads")}
    assert [len(of) for of in by_source.values()] == [2, 6, 3]
    assert all(p.claim in claims and p.label == UNKNOWN for p in pairs)
    one, other = "It opened in spring.", "It opened in June."
    assert {(p.evidence, p.claim) for p in by_source["claims"]} == {(one, other), (other, one)}
    assert all(p.evidence in page for p in by_source["page"])
    assert {p.evidence for p in by_source["heads"]} == {"The new harbour"}
    assert not [p for p in page_pairs([PAGE], {}, random.Random(1), 6) if p.source == "heads"]


def test_a_teacher_is_asked_each_pair_once_in_a_fixed_order_and_nothing_of_held_back_topics() -> None:
    public = [Pair(f"evidence {i}", f"claim {i}", "SUPPORTS", "fever") for i in range(50)]
    pairs = asked(public, 3, 2, 20)
    assert pairs == asked(public, 3, 2, 20) != asked(public, 4, 2, 20)
    assert len({(p.evidence, p.claim) for p in pairs}) == len(pairs)
    assert sum(p.source == "fever" for p in pairs) == 20
    kept_out = {c.text for d in read_dossiers() if d.held_back for c in d.claims}
    kept_out |= {text for c in read_contrasts() if c.held_back for text, *_ in c.claims}
    trained = {c.text for d in read_dossiers() if not d.held_back for c in d.claims}
    trained |= {text for c in read_contrasts() if not c.held_back for text, *_ in c.claims}
    assert not {p.claim for p in pairs} & (kept_out - trained)


def test_answers_are_taken_up_where_they_end(tmp_path: Path) -> None:
    pairs = [Pair(f"evidence “{i}”", "claim", "REFUTES" if i % 2 else UNKNOWN, "s") for i in range(CHUNK + 30)]
    out, whole = tmp_path / "part.jsonl", tmp_path / "whole.jsonl"
    teach([Counting()], pairs, whole)
    teach([Counting()], pairs[:40], out)
    again = Counting()
    teach([again], pairs, out)
    assert again.read_pairs == len(pairs) - 40
    assert out.read_bytes() == whole.read_bytes()
    assert [(p.evidence, p.claim, p.label, p.source) for p in read_taught(out)] == [
        (p.evidence, p.claim, p.label, p.source) for p in pairs
    ]
    assert {p.told for p in read_taught(out)} == {(0.1, 0.2, 0.3, 0.4)}
    together = tmp_path / "together.jsonl"
    teach([Counting(), Counting()], pairs[:1], together)
    assert read_taught(together) == read_taught(whole)[:1]


def test_what_is_learned_is_the_label_the_teacher_or_halfway_between() -> None:
    told = (0.1, 0.7, 0.1, 0.1)
    label = target(Pair("e", "c", "REFUTES", "s"))
    assert label == pytest.approx([SMOOTHING / 4, 1 - SMOOTHING * 3 / 4, SMOOTHING / 4, SMOOTHING / 4])
    assert target(Pair("e", "c", UNKNOWN, "s", told)) == list(told)
    assert target(Pair("e", "c", "REFUTES", "s", told)) == pytest.approx(
        [(a + b) / 2 for a, b in zip(label, told, strict=True)]
    )
