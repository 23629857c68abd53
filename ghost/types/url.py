"""Web addresses: one canonical form, made once at the door, and which addresses lead to the same page.

A page is often read at another address than its own: an AMP or mobile version, an archived copy, a translation. What
is said of the page holds for its copies too. Only services that show a page as it is count as copies. Any other site
could claim to show one. The functions at the end answer for text that may be no address.
"""

import posixpath
import re
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any
from urllib.parse import parse_qs, parse_qsl, quote, unquote, urlencode, urljoin, urlsplit, urlunsplit

from ghost.errors import GhostError
from ghost.text import ascii_host, without_secrets

MAX_CHARS = 2_000
PORTS = {"http": 80, "https": 443}
_HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]")
_KEPT = "/:@!$&'()*+,;=-._~%"
_UNRESERVED_ESCAPE = re.compile("%(?:2[DdEe]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff]|7[Ee])")
"""Escapes of letters, digits and ``-._~``. With and without them an address is the same (RFC 3986, 6.2.2.2)."""
_SAME_FOLDER = re.compile(r"/\.(?:(?=/)|$)")
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://", re.IGNORECASE)

_NOISE = re.compile(
    r"utm(_\w+)?|fbclid|gclid|mc_[ce]id"  # how a reader came to the page
    r"|_?amp(_\w+)?|usqp|outputtype|_x_tr_\w+",  # which version of it is shown
    re.IGNORECASE,
)
_VERSIONS = frozenset({"www", "m", "mobile", "amp"})
"""Labels below the registrable domain that name a version of the same site."""
_AMP_PATH = re.compile(r"^/amp(?=/[^/])|(?<=[^/])/amp/?$|\.amp(?=\.html?$|/?$)", re.IGNORECASE)

_WAYBACK_HOSTS = ("web.archive.org", "archive.org", "wayback.archive.org", "arquivo.pt", "webarchive.loc.gov")
_WAYBACK = re.compile(r"/(?:web|wayback|all)/(?:(?:\d{1,14}(?:[a-z]{2}_)?|\*)/(.+)|(http.+))", re.DOTALL)
_ARCHIVE_TODAY = re.compile(r"/(?:(?:newest|oldest|timegate|\d{4,14})/|o/\w+/)?(.+)", re.DOTALL)
_ARCHIVE_TODAY_HOST = re.compile(r"archive\.(?:today|ph|is|li|vn|md|fo)")
_AMP_CACHE = re.compile(r"/[a-z]{1,3}/(s/)?(.+)", re.DOTALL)
_GOOGLE = re.compile(r"(?:www\.)?google(?:\.[a-z]{2,3}){1,2}")
_SITE_NAME = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[a-z][a-z0-9-]+(?::\d+)?(?:[/?]|$)", re.IGNORECASE)
_NESTED = 5
"""Copies of copies that are unwrapped."""


class UrlError(GhostError):
    """The text is not the address of a web page."""


