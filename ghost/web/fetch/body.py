"""Bodies: unpacked within limits, and what they are by what the server says and by a look at their beginning.

httpx unpacks a piece as a whole, which can be a thousand times its size. So bodies are read raw and unpacked here.
"""

import re
import zlib
from collections.abc import Iterable, Iterator

from ghost.web.fetch.outcome import FetchError, Problem

HTML = "text/html"
XHTML = "application/xhtml+xml"
PLAIN = "text/plain"
PDF = "application/pdf"
PAGES = frozenset({HTML, XHTML, PLAIN, PDF})
LOOK = 1024

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
_BINARY = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f]")
"""Bytes that no text has, after the WHATWG's standard for looking at types (it lets vertical tabs and escapes be)."""
_MARKS = (b"\xff\xfe", b"\xfe\xff")
_BEFORE = re.compile(rb"^(?:\xef\xbb\xbf)?(?:\s+|<!--.*?-->|<\?xml.*?\?>)*", re.DOTALL)
_TAGS = re.compile(
    rb"<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|iframe|h[1-6]|div|p|a|br|b|table|font|main|article)"
    rb"(?=[\s>/])",
    re.IGNORECASE,
)

ACCEPTED = "gzip, deflate"
"""What is asked for: what Python unpacks within limits by itself."""
PIECE = 64 * 1024
_CODINGS = frozenset(
    "gzip x-gzip deflate compress x-compress br brotli zstd dcb dcz exi pack200-gzip aes128gcm sdch "
    "bzip2 x-bzip2 lzma xz lz4 snappy".split()
)
"""What is registered or in use. Servers also name what is no compression: ``UTF-8``, ``none``, ``binary``."""
_GZIP, _ZLIB, _RAW = 16 + zlib.MAX_WBITS, zlib.MAX_WBITS, -zlib.MAX_WBITS


def decompressed(pieces: Iterable[bytes], encoding: str, max_bytes: int) -> Iterator[bytes]:
    """The body in pieces. Raises FetchError beyond ``max_bytes`` and for a broken or unexpected compression.

    What ``encoding`` names besides compressions is ignored.
    """
    names = [name for part in encoding.lower().split(",") if (name := part.strip(" \t\"'")) in _CODINGS]
    if len(names) > 1 or not {"gzip", "x-gzip", "deflate"}.issuperset(names):
        unexpected = ", ".join(names)[:40]
        raise FetchError(Problem.BROKEN, f"It is compressed in a way that was not asked for ({unexpected}).")
    size = 0
    for piece in _unpacked(pieces, gzip=names != ["deflate"]) if names else pieces:
        size += len(piece)
        if size > max_bytes:
            raise FetchError(Problem.TOO_LARGE, f"It is larger than {max_bytes:,} bytes, and was not kept.")
        yield piece


def _unpacked(pieces: Iterable[bytes], gzip: bool) -> Iterator[bytes]:
    """Gzip members in a row, without what follows them, or ``deflate`` with or without its header."""
    unpacker = zlib.decompressobj(_GZIP) if gzip else None
    head = b""
    for piece in pieces:
        data = head + piece
        if unpacker is None:
            if len(data) < 2:  # the header may come in two pieces
                head = data
                continue
            wrapped = data[0] & 0x0F == 8 and (data[0] << 8 | data[1]) % 31 == 0
            head, unpacker = b"", zlib.decompressobj(_ZLIB if wrapped else _RAW)
        while data:
            if unpacker.eof:
                if not gzip or not data.startswith(b"\x1f"):
                    return
                unpacker = zlib.decompressobj(_GZIP)
            yield from _some(unpacker, data)
            data = unpacker.unused_data
    if head or (unpacker is not None and not unpacker.eof):
        raise FetchError(Problem.BROKEN, "It was cut off in the middle.")


def _some(unpacker: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    try:
        while not unpacker.eof:
            plain = unpacker.decompress(data, PIECE)
            if plain:
                yield plain
            data = unpacker.unconsumed_tail
            if not data and len(plain) < PIECE:  # after a full piece more may wait inside, though all data is in
                return
    except zlib.error as error:
        raise FetchError(Problem.BROKEN, "Its compression is broken.") from error


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
    text = first.replace(b"\x00", b"") if marked else first
    binary = not marked and _BINARY.search(first) is not None
    if name in (HTML, XHTML):
        return "" if binary and not _TAGS.search(text) else name
    if name == PLAIN or binary:
        return "" if binary else PLAIN
    if _TAGS.match(_BEFORE.sub(b"", text.removeprefix(b"\xff\xfe").removeprefix(b"\xfe\xff"), count=1)):
        return XHTML if name.endswith("xml") else HTML
    return "" if name == PDF or name.endswith("xml") else PLAIN
