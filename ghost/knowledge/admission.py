"""The one door into the knowledge base: every passage, whatever its origin, goes through ``admit``."""

from dataclasses import dataclass, replace
from typing import Any

from ghost.knowledge.injection import suspicious_passage
from ghost.knowledge.text import normalise
from ghost.types import NewPassage, Status

MIN_CHARS = 10
MAX_CHARS = 2_000
_LIMITS = {"source_url": 2_000, "title": 500, "publisher": 300, "topic": 80, "language": 16, "note": 1_000}
"""Longer values of these fields are cut; they describe the passage, they are not the passage."""


@dataclass(frozen=True, slots=True)
class Admission:
    """The decision about one passage."""

    passage: NewPassage | None
    """In normal form and with the status it gets; None when it is refused."""
    reason: str = ""
    """Why it is refused or quarantined; empty when nothing stands against it."""


def admit(new: NewPassage) -> Admission:
    """Bring a passage into normal form, and refuse or quarantine it when something stands against it.

    Text that gives orders to an AI is kept for the analyst to see but quarantined, so that no run finds it.
    Duplicates are not known here: they merge when the passage is written.
    """
    text = normalise(new.text)
    refusal = _refusal(new.text, text)
    if refusal:
        return Admission(None, refusal)
    fields: dict[str, Any] = {name: normalise(getattr(new, name))[:limit] for name, limit in _LIMITS.items()}
    fields["language"] = fields["language"].lower() or "en"
    passage = replace(new, text=text, **fields)
    reason = suspicious_passage(new)
    if reason and passage.status is Status.ACTIVE:
        note = "; ".join(part for part in (passage.note, f"quarantined: {reason}") if part)
        passage = replace(passage, status=Status.QUARANTINED, note=note)
    return Admission(passage, reason if passage.status is Status.QUARANTINED else "")


def _refusal(raw: str, text: str) -> str:
    if not text:
        return "it is empty"
    unreadable = raw.count("\ufffd") + sum(c < " " and c not in "\n\r\t\f\v" for c in raw)
    if unreadable > len(raw) / 20:
        return "it is not text but binary data"
    if not any(c.isalpha() for c in text):
        return "it has no words"
    if len(text) < MIN_CHARS:
        return f"it is too short: {len(text)} characters, at least {MIN_CHARS} are needed"
    if len(text) > MAX_CHARS:
        return f"it is too long for a passage: {len(text):,} characters, at most {MAX_CHARS:,}; cut it into sentences"
    return ""
