"""Bodies without their compression, piece by piece, so that a small bomb never becomes a large one in memory.

httpx decompresses a piece as a whole, which can be a thousand times its size. So what it sends is read raw.
"""

import zlib
from collections.abc import Iterable, Iterator

from ghost.web.fetch.outcome import FetchError, Problem

ACCEPTED = "gzip, deflate"
"""What is asked for: what Python unpacks within limits by itself."""
PIECE = 64 * 1024
"""Bytes that are unpacked at a time."""
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
