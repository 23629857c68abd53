"""Addresses from outside, in one form that can be compared, shown and checked against a list."""

import posixpath
import re
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from ghost.text import ascii_host

MAX_CHARS = 2_000
_TRACKING = re.compile(r"utm(_\w+)?|fbclid|gclid|mc_[ce]id", re.IGNORECASE)
"""Parameters that only say how a reader came to the page."""
_HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\]")
_PORTS = {"http": 80, "https": 443}
_KEPT = "/:@!$&'()*+,;=-._~%"
_PLAIN = re.compile("%(?:2[DdEe]|3[0-9]|[46][1-9A-Fa-f]|[57][0-9Aa]|5[Ff]|7[Ee])")
"""Escapes of letters, digits and ``-._~``: with and without them an address is the same (RFC 3986, 6.2.2.2)."""
_SAME_FOLDER = re.compile(r"/\.(?:(?=/)|$)")


def canonical(url: str) -> str:
    """The address as plain ASCII, or an empty string when it is none that a page could have.

    Only http and https; no user names (they make another host look like a trusted one), no backslashes or white
    space (programs disagree on what they mean), no ``..`` that would leave the folder of a listed path.
    """
    url = url.strip()
    if not url or len(url) > MAX_CHARS or "\\" in url or any(c.isspace() or not c.isprintable() for c in url):
        return ""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").rstrip("."), parts.port
        host = host if host.isascii() else ascii_host(host)
    except (ValueError, UnicodeError):
        return ""
    if parts.scheme not in _PORTS or "@" in parts.netloc or len(host) > 253:
        return ""
    host = f"[{host}]" if ":" in host else host
    if not _HOST.fullmatch(host):
        return ""
    place = host if port in (None, _PORTS[parts.scheme]) else f"{host}:{port}"
    return urlunsplit((parts.scheme, place, _path(parts.path), quote(parts.query, safe=_KEPT + "?"), ""))


def same_page(one: str, other: str) -> bool:
    """Whether two addresses lead to one page: scheme, ``www.``, fragment, order and tracking of parameters aside."""
    left = _key(one)
    return bool(left) and left == _key(other)


def page_key(url: str) -> str:
    """The same for all addresses that lead to one page, as ``same_page`` has it, to compare many; no address itself."""
    return _key(url) or url


def _key(url: str) -> str:
    if "://" not in url and "." in url.partition("/")[0]:
        url = f"https://{url.strip()}"  # analysts leave the scheme out
    address = canonical(url)
    if not address:
        return ""
    parts = urlsplit(address)
    query = [(k, v) for k, v in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.fullmatch(k)]
    path = unquote(parts.path).rstrip("/")
    return "\n".join((parts.netloc.removeprefix("www."), path, urlencode(sorted(query))))


def host_of(url: str) -> str:
    """The host of an address, for showing; empty when there is none."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def under(host: str, entry: str) -> bool:
    """Whether a host is that of ``entry`` (a host with an optional path) or below it."""
    listed = entry.partition("/")[0]
    return host == listed or host.endswith(f".{listed}")


def _path(path: str) -> str:
    """Dots resolved, also where they hide behind escapes, and everything that is not ASCII escaped.

    Only a segment that is nothing but two dots leads up: ``/wait...what`` and ``/1..2`` are names like others.
    """
    while (plain := _PLAIN.sub(lambda escape: unquote(escape[0]), path)) != path:
        path = plain  # again, as ``%2%45`` has become one by now
    plain = unquote(path)
    if ".." not in plain.split("/"):
        return quote(_SAME_FOLDER.sub(lambda dot: "" if dot.end() < len(path) else "/", path), safe=_KEPT)
    resolved = posixpath.normpath(plain).replace("//", "/")
    closed = plain.endswith(("/", "/.", "/..")) and not resolved.endswith("/")
    return quote(resolved + "/" * closed, safe="/:@!$&'()*+,;=-._~")
