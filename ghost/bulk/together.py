"""Many runs side by side. Each stops where it asks a model or the knowledge base; when all wait, all are answered.

A run is the same code as ever, on a thread of its own, and one of them works at a time. What they ask for together is
read in full batches, ordered by length, and what several ask for is read once. A pair of texts is read the same in any
company, and a text finds the same passages, so no verdict depends on the claims beside it.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, Protocol

from ghost.errors import GhostError
from ghost.inference import RelevanceScorer, StanceReader
from ghost.knowledge import AddReport, Change, NoteCheck, Progress, RunKnowledge, Use
from ghost.pipelines import Tools
from ghost.types import Candidate, NewPassage, Stance

Pair = tuple[str, str]
KEPT = 20_000
"""Pairs that each model remembers from the runs before: some ten megabytes."""


class Job(Protocol):
    """One run: does its work with the tools that it is given."""

    def __call__(self, tools: Tools) -> None: ...


@dataclass(slots=True)
class _Question:
    """What a run waits for."""

    who: object
    """Whom it asks; questions to the same are answered together."""
    asked: Sequence[Any]
    answer: Any = None
    error: BaseException | None = None
    answered: threading.Event = field(default_factory=threading.Event)


class _Round:
    """The runs that are under way. One has the turn; those that wait have left their questions."""

    def __init__(self, runs: int) -> None:
        self._turn = threading.Lock()
        self._changed = threading.Condition()
        self._live = runs
        self._waiting: list[_Question] = []

    def work(self, job: Callable[[], None]) -> None:
        """Do one run's work, as a thread."""
        self._turn.acquire()
        try:
            job()
        finally:
            self._turn.release()
            with self._changed:
                self._live -= 1
                self._changed.notify()

    def ask(self, who: object, asked: Sequence[Any]) -> Any:
        """Called by a run: gives the turn to another one until the answer is there."""
        question = _Question(who, asked)
        with self._changed:
            self._waiting.append(question)
            self._changed.notify()
        self._turn.release()
        question.answered.wait()
        self._turn.acquire()
        if question.error:
            raise question.error
        return question.answer

    def questions(self) -> list[_Question]:
        """The questions once every run waits; none when all have ended."""
        with self._changed:
            self._changed.wait_for(lambda: len(self._waiting) == self._live)
            asked, self._waiting = self._waiting, []
        return asked


Answer = Callable[[Sequence[Sequence[Any]]], Iterable[Any]]
"""From what several runs ask to what each of them gets, in the same order."""


class Together:
    """Does runs side by side with one set of tools. For one thread at a time."""

    def __init__(self, tools: Tools, kept: int = KEPT) -> None:
        self._tools = tools
        self._kept = kept
        self._read: dict[int, OrderedDict[Pair, Any]] = {}
        """What each model has read, by its id."""

    def run(self, jobs: Sequence[Job]) -> None:
        """Do them all. A job must not raise: what goes wrong in a run is its own affair."""
        round_ = _Round(len(jobs))
        answers: dict[object, Answer] = {}
        tools = self._shared(round_, answers)
        threads = [
            threading.Thread(target=round_.work, args=(lambda job=job: job(tools),), name="ghost-bulk", daemon=True)
            for job in jobs
        ]
        for thread in threads:
            thread.start()
        while questions := round_.questions():
            for who in dict.fromkeys(q.who for q in questions):
                _answer([q for q in questions if q.who == who], answers[who])
        for thread in threads:
            thread.join()

    def _shared(self, round_: _Round, answers: dict[object, Answer]) -> Tools:
        """The tools as a run gets them: whatever is asked of a model goes through the round."""
        tools = self._tools

        def reader(inside: StanceReader) -> StanceReader:
            answers[id(inside)] = lambda asked: self._pairs(id(inside), inside.read, asked)
            return _SharedReader(inside, round_)

        def scorer(inside: RelevanceScorer) -> RelevanceScorer:
            answers[id(inside)] = lambda asked: self._pairs(id(inside), inside.score, asked)
            return _SharedScorer(inside, round_)

        return replace(
            tools,
            reader=reader(tools.reader),
            screener=reader(tools.screener) if tools.screener else None,
            plain=reader(tools.plain) if tools.plain else None,
            scorer=scorer(tools.scorer) if tools.scorer else None,
            knowledge=_SharedKnowledge(tools.knowledge, round_, answers),
            shared=True,
        )

    def _pairs(
        self, model: int, read: Callable[[Sequence[Pair]], Sequence[Any]], asked: Sequence[Sequence[Pair]]
    ) -> Iterator[list[Any]]:
        """Read what is new, each pair once and those of like length together."""
        known = self._read.setdefault(model, OrderedDict())
        new = [pair for pair in dict.fromkeys(pair for pairs in asked for pair in pairs) if pair not in known]
        new.sort(key=lambda pair: len(pair[0]) + len(pair[1]), reverse=True)
        known.update(zip(new, read(new) if new else (), strict=True))
        for pairs in asked:
            yield [known[pair] for pair in pairs]
        while len(known) > self._kept:
            known.popitem(last=False)


