"""The demo web: one HTTP server on 127.0.0.1 that is many sites, told apart by the Host header, and a search engine.

The hosts end in ``.test``, a name that the internet promises never to give to anybody. Search results and redirects say
``http://velmark-press.test:PORT/...``. A fetcher must look up its hosts with ``web.opening.resolve`` and let exactly
the pairs of host and port of ``web.opening.local`` through its address check. ``Opening.on(port)`` is the same in
another process, and ``web.plain(url)`` brings an address to the form that the claims use.

A request that names no site of the web, such as 127.0.0.1 itself, gets the search engine and a list of all pages for
people, and below ``/private/`` something that no fetcher must ever reach; ``web.asked`` has every request.
"""

import gzip
import hashlib
import threading
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, unquote, urlsplit, urlunsplit

from ghost.demo_web.behaviours import Reply, Request, reply_of
from ghost.demo_web.library import Library
from ghost.demo_web.page import Page
from ghost.demo_web.render import atlas_html, front_html, page_html
from ghost.demo_web.search import Index, search
from ghost.demo_web.surroundings import ADDRESS, Opening

PRIVATE = "/private/"
SECRET = b"If you read this, an address check has failed."
_MAX_ASKED = 10_000
_READ_NEXT = 4
_GZIP_FROM = 1_000
_NOT_FOUND = Reply(b"<!DOCTYPE html><title>Not found</title><h1>Not found</h1>", status=404, plain=True)


@dataclass(frozen=True)
class Asked:
    """A request as it came in."""

    host: str
    path: str
    headers: Mapping[str, str]
    query: str = ""


