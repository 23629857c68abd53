"""The web phase for one question: the stages of step 5, one after the other, until enough independent sources answer.

First come the pages that this research has read already; where they answer, the web is not asked.
The question takes the place of a statement. Admission, quarantine, address guard and budgets are those of a run.
"""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, replace

from ghost.budget import Budget
from ghost.errors import BudgetExceeded
from ghost.events import Event
from ghost.knowledge import MARKED_CREDIBILITY, KnowledgeBase
from ghost.pipelines import Tools
from ghost.research.pages_read import PagesRead
from ghost.research.questions import as_search, as_statement, is_whether
from ghost.research.reading import AnswerReader, Excerpt
from ghost.steps import Investigation, Outcome, Scope, SearchHistory, SearchQuery, count, investigate, stage_queries
from ghost.text import text_hash
from ghost.types import Claim, Passage, Policy, Statement, SubQuestion, Sufficiency
from ghost.web import Stage

ENOUGH = 2
"""So many independent origins answer a question; then the later stages are not searched."""
LOOKED_UP = 12
"""Passages of the knowledge base that are weighed for a question."""


@dataclass(frozen=True, slots=True)
class PageRead:
    """A page that was read."""

    url: str
    title: str
    digest: str


@dataclass(frozen=True, slots=True)
class Gathered:
    """What knowledge base and web have for a question."""

    excerpts: tuple[Excerpt, ...] = ()
    """That answer it, best first."""
    found: tuple[Investigation, ...] = ()
    """What each stage of the search found."""
    pages: tuple[PageRead, ...] = ()
    """That were fetched for it."""
    reused: tuple[PageRead, ...] = ()
    """That were read for an earlier question and answer this one too."""
    weak: int = 0
    """Excerpts that would answer it, from sources below the credibility that the policy asks for."""
    refused: int = 0
    """Excerpts that would answer it, and that were not admitted to the knowledge base."""
    searches: int = 0
    fetches: int = 0
    problems: tuple[str, ...] = ()
    """Why less was found than could have been."""
    searched: bool = False
    """Whether the web was asked."""


def from_knowledge(
    question: SubQuestion, topic: str, knowledge: KnowledgeBase, reader: AnswerReader, policy: Policy
) -> Gathered:
    """What the knowledge base has by itself. Raises StoreError and ModelError."""
    found = knowledge.search(as_search(question.text, topic), LOOKED_UP)
    hits = Scope(policy.allowed_sites, policy.denied_sites).within(found)
    return _weighed(question, topic, [c.passage for c in hits], reader, policy, Gathered())


def from_web(
    question: SubQuestion,
    topic: str,
    known: Gathered,
    tools: Tools,
    reader: AnswerReader,
    policy: Policy,
    budget: Budget,
    read: PagesRead,
) -> Generator[Event, None, Outcome[Gathered]]:
    """What the web adds to what is ``known``, within ``budget``, which is that of the question alone.

    ``read``: what this research has read so far; what is read now is added to it.

    Raises Cancelled, StoreError and ModelError. A limit that is reached ends the search, not the research.
    """
    statement = Statement(1, as_search(as_statement(question.text), topic))
    claim, context = Claim(statement.text), replace(tools.search_context, judge=None)
    history, found, problems = read.history, list[Investigation](), list[str]()
    own, before = [e.passage for e in known.excerpts], read.passages
    most, known_ids = len(read), {p.id for p in before}
    gathered = _weighed(question, topic, [*own, *before], reader, policy, known, history)
    enough = len({e.group for e in gathered.excerpts if e.passage.id in known_ids}) >= ENOUGH
    stages = tuple(Stage) if is_whether(question.text) else (Stage.TRUSTED, Stage.BROAD)
    queried = False
    try:
        for stage in () if enough else stages:
            queried = True
            queries = _queries(stage, statement, question, topic)
            outcome = yield from investigate(stage, claim, (statement,), queries, context, budget, history)
            found.append(outcome.value)
            history = outcome.value.history
            gathered = _weighed(question, topic, [*own, *before, *_passages(found)], reader, policy, known, history)
            if len({e.group for e in gathered.excerpts}) >= ENOUGH:
                break
    except BudgetExceeded as limit:
        problems.append(str(limit))
    again = read.again({e.passage.id for e in gathered.excerpts} & known_ids)
    pages = tuple(p for p in _pages_read(found) if not read.has(p.url))
    read.keep(found, history, reader)
    problems += [reason.text for f in found for reason in f.reasons]
    usage = budget.usage()
    gathered = replace(
        gathered, found=(again, *found), pages=pages, reused=tuple(_pages_read([again])),
        searches=usage.searches, fetches=usage.fetches, problems=tuple(dict.fromkeys(problems)), searched=queried,
    )  # fmt: skip
    return Outcome(
        gathered,
        f"{count(len(gathered.excerpts), 'excerpt')} from {count(len(gathered.pages), 'page')} read now, "
        f"{len(gathered.reused)} read before",
        " ".join([_told(gathered, most), *gathered.problems]),
        inputs={"question": question.text, "searched_for": statement.text, "most_pages": budget.limits.fetches},
        outputs={
            "searches": usage.searches,
            "fetches": usage.fetches,
            "pages": [{"url": p.url, "title": p.title} for p in gathered.pages],
            "weighed_again": most,
            "reused": [{"url": p.url, "title": p.title} for p in gathered.reused],
            "excerpts": [{"passage_id": e.passage.id, "score": round(e.score, 4)} for e in gathered.excerpts],
            "too_weak": gathered.weak,
        },
    )


