"""One harmless question to a language model or a search provider, to see whether it answers."""

import json
import time
from collections.abc import Collection, Mapping
from contextlib import closing
from dataclasses import dataclass, replace

from ghost.budget import Budget, Limits
from ghost.errors import Cancelled, JudgeError, ProviderError
from ghost.jobs import Report
from ghost.judges import ChatClient, Endpoint, LocalServer, Question
from ghost.web import SearchProvider, Stage

MODEL_QUESTION = "Say that you are ready."
SEARCH_QUESTION = "Moon"
"""Both questions say nothing about anyone's work."""
HITS = 3
TOKENS, COST_USD = 5_000, 0.05
"""Limits for the question to a language model."""
SLACK_SECONDS = 5.0
"""Added to the endpoint's own time-out, so that the error is the endpoint's."""
STAGES = {Stage.TRUSTED: "trusted sources", Stage.FACT_CHECK: "fact-checkers", Stage.BROAD: "the whole web"}
_SCHEMA = {
    "type": "object",
    "properties": {"answer": {"type": "string"}},
    "required": ["answer"],
    "additionalProperties": False,
}
_PROMPT = ({"role": "user", "content": f'{MODEL_QUESTION} Answer as JSON: {{"answer": "…"}}'},)
_QUESTION = Question("check", _PROMPT, _SCHEMA, 200)


def ask_model(endpoint: Endpoint, report: Report) -> str:
    """Send the question once and describe the answer. Raises JudgeError where there is none, Cancelled when stopped."""
    endpoint = replace(endpoint, model=endpoint.model or _first_model(endpoint), retries=0)
    limits = Limits(tokens=TOKENS, cost_usd=COST_USD, seconds=endpoint.timeout + SLACK_SECONDS)

    def stopped() -> bool:
        try:
            report(f"Waiting for {endpoint.host}", 0, 0)
        except Cancelled:
            return True
        return False

    started = time.monotonic()
    with closing(ChatClient(endpoint)) as client:
        answer = "".join(client.ask(_QUESTION, Budget(limits, stopped)))
    seconds = time.monotonic() - started
    if not answer.strip():
        raise JudgeError(f"The {endpoint.judge} model at {endpoint.host} sent an empty answer.")
    form = "" if _is_json_answer(answer) else " It ignored the requested JSON form, which a judge needs."
    return f"{endpoint.model} at {endpoint.host} answered in {seconds:.1f} s.{form}"


def _first_model(endpoint: Endpoint) -> str:
    server = LocalServer(endpoint.base_url)
    if model := server.first_model():
        return model
    raise JudgeError(server.problem() or f"The server at {endpoint.host} lists no model. Set GHOST_LOCAL_MODEL.")


def _is_json_answer(answer: str) -> bool:
    try:
        value = json.loads(answer)
    except (ValueError, RecursionError):
        return False
    return isinstance(value, dict) and isinstance(value.get("answer"), str)


def ask_provider(provider: SearchProvider, seconds: float) -> str:
    """Send the question once and describe the answer. Raises ProviderError where there is none."""
    try:
        hits = provider.search(SEARCH_QUESTION, (), HITS, seconds)
    except ProviderError:
        raise
    except Exception as error:  # an adapter should raise nothing else, but this page must not fail when one does
        raise ProviderError(f"{provider.recipient} could not be asked: {type(error).__name__}.") from error
    if not hits:
        return f"It answered, but found nothing for “{SEARCH_QUESTION}”."
    return f"It answered with {len(hits)} {'result' if len(hits) == 1 else 'results'}."


def stage_words(provider: SearchProvider) -> str:
    """The search stages that a provider serves."""
    named = [words for stage, words in STAGES.items() if stage in provider.stages]
    return "in every stage" if len(named) == len(STAGES) else f"for {' and '.join(named)}"


@dataclass(frozen=True, slots=True)
class UnusedProvider:
    """A provider that the settings do not name."""

    name: str
    missing: tuple[str, ...]
    """Settings that it needs and that are not set."""


def unused_providers(
    known: Mapping[str, tuple[str, ...]], named: Collection[str], settings: object
) -> tuple[UnusedProvider, ...]:
    """The known providers that are not named, each with the settings it still needs."""
    return tuple(
        UnusedProvider(name, tuple(field for field in needs if not getattr(settings, field, None)))
        for name, needs in known.items()
        if name not in named
    )
