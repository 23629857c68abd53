"""What the trace of a run says of pages: those that the analyst named, the notices in them, and archived copies."""

from collections.abc import Iterable, Mapping
from typing import Any

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


def rows(steps: Iterable[TraceStep]) -> list[Mapping[str, Any]]:
    """The row of each page that a run looked at or was told to look at."""
    found = (s.outputs.get("sources") for s in steps if s.name == "investigate")
    return [row for some in found if isinstance(some, list) for row in some if isinstance(row, Mapping)]


def named(steps: Iterable[TraceStep]) -> list[Mapping[str, Any]]:
    """The rows of the pages that the analyst named, in the order in which they were named."""
    found: list[Mapping[str, Any]] = []
    for step in steps:
        urls = step.inputs.get("links") if step.name == "investigate" else None
        known = {row.get("url"): row for row in rows((step,))}
        found += [known.get(url, {"url": url, "state": LEFT, "why": ""}) for url in (urls or ())]
    return found


def told(row: Mapping[str, Any]) -> str:
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


def notices(steps: Iterable[TraceStep]) -> dict[str, list[tuple[str, str]]]:
    """Address of a page -> kind and words of each notice in it that it was retracted or corrected. Outside text."""
    found: dict[str, list[tuple[str, str]]] = {}
    for row in rows(steps):
        mine = [
            (str(n.get("kind") or ""), str(n.get("text") or ""))
            for n in row.get("notices") or ()
            if isinstance(n, Mapping)
        ]
        if mine:
            for address in {str(row.get("url")), str(row.get("final_url"))}:
                found.setdefault(address, mine)
    return found


def archived(citation: Citation, origin: Origin | None) -> str:
    """Where an archived copy of a page of the web is, or where to look for one; empty for everything else."""
    if citation.archived_url:
        return citation.archived_url
    return suggested(citation.url, citation.published_at) if origin in OUTSIDE else ""


def origins_of(run: Run) -> dict[str, Origin]:
    """Passage id -> how it came in."""
    return {e.passage.id: e.passage.origin for e in run.evidence}
