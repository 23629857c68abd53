"""The tools: check a claim, ask a question, search the knowledge base, look at a run."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Annotated, Any, Literal

import anyio
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp_types import ToolAnnotations
from pydantic import Field

from ghost.errors import ClaimError
from ghost.mcp.access import ensure_allowed
from ghost.mcp.failures import in_thread
from ghost.mcp.progress import Progress, follow
from ghost.mcp.results import Answer, CheckedClaim, FoundEvidence, answered, checked, found, quoted
from ghost.mcp.service import Opened, Service
from ghost.records import Role
from ghost.types import Claim, Run, RunStatus

MOST_CHARS = 100_000
MOST_CALLS = 32
"""Checks and questions that may be waiting or running at a time."""

CLAIM = "One statement about the world that evidence can support or refute, with the names, numbers and dates in it."
WEB = "Whether to search the web, if the settings allow it. False uses the knowledge base only."
DAY = "YYYY-MM-DD. Leaves out evidence that was published later."

ClaimText = Annotated[str, Field(min_length=1, max_length=MOST_CHARS, description=CLAIM)]
Context_ = Annotated[str | None, Field(max_length=MOST_CHARS, description="What was said around the claim.")]
Day = Annotated[str | None, Field(max_length=10, description=DAY)]
FoundAt = Annotated[
    str | None, Field(max_length=2000, description="Address of the page with the claim. It never counts as evidence.")
]
Web = Annotated[bool, Field(description=WEB)]
JudgeKind = Annotated[
    Literal["auto", "cloud", "local", "embedded"] | None,
    Field(description="Who decides, among the judges that the settings allow. Leave it out for their choice."),
]
PipelineName = Annotated[
    Literal["seven-steps", "single-conversation"] | None,
    Field(description="How to check it; a single conversation needs a language model. Leave it out for the default."),
]
Question = Annotated[str, Field(min_length=1, max_length=MOST_CHARS, description="One question, in full.")]
ConversationId = Annotated[
    str | None, Field(max_length=40, description="From an earlier answer, to continue that conversation.")
]
Query = Annotated[str, Field(min_length=1, max_length=MOST_CHARS, description="What the passages should be about.")]
Limit = Annotated[int, Field(ge=1, le=50, description="Most passages to return.")]
RunId = Annotated[str, Field(min_length=1, max_length=40, description="As verify_claim gives it.")]

READS = ToolAnnotations(read_only_hint=True, idempotent_hint=True, open_world_hint=False)
CHECKS = ToolAnnotations(
    # It stores a run, and what is read on the web for it; it deletes and replaces nothing.
    read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True,
)  # fmt: skip


class Tools:
    """The tools, each one a method whose docstring is what a model reads."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._calls = 0

    def add_to(self, server: MCPServer[Any]) -> None:
        """Offer them."""
        server.add_tool(self.verify_claim, title="Check a claim", annotations=CHECKS)
        server.add_tool(self.ask, title="Ask a question", annotations=CHECKS)
        server.add_tool(self.search_evidence, title="Search the knowledge base", annotations=READS)
        server.add_tool(self.get_run, title="Look at a check", annotations=READS)

    async def verify_claim(
        self,
        claim: ClaimText,
        ctx: Context[Any, Any],
        context: Context_ = None,
        as_of: Day = None,
        found_at: FoundAt = None,
        web: Web = True,
        judge: JudgeKind = None,
        pipeline: PipelineName = None,
    ) -> CheckedClaim:
        """Check one claim against evidence and return a verdict in which every sentence cites its source.

        Takes seconds to minutes and reports its progress; cancelling the call stops the check. Without enough
        evidence the label is Not Enough Evidence, which does not mean that the claim is false.
        """
        ensure_allowed(ctx, Role.VERIFY)
        with self._place():
            checked_claim = Claim(claim, context or "", _day(as_of), found_at or None)
            return await self._verify(checked_claim, web, judge or "", pipeline or "", ctx)

    async def ask(
        self,
        question: Question,
        ctx: Context[Any, Any],
        conversation_id: ConversationId = None,
        web: Web = True,
    ) -> Answer:
        """Answer a question from finished answers where one fits, or else by a new check.

        Takes up to minutes when nothing fits; reports its progress, and cancelling the call stops it.
        """
        ensure_allowed(ctx, Role.VERIFY)
        with self._place():
            return await self._ask(question, conversation_id or "", web, ctx)

    async def search_evidence(self, query: Query, ctx: Context[Any, Any], limit: Limit = 10) -> FoundEvidence:
        """Find passages of the knowledge base by meaning and by words. Checks nothing and sends nothing out."""
        opened = await self._service.opened(Progress(ctx).tell)
        return found(await in_thread(opened.workbench.knowledge.search, query[:5_000], limit))

    async def get_run(self, run_id: RunId, ctx: Context[Any, Any]) -> CheckedClaim:
        """Look at a check that was made before, or is still running: its verdict and citations."""
        opened = await self._service.opened(Progress(ctx).tell)
        return await in_thread(checked, await known_run(opened, run_id), opened)

    @contextmanager
    def _place(self) -> Iterator[None]:
        """One of the calls that may be at work; raises ResourceError when there are too many."""
        if self._calls >= MOST_CALLS:
            raise ResourceError(f"{MOST_CALLS} calls are waiting or running already. Try again when some have ended.")
        self._calls += 1
        try:
            yield
        finally:
            self._calls -= 1

    async def _verify(self, claim: Claim, web: bool, judge: str, pipeline: str, ctx: Context[Any, Any]) -> CheckedClaim:
        progress = Progress(ctx)
        opened = await self._service.opened(progress.tell)
        from ghost.jobs import RunOptions  # large, and loaded by what has been opened

        options = RunOptions(web, judge=judge, pipeline=pipeline)
        run_id = await in_thread(opened.runner.start, claim, options)
        log = opened.runner.log(run_id)
        try:
            if log is not None:
                await follow(log, progress.tell)
        except BaseException:  # cancelled, or nobody is there any more to be told
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(opened.runner.cancel, run_id)
            raise
        run = await in_thread(_ended, opened, run_id)
        return await in_thread(checked, run, opened)

    async def _ask(self, question: str, conversation_id: str, web: bool, ctx: Context[Any, Any]) -> Answer:
        progress = Progress(ctx)
        opened = await self._service.opened(progress.tell)
        ask_id = await in_thread(_ask, opened, question, conversation_id, web)
        log = opened.asker.log(ask_id)
        try:
            if log is not None:
                await follow(log, progress.tell)
        except BaseException:
            opened.asker.cancel(ask_id)
            raise
        return await in_thread(_answer, opened, ask_id)


