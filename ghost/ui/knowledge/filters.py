"""What the list of passages shows, as the address bar holds it, so that other pages can link to a filtered list.

Parameters of ``knowledge``, all of them optional; a value that cannot be used is ignored:

=====================  ================================================================================
``section``            ``browse`` (default), ``quarantine``, ``duplicates``, ``seeds``, ``import``, ``domains``,
                       ``changes``
``import`` ``rate``    id of an import under way; domain to take into the form (sections import and domains)
``passage``            id: everything about this passage, whatever else is there
``q``                  words to search for, by meaning and as they are
``status``             ``active`` (default), ``quarantined``, ``retired``, ``any``
``origin``             ``seed``, ``curated``, ``import``, ``web``, ``fact_check``
``source_type``        ``news``, ``academic``, ``fact_checker``, ``government``, ``unknown``
``domain`` ``topic``   exactly this one; an empty value is none at all
``language``           code, such as ``en``
``credibility_from``   0..1, of the source; ``credibility_to`` likewise
``published_from``     YYYY-MM-DD; ``published_to`` likewise
``undated``            ``1``: only what has no publication date; ``0``: only what has one
``unused``             ``1``: only what no run has used; ``0``: only what one has
``sort``               ``newest`` (default), ``oldest``, ``published``, ``used``, ``credible``, ``doubtful``
``page``               number of the page, from 1
=====================  ================================================================================
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from typing import TypeVar

from ghost.knowledge import PassageFilter, Sort
from ghost.types import Origin, SourceType, Status

E = TypeVar("E", bound=StrEnum)

ACTIVE = PassageFilter(status=Status.ACTIVE)
"""What is shown unless something else is asked for."""
ANY = "any"
NARROWING = (
    *("origin", "source_type", "domain", "topic", "language", "credibility_from", "credibility_to"),
    *("published_from", "published_to", "undated", "unused"),
)
"""Parameters that narrow the list, besides words and status."""


@dataclass(frozen=True, slots=True)
class Browsing:
    """What is being looked at."""

    words: str = ""
    filter: PassageFilter = ACTIVE
    sort: Sort = Sort.NEWEST
    page: int = 1


def browsing(params: Mapping[str, str]) -> Browsing:
    """What the address bar asks for."""
    page = params.get("page", "")
    return Browsing(
        words=params.get("q", "")[:500].strip(),
        filter=PassageFilter(
            status=None if params.get("status") == ANY else _one(Status, params.get("status")) or Status.ACTIVE,
            origin=_one(Origin, params.get("origin")),
            source_type=_one(SourceType, params.get("source_type")),
            domain=params["domain"].strip().lower()[:255] if "domain" in params else None,
            topic=params["topic"].strip()[:80] if "topic" in params else None,
            language=params.get("language", "").lower()[:16] or None,
            dated={"1": False, "0": True}.get(params.get("undated", "")),
            used={"1": False, "0": True}.get(params.get("unused", "")),
            credibility_from=_share(params.get("credibility_from"), 0.0),
            credibility_to=_share(params.get("credibility_to"), 1.0),
            published_from=_day(params.get("published_from")),
            published_to=_day(params.get("published_to")),
        ),
        sort=_one(Sort, params.get("sort")) or Sort.NEWEST,
        page=int(page) if page.isascii() and page.isdigit() and len(page) < 8 and int(page) else 1,
    )


def _one(kind: type[E], value: str | None) -> E | None:
    return kind(value) if value in list(kind) else None


def _share(value: str | None, default: float) -> float:
    try:
        number = float(value) if value else default
    except ValueError:
        return default
    return number if 0 <= number <= 1 else default


def _day(value: str | None) -> date | None:
    try:
        return date.fromisoformat(value) if value else None
    except ValueError:
        return None
