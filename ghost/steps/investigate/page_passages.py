"""Which passages of a page bear on the statements, and what became of the page."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ghost.events import SourceUpdate
from ghost.inference import Encoder, StanceReader
from ghost.judges import read_framed
from ghost.knowledge import embedded_text, sentences
from ghost.steps.investigate.fetch import FetchResult, ReadingRules, SourceState
from ghost.steps.investigate.open_page import OpenedPage, check_quotes
from ghost.steps.investigate.page_text import PageText
from ghost.steps.rerank.exclusions import disowning
from ghost.steps.rerank.selection import SIDE, text_strength
from ghost.steps.trace import count
from ghost.types import NewPassage, Passage, Reason, ReasonCode, Stance, Statement
from ghost.web import ClaimReview, Extraction, Notice, Sureness

LOOKED_AT = 16
"""Passages of a page that are read for each statement: the nearest by meaning."""
BEARS = 0.2
"""From this probability of being on the topic a passage bears on the statement."""
TOO_FAR = 0.1
"""From this cosine down passage and statement are about different things."""
QUOTE_CHARS = 400


@dataclass(frozen=True, slots=True)
class Finding:
    """A passage of a page that bears on a statement."""

    statement: int
    passage: Passage
    cosine: float | None
    """Cosine with the statement, where it was measured."""
    stance: Stance

    @property
    def stance_strength(self) -> float:
        """How much it says about the statement, 0..1."""
        return text_strength(self.passage.text, self.cosine, self.stance)


@dataclass(frozen=True, slots=True)
class SourceReport:
    """What became of one page."""

    url: str
    """As the search returned it."""
    title: str
    state: SourceState
    why: str = ""
    final_url: str = ""
    received: int = 0
    seconds: float = 0.0
    text: str = ""
    """Its full text, for recognizing copies; empty when it was not read."""
    gone: bool = False
    """Whether its server says that there is no such page."""
    found: tuple[Finding, ...] = ()
    new: tuple[NewPassage, ...] = ()
    """The same passages, for the knowledge base."""
    nearby: tuple[NewPassage, ...] = ()
    """Other passages of it, for the knowledge base: the next claim may depend on another sentence."""
    doubtful: tuple[NewPassage, ...] = ()
    """Passages for quarantine, with the reason; never evidence."""
    reviews: tuple[ClaimReview, ...] = ()
    disowned: tuple[Notice, ...] = ()
    """The notices that it was retracted, or is satire: nothing else of it counts."""
    shown: PageText | None = None
    """What of it a judge may see; None where it was not read or may not count."""
    vectors: np.ndarray | None = field(default=None, compare=False, repr=False)
    """One for each passage of ``shown``; None where they were not encoded."""
    row: dict[str, Any] = field(default_factory=dict)
    """What else the trace keeps."""

    @property
    def verdict(self) -> str:
        """The side of the page alone: supports, refutes, both; empty where it takes none."""
        supports = any(f.stance.supports >= SIDE for f in self.found)
        refutes = any(f.stance.refutes >= SIDE for f in self.found)
        return {(True, True): "both", (True, False): "supports", (False, True): "refutes"}.get((supports, refutes), "")

    def as_row(self) -> dict[str, Any]:
        """Its row in the trace."""
        shown = {
            "url": self.url, "final_url": self.final_url, "title": self.title, "state": self.state, "why": self.why,
            "bytes": self.received, "seconds": round(self.seconds, 3), "verdict": self.verdict,
            "quotes": [
                {"statement": f.statement, "passage_id": f.passage.id, "text": f.passage.text[:QUOTE_CHARS],
                 "stance": f.stance.label}
                for f in self.found
            ],
        }  # fmt: skip
        return shown | self.row

    def update(self, stage: str) -> SourceUpdate:
        """The event for the page."""
        return SourceUpdate(
            self.url, self.title, self.state, self.why, stage, self.received, self.seconds,
            tuple(dict.fromkeys(f.passage.text[:QUOTE_CHARS] for f in self.found)), self.verdict, len(self.reviews),
        )  # fmt: skip


def page_summary(sources: Sequence[SourceReport]) -> Iterator[str]:
    """What became of the pages, in a sentence or two."""
    if not sources:
        return
    states = Counter(s.state for s in sources)
    read = f"{count(states[SourceState.READ], 'page')} read ({sum(s.received for s in sources):,} bytes)"
    yield f"{read}, {sum(bool(s.found) for s in sources)} of them with something that bears on an open statement."
    for state in (SourceState.REFUSED, SourceState.UNREADABLE, SourceState.DROPPED, SourceState.LEFT):
        for why, number in Counter(s.why for s in sources if s.state is state).items():
            yield f"{number} {state}: {why}"


def limit_reasons(sources: Sequence[SourceReport]) -> Iterator[Reason]:
    """The limit of the run that left pages unread."""
    left = [s for s in sources if s.state is SourceState.LEFT]
    if left:
        yield Reason(
            ReasonCode.BUDGET,
            f"{count(len(left), 'page was', 'pages were')} not read: {left[0].why}",
            "Raise GHOST_MAX_FETCHES or GHOST_MAX_SECONDS and verify the claim again.",
        )


def not_read(result: FetchResult, title: str) -> SourceReport:
    """A page that was not fetched, or has no readable text."""
    final = result.fetched.final_url if result.fetched else ""
    reviews = _from_page(result.unreadable.claim_reviews, final) if result.unreadable else ()
    return SourceReport(
        result.url, title, result.state, result.why, final, result.received, result.seconds, reviews=reviews,
        row={"kind": result.kind} if result.kind else {}, gone=result.gone,
    )  # fmt: skip


def weigh_page(
    result: FetchResult,
    opened: OpenedPage,
    statements: Sequence[Statement],
    reader: StanceReader,
    encoder: Encoder | None,
    rules: ReadingRules,
    check: Callable[[], None],
) -> SourceReport:
    """Find the passages of a page that bear on the statements. ``check`` is called between statements.

    Where a language model has read the page, they are its quotes and the page's plainest sentence to the contrary.
    Otherwise they are the nearest by meaning. Either way the stance model weighs them.
    """
    page, shown = opened.page, opened.text
    row = _row(result, opened)
    made = SourceReport(
        result.url, opened.title, SourceState.READ, "", page.url, result.received, result.seconds,
        disowned=disowning(page), row=row,
    )  # fmt: skip
    if shown is None:
        return replace(made, state=SourceState.DROPPED, why=opened.refused)
    quoted = check_quotes(opened.reading, shown) if opened.reading else None
    everything = [p for p, _ in shown.passages]
    vectors = encode_texts([p.text for p in everything], opened.title, encoder)
    found: list[Finding] = []
    rest: list[Passage] = []
    for statement in statements:
        check()
        near = nearest_passages(statement, everything, vectors, encoder)
        if quoted and quoted.stand:
            mine = [p for number, p, _ in quoted.rows if number == statement.number]
            of_quotes = encode_texts([p.text for p in mine], opened.title, encoder)
            chosen = nearest_passages(statement, mine, of_quotes, encoder)
            said = relevant_findings(statement, chosen, reader, rules.per_page)
            found += [*said, *opposing_findings(said, _on_topic(statement, near, reader))]
        else:
            # Where no main text was found, the rest of the page may be navigation.
            rest += (passage for passage, _ in near if page.extraction is Extraction.MAIN)
            found += relevant_findings(statement, near, reader, rules.per_page)
    kept = {f.passage.id for f in found}
    beside = _with_new_sentences([*(f.passage for f in found), *rest]) if rest else set()
    rows = {p.id: new for p, new in shown.passages} | {p.id: new for _, p, new in (quoted.rows if quoted else ())}
    row |= {"screened": shown.screened} if shown.screened else {}
    row |= {"reading": quoted.row} if quoted else {}
    return replace(
        made,
        why="" if found else "nothing in it bears on an open statement",
        text=page.text,
        reviews=_from_page(page.claim_reviews, page.url),
        found=tuple(found),
        new=tuple(new for id_, new in rows.items() if id_ in kept),
        nearby=tuple(new for id_, new in rows.items() if id_ in beside),
        doubtful=tuple(shown.doubtful),
        shown=shown,
        vectors=vectors,
    )


def _from_page(reviews: Iterable[ClaimReview], url: str) -> tuple[ClaimReview, ...]:
    """The fact-checks under the address of the page that has them, whatever address they claim."""
    return tuple(replace(review, url=url) for review in reviews)


def nearest_passages(
    statement: Statement, passages: Sequence[Passage], vectors: np.ndarray | None, encoder: Encoder | None
) -> list[tuple[Passage, float | None]]:
    """The passages nearest to a statement, each with its cosine; the first ones where there is no encoder."""
    if vectors is None or encoder is None:
        return [(passage, None) for passage in passages[:LOOKED_AT]]
    cosines = vectors @ encoder.encode([statement.text])[0]
    order = np.argsort(-cosines, kind="stable")[:LOOKED_AT]
    return [(passages[i], float(cosines[i])) for i in order if cosines[i] > TOO_FAR]


def as_findings(
    statement: Statement, passages: Sequence[Passage], reader: StanceReader, encoder: Encoder | None
) -> list[Finding]:
    """Passages of any source as ``reader`` reads them for a statement, the nearest first; none is left out."""
    if not passages:
        return []
    cosines: Sequence[float | None] = [None] * len(passages)
    if encoder is not None:
        vectors = encoder.encode([embedded_text(p.text, p.title) for p in passages])
        cosines = [float(c) for c in vectors @ encoder.encode([statement.text])[0]]
    stances = read_framed(reader, [(p, statement.text) for p in passages])
    found = [Finding(statement.number, p, c, s) for p, c, s in zip(passages, cosines, stances, strict=True)]
    return sorted(found, key=lambda f: -(f.cosine or 0.0))


def relevant_findings(
    statement: Statement, near: Sequence[tuple[Passage, float | None]], reader: StanceReader, most: int
) -> list[Finding]:
    """Those that bear on the statement, the strongest first."""
    rows = sorted(_on_topic(statement, near, reader), key=lambda f: -f.stance_strength)
    distinct = _with_new_sentences([f.passage for f in rows], entirely=True)
    return [f for f in rows if f.passage.id in distinct][:most]


def _on_topic(
    statement: Statement, near: Sequence[tuple[Passage, float | None]], reader: StanceReader
) -> list[Finding]:
    stances = read_framed(reader, [(passage, statement.text) for passage, _ in near]) if near else []
    return [
        Finding(statement.number, passage, cosine, stance)
        for (passage, cosine), stance in zip(near, stances, strict=True)
        if stance.relevance >= BEARS
    ]


def opposing_findings(said: Sequence[Finding], page: Sequence[Finding]) -> list[Finding]:
    """The plainest sentences of a page for the side that its quotes do not take.

    Both sides where the quotes take none, and nothing where the page takes no such side. A quote among other sentences
    adds nothing.
    """
    quotes = [set(sentences(f.passage.text)) for f in said]
    page = [f for f in page if not any(quote.issubset(sentences(f.passage.text)) for quote in quotes)]
    found = []
    for side, other in (("supports", "refutes"), ("refutes", "supports")):
        quoted = max((getattr(f.stance, side) for f in said), default=0.0)
        if not said or (quoted >= SIDE and quoted > max(getattr(f.stance, other) for f in said)):
            continue
        taking = [f for f in page if getattr(f.stance, side) >= SIDE]
        best = max(taking, key=lambda f: f.stance_strength, default=None)
        if best and getattr(best.stance, side) > quoted:
            found.append(best)
    return found


def _with_new_sentences(passages: Iterable[Passage], entirely: bool = False) -> set[str]:
    """Ids of the passages with a sentence that no earlier one has, or only such sentences (``entirely``)."""
    seen: set[str] = set()
    kept = set()
    for passage in passages:
        parts = set(sentences(passage.text))
        if not parts & seen if entirely else parts - seen:
            kept.add(passage.id)
            seen |= parts
    return kept


def encode_texts(texts: Sequence[str], title: str, encoder: Encoder | None) -> np.ndarray | None:
    """Vectors of the texts, with the title in front as in the knowledge base."""
    return encoder.encode([embedded_text(text, title) for text in texts]) if encoder and texts else None


def _row(result: FetchResult, opened: OpenedPage) -> dict[str, Any]:
    page, fetched = opened.page, result.fetched
    return {
        "published_at": opened.day.isoformat() if opened.day else None,
        "date_sure": page.date_sure.level if page.published_at else Sureness.UNKNOWN,
        "date_from": page.date_sure.source,
        "modified_at": page.modified_at.isoformat() if page.modified_at else None,
        "as_late_as": opened.as_late_as.isoformat() if opened.as_late_as else None,
        "retrieved_at": fetched.retrieved_at.isoformat() if fetched else None,
        "from_cache": bool(fetched and fetched.from_cache),
        "redirects": list(fetched.redirects) if fetched else [],
        "site": page.site,
        "author": page.author,
        "language": page.language,
        "extraction": page.extraction,
        "characters": len(page.text),
        "passages": len(page.passages),
        "hidden": dict(page.hidden),
        "notices": [{"kind": n.kind, "text": n.text} for n in page.notices],
        "notes": list(page.notes),
        "first_at": page.syndication.source if page.syndication else "",
        "reviews": len(page.claim_reviews),
    }
