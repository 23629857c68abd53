"""Claims in several wordings, and how stable the verdicts on them are.

``data/stability.jsonl`` has base claims that a fact of the starter library settles, half of them true. Each comes with
two paraphrases, its negation, and a pair of framings, one from either side. Rules were written with the half to
``learn`` from; the half to ``report`` on only counts, so its claims are never printed.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from bench.results import percentile
from ghost.types import DECIDED, Label

Rows = list[list[str]]
"""A table, its head first."""
TABLE = Path(__file__).with_name("data") / "stability.jsonl"
RERUNS = 3
MIRROR = {Label.TRUE.value: Label.FALSE.value, Label.FALSE.value: Label.TRUE.value}
"""The verdict on a denial; others stay as they are."""
SPREAD, MIRRORED, ALIKE = 0.0, 0.95, 0.9
"""What is aimed at with the embedded judge: points between reruns, shares of denials and of framing pairs."""
_SIDES = frozenset(label.value for label in DECIDED)


class StableClaim(BaseModel):
    """A claim with other wordings of it."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    half: Literal["learn", "report"]
    claim: str
    label: Literal["True", "False"]
    paraphrases: tuple[str, str]
    negation: str
    framings: tuple[str, str]
    """The claim as its critics and as its supporters put it."""
    fact: str = Field(min_length=1)
    """The passage of the starter library that settles it."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of one wording in one run."""

    label: str
    """``failed`` where the run ended without a verdict."""
    points: float | None
    """Its truth percentage or, without one, the probability of what it says or leans to, in percent."""
    calls: int = 0
    """Questions to a language model."""
    tokens: int = 0
    cost_usd: float = 0.0
    seconds: float = 0.0
    fell_back: bool = False
    """Whether a conversation gave way to the seven steps."""


@dataclass(frozen=True, slots=True)
class Answers:
    """What came of one claim in all its wordings."""

    claim: StableClaim
    reruns: tuple[Answer, ...]
    paraphrases: tuple[Answer, ...]
    negation: Answer
    framings: tuple[Answer, ...]

    @property
    def first(self) -> Answer:
        """The answer to the claim itself."""
        return self.reruns[0]

    @property
    def all(self) -> tuple[Answer, ...]:
        """Every run."""
        return (*self.reruns, *self.paraphrases, self.negation, *self.framings)


def read_claims(half: str = "", file: Path = TABLE) -> list[StableClaim]:
    """The claims of a half, or all of them, in the order of the file."""
    rows = [StableClaim.model_validate_json(line) for line in file.read_text(encoding="utf-8").splitlines()]
    return [row for row in rows if half in ("", row.half)]


def asked(claim: StableClaim, ask: Callable[[str], Answer], reruns: int = RERUNS) -> Answers:
    """All wordings of a claim, the claim itself ``reruns`` times."""
    return Answers(
        claim,
        tuple(ask(claim.claim) for _ in range(reruns)),
        tuple(map(ask, claim.paraphrases)),
        ask(claim.negation),
        tuple(map(ask, claim.framings)),
    )


def figures(found: Sequence[Answers]) -> dict[str, Any]:
    """All figures of one pipeline."""
    runs = [answer for one in found for answer in one.all]
    spreads = [spread for one in found if (spread := _spread(one.reruns)) is not None]
    decided = [one for one in found if one.first.label in MIRROR]
    return {
        "n": len(found),
        "runs": len(runs),
        **_counts(found),
        "failed": sum(a.label == "failed" for a in runs),
        "fell_back": sum(a.fell_back for a in runs),
        "spread_points": {"most": max(spreads, default=0.0), "mean": _mean(spreads)},
        "reruns_alike": _share(found, lambda one: len({a.label for a in one.reruns}) == 1),
        "paraphrases_alike": _share(list(_paraphrased(found)), lambda pair: pair[0] == pair[1]),
        "paraphrases_turned": sum(MIRROR.get(one) == other for one, other in _paraphrased(found)),
        "mirrored": _share(found, _mirrored),
        "mirrored_of_decided": _share(decided, _mirrored),
        "denials_alike": sum(one.negation.label == one.first.label for one in decided),
        "framings_alike": _share(found, lambda one: len({a.label for a in one.framings}) == 1),
        "framings_as_the_claim": _share(found, lambda one: {a.label for a in one.framings} == {one.first.label}),
        "calls_per_claim": _mean([a.calls for a in runs]),
        "tokens_per_claim": _mean([a.tokens for a in runs]),
        "cost_usd_per_claim": _mean([a.cost_usd for a in runs], 6),
        "seconds_p50": percentile([a.seconds for a in runs], 50),
        "seconds_p95": percentile([a.seconds for a in runs], 95),
    }


