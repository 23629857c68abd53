"""What can go wrong between us and a language model, said so that a person can act on it."""

import re
import unicodedata
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from ghost.judges.llm.connection import TooMuchError
from ghost.judges.llm.request import Endpoint

SAID_CHARS = 160
LONGEST_READ = 2_000
CONNECTION_LOST = "broke off the connection."
FORM_FIELDS = ("response_format", "json_schema", "stream_options", "max_completion_tokens", "tools")
"""A failure that names one of these refuses the form: some servers answer 500 to a form that they do not know."""
NO_MORE_CREDIT = {"insufficient_quota", "billing_hard_limit_reached"}


@dataclass(frozen=True, slots=True)
class Trouble:
    """One failed attempt."""

    text: str
    """What happened and what to do, fit to be shown."""
    again: bool = False
    """Whether the same request may succeed a moment later."""
    wait: float | None = None
    """Seconds the server asks us to wait."""
    sent: bool = True
    """False when no connection came about."""
    form: str = ""
    """What the server said about the form of a request that it refuses; empty for other troubles."""


def read(error: Exception, to: Endpoint) -> Trouble:
    """The trouble behind an exception of the client library, or of the connection below it."""
    import openai

    where = f"{to.judge} model at {to.host}"
    causes = (error, error.__cause__)
    if any(isinstance(cause, TooMuchError) for cause in causes):
        return Trouble(f"The {where} sends more than an answer can have, or packs it. It was left.")
    if any(_bad_header(cause) for cause in causes):
        return Trouble(
            f"The key for the {where} has a character that no key has. {_ADVICE[to.judge, 'key']}", sent=False
        )
    if isinstance(error, openai.APIStatusError):
        return _status(error, to, where)
    if isinstance(error, openai.APITimeoutError):
        return Trouble(f"The {where} did not answer within {to.timeout:g} s.", sent=_connected(error))
    if isinstance(error, openai.APIConnectionError):
        if not _connected(error):
            return Trouble(f"The {where} cannot be reached. {_ADVICE[to.judge, 'start']}", again=True, sent=False)
        return Trouble(f"The {where} {CONNECTION_LOST}", again=True)
    if isinstance(error, openai.APIError):
        return Trouble(f"The {where} reported a failure{said(error.message, to)}.", again=True)
    return Trouble(f"What answers at {to.host} does not speak the OpenAI protocol ({type(error).__name__}).")


def _status(error: Any, to: Endpoint, where: str) -> Trouble:
    code, message = error.status_code, said(error.message, to)
    if code in (401, 403):
        # The server's own message often has part of the key in it.
        return Trouble(f"The {where} refused the key ({code}). {_ADVICE[to.judge, 'key']}")
    if code == 404:
        return Trouble(
            f"The {where} does not know “{to.model}” or has nothing at this address (404). {_ADVICE[to.judge, 'name']}"
        )
    if code == 429:
        if str(error.code) in NO_MORE_CREDIT:
            return Trouble(f"The account at {to.host} has no credit left (429). Add credit, or choose another judge.")
        return Trouble(f"The {where} has too many requests (429).", again=True, wait=_retry_after(error))
    if code in (400, 422):
        return Trouble(f"The {where} refused the request ({code}){message}.", form=str(error.message))
    if code in (408, 409) or code >= 500:
        form = str(error.message) if any(field in str(error.message) for field in FORM_FIELDS) else ""
        return Trouble(f"The {where} failed ({code}).", again=True, wait=_retry_after(error), form=form)
    return Trouble(f"The {where} answered {code}{message}.")


def said(message: object, to: Endpoint) -> str:
    """What the server said, on one line, short and without the key; empty when it said nothing."""
    text = str(message or "")[:LONGEST_READ].encode("utf-8", "replace").decode()
    text = "".join(c for c in " ".join(text.split()) if unicodedata.category(c) not in ("Cc", "Cf"))
    text = re.sub(r"^Error code: \d+ - ", "", text)  # said already
    if to.key:
        text = text.replace(to.key, "…")
    text = re.sub(r"\bsk-[\w*-]+", "…", text)
    return f": {text[:SAID_CHARS]}" if text else ""


def _retry_after(error: Any) -> float | None:
    headers = error.response.headers
    try:
        if given := headers.get("retry-after-ms"):
            return max(0.0, float(given) / 1000)
        given = headers.get("retry-after")
        if not given:
            return None
        if re.fullmatch(r"\d+(?:\.\d+)?", given.strip()):
            return float(given)
        return max(0.0, (parsedate_to_datetime(given) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None


def _bad_header(cause: BaseException | None) -> bool:
    """Whether the request could not be put into bytes; of our headers only the key comes from outside."""
    ascii_only = isinstance(cause, UnicodeEncodeError) and cause.encoding == "ascii"
    return ascii_only or type(cause).__name__ == "LocalProtocolError"


def _connected(error: Exception) -> bool:
    cause = type(error.__cause__).__name__
    return cause not in ("ConnectError", "ConnectTimeout", "PoolTimeout", "UnsupportedProtocol")


_ADVICE = {
    ("local", "start"): "Start the server, or correct GHOST_LOCAL_BASE_URL.",
    ("cloud", "start"): "Check the network and GHOST_CLOUD_BASE_URL.",
    ("local", "key"): "Ghost sends no key to a local server; use GHOST_CLOUD_BASE_URL for one that needs a key.",
    ("cloud", "key"): "Check OPENAI_API_KEY.",
    ("local", "name"): "Check GHOST_LOCAL_MODEL and GHOST_LOCAL_BASE_URL.",
    ("cloud", "name"): "Check GHOST_LLM_MODEL and GHOST_CLOUD_BASE_URL.",
}
