"""The server over HTTP: who is let in, and what a client of the SDK gets."""

import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
import uvicorn
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from ghost.errors import GhostError
from ghost.mcp import Listening, Service, http_app, serve_http
from ghost.records import ApiKeys, Database, Role
from ghost.workbench import Workbench
from tests.mcp.conftest import CLAIM, Script, cancelled_slow_check

GREETING = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "0"}}
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": GREETING}
TYPES = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}


@contextmanager
def serving(service: Service, workbench: Workbench, **options: Any) -> Iterator[str]:
    """The server in a thread; yields its address."""
    app = http_app(service, Listening("127.0.0.1", 0, **options), workbench.keys)
    server = uvicorn.Server(
        uvicorn.Config(app, "127.0.0.1", 0, log_level="warning", ws="none", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + 10
    while not server.started:
        assert time.monotonic() < deadline
        time.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/mcp"
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture
def url(service: Service, workbench: Workbench) -> Iterator[str]:
    with serving(service, workbench, origins=("https://news.example",)) as found:
        yield found


@asynccontextmanager
async def connected(url: str, key: str = "", mode: str = "auto") -> AsyncIterator[Client]:
    headers = {"Authorization": f"Bearer {key}"} if key else {}
    with anyio.fail_after(30):
        async with (
            httpx2.AsyncClient(headers=headers, timeout=30) as http,
            Client(streamable_http_client(url, http_client=http), mode=mode) as client,
        ):
            yield client


def posted(url: str, body: Any = HELLO, **headers: str) -> httpx2.Response:
    with httpx2.Client(timeout=10) as client:
        return client.post(url, json=body, headers=TYPES | headers)


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_a_check_over_http_tells_its_progress(url: str, mode: str) -> None:
    told: list[str] = []

    async def progress(_count: float, _total: float | None, message: str | None) -> None:
        told.append(message or "")

    async with connected(url, mode=mode) as client:
        answer = await client.call_tool("verify_claim", {"claim": CLAIM}, progress_callback=progress)
    assert answer.structured_content
    assert answer.structured_content["label"] == "False"
    assert "Step 1 of 7, classify" in told


@pytest.mark.anyio
@pytest.mark.parametrize("mode", ["auto", "legacy"])
async def test_cancelling_over_http_stops_the_check(
    url: str, service: Service, workbench: Workbench, script: Script, mode: str
) -> None:
    async with connected(url, mode=mode) as client:
        await cancelled_slow_check(client, service, script, workbench.runs)


def test_only_names_of_this_machine_and_no_websites_are_let_in(url: str) -> None:
    assert posted(url).status_code == 200
    assert posted(url, Host="evil.example").status_code == 421
    assert posted(url, Host="evil.example:5001").status_code == 421
    assert posted(url, Origin="https://evil.example").status_code == 403
    assert posted(url, Origin="null").status_code == 403
    assert posted(url, Origin="http://localhost.evil.example").status_code == 403
    assert posted(url, Origin="http://localhost:8501").status_code == 403, "another server of this machine"
    assert posted(url, Origin="https://news.example").status_code == 200
    with httpx2.Client() as client:
        assert client.post(url, content=b"x", headers=TYPES | {"Content-Type": "text/plain"}).status_code == 400
        assert client.post(url, content=b"{" * 2_000_000, headers=TYPES).status_code == 413
        assert client.post(url, content=b"{", headers=TYPES).status_code == 400
        assert client.get(url.replace("/mcp", "/other")).status_code == 404


def test_a_key_that_is_sent_must_be_accepted(url: str, workbench: Workbench) -> None:
    key, text = workbench.keys.add("x", Role.READ)
    assert posted(url, Authorization=f"Bearer {text}").status_code == 200
    for wrong in ("Bearer ghost_00000000_0", f"Bearer {text}0", f"Basic {text}", "Bearer", "x"):
        refused = posted(url, Authorization=wrong)
        assert refused.status_code == 401, wrong
        assert refused.headers["www-authenticate"] == "Bearer"
        assert text not in refused.text
    workbench.keys.revoke(key.id)
    refused = posted(url, Authorization=f"Bearer {text}")
    assert (refused.status_code, "revoked" in refused.text) == (401, True)
    # What a proxy passes on does not come from this machine.
    for page in ({"Sec-Fetch-Site": "same-site"}, {"Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "cors"},
                 {"Origin": "chrome-extension://ihhadedeaihmklaplhckjgalhdfblgbn"}):  # fmt: skip
        assert posted(url, **page).status_code == 401, page
    for name in ("X-Forwarded-For", "X-Forwarded-Proto", "Forwarded", "Via", "X-Real-IP"):
        assert posted(url, **{name: "203.0.113.9"}).status_code == 401, name


def test_what_is_sent_to_a_further_name_needs_a_key(service: Service, workbench: Workbench) -> None:
    _, text = workbench.keys.add("x", Role.READ)
    with serving(service, workbench, host_names=("ghost.example",)) as url:
        for host in ("ghost.example", "GHOST.example:443"):
            assert posted(url, Host=host).status_code == 401
        assert posted(url, Host="ghost.example", Authorization=f"Bearer {text}").status_code == 200
        assert posted(url).status_code == 200


@pytest.mark.anyio
async def test_a_key_allows_what_its_role_does(service: Service, workbench: Workbench) -> None:
    _, reads = workbench.keys.add("reads", Role.READ)
    _, checks = workbench.keys.add("checks", Role.VERIFY)
    with serving(service, workbench, require_key=True) as url:
        assert (await anyio.to_thread.run_sync(posted, url)).status_code == 401
        async with connected(url, reads) as client:
            assert not (await client.call_tool("search_evidence", {"query": "wall"})).is_error
            for tool, arguments in (("verify_claim", {"claim": CLAIM}), ("ask", {"question": CLAIM})):
                refused = await client.call_tool(tool, arguments)
                assert refused.is_error
                assert "--role verify" in str(refused.content)
        async with connected(url, checks) as client:
            assert not (await client.call_tool("verify_claim", {"claim": CLAIM})).is_error


def test_it_listens_nowhere_else_without_a_key_nor_where_another_server_is(tmp_path: Path, url: str) -> None:
    def never(_report: object) -> Workbench:
        raise AssertionError

    with closing(Database.open(tmp_path / "ghost.db")) as database:
        keys = ApiKeys(database)
        with pytest.raises(GhostError, match="keys add"):
            serve_http(never, Listening("0.0.0.0", 0), keys)
        with pytest.raises(GhostError, match="keys add"):
            serve_http(never, Listening("127.0.0.1", 0, require_key=True), keys)
        port = int(url.rpartition(":")[2].partition("/")[0])
        with pytest.raises(GhostError, match="The MCP server cannot listen"):
            serve_http(never, Listening("127.0.0.1", port), keys)
