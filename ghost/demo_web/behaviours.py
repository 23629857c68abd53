"""The ways in which a page can misbehave: the words after ``serve:`` in its head.

Each is a function of the page, its HTML, the words that follow, and the request's surroundings.
"""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from ghost.demo_web.page import DemoError, Page
from ghost.demo_web.pdf import pdf
from ghost.demo_web.reply import HTML, Reply

_MEGABYTE = 1_000_000
_LINE = b"<p>One more line of the log: all is well on board, and the log goes on.</p>\n"
_FOREVER = 3600.0
_GIF = bytes.fromhex("47494638396101000100800000ffffff00000021f90400000000002c00000000010001000002024401003b")


@dataclass(frozen=True)
class Around:
    """What a behaviour may need to know."""

    query: str
    """Of the address that was asked for."""
    pause: Callable[[float], bool]
    """Wait so many seconds; true when the web is being stopped."""
    elsewhere: Callable[[str], str]
    """The target of a redirect as an address that can be asked for here."""


Behaviour = Callable[[Page, bytes, list[str], Around], Reply]


def reply_of(page: Page, html: bytes, around: Around) -> Reply:
    """What a page answers; raises DemoError when its head names no behaviour that there is."""
    name, *words = page.head.serve.split() or [""]
    if not name:
        return Reply(html)
    if name not in BEHAVIOURS:
        raise DemoError(f"{page.name} is served {name!r}; there are {', '.join(BEHAVIOURS)}.")
    return BEHAVIOURS[name](page, html, words, around)


def _pdf(page: Page, _html: bytes, _words: list[str], _around: Around) -> Reply:
    paragraphs = page.text.split("\n\n")
    return Reply(pdf(page.head.title, paragraphs, page.head.author, page.head.published), "application/pdf")


def _slow(_page: Page, html: bytes, words: list[str], _around: Around) -> Reply:
    """``slow SECONDS`` before it answers."""
    return Reply(html, wait=float(words[0]))


def _silent(_page: Page, html: bytes, _words: list[str], _around: Around) -> Reply:
    """Takes the connection and never answers."""
    return Reply(html, wait=_FOREVER)


def _drip(_page: Page, html: bytes, words: list[str], around: Around) -> Reply:
    """``drip SECONDS`` between two bytes."""

    def bytes_one_by_one() -> Iterator[bytes]:
        for position in range(len(html)):
            yield html[position : position + 1]
            if around.pause(float(words[0])):
                return

    return Reply(bytes_one_by_one(), length=len(html))


def _endless(_page: Page, html: bytes, _words: list[str], around: Around) -> Reply:
    """Sends lines as long as somebody reads."""

    def lines() -> Iterator[bytes]:
        yield html.partition(b"</article>")[0]
        while not around.pause(0.001):
            yield _LINE * 20

    return Reply(lines())


def _huge(_page: Page, html: bytes, words: list[str], _around: Around) -> Reply:
    """``huge MEGABYTES``, and it says so."""
    head = html.partition(b"</article>")[0]
    chunk = (_LINE * (_MEGABYTE // len(_LINE) + 1))[:_MEGABYTE]
    count = int(words[0])

    def body() -> Iterator[bytes]:
        yield head
        for _ in range(count):
            yield chunk

    return Reply(body(), length=len(head) + count * _MEGABYTE)


def _gzip_bomb(_page: Page, _html: bytes, words: list[str], _around: Around) -> Reply:
    """``gzip-bomb MEGABYTES`` when it is unpacked; a thousandth of that on the wire."""
    return Reply(_bomb(int(words[0])), headers={"Content-Encoding": "gzip"}, plain=True)


def _charset(_page: Page, html: bytes, words: list[str], _around: Around) -> Reply:
    """``charset REAL DECLARED``: written in one, said to be the other."""
    real, declared = words
    body = html.decode().encode(real, "replace").replace(b'charset="utf-8"', f'charset="{declared}"'.encode())
    return Reply(body, f"text/html; charset={declared}")


def _broken_bytes(_page: Page, html: bytes, _words: list[str], _around: Around) -> Reply:
    """Bytes in the middle that are no text in any character set."""
    return Reply(html.replace(b"</p>", b"</p>\n<p>\xff\xfe\x00\x81 \xc3\x28 \xf0\x28\x8c\x28 \x00</p>", 2))


def _redirect(_page: Page, _html: bytes, words: list[str], around: Around) -> Reply:
    """``redirect ADDRESS``; ``{port}`` stands for the demo web's port."""
    return Reply(status=302, headers={"Location": around.elsewhere(words[0])}, plain=True)


def _chain(page: Page, html: bytes, words: list[str], around: Around) -> Reply:
    """``chain COUNT`` redirects, one after the other, and then the page."""
    done = int(around.query.removeprefix("step=")) if around.query.startswith("step=") else 0
    if done >= int(words[0]):
        return Reply(html)
    return Reply(status=302, headers={"Location": f"/{page.path}?step={done + 1}"}, plain=True)


def _status(_page: Page, _html: bytes, words: list[str], _around: Around) -> Reply:
    """``status CODE`` with an error page."""
    code = int(words[0])
    later = {"Retry-After": "120"} if code in (429, 503) else {}
    text = f"<!DOCTYPE html><title>Error {code}</title><h1>Error {code}</h1>"
    return Reply(text.encode(), HTML, code, later, plain=True)


def _cut_off(_page: Page, html: bytes, _words: list[str], _around: Around) -> Reply:
    """The connection ends after half of what was promised."""
    return Reply(html[: len(html) // 2], length=len(html), plain=True)


def _picture(_page: Page, _html: bytes, _words: list[str], _around: Around) -> Reply:
    """No page at all."""
    return Reply(_GIF, "image/gif", plain=True)


@cache
def _bomb(megabytes: int) -> bytes:
    packer = zlib.compressobj(1, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    parts = [packer.compress(b"<!DOCTYPE html><title>A list</title><p>")]
    parts += [packer.compress(b" " * _MEGABYTE) for _ in range(megabytes)]
    return b"".join([*parts, packer.flush()])


BEHAVIOURS: dict[str, Behaviour] = {
    "pdf": _pdf,
    "slow": _slow,
    "silent": _silent,
    "drip": _drip,
    "endless": _endless,
    "huge": _huge,
    "gzip-bomb": _gzip_bomb,
    "charset": _charset,
    "broken-bytes": _broken_bytes,
    "redirect": _redirect,
    "chain": _chain,
    "status": _status,
    "cut-off": _cut_off,
    "picture": _picture,
}
