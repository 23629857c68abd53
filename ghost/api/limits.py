"""Limits of the API: requests per second, runs and streams at a time, and the size of a body."""

import asyncio
import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ghost.api.problems import Problem

BODY_BYTES = 1_000_000
BODY_SECONDS = 30.0
"""So long a body may take to arrive."""
_DRAINED = 16_000_000
"""Bytes of a body that is too large that are still read, so that the sender comes to read the answer."""
MOST_RUNS = 64
"""Runs and questions that are waiting or running."""
MOST_STREAMS = 256
STREAMS_EACH = 128
"""Event streams and WebSockets with a key, in all and of one key."""
UNSIGNED_STREAMS = 16
UNSIGNED_EACH = 8
"""Those without a key, in all and from one address: strangers must not take the places of others."""
RUN_SECONDS, STREAM_SECONDS = 15, 5
"""After so long it is worth asking again for a run, or a stream."""
_MOST_OWNERS = 10_000


class Rates:
    """A bucket of tokens for each caller: it holds those of one second, and each request takes one.

    To be used from one thread.
    """

    def __init__(self, per_second: int, now: Callable[[], float] = time.monotonic) -> None:
        self._per_second, self._now = float(per_second), now
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, owner: str) -> None:
        """Count one request; raises Problem when the bucket is empty."""
        now = self._now()
        tokens, at = self._buckets.get(owner, (self._per_second, now))
        tokens = min(self._per_second, tokens + (now - at) * self._per_second)
        if tokens < 1.0:
            self._buckets[owner] = (tokens, now)
            wait = math.ceil((1.0 - tokens) / self._per_second)
            raise Problem(
                "too_many_requests", f"At most {self._per_second:g} requests a second are answered.", retry_after=wait
            )
        self._buckets[owner] = (tokens - 1.0, now)
        if len(self._buckets) > _MOST_OWNERS:  # those that were last seen a second ago have a full bucket again
            self._buckets = {name: bucket for name, bucket in self._buckets.items() if now - bucket[1] < 1.0}


class Places:
    """A number of places, of which one caller may have some. Safe to share between threads."""

    def __init__(self, code: str, what: str, most: int, each: int, retry_after: float) -> None:
        """``code`` is the problem of having no place; ``what`` names what takes one."""
        self._code, self._what, self._most, self._each, self._retry_after = code, what, most, each, retry_after
        self._lock = threading.Lock()
        self._taken: Counter[str] = Counter()

    @contextmanager
    def taken(self, owner: str, others: int = 0) -> Iterator[None]:
        """Have a place within this block; raises Problem when there is none. ``others`` are taken beside these."""
        with self._lock:
            if self._taken.total() + others >= self._most or self._taken[owner] >= self._each:
                most = min(self._most, self._each)
                raise Problem(
                    self._code, f"At most {most} {self._what} are possible at a time.", retry_after=self._retry_after
                )
            self._taken[owner] += 1
        try:
            yield
        finally:
            with self._lock:
                self._taken[owner] -= 1
                self._taken += Counter()  # drops those that have come to nought


def streams(most: int = MOST_STREAMS, each: int = STREAMS_EACH) -> Places:
    """The places for event streams and WebSockets."""
    return Places("too_many_streams", "event streams", most, each, STREAM_SECONDS)


def starts() -> Places:
    """The places for runs; those that have started count as ``others``."""
    return Places("too_many_runs", "runs and questions", MOST_RUNS, MOST_RUNS, RUN_SECONDS)


class Bodies:
    """Middleware that reads a body as a whole before anything works on it, within limits of size and time."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] in ("GET", "HEAD", "OPTIONS"):
            await self._app(scope, receive, send)
            return
        try:
            async with asyncio.timeout(BODY_SECONDS):
                body = await _read(Headers(scope=scope), receive)
        except TimeoutError:
            problem: Problem | None = Problem("too_slow", headers={"Connection": "close"})
        except Problem as found:
            problem = found
        else:
            problem = None
        if problem:
            await problem.response(scope["state"]["request_id"])(scope, receive, send)
        elif body is not None:
            scope["state"]["body"] = body
            await self._app(scope, _again(body, receive), send)


async def _read(headers: Headers, receive: Receive) -> bytes | None:
    """The body; None when the sender went away. Raises Problem for one that cannot be used."""
    body, size = bytearray(), 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        piece = message.get("body", b"")
        size += len(piece)
        if size <= BODY_BYTES:
            body += piece
        if not message.get("more_body", False) or size > _DRAINED:
            break
    if size > BODY_BYTES:
        raise Problem("body_too_large", f"At most {BODY_BYTES:,} bytes are read.", headers={"Connection": "close"})
    if body and headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise Problem("not_json_type")
    return bytes(body)


def _again(body: bytes, receive: Receive) -> Receive:
    """A ``receive`` that gives the body once more, and after it what comes next."""
    given = False

    async def receiving() -> Message:
        nonlocal given
        if given:
            return await receive()
        given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return receiving
