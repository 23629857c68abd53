"""A small search engine over the pages: BM25 over title and text, with ``site:`` operators.

It answers as a SearXNG would: https://docs.searxng.org/dev/search_api.html.
"""

import json
import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from ghost.demo_web.behaviours import Reply
from ghost.demo_web.page import Page
from ghost.demo_web.render import hits_html

_SITE = re.compile(r"site:(?P<host>[^\s/()]+)(?P<path>/[^\s()]*)?", re.IGNORECASE)
_WORD = re.compile(r"\w+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_ENDINGS = ("ings", "ing", "ies", "ed", "es", "s", "e")
_STEM = 3
"""Letters that must stay."""
_STOP = frozenset(
    "a about after all an and any are as at be because been but by can did do does for from had has have he her his "
    "how in into is it its may more no not of on one only or other out over she so than that the their them there they "
    "this to up was were what when where which while who why will with would you".split()
)
_TITLE = 2
"""A word of the title counts as often."""
_K1, _B = 1.2, 0.75
SNIPPET_CHARS = 200
JSON = "application/json"
PAGE_OF_HITS = 10
ENGINE = "demo"


@dataclass(frozen=True)
class Found:
    """A page that a query found."""

    page: Page
    score: float
    snippet: str


class Index:
    """The pages that may be found."""

    def __init__(self, pages: Iterable[Page]) -> None:
        self._pages = [page for page in pages if page.head.search]

    def search(self, query: str) -> list[Found]:
        """All pages with a word of the query, best first; equal ones in the order of their addresses."""
        # Brackets, quotes, AND and OR are no words.
        wanted = set(stems(re.sub(r"[()\"“”]|\b(?:OR|AND)\b", " ", _SITE.sub(" ", query))))
        if not wanted:
            return []
        scored = [(self._score(i, wanted), page) for i, page in enumerate(self._pages) if _on_sites(page, query)]
        best = sorted((s, p) for s, p in ((-s, p.name) for s, p in scored) if s < 0)
        pages = {page.name: page for page in self._pages}
        return [Found(pages[name], -score, snippet(pages[name], wanted)) for score, name in best]

    def _score(self, number: int, wanted: set[str]) -> float:
        counts = self._counts[number]
        length = 1 - _B + _B * self._lengths[number] / self._mean
        return sum(
            self._weight(word) * counts[word] * (_K1 + 1) / (counts[word] + _K1 * length)
            for word in sorted(wanted)
            if word in counts
        )

    def _weight(self, word: str) -> float:
        having = self._having[word]
        return math.log(1 + (len(self._pages) - having + 0.5) / (having + 0.5))

    @cached_property
    def _counts(self) -> list[Counter[str]]:
        return [Counter(stems(page.head.title) * _TITLE + stems(page.text)) for page in self._pages]

    @cached_property
    def _lengths(self) -> list[int]:
        return [counts.total() for counts in self._counts]

    @cached_property
    def _mean(self) -> float:
        return sum(self._lengths) / max(1, len(self._lengths))

    @cached_property
    def _having(self) -> Counter[str]:
        return Counter(word for counts in self._counts for word in counts)


def _on_sites(page: Page, query: str) -> bool:
    """Whether a page is on one of the sites that a query asks for, or it asks for none."""
    wanted = [(m["host"].lower().strip("."), (m["path"] or "").strip("/").lower()) for m in _SITE.finditer(query)]
    return not wanted or any(
        (page.host == host or page.host.endswith(f".{host}"))
        and (not path or f"{page.path.lower()}/".startswith(f"{path}/"))
        for host, path in wanted
    )


def stems(text: str) -> list[str]:
    """The words that count, without accents and endings."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    words = _WORD.findall("".join(c for c in plain if not unicodedata.combining(c)))
    return [_stem(word) for word in words if word not in _STOP]


def snippet(page: Page, wanted: set[str]) -> str:
    """The sentences around the one with most words of the query, cut as search engines cut."""
    if page.head.snippet:
        return page.head.snippet
    sentences = [s for paragraph in page.text.split("\n") for s in _SENTENCE.split(paragraph) if s.strip()]
    if not sentences:
        return ""
    start = max(range(len(sentences)), key=lambda i: (len(wanted & set(stems(sentences[i]))), -i))
    text = " ".join(sentences[start:])
    if len(text) <= SNIPPET_CHARS:
        return text
    return text[:SNIPPET_CHARS].rpartition(" ")[0] + " ..."


def _stem(word: str) -> str:
    if word.isdigit():
        return word
    ending = next((e for e in _ENDINGS if word.endswith(e) and len(word) - len(e) >= _STEM), "")
    return word[: len(word) - len(ending)] if ending else word


def search(index: Index, words: Mapping[str, str], at: Callable[[str], str]) -> Reply:
    """The answer to the parameters of a search; ``at`` says where a page's plain address is fetched here."""
    kind = words.get("format", "html")
    if kind not in ("html", "json"):
        return Reply(b"<!DOCTYPE html><title>403 Forbidden</title>", status=403, plain=True)
    query = words.get("q", "").strip()
    if not query:
        error = json.dumps({"error": "No query"}).encode()
        return Reply(error, JSON, 400, plain=True)
    number = words.get("pageno", "1")
    start = (max(1, int(number)) - 1) * PAGE_OF_HITS if number.isascii() and number.isdigit() else 0
    found = index.search(query)[start : start + PAGE_OF_HITS]
    if kind == "html":
        rows = [(f.page.name, f.page.head.title, f.snippet) for f in found]
        return Reply(hits_html(query, rows).encode(), plain=True)
    answer = {
        "query": query,
        "number_of_results": 0,  # as SearXNG says when its engines do not count
        "results": [_row(f, position, at(f.page.url)) for position, f in enumerate(found, start=1)],
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": [],
    }
    return Reply(json.dumps(answer, ensure_ascii=False).encode(), JSON, plain=True)


def _row(found: Found, position: int, url: str) -> dict[str, Any]:
    published = found.page.head.published
    return {
        "url": url,
        "title": found.page.head.title,
        "content": found.snippet,
        "publishedDate": f"{published.isoformat()}T00:00:00" if published else None,
        "thumbnail": "",
        "engine": ENGINE,
        "template": "default.html",
        "parsed_url": [*urlsplit(url)[:3], "", *urlsplit(url)[3:]],
        "img_src": "",
        "priority": "",
        "engines": [ENGINE],
        "positions": [position],
        "score": round(found.score, 4),
        "category": "general",
    }
