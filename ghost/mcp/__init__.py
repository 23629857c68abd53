"""Ghost for language models: a server of the Model Context Protocol, over standard input and output or over HTTP."""

from ghost.mcp.access import Listening
from ghost.mcp.server import http_app, make_server, serve_http
from ghost.mcp.service import Service

__all__ = ["Listening", "Service", "http_app", "make_server", "serve_http"]
