"""The HTTP API."""

from ghost.api.app import create_app
from ghost.api.limits import MOST_RUNS, Places, Rates
from ghost.api.problems import KINDS, Problem
from ghost.api.server import Server, serve
from ghost.api.service import Opening, Service

__all__ = [
    "KINDS",
    "MOST_RUNS",
    "Opening",
    "Places",
    "Problem",
    "Rates",
    "Server",
    "Service",
    "create_app",
    "serve",
]
