"""``python -m ghost mcp``: Ghost as a tool of language models."""

import logging
import sys
from argparse import Namespace
from contextlib import closing
from importlib import import_module
from typing import TYPE_CHECKING, Any

from config import Settings, load_settings
from ghost.cli.arguments import UsageError
from ghost.cli.terminal import say

if TYPE_CHECKING:
    from collections.abc import Callable

    from ghost.workbench import Workbench

HOST, PORT = "127.0.0.1", 5001


def mcp(args: Namespace) -> int:
    """Serve until the client goes away, or over HTTP until the process is asked to end."""
    if not args.http and (args.host is not None or args.port is not None):
        raise UsageError("--host and --port go with --http.")
    settings = load_settings()
    # Standard output belongs to the protocol.
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="ghost mcp: %(message)s")
    server = import_module("ghost.mcp")  # by its name, as the ways in do not know each other

    def open_workbench(report: "Callable[[str, int, int], None]") -> "Workbench":
        from ghost.workbench import build  # large; the client has its answer to the first greeting before

        return build(settings, progress=report)

    if args.http:
        _serve_http(server, open_workbench, settings, args)
    else:
        server.serve_stdio(open_workbench)
    return 0


def _serve_http(server: Any, open_workbench: Any, settings: Settings, args: Namespace) -> None:
    from ghost.records import ApiKeys, Database

    with closing(Database.open(settings.database_path)) as database:
        listening = server.Listening(
            args.host or HOST, PORT if args.port is None else args.port, settings.host_names, settings.api_origins,
            settings.api_require_key,
        )  # fmt: skip
        server.serve_http(open_workbench, listening, ApiKeys(database), say)
