"""What one process of many does: holds the models, and works through parts of a list, one at a time."""

import json
import time
import uuid
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any, Protocol

from ghost.bulk.runs import SIDE_BY_SIDE, BulkRuns
from ghost.bulk.tables import PlannedClaim, jsonl, read_claims, result_row, results_table
from ghost.errors import GhostError
from ghost.knowledge import KnowledgeBase
from ghost.matching import ClaimMatcher
from ghost.types import Claim, Relation, RunStatus

GIVE_UP = 20
"""Failures in a row, or those of a whole part, after which the list stops: the next claims would most likely fail for
the same reason."""

ALL = 4
"""Fewer claims than these may all fail for reasons of their own."""
TRIES = 3
"""Processes that one claim may end before it is given up."""


class BulkWorkbench(Protocol):
    """What a process opens once: the workbench, which is above this room."""

    @property
    def knowledge(self) -> KnowledgeBase: ...
    @property
    def matcher(self) -> ClaimMatcher: ...
    def bulk_runs(self) -> BulkRuns:
        """Checks claims side by side."""
        ...


Opened = Callable[[], BulkWorkbench]
"""Opens the workbench; it is called in the process that uses it."""


class Tally(Protocol):
    """Remembers what was begun and not ended: that of a process that died."""

    def begin(self, key: str) -> int:
        """Note that this is begun; how often it was begun before and not ended."""
        ...

    def end(self, key: str) -> None:
        """Note that all begun under this key has ended."""
        ...


class Worker:
    """Does tasks: rows of plain values, as they cross processes. An error is the ``error`` of the answer.

    A part at which a process has died is gone through claim by claim, and the claim that keeps ending processes is
    given up, so that one claim cannot hold up a list.
    """

    def __init__(self, opened: Opened, tally: Tally) -> None:
        """Opens nothing yet, so that what goes wrong then can be said."""
        self._opened, self._tally = opened, tally
        self._workbench: BulkWorkbench | None = None
        self._runs: BulkRuns | None = None

    def __call__(self, task: dict[str, Any]) -> dict[str, Any]:
        """The answer to a task: its ``part``, ``error``, and what ``repeats`` or ``check`` has found."""
        empty = {"part": task["part"], "error": "", "found": b"", "failures": b"", "claims": 0, "cpu": 0.0}
        try:
            if self._workbench is None or self._runs is None:
                self._workbench = self._opened()
                self._runs = self._workbench.bulk_runs()
            claims = read_claims(task["claims"])
            if task["step"] == "repeats":
                return empty | {"found": json.dumps(repeats(claims, self._workbench.matcher)).encode()}
            left_out = set(json.loads(task["left_out"]))
            wanted = [claim for claim in claims if claim.line not in left_out]
            part, began = f"part {task['part']}", time.process_time()
            died = self._tally.begin(part)
            checked = self._check(
                wanted, task["list"], task["as_of"], self._workbench, self._runs, 1 if died else SIDE_BY_SIDE
            )
            self._tally.end(part)
            return empty | checked | {"cpu": time.process_time() - began}
        except Exception as error:
            text = str(error) if isinstance(error, GhostError) else f"Unexpected {type(error).__name__}: {error}"
            return empty | {"error": text}

    def _check(
        self, claims: Sequence[PlannedClaim], of: str, as_of: str, workbench: BulkWorkbench, runs: BulkRuns,
        at_a_time: int,
    ) -> dict[str, Any]:  # fmt: skip
        mark, rows, failed, in_a_row = workbench.knowledge.watermark(), [], [], 0
        for start in range(0, len(claims), at_a_time):
            some = claims[start : start + at_a_time]
            key = f"line {some[0].line}" if at_a_time == 1 else ""
            if key and self._tally.begin(key) >= TRIES - 1:  # the first time, others were beside it
                failed.append(_failed(some[0], f"The process that checked it ended {TRIES} times."))
                continue
            asked = [(run_id(of, c.line), claim_of(c, as_of)) for c in some]
            for claim, run in zip(some, runs.check(asked), strict=True):
                if run.verdict and run.status is RunStatus.FINISHED:
                    rows.append(result_row(claim, run, mark))
                    in_a_row = 0
                    continue
                failed.append(_failed(claim, run.error or "The run ended without a verdict."))
                in_a_row += 1
                if in_a_row >= min(GIVE_UP, max(ALL, len(claims))):
                    raise GhostError(f"{in_a_row} claims in a row have failed. The last one: {failed[-1]['reason']}")
            if key:
                self._tally.end(key)
        return {"found": results_table(rows), "failures": jsonl(failed), "claims": len(claims)}


def _failed(claim: PlannedClaim, why: str) -> dict[str, Any]:
    return {"line": claim.line, "id": claim.id, "claim": claim.claim, "reason": why}


def repeats(claims: Sequence[PlannedClaim], matcher: ClaimMatcher) -> list[tuple[int, int]]:
    """The lines that surely say what an earlier line says, each with the earliest such one."""
    asked = [(c, line, text) for c in claims for line, text in zip(c.near, c.near_claims, strict=True)]
    matches = matcher.match([(claim.claim, text) for claim, _, text in asked])
    found: dict[int, int] = {}
    for (claim, line, _), match in zip(asked, matches, strict=True):
        if match.relation is Relation.SAME:
            found.setdefault(claim.line, line)
    return sorted(found.items())


def claim_of(planned: PlannedClaim, as_of: str) -> Claim:
    """The claim as a single run gets it."""
    return Claim(planned.claim, as_of=date.fromisoformat(as_of) if as_of else None)


def run_id(of: str, line: int) -> str:
    """The id of the run of one line: the same when it is checked again."""
    return uuid.uuid5(uuid.UUID(of), str(line)).hex
