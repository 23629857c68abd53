"""Questions to a model behind the OpenAI protocol: streamed, retried, timed, paid for, and stopped when asked."""

import itertools
import math
import random
import threading
import time
import weakref
from collections.abc import Callable, Generator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ghost.budget import Budget, Hold, Receipt
from ghost.errors import JudgeError
from ghost.judges.llm.connection import ASKED, POLL_SECONDS, Line, Stream, client_for
from ghost.judges.llm.failures import CONNECTION_LOST, Trouble, read
from ghost.judges.llm.request import (
    BYTES_PER_TOKEN,
    OPENAI,
    THOUGHTS,
    Endpoint,
    Form,
    Question,
    Reply,
    ToolCall,
    host_of,
)
from ghost.text import without_secrets

if TYPE_CHECKING:
    from openai import OpenAI

BACK_OFF_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 30.0
"""A server that asks for more is left; the next judge answers sooner."""
SHORTEST_ANSWER_TOKENS = 120
"""With less than this left in the budget no answer can be whole."""
CHARS_PER_TOKEN = 12
"""No language has longer tokens on average; a server that sends more ignores the limit."""
LEAST_CALL_CHARS = 12
"""A call without a word counts as so many, so that their number is limited too."""
CLOSE_SECONDS = 2.0
"""So long at most a closing program waits for calls that were given up."""
ANSWER_CHARS = 8_000
"""So much of each answer is kept in the trace."""
MOST_TOKENS = 10_000_000
"""A server that counts more in one call cannot count."""


@dataclass(slots=True)
class _Call:
    """What is known of a question while it is being answered."""

    form: Form
    held: Hold
    started: float = field(default_factory=time.monotonic)
    attempts: int = 0
    sent: bool = False
    text: str = ""
    tools: dict[tuple[int, int], list[str]] = field(default_factory=dict)
    """By position: id, name and arguments of the functions that it asks for, as far as they are known.

    Some servers give several calls the same position; the second number tells them apart.
    """
    chars: int = 0
    """Characters of all that was answered, ids of calls included."""
    spent_in: int = 0
    spent_out: int = 0
    estimated: bool = False
    problem: str = ""

    @property
    def said(self) -> str:
        """All that was answered, for counting and for the trace."""
        return self.text + "".join(f"\n{name}({arguments})" for _, name, arguments in self.tools.values())


