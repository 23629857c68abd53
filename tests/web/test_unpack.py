"""Bodies without their compression, however they are cut into pieces and whatever their server calls them."""

import gzip
import zlib
from collections.abc import Callable

import pytest

from ghost.web import Problem
from ghost.web.fetched import NoPage
from ghost.web.unpack import PIECE, unpacked
from tests.web.sites import ARTICLE, MemoryCache, fetcher, nothing, page, site

ENOUGH = 10_000_000


def raw(body: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    return packer.compress(body) + packer.flush()


PACKED: dict[str, Callable[[bytes], bytes]] = {"gzip": gzip.compress, "deflate": zlib.compress, "Deflate": raw}


@pytest.mark.parametrize("encoding", PACKED)
@pytest.mark.parametrize("around", [PIECE, 2 * PIECE])
def test_a_body_of_any_size_comes_whole(encoding: str, around: int) -> None:
    """Where the last data is read, output may still wait: of raw ones, whose end is short, many were called cut off."""
    for size in range(around - 40, around + 300):
        packed = PACKED[encoding](b"a" * size)
        assert sum(map(len, unpacked([packed], encoding, ENOUGH))) == size


@pytest.mark.parametrize("encoding", PACKED)
@pytest.mark.parametrize("size", [1, 2, 7])
def test_a_body_in_small_pieces_comes_whole(encoding: str, size: int) -> None:
    packed = PACKED[encoding](ARTICLE * 20)
    pieces = [b"", *(packed[at : at + size] for at in range(0, len(packed), size)), b""]
    assert b"".join(unpacked(pieces, encoding, ENOUGH)) == ARTICLE * 20


@pytest.mark.parametrize("encoding", PACKED)
def test_what_is_cut_off_is_broken_wherever(encoding: str) -> None:
    packed = PACKED[encoding](ARTICLE)
    for end in range(1, len(packed)):
        with pytest.raises(NoPage) as raised:
            list(unpacked([packed[:end]], encoding, ENOUGH))
        assert raised.value.problem == Problem.BROKEN


def test_the_limit_holds_to_the_byte() -> None:
    assert sum(map(len, unpacked([raw(b"a" * PIECE)], "deflate", PIECE))) == PIECE
    with pytest.raises(NoPage) as raised:
        list(unpacked([raw(b"a" * (PIECE + 1))], "deflate", PIECE))
    assert raised.value.problem == Problem.TOO_LARGE


NONE = ["UTF-8", "none", "binary", "8bit", "text/html", "identity, UTF-8", "en", "''"]


@pytest.mark.parametrize("encoding", NONE)
def test_what_is_no_compression_does_nothing(encoding: str) -> None:
    assert b"".join(unpacked([ARTICLE], encoding, ENOUGH)) == ARTICLE


def test_a_compression_beside_it_is_undone() -> None:
    for encoding in ("gzip, UTF-8", "none, gzip", '"gzip"'):
        assert b"".join(unpacked([gzip.compress(ARTICLE)], encoding, ENOUGH)) == ARTICLE


@pytest.mark.parametrize("encoding", ["br", "zstd", "compress", "xz", "utf-8, br", "gzip, br"])
def test_a_compression_that_was_not_asked_for_is_refused(encoding: str) -> None:
    with pytest.raises(NoPage) as raised:
        list(unpacked([ARTICLE], encoding, ENOUGH))
    assert raised.value.problem == Problem.BROKEN


def test_a_robots_txt_with_such_a_header_is_heeded() -> None:
    def answers(request: object) -> bytes:
        if getattr(request, "path", "") == "/robots.txt":
            return page(b"User-agent: *\nDisallow: /private", content_type="text/plain", Content_Encoding="utf-8")
        return page(Content_Encoding="utf-8")

    with site(answers) as running:
        asking = fetcher(running, cache=MemoryCache())
        assert getattr(asking.fetch(f"{running.url}/open", 5, nothing), "body", b"") == ARTICLE
        assert getattr(asking.fetch(f"{running.url}/private", 5, nothing), "kind", "") == Problem.ROBOTS
