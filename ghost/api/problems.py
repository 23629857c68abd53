"""What a caller is told when something goes wrong: a problem document (RFC 9457) that says what to do about it.

Nothing of the machine is in it. Messages that name files go to the log, and the caller gets a fixed text.
"""

import json
import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import Response

from ghost.errors import (
    BudgetExceeded,
    Cancelled,
    ClaimError,
    ExportError,
    GhostError,
    JudgeError,
    ModelError,
    ProviderError,
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreReadOnlyError,
)
from ghost.logs import without_input
from ghost.text import one_line

log = logging.getLogger(__name__)
MEDIA_TYPE = "application/problem+json"
_SHOWN = 300
"""Characters of a value of the caller's that a message repeats at most."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of problem."""

    status: int
    title: str
    remedy: str


KINDS: Mapping[str, Kind] = {
    "not_json": Kind(400, "The body cannot be read", "Send one JSON object, encoded as UTF-8."),
    "key_needed": Kind(
        401, "A key is needed", "Send the header `Authorization: Bearer KEY`. `python -m ghost keys add` makes a key."
    ),
    "key_unknown": Kind(401, "The key is not known", "Make one with `python -m ghost keys add` and send that."),
    "key_expired": Kind(401, "The key has expired", "Make a new key with `python -m ghost keys add`."),
    "key_revoked": Kind(401, "The key was revoked", "Make a new key with `python -m ghost keys add`."),
    "wrong_role": Kind(403, "The key does not allow this", "Use a key with the role that the detail names."),
    "wrong_origin": Kind(
        403, "This website or extension may not call the API",
        "Pair Ghost's extension: `python -m ghost keys pair`. Add a website to GHOST_API_ORIGINS and restart the "
        "server. Where a link led here, enter its address yourself.",
    ),
    "code_refused": Kind(
        403, "The pairing code is not accepted",
        "Get a code under Settings › Connect in the workbench, or with `python -m ghost keys pair`.",
    ),
    "not_found": Kind(404, "There is nothing at this address", "/api/openapi.json lists all routes."),
    "no_metrics": Kind(
        404, "Metrics need a library that is not installed", 'Run `pip install "ghost-workbench[team]"` and restart.'
    ),
    "no_such_card": Kind(404, "There is no such card", "GET /api/cards lists the cards."),
    "no_such_conversation": Kind(404, "There is no such conversation", "Ask a question to start one."),
    "no_such_passage": Kind(404, "There is no such passage", "GET /api/knowledge/search finds passages."),
    "no_such_research": Kind(404, "There is no such research", "GET /api/research lists the stored research."),
    "no_such_run": Kind(404, "There is no such run", "GET /api/runs lists the stored runs."),
    "no_such_question": Kind(404, "There is no such question", "Use an ask_id that the server sent."),
    "wrong_method": Kind(405, "The method is not allowed here", "The header Allow lists those that are."),
    "too_slow": Kind(408, "The body did not arrive in time", "Send the whole request again."),
    "still_at_work": Kind(
        409, "The first request with this Idempotency-Key is still running", "Send the same request again in a moment."
    ),
    "not_here": Kind(409, "Another process is running this check", "Cancel it on the page or at the command line."),
    "not_exportable": Kind(409, "The run cannot be exported in this format", "Choose another format."),
    "conflict": Kind(409, "The change is not possible", "Read its current state, then decide again."),
    "cancelled": Kind(409, "The request was cancelled", "Send it again if that was not intended."),
    "body_too_large": Kind(413, "The body is too large", "Send at most one megabyte."),
    "not_json_type": Kind(415, "The body is not declared as JSON", "Send the header `Content-Type: application/json`."),
    "wrong_host": Kind(
        421, "The server does not answer to this name", "Use its address, or add the name to GHOST_HOST_NAMES."
    ),
    "invalid_request": Kind(
        422, "The request has invalid values", "Correct the values listed in `errors`; see /api/openapi.json."
    ),
    "unusable_claim": Kind(422, "The text cannot be checked as it is", "Change it as the detail says."),
    "idempotency_mismatch": Kind(
        422, "This Idempotency-Key was used for another request", "Send a new key with each new request."
    ),
    "too_many_requests": Kind(429, "Too many requests", "Wait for the seconds given in Retry-After."),
    "internal": Kind(
        500, "Something went wrong on the server", "Find the request_id in the server's log and report it."
    ),
    "judge_failed": Kind(502, "The judge gave no usable answer", "Try again, or choose another judge."),
    "not_answered": Kind(502, "The question has no answer", "Ask again."),
    "provider_failed": Kind(502, "A web service could not be used", "Try again later, or without the web."),
    "over_budget": Kind(503, "A limit of the settings was reached", "Raise it in the settings, or ask for less."),
    "opening": Kind(503, "The server is still opening its knowledge base", "Wait until GET /api/health says ready."),
    "closing": Kind(503, "The server is shutting down", "Send the request again when it has restarted."),
    "too_many_runs": Kind(503, "Too many runs are waiting", "Wait for the seconds given in Retry-After."),
    "too_many_streams": Kind(
        503, "Too many event streams are open", "Close some, send a key, or wait for the seconds given in Retry-After."
    ),
    "store_busy": Kind(
        503, "Another process is using the knowledge base", "Close it, or start everything with `python -m ghost up`."
    ),
    "store_damaged": Kind(503, "A stored file is damaged", "The server's log names the file. Put a copy back."),
    "store_full": Kind(503, "The server's disk is full", "Free some space and try again."),
    "store_read_only": Kind(503, "The data folder is read-only", "Give the server permission to write to it."),
    "index_failed": Kind(
        503, "The vector index does not answer",
        "Check that the server at GHOST_CHROMA_URL is running. `python -m ghost kb rebuild` makes a new index.",
    ),
    "disk_low": Kind(
        503, "The server's disk is almost full", "Free some space: `python -m ghost prune` removes old runs."
    ),
    "store_failed": Kind(503, "The database could not be used", "Try again. The server's log says what is wrong."),
    "model_missing": Kind(503, "A model could not be loaded", "The server's log names it. Install it again."),
}  # fmt: skip
"""Every problem that this API reports, by its code."""

