"""The entrance: parse, do, and turn whatever goes wrong into one message and an exit code."""

import gc
import sys
import traceback
from collections.abc import Sequence
from importlib import import_module
from typing import NoReturn

from config import ConfigError
from ghost.cli.arguments import UsageError, parser
from ghost.cli.terminal import drop_output, make_safe, print_json, say
from ghost.errors import ClaimError, GhostError
from ghost.text import one_line, redacted

COMMANDS = {
    "verify": ("verify", "verify"), "export": ("verify", "export_run"), "batch": ("batch", "batch"),
    "ask": ("ask", "ask"), "research": ("research", "research"), "match": ("match", "match"),
    "kb": ("knowledge", "knowledge"), "cards": ("cards", "cards"), "seed": ("seed", "seed"),
    "models": ("models", "models"), "keys": ("keys", "keys"), "mcp": ("ghost.mcp.command", "mcp"),
    "calibrate": ("calibrate", "calibrate"), "page": ("page", "page"), "demo": ("page", "demo"),
    "serve": ("ghost.api.server", "serve"), "up": ("up", "up"), "worker": ("worker", "worker"),
    "move": ("records", "move"), "backup": ("records", "backup"), "restore": ("records", "restore_backup"),
    "prune": ("prune", "prune_runs"),
}  # fmt: skip
"""Module and function of each. It is imported when it is asked for, so that none waits for what another needs.

A module without a dot is one of this room.
"""


def run() -> NoReturn:
    """Run the command of this process, and end it with the exit code."""
    gc.set_threshold(100_000)  # of what is imported nothing can be collected, and looking through it takes long
    code = main()
    if "ghost.knowledge" in sys.modules:
        from ghost.knowledge import exit_with

        exit_with(code)
    sys.exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code: 0 done, 1 failure, 2 something typed or set cannot be used."""
    words = list(sys.argv[1:] if argv is None else argv)
    make_safe()
    try:
        code = _run(words)
        sys.stdout.flush()
    except BrokenPipeError:
        drop_output()
        return 1
    return code


def _run(words: list[str]) -> int:
    as_json = "--json" in words and words[:1] != ["bench"]  # there it names a file
    try:
        if words[:1] == ["bench"]:
            from bench.cli import main as bench

            return bench(words[1:])
        args = parser().parse_args(words)
        module, function = COMMANDS[args.command]
        code: int = getattr(import_module(module if "." in module else f"ghost.cli.{module}"), function)(args)
    except UsageError as error:
        if error.usage:
            say(error.usage.rstrip())
        return _report(str(error), 2, as_json)
    except (ConfigError, ClaimError) as error:
        return _report(str(error), 2, as_json)
    except GhostError as error:
        return _report(str(error), 1, as_json)
    except KeyboardInterrupt as stopped:
        return _report(str(stopped) or "Stopped.", 130, as_json)
    except BrokenPipeError:
        raise
    except Exception as error:
        if "--debug" in words:
            traceback.print_exc()
        hint = "" if "--debug" in words else " Add --debug to see where it comes from."
        return _report(f"Unexpected {type(error).__name__}: {redacted(str(error))}.{hint}", 1, as_json)
    return code


def _report(message: str, code: int, as_json: bool) -> int:
    if as_json:
        print_json({"error": message})
    # It may repeat what was typed: no control characters, and only the lines that a message of ours has.
    lines = [one_line(line) for line in message.split("\n")]
    say("\n".join([f"ghost: {lines[0]}", *lines[1:]]))
    return code
