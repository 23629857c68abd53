"""The measured shares: steps that only rise, pooled where little was measured, found by the model they belong to."""

import random
from itertools import pairwise
from pathlib import Path

import pytest

from bench.shares import MeasuredVerdict, fit_shares
from config import PROJECT
from ghost.errors import ModelError
from ghost.inference import ModelFolder
from ghost.judges import Count, Shares, keep_shares, kept_shares, known_shares, shares_of
from ghost.types import Basis, JudgeInfo, Label

READER = "c" * 64
JUDGE = JudgeInfo("embedded", "stance-x")


def verdicts(n: int, basis: Basis, right: float, low: float = 0.8, label: Label = Label.TRUE) -> list[MeasuredVerdict]:
    """As many as asked for, spread over the probabilities from ``low`` on; surer ones are right more often."""
    rng = random.Random(n)
    sure = [low + (1 - low) * i / n for i in range(n)]
    return [MeasuredVerdict(label, basis, p, rng.random() < right - 0.1 + 0.2 * (p - low)) for p in sure]


def fitted(*found: list[MeasuredVerdict], sealed: list[MeasuredVerdict] | None = None) -> Shares:
    return fit_shares([v for some in found for v in some], sealed or [], JUDGE, READER)


@pytest.mark.parametrize("seed", range(20))
def test_what_is_surer_is_never_less_confident(seed: int) -> None:
    rng = random.Random(seed)
    found = [
        MeasuredVerdict(Label.TRUE, rng.choice(list(Basis)), round(rng.random(), digits), rng.random() < 0.8)
        for digits in rng.choices((1, 3), k=rng.randrange(50, 600))
    ]
    made = fitted(found)
    for basis in Basis:
        curve = [made.confidence(Label.TRUE, basis, p / 100) for p in range(101)]
        assert None not in curve
        assert all(one <= other for one, other in pairwise(curve) if one is not None and other is not None)
        assert sum(step.n for step in made.bases[basis]) == sum(v.basis is basis for v in found)


def test_the_confidence_is_the_share_of_right_ones_and_never_a_certainty() -> None:
    made = fitted(verdicts(200, Basis.NOTES, 2.0), verdicts(200, Basis.UNRATED, 0.5))
    assert made.confidence(Label.TRUE, Basis.NOTES, 0.99) == 0.99
    unrated = made.bases[Basis.UNRATED]
    share = unrated[-1].right / unrated[-1].n
    assert made.confidence(Label.TRUE, Basis.UNRATED, 0.99) == pytest.approx(share, abs=0.03)
    assert made.confidence(Label.MISLEADING, Basis.UNRATED, 0.99) is None, "no such verdict was measured"


def test_a_basis_with_fewer_than_fifty_verdicts_goes_by_all_of_them() -> None:
    made = fitted(verdicts(49, Basis.SEVERAL, 2.0), verdicts(300, Basis.NOTES, 0.6))
    assert made.steps(Basis.SEVERAL) == made.steps(Basis.RATED) == made.pooled
    assert made.steps(Basis.NOTES) != made.pooled
    assert fitted(verdicts(50, Basis.SEVERAL, 2.0), verdicts(300, Basis.NOTES, 0.6)).steps(Basis.SEVERAL) != made.pooled


def test_with_fewer_than_fifty_in_all_nothing_is_known() -> None:
    assert fitted(verdicts(49, Basis.NOTES, 2.0)).confidence(Label.TRUE, Basis.NOTES, 0.99) is None


def test_sealed_verdicts_are_counted_beside_each_step_and_move_none() -> None:
    sealed = verdicts(80, Basis.NOTES, 0.2)
    made, without = fitted(verdicts(200, Basis.NOTES, 0.9), sealed=sealed), fitted(verdicts(200, Basis.NOTES, 0.9))
    assert [s.share for s in made.pooled] == [s.share for s in without.pooled]
    assert sum(s.sealed.n for s in made.pooled) == sum(s.sealed.n for s in made.bases[Basis.NOTES]) == 80
    assert sum(s.sealed.right for s in made.pooled) == sum(v.right for v in sealed)


def test_a_kind_of_verdict_with_fewer_than_75_right_in_100_is_withheld() -> None:
    def of(label: Label, n: int, right: int) -> list[MeasuredVerdict]:
        return [MeasuredVerdict(label, Basis.NOTES, 0.9, i < right) for i in range(n)]

    made = fitted(of(Label.TRUE, 100, 75), of(Label.FALSE, 100, 74), of(Label.MISLEADING, 19, 0))
    assert made.withheld == {Label.FALSE}, "of nineteen nothing can be said"
    assert made.labels[Label.MISLEADING] == Count(n=19, right=0)


def test_shares_are_found_by_the_checksum_of_the_stance_model_and_by_the_judge(tmp_path: Path) -> None:
    mine = fitted(verdicts(60, Basis.NOTES, 0.9))
    other = fit_shares(verdicts(60, Basis.NOTES, 0.5), [], JudgeInfo("local", "qwen"), READER)
    assert known_shares(READER, tmp_path) == ()
    file = keep_shares(mine, tmp_path)
    keep_shares(other, tmp_path)
    known = known_shares(READER, tmp_path)
    assert sorted(s.judge for s in known) == ["embedded", "local"]
    assert shares_of(JudgeInfo("embedded", "called otherwise"), known) == mine
    assert shares_of(JudgeInfo("local", "qwen"), known) == other
    assert shares_of(JudgeInfo("local", "another model"), known) is None
    assert known_shares("d" * 64, tmp_path) == known_shares("", tmp_path) == ()
    assert kept_shares({"shares": [mine.model_dump(mode="json")]}) == (mine,)
    assert kept_shares({"shares": "broken"}) == kept_shares({}) == ()
    file.write_text("{")
    with pytest.raises(ModelError, match="ghost calibrate"):
        known_shares(READER, tmp_path)


def test_what_ships_belongs_to_the_bundled_stance_model_and_has_something_measured() -> None:
    reader = ModelFolder.open(PROJECT / "ghost" / "models" / "stance-mpnet").checksum
    [shares] = known_shares(reader)
    assert shares.confidence(Label.TRUE, Basis.NOTES, 0.95) is not None
    assert not shares.withheld