_OF_ERRORS: tuple[tuple[type[GhostError], str, bool], ...] = (
    (ClaimError, "unusable_claim", True),
    (ExportError, "not_exportable", True),
    (Cancelled, "cancelled", True),
    (BudgetExceeded, "over_budget", True),
    (JudgeError, "judge_failed", False),
    (ProviderError, "provider_failed", False),
    (StoreBusyError, "store_busy", False),
    (StoreDamagedError, "store_damaged", False),
    (StoreFullError, "store_full", False),
    (StoreReadOnlyError, "store_read_only", False),
    (StoreError, "store_failed", False),
    (ModelError, "model_missing", False),
)
"""Which problem an error is, and whether its message may be told; the first that fits counts."""

_KEPT = {
    "store_busy": "Nothing was changed.",
    "store_damaged": "The file was left as it is.",
    "store_full": "What was stored before is kept.",
    "store_read_only": "What was stored before is kept.",
    "store_failed": "What was stored before is kept.",
}


class Problem(Exception):
    """Raised anywhere in the API to end a request with a problem document."""

    def __init__(
        self,
        code: str,
        detail: str = "",
        *,
        remedy: str = "",
        errors: Sequence[Mapping[str, str]] = (),
        retry_after: float | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        """``code`` is one of KINDS. ``detail`` says what is wrong this time, ``remedy`` replaces that of the kind."""
        self.code, self.kind = code, KINDS[code]
        self.detail = detail or f"{self.kind.title}."
        self.remedy = remedy or self.kind.remedy
        self.errors = tuple(errors)
        self.headers = dict(headers or {})
        if retry_after is not None:
            self.headers["Retry-After"] = str(max(1, round(retry_after)))
        if self.kind.status == 401:
            self.headers["WWW-Authenticate"] = "Bearer"
        super().__init__(self.detail)

    def document(self, request_id: str) -> dict[str, Any]:
        """The problem as JSON-safe values."""
        return {
            "type": f"urn:ghost:problem:{self.code}",
            "title": self.kind.title,
            "status": self.kind.status,
            "detail": self.detail,
            "code": self.code,
            "remedy": self.remedy,
            "request_id": request_id,
            **({"errors": list(self.errors)} if self.errors else {}),
        }

    def response(self, request_id: str) -> Response:
        """The problem as an answer."""
        body = json.dumps(self.document(request_id)).encode()
        return Response(body, self.kind.status, self.headers, MEDIA_TYPE)


def problem_of(error: Exception) -> Problem:
    """The problem that an error of ours, of the framework or of anybody else is; what is not told is logged."""
    match error:
        case Problem():
            return error
        case RequestValidationError():
            return invalid(error.errors())
        case HTTPException():
            return _of_status(error)
        case GhostError():
            code, told = next(((c, t) for kind, c, t in _OF_ERRORS if isinstance(error, kind)), ("internal", False))
            if told:
                return Problem(code, str(error))
            log.error("%s: %s", type(error).__name__, without_input(str(error)))
            return Problem(code, f"{KINDS[code].title}. {_KEPT.get(code, '')}".strip())
        case _:
            return Problem("internal")


@contextmanager
def refusals_told() -> Iterator[None]:
    """Tell why the store refuses a change, which is no failure of it. What it raises for a failure has a cause."""
    try:
        yield
    except StoreError as error:
        if type(error) is StoreError and error.__cause__ is None:
            raise Problem("conflict", str(error)) from error
        raise


async def answer_problem(request: HTTPConnection, error: Exception) -> Response:
    """What FastAPI calls with an error of a route."""
    return problem_of(error).response(request.state.request_id)


def invalid(found: Sequence[Any]) -> Problem:
    """The problem that errors of Pydantic are, each with where it is: ``body`` and the fields, or a parameter."""
    if any(error["type"] == "json_invalid" for error in found):
        return Problem("not_json", "The body is not valid JSON.")
    errors = [{"pointer": _pointer(error["loc"]), "message": _message(error)} for error in found[:20]]
    first = errors[0]
    return Problem("invalid_request", f"{first['pointer']}: {first['message']}", errors=errors)


def _pointer(place: Sequence[Any]) -> str:
    """Where it is, as a JSON pointer into the body, or the name of a parameter behind where it stands."""
    parts = [str(part).replace("~", "~0").replace("/", "~1") for part in place]
    where, rest = (parts[0], parts[1:]) if parts else ("body", [])
    return one_line("/" + "/".join(rest) if where == "body" else f"{where}:{'/'.join(rest)}")[:_SHOWN]


def _message(error: Mapping[str, Any]) -> str:
    if error["type"] == "extra_forbidden":
        return "Unknown field."
    return one_line(str(error["msg"]).removeprefix("Value error, "))[:_SHOWN]


def _of_status(error: HTTPException) -> Problem:
    codes = {400: "not_json", 404: "not_found", 405: "wrong_method", 413: "body_too_large"}
    code = codes.get(error.status_code, "internal")
    allow = {name: value for name, value in (error.headers or {}).items() if name.lower() == "allow"}
    return Problem(code, headers=allow)
