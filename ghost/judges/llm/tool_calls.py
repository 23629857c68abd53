"""The functions that a model calls in a conversation: reading the calls, and sending them and their results back."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pydantic import ValidationError

from ghost.judges.llm import prompts
from ghost.judges.llm.conversation_replies import (
    Arguments,
    ExtractArguments,
    FetchArguments,
    FinishArguments,
    SearchArguments,
    Tool,
    TurnReply,
)
from ghost.judges.llm.reply_validation import tidy
from ghost.judges.llm.request import ToolCall

MOST_CALLS = 6
"""Of one answer; what a model asks for beyond them is not done."""
RESULT_CHARS = 7_000
"""So much of what a function returns is shown."""
_ID = re.compile(r"[A-Za-z0-9_.:-]{1,64}")
"""An id that can be sent back; some servers give none, or the same to several calls."""
_ARGUMENTS: dict[Tool, type[Arguments]] = {
    Tool.SEARCH: SearchArguments,
    Tool.FETCH: FetchArguments,
    Tool.EXTRACT: ExtractArguments,
    Tool.FINISH: FinishArguments,
}


@dataclass(frozen=True, slots=True)
class ToolRequest:
    """A function that the model wants called."""

    call: ToolCall
    arguments: Arguments | None
    """None where they cannot be used."""
    problem: str = ""
    """What is wrong with the call; empty where nothing is."""


def written_calls(reply: TurnReply) -> tuple[ToolCall, ...]:
    """Calls that a model has written down, as if it had made them."""
    return tuple(
        ToolCall("", call.tool.value, call.model_dump_json(include=set(_ARGUMENTS[call.tool].model_fields)))
        for call in reply.calls
    )


def requests_of(calls: Sequence[ToolCall]) -> tuple[ToolRequest, ...]:
    """The calls of one answer, each with its arguments or what is wrong with it."""
    known: set[str] = set()
    requests = []
    for at, call in enumerate(calls):
        if not _ID.fullmatch(call.id) or call.id in known:
            call = replace(call, id=f"call{at:05}")
        known.add(call.id)
        requests.append(_request_of(call, at))
    return tuple(requests)


def _request_of(call: ToolCall, at: int) -> ToolRequest:
    if at >= MOST_CALLS:
        return ToolRequest(call, None, f"Only {MOST_CALLS} calls of one answer are done. Call it again.")
    if call.name not in tuple(Tool):
        return ToolRequest(call, None, f"There is no function {tidy(call.name, 80)}. There are {', '.join(Tool)}.")
    try:
        return ToolRequest(call, _ARGUMENTS[Tool(call.name)].model_validate_json(call.arguments or "{}"))
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        return ToolRequest(call, None, f"Its arguments cannot be used: {place} {first['msg']}.".replace(":  ", ": "))


def as_message(call: ToolCall) -> dict[str, Any]:
    """A call as it is sent back. Servers fail on names and arguments that a model has got wrong."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", call.name)[:64] or "unknown"
    try:
        usable = isinstance(json.loads(call.arguments), dict)
    except (ValueError, RecursionError):
        usable = False
    return {
        "id": call.id, "type": "function",
        "function": {"name": name, "arguments": call.arguments if usable else "{}"},
    }  # fmt: skip


def as_shown(result: Any) -> str:
    """A result as the model reads it."""
    return prompts.data(json.dumps(result, ensure_ascii=False))[:RESULT_CHARS]
