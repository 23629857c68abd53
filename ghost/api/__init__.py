"""The HTTP API."""

from ghost.api.app import create_app
from ghost.api.service import Opening, Service

__all__ = ["Opening", "Service", "create_app"]
