"""What kind of words a passage holds, and how they are cited: whose words they are must never be in doubt."""

from enum import StrEnum
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from ghost.types.card import CardCitation
    from ghost.types.evidence import Passage
    from ghost.types.verdict import Citation

    Cited: TypeAlias = Passage | Citation | CardCitation


class Kind(StrEnum):
    """What a passage is. Only an excerpt stands in quotation marks."""

    EXCERPT = "excerpt"
    """Verbatim words of a source, with its address."""
    NOTE = "note"
    """A sentence that somebody wrote, with or without a page where it can be checked."""


class Intake(StrEnum):
    """How a passage came by its words."""

    READ = "read"
    """Ghost read them at the address: the day and the hash of the text are kept."""
    READ_EARLIER = "read_earlier"
    """An earlier version of Ghost read them there and kept no hash."""
    ENTERED = "entered"
    """Somebody typed or imported them. Nobody has compared them with the page yet."""


class PageCheck(StrEnum):
    """What came of comparing a note, or what was entered by hand, with its page."""

    FOUND = "found"
    NOT_FOUND = "not found there"
    CONTRADICTED = "contradicted there"
    NOT_REACHED = "not reached"
    """Nothing is known, so nothing changes."""


def page_to_check(source: "Cited") -> str:
    """Where a note can be checked (``Encyclopaedia Britannica: Canberra``); empty for a note without a page."""
    if not source.domain:
        return ""
    return ": ".join(dict.fromkeys(filter(None, (source.publisher or source.domain, source.title))))


def in_own_words(source: "Cited") -> bool:
    """Whether a passage holds what its publisher says: it was read at its address."""
    return source.kind is Kind.EXCERPT and not source.snippet and source.intake is not Intake.ENTERED


def cited_as(source: "Cited") -> str:
    """Whose words a passage holds, as the subject of a sentence. Only what was read is put in its publisher's mouth."""
    if source.kind is Kind.NOTE:
        page = page_to_check(source)
        return f"A note in the library (check it at {page})" if page else "A note in the library"
    site = source.domain or source.title or "an unnamed source"
    if source.snippet:
        return f"A search engine's snippet of {site}"
    if source.intake is Intake.ENTERED:
        return f"A passage entered by hand from {site}"
    return source.publisher or source.domain or source.title or "An unnamed source"


def quoted(quote: str, kind: Kind) -> str:
    """The words of a passage as they stand in a sentence: a note has no quotation marks."""
    return quote if kind is Kind.NOTE else f"“{quote}”"


def citing(source: "Cited", quote: str) -> str:
    """A passage cited in a sentence, without the full stop: ``Reuters says “…”``."""
    words = quote.strip().rstrip(".")
    if source.kind is Kind.NOTE:
        return f"{cited_as(source)} says: {words}"
    return f"{cited_as(source)} {'says' if in_own_words(source) else 'reads'} {quoted(words, source.kind)}"
