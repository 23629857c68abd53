"""A fetcher over pages that a test has written; every other address is gone."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from ghost.web import Fetched, NotFetched, Problem


class SomePages:
    """Answers like a site with these pages: address -> the text of its only paragraph."""

    def __init__(self, pages: Mapping[str, str]) -> None:
        self._pages = pages
        self.asked: list[str] = []

    def fetch(self, url: str, seconds: float, check: Callable[[], None] | None = None) -> Fetched | NotFetched:
        self.asked.append(url)
        if url not in self._pages:
            return NotFetched(url, Problem.HTTP, "The server has no such page (HTTP 404).", 0.01, 80, 404)
        body = f"<html><title>A page</title><body><article><p>{self._pages[url]}</p></article></body></html>".encode()
        return Fetched(url, url, 200, "text/html", "utf-8", body, len(body), 0.01, datetime.now(UTC))