class ChatClient:
    """One model on one server. Safe to share by threads; keeps nothing of a conversation."""

    def __init__(self, endpoint: Endpoint) -> None:
        self.endpoint = endpoint
        self._client: OpenAI | None = None
        self._lock = threading.Lock()
        self._workers: weakref.WeakSet[threading.Thread] = weakref.WeakSet()
        self._line = threading.local()
        self._form = Form(limit="max_tokens" if endpoint.judge == "local" else "max_completion_tokens")
        """The last form that the server understood; a fact about the server, not about any run."""

    def ask(self, question: Question, budget: Budget) -> Generator[str, None, Reply]:
        """The answer piece by piece, and whole at the end with the functions that the model asks for.

        Raises JudgeError when there is none, BudgetExceeded before a limit is passed, Cancelled within a second.
        """
        held, most = self._hold(question, budget)
        call = _Call(self._form, held)
        try:
            yield from self._attempts(question, call, most, budget)
        except Exception as failure:
            call.problem = str(failure)
            raise
        except GeneratorExit:
            call.problem = "Nobody waited for the end of the answer."
            raise
        finally:
            self._settle(question, call, budget)
        return Reply(call.text, tuple(ToolCall(*parts) for parts in call.tools.values()))

    def get_ready(self) -> None:
        """Import the library now rather than at the first question; returns at once."""
        threading.Thread(target=self._openai, name="ghost-model-library", daemon=True).start()

    def close(self) -> None:
        """Let go of the connections, once the calls that were given up have noticed it or two seconds are over."""
        until = time.monotonic() + CLOSE_SECONDS
        for worker in list(self._workers):
            worker.join(max(0.0, until - time.monotonic()))
        with self._lock:
            if self._client is not None:
                self._client.close()
                self._client = None

    def _attempts(self, question: Question, call: _Call, most: int, budget: Budget) -> Generator[str, None, None]:
        failures = 0
        while True:
            trouble = yield from self._attempt(question, call, most, budget)
            if trouble is None:
                self._form = call.form
                return
            if trouble.form and not call.said and (simpler := call.form.simpler(trouble.form)):
                call.form = simpler
                if call.spent_in:  # the next one is paid as well
                    more = self._hold_for(question, most, budget)
                    call.held = Hold(call.held.tokens + more.tokens, call.held.cost_usd + more.cost_usd)
                continue
            # A second answer cannot be joined to the beginning of the first.
            if not trouble.again or call.said or failures >= self.endpoint.retries:
                tries = f" Tried {call.attempts} times." if call.attempts > 1 and trouble.again else ""
                raise JudgeError(trouble.text + tries)
            failures += 1
            self._wait(trouble, failures, budget)

    def _attempt(
        self, question: Question, call: _Call, most: int, budget: Budget
    ) -> Generator[str, None, Trouble | None]:
        """One request; returns what went wrong."""
        call.attempts += 1
        arguments = call.form.arguments(question, self.endpoint, most)

        def create(line: Line, asked: Callable[[], None]) -> Any:
            client = self._openai()
            self._line.current = line
            asked()
            return client.chat.completions.create(**arguments)

        answer = Stream(create, self._workers)
        finish = ""
        usage: Any = None
        try:
            while (piece := answer.next(budget)) is not None:
                if isinstance(piece, Exception):
                    trouble = read(piece, self.endpoint)
                    call.sent = call.sent or trouble.sent
                    return self._broken(question, call, trouble)
                if piece is ASKED:
                    answer.deadline = time.monotonic() + self.endpoint.timeout
                    continue
                call.sent = True
                try:
                    usage = getattr(piece, "usage", None) or usage
                    delta, ended = _content(piece)
                    call.chars += _add_tool_calls(piece, call.tools)
                # The library takes any JSON for a piece.
                except (AttributeError, TypeError, LookupError, ValueError, OverflowError) as error:
                    return self._broken(question, call, read(error, self.endpoint))
                finish = ended or finish
                if delta:
                    call.text += delta
                    call.chars += len(delta)
                    yield delta
                if call.chars > most * CHARS_PER_TOKEN:
                    finish = "length"
                    break
        except TimeoutError:
            call.sent = True
            self._estimate(question, call)
            return Trouble(
                f"The {self.endpoint.judge} model at {self.endpoint.host} did not answer within "
                f"{self.endpoint.timeout:g} s. Raise GHOST_LLM_TIMEOUT_SECONDS if it is only slow."
            )
        except BaseException:  # cancelled, out of time, or nobody listens: what was sent has to be paid all the same
            if answer.deadline < math.inf:
                call.sent = True
                self._estimate(question, call)
            raise
        finally:
            answer.leave()
        self._count(question, call, usage)
        return self._unfinished(finish, call)

    def _unfinished(self, finish: str, call: _Call) -> Trouble | None:
        where = f"The {self.endpoint.judge} model at {self.endpoint.host}"
        if finish == "length" and not call.said:
            return Trouble(f"{where} spent its whole answer on thoughts.", form=THOUGHTS)
        if finish == "length":
            return Trouble(f"{where} went on until its answer was cut off at the limit.")
        if finish in ("content_filter", "refusal"):
            return Trouble(f"{where} declined to answer.")
        if not finish and call.said:
            return Trouble(f"{where} broke off in the middle of its answer.", again=True)
        return None

    def _broken(self, question: Question, call: _Call, trouble: Trouble) -> Trouble:
        if call.said:
            self._estimate(question, call)
            said = trouble.text.removesuffix(CONNECTION_LOST)
            middle = "broke off in the middle of its answer."
            return replace(trouble, text=f"{said}{middle}" if said != trouble.text else f"{said} It {middle}")
        return trouble

    def _hold(self, question: Question, budget: Budget) -> tuple[Hold, int]:
        """Set aside the most that the call can spend, with a shorter answer where less is left."""
        price, asked = self.endpoint.price, question.tokens()
        tokens_left, money_left = budget.room()
        most = min(question.max_tokens, tokens_left - asked)
        if price and price.tokens_out:
            most = min(most, int((money_left - price.of(asked, 0)) / price.tokens_out * 1_000_000))
        most = max(most, min(SHORTEST_ANSWER_TOKENS, question.max_tokens))
        return self._hold_for(question, most, budget), most

    def _hold_for(self, question: Question, most: int, budget: Budget) -> Hold:
        price, asked = self.endpoint.price, question.tokens()
        return budget.hold(asked + most, price.of(asked, most) if price else 0.0)

    def _estimate(self, question: Question, call: _Call) -> None:
        call.estimated = True
        call.spent_in += question.tokens()
        call.spent_out += len(call.said.encode()) // BYTES_PER_TOKEN

    def _count(self, question: Question, call: _Call, usage: Any) -> None:
        asked, answered = (_tokens(getattr(usage, f"{side}_tokens", None)) for side in ("prompt", "completion"))
        if asked is None:
            self._estimate(question, call)
            return
        call.spent_in += asked
        call.spent_out += answered or 0

    def _settle(self, question: Question, call: _Call, budget: Budget) -> None:
        tokens = call.spent_in + call.spent_out
        price = self.endpoint.price
        cost = price.of(call.spent_in, call.spent_out) if price else None
        budget.settle(call.held, tokens, cost)
        budget.keep(
            Receipt(
                purpose=question.purpose,
                judge=self.endpoint.judge,
                model=self.endpoint.model,
                host=self.endpoint.host,
                sent=call.sent,
                attempts=call.attempts,
                tokens_in=call.spent_in,
                tokens_out=call.spent_out,
                estimated=call.estimated,
                cost_usd=None if cost is None else round(cost, 6),
                seconds=round(time.monotonic() - call.started, 4),
                form=call.form.structure,
                problem=call.problem,
                prompt=question.words(),
                answer=call.said[:ANSWER_CHARS],
            )
        )

    def _wait(self, trouble: Trouble, failures: int, budget: Budget) -> None:
        """Back off as long as the server asks, or longer each time; gives up when that is longer than is left."""
        seconds = trouble.wait
        if seconds is None:
            seconds = BACK_OFF_SECONDS * 2 ** (failures - 1) * random.uniform(0.8, 1.2)
        if seconds > min(LONGEST_WAIT_SECONDS, budget.seconds_left):
            asks = "It asks to wait" if trouble.wait is not None else "Before the next try we would wait"
            raise JudgeError(f"{trouble.text} {asks} {seconds:.0f} s, which is too long.")
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            budget.check()
            time.sleep(min(POLL_SECONDS, left))
        budget.check()

    def _openai(self) -> "OpenAI":
        """The library's client, made at the first question: importing it takes longer than everything else here."""
        with self._lock:
            if self._client is None:
                from openai import OpenAI

                own = self.endpoint.host == host_of(OPENAI)  # nobody else needs to know these
                self._client = OpenAI(
                    api_key=self.endpoint.key or "none",
                    base_url=without_secrets(self.endpoint.base_url),  # the libraries below write it to their logs
                    organization=None if own else "",
                    project=None if own else "",
                    max_retries=0,
                    timeout=self.endpoint.timeout,
                    http_client=client_for(self.endpoint, self._line),
                )
            return self._client


