"""An article from a pasted text or the address of a page, with its statements."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime

from ghost.errors import ClaimError
from ghost.judges import MAX_CHARS, ReadsClaims, taken_apart
from ghost.records import Article
from ghost.text import without_secrets
from ghost.types import MAX_URL_CHARS, canonical, host_of, tidy_text
from ghost.web import Fetched, PageFetcher, ReadPage, Unreadable, read

TITLE_CHARS = 160
HEADLINE_CHARS = 120
"""A longer first line is not a headline."""
_PASTE = "Open it in your browser and paste its text here."

Progress = Callable[[str, int, int], None]
"""Called with the current activity, the number done and the total; may raise to stop."""


@dataclass(frozen=True, slots=True)
class _Text:
    """An article before its statements are found."""

    text: str
    title: str
    url: str = ""
    site: str = ""
    author: str = ""
    published_at: date | None = None
    notes: tuple[str, ...] = ()


def check_article(text: str, url: str, web: bool) -> str:
    """The address in its canonical form, empty where there is none.

    Raises ClaimError, which says what to do instead, for what cannot be read; without ``web`` no page is fetched.
    """
    address = canonical(without_secrets(url)) if url.strip() else ""
    if url.strip() and not address:
        raise ClaimError(
            f"The address cannot be used: it must be a web address of at most {MAX_URL_CHARS:,} characters that starts "
            "with http:// or https://. Correct it, or leave it empty and paste the text."
        )
    if not text.strip() and not address:
        raise ClaimError("There is no article. Paste its text, or enter its address.")
    if not text.strip() and not web:
        raise ClaimError(
            f"No page is fetched, because the web is switched off for this workbench (GHOST_WEB). {_PASTE}"
        )
    return address


def read_article(
    text: str,
    url: str,
    reader: ReadsClaims | None,
    fetcher: PageFetcher | None,
    seconds: float,
    progress: Progress = lambda *_: None,
    article_id: str = "",
) -> Article:
    """An article and its statements. Without a text the page at ``url`` is fetched, within ``seconds``.

    With a text the address only says where it was found, and nothing is fetched. Without an ``article_id`` it gets a
    new one. Raises ClaimError, which says what to do instead, ModelError, and what ``progress`` raises.
    """
    address = check_article(text, url, fetcher is not None)
    found = _fetched(address, fetcher, seconds, progress) if fetcher and not text.strip() else _pasted(text, address)
    sentences, notes = taken_apart(
        found.text, reader, lambda done, total: progress("Reading its sentences", done, total)
    )
    if not sentences:
        raise ClaimError("There is no sentence in the article. Paste the text that you want taken apart.")
    title = _short(found.title or sentences[0].text, TITLE_CHARS)
    return Article(
        article_id or uuid.uuid4().hex, title, found.url, datetime.now(UTC),
        sentences, _short(found.site, 100), _short(found.author, 100), found.published_at, (*found.notes, *notes),
    )  # fmt: skip


def _pasted(text: str, url: str) -> _Text:
    """The text as it is; pasted HTML is read as a page."""
    start = text.lstrip()[:200].lower()
    if not start.startswith(("<!doctype html", "<html")):
        return _Text(text, _headline(text), url)
    body = text[: 8 * MAX_CHARS].encode("utf-8", "replace")
    page = read(body, "text/html", url or "https://pasted.invalid/", "utf-8")
    if isinstance(page, Unreadable):
        raise ClaimError(f"What was pasted is the source of a page that cannot be read. {page.why} Paste its text.")
    return _of_page(page, url)


def _fetched(url: str, fetcher: PageFetcher, seconds: float, progress: Progress) -> _Text:
    said = f"Fetching {host_of(url)}"
    progress(said, 0, 0)
    came = fetcher.fetch(url, seconds, lambda: progress(said, 0, 0))
    if not isinstance(came, Fetched):
        raise ClaimError(f"The page could not be fetched. {came.why} {_PASTE}")
    progress("Reading the page", 0, 0)
    page = read(came.body, came.content_type, came.final_url, came.charset)
    if isinstance(page, Unreadable):
        raise ClaimError(f"The page was fetched, but it cannot be read. {page.why} {_PASTE}")
    return _of_page(page, page.url)


def _of_page(page: ReadPage, url: str) -> _Text:
    return _Text(page.text, page.title, url, page.site, page.author, page.published_at, page.notes)


def _headline(text: str) -> str:
    """The first of several lines, where it is as short as a headline."""
    lines = [line.strip() for line in text.strip()[:5_000].splitlines() if line.strip()]
    return lines[0] if len(lines) > 1 and len(lines[0]) <= HEADLINE_CHARS else ""


def _short(text: str, limit: int) -> str:
    text = tidy_text(text[: 4 * limit])
    return text if len(text) <= limit else text[: limit - 1].rsplit(" ", 1)[0] + "…"
