"""Asking a search API that answers in JSON: one request within its time and size, and every failure by its name.

Keys leave this file in requests only. They are kept out of everything that may be shown or logged: no error names an
address, an answer that repeats the key is read without it, and a key that an API wants in the address is put there
below the HTTP client, which logs the addresses it asks.
A name and password in the address of a server go into a header.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Annotated, Any, TypeVar
from urllib.parse import urlencode

import httpx
from pydantic import BaseModel, BeforeValidator, ValidationError, ValidationInfo, WrapValidator
from pydantic_core.core_schema import ValidatorFunctionWrapHandler

from ghost import __version__
from ghost.errors import (
    ProviderBusyError,
    ProviderError,
    ProviderRefusedError,
    ProviderTimeoutError,
    ProviderUnreachableError,
    RateLimitError,
)
from ghost.web.fetched import NoPage, Problem
from ghost.web.retry_after import seconds_of
from ghost.web.unpack import ACCEPTED, unpacked

USER_AGENT = (
    f"ghost-workbench/{__version__} (checks claims for one reader; no bulk use) python-httpx/{httpx.__version__}"
)
MAX_BYTES = 1_000_000
"""Longer answers are not read; ten hits have a hundredth of it."""
MAX_ROWS = 100
SECRET_CHARS = 12
MAX_WAIT = 31 * 24 * 3600.0
"""Seconds; nobody means a longer Retry-After."""
M = TypeVar("M", bound=BaseModel)
T = TypeVar("T")


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _usable(value: object, read: ValidatorFunctionWrapHandler, info: ValidationInfo) -> list[Any]:
    del info
    if not isinstance(value, list):
        raise ValueError("not a list")
    kept: list[Any] = []
    for row in value[:MAX_ROWS]:
        try:
            kept += read([row])
        except ValidationError:
            continue
    if value and not kept:
        raise ValueError("no row can be read")
    return kept


def _maybe(value: object, read: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
    del info
    try:
        return read(value)
    except ValidationError:
        return None


Text = Annotated[str, BeforeValidator(_text)]
"""A text that may be missing: what is none is empty."""
Rows = Annotated[list[T], WrapValidator(_usable)]
"""Rows of which a broken one costs only itself; when all are broken, the answer is."""

Maybe = Annotated[T | None, WrapValidator(_maybe)]
"""A part that may be missing or broken; then it is None."""


class Failing(BaseModel):
    """An answer that may be an error though its status is 200; without this field it would be one without a hit."""

    error: Any = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, whatever its status."""

    status: int
    headers: Mapping[str, str]
    body: bytes


def no_reading(answer: Answer) -> ProviderError | None:
    """For an API whose errors say no more than their status."""
    del answer
    return None


