"""Bodies without their compression, piece by piece, so that a small bomb never becomes a large one in memory."""

import zlib
from collections.abc import Iterable, Iterator

from ghost.web.fetched import NoPage, Problem

ACCEPTED = "gzip, deflate"
"""What is asked for: what Python unpacks within limits by itself."""
PIECE = 64 * 1024
"""Bytes that are unpacked at a time."""
_GZIP = 16 + zlib.MAX_WBITS
_ZLIB = zlib.MAX_WBITS
_RAW = -zlib.MAX_WBITS


def unpacked(pieces: Iterable[bytes], encoding: str, most: int) -> Iterator[bytes]:
    """The body in pieces; raises NoPage beyond ``most`` bytes and for a compression that is unknown or broken."""
    names = [name for part in encoding.lower().split(",") if (name := part.strip()) not in ("", "identity")]
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
    for piece in pieces:
        if unpacker is None:
            wrapped = len(piece) > 1 and piece[0] & 0x0F == 8 and (piece[0] << 8 | piece[1]) % 31 == 0
            unpacker = zlib.decompressobj(_ZLIB if wrapped else _RAW)
        yield from _some(unpacker, piece)
        if unpacker.eof:
            return
    if unpacker is not None:
        _whole(unpacker)


def _some(unpacker: "zlib._Decompress", data: bytes) -> Iterator[bytes]:
    try:
        while data and not unpacker.eof:
            yield unpacker.decompress(data, PIECE)
            data = unpacker.unconsumed_tail
    except zlib.error as error:
        raise NoPage(Problem.BROKEN, "Its compression is broken.") from error


def _whole(unpacker: "zlib._Decompress") -> None:
    if not unpacker.eof:
        raise NoPage(Problem.BROKEN, "It was cut off in the middle.")
