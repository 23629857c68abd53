"""Already fact-checked? What the trace of a run says of that, and where nobody could be asked."""

from collections.abc import Mapping, Sequence
from typing import Any

from ghost.text import one_line
from ghost.types import TraceStep

FACT_CHECKERS = "fact_check"
"""The stage, as the trace calls it."""
_ANSWERED = ("answered", "from the cache")
_WHYS = 3
"""Reasons that are named at most."""
_NAMED = 3
"""Statements that are named at most."""


def searched(steps: Sequence[TraceStep]) -> bool:
    """Whether any search of a run was answered."""
    return any(row.get("state") in _ANSWERED for step in steps for row in _searches(step))


def told(steps: Sequence[TraceStep], found: bool) -> list[str]:
    """What is to be said beside the fact-checks that were ``found``: that there are none, or that nobody looked.

    Outside text. "None" is said only of the statements for which the search for the fact-checkers was answered.
    """
    asked: dict[str, list[Mapping[str, Any]]] = {}
    mine = [s for s in steps if s.name == "investigate" and s.inputs.get("stage") == FACT_CHECKERS]
    for row in (row for step in mine for row in _searches(step)):
        asked.setdefault(str(row.get("statement")), []).append(row)
    unanswered = [rows for rows in asked.values() if not any(row.get("state") in _ANSWERED for row in rows)]
    if not asked:
        why = " ".join(one_line(s.reason) for s in mine) or "the search ended before it was their turn."
        return [f"The fact-checkers could not be asked: {_ended(why)}"]
    texts = _statements(steps)
    answered = [n for n, rows in asked.items() if any(row.get("state") in _ANSWERED for row in rows)]
    of = "this" if len(answered) >= len(texts) else _named([texts[n] for n in answered if n in texts])
    said = [f"No published fact-check of {of} was found."] if answered and not found else []
    if unanswered:
        about = f" about {len(unanswered)} of {len(asked)} statements" if len(unanswered) < len(asked) else ""
        said.append(f"The fact-checkers could not be asked{about}: {_ended(_whys(unanswered))}")
    if left := [text for n, text in texts.items() if n not in asked]:
        said.append(f"The fact-checkers were not asked about {_named(left)}.")
    return said


def _statements(steps: Sequence[TraceStep]) -> dict[str, str]:
    """The statements of a run by their numbers; none where the trace does not have them."""
    kept = next((s.outputs.get("statements") for s in steps if s.name == "classify"), None)
    texts = kept if isinstance(kept, list) else []
    return {str(number): one_line(str(text)) for number, text in enumerate(texts, start=1)}


def _named(texts: Sequence[str]) -> str:
    """Statements in quotation marks, the first ones only where there are many."""
    more = len(texts) - _NAMED
    shown = [f"“{text.rstrip('.')}”" for text in texts[:_NAMED]] + ([f"{more} more"] if more > 0 else [])
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else "".join(shown) or "this"


def _whys(unanswered: Sequence[Sequence[Mapping[str, Any]]]) -> str:
    said = (f"{row.get('sent_to') or 'nobody'}: {row.get('why') or 'no reason kept'}" for r in unanswered for row in r)
    return "; ".join([one_line(why).rstrip(".") for why in dict.fromkeys(said)][:_WHYS])


def _ended(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


def _searches(step: TraceStep) -> list[Mapping[str, Any]]:
    """The rows of a stored trace, which another version may have written."""
    rows = step.outputs.get("searches") if step.name == "investigate" else None
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []
