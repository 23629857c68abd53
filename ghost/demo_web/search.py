"""The demo web's search engine as a SearXNG would answer: https://docs.searxng.org/dev/search_api.html."""

import json
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from ghost.demo_web.index import Found, Index
from ghost.demo_web.render import hits_html
from ghost.demo_web.reply import Reply

JSON = "application/json"
PAGE_OF_HITS = 10
ENGINE = "demo"


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
