"""The client for search APIs that answer in JSON: one request within its time and size, every failure by its name.

Keys leave this file in requests only. No error names an address, an answer that repeats the key is read without it,
and a key that an API wants in the address is put there below httpx, which logs the addresses it asks. A name and
password in the address of a server go into a header. Proxies of the environment are used, as a SearXNG or an API may
only be reachable through them.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlencode

import httpx
from pydantic_core import from_json

from ghost.errors import (
    NO_CONNECTION,
    ProviderBusyError,
    ProviderError,
    ProviderRefusedError,
    ProviderTimeoutError,
    ProviderUnreachableError,
    RateLimitError,
)
from ghost.web.extract.dates import day_in
from ghost.web.fetch.body import ACCEPTED, decompressed
from ghost.web.fetch.client import USER_AGENT
from ghost.web.fetch.deadline import retry_after_seconds
from ghost.web.fetch.outcome import FetchError, Problem
from ghost.web.providers.base import Hit

MAX_BYTES = 1_000_000
MAX_ROWS = 100
SECRET_CHARS = 12
"""A shorter key is no secret, and would be found in ordinary words."""
MAX_WAIT = 31 * 24 * 3600.0
"""Seconds. No server means a longer Retry-After."""
_BROKEN = "answer is not what its API promises."


@dataclass(frozen=True, slots=True)
class Answer:
    """A response, whatever its status."""

    who: str
    status: int
    headers: Mapping[str, str]
    body: bytes

    def data(self) -> Any:
        """Its JSON, None where it is none."""
        try:
            return from_json(self.body)
        except ValueError:
            return None

    def at(self, *path: str) -> Any:
        """The part under these names. None when there is no such part."""
        part = self.data()
        for name in path:
            part = part.get(name) if isinstance(part, dict) else None
        return part

    def rows(self, *path: str, key: str, required: bool = False) -> list[dict[str, Any]]:
        """The rows under these names that have a ``key``. A broken row costs only itself.

        Raises ProviderError where all are broken, or where there is no list and one is ``required``.
        """
        part = self.at(*path)
        if part is None and not required:
            return []
        rows = with_key(part, key)
        if not isinstance(part, list) or (part and not rows):
            raise self.broken()
        return rows

    def broken(self) -> ProviderError:
        """It is not what the API documents."""
        return ProviderError(f"{self.who}'s {_BROKEN}")

    def wait(self) -> float | None:
        """The seconds that its ``Retry-After`` asks to wait. None when it does not say."""
        return wait(self.headers.get("Retry-After", ""))


def with_key(rows: object, key: str) -> list[dict[str, Any]]:
    """The rows of a list that are objects with a text or a number under ``key``, and not more than MAX_ROWS."""
    some = rows[:MAX_ROWS] if isinstance(rows, list) else []
    return [row for row in some if isinstance(row, dict) and type(row.get(key)) in (str, int)]


def text_at(row: object, name: str) -> str:
    """A text that may be missing. Anything else counts as empty."""
    value = row.get(name) if isinstance(row, dict) else None
    return value if isinstance(value, str) else ""


def hit_in(row: dict[str, Any], provider: str, url: str, snippet: str, day: str) -> Hit:
    """A row as a Hit, given the names of its fields. The day may be in any form."""
    return Hit(row[url], text_at(row, "title"), text_at(row, snippet), provider, day_in(text_at(row, day)))


@dataclass(frozen=True, slots=True)
class ProviderClient:
    """One API of one provider."""

    who: str
    url: str
    key: str = field(default="", repr=False)
    key_setting: str = ""
    """The variable that holds the key, for the message about a refused one."""
    key_header: str = ""
    """The header that carries the key. ``{}`` in ``key_format`` stands for it."""
    key_format: str = "{}"
    key_parameter: str = ""
    """The parameter that carries the key, for an API that knows no header."""
    explain: Callable[[Answer], ProviderError | None] = lambda _: None
    """Reads an error (status 400 and above) that says more than its status."""
    own_errors: bool = False
    """Whether the provider reads an ``error`` in an answer of status 200 itself. Otherwise it fails the search."""

    def get(self, asked: Mapping[str, str | int], seconds: float) -> Answer:
        """The answer to a GET with these parameters, which is an object. Raises ProviderError."""
        return self._ask("GET", {"params": dict(asked)}, seconds)

    def post(self, asked: Mapping[str, Any], seconds: float) -> Answer:
        """The answer to a POST with this as JSON. Raises ProviderError."""
        return self._ask("POST", {"json": dict(asked)}, seconds)

    def refused(self, code: str) -> ProviderRefusedError:
        """The provider accepts neither the key nor the search. ``code`` is what it answered."""
        remedy = f" Check {self.key_setting}." if self.key_setting else ""
        return ProviderRefusedError(f"{self.who} refused the {'key' if self.key else 'search'} ({code}).{remedy}")

    def limited(self, seconds: float | None) -> RateLimitError:
        """The provider wants no more searches for ``seconds``. None when it does not say for how long."""
        when = f"in {seconds:g} s" if seconds is not None else "later"
        return RateLimitError(f"{self.who} refuses more searches for now. Try again {when}.", seconds)

    def _ask(self, method: str, content: dict[str, Any], seconds: float) -> Answer:
        try:
            answer = self._send(method, content, seconds)
        except httpx.TimeoutException as error:
            raise ProviderTimeoutError(f"{self.who} did not answer in time.") from error
        except (httpx.ConnectError, httpx.ProxyError, httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
            raise ProviderUnreachableError(f"{self.who} {NO_CONNECTION}") from error
        except (httpx.NetworkError, httpx.RemoteProtocolError) as error:
            raise ProviderBusyError(f"{self.who} broke off its answer ({type(error).__name__}).") from error
        except httpx.HTTPError as error:
            raise ProviderError(f"{self.who}'s answer was cut off or broken ({type(error).__name__}).") from error
        if answer.status != 200:
            raise self._failure(answer)
        if not isinstance(answer.data(), dict):
            raise answer.broken()
        if not self.own_errors and (reported := answer.at("error")):
            raise self._failure(replace(answer, status=_status_in(reported)))
        return answer

    def _send(self, method: str, content: dict[str, Any], seconds: float) -> Answer:
        """The answer within ``seconds`` as a whole and MAX_BYTES. httpx counts its seconds between two pieces only."""
        deadline = time.monotonic() + seconds
        with httpx.Client(timeout=seconds, headers=self._headers(), follow_redirects=False) as client:
            url = httpx.URL(self.url)
            request = client.build_request(method, url.copy_with(username=None, password=None), **content)
            if self.key_parameter and self.key:
                # httpx's documented way to ask the server for something else than the address says. The request
                # itself, which the client logs and its errors carry, stays without the key.
                join = b"&" if request.url.query else b"?"
                secret = urlencode({self.key_parameter: self.key}).encode()
                request.extensions["target"] = request.url.raw_path + join + secret
            login = httpx.BasicAuth(url.username, url.password) if url.username else None
            response = client.send(request, stream=True, auth=login)
            try:
                body = bytearray()
                encoding = response.headers.get("content-encoding", "")
                for piece in decompressed(response.iter_raw(), encoding, MAX_BYTES):
                    body += piece
                    if time.monotonic() > deadline:
                        raise ProviderTimeoutError(f"{self.who} did not answer in time.")
            except FetchError as broken:
                why = "was cut off or broken (compression)"
                if broken.problem is Problem.TOO_LARGE:
                    why = f"is longer than {MAX_BYTES:,} bytes and was not read"
                raise ProviderError(f"{self.who}'s answer {why}.") from None
            finally:
                response.close()
        return Answer(self.who, response.status_code, response.headers, self._without_key(bytes(body)))

    def _headers(self) -> dict[str, str]:
        agent = f"{USER_AGENT} python-httpx/{httpx.__version__}"
        headers = {"User-Agent": agent, "Accept": "application/json", "Accept-Encoding": ACCEPTED}
        if self.key_header and self.key:
            headers[self.key_header] = self.key_format.format(self.key)
        return headers

    def _without_key(self, body: bytes) -> bytes:
        """An API may repeat the key in an error, or in the links of its answer."""
        return body.replace(self.key.encode(), b"(key)") if len(self.key) >= SECRET_CHARS else body

    def _failure(self, answer: Answer) -> ProviderError:
        """The error that an answer stands for. The provider's own reading comes first."""
        explained = self.explain(answer) if answer.status >= 400 or answer.status == 200 else None
        if explained:
            return explained
        if answer.status == 200:
            return ProviderError(f"{self.who} answered with an error in place of hits.")
        code = f"HTTP {answer.status}"
        if answer.status in (401, 403):
            return self.refused(code)
        if answer.status == 429:
            return self.limited(answer.wait())
        if answer.status >= 500:
            return ProviderBusyError(f"{self.who} has trouble of its own ({code}).", answer.wait())
        return ProviderError(f"{self.who} answered with {code}.")


def wait(header: str) -> float | None:
    """The seconds that the value of a header asks to wait, MAX_WAIT at most. None when it does not say."""
    seconds = retry_after_seconds(header, datetime.now(UTC))
    return None if seconds is None else min(seconds, MAX_WAIT)


def _status_in(error: object) -> int:
    """The status that an error in an answer gives itself, 200 when it gives none."""
    named = [error.get(name) for name in ("code", "status")] if isinstance(error, dict) else []
    return next((code for code in named if type(code) is int and 400 <= code < 600), 200)
