"""From the facts of a conversation to candidates for step 3: what the model kept, and what it left out.

A model, or a page that talks to it, may keep one side only. So beside the facts for a statement stands what their
sources and the knowledge base say most plainly to the contrary, and the plainest passage of each page that was read and
of which nothing was kept. A statement without facts is weighed as in the seven steps.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from ghost.pipelines.base import Tools
from ghost.pipelines.conversation_tools import ConversationTools
from ghost.steps import Candidates, Finding, Investigation, SourceReport, as_findings, opposing_findings, with_findings
from ghost.types import Candidate, NewPassage, Passage, Statement

FUSION_CONSTANT = 60


def weigh_facts(
    made: ConversationTools, retrieved: Candidates, tools: Tools
) -> tuple[Candidates, tuple[Investigation, ...]]:
    """The candidates of each statement, and what was found for them, with the pages as the model has read them.

    ``retrieved`` are the candidates of step 2.
    """
    chosen = {s.number: _chosen(s, made, retrieved, tools) for s in made.statements}
    of_pages = {p.id: new for source in made.pages.values() if source.shown for p, new in source.shown.passages}
    of_pages |= {fact.passage.id: fact.new for fact in made.facts if fact.new}
    found = tuple(
        replace(i, snippets=(), sources=tuple(_as_chosen(s, chosen, of_pages, s.url in made.whole) for s in i.sources))
        for i in made.found
    )
    having = {fact.statement for fact in made.facts}
    candidates: Candidates = {s.number: retrieved.get(s.number, ()) for s in made.statements}
    for number in having:
        elsewhere = [f for f in chosen[number] if f.passage.id not in of_pages]
        candidates[number] = [
            Candidate(f.passage, rank, 1 / (FUSION_CONSTANT + rank), semantic=f.cosine)
            for rank, f in enumerate(elsewhere, start=1)
        ]
    for investigation in found:
        candidates = with_findings(candidates, investigation, made.statements, made.statements, tools.encoder)
    return candidates, found


def _chosen(statement: Statement, made: ConversationTools, retrieved: Candidates, tools: Tools) -> list[Finding]:
    """The facts for a statement and what was left out, or all that its pages say of it where there is no fact."""
    of_pages = [f for source in made.pages.values() for f in source.found if f.statement == statement.number]
    reader = tools.screener or tools.reader
    kept = _distinct(fact.passage for fact in made.facts if fact.statement == statement.number)
    if not kept:
        return of_pages
    said = as_findings(statement, kept, reader, tools.encoder)
    shown = [*(c.passage for c in retrieved.get(statement.number, ())), *made.passages.values()]
    rest = [p for p in _distinct(shown) if p.id not in {fact.id for fact in kept}]
    left_out = opposing_findings(said, as_findings(statement, rest, reader, tools.encoder))
    for address in dict.fromkeys(f.passage.source_url for f in of_pages):
        page = [f for f in of_pages if f.passage.source_url == address]
        if any(p.source_url == address for p in kept):
            left_out += opposing_findings(said, page)
        else:
            left_out.append(max(page, key=lambda f: f.stance_strength))
    return [*said, *left_out]


def _distinct(passages: Iterable[Passage]) -> list[Passage]:
    return list({p.id: p for p in passages}.values())


def _as_chosen(
    source: SourceReport,
    chosen: Mapping[int, Sequence[Finding]],
    of_pages: Mapping[str, NewPassage],
    whole: bool,
) -> SourceReport:
    """A page with the passages that were chosen of it in place of those that the stance model had picked.

    Of a page that counts as a ``whole`` these stay too.
    """
    if source.shown is None:
        return source
    mine = {
        (f.statement, f.passage.id): f
        for findings in chosen.values()
        for f in findings
        if f.passage.id in of_pages and f.passage.source_url == source.final_url
    }
    if whole:
        mine = {(f.statement, f.passage.id): f for f in source.found} | mine
    new = dict.fromkeys(of_pages[f.passage.id] for f in mine.values() if f.passage.id in of_pages)
    if whole:
        new |= dict.fromkeys(source.new)
    return replace(source, found=tuple(mine.values()), new=tuple(new))