def _tokens(said: Any) -> int | None:
    """A number of tokens that a server reports; None when it is none."""
    return said if isinstance(said, int) and 0 <= said <= MOST_TOKENS else None


def _add_tool_calls(piece: Any, known: dict[tuple[int, int], list[str]]) -> int:
    """Join the parts of function calls in one piece to those of the pieces before it; returns their characters."""
    delta = piece.choices[0].delta if getattr(piece, "choices", None) else None
    chars = 0
    for part in getattr(delta, "tool_calls", None) or ():
        function, at = part.function, int(part.index or 0)
        texts = part.id, getattr(function, "name", None), getattr(function, "arguments", None)
        number = next(n for n in itertools.count() if (at, n + 1) not in known)
        call = known.get((at, number))
        if call is None or (call[0] and call[1] and texts[0] and texts[1] and texts[0] != call[0]):
            call = known[at, number + (call is not None)] = ["", "", ""]
            chars += LEAST_CALL_CHARS
        for place, text in enumerate(texts):
            if isinstance(text, str):
                call[place] += text.encode("utf-8", "replace").decode()
                chars += len(text)
    return chars


def _content(piece: Any) -> tuple[str, str]:
    """Text and finish reason of one piece; a refusal is told as one."""
    if not getattr(piece, "choices", None):
        return "", ""
    choice = piece.choices[0]
    delta = choice.delta
    if delta is not None and getattr(delta, "refusal", None):
        return "", "refusal"
    text = delta.content if delta is not None else ""
    # Half a character, which JSON can hold but no database.
    text = text.encode("utf-8", "replace").decode() if isinstance(text, str) else ""
    return text, choice.finish_reason or ""