@dataclass(frozen=True, slots=True)
class JsonApi:
    """One API: its address, its key, and how its errors read."""

    who: str
    """As in a sentence: who receives the words."""
    url: str
    key: str = field(default="", repr=False)
    key_setting: str = ""
    """The variable that holds the key, for the sentence about a refused one."""
    key_header: str = ""
    """The header that carries the key; ``{}`` in ``key_format`` stands for it."""
    key_format: str = "{}"
    key_parameter: str = ""
    """The parameter that carries the key, for an API that knows no header."""
    explain: Callable[[Answer], ProviderError | None] = no_reading
    """Reads an error (status 400 and above) where it says more than its status."""

    def get(self, model: type[M], asked: Mapping[str, str | int], seconds: float) -> M:
        """The answer to a GET with these parameters; raises ProviderError."""
        return self._ask(model, "GET", {"params": dict(asked)}, seconds)

    def post(self, model: type[M], asked: Mapping[str, Any], seconds: float) -> M:
        """The answer to a POST with this as JSON; raises ProviderError."""
        return self._ask(model, "POST", {"json": dict(asked)}, seconds)

    def _ask(self, model: type[M], method: str, what: dict[str, Any], seconds: float) -> M:
        try:
            answer = self._send(method, what, seconds)
        except httpx.TimeoutException as error:
            raise ProviderTimeoutError(f"{self.who} did not answer in time.") from error
        except (httpx.ConnectError, httpx.ProxyError, httpx.UnsupportedProtocol, httpx.InvalidURL) as error:
            raise ProviderUnreachableError(f"{self.who} cannot be reached. Is there a network?") from error
        except (httpx.NetworkError, httpx.RemoteProtocolError) as error:
            raise ProviderBusyError(f"{self.who} broke off its answer ({type(error).__name__}).") from error
        except httpx.HTTPError as error:
            raise ProviderError(f"{self.who}'s answer was cut off or broken ({type(error).__name__}).") from error
        if answer.status != 200:
            raise self._failure(answer)
        try:
            found = model.model_validate_json(answer.body)
        except ValidationError:  # it shows parts of the answer, so it is not passed on as the cause
            raise ProviderError(f"{self.who}'s answer is not what its API promises.") from None
        if isinstance(found, Failing) and found.error:
            raise self._failure(replace(answer, status=_status_of(found.error)))
        return found

    def _send(self, method: str, what: dict[str, Any], seconds: float) -> Answer:
        """The answer, within ``seconds`` as a whole and MAX_BYTES; httpx counts its seconds between two pieces only."""
        deadline = time.monotonic() + seconds
        with httpx.Client(timeout=seconds, headers=self._headers(), follow_redirects=False) as client:
            url = httpx.URL(self.url)
            request = client.build_request(method, url.copy_with(username=None, password=None), **what)
            if self.key_parameter and self.key:
                # Documented for httpx: what is asked of the server in place of the address. The request itself, which
                # the client logs and its errors carry, stays without the key.
                join = b"&" if request.url.query else b"?"
                request.extensions["target"] = (
                    request.url.raw_path + join + urlencode({self.key_parameter: self.key}).encode()
                )
            login = httpx.BasicAuth(url.username, url.password) if url.username else None
            answer = client.send(request, stream=True, auth=login)
            try:
                body = bytearray()
                # Unpacked here and not by httpx, which makes all of a piece at once: a thousand times its size.
                for piece in unpacked(answer.iter_raw(), answer.headers.get("content-encoding", ""), MAX_BYTES):
                    body += piece
                    if time.monotonic() > deadline:
                        raise ProviderTimeoutError(f"{self.who} did not answer in time.")
            except NoPage as broken:
                if broken.problem is Problem.TOO_LARGE:
                    raise ProviderError(
                        f"{self.who}'s answer is longer than {MAX_BYTES:,} bytes and was not read."
                    ) from None
                raise ProviderError(f"{self.who}'s answer was cut off or broken (compression).") from None
            finally:
                answer.close()
        return Answer(answer.status_code, answer.headers, self._without_key(bytes(body)))

    def _headers(self) -> dict[str, str]:
        headers = {"User-Agent": USER_AGENT, "Accept": "application/json", "Accept-Encoding": ACCEPTED}
        if self.key_header and self.key:
            headers[self.key_header] = self.key_format.format(self.key)
        return headers

    def _without_key(self, body: bytes) -> bytes:
        """An API may repeat the key in an error, or in the links of its answer."""
        # What is shorter is no secret, and would be found in words.
        return body.replace(self.key.encode(), b"(key)") if len(self.key) >= SECRET_CHARS else body

    def _failure(self, answer: Answer) -> ProviderError:
        """What an answer says that is none; the best reading of it comes first."""
        return (self.explain(answer) if answer.status >= 400 or answer.status == 200 else None) or self._named(answer)

    def _named(self, answer: Answer) -> ProviderError:
        if answer.status == 200:
            return ProviderError(f"{self.who} answered with an error in place of hits.")
        code = f"HTTP {answer.status}"
        if answer.status in (401, 403):
            return self.refused(code)
        if answer.status == 429:
            return self.limited(wait_of(answer.headers))
        if answer.status >= 500:
            return ProviderBusyError(f"{self.who} has trouble of its own ({code}).", wait_of(answer.headers))
        return ProviderError(f"{self.who} answered with {code}.")

    def refused(self, code: str) -> ProviderRefusedError:
        """It does not accept the key, or the one who asks; ``code`` is what it said."""
        remedy = f" Check {self.key_setting}." if self.key_setting else ""
        return ProviderRefusedError(f"{self.who} refused the {'key' if self.key else 'search'} ({code}).{remedy}")

    def limited(self, seconds: float | None) -> RateLimitError:
        """It wants no more searches for ``seconds``; None when it does not say for how long."""
        when = f"in {seconds:g} s" if seconds is not None else "later"
        return RateLimitError(f"{self.who} refuses more searches for now. Try again {when}.", seconds)


def _status_of(error: object) -> int:
    """The status that an error in an answer gives itself; 200 when it gives none."""
    told = [error.get(name) for name in ("code", "status")] if isinstance(error, dict) else []
    return next((code for code in told if type(code) is int and 400 <= code < 600), 200)


def wait_of(headers: Mapping[str, str], name: str = "Retry-After") -> float | None:
    """The seconds that a header asks to wait, MAX_WAIT at most; None when it does not say."""
    seconds = seconds_of(headers.get(name, ""), datetime.now(UTC))
    return None if seconds is None else min(seconds, MAX_WAIT)


def parsed(model: type[M], body: bytes) -> M | None:
    """The body of an error as its documentation has it; None when it is something else."""
    try:
        return model.model_validate_json(body)
    except ValidationError:
        return None
