"""The parameters of the page in the address bar, so that other pages can link to a filtered list.

Parameters of ``knowledge``, all optional; unusable values are ignored:

=====================  ================================================================================
``section``            ``browse`` (default), ``quarantine``, ``duplicates``, ``seeds``, ``import``, ``domains``,
                       ``changes``
``import`` ``rate``    id of a running import; domain to rate (sections import and domains)
``passage``            id: shows this passage, whatever the other parameters are
``q``                  words to search for, by meaning and literally
``status``             ``active`` (default), ``quarantined``, ``retired``, ``any``
``origin``             ``seed``, ``curated``, ``import``, ``web``, ``fact_check``
``source_type``        ``news``, ``academic``, ``fact_checker``, ``government``, ``unknown``
``domain`` ``topic``   exact value; empty for passages without one
``language``           code, such as ``en``
``credibility_from``   0..1, of the source; ``credibility_to`` likewise
``published_from``     YYYY-MM-DD; ``published_to`` likewise
``undated``            ``1``: without a publication date; ``0``: with one
``unused``             ``1``: never used by a run; ``0``: used
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
"""The default."""
ANY = "any"
NARROWING = (
    *("origin", "source_type", "domain", "topic", "language", "credibility_from", "credibility_to"),
    *("published_from", "published_to", "undated", "unused"),
)
"""Parameters that narrow the list, besides words and status."""


@dataclass(frozen=True, slots=True)
class Browsing:
    """The list that is shown."""

    words: str = ""
    filter: PassageFilter = ACTIVE
    sort: Sort = Sort.NEWEST
    page: int = 1


def browsing(params: Mapping[str, str]) -> Browsing:
    """The list that the address bar names."""
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
