"""What the server answers to a request, and the ways in which a page can misbehave: the words after ``serve:``."""

import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from ghost.demo_web.page import DemoError, Page
from ghost.demo_web.render import pdf

HTML = "text/html; charset=utf-8"
_MEGABYTE = 1_000_000
_LINE = b"<p>One more line of the log: all is well on board, and the log goes on.</p>\n"
_FOREVER = 3600.0
_GIF = bytes.fromhex("47494638396101000100800000ffffff00000021f90400000000002c00000000010001000002024401003b")
_GARBAGE = b"</p>\n<p>\xff\xfe\x00\x81 \xc3\x28 \xf0\x28\x8c\x28 \x00</p>"


@dataclass(frozen=True)
class Reply:
    """An answer; the body may come piece by piece, without an end."""

    body: bytes | Iterable[bytes] = b""
    content_type: str = HTML
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0.0
    """Seconds before the first byte."""
    length: int | None = None
    """What ``Content-Length`` says, where that is not the truth."""
    plain: bool = False
    """Whether it goes out as it is: not compressed, no validators, no answer 304."""


@dataclass(frozen=True)
class Request:
    """A request for a page, with what a behaviour may need to know."""

    page: Page
    html: bytes
    query: str
    pause: Callable[[float], bool]
    """Wait so many seconds; true when the web is being stopped."""
    elsewhere: Callable[[str], str]
    """The target of a redirect as an address that can be asked for here."""

    @property
    def start(self) -> bytes:
        """The page up to where its text ends."""
        return self.html.partition(b"</article>")[0]


def reply_of(asked: Request) -> Reply:
    """What a page answers; raises DemoError when its head names no behaviour that there is."""
    name, *words = asked.page.head.serve.split() or [""]
    if not name:
        return Reply(asked.html)
    if name not in BEHAVIOURS:
        raise DemoError(f"{asked.page.name} is served {name!r}; there are {', '.join(BEHAVIOURS)}.")
    return BEHAVIOURS[name](asked, *words)


def _pdf(asked: Request) -> Reply:
    head = asked.page.head
    return Reply(pdf(head.title, asked.page.text.split("\n\n"), head.author, head.published), "application/pdf")


def _drip(asked: Request, seconds: str) -> Reply:

    def bytes_one_by_one() -> Iterator[bytes]:
        for position in range(len(asked.html)):
            yield asked.html[position : position + 1]
            if asked.pause(float(seconds)):
                return

    return Reply(bytes_one_by_one(), length=len(asked.html))


def _endless(asked: Request) -> Reply:

    def lines() -> Iterator[bytes]:
        yield asked.start
        while not asked.pause(0.001):
            yield _LINE * 20

    return Reply(lines())


def _huge(asked: Request, megabytes: str) -> Reply:
    chunk, count = (_LINE * (_MEGABYTE // len(_LINE) + 1))[:_MEGABYTE], int(megabytes)
    body = (asked.start if n == 0 else chunk for n in range(count + 1))
    return Reply(body, length=len(asked.start) + count * _MEGABYTE)


@cache
def _bomb(megabytes: int) -> bytes:
    """A thousandth of its size on the wire."""
    packer = zlib.compressobj(1, zlib.DEFLATED, 16 + zlib.MAX_WBITS)
    parts = [packer.compress(b"<!DOCTYPE html><title>A list</title><p>")]
    parts += [packer.compress(b" " * _MEGABYTE) for _ in range(megabytes)]
    return b"".join([*parts, packer.flush()])


def _charset(asked: Request, real: str, declared: str) -> Reply:
    body = asked.html.decode().encode(real, "replace")
    return Reply(body.replace(b'charset="utf-8"', f'charset="{declared}"'.encode()), f"text/html; charset={declared}")


def _chain(asked: Request, count: str) -> Reply:
    """So many redirects, one after the other, and then the page."""
    done = int(asked.query.removeprefix("step=")) if asked.query.startswith("step=") else 0
    return Reply(asked.html) if done >= int(count) else _redirect(f"/{asked.page.path}?step={done + 1}")


def _redirect(location: str) -> Reply:
    return Reply(status=302, headers={"Location": location}, plain=True)


def _status(code: int) -> Reply:
    later = {"Retry-After": "120"} if code in (429, 503) else {}
    text = f"<!DOCTYPE html><title>Error {code}</title><h1>Error {code}</h1>"
    return Reply(text.encode(), HTML, code, later, plain=True)


BEHAVIOURS: dict[str, Callable[..., Reply]] = {
    "pdf": _pdf,
    "slow": lambda asked, seconds: Reply(asked.html, wait=float(seconds)),
    "silent": lambda asked: Reply(asked.html, wait=_FOREVER),
    "drip": _drip,
    "endless": _endless,
    "huge": _huge,
    "gzip-bomb": lambda _, megabytes: Reply(_bomb(int(megabytes)), headers={"Content-Encoding": "gzip"}, plain=True),
    "charset": _charset,
    "broken-bytes": lambda asked: Reply(asked.html.replace(b"</p>", _GARBAGE, 2)),
    "redirect": lambda asked, target: _redirect(asked.elsewhere(target)),
    "chain": _chain,
    "status": lambda _, code: _status(int(code)),
    "cut-off": lambda asked: Reply(asked.html[: len(asked.html) // 2], length=len(asked.html), plain=True),
    "picture": lambda _: Reply(_GIF, "image/gif", plain=True),
}
"""By name. Each gets the request and the words that follow its name; ``{port}`` in a redirect is this web's port."""
