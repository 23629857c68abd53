"""``python -m ghost kb check-notes``: notes compared with the pages where they can be checked."""

from argparse import Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING

import seed_kb
from ghost.cli.arguments import UsageError
from ghost.cli.terminal import interrupt_asks, print_json, progress, say, typed, width
from ghost.knowledge import KnowledgeBase, PassageFilter, stored_passages
from ghost.reports import counted, wrap
from ghost.text import one_line
from ghost.types import Kind, PageCheck, Passage, Status

if TYPE_CHECKING:
    from ghost.workbench import Workbench


def check_notes(workbench: "Workbench", args: Namespace) -> int:
    """Check the notes that are named, those of a pack, or all that nobody has checked; 1 when no page was reached."""
    notes = {p.id: p for p in _named(workbench.knowledge, args) if p.can_be_checked}
    with interrupt_asks() as asked:
        done = workbench.check_notes(notes.values(), progress, asked.is_set)
    checks = done.checks
    if args.json:
        rows = [
            {"passage_id": c.note, "outcome": c.outcome.value.replace(" ", "_"), "why": c.why, "day": c.day or None}
            | {"excerpts": [{"text": e.text, "url": e.source_url, "text_hash": e.text_hash} for e in c.excerpts]}
            for c in checks
        ]
        print_json({"checked": rows, "left": done.left, "change": done.change})
    else:
        for c in checks:
            line = f"{c.note} {c.outcome.value}: {c.why} ({notes[c.note].text})"
            print("\n".join(wrap(one_line(line), width(), "", 4)))
            for e in c.excerpts:
                print("\n".join(wrap(one_line(f"“{e.text}” {e.source_url}"), width(), "    ")))
        print(f"{counted(len(checks), 'note', 'notes')} checked: {done.summary}.")
    if done.left:
        say(f"ghost: stopped; {counted(done.left, 'note was', 'notes were')} not checked.")
    return 1 if checks and all(c.outcome is PageCheck.NOT_REACHED for c in checks) else 0


def _named(base: KnowledgeBase, args: Namespace) -> Iterable[Passage]:
    if args.pack:
        name = typed(args.pack)
        pack = next((pack for pack in seed_kb.packs() if pack.name == name), None)
        if pack is None:
            raise UsageError(f"There is no pack {name}. There are {', '.join(p.name for p in seed_kb.packs())}.")
        return [p for p in stored_passages(base, pack.facts) if p and p.status is Status.ACTIVE]
    if not args.ids:
        notes = base.each(PassageFilter(status=Status.ACTIVE, kind=Kind.NOTE))
        return [p for p in notes if p.page_check is None]
    ids = [typed(i) for i in args.ids]
    found = base.get(ids)
    if missing := sorted(set(ids) - {p.id for p in found}):
        raise UsageError(f"Nothing was checked: there is no passage {', '.join(missing[:5])}.")
    if other := [p.id for p in found if not p.can_be_checked]:
        raise UsageError(
            f"Nothing was checked: {', '.join(other[:5])} has no page to be checked at, or was read there by Ghost."
        )
    return found
