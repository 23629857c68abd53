"""The application: routes, middleware and errors put together."""

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from config import Settings
from ghost import __version__
from ghost.api import cards, health, knowledge, metrics, questions, research, runs, sockets, streams
from ghost.api.access import Gate
from ghost.api.access_log import AccessLog
from ghost.api.limits import Bodies, Rates
from ghost.api.openapi import describe, operation_id
from ghost.api.problems import Problem, answer_problem
from ghost.api.repeats import Repeats
from ghost.api.service import Opening
from ghost.errors import GhostError
from ghost.listening import is_loopback

ROOMS = (health, metrics, runs, streams, sockets, questions, research, cards, knowledge)


def create_app(settings: Settings, opening: Opening) -> FastAPI:
    """The API over a service that is open or being opened."""
    app = FastAPI(
        title="Ghost",
        version=__version__,
        openapi_url="/api/openapi.json",
        docs_url=None,  # the page would load its scripts from elsewhere
        redoc_url=None,
        redirect_slashes=False,  # a redirect tells the name that a request was sent to
        generate_unique_id_function=operation_id,
        strict_content_type=False,  # Bodies has looked
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.state.opening, app.state.pulse = opening, health.Pulse()
    app.state.measuring = measuring = metrics.Measuring()
    opening.then(measuring.begin)
    app.state.rates = Rates(settings.api_requests_per_second)
    app.state.keyless = keyless = is_loopback(settings.api_host) and not settings.api_require_key
    for room in ROOMS:
        app.include_router(room.router)
    for kind in (Problem, GhostError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, answer_problem)
    app.openapi = lambda: describe(app)  # type: ignore[method-assign]
    # The last one added sees a request first.
    app.add_middleware(Repeats, store=lambda: s.workbench.idempotency if (s := opening.service) else None)
    app.add_middleware(Bodies)
    app.add_middleware(
        Gate,
        settings=settings,
        rates=app.state.rates,
        keyless=keyless,
        keys=lambda: s.workbench.keys if (s := opening.service) else None,
    )
    app.add_middleware(AccessLog, with_claims=settings.api_log_claims, measure=measuring.request)
    return app
