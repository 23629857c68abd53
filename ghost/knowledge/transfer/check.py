"""What would become of a file: every passage goes through the door, and nothing is written."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ghost.errors import Cancelled
from ghost.knowledge.base import KnowledgeBase
from ghost.knowledge.rows import key_of
from ghost.knowledge.transfer.import_file import MAX_PROBLEMS, ImportCheck, ImportFile, JudgedPassage, RowProblem, never
from ghost.knowledge.transfer.rows import shortened
from ghost.knowledge.values import Action, Progress, no_progress
from ghost.types import NewPassage, Status

PAGE = 100
"""Passages between two looks whether to stop: less than a second's work."""
EXCERPT_CHARS = 300
CHECKING = "Checking passages"


@dataclass
class _Tally:
    """What is counted on the way."""

    judged: list[JudgedPassage] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    retired: int = 0
    counts: Counter[Action] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    domains: Counter[str] = field(default_factory=Counter)


def check_import(
    knowledge: KnowledgeBase, file: ImportFile, progress: Progress = no_progress, cancelled: Callable[[], bool] = never
) -> ImportCheck:
    """Judge every passage of a file as an import would. Raises Cancelled, StoreError."""
    offered = [(entry.row, new) for entry in file.entries for new in entry.passages]
    tally = _Tally()
    for start in range(0, len(offered), PAGE):
        if cancelled():
            raise Cancelled("The check was stopped. Nothing was imported.")
        _page(knowledge, offered[start : start + PAGE], tally)
        progress(CHECKING, len(tally.judged), len(offered))
    own = [_problem(j) for j in tally.judged if j.reason and j.action is not Action.MERGED]
    problems = sorted([*file.problems, *own], key=lambda p: p.row)
    return ImportCheck(
        file=file,
        judged=tuple(tally.judged),
        counts={action: tally.counts[action] for action in Action},
        retired=tally.retired,
        languages=dict(tally.languages.most_common()),
        domains=dict(tally.domains.most_common()),
        problems=tuple(problems[:MAX_PROBLEMS]),
        more_problems=file.more_problems + max(0, len(problems) - MAX_PROBLEMS),
    )


def _page(knowledge: KnowledgeBase, offered: list[tuple[int, NewPassage]], tally: _Tally) -> None:
    admissions = knowledge.bulk.admissions([new for _, new in offered])
    keys = [key_of(a.passage.text, a.passage.source_url) if a.passage else "" for a in admissions]
    there = knowledge.bulk.statuses({key for key in keys if key})
    for (row, offer), admission, key in zip(offered, admissions, keys, strict=True):
        new = admission.passage
        if new is None:
            judged = JudgedPassage(row, admission, Action.REFUSED, admission.reason)
        elif key in there:
            why = "" if there[key] is Status.ACTIVE else f"it is there, {there[key].value}, and stays so"
            tally.retired += there[key] is Status.RETIRED
            judged = JudgedPassage(row, admission, Action.MERGED, why)
        elif key in tally.seen:
            judged = JudgedPassage(row, admission, Action.MERGED, "it is in the file twice")
        else:
            tally.seen.add(key)
            waits = new.status is Status.QUARANTINED
            reason = admission.reason or (_own_reason(new.note) if waits else admission.notice)
            judged = JudgedPassage(row, admission, Action.QUARANTINED if waits else Action.ADDED, reason)
            tally.languages[new.language] += 1
            tally.domains[knowledge.book.domain(new.source_url)] += 1
        tally.judged.append(replace(judged, excerpt=shortened(offer.text, EXCERPT_CHARS)))
        tally.counts[judged.action] += 1


def _own_reason(note: str) -> str:
    """Why a row comes into quarantine that the door would have let pass."""
    _, marked, why = note.rpartition("quarantined: ")
    return why if marked else "the file says so"


def _problem(judged: JudgedPassage) -> RowProblem:
    what = {Action.REFUSED: "is refused", Action.QUARANTINED: "waits in quarantine"}.get(judged.action, "comes in, but")
    return RowProblem(
        judged.row, "text", f"{what}: {judged.reason}", shortened(judged.excerpt), judged.action is Action.REFUSED
    )
