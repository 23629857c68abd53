"""Asking a language model one tiny question, to see whether it works."""

import json
import time
from contextlib import closing
from dataclasses import replace

from ghost.budget import Budget, Limits
from ghost.errors import Cancelled, JudgeError
from ghost.jobs import Progress
from ghost.judges import ChatClient, Endpoint, LocalServer, Question

WORDS = "Say that you are ready."
"""All that is asked: nothing of anybody's work."""
_ANSWER = {"type": "string"}
_SCHEMA = {"type": "object", "properties": {"answer": _ANSWER}, "required": ["answer"], "additionalProperties": False}
QUESTION = Question("check", ({"role": "user", "content": f'{WORDS} Answer as JSON: {{"answer": "…"}}'},), _SCHEMA, 200)
TOKENS, COST_USD = 5_000, 0.05
"""The most that it may spend."""
SLACK_SECONDS = 5.0
"""Beyond the time that an answer may take, so that it is the endpoint's own limit that is told."""


def ask(endpoint: Endpoint, progress: Progress) -> str:
    """Send the question once and say what came; raises JudgeError in words when nothing did, Cancelled when stopped."""
    endpoint = replace(endpoint, model=endpoint.model or _first_model(endpoint), retries=0)
    limits = Limits(tokens=TOKENS, cost_usd=COST_USD, seconds=endpoint.timeout + SLACK_SECONDS)

    def stopped() -> bool:
        try:
            progress(f"Waiting for {endpoint.host}", 0, 0)
        except Cancelled:
            return True
        return False

    started = time.monotonic()
    with closing(ChatClient(endpoint)) as client:
        said = "".join(client.ask(QUESTION, Budget(limits, stopped)))
    seconds = time.monotonic() - started
    if not said.strip():
        raise JudgeError(f"The {endpoint.judge} model at {endpoint.host} answered with no word.")
    form = "" if _fits(said) else " It did not keep to the form that was asked for, which a judge needs."
    return f"{endpoint.model} at {endpoint.host} answered in {seconds:.1f} s.{form}"


def _first_model(endpoint: Endpoint) -> str:
    server = LocalServer(endpoint.base_url)
    if model := server.first_model():
        return model
    raise JudgeError(server.problem() or f"The server at {endpoint.host} lists no model. Set GHOST_LOCAL_MODEL.")


def _fits(said: str) -> bool:
    try:
        answer = json.loads(said)
    except (ValueError, RecursionError):
        return False
    return isinstance(answer, dict) and isinstance(answer.get("answer"), str)
