"""Pages kept for a while, and asked after with their validators when they have grown old."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from ghost.errors import StoreError
from ghost.web.address import canonical
from ghost.web.cache import Kept, WebCache
from ghost.web.fetched import Fetched
from ghost.web.walk import End, Trail
from ghost.web.watch import Watch

KIND = "page"
KEEP_SECONDS = 3600.0
_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,9})")
_VALIDATORS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A page as it was kept."""

    final_url: str
    fresh: bool
    fetched: Fetched
    conditions: Mapping[str, str]
    """The headers of a conditional request; none where the server gave no validators."""
    control: str
    """What its server said last of keeping it; an answer that nothing has changed may leave that out."""

    def page(self, url: str, watch: Watch) -> Fetched:
        """The page without asking anyone."""
        return replace(self.fetched, url=url, received=watch.received, seconds=watch.spent)


class PageCache:
    """Keeps pages under the address that was asked for. Without a cache it keeps nothing."""

    def __init__(self, cache: WebCache | None, seconds: float) -> None:
        self._cache = cache
        self._seconds = seconds

    def get(self, url: str, types: frozenset[str]) -> KeptPage | None:
        """The page, fresh or old; None when there is none of these types."""
        try:
            kept = self._cache.get(KIND, url) if self._cache else None
        except StoreError:  # a cache that fails costs a request, not the page
            return None
        page = _page(url, kept) if kept else None
        return page if page and page.fetched.content_type in types else None

    def put(self, page: Fetched, headers: Mapping[str, str]) -> None:
        """Keep a page as long as its server and the setting want; not at all when the server says so."""
        control = headers.get("cache-control", "").lower()
        if not self._cache or "no-store" in control:
            return
        head = {
            "final_url": page.final_url,
            "status": str(page.status),
            "content_type": page.content_type,
            "charset": page.charset,
            "redirects": json.dumps(page.redirects),
            "downgraded": "yes" if page.downgraded else "",
            "cache-control": control,
        }
        head |= {name: headers[name] for name in _VALIDATORS if headers.get(name)}
        try:
            self._cache.put(KIND, page.url, head, page.body, _lifetime(control, self._seconds))
        except StoreError:
            return

    def confirmed(self, url: str, kept: KeptPage, end: End, trail: Trail, watch: Watch) -> Fetched:
        """The page that the server has just said to be the same."""
        page = replace(
            kept.fetched,
            url=url,
            received=watch.received,
            seconds=watch.spent,
            retrieved_at=datetime.now(UTC),
            redirects=tuple(trail.passed),
            downgraded=trail.downgraded,
        )
        before = {name: kept.conditions[asked] for name, asked in _VALIDATORS.items() if asked in kept.conditions}
        self.put(page, before | {"cache-control": kept.control} | dict(end.answer.headers))
        return page


def _page(url: str, kept: Kept) -> KeptPage | None:
    """What was kept, if it is whole."""
    head = kept.head
    try:
        redirects = tuple(str(address) for address in json.loads(head["redirects"]))
        fetched = Fetched(
            url,
            canonical(head["final_url"]),
            int(head["status"]),
            head["content_type"],
            head["charset"],
            kept.body,
            0,
            0.0,
            kept.stored_at,
            redirects,
            bool(head["downgraded"]),
            True,
        )
    except (KeyError, TypeError, ValueError):
        return None
    if not fetched.final_url:
        return None
    conditions = {asked: head[name] for name, asked in _VALIDATORS.items() if head.get(name)}
    return KeptPage(fetched.final_url, kept.fresh, fetched, conditions, head.get("cache-control", ""))


def _lifetime(control: str, most: float) -> float:
    if "no-cache" in control:
        return 0.0
    age = _MAX_AGE.search(control)
    return min(most, float(age[1])) if age else most
