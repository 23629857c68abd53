"""The HTTP API."""

from ghost.api.app import create_app
from ghost.api.server import Server, serve
from ghost.api.service import Opening, Service

__all__ = ["Opening", "Server", "Service", "create_app", "serve"]
