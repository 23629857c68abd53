"""The edge to whatever keeps answers of the web, and pages kept there until their server or the setting says no.

Ours and not hishel's: pages live in the one database under one size limit, as long as the setting allows and never
longer, and nothing that is not a readable page is kept at all.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from ghost.errors import StoreError
from ghost.types import canonical
from ghost.web.fetch.outcome import Fetched

PAGE = "page"
KEEP_SECONDS = 3600.0
_MAX_AGE = re.compile(r"(?:^|[\s,])max-age\s*=\s*\"?(\d{1,9})")
_VALIDATORS = {"etag": "If-None-Match", "last-modified": "If-Modified-Since"}


class Kept(Protocol):
    """An answer as it was stored."""

    @property
    def head(self) -> Mapping[str, str]:
        """Notes on it: status, type, validators such as ``etag``."""

    @property
    def body(self) -> bytes:
        """The answer."""

    @property
    def stored_at(self) -> datetime:
        """When it was answered."""

    @property
    def fresh(self) -> bool:
        """Whether it is within its lifetime. A stale answer may only be confirmed by a conditional request."""


class WebCache(Protocol):
    """Keeps answers by kind (``search``, ``page``, ``robots``) and key. What it loses is asked for again."""

    def get(self, kind: str, key: str) -> Kept | None:
        """The answer, fresh or stale. None when there is none."""

    def put(self, kind: str, key: str, head: Mapping[str, str], body: bytes, seconds: float) -> None:
        """Keep an answer for ``seconds`` in place of an earlier one."""


class SafeCache:
    """A cache that may be missing or fail. That costs a request, never the page."""

    def __init__(self, cache: WebCache | None) -> None:
        self._cache = cache

    def get(self, kind: str, key: str) -> Kept | None:
        """The answer, or None where there is none or it cannot be read."""
        try:
            return self._cache.get(kind, key) if self._cache else None
        except StoreError:
            return None

    def put(self, kind: str, key: str, head: Mapping[str, str], body: bytes, seconds: float) -> None:
        """Keep an answer if possible."""
        try:
            if self._cache:
                self._cache.put(kind, key, head, body, seconds)
        except StoreError:
            return


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A page as it was kept."""

    page: Fetched
    fresh: bool
    head: Mapping[str, str]

    @property
    def conditions(self) -> Mapping[str, str]:
        """The headers of a conditional request. None where the server gave no validators."""
        return {asked: self.head[name] for name, asked in _VALIDATORS.items() if self.head.get(name)}


class PageCache:
    """Keeps pages under the address that was asked for."""

    def __init__(self, cache: SafeCache, seconds: float) -> None:
        self._cache = cache
        self._seconds = seconds

    def get(self, url: str, types: frozenset[str]) -> KeptPage | None:
        """The page, fresh or stale. None when there is none of these types, or not the whole of it."""
        kept = self._cache.get(PAGE, url)
        try:
            page = _page(url, kept) if kept else None
        except (KeyError, TypeError, ValueError):
            return None
        usable = page and page.final_url and page.content_type in types
        return KeptPage(page, kept.fresh, kept.head) if kept and page and usable else None

    def put(self, page: Fetched, headers: Mapping[str, str], kept: KeptPage | None = None) -> None:
        """Keep a page as long as its server and the setting allow, or not at all.

        ``kept`` is the page that its server has just confirmed with these headers, which may leave some out.
        """
        known = {name: value for name, value in (kept.head if kept else {}).items() if name in _VALIDATORS}
        known |= {"cache-control": kept.head.get("cache-control", "") if kept else ""} | dict(headers)
        control = known["cache-control"].lower()
        if "no-store" in control:
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
        head |= {name: known[name] for name in _VALIDATORS if known.get(name)}
        age = _MAX_AGE.search(control)
        seconds = 0.0 if "no-cache" in control else min(self._seconds, float(age[1])) if age else self._seconds
        self._cache.put(PAGE, page.url, head, page.body, seconds)


def _page(url: str, kept: Kept) -> Fetched:
    head = kept.head
    return Fetched(
        url=url,
        final_url=canonical(head["final_url"]),
        status=int(head["status"]),
        content_type=head["content_type"],
        charset=head["charset"],
        body=kept.body,
        received=0,
        seconds=0.0,
        retrieved_at=kept.stored_at,
        redirects=tuple(str(address) for address in json.loads(head["redirects"])),
        downgraded=bool(head["downgraded"]),
        from_cache=True,
    )
