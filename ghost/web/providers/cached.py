"""A provider whose answers are kept for a while, so that the same words need not be sent twice."""

import json

from pydantic import TypeAdapter, ValidationError

from ghost.web.fetch.cache import SafeCache, WebCache
from ghost.web.providers.base import Hit, Remembered, SearchProvider

SEARCH = "search"
_HITS = TypeAdapter(tuple[Hit, ...])


class CachedSearch:
    """Any provider with the memory of a ``WebCache``. A cache that fails stops no search."""

    def __init__(self, provider: SearchProvider, cache: WebCache, seconds: float, place: str = "") -> None:
        """Answers live for ``seconds``. ``place`` tells apart the servers that one provider can be set up to ask."""
        self.name, self.recipient, self.stages = provider.name, provider.recipient, provider.stages
        self._provider, self._cache, self._seconds, self._place = provider, SafeCache(cache), seconds, place

    def wording(self, query: str, sites: tuple[str, ...]) -> str:
        """As the provider words it."""
        return self._provider.wording(query, sites)

    def search(self, query: str, sites: tuple[str, ...], limit: int, seconds: float) -> list[Hit]:
        """Ask the provider and keep its hits. An empty answer is not kept, as the next may be better."""
        hits = self._provider.search(query, sites, limit, seconds)
        if hits:
            self._cache.put(SEARCH, self._key(query, sites, limit), {}, _HITS.dump_json(tuple(hits)), self._seconds)
        return hits

    def remembered(self, query: str, sites: tuple[str, ...], limit: int) -> Remembered | None:
        """The answer to the same words for the same sites, while it is fresh."""
        kept = self._cache.get(SEARCH, self._key(query, sites, limit))
        try:
            return Remembered(_HITS.validate_json(kept.body), kept.stored_at) if kept and kept.fresh else None
        except ValidationError:  # another version wrote it
            return None

    def _key(self, query: str, sites: tuple[str, ...], limit: int) -> str:
        return json.dumps([self.name, self._place, self.wording(query, sites), sites, limit])