def _answer(questions: Sequence[_Question], answer: Answer) -> None:
    """Answer them all at once; where that fails, one by one, so that only the run whose text it was fails."""
    try:
        found: list[Any] = list(answer([q.asked for q in questions]))
    except Exception as error:
        if len(questions) > 1 and isinstance(error, GhostError):
            for question in questions:
                _answer([question], answer)
            return
        for question in questions:
            question.error = error
        found = [None] * len(questions)
    for question, one in zip(questions, found, strict=True):
        question.answer = one
        question.answered.set()


class _SharedReader:
    """A stance reader that asks by way of the round."""

    def __init__(self, inside: StanceReader, round_: _Round) -> None:
        self._inside, self._round = inside, round_
        self.name = inside.name

    @property
    def checksum(self) -> str:
        return self._inside.checksum

    def read(self, pairs: Sequence[Pair]) -> list[Stance]:
        answer: list[Stance] = self._round.ask(id(self._inside), pairs) if pairs else []
        return answer


class _SharedScorer:
    """A relevance scorer that asks by way of the round."""

    def __init__(self, inside: RelevanceScorer, round_: _Round) -> None:
        self._inside, self._round = inside, round_
        self.name = inside.name

    @property
    def checksum(self) -> str:
        return self._inside.checksum

    def score(self, pairs: Sequence[Pair]) -> list[float]:
        answer: list[float] = self._round.ask(id(self._inside), pairs) if pairs else []
        return answer


class _SharedKnowledge:
    """A knowledge base that is searched for many runs at once."""

    def __init__(self, inside: RunKnowledge, round_: _Round, answers: dict[object, Answer]) -> None:
        self._inside, self._round, self._answers = inside, round_, answers

    @property
    def frozen(self) -> bool:
        return self._inside.frozen

    def search_many(self, texts: Sequence[str], k: int, as_of: date | None = None) -> list[list[Candidate]]:
        who = ("search", k, as_of)
        self._answers[who] = lambda asked: self._search(asked, k, as_of)
        answer: list[list[Candidate]] = self._round.ask(who, texts) if texts else []
        return answer

    def record_use(self, run_id: str, uses: Sequence[Use]) -> None:
        self._inside.record_use(run_id, uses)

    def add(
        self, new: Iterable[NewPassage], progress: Progress | None = None, *, run_id: str = "", uses: Sequence[Use] = ()
    ) -> AddReport:
        return self._inside.add(new, progress, run_id=run_id, uses=uses)

    def record_checks(self, checks: Sequence[NoteCheck], change: str = "") -> Change | None:
        return self._inside.record_checks(checks, change)

    def _search(self, asked: Sequence[Sequence[str]], k: int, as_of: date | None) -> Iterator[list[list[Candidate]]]:
        if as_of is not None:  # how far is looked back depends on all texts of a search, so each run has its own
            for texts in asked:
                yield self._inside.search_many(texts, k, as_of)
            return
        wanted = list(dict.fromkeys(text for texts in asked for text in texts))
        found = dict(zip(wanted, self._inside.search_many(wanted, k), strict=True))
        for texts in asked:
            yield [found[text] for text in texts]
