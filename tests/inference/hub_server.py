"""A server on this machine that speaks the hub's protocol: model info, metadata of files, and their content."""

import hashlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

import pytest

REVISION = "0123456789abcdef0123456789abcdef01234567"
LARGE = 2000
"""From this size on a file is kept apart, as with Git LFS, and the hub sends clients on to another host for it."""


@dataclass
class Hub:
    """What is served, how it misbehaves, and what was asked."""

    url: str = ""
    models: dict[str, dict[str, bytes]] = field(default_factory=dict)
    """Name -> file -> content."""
    revision: str = REVISION
    gated: set[str] = field(default_factory=set)
    status: int = 0
    """Answer everything with it."""
    html: bool = False
    """Answer everything like the page of a captive portal."""
    replaced: dict[str, bytes] = field(default_factory=dict)
    """File -> what is sent in place of it."""
    missing: set[str] = field(default_factory=set)
    """Files that are listed and not there."""
    sizes: dict[str, int] = field(default_factory=dict)
    """File -> the size that is listed."""
    breaks: int = 0
    """So many times the connection ends in the middle of a large file."""
    drip: float = 0.0
    """Seconds before each thousand bytes of a large file."""
    asked: list[tuple[str, str, str]] = field(default_factory=list)
    """Method, path, and the range that was asked for."""
    tokens: set[str] = field(default_factory=set)

    def add(self, name: str, folder: Path) -> None:
        """Serve the files of a folder."""
        files = [f for f in folder.rglob("*") if f.is_file()]
        self.models[name] = {f.relative_to(folder).as_posix(): f.read_bytes() for f in files}

    def bodies(self, file: str) -> list[tuple[str, str, str]]:
        """How often the content of a file was asked for."""
        large = [hashlib.sha256(m[file]).hexdigest() for m in self.models.values() if file in m]
        return [a for a in self.asked if a[0] == "GET" and (a[1].endswith(f"/{file}") or a[1][5:] in large)]


@contextmanager
def serving_hub() -> Iterator[Hub]:
    """A hub without models."""
    hub, stop = Hub(), threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_HEAD(self) -> None:
            self._answer()

        def do_GET(self) -> None:
            self._answer()

        def _answer(self) -> None:
            path = urlsplit(self.path).path
            hub.asked.append((self.command, path, self.headers.get("Range", "")))
            hub.tokens.add(self.headers.get("Authorization", ""))
            if hub.status:
                return self._send(hub.status, b"trouble")
            if hub.html:
                return self._send(200, b"<html>Please log in</html>", {"Content-Type": "text/html"})
            if path.startswith("/api/models/"):
                return self._info(path.removeprefix("/api/models/"))
            if path.startswith("/cdn/"):
                return self._large(path.removeprefix("/cdn/"))
            name, _, rest = path[1:].partition("/resolve/")
            return self._file(name, rest.partition("/")[2])

        def _info(self, asked: str) -> None:
            name, _, revision = asked.partition("/revision/")
            if name not in hub.models:
                return self._send(401, b'{"error": "Invalid username or password."}')
            if revision not in ("", "main", hub.revision):
                return self._send(404, b"", {"X-Error-Code": "RevisionNotFound"})
            siblings = []
            for file, content in hub.models[name].items():
                size = hub.sizes.get(file, len(content))
                entry = {"rfilename": file, "size": size, "blobId": _git_id(content)}
                if len(content) >= LARGE:
                    digest = hashlib.sha256(content).hexdigest()
                    entry["lfs"] = {"size": size, "sha256": digest, "pointerSize": 130}
                siblings.append(entry)
            info = {"id": name, "sha": hub.revision, "siblings": siblings, "cardData": {"license": "mit"}}
            return self._send(200, json.dumps(info).encode(), {"Content-Type": "application/json"})

        def _file(self, name: str, file: str) -> None:
            if name in hub.gated and "Authorization" not in self.headers:
                return self._send(401, b"", {"X-Error-Code": "GatedRepo"})
            content = hub.models.get(name, {}).get(file)
            headers = {"X-Repo-Commit": hub.revision}
            if content is None or file in hub.missing:
                return self._send(404, b"", {**headers, "X-Error-Code": "EntryNotFound"})
            if len(content) < LARGE:
                return self._send(200, hub.replaced.get(file, content), {**headers, "ETag": f'"{_git_id(content)}"'})
            digest = hashlib.sha256(content).hexdigest()
            headers |= {
                "X-Linked-Etag": f'"{digest}"',
                "X-Linked-Size": str(len(content)),
                "Location": f"{hub.url.replace('127.0.0.1', 'localhost')}/cdn/{digest}",
            }
            return self._send(302, b"", headers)

        def _large(self, digest: str) -> None:
            file, content = next(
                (f, c) for m in hub.models.values() for f, c in m.items() if hashlib.sha256(c).hexdigest() == digest
            )
            content = hub.replaced.get(file, content)
            start = int(self.headers.get("Range", "bytes=0-").removeprefix("bytes=").partition("-")[0])
            ranged = {"Content-Range": f"bytes {start}-{len(content) - 1}/{len(content)}"} if start else {}
            self.send_response(206 if start else 200)
            for key, value in {**ranged, "Content-Length": str(len(content) - start), "ETag": digest}.items():
                self.send_header(key, value)
            self.end_headers()
            broken = hub.breaks > 0
            hub.breaks -= broken
            body = content[start : len(content) // 2] if broken else content[start:]
            for at in range(0, len(body), 1000):
                if hub.drip and stop.wait(hub.drip):
                    break
                self.wfile.write(body[at : at + 1000])
                self.wfile.flush()
            if broken:
                self.close_connection = True

        def _send(self, status: int, body: bytes, headers: dict[str, str] | None = None) -> None:
            self.send_response(status)
            for key, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
                self.send_header(key, value)
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def handle(self) -> None:
            with suppress(ConnectionError):
                super().handle()

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    hub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield hub
    finally:
        stop.set()
        server.shutdown()
        server.server_close()
        time.sleep(0)


@contextmanager
def only_hub(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A hub without models that is the only one, with a cache in ``home``, here and for processes that fetch."""
    import huggingface_hub.constants

    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(home / "hub"))
    for variable in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_TOKEN"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HF_HOME", str(home))
    monkeypatch.setenv("HF_HUB_DISABLE_IMPLICIT_TOKEN", "1")
    with serving_hub() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub


def _git_id(content: bytes) -> str:
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()