def goals(found: dict[str, Any]) -> dict[str, bool]:
    """Which aims the figures of the embedded judge meet."""
    return {
        "spread_points": found["spread_points"]["most"] <= SPREAD,
        "mirrored": found["mirrored"]["share"] >= MIRRORED,
        "framings_alike": found["framings_alike"]["share"] >= ALIKE,
    }


def shown(found: Sequence[Answers]) -> list[dict[str, Any]]:
    """A row for each claim of the half that may be looked at."""
    return [
        one.claim.model_dump(mode="json", exclude={"fact"})
        | {
            "found": [a.label for a in one.reruns],
            "found_paraphrases": [a.label for a in one.paraphrases],
            "found_negation": one.negation.label,
            "found_framings": [a.label for a in one.framings],
        }
        for one in found
        if one.claim.half == "learn"
    ]


def table(result: dict[str, Any]) -> Rows:
    """The figures of all pipelines, a column for each."""
    columns = result["pipelines"]
    rows = [["figure", *(column["name"] for column in columns)]]
    for what, cell in _CELLS:
        rows.append([what, *(cell(column) for column in columns)])
    return rows


def aims(result: dict[str, Any]) -> list[tuple[str, bool]]:
    """What the embedded judge shall reach, and whether it does."""
    words = {
        "spread_points": f"{SPREAD:.0f} points between reruns",
        "mirrored": f"{MIRRORED:.0%} of denials mirrored",
        "framings_alike": f"{ALIKE:.0%} of framing pairs alike",
    }
    return [(words[name], met) for name, met in result["goals"].items()]


_CELLS: tuple[tuple[str, Callable[[dict[str, Any]], str]], ...] = (
    ("claims: right, left open, wrong", lambda f: f"{f['right']}, {f['open']}, {f['wrong']} of {f['n']}"),
    (
        "points between reruns: most, mean",
        lambda f: f"{f['spread_points']['most']:.1f}, {f['spread_points']['mean']:.1f}",
    ),
    ("reruns with one label", lambda f: _of(f["reruns_alike"])),
    ("paraphrases with the same verdict", lambda f: _of(f["paraphrases_alike"])),
    ("paraphrases with the opposite verdict", lambda f: str(f["paraphrases_turned"])),
    ("denials with the mirrored verdict", lambda f: _of(f["mirrored"])),
    ("the same where the claim was decided", lambda f: _of(f["mirrored_of_decided"])),
    ("claim and denial with the same verdict", lambda f: str(f["denials_alike"])),
    ("framing pairs with the same verdict", lambda f: _of(f["framings_alike"])),
    ("both framings with the verdict of the claim", lambda f: _of(f["framings_as_the_claim"])),
    ("runs that failed, that fell back", lambda f: f"{f['failed']}, {f['fell_back']} of {f['runs']}"),
    ("model calls, tokens per run", lambda f: f"{f['calls_per_claim']:.1f}, {f['tokens_per_claim']:,.0f}"),
    ("cost per run", lambda f: f"{f['cost_usd_per_claim']:.4f} USD"),
    ("seconds per run: p50, p95", lambda f: f"{f['seconds_p50']:.2f}, {f['seconds_p95']:.2f}"),
)


def _counts(found: Sequence[Answers]) -> dict[str, int]:
    said = [(one.claim.label, one.first.label) for one in found]
    decided = [(wanted, label) for wanted, label in said if label in _SIDES]
    right = sum(wanted == label for wanted, label in decided)
    return {"right": right, "open": len(said) - len(decided), "wrong": len(decided) - right}


def _mirrored(one: Answers) -> bool:
    return one.negation.label == MIRROR.get(one.first.label, one.first.label) != "failed"


def _paraphrased(found: Sequence[Answers]) -> Iterator[tuple[str, str]]:
    yield from ((one.first.label, other.label) for one in found for other in one.paraphrases)


def _spread(reruns: Sequence[Answer]) -> float | None:
    points = [a.points for a in reruns if a.points is not None]
    return round(max(points) - min(points), 4) if len(points) == len(reruns) else None


def _share(rows: Sequence[Any], holds: Callable[[Any], bool]) -> dict[str, Any]:
    hits = sum(map(holds, rows))
    return {"hits": hits, "n": len(rows), "share": round(hits / len(rows), 4) if rows else 0.0}


def _of(share: dict[str, Any]) -> str:
    return f"{share['hits']} of {share['n']} ({share['share']:.0%})"


def _mean(values: Sequence[float], digits: int = 4) -> float:
    return round(sum(values) / len(values), digits) if values else 0.0
