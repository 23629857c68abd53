"""What a model is asked to answer with, step by step, and reading what it wrote: JSON, or the exact trouble with it.

The docstrings of the models below are part of the schemas that models are sent.
"""

import json
import re
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, Field, ValidationError

from ghost.types import ClaimType, Relation, RouteMode, StanceLabel

T = TypeVar("T", bound=BaseModel)
_FENCE = "```"
_THOUGHT = ("<think>", "</think>")


def named(kind: type[StrEnum]) -> BeforeValidator:
    """A name of the enum in any case, with blanks, hyphens or underscores; nothing else, least of all a guess."""
    known = {_plain(member.value): member for member in kind}

    def read(value: Any) -> Any:
        return known.get(_plain(value), value) if isinstance(value, str) else value

    return BeforeValidator(read)


def _plain(name: str) -> str:
    return " ".join(name.replace("_", " ").replace("-", " ").casefold().split())


def _share(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, int | float) and 1 < value <= 100:
        return value / 100
    return value


Confidence = Annotated[float, BeforeValidator(_share), Field(ge=0.0, le=1.0, allow_inf_nan=False, strict=True)]
"""0 to 1; a percentage is understood."""


class ClassifyReply(BaseModel):
    """What the model answers."""

    reason: str = Field(max_length=2000)
    type: Annotated[ClaimType, named(ClaimType)]
    confidence: Confidence
    statements: list[str] = Field(max_length=40)
    rephrase: str = Field(default="", max_length=2000)


class QuoteReply(BaseModel):
    """A sentence that bears on a statement."""

    statement: int
    quote: str = Field(max_length=2000)
    stance: Annotated[StanceLabel, named(StanceLabel)]


class ReadingReply(BaseModel):
    """What the model answers."""

    quotes: list[QuoteReply] = Field(max_length=60)


class StanceOf(BaseModel):
    """How the model reads one passage."""

    n: int
    stance: Annotated[StanceLabel, named(StanceLabel)]


class StatementAnswer(BaseModel):
    """What the model says of one statement."""

    statement: int
    stances: list[StanceOf] = Field(default_factory=list, max_length=100)
    enough: bool = Field(strict=True)
    reason: str = Field(max_length=2000)
    missing: str = Field(default="", max_length=2000)
    queries: list[str] = Field(default_factory=list, max_length=20)


class SufficiencyReply(BaseModel):
    """What the model answers."""

    statements: list[StatementAnswer] = Field(min_length=1, max_length=40)


class Decision(StrEnum):
    """The labels that evidence can lead to; Not Verifiable belongs to step 1."""

    TRUE = "True"
    FALSE = "False"
    PARTIALLY_TRUE = "Partially True"
    MISLEADING = "Misleading"
    NOT_ENOUGH_EVIDENCE = "Not Enough Evidence"


class CitedReply(BaseModel):
    """One citation of a sentence."""

    n: int
    statement: int = 0
    quote: str = Field(max_length=4000)
    stance: Annotated[StanceLabel, named(StanceLabel)]


class SentenceReply(BaseModel):
    """One sentence of the explanation."""

    text: str = Field(max_length=4000)
    citations: list[CitedReply] = Field(default_factory=list, max_length=40)


class DecidedReply(BaseModel):
    """The label of one statement."""

    statement: int
    label: Annotated[Decision, named(Decision)]
    confidence: Confidence


class VerdictReply(BaseModel):
    """What the model answers. The sentences come first, so that they can be shown while the rest is written."""

    sentences: list[SentenceReply] = Field(max_length=40)
    statements: list[DecidedReply] = Field(default_factory=list, max_length=40)
    label: Annotated[Decision, named(Decision)]
    confidence: Confidence
    missing: str = Field(default="", max_length=2000)


class RouteReply(BaseModel):
    """What the model answers."""

    reasoning: str = Field(max_length=2000)
    question: str = Field(max_length=4000)
    mode: Annotated[RouteMode, named(RouteMode)]
    claim_ids: list[str] = Field(default_factory=list, max_length=20)


class SameReply(BaseModel):
    """What the model answers."""

    reasoning: str = Field(max_length=2000)
    relation: Annotated[Relation, named(Relation)]


class CardQuote(BaseModel):
    """What one sentence leans on."""

    n: int
    quote: str = Field(max_length=4000)


class CardSentence(BaseModel):
    """One sentence of the answer."""

    text: str = Field(max_length=4000)
    citations: list[CardQuote] = Field(default_factory=list, max_length=40)


class AnswerReply(BaseModel):
    """What the model answers."""

    sentences: list[CardSentence] = Field(max_length=20)


class SearchCall(BaseModel):
    """Arguments of search_existing_claims."""

    query: str = Field(max_length=2000)
    limit: int = Field(default=5, ge=1, le=10)


class DetailsCall(BaseModel):
    """Arguments of get_claim_details."""

    claim_id: str = Field(max_length=80)


class NewClaimCall(BaseModel):
    """Arguments of generate_new_claim."""

    text: str = Field(max_length=4000)
    context: str = Field(default="", max_length=4000)


_KEPT = ("type", "enum", "items", "properties", "description")


@cache
def strict_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Every field required, nothing else allowed, references written out; limits are left to our own check.

    Made once, since Pydantic takes milliseconds for it and every question has one: it must not be changed.
    """
    whole = model.model_json_schema()
    return _strict(whole, whole.get("$defs", {}))


def _strict(node: dict[str, Any], named: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in node:
        return _strict(named[node["$ref"].rpartition("/")[2]], named)
    found = {key: value for key, value in node.items() if key in _KEPT}
    if "items" in found:
        found["items"] = _strict(found["items"], named)
    if "properties" in found:
        found["properties"] = {name: _strict(child, named) for name, child in found["properties"].items()}
        found["required"] = list(found["properties"])
        found["additionalProperties"] = False
    return found


class BadReply(Exception):
    """An answer that cannot be used; ``kind`` is what the trace counts, ``str`` says what is wrong."""

    def __init__(self, kind: str, text: str) -> None:
        self.kind = kind
        super().__init__(text)


def parse(text: str, into: type[T]) -> T:
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
