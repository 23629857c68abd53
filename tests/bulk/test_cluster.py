"""Lists on a cluster that was there before, over PostgreSQL and a Chroma server: nodes and the head are lost."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from config import PROJECT
from ghost.bulk import collect
from ghost.types import Claim
from ghost.workbench import Workbench
from tests.bulk.bench import claims, opened
from tests.bulk.cluster import Cluster
from tests.bulk.lists import rows, wait, written

if TYPE_CHECKING:
    from ghost.testing import ChromaServer, PostgresServer
    from tests.databases import EmptyDatabases

pytestmark = [
    pytest.mark.cluster,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="finds processes as Linux shows them"),
]
SECONDS = 180.0
RAY_GIVES_UP = 60.0
CLAIMS = 120


@pytest.fixture(scope="module")
def servers(
    postgres_server: "PostgresServer", empty_databases: "EmptyDatabases", chroma_server: "ChromaServer"
) -> Iterator[dict[str, str]]:
    name = empty_databases.lend()
    yield {"database_url": postgres_server.url(name), "chroma_url": chroma_server.url}
    empty_databases.take_back(name)


@pytest.fixture(scope="module")
def shared(servers: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    with opened(tmp_path_factory.mktemp("shared"), **servers) as workbench:
        yield workbench


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    started = Cluster()
    yield started
    started.remove()


@pytest.fixture(scope="module")
def listed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return written(tmp_path_factory.mktemp("lists") / "list.csv", claims(CLAIMS))


def driven(
    cluster: Cluster, servers: dict[str, str], listed: Path, out: Path, opened_by: Path, *more: str
) -> "subprocess.Popen[str]":
    opened_by.mkdir(exist_ok=True)
    where = ["--address", cluster.address, "--database", servers["database_url"], "--chroma", servers["chroma_url"]]
    command = [sys.executable, "-m", "tests.bulk.drive", str(opened_by), str(listed), str(out), *where, *more]
    return subprocess.Popen(
        command, cwd=PROJECT, env=cluster.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )


def ended(process: "subprocess.Popen[str]") -> tuple[int, str]:
    said, _ = process.communicate(timeout=SECONDS)
    return process.returncode, said


def until(process: "subprocess.Popen[str]", out: Path, parts: int) -> dict[Path, int]:
    """The parts that are done, once there are so many."""
    wait(lambda: len(done(out)) >= parts or process.poll() is not None)
    assert process.poll() is None, ended(process)
    return done(out)


def done(out: Path) -> dict[Path, int]:
    """The parts that are done, and when each was."""
    return {file: file.stat().st_mtime_ns for file in (out / "results").glob("part-*")}


def check_lost(process: "subprocess.Popen[str]") -> None:
    """The command ends by itself, and says why before Ray would end it."""
    began = time.monotonic()
    code, said = ended(process)
    assert code == 1, said
    assert re.match(r"The head of Ray at \S+ has been silent for 20 seconds\. What was checked is kept: ", said)
    assert said.count("\n") == 1, said
    assert time.monotonic() - began < RAY_GIVES_UP


def check_all(out: Path, bench: Workbench) -> None:
    """Each line has one result, the one of a single run."""
    found = rows(out)
    assert [row["id"] for row in found] == [f"c{n}" for n in range(CLAIMS)]
    for row in found[::10]:
        verdict = collect(bench.verify(Claim(row["claim"]), web=False)).verdict
        assert verdict is not None
        assert (row["verdict"], row["confidence"]) == (verdict.label, verdict.confidence)


def test_a_cluster_that_wants_its_token(cluster: Cluster, listed: Path, tmp_path: Path) -> None:
    environment = os.environ | {"HOME": str(tmp_path)}
    command = [sys.executable, "-m", "tests.bulk.drive", str(tmp_path), str(listed), str(tmp_path / "out")]
    refused = subprocess.run(
        [*command, "--address", cluster.address], cwd=PROJECT, env=environment, capture_output=True, text=True,
        timeout=SECONDS, check=False,
    )  # fmt: skip
    assert refused.returncode == 1, refused.stderr
    assert f"The Ray at {cluster.address} wants its token." in refused.stdout
    assert refused.stderr == ""


def test_a_command_says_that_it_waits_for_cores(
    cluster: Cluster, servers: dict[str, str], shared: Workbench, listed: Path, tmp_path: Path
) -> None:
    first = driven(cluster, servers, listed, tmp_path / "out", tmp_path / "opened")
    until(first, tmp_path / "out", 1)
    first.send_signal(signal.SIGSTOP)  # its worker keeps the only core
    few = written(tmp_path / "few.csv", claims(10))
    second = driven(cluster, servers, few, tmp_path / "few", tmp_path / "opened", "--says-waiting")
    assert second.stdout
    assert second.stdout.readline() == "waiting\n"
    first.send_signal(signal.SIGINT)
    first.send_signal(signal.SIGCONT)
    assert ended(first)[0] == 130
    code, said = ended(second)
    assert (code, said.count("\n")) == (0, 1), said
    assert "checked=10" in said


def test_all_nodes_check_and_one_may_be_lost(
    cluster: Cluster, servers: dict[str, str], shared: Workbench, listed: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("ghost.knowledge.base.record_use", lambda *_: None)
    node, out, opened_by = cluster.add_node(), tmp_path / "out", tmp_path / "opened"
    process = driven(cluster, servers, listed, out, opened_by)
    kept = until(process, out, 4)
    assert len({file.name.partition("-")[0] for file in opened_by.iterdir()}) == 2, "both nodes have checked"
    cluster.kill(node)
    code, said = ended(process)
    assert (code, said.count("\n")) == (0, 1), said
    assert f"lines={CLAIMS}, checked={CLAIMS}, repeated=0, failed=0" in said
    assert kept.items() <= done(out).items()
    check_all(out, shared)


def test_a_lost_head_is_named_and_the_same_command_goes_on(
    cluster: Cluster, servers: dict[str, str], shared: Workbench, listed: Path, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("ghost.knowledge.base.record_use", lambda *_: None)
    out, opened_by = tmp_path / "out", tmp_path / "opened"
    process = driven(cluster, servers, listed, out, opened_by)
    until(process, out, 3)
    cluster.signal_head(signal.SIGKILL)
    check_lost(process)
    kept = done(out)
    assert 3 <= len(kept) < CLAIMS // 10

    another = Cluster()
    try:
        process = driven(another, servers, listed, out, opened_by)
        until(process, out, len(kept) + 1)
        another.signal_head(signal.SIGSTOP)
        check_lost(process)
        another.signal_head(signal.SIGCONT)
        code, said = ended(driven(another, servers, listed, out, opened_by))
    finally:
        another.remove()
    assert code == 0, said
    assert kept.items() <= done(out).items()
    check_all(out, shared)
