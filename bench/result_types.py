"""What the results of the benchmark say, as they are read from their files."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, field_validator

OPEN = ("Not Enough Evidence", "Not Verifiable")
"""What a verdict says that leaves a claim open."""


class _Value(BaseModel):
    """Read from a file, never changed; fields that this Ghost does not know are passed over."""

    model_config = ConfigDict(frozen=True, extra="ignore")


class Model(_Value):
    """A model that was measured."""

    name: str
    sha256: str


class Judge(_Value):
    """Who decided."""

    name: str
    model: str


class Source(_Value):
    """The file that was measured on."""

    name: str
    rows: int = 0
    sha256: str = ""


class Scores(_Value):
    """How well one class was found."""

    n: int
    precision: float
    recall: float
    f1: float


class Share(_Value):
    """A part of the rows and how it fared."""

    n: int
    accuracy: float | None
    macro_f1: float | None = None
    share: float | None = None


class Coverage(_Value):
    """The surest so many answers."""

    coverage: float
    n: int
    confidence: float
    """The least among them."""
    accuracy: float


class Calibration(_Value):
    """Answers of about the same confidence."""

    n: int
    low: float
    """Least and highest confidence among them."""
    high: float
    confidence: float
    """Their mean confidence."""
    accuracy: float


class Citations(_Value):
    """What became of the citations."""

    proposed: int
    accepted: int
    of_gold_documents: int
    stance_agrees_with_gold: float | None


class Result(_Value):
    """What every measurement says of itself."""

    benchmark: str
    date: str
    command: str
    seed: int
    machine: dict[str, Any] = Field(default_factory=dict)
    versions: dict[str, str | None] = Field(default_factory=dict)
    settings: dict[str, Any] = Field(default_factory=dict)
    limit: int = 0
    code: str = ""
    models: dict[str, Model] = Field(default_factory=dict)


class Counts(_Value):
    """What became of some claims."""

    n: int = Field(ge=1)
    right: int
    open: int
    wrong: int

    @property
    def decided(self) -> int:
        """Those that got a verdict that takes a side."""
        return self.right + self.wrong


Interval = tuple[float, float]
Confusion = dict[str, dict[str, int]]


class Perfect(_Value):
    """The calibration error of a judge whose every confidence is true; see ``metrics.ece_if_perfect``."""

    mean: float
    below: float
    upper: float


class Verdicts(Result):
    """What the pipeline made of claims whose verdict is known."""

    claims: Source
    judge: Judge
    corpus: dict[str, Any] = Field(default_factory=dict)
    n: int = Field(ge=1)
    failed: int | list[Any] = 0
    accuracy: float
    macro_f1: float
    by_class: dict[str, Scores]
    confusion: Confusion
    decided: Share
    evidence_recall: float | None = None
    citations: Citations
    seconds_p50: float
    seconds_p95: float
    workers: int = 1
    cost_usd_per_claim: float
    ece: float | None = None
    ece_if_perfect: Perfect | None = None
    brier: float | None = None
    coverage_accuracy: tuple[Coverage, ...] = ()
    reliability: tuple[Calibration, ...] = ()
    odds: dict[str, Any] | None = None
    """What the embedded judge decided by."""
    intervals: dict[str, Interval] = Field(default_factory=dict)

    @property
    def lead(self) -> str:
        """What comes first of it."""
        if not self.decided.n or self.decided.accuracy is None:
            return "decided none"
        share, right = 100 * self.decided.n / self.n, 100 * self.decided.accuracy
        return f"decided {share:.0f} of 100, {right:.0f} in 100 of them rightly"

    @property
    def name(self) -> str:
        """Data set and judge."""
        return f"{self.claims.name}, {self.judge.name}"

    @property
    def failures(self) -> int:
        """Runs that ended without a verdict."""
        return self.failed if isinstance(self.failed, int) else len(self.failed)

    @property
    def calibration(self) -> tuple[Calibration, ...]:
        """The reliability curve."""
        return self.reliability


class Everyday(Result):
    """What became of claims as people paste them, over the starter library alone."""

    seed: int = 0
    """Nothing is drawn."""
    judge: Judge
    half: str = "both"
    passages: int
    n: int = Field(ge=1)
    parts: dict[str, Counts]
    """Of ``all``, and perhaps of ``covered`` and ``not covered``."""
    halves: dict[str, Counts] = Field(default_factory=dict)
    kinds: dict[str, Counts] = Field(default_factory=dict)
    seconds_p50: float
    seconds_p95: float
    odds: dict[str, Any] | None = None

    @field_validator("parts")
    @classmethod
    def _has_all(cls, parts: dict[str, Counts]) -> dict[str, Counts]:
        if "all" not in parts:
            raise ValueError("the counts of all claims are missing")
        return parts

    @property
    def lead(self) -> str:
        """What comes first wherever Ghost tells how good it is."""
        whole, covered = self.parts["all"], self.parts.get("covered")
        known = f" Of the {covered.n:,} that the library covers, {covered.right:,} came out right." if covered else ""
        return (
            f"On {whole.n:,} everyday claims, with only the starter library and no web, Ghost decided "
            f"{whole.decided:,}, got {whole.right:,} of them right and left the rest open.{known}"
        )


class NearMisses(Result):
    """What became of claims beside passages and pages that nearly say them, or do."""

    seed: int = 0
    """Nothing is drawn."""
    n: int = Field(ge=1)
    all: dict[str, int]
    """How many ``traps`` there were and were ``taken``, and how many ``twins`` were there and ``settled``."""
    kinds: dict[str, dict[str, int]]


class Stance(Result):
    """How pairs of claim and evidence are read."""

    pairs: Source
    n: int = Field(ge=1)
    accuracy: float
    macro_f1: float
    by_class: dict[str, Scores]
    confusion: Confusion
    by_trap: dict[str, Share] = Field(default_factory=dict)
    by_evidence_words: dict[str, Share] = Field(default_factory=dict)
    intervals: dict[str, Interval] = Field(default_factory=dict)


class Retrieval(Result):
    """Whether the documents that bear on a claim are found."""

    claims: Source
    corpus: dict[str, Any] = Field(default_factory=dict)
    n: int = Field(ge=1)
    lexical: dict[str, float]
    dense: dict[str, float]
    fused: dict[str, float]
    reranked: dict[str, float]
    intervals: dict[str, dict[str, Interval]] = Field(default_factory=dict)


class Hits(_Value):
    """How many of some pairs came out so."""

    hits: int
    n: int
    share: float | None
    """None where there are none."""
    interval: Interval | None = None


class Matching(Result):
    """How pairs of claims and questions are told apart."""

    pairs: Source
    n: int = Field(ge=1)
    accuracy: float
    confusion: Confusion
    false_same: Hits
    """Pairs that are not the same and were called so."""
    same_found: Hits
    same_right: Hits
    opposite_found: Hits
    opposite_right: Hits
    near_opposites: dict[str, Hits]
    """Opposites of a cosine over 0.9: called_opposite, called_same."""
    goals: dict[str, bool]
    """Whether the aims for false_same and same_found were met."""
    seconds_per_pair: float
    outside: dict[str, Any] = Field(default_factory=dict)
    """A public set of pairs with the same words in another order."""


class Asking(Result):
    """How long an answer takes that is found among many claim cards."""

    seed: int = 0
    """Nothing is drawn."""
    cards: int
    questions: int
    answered_exactly: int
    answered_contextually: int
    exact_seconds_50: float
    exact_seconds_95: float
    contextual_seconds_50: float
    contextual_seconds_95: float
    goals: dict[str, float]
    """Seconds at the median."""
    goals_met: dict[str, bool]


class Speed(Result):
    """Time and memory beside what was promised."""

    passages: int
    goals: tuple[dict[str, Any], ...] = ()
    verification: dict[str, Any] = Field(default_factory=dict)


class Demo(Result):
    """What live investigations over the demo web came to."""

    n: int = Field(ge=1)
    accuracy: float
    intervals: dict[str, Interval] = Field(default_factory=dict)
    open_though_known: int
    wrong: int
    """Aim: none."""
    right_quoting_right_pages: float | None
    """Of the right verdicts that decide, the share that quotes a page which decides the claim; None without any."""
    seconds_p50: float
    seconds_p95: float
    confusion: dict[str, int]
    """How many claims of each ``expected > found``."""


class Reading(Result):
    """How long pages take, and runs whose servers never answer."""

    seed: int = 0
    """Nothing is drawn."""
    pages: int
    characters: int
    seconds_p50: float
    seconds_worst: float
    processor_p50: float
    goal_seconds: float
    goal_met: bool
    limit_seconds: float
    over_the_limit: dict[str, float] = Field(min_length=1)
    """Seconds by which a run is longer than its limit, by what hangs."""
    over_goal: float
    over_goal_met: bool

    @property
    def longest(self) -> float:
        """Seconds of the longest run while servers hang."""
        return self.limit_seconds + max(self.over_the_limit.values())


def by_kind(confusion: Mapping[str, int]) -> dict[str, dict[str, int]]:
    """For the claims of each verdict: how many there are, got it, were left open though it is known, or got another."""
    kinds: dict[str, dict[str, int]] = {}
    for key, count in confusion.items():
        label, found = key.split(" > ", 1)
        row = kinds.setdefault(label, {"n": 0, "right": 0, "open": 0, "wrong": 0})
        row["n"] += count
        row["right" if found == label else "open" if found in OPEN else "wrong"] += count
    return kinds
