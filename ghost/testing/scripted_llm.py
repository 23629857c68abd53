"""A server that speaks the OpenAI protocol and answers from a script, for tests and for the benchmark.

It listens on a real socket of this machine, so that whatever talks to it goes through the real client library.
"""

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PIECE_CHARS = 24
"""Size of the pieces in which an answer is streamed."""


@dataclass(frozen=True, slots=True)
class Scripted:
    """One answer of the server."""

    text: str = ""
    tools: Sequence[tuple[str, dict[str, Any] | str]] = ()
    """Functions that the model asks for: name and arguments; a text goes out as it is."""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    error: dict[str, Any] = field(default_factory=dict)
    """The ``error`` object of an answer that is not 200."""
    before: float = 0.0
    """Seconds until the first byte."""
    between: float = 0.0
    """Seconds between the pieces."""
    cut_after: int | None = None
    """Break off the connection after so many characters."""
    finish: str = "stop"
    raw: str | None = None
    """Instead of everything else: these words, whatever they are, as the body of a 200."""
    usage: tuple[int, int] | None = (300, 100)
    """Tokens in and out as the server reports them; None for a server that does not."""


@dataclass(frozen=True, slots=True)
class Asked:
    """One request as it came in."""

    purpose: str
    """classify, reading, sufficiency, verdict, route, same, answer, research_plan, research_answer, extraction,
    conversation, conclusion, or empty for anything else."""
    body: dict[str, Any]
    headers: dict[str, str]

    @property
    def words(self) -> str:
        """Everything that was said, all messages together."""
        return "\n".join(m["content"] for m in self.body["messages"])


Answer = Scripted | str | dict[str, Any] | None
Script = Callable[[Asked], Answer]


class ScriptedLLM:
    """``with ScriptedLLM.serving(script) as server``: the script is asked for every chat completion.

    A text or a JSON object is answered as the model's words; None drops the connection.
    """

    def __init__(self, script: Script, models: Sequence[str] = ("scripted-model",)) -> None:
        self.script = script
        self.models = models
        self.asked: list[Asked] = []
        self.looked = 0
        """How often somebody asked for the list of models."""
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True)

    @property
    def url(self) -> str:
        """The base URL for a client."""
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @classmethod
    @contextmanager
    def serving(cls, script: Script, models: Sequence[str] = ("scripted-model",)) -> "Iterator[ScriptedLLM]":
        """A running server that is gone afterwards."""
        server = cls(script, models)
        server._thread.start()
        try:
            yield server
        finally:
            server.stop()

    def stop(self) -> None:
        """Stop listening; may be called twice."""
        self._server.shutdown()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is nothing to report: ours does so when it has heard enough."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


def _handler(owner: ScriptedLLM) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            owner.looked += 1
            self._json(200, {"object": "list", "data": [{"id": m, "object": "model"} for m in owner.models]}, {})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            asked = Asked(_purpose(body), body, {k.lower(): v for k, v in self.headers.items()})
            owner.asked.append(asked)
            answer = owner.script(asked)
            if answer is None:
                self.close_connection = True
                return
            if isinstance(answer, dict):
                answer = json.dumps(answer)
            self._answer(Scripted(answer) if isinstance(answer, str) else answer)

        def _answer(self, answer: Scripted) -> None:
            time.sleep(answer.before)
            if answer.status != 200:
                self._json(answer.status, {"error": {"message": "scripted", **answer.error}}, answer.headers)
                return
            if answer.raw is not None:
                self._send(200, answer.raw.encode(), answer.headers)
                return
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            try:
                self._stream(answer)
            except OSError:  # the client has left, as one does that was cancelled
                self.close_connection = True

        def _stream(self, answer: Scripted) -> None:
            text = answer.text if answer.cut_after is None else answer.text[: answer.cut_after]
            for at in range(0, len(text), PIECE_CHARS):
                self._event(_chunk(text[at : at + PIECE_CHARS]))
                time.sleep(answer.between)
            if answer.cut_after is not None:
                self.close_connection = True
                return
            for number, (name, arguments) in enumerate(answer.tools):
                self._event(_called(number, {"name": name, "arguments": ""}))
                said = arguments if isinstance(arguments, str) else json.dumps(arguments)
                for at in range(0, len(said), PIECE_CHARS):
                    self._event(_called(number, {"arguments": said[at : at + PIECE_CHARS]}))
            self._event(_chunk("", "tool_calls" if answer.tools else answer.finish))
            if answer.usage:
                total = sum(answer.usage)
                used = {"prompt_tokens": answer.usage[0], "completion_tokens": answer.usage[1], "total_tokens": total}
                self._event({**_chunk(""), "choices": [], "usage": used})
            self._piece(b"data: [DONE]\n\n")
            self._piece(b"")

        def _event(self, value: dict[str, Any]) -> None:
            self._piece(f"data: {json.dumps(value)}\n\n".encode())

        def _piece(self, data: bytes) -> None:
            self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
            self.wfile.flush()

        def _json(self, status: int, value: dict[str, Any], headers: dict[str, str]) -> None:
            self._send(status, json.dumps(value).encode(), headers)

        def _send(self, status: int, data: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, text in {"Content-Type": "application/json", "Content-Length": str(len(data)), **headers}.items():
                self.send_header(name, text)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet: tests read ``asked``."""

    return Handler


def _chunk(text: str, finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": {"content": text} if text else {}, "finish_reason": finish}
    return {"id": "scripted", "object": "chat.completion.chunk", "created": 0, "model": "scripted", "choices": [choice]}


def _called(number: int, function: dict[str, str]) -> dict[str, Any]:
    """A part of a function call; its id comes with the first part, as servers send it."""
    call = {"index": number, "function": function} | ({"id": f"call-{number}"} if "name" in function else {})
    chunk = _chunk("")
    chunk["choices"][0]["delta"] = {"tool_calls": [call]}
    return chunk


def _purpose(body: dict[str, Any]) -> str:
    """Which step asks, as its prompt begins."""
    system = body["messages"][0]["content"]
    starts = {
        "You sort claims": "classify", "You read a web page": "reading",
        "You read evidence": "sufficiency", "You decide claims": "verdict", "You find out": "route",
        "You answer questions": "answer", "You compare a question": "same",
        "You plan research": "research_plan", "You answer a question": "research_answer",
        "You take a claim": "extraction", "You gather evidence": "conversation", "You conclude": "conclusion",
    }  # fmt: skip
    return next((purpose for start, purpose in starts.items() if system.startswith(start)), "")
