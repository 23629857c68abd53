"""A provider whose answers are kept for a while, so that the same words need not be sent twice."""

import json
from contextlib import suppress

from pydantic import TypeAdapter, ValidationError

from ghost.errors import StoreError
from ghost.web.cache import WebCache
from ghost.web.search import Hit, Remembered, SearchProvider

KIND = "search"
_HITS = TypeAdapter(tuple[Hit, ...])


class CachedSearch:
    """Any provider, with the memory of a ``WebCache``. A cache that fails is as good as none; it stops no search."""

    def __init__(self, provider: SearchProvider, cache: WebCache, seconds: float, place: str = "") -> None:
        """Answers live for ``seconds``. ``place`` tells apart what one provider can be set up to ask."""
        self.name, self.recipient, self.stages = provider.name, provider.recipient, provider.stages
        self._provider, self._cache, self._seconds, self._place = provider, cache, seconds, place

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        """As the provider words it."""
        return self._provider.wording(query, sites)

    def search(self, query: str, sites: tuple[str, ...], limit: int, seconds: float) -> list[Hit]:
        """Asks the provider and keeps what it brings; an empty answer is not kept, as the next may be better."""
        hits = self._provider.search(query, sites, limit, seconds)
        if hits:
            body = _HITS.dump_json(tuple(hits))
            with suppress(StoreError):
                self._cache.put(KIND, self._key(query, sites, limit), {}, body, self._seconds)
        return hits

    def remembered(self, query: str, sites: tuple[str, ...], limit: int) -> Remembered | None:
        """The answer to the same words for the same sites, while it is fresh."""
        try:
            kept = self._cache.get(KIND, self._key(query, sites, limit))
            return Remembered(_HITS.validate_json(kept.body), kept.stored_at) if kept and kept.fresh else None
        except (StoreError, ValidationError):  # the latter: another version wrote it
            return None

    def _key(self, query: str, sites: tuple[str, ...], limit: int) -> str:
        return json.dumps([self.name, self._place, self.wording(query, sites), sites, limit])
