"""``Url`` for text that may be no address: these functions answer where ``Url.parse`` raises."""

import re
from urllib.parse import urlsplit

from ghost.web.url import Url, UrlError, registrable

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)


def canonical(text: str) -> str:
    """The canonical form of an address, or an empty string where it is none that a page could have."""
    url = _url(text)
    return url.text if url else ""


def page_key(text: str) -> str:
    """The key that all addresses of a page share, or the text itself where it is no address."""
    return _page(text) or text


def same_page(one: str, other: str) -> bool:
    """Whether two addresses lead to one page. False where either is no address."""
    page = _page(one)
    return bool(page) and page == _page(other)


def original(text: str) -> str:
    """The page that an address shows a copy of, or the text itself where it is no copy."""
    url = _url(text)
    shown = url.original if url else None
    return text if shown is None or shown is url else shown.text


def host_of(text: str) -> str:
    """The host of an address, for showing. Empty where there is none."""
    try:
        return urlsplit(text).hostname or ""
    except ValueError:
        return ""


def same_site(one: str, other: str) -> bool:
    """Whether two addresses belong to one registrable domain, or to one host where there is none."""
    return registrable(host_of(one)) == registrable(host_of(other))


def with_scheme(text: str) -> str:
    """A typed address with https where its scheme is missing. The address in an archive's path has one of its own."""
    text = text.strip()
    return text if _SCHEME.match(text) else f"https://{text}"


def _page(text: str) -> str:
    url = _url(with_scheme(text) if "." in text.partition("/")[0] else text)
    return url.page if url else ""


def _url(text: str) -> Url | None:
    try:
        return Url.parse(text)
    except UrlError:
        return None
