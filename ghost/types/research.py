"""Research: a topic broken into questions, what memory has for each, and the answers."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

from ghost.types.match import Category
from ghost.types.run import RunStatus, TraceStep, Usage
from ghost.types.verdict import Citation


class Collection(StrEnum):
    """The three memories."""

    EPISODIC = "episodic"
    """Pages that were read, each with the time of reading and the number of facts it gave."""
    SEMANTIC = "semantic"
    """Facts: verbatim excerpts that answer a question, each a passage of the knowledge base."""
    PROCEDURAL = "procedural"
    """Skills: how to research a kind of topic."""


@dataclass(frozen=True, slots=True)
class Recalled:
    """A memory that the search for a topic found."""

    collection: Collection
    id: str
    text: str
    """In a line: the title of a page, the question of a fact, or the name of a skill."""
    score: float
    """Cosine with the topic, 0..1."""
    used: bool
    why: str
    """Why it is used, or left out."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules of a skill."""

    freshness_days: int = 180
    """Evidence that the web was last found to give longer ago does not answer a question any more, whenever it was
    published: what was new on the web since then is not known."""
    allow_web: bool = True
    max_sources: int = 5
    """Pages read for one question."""
    depth: int = 5
    """Questions that a topic is broken into, 4 to 6."""
    allowed_sites: tuple[str, ...] = ()
    """Host suffixes; empty: all that the settings allow."""
    denied_sites: tuple[str, ...] = ()
    min_credibility: float = 0.0
    """Less credible sources do not count."""
    guardrails: tuple[str, ...] = ()
    """Rules for whoever writes the answers, such as "if sources disagree, present both"."""


@dataclass(frozen=True, slots=True)
class Skill:
    """How to research a kind of topic."""

    name: str
    title: str
    description: str
    policy: Policy
    categories: tuple[Category, ...] = ()
    """Kinds of topic that it is for; empty: any."""
    questions: tuple[str, ...] = ()
    """Templates of questions, with ``{topic}`` in them; empty: those of the topic's category."""
    shipped: bool = True
    """Whether it comes with Ghost; False for the analyst's own."""


@dataclass(frozen=True, slots=True)
class SubQuestion:
    """One question of a plan."""

    number: int
    """1-based."""
    text: str
    """Can be understood without the topic."""


class GateState(StrEnum):
    """The gate's decision on a question."""

    SATISFIED = "satisfied"
    NEEDS_WEB = "needs_web"


class MemoryMatch(StrEnum):
    """How a question was found in memory."""

    EXACT = "exact"
    """The same question in the same words."""
    MATCH = "match"
    """A question that asks the same in other words."""
    NONE = "none"


@dataclass(frozen=True, slots=True)
class GateDecision:
    """Whether memory answers a question."""

    question: int
    state: GateState
    reason: str
    """In a sentence."""
    found: MemoryMatch = MemoryMatch.NONE
    coverage_id: str = ""
    """The coverage it was found in."""
    earlier_question: str = ""
    """The question of that coverage, where it has other words."""
    evidence: tuple[str, ...] = ()
    """Ids of the facts that answer it; none where it needs the web."""
    newest: date | None = None
    """The day of the newest of them."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """The most that carrying out a plan may cost."""

    from_memory: int
    """Questions that memory answers."""
    from_web: int
    """Questions that need the web, as far as it is allowed."""
    searches: int
    fetches: int
    tokens: int
    cost_usd: float | None
    """None if the price of the model is not known; 0 without a model."""
    seconds: float


@dataclass(frozen=True, slots=True)
class ResearchPlan:
    """A topic with its questions, and what memory has for each."""

    topic: str
    category: Category
    skill: Skill
    questions: tuple[SubQuestion, ...]
    recalled: tuple[Recalled, ...]
    decisions: tuple[GateDecision, ...]
    """One for each question, in their order."""
    estimate: Estimate
    planned_by: str = "embedded"
    """Whose questions they are: the name of a judge, or ``analyst``."""
    steps: tuple[TraceStep, ...] = ()
    """What the trace keeps of the planning."""
    usage: Usage = field(default_factory=Usage)
    """What planning has cost; it counts towards the research that follows."""


@dataclass(frozen=True, slots=True)
class Fact:
    """A verbatim excerpt that answers a question. An edited or retired passage takes its facts with it."""

    id: str
    version: int
    """1 for what the first research took from its page for the question, one more for each later research that took
    something else."""
    topic: str
    question: str
    excerpt: str
    passage_id: str
    url: str
    title: str
    published_at: date | None
    found_at: datetime
    """When the web was last found to say it."""
    research_id: str
    retired: str = ""
    """Why it no longer counts; empty while it does."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """A question of a topic, the facts that answer it, and what it cost to find them."""

    id: str
    version: int
    """How often the web was searched for it."""
    topic: str
    question: str
    facts: tuple[str, ...]
    """Ids of the facts, the best first; none where the web was asked and had no answer."""
    covered_at: datetime
    research_id: str
    searches: int = 0
    fetches: int = 0
    same_as: str = ""
    """The coverage of another question that asks the same and whose facts these are; empty where the web was asked."""


@dataclass(frozen=True, slots=True)
class Episode:
    """A page that was read for a topic."""

    id: str
    version: int
    """How often it was read; each reading is kept."""
    topic: str
    url: str
    title: str
    read_at: datetime
    digest: str
    """SHA-256 of its text, which tells whether it has changed."""
    facts: int
    """How many facts were taken from it."""
    research_id: str


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Two sources that say opposite things about one question."""

    question: int
    one: int
    """``[n]`` of the citation."""
    other: int
    why: str


@dataclass(frozen=True, slots=True)
class ResearchAnswer:
    """The answer to one question of a plan."""

    question: int
    text: str
    """Sentences with ``[n]``, each of which has passed the gate; empty where nothing answers it."""
    citations: tuple[Citation, ...] = ()
    """Numbered through the whole research."""
    from_memory: bool = False
    disagreements: tuple[Disagreement, ...] = ()
    gap: str = ""
    """What is missing, and why; empty where the question is answered."""
    written_by: str = "embedded"
    read_on: date | None = None
    """The earliest day on which what it cites was read, where it is from memory."""


@dataclass(frozen=True, slots=True)
class Savings:
    """What memory has saved: the cost of its questions when they were first researched."""

    questions: int = 0
    searches: int = 0
    fetches: int = 0


NOTHING_SAVED = Savings()
RESEARCH_STEPS = ("context", "policy", "plan", "gate", "memory", "web", "record", "answers", "report")
"""The steps of a research in the order of their numbers, which begin at 1."""


@dataclass(frozen=True, slots=True)
class Research:
    """One research as it is stored."""

    id: str
    topic: str
    status: RunStatus
    started_at: datetime
    plan: ResearchPlan | None = None
    answers: tuple[ResearchAnswer, ...] = ()
    """Those that are finished, in the order of the plan."""
    steps: tuple[TraceStep, ...] = ()
    savings: Savings = NOTHING_SAVED
    usage: Usage = field(default_factory=Usage)
    judge: str = "embedded"
    web: bool = True
    error: str = ""
    finished_at: datetime | None = None

    @property
    def gaps(self) -> tuple[ResearchAnswer, ...]:
        """The questions that nothing answers."""
        return tuple(answer for answer in self.answers if answer.gap)
