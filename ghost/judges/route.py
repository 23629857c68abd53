"""The route: which judge the settings ask for first, and who takes over when it fails. Made anew for each run."""

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from ghost.budget import Budget
from ghost.errors import BudgetExceeded, JudgeError
from ghost.judges.base import Drafting, Judge, SourceReading, Withdrawn
from ghost.judges.llm.assistant import Assistant
from ghost.judges.llm.client import ChatClient
from ghost.judges.llm.conversation import Conversation, Reachable
from ghost.judges.llm.judge import LLMJudge
from ghost.judges.llm.local_server import LocalServer
from ghost.judges.llm.request import Endpoint
from ghost.judges.llm.research import ResearchWriter
from ghost.types import Claim, Classification, Draft, Evidence, JudgeInfo, Statement, Sufficiency

T = TypeVar("T")
READING_FAILURES = 2
"""After so many a judge is not asked to read pages any more in its run; the verdict it may still give."""
NO_KEY = "cloud: not asked. OPENAI_API_KEY is not set."
NO_LOCAL = "local: not asked. GHOST_LOCAL_BASE_URL is not set."
NO_FALLBACK = "cloud: not asked. GHOST_ALLOW_CLOUD_FALLBACK does not allow it after a local judge was chosen."
NO_FALLBACK_HERE = "cloud: not asked. This run may not fall back to it."
JUDGE_KINDS = ("auto", "cloud", "local", "embedded")
"""What a run can ask for."""


@dataclass(frozen=True, slots=True)
class Stop:
    """One judge on a route."""

    judge: Judge
    why: str
    """Why it is on the route."""
    unusable: Callable[[], str] = lambda: ""
    """Why it need not be asked at all; empty when it can be. May look at a server, briefly."""
    before: tuple[str, ...] = ()
    """Lines for judges that would come before it, but that the settings leave out."""


class RouteJudge:
    """Asks the first judge that can be asked; one that fails is left for the rest of the run, with the reason.

    The last judge has nobody behind it: its failure is the run's. Limits and cancelling pass through every judge.
    """

    def __init__(self, stops: Sequence[Stop]) -> None:
        self._stops = list(stops)
        self._lines: list[str] = []
        self._ready = False
        self._reading_failed = 0
        self._lock = threading.Lock()

    @property
    def info(self) -> JudgeInfo:
        """Who decides as things stand, with the route so far."""
        self._find()
        stop = self._stops[0]
        hosts = [s.judge.info.host for s in self._stops[1:] if s.judge.info.host]
        line = f"{_who(stop.judge.info)}: {stop.why}"
        return replace(stop.judge.info, route=(*self._lines, *stop.before, line), next=", ".join(hosts))

    def classify(self, claim: Claim, budget: Budget) -> Classification:
        """The first usable answer."""
        return self._first("classify", budget, lambda judge: judge.classify(claim, budget))

    def sufficiency(
        self, claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence], budget: Budget
    ) -> tuple[Sufficiency, ...]:
        """The first usable answer."""
        return self._first("sufficiency", budget, lambda judge: judge.sufficiency(claim, statements, evidence, budget))

    def draft(self, statements: Sequence[Statement], evidence: Sequence[Evidence]) -> Draft | None:
        """That of the judge that decides as things stand."""
        return self._find().draft(statements, evidence)

    def read_source(
        self, statements: Sequence[Statement], title: str, chunks: Sequence[str], budget: Budget
    ) -> SourceReading | None:
        """The reading of the judge that decides as things stand; its failure leaves the page to the stance model."""
        with self._lock:
            judge = self._find()
            if self._reading_failed >= READING_FAILURES:
                return None
        try:
            return judge.read_source(statements, title, chunks, budget)
        except (JudgeError, BudgetExceeded) as failure:
            budget.check()  # out of time is the end of the run; out of tokens is the end of reading
            with self._lock:
                self._reading_failed += 1
            budget.tell(f"The stance model reads in place of the {judge.info.name} judge: {failure}", "reading_failed")
            return None

    def decide(
        self, claim: Claim, statements: Sequence[Statement], evidence: Sequence[Evidence], budget: Budget
    ) -> Drafting:
        """The first draft that is finished; the sentences of one that is not are withdrawn."""
        while True:
            judge = self._find()
            try:
                return (yield from judge.decide(claim, statements, evidence, budget))
            except JudgeError as failure:
                yield Withdrawn(self._leave(_at("verdict"), failure, budget))

    def leave(self, name: str, failure: JudgeError, budget: Budget) -> None:
        """Go on without the judge of this name, where it is the one to be asked next; ``failure`` says why."""
        if len(self._stops) > 1 and self._find().info.name == name:
            self._leave("in the conversation", failure, budget)

    def leave_models(self, why: str) -> None:
        """Go on with the last judge, the embedded one, for the rest of the run."""
        while len(self._stops) > 1:
            passed = self._stops.pop(0)
            self._lines += [*passed.before, f"{_who(passed.judge.info)}: not asked any more. {why}"]
        self._ready = True

    def _first(self, step: str, budget: Budget, ask: Callable[[Judge], T]) -> T:
        while True:
            judge = self._find()
            try:
                return ask(judge)
            except JudgeError as failure:
                self._leave(_at(step), failure, budget)

    def _find(self) -> Judge:
        """The judge to ask now; those that cannot be asked are passed over, once."""
        while len(self._stops) > 1 and not self._ready:
            if why := self._stops[0].unusable():
                passed = self._stops.pop(0)
                self._lines += [*passed.before, f"{_who(passed.judge.info)}: not asked. {why}"]
            else:
                break
        self._ready = True
        return self._stops[0].judge

    def _leave(self, where: str, failure: JudgeError, budget: Budget) -> str:
        """Go on to the next judge and say why; raises the failure when there is none."""
        if len(self._stops) == 1:
            raise failure
        left = self._stops.pop(0)
        self._ready = False
        line = f"{_who(left.judge.info)}: left {where}. {failure}"
        self._lines += [*left.before, line]
        taking = self._find()
        budget.tell(f"{line} The {taking.info.name} judge goes on.", "judge_left")
        return line


