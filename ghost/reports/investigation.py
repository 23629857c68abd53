"""What the trace of a run says of its investigation: pages that the analyst named, notices in pages, archived copies,
and published fact-checks.

What was stored by another version is read as far as it can be. All texts come from outside.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ghost.errors import NO_CONNECTION
from ghost.reports.trace import CONVERSATION, step_rows
from ghost.text import one_line
from ghost.types import Citation, Origin, Run, TraceStep
from ghost.web import suggested

READ = "read"
LEFT = "not read"
OUTSIDE = (Origin.WEB, Origin.FACT_CHECK)
RETRACTION = "retraction"
_SENTENCES = {
    "reading": "It is being read.",
    "read": "Read, and weighed with the rest.",
    "refused": "Not read.",
    "unreadable": "It was fetched, and has no text that could be read.",
    "dropped": "Read, but it may not count.",
    "not read": "A limit of the run came first.",
}
FACT_CHECKERS = "fact_check"
"""The stage, as the trace calls it."""
NO_NETWORK = "There seems to be no network, so the web was not searched."
_ANSWERED = ("answered", "from the cache")
_WHYS = 3
"""Reasons that are named at most."""
_NAMED = 3
"""Statements that are named at most."""


def named_pages(steps: Iterable[TraceStep]) -> list[Mapping[str, Any]]:
    """The rows of the pages that the analyst named, in the order in which they were named."""
    found: list[Mapping[str, Any]] = []
    for step in steps:
        urls = step.inputs.get("links") if step.name == "investigate" else None
        known = {row.get("url"): row for row in step_rows((step,), "investigate", "sources")}
        found += [known.get(url, {"url": url, "state": LEFT, "why": ""}) for url in (urls or ())]
    return found


def page_outcome(row: Mapping[str, Any]) -> str:
    """What became of a page, in plain words."""
    why = str(row.get("why") or "")
    state = str(row.get("state") or "")
    start = _SENTENCES.get(state, state.capitalize())
    if state == READ:
        side = str(row.get("verdict") or "")
        said = {"supports": "it supports the claim", "refutes": "it contradicts the claim", "both": "it says both"}
        return f"{start.rstrip('.')}: {said.get(side, why or 'it takes no side')}."
    why = why[:1].upper() + why[1:]
    return " ".join(part for part in (start, why if why.endswith(".") or not why else f"{why}.") if part)


def page_notices(steps: Iterable[TraceStep]) -> dict[str, list[tuple[str, str]]]:
    """Address of a page -> kind and words of each notice in it that it was retracted or corrected. Outside text."""
    found: dict[str, list[tuple[str, str]]] = {}
    for row in step_rows(steps, "investigate", "sources"):
        mine = [
            (str(n.get("kind") or ""), str(n.get("text") or ""))
            for n in row.get("notices") or ()
            if isinstance(n, Mapping)
        ]
        if mine:
            for address in {str(row.get("url")), str(row.get("final_url"))}:
                found.setdefault(address, mine)
    return found


def archived_copy(citation: Citation, origin: Origin | None) -> str:
    """Where an archived copy of a page of the web is, or where to look for one; empty for everything else."""
    if citation.archived_url:
        return citation.archived_url
    return suggested(citation.url, citation.published_at) if origin in OUTSIDE else ""


def may_search(run: Run) -> bool:
    """Whether the run was allowed to search the web, as far as it has kept that."""
    return bool(run.settings.get("searched")) or bool(run.usage.searches)


def fact_checks(run: Run) -> list[dict[str, Any]]:
    """Published fact-checks that the searches of a run found, each once: those of its statements first."""
    known: dict[tuple[str, str], dict[str, Any]] = {}
    for row in step_rows(run.steps, "investigate", "reviews"):
        known.setdefault((str(row.get("url")), str(row.get("claim"))), dict(row))
    return sorted(known.values(), key=lambda row: not row.get("statement"))


def any_search_answered(steps: Sequence[TraceStep]) -> bool:
    """Whether any search of a run was answered."""
    return any(row.get("state") in _ANSWERED for row in step_rows(steps, "investigate", "searches"))


def offline(steps: Sequence[TraceStep]) -> str:
    """What is to be said of a run that wanted to search and had no network; empty for any other run."""
    whys = (str(row.get("why")) for row in step_rows(steps, "investigate", "searches"))
    return "" if any_search_answered(steps) or not any(NO_CONNECTION in why for why in whys) else NO_NETWORK


def fact_check_coverage(steps: Sequence[TraceStep], found: bool) -> list[str]:
    """What is to be said beside the fact-checks that were ``found``: that there are none, or that nobody looked.

    Outside text. "None" is said only of the statements for which the search for the fact-checkers was answered.
    """
    asked: dict[str, list[Mapping[str, Any]]] = {}
    mine = [s for s in steps if s.name == "investigate" and s.inputs.get("stage") == FACT_CHECKERS]
    for row in step_rows(mine, "investigate", "searches"):
        asked.setdefault(str(row.get("statement")), []).append(row)
    unanswered = [rows for rows in asked.values() if not any(row.get("state") in _ANSWERED for row in rows)]
    if not asked and any(s.inputs.get("stage") == CONVERSATION for s in steps):
        return ["The fact-checkers were not asked by themselves: the language model chose what to search for."]
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