def _told(gathered: Gathered, weighed: int) -> str:
    """What was asked and read, in a sentence or two."""
    again = ""
    if weighed:
        again = f"{count(weighed, 'page')} read before {'was' if weighed == 1 else 'were'} weighed again. "
        again = again.capitalize()
    if not gathered.searched:
        return f"{again}{count(len(gathered.reused), 'page')} of them answer it, so the web was not asked.".strip()
    read = f"{count(len(gathered.pages), 'page')} read."
    return f"{again}{count(gathered.searches, 'search', 'searches').capitalize()}, {read}"


def why_nothing(gathered: Gathered, web: str, read_before: int = 0) -> str:
    """Why a question has no answer, in a sentence or two; ``web`` says why the web was not asked, if it was not."""
    if gathered.weak:
        number = count(gathered.weak, "source")
        return f"{number} would answer it, all marked as bad, or below the credibility that the skill asks for."
    if gathered.refused:
        number = count(gathered.refused, "excerpt")
        return f"{number} would answer it, and none was admitted: it waits in quarantine, or was refused."
    if not gathered.searched:
        return f"The knowledge base does not answer it. {web}"
    if gathered.problems:
        return " ".join(["Nothing that was read answers it.", *gathered.problems])
    if gathered.pages:
        return f"{count(len(gathered.pages), 'page was', 'pages were').capitalize()} read; none answers it."
    if read_before:
        number = count(read_before, "page", "pages")
        return (
            f"The search found no page that was not read before; none of {number} that this research read answers it."
        )
    return "The search found no page that could be read."


def _queries(stage: Stage, statement: Statement, question: SubQuestion, topic: str) -> list[SearchQuery]:
    """The question itself. What yes or no answers is also searched for as the opposite, on the whole web."""
    if not is_whether(question.text):
        return [SearchQuery(1, as_search(question.text, topic))]
    return stage_queries(stage, (statement,), (Sufficiency(1, False, ""),))


def _passages(found: Sequence[Investigation]) -> list[Passage]:
    """What was read and bears on the question, without pages that were retracted, or are satire."""
    disowned = {id(s) for f in found for s in f.sources if s.disowned}
    read = [n.passage for f in found for s in f.sources if id(s) not in disowned for n in s.found]
    return [*read, *(finding.passage for f in found for finding, _ in f.rated)]


def _pages_read(found: Iterable[Investigation]) -> Iterable[PageRead]:
    for source in (s for f in found for s in f.sources if s.text):
        digest = text_hash(source.text)
        yield PageRead(source.final_url or source.url, source.title, digest)


def _weighed(
    question: SubQuestion,
    topic: str,
    passages: Sequence[Passage],
    reader: AnswerReader,
    policy: Policy,
    before: Gathered,
    history: SearchHistory | None = None,
) -> Gathered:
    full = as_search(question.text, topic)
    excerpts = reader.weigh(full, passages, history.pages if history else None)
    counting = (e for e in excerpts if e.passage.credibility > MARKED_CREDIBILITY)
    strong = tuple(e for e in counting if e.passage.credibility >= policy.min_credibility)
    return replace(before, excerpts=strong, weak=0 if strong else len(excerpts))
