"""Bodies without their compression, piece by piece, so that a small bomb never becomes a large one in memory."""

import zlib
from collections.abc import Iterable, Iterator

from ghost.web.fetched import NoPage, Problem

ACCEPTED = "gzip, deflate"
"""What is asked for: what Python unpacks within limits by itself."""
PIECE = 64 * 1024
"""Bytes that are unpacked at a time."""
_CODINGS = frozenset(
    "gzip x-gzip deflate compress x-compress br brotli zstd dcb dcz exi pack200-gzip aes128gcm sdch "
    "bzip2 x-bzip2 lzma xz lz4 snappy".split()
)
"""What is registered, and what else is in use. Servers also name what is none: ``UTF-8``, ``none``, ``binary``."""
_GZIP = 16 + zlib.MAX_WBITS
_ZLIB = zlib.MAX_WBITS
_RAW = -zlib.MAX_WBITS


def unpacked(pieces: Iterable[bytes], encoding: str, most: int) -> Iterator[bytes]:
    """The body in pieces; raises NoPage beyond ``most`` bytes and for a compression that is broken or not asked for.

    What ``encoding`` names besides compressions does nothing to the body.
    """
    names = [name for part in encoding.lower().split(",") if (name := part.strip(" \t\"'")) in _CODINGS]
    if not names:
        plain: Iterable[bytes] = pieces
    elif names in (["gzip"], ["x-gzip"]):
        plain = _gunzipped(pieces)
    elif names == ["deflate"]:
        plain = _inflated(pieces)
    else:
        raise NoPage(Problem.BROKEN, f"It is compressed in a way that was not asked for ({', '.join(names)[:40]}).")
    size = 0
    for piece in plain:
        size += len(piece)
        if size > most:
            raise NoPage(Problem.TOO_LARGE, f"It is larger than {most:,} bytes, and was not kept.")
        yield piece


def _gunzipped(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """One or more gzip members in a row; what follows them and is none is left out, as browsers do."""
    unpacker = zlib.decompressobj(_GZIP)
    for piece in pieces:
        data = piece
        while data:
            if unpacker.eof:
                if not data.startswith(b"\x1f"):
                    return
                unpacker = zlib.decompressobj(_GZIP)
            yield from _some(unpacker, data)
            data = unpacker.unused_data
    _whole(unpacker)


def _inflated(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """``deflate`` as the standard has it, or without the header, as some servers send it."""
    unpacker = None
    head = b""
    for piece in pieces:
        data = head + piece
        if unpacker is None:
            if len(data) < 2:  # the header may come in two pieces
                head = data
                continue
            head, wrapped = b"", data[0] & 0x0F == 8 and (data[0] << 8 | data[1]) % 31 == 0
            unpacker = zlib.decompressobj(_ZLIB if wrapped else _RAW)
        yield from _some(unpacker, data)
        if unpacker.eof:
            return
    if unpacker is not None or head:
        _whole(unpacker or zlib.decompressobj(_RAW))


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
        raise NoPage(Problem.BROKEN, "Its compression is broken.") from error


def _whole(unpacker: "zlib._Decompress") -> None:
    if not unpacker.eof:
        raise NoPage(Problem.BROKEN, "It was cut off in the middle.")
