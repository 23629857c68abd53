"""Addresses: names of hosts as the name servers know them, and addresses without passwords and tokens.

Ghost logs in nowhere on the public web, so what is cut off is not needed to read a page, and what is kept of a run,
shown and exported never holds it.
"""

import re
from base64 import b64encode
from urllib.parse import unquote, urlsplit

import idna

_ADDRESS = re.compile(r"[a-z][a-z0-9+.-]*://\S+|(?:[\w-]+\.)+[a-z]{2,24}(?::\d+)?(?:[/?#]\S*)?", re.IGNORECASE)
MAX_LABEL = 63
_NAME = (
    r"(?:[\w.-]*[_.-])?(?:api[_-]?key|apikey|access[_-]?key|token|secret|passw(?:or)?d|pwd|signature|sig|authorization|"
    r"credentials?|session[_-]?id|jwt)"
)
_SECRET = re.compile(_NAME, re.IGNORECASE)
"""Names of parameters whose values open doors. Not "key" or "id": they mostly say which page it is."""
_COLON, _SLASH, _AT, _AND, _IS, _ASK, _HASH = (rf"(?:[{sign}]|%(?:25)*{ord(sign):X})" for sign in ":/@&=?#")
"""The signs of an address, plain or percent-encoded, perhaps several times over."""
_NESTED_LOGIN = re.compile(
    rf"(https?{_COLON}{_SLASH}{{1,2}})(?:(?!{_SLASH}|{_ASK}|{_HASH}|{_AND})\S)*{_AT}", re.IGNORECASE
)
"""User and password of an address inside an address, as redirects and archives have them."""
_NESTED_SECRET = re.compile(
    rf"({_ASK}|{_AND})(?:{_NAME}{_IS}(?:(?!{_AND}|{_HASH})\S)*(?:{_AND}|(?={_HASH})|$))+", re.IGNORECASE
)
_WORD = re.compile(r"[^\s\"'“”‘’<>]+")


def ascii_host(host: str) -> str:
    """A host in lower case and ASCII, as browsers of today write it; raises UnicodeError for what no host is called.

    Python's own codec is of 2003 and turns ``straße.de`` into ``strasse.de``, which is somebody else's.
    """
    # Labels that are ASCII are left to whoever looks the name up: some have an underscore, which the standard forbids.
    mapped = host.lower() if host.isascii() else idna.uts46_remap(host, std3_rules=False, transitional=False)
    labels = [label if label.isascii() else idna.alabel(label).decode("ascii") for label in mapped.split(".")]
    if any(not 0 < len(label) <= MAX_LABEL for label in (labels[:-1] if labels[-1] == "" else labels)):
        raise UnicodeError("a part of the name is empty or too long")
    return ".".join(labels)


def is_address(text: str) -> bool:
    """Whether the text is nothing but one web address, with or without its scheme."""
    return bool(_ADDRESS.fullmatch(text.strip()))


def without_secrets(url: str) -> str:
    """The address without user, password and parameters such as ``api_key``, also where another address stands in it.

    Anything else comes back as it is.
    """
    scheme, mark, rest = url.partition("://")
    if not mark:
        scheme, rest = "", url
    rest, hash_mark, fragment = rest.partition("#")
    place, question_mark, query = rest.partition("?")
    host, slash, path = _without_login(place).partition("/")
    path, query, fragment = _NESTED_LOGIN.sub(r"\1", path), _plain_parameters(query), _plain_parameters(fragment)
    return (
        f"{scheme}{mark}{host}{slash}{path}"
        + (question_mark + query if query else "")
        + (hash_mark + fragment if fragment else "")
    )


def server_of(url: str) -> str:
    """Scheme, host and port of an address; a path is only hinted at, since it may be a secret too."""
    if not url:
        return ""
    parts = urlsplit(url)
    more = "/…" if parts.path.strip("/") or parts.query else ""
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{more}"


def login_header(url: str) -> dict[str, str]:
    """The header that says the user and password in an address, for a client that sends them in no other way."""
    parts = urlsplit(url)
    if parts.username is None:
        return {}
    login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return {"Authorization": "Basic " + b64encode(login.encode()).decode("ascii")}


def redacted(text: str) -> str:
    """A text, such as an error message, with every address in it without its secrets."""
    return _WORD.sub(lambda found: without_secrets(found[0]) if "://" in found[0] else found[0], text)


def _without_login(place: str) -> str:
    host, slash, path = place.partition("/")
    if "@" in host:
        return host.rpartition("@")[2] + slash + path
    # A slash in a password ends the host too early: what stands behind the colon is no port then.
    _, colon, port = host.rpartition(":")
    if colon and "@" in path and not (port.isdigit() or host.startswith("[")):
        return path.rpartition("@")[2]
    return place


def _plain_parameters(query: str) -> str:
    parts = query.split("&")
    kept = "&".join(p for p in parts if "=" not in query or not _SECRET.fullmatch(p.partition("=")[0]))
    return _NESTED_SECRET.sub(r"\1", _NESTED_LOGIN.sub(r"\1", kept))