async def known_run(opened: Opened, run_id: str) -> Run:
    """The run as it is stored; raises ResourceNotFoundError."""
    run = await in_thread(opened.workbench.runs.get, run_id)
    if run is None:
        raise ResourceNotFoundError("There is no run with this id here. The resource ghost://runs lists the latest.")
    return run


def _day(text: str | None) -> date | None:
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise ResourceError("as_of is not a day such as 2024-05-31.") from None


def _ended(opened: Opened, run_id: str) -> Run:
    """The run, where it came to a verdict; raises ResourceError where it did not, since that says nothing."""
    run, view = opened.workbench.runs.get(run_id), opened.runner.snapshot(run_id)
    status = view.status if view else RunStatus.FAILED
    if run is None or status is not RunStatus.FINISHED:
        why = quoted(opened.paths.hide(view.error)) if view and view.error else "It did not finish."
        raise ResourceError(
            f"There is no verdict: the check {run_id} ended as {status.value}. {why} This says nothing about the "
            "claim. Check it again."
        )
    return run


def _ask(opened: Opened, question: str, conversation_id: str, web: bool) -> str:
    turns = opened.workbench.asking.turns(conversation_id) if conversation_id else []
    if conversation_id and not turns:
        raise ClaimError("There is no conversation with this id. Leave conversation_id out to start one.")
    return opened.asker.start(question, conversation_id or uuid.uuid4().hex, turns, web=web)


def _answer(opened: Opened, ask_id: str) -> Answer:
    view = opened.asker.snapshot(ask_id)
    decision = view.decision if view else None
    run = opened.workbench.runs.get(decision.run_id) if decision and decision.run_id else None
    failure = view.error if view else ""
    failure = failure or (run.error if run and run.verdict is None else "")
    if view is None or decision is None or failure or view.cancelled or not (decision.answer or (run and run.verdict)):
        why = quoted(opened.paths.hide(failure)) if failure else "It was stopped before it finished."
        raise ResourceError(f"There is no answer. {why} Ask again.")
    return answered(decision, view.cards, view.problem, run, opened)
