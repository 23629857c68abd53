"""``python -m ghost mcp``: Ghost as a tool of language models."""

from argparse import Namespace
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

from config import Settings, load_settings
from ghost.logs import logging_to_stderr
from ghost.mcp.access import Listening
from ghost.mcp.server import serve_http, serve_stdio
from ghost.records import ApiKeys, Database

if TYPE_CHECKING:
    from ghost.jobs import Report
    from ghost.workbench import Workbench

HOST, PORT = "127.0.0.1", 5001


def mcp(args: Namespace) -> int:
    """Serve until the client goes away, or over HTTP until the process is asked to end; 0 then."""
    settings = load_settings()
    as_json = settings.log_format == "json"
    with logging_to_stderr(as_json, "ghost mcp: %(message)s", info=("ghost.telemetry",) if as_json else ()):
        return _serve(args, settings)


def _serve(args: Namespace, settings: Settings) -> int:
    opening = partial(_open, settings)
    if not args.http and args.host is None and args.port is None:
        serve_stdio(opening)
        return 0
    listening = Listening(
        args.host or HOST, PORT if args.port is None else args.port, settings.host_names, settings.api_origins,
        settings.api_require_key,
    )  # fmt: skip
    with closing(Database.open(settings.database_place)) as database:
        serve_http(opening, listening, ApiKeys(database, settings.database_path.parent))
    return 0


def _open(settings: Settings, report: "Report") -> "Workbench":
    from ghost.workbench import build  # large; the client has its answer to the first greeting before

    workbench = build(settings, progress=report)
    workbench.get_ready()
    return workbench
