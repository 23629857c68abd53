"""What a caller is told when something fails: what happened and what to do, and nothing of the machine."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import anyio.to_thread
from mcp.server.mcpserver.exceptions import ResourceError
from pydantic import ValidationError

from ghost.errors import (
    BudgetExceeded,
    ClaimError,
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

T = TypeVar("T")
log = logging.getLogger(__name__)

_LOG = "See the standard error of `python -m ghost mcp`."
_BUSY = (
    "Another Ghost is using the knowledge base. Nothing was changed. Close it, or start the page, the API and MCP "
    "together with `python -m ghost up`."
)
_TOLD: tuple[tuple[type[GhostError], str], ...] = (
    (StoreBusyError, _BUSY),
    (StoreDamagedError, f"A stored file is damaged. It was left untouched. Restore it from a backup. {_LOG}"),
    (StoreFullError, "The disk is full. What was stored before is kept. Free some space and try again."),
    (StoreReadOnlyError, f"The data folder is read-only. What was stored before is kept. {_LOG}"),
    (StoreError, f"The database could not be used. What was stored before is kept. {_LOG}"),
    (ModelError, f"A model could not be loaded. Nothing was changed. {_LOG}"),
    (JudgeError, f"The judge gave no usable answer. Try again, or ask for the embedded judge. {_LOG}"),
    (ProviderError, f"A web service could not be used. Try again later, or with web=false. {_LOG}"),
)
"""Errors whose own messages may name files or servers; the first that fits counts."""


def told(error: Exception) -> str:
    """The message for the caller. What it leaves out goes to the log."""
    if isinstance(error, ClaimError | BudgetExceeded):
        return str(error)
    log.error("%s: %s", type(error).__name__, without_input(str(error)))
    return next((text for kind, text in _TOLD if isinstance(error, kind)), f"Something went wrong in Ghost. {_LOG}")


async def in_thread(function: Callable[..., T], *args: Any, **options: Any) -> T:
    """Call it in a thread, since it may take long. Raises ResourceError in place of an error of ours.

    The SDK treats that error alike in tools and resources: its message reaches the caller.
    """
    try:
        return await anyio.to_thread.run_sync(partial(function, *args, **options))
    except GhostError as error:
        raise ResourceError(told(error)) from error


def invalid(tool: str, error: ValidationError) -> str:
    """What is wrong with the arguments of a tool, without repeating them."""
    wrong = [
        f"{'.'.join(str(part) for part in e['loc']) or 'arguments'}: {e['msg'][:1].lower()}{e['msg'][1:]}"
        for e in error.errors(include_url=False, include_input=False)
    ]
    return f"{tool} was not called: {'; '.join(wrong)}."
