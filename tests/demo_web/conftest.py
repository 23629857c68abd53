"""One demo web for all tests of this folder, and a client that speaks to it as a fetcher would."""

import http.client
import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode, urlsplit

import pytest

from ghost.demo_web import DemoWeb


@dataclass(frozen=True)
class Got:
    """An answer as it came over the socket: nothing unpacked, no redirect followed."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


Get = Callable[..., Got]


@pytest.fixture(scope="module")
def web() -> Iterator[DemoWeb]:
    with DemoWeb() as running:
        yield running


def ask(
    web: DemoWeb, url: str, seconds: float = 10, method: str = "GET", body: str | None = None, **headers: str
) -> Got:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=seconds)
    try:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        target = f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"
        connection.request(method, target, body, {"Host": parts.netloc, **named})
        answer = connection.getresponse()
        return Got(answer.status, {n.lower(): v for n, v in answer.getheaders()}, answer.read())
    finally:
        connection.close()


@pytest.fixture
def get(web: DemoWeb) -> Get:
    return lambda url, *args, **kwargs: ask(web, url, *args, **kwargs)


@pytest.fixture
def find(web: DemoWeb) -> Callable[..., list[dict[str, Any]]]:
    """The results of a search."""

    def found(q: str, **words: str) -> list[dict[str, Any]]:
        answer = ask(web, f"{web.url}/search?{urlencode({'q': q, 'format': 'json', **words})}")
        assert answer.status == 200
        assert answer.headers["content-type"] == "application/json"
        results: list[dict[str, Any]] = json.loads(answer.body)["results"]
        return results

    return found