_NUMBERS = {"classify": 1, "sufficiency": 4, "verdict": 7}


def _at(step: str) -> str:
    return f"at step {_NUMBERS[step]} ({step})"


def _who(info: JudgeInfo) -> str:
    return f"{info.name} ({' at '.join(part for part in (info.model, info.host) if part)})"


class Judges:
    """All judges that the settings know. Safe to share by threads: runs share connections, never words."""

    def __init__(
        self,
        kind: str,
        embedded: Judge,
        cloud: Endpoint | None = None,
        local: Endpoint | None = None,
        allow_cloud_fallback: bool = False,
    ) -> None:
        """``kind`` is auto, cloud, local or embedded; a judge that is not set up is None."""
        self._kind = kind
        self._embedded = embedded
        self._cloud = ChatClient(cloud) if cloud else None
        self._local = ChatClient(local) if local else None
        self._server = LocalServer(local.base_url) if local else None
        self._first_of_list = local is not None and not local.model
        self._allow = allow_cloud_fallback

    @property
    def endpoints(self) -> tuple[Endpoint, ...]:
        """The servers that may be asked."""
        if self._kind == "embedded":
            return ()
        return tuple(client.endpoint for client in (self._cloud, self._local) if client)

    def get_ready(self) -> None:
        """Make the first question to a language model as quick as the later ones; returns at once."""
        if self._kind == "embedded":
            return
        for client in (self._cloud, self._local):
            if client:
                client.get_ready()

    def close(self) -> None:
        """Let go of the connections."""
        for client in (self._cloud, self._local):
            if client:
                client.close()

    def route(self, wanted: str = "", cloud_fallback: bool = True) -> RouteJudge:
        """The judges in the order in which a new run asks them; the embedded one is always the last.

        ``wanted`` is one of JUDGE_KINDS, for this run only; empty: as the settings say. It chooses among the judges
        that the settings allow and never adds one. Without ``cloud_fallback`` a run with a local judge stays off the
        cloud.
        """
        return RouteJudge(self._stops(wanted or self._kind, cloud_fallback))

    def assistant(self) -> Assistant | None:
        """The language model that a new run would ask first; None where the embedded models decide."""
        for stop in self._stops(self._kind):
            if isinstance(stop.judge, LLMJudge) and not stop.unusable():
                return Assistant(stop.judge.client)
        return None

    def writer(self, wanted: str = "") -> ResearchWriter | None:
        """The language model that plans a research and writes its answers; None where the embedded models do.

        ``wanted`` as for ``route``.
        """
        for stop in self._stops(wanted or self._kind):
            if isinstance(stop.judge, LLMJudge) and not stop.unusable():
                return ResearchWriter(stop.judge.client)
        return None

    def conversation(self, wanted: str = "", cloud_fallback: bool = True) -> Conversation | None:
        """A conversation with the language model that ``route`` would ask first. Asks nobody yet.

        None where only the embedded models may judge.
        """
        stops = self._stops(wanted or self._kind, cloud_fallback)
        models = [Reachable(s.judge.client, s.unusable) for s in stops if isinstance(s.judge, LLMJudge)]
        return Conversation(models) if models else None

    @property
    def kinds(self) -> tuple[str, ...]:
        """The judges that a run may ask for, as the settings have it; the embedded one is always there."""
        named = {"cloud": self._cloud, "local": self._local}
        return (*(name for name, client in named.items() if client and name in self._permitted), "embedded")

    @property
    def cloud_fallback(self) -> bool:
        """Whether a run with a local judge may fall back to the cloud."""
        return self._allow and "cloud" in self.kinds

    @property
    def _permitted(self) -> tuple[str, ...]:
        """The language models that the settings let a run ask."""
        if self._kind == "local":
            return ("local", "cloud") if self._allow else ("local",)
        return () if self._kind == "embedded" else ("cloud", "local")

    def _stops(self, kind: str, cloud_fallback: bool = True) -> list[Stop]:
        passed: list[str] = []
        stops: list[Stop] = []
        order = {"auto": ("cloud", "local"), "cloud": ("cloud", "local"), "local": ("local", "cloud")}
        for name in order.get(kind, ()):
            stop = self._cloud_stop(kind) if name == "cloud" else self._local_stop(kind)
            if stop is None:
                passed.append(NO_KEY if name == "cloud" else NO_LOCAL)
            elif name == "cloud" and kind == "local" and not self._allow:
                passed.append(NO_FALLBACK)
            elif name == "cloud" and kind == "local" and not cloud_fallback:
                passed.append(NO_FALLBACK_HERE)
            elif name not in self._permitted:
                passed.append(f"{name}: not asked. GHOST_JUDGE keeps every run to the {self._kind} judge.")
            else:
                stops.append(replace(stop, before=tuple(passed)))
                passed.clear()
        why = "chosen by the setting or the command line" if kind == "embedded" else "always there"
        stops.append(Stop(self._embedded, f"{why}, runs on this machine.", before=tuple(passed)))
        return stops

    def _cloud_stop(self, kind: str) -> Stop | None:
        if self._cloud is None:
            return None
        why = self._why(kind, "cloud") or "OPENAI_API_KEY is set."
        return Stop(LLMJudge(self._cloud), why)

    def _local_stop(self, kind: str) -> Stop | None:
        if self._local is None or self._server is None:
            return None
        server, client = self._server, self._local
        if self._first_of_list and (first := server.first_model()) != client.endpoint.model:
            # The server's own model, as long as it is the first of its list. A run that goes on keeps its client.
            client = self._local = ChatClient(replace(client.endpoint, model=first))
        why = self._why(kind, "local") or "its server answers."
        return Stop(LLMJudge(client), why, lambda: server.problem() or _unnamed(client))

    def _why(self, kind: str, name: str) -> str:
        """Who asked for this judge; empty where nobody did."""
        if kind != name:
            return ""
        return "GHOST_JUDGE asks for it." if self._kind == name else "This run asks for it."


def _unnamed(client: ChatClient) -> str:
    return "" if client.endpoint.model else "The server lists no model; name one with GHOST_LOCAL_MODEL."
