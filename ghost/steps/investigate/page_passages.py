"""Which passages of a page bear on the statements, and what became of the page."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ghost.inference import Encoder, StanceReader
from ghost.knowledge import embedded_text, sentences
from ghost.steps.investigate.fetch import FetchResult, ReadingRules, SourceState
from ghost.steps.investigate.open_page import OpenedPage, check_quotes
from ghost.steps.rerank.exclusions import disowning
from ghost.steps.rerank.selection import SIDE, text_strength
from ghost.types import NewPassage, Passage, Stance, Statement
from ghost.web import ClaimReview, Extraction, Notice, ReadPage, Sureness

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
    found: tuple[Finding, ...] = ()
    new: tuple[NewPassage, ...] = ()
    """The same passages, for the knowledge base."""
    nearby: tuple[NewPassage, ...] = ()
    """All passages that were read, for the knowledge base: the next claim may depend on another sentence."""
    doubtful: tuple[NewPassage, ...] = ()
    """Passages for quarantine, with the reason; never evidence."""
    reviews: tuple[ClaimReview, ...] = ()
    disowned: tuple[Notice, ...] = ()
    """The notices that it was retracted, or is satire: nothing else of it counts."""
    row: dict[str, Any] = field(default_factory=dict)
    """What else the trace keeps."""

    @property
    def quotes(self) -> tuple[str, ...]:
        """Its passages that bear on a statement, each once, shortened for display."""
        return tuple(dict.fromkeys(f.passage.text[:QUOTE_CHARS] for f in self.found))

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


def not_read(result: FetchResult, title: str) -> SourceReport:
    """A page that was not fetched, or has no readable text."""
    row: dict[str, Any] = {"kind": result.kind} if result.kind else {}
    final = result.fetched.final_url if result.fetched else ""
    reviews = _from_page(result.unreadable.claim_reviews, final) if result.unreadable else ()
    return SourceReport(
        result.url, title, result.state, result.why, final, result.received, result.seconds, reviews=reviews, row=row
    )


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
    page = opened.page
    made = SourceReport(
        result.url, opened.title, SourceState.READ, "", page.url, result.received, result.seconds, text=page.text
    )
    made = replace(made, row=_row(result, page, opened), reviews=_from_page(page.claim_reviews, page.url))
    made = replace(made, disowned=disowning(page))
    if opened.text is None:
        return replace(made, state=SourceState.DROPPED, why=opened.refused, text="", reviews=())
    shown = opened.text
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
            chosen = nearest_passages(
                statement, mine, encode_texts([p.text for p in mine], opened.title, encoder), encoder
            )
            said = relevant_findings(statement, chosen, reader, rules.per_page)
            found += [*said, *opposing_findings(said, _on_topic(statement, near, reader))]
            continue
        # Where no main text was found, the rest of the page may be navigation.
        rest += (passage for passage, _ in near if page.extraction is Extraction.MAIN)
        found += relevant_findings(statement, near, reader, rules.per_page)
    kept = {f.passage.id for f in found}
    cover = {p.id for p in _cover([*(f.passage for f in found), *rest])} if rest else set()
    rows = {p.id: new for p, new in shown.passages} | ({p.id: new for _, p, new in quoted.rows} if quoted else {})
    more: dict[str, Any] = {"screened": shown.screened} if shown.screened else {}
    more |= {"reading": quoted.row} if quoted else {}
    why = "" if found else "nothing in it bears on an open statement"
    new, nearby = (tuple(made_new for id_, made_new in rows.items() if id_ in ids) for ids in (kept, cover))
    made = replace(made, found=tuple(found), new=new, nearby=nearby, doubtful=tuple(shown.doubtful))
    return replace(made, row=made.row | more, why=why)


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


def relevant_findings(
    statement: Statement, near: Sequence[tuple[Passage, float | None]], reader: StanceReader, most: int
) -> list[Finding]:
    """Those that bear on the statement, the strongest first."""
    rows = _on_topic(statement, near, reader)
    rows.sort(key=lambda f: -f.stance_strength)
    return _without_repeats(rows)[:most]


def _on_topic(
    statement: Statement, near: Sequence[tuple[Passage, float | None]], reader: StanceReader
) -> list[Finding]:
    stances = reader.read([(passage.text, statement.text) for passage, _ in near]) if near else []
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
    for side, other in ((_supports, _refutes), (_refutes, _supports)):
        quoted = max((side(f) for f in said), default=0.0)
        if not said or (quoted >= SIDE and quoted > max(other(f) for f in said)):
            continue
        best = max((f for f in page if side(f) >= SIDE), key=lambda f: f.stance_strength, default=None)
        if best and side(best) > quoted:
            found.append(best)
    return found


def _supports(found: Finding) -> float:
    return found.stance.supports


def _refutes(found: Finding) -> float:
    return found.stance.refutes


def _without_repeats(rows: Iterable[Finding]) -> list[Finding]:
    """Without passages that share a sentence with an earlier one."""
    seen: set[str] = set()
    kept = []
    for f in rows:
        parts = set(sentences(f.passage.text))
        if not parts & seen:
            kept.append(f)
            seen |= parts
    return kept


def _cover(passages: Iterable[Passage]) -> list[Passage]:
    """As many passages as are needed to contain every sentence of all, the first ones preferred."""
    seen: set[str] = set()
    kept = []
    for passage in passages:
        parts = set(sentences(passage.text))
        if parts - seen:
            kept.append(passage)
            seen |= parts
    return kept


def encode_texts(texts: Sequence[str], title: str, encoder: Encoder | None) -> np.ndarray | None:
    """Vectors of the texts, with the title in front as in the knowledge base."""
    return encoder.encode([embedded_text(text, title) for text in texts]) if encoder and texts else None


def _row(result: FetchResult, page: ReadPage, opened: OpenedPage) -> dict[str, Any]:
    fetched = result.fetched
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
