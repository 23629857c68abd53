"""Runs of a single conversation: a scripted model over a socket, the demo web over another, a real knowledge base."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from ghost.demo_web import DemoWeb
from ghost.events import Event, RunEnded
from ghost.steps import is_verbatim
from ghost.testing import Answer, Asked, Scripted, ScriptedLLM
from ghost.types import DECIDED, Claim, Label, Run
from ghost.workbench import Workbench
from tests.judged import judged as with_judge
from tests.judges.answers import cited, classified, concluded, decided, extracted, fact, said, sufficient

CLAIM = "The strongest gust ever measured at Hollin Point reached 201 kilometres per hour."
RECORD = (
    "The strongest gust ever measured at Hollin Point reached 201 kilometres per hour, in the storm of 11 January 2019."
)
PAGE = "http://weather-yearbook.test/stations/hollin-point"
Turn = Callable[[Asked], Answer]
Called = tuple[str, dict[str, Any] | str]


def calls(*made: Called) -> Scripted:
    """An answer that calls functions."""
    return Scripted(tools=made)


SEARCH: Called = ("search", {"query": "strongest gust measured at Hollin Point"})
KEEP: Called = ("extract_facts", {"facts": [fact(RECORD)]})
FINISH: Called = ("finish", {"reason": "The yearbook has it."})


def results(asked: Asked) -> list[dict[str, Any]]:
    """What the functions returned so far, as the model has read it."""
    told = [m["content"] for m in asked.body["messages"] if m["role"] == "tool"]
    return [json.JSONDecoder().raw_decode(text)[0] for text in told]


def fetch_first(asked: Asked) -> Answer:
    """Fetch the first hit on the yearbook."""
    hits = [hit for result in results(asked) for hit in result.get("hits", ())]
    return calls(("fetch", {"address": next(h["source"] for h in hits if "hollin-point" in h["url"])}))


def rows(asked: Asked) -> list[tuple[int, str]]:
    """Number and text of the evidence that is shown for a verdict."""
    return [(int(n), text) for n, text in re.findall(r"\[(\d+)\] [^\n]*\n<passage>(.*?)</passage>", asked.words)]


def conclude(asked: Asked) -> Answer:
    """True where the record is among the evidence."""
    mine = [n for n, text in rows(asked) if RECORD in text]
    if not mine:
        return concluded("Not Enough Evidence")
    return concluded("True", said(f"The yearbook says so [{mine[0]}].", cited(mine[0], RECORD, "SUPPORTS")), truth=97)


def seven_steps(asked: Asked) -> Answer:
    """A model that answers the questions of the seven steps."""
    if asked.purpose == "classify":
        return classified(HOME_CLAIM if HOME_CLAIM in asked.words else CLAIM)
    if asked.purpose == "reading":
        return {"quotes": []}
    if asked.purpose == "sufficiency":
        return sufficient(1, enough=False, stances=[])
    return decided("Not Enough Evidence")


@dataclass
class Script:
    """A model for one run: its turns in order, the last one again and again, and its other answers."""

    turns: Sequence[Turn | Answer]
    extraction: Turn | Answer = None
    conclusions: Sequence[Turn | Answer] = (conclude,)
    rest: Turn = seven_steps
    asked: list[str] = field(default_factory=list)

    def __call__(self, asked: Asked) -> Answer:
        before = self.asked.count(asked.purpose)
        self.asked.append(asked.purpose)
        if asked.purpose == "conversation":
            answer = self.turns[min(before, len(self.turns) - 1)]
        elif asked.purpose == "conclusion":
            answer = self.conclusions[min(before, len(self.conclusions) - 1)]
        elif asked.purpose == "extraction":
            answer = self.extraction or extracted(CLAIM, queries=("Hollin Point gust record",))
        else:
            answer = self.rest
        return answer(asked) if callable(answer) else answer


GOOD: tuple[Turn | Answer, ...] = (calls(SEARCH), fetch_first, calls(KEEP), calls(FINISH))


HOME_CLAIM = "The Berlin Wall was opened on 9 November 1989."
HOME_FACT = "The Berlin Wall was built in 1961 and was opened on 9 November 1989."
HOME: tuple[Turn | Answer, ...] = (
    calls(("search", {"query": "when was the Berlin Wall opened"})),
    calls(("extract_facts", {"facts": [fact(HOME_FACT)]})),
    calls(FINISH),
)
"""A conversation that needs the knowledge base only."""


def conclude_home(asked: Asked) -> Answer:
    """True where the fact is among the evidence."""
    mine = [n for n, text in rows(asked) if HOME_FACT in text]
    if not mine:
        return concluded("Not Enough Evidence")
    return concluded("True", said(f"A note in the library says so [{mine[0]}].", cited(mine[0], HOME_FACT, "SUPPORTS")))


def at_home(*turns: Turn | Answer, conclusions: Sequence[Turn | Answer] = (conclude_home,)) -> Script:
    """A model that checks HOME_CLAIM, with these turns before its own."""
    return Script((*turns, *HOME), extracted(HOME_CLAIM), conclusions)


def converse_at_home(bench: Workbench, script: Script, **changes: object) -> "Done":
    """A run without the web on HOME_CLAIM."""
    return converse(bench, script, HOME_CLAIM, options={"web": False}, **changes)


@contextmanager
def judged(bench: Workbench, url: str, **changes: object) -> Iterator[None]:
    """The workbench with another model, which is asked once, and other limits."""
    base: dict[str, object] = {"llm_retries": 0, "llm_timeout_seconds": 20.0}
    with with_judge(bench, url, **base | changes):
        yield


@dataclass(frozen=True)
class Done:
    """A run that has ended."""

    run: Run
    events: list[Event]
    server: ScriptedLLM
    script: Script

    @property
    def label(self) -> Label:
        """The label that counts."""
        assert self.run.label
        return self.run.label

    @property
    def turns(self) -> list[dict[str, Any]]:
        """What the trace keeps of each turn."""
        return [s.outputs for s in self.run.steps if s.inputs.get("stage") == "conversation" or "tools" in s.outputs]

    @property
    def fell_back(self) -> str:
        """Why the seven steps took over; empty where they did not."""
        return next((s.reason for s in self.run.steps if s.outputs.get("troubles", {}).get("took_over")), "")


def converse(
    bench: Workbench, script: Script, claim: Claim | str = CLAIM, *, options: dict[str, Any] | None = None,
    **changes: object,
) -> Done:  # fmt: skip
    """One run, read to its end, that has kept every promise."""
    claim = Claim(claim) if isinstance(claim, str) else claim
    with ScriptedLLM.serving(script) as server, judged(bench, server.url, **changes):
        events = list(bench.verify(claim, pipeline="single-conversation", **(options or {})))
    return Done(ended(bench, events), events, server, script)


def ended(bench: Workbench, events: Sequence[Event]) -> Run:
    """The run of these events, as it was stored."""
    end = events[-1]
    assert isinstance(end, RunEnded)
    run = bench.runs.get(end.run_id)
    assert run
    ensure_honest(run)
    return run


def ensure_honest(run: Run) -> None:
    """Quotes are verbatim, a label stands on an accepted one, figures agree with it, and the limits hold."""
    used, kept = run.usage, run.settings
    assert used.searches <= kept["max_searches"]
    assert used.fetches <= kept["max_fetches"]
    assert used.tokens <= kept["max_tokens"]
    assert used.cost_usd <= kept["max_cost_usd"]
    assert used.seconds <= kept["max_seconds"] + 1
    assert used.tokens >= 0
    assert run.settings["pipeline"] == run.pipeline == "single-conversation"
    if run.verdict is None:
        return
    texts = {e.number: e.passage.text for e in run.evidence}
    accepted = [c for c in run.verdict.citations if c.accepted]
    assert all(is_verbatim(c.quote, texts[c.n]) for c in accepted)
    if run.verdict.label in DECIDED:
        assert accepted
    else:
        assert run.verdict.truth_percentage is None
        assert run.verdict.reasons
    figure = run.verdict.truth_percentage
    if figure is not None:
        assert figure >= 60 if run.verdict.label is Label.TRUE else True
        assert figure <= 40 if run.verdict.label is Label.FALSE else True


def asked_for(web: DemoWeb, host: str) -> list[str]:
    """The paths that a site of the demo web was asked for."""
    return [a.path for a in web.asked if a.host == host]
