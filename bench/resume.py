"""Long work claim by claim: on several threads, with progress, and taken up again where an earlier attempt stopped."""

import hashlib
import json
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from bench.results import say, write_json
from bench.rows import ClaimRow

Answer = dict[str, Any]
"""What came of one claim, as JSON knows it."""


@dataclass(frozen=True, slots=True)
class Options:
    """How to measure quality."""

    limit: int = 0
    """So many claims or pairs, drawn by the seed; 0 takes all."""
    seed: int = 1
    """Draws the sample and the resamples of the intervals."""
    workers: int = 1
    """Claims at a time."""
    judge: str | None = None
    """None: as the settings say."""
    keep: Path | None = None
    """Folder where the index stays for the next time."""
    json: Path | None = None
    """File of the result."""
    command: str = ""
    """What was typed, without folders."""

    @property
    def folder(self) -> Path | None:
        """Where answers are kept until the result is whole; None: nowhere."""
        return self.json.parent if self.json else self.keep


class Partial:
    """Answers so far, kept in a file beside the result until the result is whole.

    The file's name carries the key of everything that the answers depend on, so that answers to something else are
    never taken for these.
    """

    def __init__(self, folder: Path | None, name: str, key: str) -> None:
        """Without a ``folder`` nothing is kept and nothing can be taken up again."""
        self._key = key
        self._path = folder / f"{name}.{key[:16]}.partial" if folder else None
        self._file: TextIO | None = None

    def read(self) -> dict[str, Answer]:
        """Claim id -> its answer, from an earlier attempt. What a sudden end cut off is left out."""
        found: dict[str, Answer] = {}
        if self._path is None or not self._path.is_file():
            return found
        lines = self._path.read_text(encoding="utf-8", errors="replace").splitlines()
        if not lines or lines[0] != self._key:
            return found
        for line in lines[1:]:
            with suppress(ValueError, KeyError, TypeError):
                row = json.loads(line)
                found[row["id"]] = row["answer"]
        return found

    def add(self, claim: str, answer: Answer) -> None:
        """Keep one more answer, at once."""
        if self._path is None:
            return
        if self._file is None:
            earlier = self.read()
            self._file = self._path.open("w", encoding="utf-8")
            self._file.write(self._key + "\n")
            self._file.writelines(_line(i, kept) for i, kept in earlier.items())
        self._file.write(_line(claim, answer))
        self._file.flush()

    def close(self) -> None:
        """Let go of the file; it stays."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def finish(self, result: dict[str, Any], target: Path | None) -> None:
        """Write the whole result, where one is wanted; only then are the answers so far no longer needed."""
        self.close()
        if target:
            write_json(result, target)
        if self._path is not None:
            self._path.unlink(missing_ok=True)


def answers(
    claims: Sequence[ClaimRow],
    work: Callable[[ClaimRow], Answer],
    keepable: Callable[[Answer], bool],
    partial: Partial,
    workers: int,
    progress: Callable[[str, int, int], None],
) -> dict[str, Answer]:
    """What came of each claim, by id. What is not ``keepable`` is asked again by the next attempt.

    An exception of ``work`` ends everything; what is done until then is kept.
    """
    known = partial.read()
    found = {row.id: known[row.id] for row in claims if row.id in known}
    if found:
        say(f"{len(found):,} of {len(claims):,} claims were done by an earlier attempt.")
    waiting = iter([row for row in claims if row.id not in found])
    pool = ThreadPoolExecutor(workers, thread_name_prefix="claim")
    running: dict[Future[Answer], str] = {}
    try:
        while True:
            for row in islice(waiting, 2 * workers - len(running)):
                running[pool.submit(work, row)] = row.id
            if not running:
                return found
            ended = wait(running, return_when=FIRST_COMPLETED).done
            for future in sorted(ended, key=lambda f: f.exception() is not None):  # keep what is done, then fail
                claim = running.pop(future)
                found[claim] = future.result()
                if keepable(found[claim]):
                    partial.add(claim, found[claim])
                progress("Claims", len(found), len(claims))
    finally:
        pool.shutdown(cancel_futures=True)
        partial.close()


def key_of(**parts: Any) -> str:
    """One checksum of everything that answers depend on."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True, default=str).encode()).hexdigest()


def _line(claim: str, answer: Answer) -> str:
    return json.dumps({"id": claim, "answer": answer}) + "\n"