class DemoWeb:
    """The web, running between ``start`` and ``stop`` or in a ``with`` block."""

    def __init__(self, port: int = 0, library: Library | None = None) -> None:
        """Port 0 takes any free one. Raises DemoError when the content cannot be used."""
        self.library = library or Library.read()
        self.index = Index(self.library.pages)
        self.asked: list[Asked] = []
        self._wanted_port = port
        self._server: ThreadingHTTPServer | None = None
        self._thread: threading.Thread | None = None
        self._stopping = threading.Event()

    def start(self) -> None:
        """Open the port and answer; raises OSError when the port is taken."""
        self._stopping.clear()
        self._server = _Server((ADDRESS, self._wanted_port), _handler(self))
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, name="demoweb", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """Close the port and end every answer that is under way."""
        self._stopping.set()
        if self._server and self._thread:
            self._server.shutdown()
            self._server.server_close()
            self._thread.join(5)
        self._server = self._thread = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.stop()

    @property
    def port(self) -> int:
        """Where it listens; raises RuntimeError when it does not."""
        if self._server is None:
            raise RuntimeError("The demo web is not running.")
        return self._server.server_port

    @property
    def url(self) -> str:
        """The address of the search engine, as the setting of a SearXNG."""
        return f"http://{ADDRESS}:{self.port}"

    @property
    def opening(self) -> Opening:
        """What a fetcher must be told: ``local`` and ``resolve``."""
        return Opening(frozenset(self.library.sites), self.port)

    def at(self, url: str) -> str:
        """A plain address (``http://HOST/PATH``) as it is fetched here; others stay as they are."""
        parts = urlsplit(url)
        if parts.scheme != "http" or parts.netloc not in self.library.sites:
            return url
        return urlunsplit(parts._replace(netloc=f"{parts.netloc}:{self.port}"))

    def plain(self, url: str) -> str:
        """The address without this web's port, as the labelled claims have it."""
        parts = urlsplit(url)
        host = parts.netloc.removesuffix(f":{self.port}")
        return urlunsplit(parts._replace(netloc=host)) if host in self.library.sites else url

    def reply(self, asked: Asked, words: Mapping[str, str]) -> Reply:
        """What a request is answered; ``words`` are its parameters."""
        site = self.library.sites.get(asked.host)
        if site is None:
            return self._own(asked, words)
        if asked.path == "/robots.txt":
            return _NOT_FOUND if site.robots is None else Reply(site.robots.encode(), "text/plain; charset=utf-8")
        if asked.path == "/":
            return Reply(front_html(site, self.library.of(asked.host)).encode())
        page = self.library.by_name.get(f"{asked.host}{asked.path}")
        return self._page(page, asked) if page else _NOT_FOUND

    def _own(self, asked: Asked, words: Mapping[str, str]) -> Reply:
        """The answers of the bare address."""
        if asked.host not in (ADDRESS, "localhost"):
            return Reply(b"<!DOCTYPE html><title>No such site here</title>", status=421, plain=True)
        if asked.path == "/search" or (asked.path == "/" and "q" in words):
            return search(self.index, words, self.at)
        if asked.path == "/":
            sites = [(host, site, self.library.of(host)) for host, site in self.library.sites.items()]
            return Reply(atlas_html(sites, self.port).encode())
        if asked.path.startswith("/at/"):
            page = self.library.by_name.get(asked.path.removeprefix("/at/"))
            return self._page(page, asked) if page else _NOT_FOUND
        return Reply(SECRET, "text/plain", plain=True) if asked.path.startswith(PRIVATE) else _NOT_FOUND

    def _page(self, page: Page, asked: Asked) -> Reply:
        others = [other for other in self.library.of(page.host) if other is not page][:_READ_NEXT]
        html = page_html(page, self.library.sites[page.host], others, self.at(f"http://{page.host}"))

        def elsewhere(target: str) -> str:
            return self.at(target.replace("{port}", str(self.port)))

        return reply_of(Request(page, html.encode(), asked.query, self._stopping.wait, elsewhere))


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False  # an endless answer ends when it next looks whether the web is being stopped
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A reader that hangs up is no news."""


def _handler(web: DemoWeb) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        server_version = "DemoWeb"
        sys_version = ""
        timeout = 30

        def do_GET(self) -> None:
            self.close_connection = True
            parts = urlsplit(self.path)
            host = self.headers.get("Host", "").lower().rpartition("]")[2].partition(":")[0].rstrip(".")
            asked = Asked(host, unquote(parts.path) or "/", dict(self.headers), parts.query)
            if len(web.asked) < _MAX_ASKED:
                web.asked.append(asked)
            words = {name: values[0] for name, values in parse_qs(parts.query, keep_blank_values=True).items()}
            reply = web.reply(asked, words)
            if web._stopping.wait(reply.wait):
                return
            with suppress(OSError):  # whoever asked may have hung up
                self._send(reply if reply.plain or not isinstance(reply.body, bytes) else _dressed(reply, asked))

        do_HEAD = do_GET

        def _send(self, reply: Reply) -> None:
            self.send_response(reply.status)
            length = reply.length
            if length is None and isinstance(reply.body, bytes):
                length = len(reply.body)
            headers = {"Content-Type": reply.content_type, "Connection": "close", **reply.headers}
            if length is not None:
                headers["Content-Length"] = str(length)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            if self.command == "HEAD" or reply.status == 304:
                return
            for chunk in (reply.body,) if isinstance(reply.body, bytes) else reply.body:
                if web._stopping.is_set():
                    return
                self.wfile.write(chunk)

        def log_message(self, *args: object) -> None:
            """Not on the screen."""

    return Handler


def _dressed(reply: Reply, asked: Asked) -> Reply:
    """An ordinary answer with what ordinary servers add: validators, compression, and 304 for who has it already."""
    assert isinstance(reply.body, bytes)
    tag = f'"{hashlib.sha256(reply.body).hexdigest()[:16]}"'
    headers = {**reply.headers, "ETag": tag, "Vary": "Accept-Encoding"}
    sent = {name.lower(): value for name, value in asked.headers.items()}
    if tag in sent.get("if-none-match", ""):
        return Reply(b"", reply.content_type, 304, headers)
    packs = "gzip" in sent.get("accept-encoding", "") and len(reply.body) >= _GZIP_FROM
    body = gzip.compress(reply.body, 1, mtime=0) if packs else reply.body
    packed = {"Content-Encoding": "gzip"} if packs else {}
    return Reply(body, reply.content_type, reply.status, headers | packed, reply.wait, reply.length)