@dataclass(frozen=True, slots=True)
class Url:
    """The address of a web page in canonical form. Addresses with equal text are equal."""

    text: str
    """Plain ASCII without fragment. Nothing but http and https, and no user names."""
    scheme: str = field(compare=False, repr=False)
    host: str = field(compare=False, repr=False)
    """A name in ASCII, or an IP address without brackets."""
    port: int = field(compare=False, repr=False)
    path: str = field(compare=False, repr=False)
    query: str = field(compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> "Url":
        """Read an address from outside.

        Raises UrlError for anything that a page cannot have: other schemes, user names (they make another host look
        like a trusted one), backslashes and white space (programs disagree on what they mean).
        """
        url = _parsed(text)
        if url is None:
            raise UrlError(f"“{without_secrets(text.strip())[:80]}” is not the address of a web page.")
        return url

    @property
    def netloc(self) -> str:
        """Host and port as the Host header gives them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"{self.scheme}://{self.netloc}"

    @property
    def target(self) -> str:
        """Path and query as a request line gives them."""
        return (self.path or "/") + (f"?{self.query}" if self.query else "")

    @property
    def original(self) -> "Url":
        """The page that an archived, cached or translated copy shows. The same address where it is no copy."""
        url = self
        for _ in range(_NESTED):
            shown = _parsed(_shown_by(url))
            if shown is None:
                break
            url = shown
        return url

    @property
    def page(self) -> str:
        """A key that all addresses of one page share. It is not an address itself.

        Scheme, ``www.``, the order of parameters, tracking, AMP and mobile versions and copies make no difference.
        """
        return _page(self)


def under(host: str, entry: str) -> bool:
    """Whether a host is that of ``entry`` (a host with an optional path) or below it."""
    listed = entry.partition("/")[0]
    return host == listed or host.endswith(f".{listed}")


@lru_cache(maxsize=8_192)
def _parsed(text: str) -> Url | None:
    text = text.strip()
    if not text or len(text) > MAX_CHARS or "\\" in text or any(c.isspace() or not c.isprintable() for c in text):
        return None
    try:
        parts = urlsplit(text)
        host, port = (parts.hostname or "").rstrip("."), parts.port
        host = host if host.isascii() else ascii_host(host)
    except (ValueError, UnicodeError):
        return None
    if parts.scheme not in PORTS or "@" in parts.netloc or len(host) > 253:
        return None
    netloc = f"[{host}]" if ":" in host else host
    if not _HOST.fullmatch(netloc):
        return None
    if port not in (None, PORTS[parts.scheme]):
        netloc = f"{netloc}:{port}"
    path, query = _path(parts.path), quote(parts.query, safe=_KEPT + "?")
    whole = urlunsplit((parts.scheme, netloc, path, query, ""))
    return Url(whole, parts.scheme, host, PORTS[parts.scheme] if port is None else port, path, query)


def _path(path: str) -> str:
    """Dots resolved, also where escapes hide them, and everything that is not ASCII escaped.

    Only a segment of exactly two dots leads up. ``/wait...what`` and ``/1..2`` are ordinary names.
    """
    while (plain := _UNRESERVED_ESCAPE.sub(lambda escape: unquote(escape[0]), path)) != path:
        path = plain  # again, as ``%2%45`` has become an escape by now
    plain = unquote(path)
    if ".." not in plain.split("/"):
        return quote(_SAME_FOLDER.sub(lambda dot: "" if dot.end() < len(path) else "/", path), safe=_KEPT)
    resolved = posixpath.normpath(plain).replace("//", "/")
    closed = plain.endswith(("/", "/.", "/..")) and not resolved.endswith("/")
    return quote(resolved + "/" * closed, safe="/:@!$&'()*+,;=-._~")


@lru_cache(maxsize=8_192)
def _page(url: Url) -> str:
    url = url.original
    query = [(k, v) for k, v in parse_qsl(url.query, keep_blank_values=True) if not _NOISE.fullmatch(k)]
    path = _AMP_PATH.sub("", unquote(url.path).rstrip("/"))
    port = "" if url.port == PORTS[url.scheme] else f":{url.port}"
    return "\n".join((_without_version(url.host) + port, path.rstrip("/"), urlencode(sorted(query))))


def _without_version(host: str) -> str:
    """The host without ``www.``, ``m.`` or ``amp.``, but never less than its registrable domain."""
    host = host.removeprefix("www.")
    labels = host.split(".")
    if not _VERSIONS.intersection(labels):
        return host
    above = len(labels) - len(registrable(host).split("."))
    return ".".join([label for label in labels[:above] if label not in _VERSIONS] + labels[above:])


def _shown_by(url: Url) -> str:
    """The address of the page that a copy shows, as its service writes it. Empty where it is no copy."""
    host, target = url.host, url.target
    if host.endswith(".translate.goog"):
        return _untranslated(url)
    if host == "translate.google.com":
        return parse_qs(url.query).get("u", [""])[0]
    if host in _WAYBACK_HOSTS:
        found = _WAYBACK.fullmatch(target)
        return _with_scheme(found[1] or found[2]) if found else ""
    if _ARCHIVE_TODAY_HOST.fullmatch(host.removeprefix("www.")):
        found = _ARCHIVE_TODAY.fullmatch(target)
        return _with_scheme(found[1]) if found else ""
    viewer = bool(_GOOGLE.fullmatch(host)) and target.startswith("/amp/")
    if viewer or under(host, "cdn.ampproject.org") or under(host, "bing-amp.com"):
        found = _AMP_CACHE.fullmatch(target)
        return _with_scheme(found[2]) if found else ""
    return ""


def _with_scheme(text: str) -> str:
    """An address in the path of another one, where some leave the scheme out. Empty where it is none."""
    text = unquote(text) if re.match(r"https?%3a", text, re.IGNORECASE) else text
    if found := re.match(r"(https?):/{1,2}(?=[^/])", text, re.IGNORECASE):
        return f"{found[1].lower()}://{text[found.end() :]}"
    return f"https://{text}" if _SITE_NAME.match(text) else ""


def _untranslated(url: Url) -> str:
    """The address behind ``a--b-org.translate.goog``: a dash stands for a dot, and two for a dash."""
    name = url.host.removesuffix(".translate.goog")
    if "_x_tr_enc" in url.query:
        name = re.sub(r"^[01]-", "", name)
    return f"{url.scheme}://{'-'.join(part.replace('-', '.') for part in name.split('--'))}{url.target}"


@lru_cache(maxsize=8_192)
def registrable(host: str) -> str:
    """The registrable domain of a host, or the host where there is none."""
    found = suffix_list()(host.removeprefix("www."))
    if found.suffix or found.ipv4 or found.ipv6:
        return found.top_domain_under_public_suffix or host.removeprefix("www.")
    return ".".join(host.split(".")[-2:])  # the list's own rule for an ending that it does not know


@cache
def suffix_list() -> Any:
    """The public suffix list: called with a host, it gives the parts of its name."""
    from tldextract import TLDExtract

    # Without these two it would fetch the newest list and write it to the home folder.
    return TLDExtract(suffix_list_urls=(), cache_dir=None)


def canonical(text: str) -> str:
    """The canonical form of an address, or an empty string where it is none that a page could have."""
    url = _parsed(text)
    return url.text if url else ""


def page_key(text: str) -> str:
    """The key that all addresses of a page share, or the text itself where it is no address."""
    return _key(text) or text


def same_page(one: str, other: str) -> bool:
    """Whether two addresses lead to one page. False where either is no address."""
    key = _key(one)
    return bool(key) and key == _key(other)


def _key(text: str) -> str:
    url = _parsed(with_scheme(text) if "." in text.partition("/")[0] else text)
    return url.page if url else ""


def original(text: str) -> str:
    """The page that an address shows a copy of, or the text itself where it is no copy."""
    url = _parsed(text)
    shown = url.original if url else None
    return text if shown is None or shown is url else shown.text


def host_of(text: str) -> str:
    """The host of an address, for showing. Empty where there is none."""
    try:
        return urlsplit(text).hostname or ""
    except ValueError:
        return ""


def joined(base: str, link: str) -> str:
    """The canonical address that a link on a page leads to. Empty where it is none, or leads nowhere."""
    try:
        return canonical(urljoin(base, link.strip())) if link.strip() else ""
    except ValueError:
        return ""


def with_scheme(text: str) -> str:
    """A typed address with https where its scheme is missing."""
    text = text.strip()
    return text if _SCHEME.match(text) else f"https://{text}"
