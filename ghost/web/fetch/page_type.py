"""What a body is: what the server says of it, and what a look at its beginning says."""

import re

HTML = "text/html"
XHTML = "application/xhtml+xml"
PLAIN = "text/plain"
PDF = "application/pdf"
PAGES = frozenset({HTML, XHTML, PLAIN, PDF})
"""What is read."""
LOOK = 1024
"""Bytes that are looked at."""

_VAGUE = frozenset(
    """
application/octet-stream binary/octet-stream application/force-download application/download application/x-download
application/xml text/xml unknown/unknown application/unknown
""".split()
)
"""Types that say nothing, or are said of pages by mistake: the body is looked at."""
_ALIASES = {"application/x-pdf": PDF, "text/pdf": PDF, "application/xhtml": XHTML}
_TYPE = re.compile(r"[a-z0-9!#$&^_.+-]{1,60}/[a-z0-9!#$&^_.+-]{1,60}")
_CHARSET = re.compile(r"charset\s*=\s*[\"']?([a-z0-9][a-z0-9_.:+-]{0,39})")
_BINARY_STARTS = (
    b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b", b"RIFF", b"OggS", b"ID3",
    b"\x7fELF", b"MZ\x90\x00", b"Rar!", b"7z\xbc\xaf", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd", b"wOFF", b"wOF2",
    b"\x00\x00\x01\x00", b"\x1a\x45\xdf\xa3", b"fLaC", b"%!PS", b"BM", b"II*\x00", b"MM\x00*", b"\xca\xfe\xba\xbe",
    b"\xd0\xcf\x11\xe0", b"\x00asm",
)  # fmt: skip
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
"""Bytes that no text has, after the WHATWG's standard for looking at types (it lets vertical tabs and escapes be)."""
_MARKS = (b"\xff\xfe", b"\xfe\xff")
"""Of UTF-16, where every second byte may be zero."""
_BEFORE = re.compile(rb"(?:\xef\xbb\xbf)?(?:\s+|<!--.*?-->|<\?xml.*?\?>)*", re.DOTALL)
_TAGS = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|iframe|h[1-6]|div|p|a|br|b|table|font|main|article)"
    rb"(?=[\s>/])",
    re.IGNORECASE,
)


def declared(header: str) -> tuple[str, str]:
    """Media type and charset of a Content-Type header, in lower case; empty where it has none.

    The last of several counts.
    """
    last = header.lower().rpartition(",")[2]
    name = last.partition(";")[0].strip()
    name = name if _TYPE.fullmatch(name) else ""
    charset = _CHARSET.search(last)
    return _ALIASES.get(name, name), charset[1] if charset else ""


def may_be(name: str, wanted: frozenset[str]) -> bool:
    """Whether a body of this declared type is worth a look."""
    return not name or name in wanted or (name in _VAGUE and bool(wanted & PAGES))


def looked_at(first: bytes, name: str) -> str:
    """What it is, given its first LOOK bytes and the declared type; empty when it is no page."""
    if b"%PDF-" in (first if name not in (HTML, XHTML, PLAIN) else first.lstrip()[:5]):
        return PDF
    marked = first.startswith(_MARKS)
    if first.startswith(_BINARY_STARTS) and not _prose(first):
        return ""
    if name in (HTML, XHTML):
        return name
    if name == PLAIN:
        return PLAIN if marked or not _BINARY.search(first) else ""
    text = first.replace(b"\x00", b"").removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff") if marked else first
    if _TAGS.match(text, _end_of(_BEFORE.match(text))):
        return XHTML if name.endswith("xml") else HTML
    if name == PDF or name.endswith("xml") or (_BINARY.search(first) and not marked):
        return ""
    return PLAIN


def _prose(first: bytes) -> bool:
    """Whether it only begins like something binary ("BMW", "ID3 tags are"): plain words and nothing else."""
    return first.startswith((b"BM", b"ID3", b"RIFF", b"BZh", b"GIF8", b"Rar!", b"OggS", b"fLaC", b"wOF")) and not (
        _BINARY.search(first)
    )


def _end_of(found: "re.Match[bytes] | None") -> int:
    return found.end() if found else 0
