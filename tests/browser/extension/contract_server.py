"""A small server that speaks the part of the HTTP API that the extension uses, and can be told how to behave."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from ghost.events import Event, SentenceAccepted, SourceUpdate, StepFinished, StepStarted
from ghost.jobs import stored_events
from ghost.reports import event_name, event_value, left_the_machine, result
from ghost.types import STEP_NAMES, Run

WORKBENCH = "http://127.0.0.1:8501"


@dataclass
class Contract:
    """How the server behaves, and what it was asked for."""

    run: Run
    """What every check leads to."""
    key: str = ""
    """The key that is needed; empty for none."""
    role: str = "curate"
    judges: tuple[str, ...] = ("local", "embedded")
    status: str = "ready"
    earlier: list[dict[str, Any]] = field(default_factory=list)
    """Cards of claims that were checked before."""
    holds_before: str = ""
    """Name of the event before which the stream waits until ``goes_on`` is set."""
    holds_lookup: bool = False
    """Whether the look for an earlier answer waits for ``goes_on`` too."""
    breaks_before: str = ""
    """Name of the event before which the connection is broken, the first time."""
    goes_on: threading.Event = field(default_factory=threading.Event)
    asked: list[tuple[str, str, dict[str, str], Any]] = field(default_factory=list)
    """Method, path, headers and body of each request."""
    cancelled: bool = False
    log: str = "log1"

    def bodies(self, path: str) -> list[Any]:
        """What was sent to a path."""
        return [body for _, at, _, body in self.asked if at == path and body is not None]

    def events(self) -> list[Event]:
        """What the run reports, with the steps as they begin, and sources that come one by one."""
        told: list[Event] = []
        for event in stored_events(self.run):
            if isinstance(event, StepFinished):
                told.append(StepStarted(event.step.name, STEP_NAMES.index(event.step.name) + 1))
            if event_name(event) == "verdict_reached":
                told += SOURCES
                told.append(SentenceAccepted("[1] NASA says so."))
            told.append(event)
        return told


SOURCES = (
    SourceUpdate("https://www.nasa.gov/wall", "The wall from space", "reading", stage="trusted"),
    SourceUpdate("https://blog.example/wall", "A blog", "dropped", "not on the list of trusted sources", "trusted"),
    SourceUpdate("javascript:alert(1)", "<img src=x onerror=alert(1)>", "read", quotes=("<b>markup</b>",)),
    SourceUpdate(
        "https://www.nasa.gov/wall", "The wall from space", "read", stage="trusted", verdict="refutes",
        quotes=("The wall cannot be seen from the Moon.",),
    ),
)  # fmt: skip


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: "_Server"

    def do_GET(self) -> None:
        self._route("GET")

    def do_POST(self) -> None:
        self._route("POST")

    def do_DELETE(self) -> None:
        self._route("DELETE")

    def log_message(self, format: str, *args: object) -> None:
        """Nothing: the tests read what was asked."""

    def _route(self, method: str) -> None:
        contract, path = self.server.contract, self.path.partition("?")[0]
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length)) if length else None
        contract.asked.append((method, path, dict(self.headers), body))
        run = contract.run
        if path == "/api/health":
            self._health()
        elif contract.key and self.headers.get("Authorization") != f"Bearer {contract.key}":
            self._problem(401, "key_unknown", "The key is not known")
        elif path == "/api/access":
            self._json(200, {
                "role": contract.role, "key": "desk" if contract.key else None, "key_required": bool(contract.key),
                "judges": list(contract.judges), "cloud_fallback": False, "workbench": WORKBENCH, "version": "0.1.0",
            })  # fmt: skip
        elif path == "/api/checked-before":
            if contract.holds_lookup:
                contract.goes_on.wait()
            self._json(200, {"cards": contract.earlier})
        elif (method, path) == ("POST", "/api/runs"):
            if contract.role == "read":
                self._problem(403, "wrong_role", "The key does not allow this")
            else:
                self._json(202, {"run_id": run.id, "status": "running", "workbench": f"{WORKBENCH}/?run={run.id}"})
        elif path == "/api/runs":
            self._json(200, {"total": 1, "runs": [{
                "run_id": run.id, "claim": run.claim.text, "status": run.status.value,
                "label": run.label.value if run.label else None, "started_at": run.started_at.isoformat(),
            }]})  # fmt: skip
        elif path == f"/api/runs/{run.id}/events":
            self._events()
        elif method == "DELETE":
            contract.cancelled = True
            contract.goes_on.set()
            self._json(200, {"run_id": run.id, "status": "running", "cancelling": True})
        elif path == f"/api/runs/{run.id}":
            told = result(run) | {"left_the_machine": left_the_machine(run), "workbench": f"{WORKBENCH}/?run={run.id}"}
            self._json(200, told | ({"status": "cancelled", "verdict": None} if contract.cancelled else {}))
        else:
            self._problem(404, "not_found", "There is nothing at this address")

    def _health(self) -> None:
        ready = self.server.contract.status == "ready"
        problems = [] if ready else [{"code": "opening", "detail": "It opens.", "remedy": "Wait until it is ready."}]
        told = {"ready": ready, "status": self.server.contract.status, "version": "0.1.0", "problems": problems}
        self._json(200 if ready else 503, told)

    def _events(self) -> None:
        contract = self.server.contract
        name, _, last = (self.headers.get("Last-Event-ID") or "").rpartition("-")
        start = int(last) if name == contract.log else 0
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        self.close_connection = True
        for number, event in enumerate(contract.events()[start:], start=start + 1):
            name = event_name(event)
            if contract.breaks_before == name:
                contract.breaks_before = ""
                return
            if contract.holds_before == name and not contract.goes_on.is_set():
                while not contract.goes_on.wait(0.2):
                    if not self._write(b": still there\n\n"):
                        return
            value = event_value(event)
            if contract.cancelled and name != "run_ended":
                continue
            if contract.cancelled:
                value["status"] = "cancelled"
            if not self._write(f"id: {contract.log}-{number}\nevent: {name}\ndata: {json.dumps(value)}\n\n".encode()):
                return

    def _write(self, data: bytes) -> bool:
        try:
            self.wfile.write(data)
            self.wfile.flush()
        except OSError:
            return False
        return True

    def _json(self, status: int, value: object, kind: str = "application/json") -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self._write(body)

    def _problem(self, status: int, code: str, title: str) -> None:
        told = {"type": f"urn:ghost:problem:{code}", "title": title, "status": status, "detail": f"{title}."}
        self._json(
            status, told | {"code": code, "remedy": "Do something.", "request_id": "1"}, "application/problem+json"
        )


class _Server(ThreadingHTTPServer):
    contract: Contract
    daemon_threads = True


@contextmanager
def serving(contract: Contract) -> Iterator[str]:
    """Serve; gives the address."""
    server = _Server(("127.0.0.1", 0), _Handler)
    server.contract = contract
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    contract.goes_on.set()
    server.shutdown()
    server.server_close()
    thread.join()
