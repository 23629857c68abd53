"""Reading what a model wrote: JSON against its schema, or the exact trouble with it."""

import json
import re
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

Reply = TypeVar("Reply", bound=BaseModel)
_FENCE = "```"
_THOUGHT = ("<think>", "</think>")


class BadReply(Exception):
    """An answer that cannot be used; ``kind`` is what the trace counts, ``str`` says what is wrong."""

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        super().__init__(text)


def parse(text: str, into: type[Reply]) -> Reply:
    """The reply in ``text``; raises BadReply of the kind empty, prose, malformed, wrong_label or wrong_schema."""
    try:
        return into.model_validate(_object(text))
    except ValidationError as error:
        problems = error.errors(include_url=False, include_input=False)
        first = problems[0]
        place = ".".join(str(part) for part in first["loc"])
        labels = [p for p in problems if p["type"] == "enum"]
        if labels:
            label = ".".join(str(part) for part in labels[0]["loc"])
            raise BadReply("wrong_label", f"“{label}” has a value that is none of the names asked for.") from error
        raise BadReply("wrong_schema", f"“{place}”: {first['msg']}.") from error


def _object(text: str) -> Any:
    # Found without patterns: weak models fill pages with blanks, on which a pattern can work for hours.
    body = text.strip()
    if body.startswith(_THOUGHT[0]):
        body = body.partition(_THOUGHT[1])[2].strip()
    if not body:
        raise BadReply("empty", "It was empty.")
    _, fence, fenced = body.partition(_FENCE)
    if fence and _FENCE in fenced and not body.startswith("{"):
        body = fenced.partition(_FENCE)[0]
    start = body.find("{")
    if start < 0:
        raise BadReply("prose", "It was prose, not JSON.")
    try:
        found, _ = json.JSONDecoder().raw_decode(body, start)
    except (ValueError, RecursionError) as error:
        raise BadReply("malformed", "The JSON in it cannot be read.") from error
    return found


class Items:
    """The complete objects of one array in a JSON text that is still being written."""

    def __init__(self, name: str) -> None:
        self._start = re.compile(rf'"{name}"\s*:\s*\[')
        self._text = ""
        self._at = -1
        self._done = False

    def feed(self, piece: str) -> list[dict[str, Any]]:
        """The objects that are complete with this piece."""
        self._text += piece
        found: list[dict[str, Any]] = []
        if self._at < 0 and (start := self._start.search(self._text)):
            self._at = start.end()
        while self._at >= 0 and not self._done:
            at = self._at
            while at < len(self._text) and self._text[at] in " \t\r\n,":
                at += 1
            if at >= len(self._text):
                break
            if self._text[at] != "{":
                self._done = True
                break
            try:
                item, self._at = json.JSONDecoder().raw_decode(self._text, at)
            except (ValueError, RecursionError):
                break
            found.append(item)
        return found
