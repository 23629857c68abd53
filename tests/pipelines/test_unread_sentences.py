"""Sentences that cannot change what a run shows are not read, and nothing that it shows is different."""

import random
from datetime import date

from ghost.budget import Budget, Limits
from ghost.events import result_of
from ghost.judges import EmbeddedJudge, Shares, known_shares, shares_of, shipped
from ghost.pipelines import Tools
from ghost.steps import RerankContext, RerankRules, SearchHistory, rerank, verdict
from ghost.testing import ScriptedReader, passage
from ghost.types import Candidate, Claim, Label, Passage, Stance, Statement, Verdict

CLAIM = "Honey does not spoil."
S = Statement(1, CLAIM)
JUDGE = EmbeddedJudge("scripted")
SHARES = known_shares(shipped().reader)
WORDS = "alpha bravo charlie delta echo foxtrot golf hotel india juliet".split()


def stance(chance: random.Random) -> Stance:
    """Mostly none of the two sides, as real passages are; sometimes a plain one."""
    sides = [chance.random() ** (0.02 if chance.random() < 0.1 else 6) for _ in range(2)]
    supports, refutes = (side / max(1.0, sum(sides)) for side in sides)
    return Stance(supports, refutes, 1 - supports - refutes, 0.0)


def world(seed: int) -> tuple[list[Candidate], ScriptedReader, list[str]]:
    """Eight passages of two sentences, what a reader says of each text, and a list of what it was asked."""
    chance, asked = random.Random(seed), list[str]()
    read: dict[str, Stance] = {}

    def reads(text: str, _: str) -> Stance:
        asked.append(text)
        return read.setdefault(text, stance(random.Random(f"{seed} {text}")))

    def made(n: int) -> Passage:
        words = [" ".join(f"{word}{n}{part}" for word in WORDS) for part in "ab"]
        text = " ".join(f"{each.capitalize()}." for each in words)
        return passage(text, f"p{n}", url=f"https://s{n}.org/a", domain=f"s{n}.org", credibility=chance.random())

    cosines = sorted((chance.uniform(0.3, 0.9) for _ in range(8)), reverse=True)
    found = [Candidate(made(n), n, 1 / (60 + n), cosine, 2.0) for n, cosine in enumerate(cosines, 1)]
    return found, ScriptedReader(reads), asked


def decided(found: list[Candidate], reader: ScriptedReader, context: RerankContext) -> Verdict:
    screener = ScriptedReader(lambda *_: Stance(0.1, 0.1, 0.7, 0.1))
    evidence = rerank([S], {1: found}, reader, None, RerankRules(), context, screener).value.evidence
    shares: Shares | None = shares_of(JUDGE.info, SHARES)
    step = verdict(Claim(CLAIM), [S], evidence, (), (), JUDGE, Budget(Limits()), shares=lambda: shares)
    return result_of(step).value.verdict


def shown(verdict: Verdict) -> tuple[object, ...]:
    cited = [(c.passage_id, c.quote, c.stance, c.accepted) for c in verdict.citations]
    leaning = verdict.leaning and verdict.leaning.label
    return verdict.label, verdict.confidence, verdict.basis, verdict.contested, verdict.reasons, leaning, cited


def test_what_is_left_unread_changes_nothing_that_a_verdict_shows() -> None:
    tools = Tools(None, JUDGE, ScriptedReader(lambda *_: Stance(0, 0, 1, 0)), shares=SHARES)  # type: ignore[arg-type]
    context = tools.rerank_context(Claim(CLAIM), SearchHistory())
    labels, few, many, all_read = set[str](), 0, 0, 0
    for seed in range(100):
        whole, short = world(seed), world(seed)
        full = decided(whole[0], whole[1], RerankContext(today=date.today()))
        assert shown(decided(short[0], short[1], context)) == shown(full), f"seed {seed}"
        labels.add(full.label)
        few, many = few + len(short[2]), many + len(whole[2])
        all_read += len(short[2]) == len(whole[2])
    assert labels >= {Label.TRUE, Label.FALSE, Label.NOT_ENOUGH_EVIDENCE}
    assert few < 0.8 * many
    assert 0 < all_read < 100
