"""A fetcher over pages that a test has written; every other address is gone."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime

from ghost.web import Fetched, NotFetched, Problem


class SomePages:
    """Answers like a site with these pages: address -> the text of its only paragraph."""

    def __init__(self, pages: Mapping[str, str], title: str = "A page") -> None:
        self._pages, self._title = pages, title
        self.asked: list[str] = []

    def fetch(self, url: str, seconds: float, check: Callable[[], None] | None = None) -> Fetched | NotFetched:
        self.asked.append(url)
        if url not in self._pages:
            return NotFetched(url, Problem.HTTP, "The server has no such page (HTTP 404).", 0.01, 80, 404)
        article = f"<article><p>{self._pages[url]}</p></article>"
        body = f"<html><title>{self._title}</title><body>{article}</body></html>".encode()
        return Fetched(url, url, 200, "text/html", "utf-8", body, len(body), 0.01, datetime.now(UTC))
