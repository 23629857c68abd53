"""What language models are asked, one file for each step. A run keeps the hashes of what it asked."""

import hashlib
import json
from datetime import date

from ghost.judges.llm.prompts import classify, reading, repair, snippets, sufficiency, verdict
from ghost.types import Claim, Evidence, Origin, Passage, SourceType, Stance, Statement, Status

_CLAIM = Claim("A claim.", "Its context.", date(2026, 1, 1))
_STATEMENTS = (Statement(1, "A statement."),)
_PASSAGE = Passage(
    "p", "A passage.", "https://example.org/p", "A title", "example.org", "A publisher", "", Origin.CURATED,
    Status.ACTIVE, SourceType.UNKNOWN, "en", date(2026, 1, 1), None, None, 0.5,
)  # fmt: skip
_EVIDENCE = (Evidence(1, 1, _PASSAGE, Stance(0.25, 0.25, 0.25, 0.25), 0.5, 0.5, 0.0, 0.5, 1, 1),)


def hashes() -> dict[str, str]:
    """SHA-256 of each question about one and the same small claim, with the schema of its answer.

    So the hash tells of a change in the prompt and in how claim and evidence are laid out in it.
    """
    questions = (
        classify.question(_CLAIM),
        snippets.question(_STATEMENTS, (_PASSAGE,)),
        reading.question(_STATEMENTS, _PASSAGE.title, _PASSAGE.text),
        sufficiency.question(_CLAIM, _STATEMENTS, _EVIDENCE),
        verdict.question(_CLAIM, _STATEMENTS, _EVIDENCE),
    )
    return {q.purpose: _hash(q.messages, q.schema) for q in questions} | {"repair": _hash(repair.REPAIR)}


def _hash(*parts: object) -> str:
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()
