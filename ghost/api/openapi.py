"""The description of the API for programs: what FastAPI derives from the routes, and what holds for all of them."""

from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.routing import APIRoute
from pydantic import BaseModel

from ghost import __version__
from ghost.api.problems import KINDS, MEDIA_TYPE
from ghost.api.schemas import Answer, ProblemDocument, Request

SCHEMA = "ProblemDocument"
ABOUT = """Check claims, follow how they are checked, and use what Ghost knows.

Errors are problem documents (RFC 9457) whose `remedy` says what to do. Every answer has an `X-Request-ID`. A POST may
carry an `Idempotency-Key`: sent again within 24 hours, it gets the same answer and nothing is done twice."""
_ALL = (400, 401, 403, 404, 405, 408, 413, 415, 421, 422, 429, 500, 503)
_WITHOUT_BODY = {400, 408, 413, 415}
_KEY = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Chosen by the caller, new for each new request.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[ -~]+$"},
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The problems that a route may answer with, besides those that every route has."""
    return {status: _problem(status) for status in statuses}


def operation_id(route: APIRoute) -> str:
    """What generated clients call a route: ``runs_verify``, ``claim_cards_search``."""
    return f"{route.tags[0]}_{route.name}".replace(" ", "_")


def describe(app: FastAPI) -> dict[str, Any]:
    """The OpenAPI document of the app; made once."""
    if app.openapi_schema is None:
        made = get_openapi(
            title="Ghost", version=__version__, summary="A workbench for checking claims", description=ABOUT,
            routes=app.routes,
        )  # fmt: skip
        parts = made.setdefault("components", {})
        parts.setdefault("schemas", {})[SCHEMA] = ProblemDocument.model_json_schema()
        for unused in ("HTTPValidationError", "ValidationError"):
            parts["schemas"].pop(unused, None)
        for model in (*_below(Request), *_below(Answer)):
            # FastAPI leaves out what is null, also in examples.
            if (extra := model.model_config.get("json_schema_extra")) and model.__name__ in parts["schemas"]:
                parts["schemas"][model.__name__] |= extra
        parts["securitySchemes"] = {"key": {"type": "http", "scheme": "bearer", "description": "A key of Ghost."}}
        made["security"] = [{"key": []}, {}]  # {}: none is needed from this machine
        for path in made["paths"].values():
            for method, operation in path.items():
                _complete(operation, method)
        app.openapi_schema = made
    return app.openapi_schema


def _below(base: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for model in base.__subclasses__():
        yield model
        yield from _below(model)


def _complete(operation: dict[str, Any], method: str) -> None:
    """Add what the middleware does: it answers with problems of its own, and knows idempotency keys."""
    bodiless = set() if method in ("post", "patch", "delete", "put") else _WITHOUT_BODY
    for status in (s for s in _ALL if s not in bodiless):
        answers = operation["responses"]
        if str(status) not in answers or status == 422:
            answers[str(status)] = _problem(status)
    if method == "post" and operation["operationId"] != "server_pair":  # whose answer is a secret, and not kept
        operation.setdefault("parameters", []).append(_KEY)


def _problem(status: int) -> dict[str, Any]:
    codes = [code for code, kind in KINDS.items() if kind.status == status]
    content: Mapping[str, Any] = {MEDIA_TYPE: {"schema": {"$ref": f"#/components/schemas/{SCHEMA}"}}}
    return {"description": f"A problem: {', '.join(f'`{code}`' for code in codes)}.", "content": content}
