"""``python -m ghost kb check-notes``: notes compared with the pages where they can be checked."""

from argparse import Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING

import seed_kb
from ghost.cli.arguments import UsageError
from ghost.cli.terminal import interrupt_asks, print_json, progress, typed, width
from ghost.knowledge import KnowledgeBase, PassageFilter, stored_passages
from ghost.reports import counted, wrap
from ghost.text import one_line
from ghost.types import Kind, PageCheck, Passage, Status

if TYPE_CHECKING:
    from ghost.workbench import Workbench


def check_notes(workbench: "Workbench", args: Namespace) -> int:
    """Check the notes that are named, those of a pack, or all unchecked notes; 1 when no page was reached."""
    notes = {p.id: p for p in _named(workbench.knowledge, args)}
    with interrupt_asks() as asked:
        done = workbench.check_notes(notes.values(), progress, asked.is_set)
    if args.json:
        rows = [
            {"passage_id": c.note, "outcome": c.outcome.value.replace(" ", "_"), "why": c.why, "day": c.day or None}
            | {"excerpts": [{"text": e.text, "url": e.source_url, "text_hash": e.text_hash} for e in c.excerpts]}
            for c in done.checks
        ]
        print_json({"checked": rows, "left": done.left, "change": done.change})
    else:
        for c in done.checks:
            lines = [f"{c.note} {c.outcome.value}: {c.why} ({notes[c.note].text})"]
            lines += [f"“{e.text}” {e.source_url}" for e in c.excerpts]
            print("\n".join(row for line in lines for row in wrap(one_line(line), width(), "", 4)))
        print(f"{counted(len(done.checks), 'note', 'notes')} checked: {done.summary}.")
    return 1 if done.checks and all(c.outcome is PageCheck.NOT_REACHED for c in done.checks) else 0


def _named(base: KnowledgeBase, args: Namespace) -> Iterable[Passage]:
    if args.pack and args.ids:
        raise UsageError("Nothing was checked: name notes or a pack, not both.")
    if args.pack:
        packs = {pack.name: pack for pack in seed_kb.packs()}
        if args.pack not in packs:
            raise UsageError(f"There is no pack {typed(args.pack)}. There are {', '.join(packs)}.")
        return [p for p in stored_passages(base, packs[args.pack].facts) if p and p.status is Status.ACTIVE]
    if not args.ids:
        notes = base.each(PassageFilter(status=Status.ACTIVE, kind=Kind.NOTE))
        return [p for p in notes if p.page_check is None]
    ids = [typed(i) for i in args.ids]
    found = {p.id: p for p in base.get(ids) if p.can_be_checked}
    if missing := [i for i in ids if i not in found]:
        raise UsageError(f"Nothing was checked: there is no note with a page that is called {', '.join(missing[:5])}.")
    return found.values()
