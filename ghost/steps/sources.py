"""One page that was read: which of its passages bear on the open statements, and where it stands by itself."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

import numpy as np

from ghost.inference.base import Encoder, StanceReader
from ghost.knowledge.admission import admit
from ghost.knowledge.injection import suspicious_address
from ghost.knowledge.rows import embedded_text, id_of, key_of
from ghost.knowledge.text import sentences
from ghost.steps.fetching import Brought, Reading, SourceState
from ghost.steps.hits import MIN_WORDS, Sieve, Sources
from ghost.types import NewPassage, Origin, Passage, Stance, Statement, Status
from ghost.web.claim_review import ClaimReview
from ghost.web.dating import Sureness
from ghost.web.notices import NoticeKind
from ghost.web.read_page import ReadPage

LOOKED_AT = 16
"""Passages of a page that are read closely for each statement: the nearest by meaning."""
BEARS = 0.2
"""A passage less likely to be on the topic bears on nothing."""
TOO_FAR = 0.1
"""Cosine of passage and statement from which down they are about different things."""
SIDE = 0.5
"""Probability from which a passage takes a side."""
KNOWN_SITE = 0.6
"""From this credibility on a site's own name for itself is believed; anybody can call his page Reuters."""
QUOTE_CHARS = 400
_LEANS = re.compile(
    r"(?:it|its|he|his|she|her|they|their|this|that|these|those|there|such|both|but|and|so|then|also|however|instead|"
    r"according to (?:him|her|them))\b",
    re.IGNORECASE,
)
"""How a sentence begins that says little without the one before it."""
_RETRACTED = re.compile(r"\b(?:retract|withdr[ae]w)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Found:
    """A passage of a page that bears on a statement."""

    statement: int
    passage: Passage
    nearness: float | None
    """Cosine with the statement; None when nobody measured it."""
    stance: Stance


@dataclass(frozen=True, slots=True)
class Source:
    """What became of one page."""

    url: str
    """As the search named it."""
    title: str
    state: SourceState
    why: str = ""
    final_url: str = ""
    received: int = 0
    seconds: float = 0.0
    text: str = ""
    """All of its text, for telling copies from one another; empty when it was not read."""
    found: tuple[Found, ...] = ()
    new: tuple[NewPassage, ...] = ()
    """The same passages as they may enter the knowledge base."""
    reviews: tuple[ClaimReview, ...] = ()
    row: dict[str, Any] = field(default_factory=dict)
    """What the trace keeps besides."""

    @property
    def quotes(self) -> tuple[str, ...]:
        """Its passages that bear on a statement, each once, as long as is shown."""
        return tuple(dict.fromkeys(f.passage.text[:QUOTE_CHARS] for f in self.found))

    @property
    def verdict(self) -> str:
        """Where it stands by itself: supports, refutes, both; empty where it takes no side."""
        supports = any(f.stance.supports >= SIDE for f in self.found)
        refutes = any(f.stance.refutes >= SIDE for f in self.found)
        return {(True, True): "both", (True, False): "supports", (False, True): "refutes"}.get((supports, refutes), "")

    def as_row(self) -> dict[str, Any]:
        """The line of the trace."""
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


def not_read(came: Brought, title: str) -> Source:
    """A page that was not fetched, or has no text for a reader."""
    row: dict[str, Any] = {"kind": came.kind} if came.kind else {}
    final = came.fetched.final_url if came.fetched else ""
    reviews = _own(came.unreadable.claim_reviews, final) if came.unreadable else ()
    return Source(came.url, title, came.state, came.why, final, came.received, came.seconds, reviews=reviews, row=row)


def weigh_page(
    came: Brought,
    page: ReadPage,
    hit: Passage,
    statements: Sequence[Statement],
    sieve: Sieve,
    sources: Sources,
    reader: StanceReader,
    encoder: Encoder | None,
    rules: Reading,
    check: Callable[[], None],
) -> Source:
    """The passages of a page that bear on the statements, each verbatim in it.

    ``hit`` is what the search engine showed of it. Where the page led, and its own date, are checked again: a trusted
    address that redirects to another site is not trusted. ``check`` is called between the statements.
    """
    day = _day(page, hit)
    title = page.title or hit.title
    final = page.url
    made = Source(came.url, title, SourceState.READ, "", final, came.received, came.seconds, text=page.text)
    made = replace(made, row=_row(came, page, day), reviews=_own(page.claim_reviews, final))
    if why := sieve.refusal(final, day) or _disguised(final):
        led = "" if final == came.url else f"it led to {final}: "
        return replace(made, state=SourceState.DROPPED, why=led + why, text="", reviews=())
    readable, screened = _passages(page, title, day, came, sources)
    found: list[Found] = []
    vectors = _encoded([p.text for p, _ in readable], title, encoder)
    for statement in statements:
        check()
        found += _bearing(statement, [p for p, _ in readable], vectors, reader, encoder, rules.per_page)
    kept = {f.passage.id for f in found}
    row = made.row | ({"screened": screened} if screened else {})
    why = "" if found else "nothing in it bears on an open statement"
    return replace(made, found=tuple(found), new=tuple(n for p, n in readable if p.id in kept), row=row, why=why)


def _own(reviews: Iterable[ClaimReview], url: str) -> tuple[ClaimReview, ...]:
    """Fact-checks as the page that has them: where they stand is known, whatever address they give themselves."""
    return tuple(replace(review, url=url) for review in reviews)


def _passages(
    page: ReadPage, title: str, day: date | None, came: Brought, sources: Sources
) -> tuple[list[tuple[Passage, NewPassage]], dict[str, int]]:
    """What a judge may be shown of a page, in its order; and how many pieces were screened out, by reason."""
    believed = sources.credibility(page.url) >= KNOWN_SITE
    retracted = [n.text for n in page.notices if n.kind is NoticeKind.RETRACTION]
    out: dict[str, tuple[Passage, NewPassage]] = {}
    screened: dict[str, int] = {}

    def leave(why: str) -> None:
        screened[why] = screened.get(why, 0) + 1

    for text in (window for piece in page.passages for window in windows(piece.text)):
        if len(text.split()) < MIN_WORDS and text.isascii():
            continue
        new = NewPassage(
            text, page.url, title, Origin.WEB, language=page.language,
            publisher=page.site if believed else "", published_at=day,
            retrieved_at=came.fetched.retrieved_at if came.fetched else None,
        )  # fmt: skip
        admission = admit(new)
        if admission.passage is None or admission.passage.status is not Status.ACTIVE:
            leave(admission.reason)
        elif retracted and not _of_notice(admission.passage.text, retracted):
            leave("the page says that it was retracted")
        else:
            passage = to_passage(admission.passage, sources)
            out.setdefault(passage.id, (passage, admission.passage))
    return list(out.values()), screened


def windows(text: str) -> list[str]:
    """A passage sentence by sentence, which small models read better; one that leans on the last is kept with it."""
    parts = sentences(" ".join(text.split()))
    out: list[str] = []
    for i, part in enumerate(parts):
        leans = i > 0 and (_LEANS.match(part) or len(part.split()) < MIN_WORDS)
        out.append(f"{parts[i - 1]} {part}" if leans else part)
    return out


def to_passage(new: NewPassage, sources: Sources) -> Passage:
    """A passage of this run as evidence can be made of it, under the id that it gets when it is admitted."""
    return Passage(
        id=id_of(key_of(new.text, new.source_url)),
        text=new.text,
        source_url=new.source_url,
        title=new.title,
        domain=sources.domain(new.source_url),
        publisher=new.publisher,
        topic="",
        origin=new.origin,
        status=Status.ACTIVE,
        source_type=sources.source_type(new.source_url),
        language=new.language,
        published_at=new.published_at,
        retrieved_at=new.retrieved_at,
        indexed_at=None,
        credibility=sources.credibility(new.source_url),
        text_length=len(new.text),
    )


def _bearing(
    statement: Statement,
    passages: Sequence[Passage],
    vectors: np.ndarray | None,
    reader: StanceReader,
    encoder: Encoder | None,
    most: int,
) -> list[Found]:
    """The passages that bear on one statement, the most telling first."""
    if not passages:
        return []
    if vectors is None or encoder is None:
        near: list[tuple[int, float | None]] = [(i, None) for i in range(min(LOOKED_AT, len(passages)))]
    else:
        cosines = vectors @ encoder.encode([statement.text])[0]
        order = np.argsort(-cosines, kind="stable")[:LOOKED_AT]
        near = [(int(i), float(cosines[i])) for i in order if cosines[i] > TOO_FAR]
    stances = reader.read([(passages[i].text, statement.text) for i, _ in near]) if near else []
    rows = [
        Found(statement.number, passages[i], cosine, stance)
        for (i, cosine), stance in zip(near, stances, strict=True)
        if stance.relevance >= BEARS
    ]
    return sorted(rows, key=telling, reverse=True)[:most]


def telling(f: Found) -> float:
    """How much a passage says: near the statement, and on a side."""
    side = max(f.stance.supports, f.stance.refutes)
    return (0.5 if f.nearness is None else f.nearness) * (0.25 + side)


def _encoded(texts: Sequence[str], title: str, encoder: Encoder | None) -> np.ndarray | None:
    """Read with the title in front, as the knowledge base reads its passages."""
    return encoder.encode([embedded_text(text, title) for text in texts]) if encoder and texts else None


def _day(page: ReadPage, hit: Passage) -> date | None:
    """The publication date: the page's own, and the search engine's where the page has none or it is guessed."""
    if page.published_at and page.date_sure.level is not Sureness.GUESS:
        return page.published_at
    return hit.published_at or page.published_at


def _disguised(url: str) -> str:
    order = suspicious_address(url)
    return f"its address looks like an instruction: {order}" if order else ""


def _of_notice(text: str, notices: Iterable[str]) -> bool:
    """Whether a passage of a retracted page is about the retraction, which is all that still stands of it."""
    return _RETRACTED.search(text) is not None or any(text in " ".join(n.split()) for n in notices)


def _row(came: Brought, page: ReadPage, day: date | None) -> dict[str, Any]:
    fetched = came.fetched
    return {
        "published_at": day.isoformat() if day else None,
        "date_sure": page.date_sure.level if page.published_at else Sureness.UNKNOWN,
        "date_from": page.date_sure.source,
        "modified_at": page.modified_at.isoformat() if page.modified_at else None,
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
