"""Questions over a real socket: streaming, retries, time-outs, limits, cancelling, and every way a server can fail."""

import gzip
import itertools
import json
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace

import pytest

from ghost.budget import Budget, Limits, Receipt
from ghost.errors import BudgetExceeded, Cancelled, JudgeError
from ghost.judges import ChatClient, Endpoint, LocalServer, Price, Question, known_price
from ghost.testing import Asked, Scripted, ScriptedLLM
from tests.judges.raw import STREAM, reading, saying

QUESTION = Question("classify", ({"role": "system", "content": "Say hello."},), {"type": "object"}, 200)
HELLO = "Hello, this is an answer of more than one piece."
KEY = "sk-very-secret"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghost.judges.llm.client.BACK_OFF_SECONDS", 0.01)


@pytest.fixture(scope="module", autouse=True)
def _imported() -> None:
    """Importing the library takes seconds on a slow machine; no test should count them."""
    import openai

    assert openai.OpenAI


def endpoint(server: ScriptedLLM, **changes: object) -> Endpoint:
    base = Endpoint("cloud", server.url, "m", KEY, timeout=5.0, price=Price(1.0, 2.0))
    return replace(base, **changes)  # type: ignore[arg-type]


def ask(server: ScriptedLLM, budget: Budget, **changes: object) -> str:
    with closing(ChatClient(endpoint(server, **changes))) as client:
        return "".join(client.ask(QUESTION, budget))


def receipt(budget: Budget) -> Receipt:
    (found,) = budget.since((0, 0))[0]
    return found


def in_turn(*answers: Scripted | str | None):
    """A script that gives one answer after the other."""
    left = list(answers)
    return lambda asked: left.pop(0)


def test_an_answer_comes_in_pieces_and_is_paid_for() -> None:
    budget = Budget(Limits())
    with ScriptedLLM.serving(lambda asked: HELLO) as server, closing(ChatClient(endpoint(server))) as client:
        pieces = list(client.ask(QUESTION, budget))
    assert len(pieces) > 1
    assert "".join(pieces) == HELLO
    assert (budget.usage().tokens, budget.usage().cost_usd) == (400, 0.0005)
    kept = receipt(budget)
    assert (kept.tokens_in, kept.tokens_out, kept.estimated, kept.answer) == (300, 100, False, HELLO)
    assert kept.prompt == "\n\n".join(f"{m['role'].upper()}\n{m['content']}" for m in QUESTION.messages)
    asked = server.asked[0]
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body["response_format"]["type"] == "json_schema"
    assert asked.body["response_format"]["json_schema"]["strict"] is True


@pytest.mark.parametrize("answers", [(Scripted(status=429), Scripted(status=500), HELLO), (None, HELLO)])
def test_a_passing_failure_is_tried_again(answers: tuple[Scripted | str | None, ...]) -> None:
    budget = Budget(Limits())
    with ScriptedLLM.serving(in_turn(*answers)) as server:
        assert ask(server, budget) == HELLO
    assert receipt(budget).attempts == len(answers)
    assert budget.usage().tokens == 400


def _error(status: int, message: str, **more: object) -> Scripted:
    return Scripted(status=status, error={"message": message, **more})


FAILURES: list[tuple[Scripted, str, int]] = [
    (Scripted(status=500), r"failed \(500\)\. Tried 3 times", 3),
    (_error(429, "", code="insufficient_quota"), "no credit", 1),
    (_error(401, f"Incorrect API key provided: {KEY}."), "OPENAI_API_KEY", 1),
    (_error(403, KEY), "OPENAI_API_KEY", 1),
    (_error(418, f"the key {KEY} is funny"), "is funny", 1),
    (Scripted(status=404), "GHOST_LLM_MODEL", 1),
    (_error(400, "This model's maximum context length is 512 tokens"), "context length", 1),
    (Scripted(HELLO, cut_after=30), "broke off", 1),  # what was shown cannot be joined to a second answer
    (Scripted(HELLO, finish="length"), "cut off", 1),
    (Scripted(HELLO, finish="content_filter"), "declined", 1),
    (Scripted("x" * 100_000), "limit", 1),
    (Scripted(raw="data: not json\n\n"), "protocol", 1),
    (Scripted(raw='data: {"choices": 3}\n\n'), "protocol", 1),
    (Scripted(raw='data: {"error": {"message": "out of memory"}}\n\n'), "out of mem", 3),
]


@pytest.mark.parametrize(("answer", "words", "asked"), FAILURES, ids=[words for _, words, _ in FAILURES])
def test_a_failure_says_what_to_do_and_never_shows_the_key(answer: Scripted, words: str, asked: int) -> None:
    budget = Budget(Limits())
    with ScriptedLLM.serving(lambda _: answer) as server, pytest.raises(JudgeError, match=words) as caught:
        ask(server, budget)
    assert len(server.asked) == asked
    assert KEY not in f"{caught.value} {receipt(budget)} {endpoint(server)!r}"
    assert receipt(budget).problem
    assert (budget.usage().tokens > 0) == (answer.status == 200 and not answer.raw)


def test_retry_after_is_respected() -> None:
    budget = Budget(Limits())
    with ScriptedLLM.serving(in_turn(Scripted(status=429, headers={"Retry-After": "0.4"}), HELLO)) as server:
        started = time.monotonic()
        ask(server, budget)
        assert time.monotonic() - started >= 0.4


@pytest.mark.parametrize("limits", [Limits(), Limits(seconds=3)])
def test_a_wait_that_is_too_long_is_not_waited(limits: Limits) -> None:
    wait = "3600" if limits.seconds > 100 else "20"
    with ScriptedLLM.serving(lambda asked: Scripted(status=429, headers={"Retry-After": wait})) as server:
        started = time.monotonic()
        with pytest.raises(JudgeError, match="too long"):
            ask(server, Budget(limits))
        assert time.monotonic() - started < 2
    assert len(server.asked) == 1


def test_a_slow_server_is_left_in_time() -> None:
    budget = Budget(Limits())
    with ScriptedLLM.serving(lambda asked: Scripted(HELLO, before=1.0)) as server:
        started = time.monotonic()
        with pytest.raises(JudgeError, match=r"within 0\.5 s"):
            ask(server, budget, timeout=0.5)
        assert time.monotonic() - started < 1.6
    assert len(server.asked) == 1
    assert receipt(budget).sent


def test_no_server_means_that_nothing_was_sent() -> None:
    with ScriptedLLM.serving(lambda asked: HELLO) as server:
        gone = endpoint(server)
    budget = Budget(Limits())
    with closing(ChatClient(gone)) as client, pytest.raises(JudgeError, match="cannot be reached"):
        list(client.ask(QUESTION, budget))
    assert not receipt(budget).sent
    assert budget.usage().tokens == 0


@pytest.mark.parametrize("raw", ["<html>hello</html>", '{"choices": []}', "data: 7\n\n"])
def test_an_answer_without_words_is_empty(raw: str) -> None:
    with ScriptedLLM.serving(lambda asked: Scripted(raw=raw)) as server:
        assert ask(server, Budget(Limits())) == ""


@pytest.mark.parametrize("status", [400, 500])
def test_a_server_without_schemas_is_asked_in_simpler_forms_and_remembered(status: int) -> None:
    def script(asked: Asked) -> Scripted:
        form = asked.body.get("response_format", {}).get("type", "text")
        if form != "text":
            return Scripted(status=status, error={"message": f"response_format {form} is not supported"})
        return Scripted(HELLO)

    with ScriptedLLM.serving(script) as server, closing(ChatClient(endpoint(server))) as client:
        assert "".join(client.ask(QUESTION, Budget(Limits()))) == HELLO
        first = len(server.asked)
        assert "".join(client.ask(QUESTION, Budget(Limits()))) == HELLO
    assert (first, len(server.asked)) == (4, 5)


@pytest.mark.parametrize(
    ("message", "gone"),
    [
        ("Unsupported value: 'temperature' does not support 0.1", "temperature"),
        ("Unknown parameter: stream_options", "stream_options"),
        ("Use max_completion_tokens instead of max_tokens", "max_tokens"),
    ],
)
def test_what_a_model_does_not_take_is_left_out(message: str, gone: str) -> None:
    def script(asked: Asked) -> Scripted:
        return Scripted(status=400, error={"message": message}) if gone in asked.body else Scripted(HELLO)

    with ScriptedLLM.serving(script) as server:
        assert ask(server, Budget(Limits()), judge="local") == HELLO
    assert server.asked[-1].body["response_format"]["type"] == "json_schema"


def thinking(known: tuple[str, ...]):
    """A model that thinks until its answer is used up, unless it is told not to in a way that it knows."""

    def script(asked: Asked) -> Scripted:
        effort = asked.body.get("reasoning_effort")
        if effort in known:
            return Scripted(HELLO)
        if effort:
            return Scripted(status=400, error={"message": f"'reasoning_effort' does not support '{effort}'"})
        return Scripted("", finish="length", usage=(300, 200))

    return script


@pytest.mark.parametrize(("known", "efforts"), [(("none", "low"), [None, "none"]), (("low",), [None, "none", "low"])])
def test_a_model_that_only_thinks_is_told_to_think_less(known: tuple[str, ...], efforts: list[str | None]) -> None:
    budget = Budget(Limits())
    with ScriptedLLM.serving(thinking(known)) as server:
        assert ask(server, budget) == HELLO
    assert [a.body.get("reasoning_effort") for a in server.asked] == efforts
    assert budget.usage().tokens == 900  # both answers are paid


def test_a_model_that_cannot_stop_thinking_is_left_and_so_is_one_too_dear_to_ask_again() -> None:
    with ScriptedLLM.serving(thinking(())) as server, pytest.raises(JudgeError, match="reasoning_effort"):
        ask(server, Budget(Limits()))
    assert len(server.asked) == 3
    with ScriptedLLM.serving(thinking(("none",))) as server, pytest.raises(BudgetExceeded):
        ask(server, Budget(Limits(tokens=300)))
    assert len(server.asked) == 1


@pytest.mark.parametrize("tokens", ['"many"', "-5", "null", "99999999999999"])
def test_a_server_that_counts_nonsense_is_estimated(tokens: str) -> None:
    usage = f'data: {{"choices": [], "usage": {{"prompt_tokens": {tokens}, "completion_tokens": {tokens}}}}}\n\n'
    piece = 'data: {"choices": [{"index": 0, "delta": {"content": "Hello"}, "finish_reason": "stop"}]}\n\n'
    budget = Budget(Limits())
    with ScriptedLLM.serving(lambda asked: Scripted(raw=piece + usage)) as server:
        assert ask(server, budget) == "Hello"
    assert receipt(budget).estimated
    assert 0 < budget.usage().tokens < 1000


def test_half_characters_and_controls_do_not_come_in() -> None:
    budget = Budget(Limits())
    with ScriptedLLM.serving(lambda asked: Scripted("one \ud800 two")) as server:
        assert ask(server, budget).encode() == b"one ? two"
    answer = Scripted(status=418, error={"message": "no \ud800 \u202e\x1b[31m tea", "code": ["a", "list"]})
    with ScriptedLLM.serving(lambda asked: answer) as server, pytest.raises(JudgeError) as caught:
        ask(server, Budget(Limits()))
    assert str(caught.value).endswith("answered 418: no ? [31m tea.")
    answer = Scripted(status=429, error={"code": ["a", "list"]})
    with ScriptedLLM.serving(lambda asked: answer) as server, pytest.raises(JudgeError, match="too many requests"):
        ask(server, Budget(Limits()), retries=0)


def test_only_its_own_service_learns_the_organisation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "project-secret")
    with ScriptedLLM.serving(lambda asked: HELLO) as server:
        ask(server, Budget(Limits()))
    assert "secret" not in json.dumps({k: v for k, v in server.asked[0].headers.items() if k != "authorization"})


@pytest.mark.parametrize("limits", [Limits(tokens=50), Limits(cost_usd=0.00001)])
def test_a_limit_is_asked_before_the_call(limits: Limits) -> None:
    budget = Budget(limits)
    with ScriptedLLM.serving(lambda asked: HELLO) as server, pytest.raises(BudgetExceeded):
        ask(server, budget)
    assert server.asked == []
    assert budget.usage().tokens == 0


def test_an_answer_is_shortened_to_what_is_left() -> None:
    with ScriptedLLM.serving(lambda asked: Scripted(HELLO, usage=(20, 20))) as server:
        ask(server, Budget(Limits(tokens=170)))
    assert 120 <= server.asked[0].body["max_completion_tokens"] < 170


def test_calls_side_by_side_cannot_pass_a_limit_together() -> None:
    budget = Budget(Limits(tokens=700))
    outcomes: list[str] = []

    def one(server: ScriptedLLM) -> None:
        try:
            ask(server, budget)
            outcomes.append("answered")
        except BudgetExceeded:
            outcomes.append("refused")

    with ScriptedLLM.serving(lambda asked: Scripted(HELLO, before=0.3, usage=(20, 200))) as server:
        threads = [threading.Thread(target=one, args=(server,)) for _ in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert "refused" in outcomes
    assert budget.usage().tokens <= 700


def test_a_question_that_never_went_out_is_neither_sent_nor_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    stop, go_on = threading.Event(), threading.Event()
    budget = Budget(Limits(), cancelled=stop.is_set)
    with ScriptedLLM.serving(lambda asked: HELLO) as server, closing(ChatClient(endpoint(server))) as client:
        library = client._openai
        monkeypatch.setattr(client, "_openai", lambda: (go_on.wait(10), library())[1])  # a slow import
        threading.Timer(0.3, stop.set).start()
        with pytest.raises(Cancelled):
            list(client.ask(QUESTION, budget))
        assert (receipt(budget).sent, budget.usage().tokens) == (False, 0)
        go_on.set()
    assert server.asked == []


def test_cancel_stops_a_back_off() -> None:
    stop = threading.Event()
    with ScriptedLLM.serving(lambda asked: Scripted(status=429, headers={"Retry-After": "10"})) as server:
        threading.Timer(0.3, stop.set).start()
        started = time.monotonic()
        with pytest.raises(Cancelled):
            ask(server, Budget(Limits(), cancelled=stop.is_set))
        assert time.monotonic() - started < 1.3


def test_a_redirect_is_not_followed() -> None:
    with ScriptedLLM.serving(lambda asked: HELLO) as other:
        answer = Scripted(status=307, headers={"Location": f"{other.url}/chat/completions"})
        with ScriptedLLM.serving(lambda asked: answer) as server, pytest.raises(JudgeError):
            ask(server, Budget(Limits()))
        assert other.asked == []


def test_a_local_server_gets_neither_the_key_nor_the_organisation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-secret")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with ScriptedLLM.serving(lambda asked: HELLO) as server:
        ask(server, Budget(Limits()), judge="local", key="")
    assert "secret" not in json.dumps(server.asked[0].headers)


OK = b"HTTP/1.1 200 OK\r\n"
FAILED = b"HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/plain\r\n\r\n"


def drops(of: bytes = b"x") -> Iterator[bytes]:
    return itertools.repeat(of)


DRIPPING: dict[str, Iterable[bytes]] = {
    "nothing at all": (b"" for _ in itertools.count()),
    "a header": itertools.chain([OK, b"X-Long: "], drops()),
    "the body": itertools.chain([STREAM], drops()),
}


def ask_raw(url: str, budget: Budget, timeout: float = 60.0) -> str:
    with closing(ChatClient(Endpoint("cloud", url, "m", "sk-x", timeout=timeout, retries=0))) as client:
        return "".join(client.ask(QUESTION, budget))


def ensure_nothing_left() -> None:
    until = time.monotonic() + 5
    while reading() and time.monotonic() < until:
        time.sleep(0.05)
    assert reading() == []


@pytest.mark.parametrize("what", DRIPPING)
def test_cancel_ends_a_call_to_a_server_that_drips_a_byte_a_second(what: str) -> None:
    stop = threading.Event()
    with saying(DRIPPING[what], between=1.0) as url:
        threading.Timer(0.5, stop.set).start()
        started = time.monotonic()
        with pytest.raises(Cancelled):
            ask_raw(url, Budget(Limits(), cancelled=stop.is_set))
        assert time.monotonic() - started < 1.5
        ensure_nothing_left()


def test_the_run_s_time_ends_a_call_to_a_server_that_drips() -> None:
    with saying(itertools.chain([STREAM], drops()), between=1.0) as url:
        started = time.monotonic()
        with pytest.raises(BudgetExceeded):
            ask_raw(url, Budget(Limits(seconds=0.5)))
        assert time.monotonic() - started < 1.5
        ensure_nothing_left()


def test_the_time_for_an_answer_ends_a_call_to_a_server_that_drips() -> None:
    with saying(itertools.chain([STREAM], drops()), between=0.2) as url:
        with pytest.raises(JudgeError, match=r"within 0\.5 s"):
            ask_raw(url, Budget(Limits()), timeout=0.5)
        ensure_nothing_left()


@pytest.mark.parametrize("head", [STREAM, FAILED])
def test_a_flood_is_left(head: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ghost.judges.llm.connection.MOST_BYTES", 200_000)
    with saying(itertools.chain([head], drops(b"x" * 10_000))) as url:
        with pytest.raises(JudgeError, match="more than an answer"):
            ask_raw(url, Budget(Limits()))
        ensure_nothing_left()


def test_a_packed_answer_is_left() -> None:
    packed = gzip.compress(b"data: " + b" " * 50_000_000)
    head = STREAM.replace(b"\r\n\r\n", b"\r\nContent-Encoding: gzip\r\n\r\n")
    with saying([head, packed]) as url, pytest.raises(JudgeError, match="packs it"):
        ask_raw(url, Budget(Limits()))


@pytest.mark.parametrize("key", ["sk-wröng", "sk-wrong\n", "sk-“quoted”"])
def test_a_key_that_cannot_be_sent_is_explained_and_not_shown(key: str) -> None:
    with saying([]) as url, closing(ChatClient(Endpoint("cloud", url, "m", key, retries=0))) as client:
        with pytest.raises(JudgeError, match="OPENAI_API_KEY") as caught:
            list(client.ask(QUESTION, Budget(Limits())))
        assert key.strip() not in str(caught.value)


@pytest.mark.parametrize("what", ["nothing at all", "a header"])
def test_looking_at_a_local_server_that_drips_leaves_nothing_behind(what: str) -> None:
    pieces = itertools.chain([OK, b"X-Long: "], drops()) if what == "a header" else (b"" for _ in itertools.count())
    with saying(pieces, between=0.3) as url:
        started = time.monotonic()
        assert "did not answer" in LocalServer(url).problem()
        assert time.monotonic() - started < 1.5
        ensure_nothing_left()


def test_list_prices_are_known_for_the_service_itself_only() -> None:
    assert known_price("https://api.openai.com/v1", "gpt-4o-mini") == Price(0.15, 0.60)
    assert known_price("https://api.openai.com/v1/", "gpt-6-luna") == Price(0.10, 0.50)
    for other in ("https://eu.api.openai.com/v1", "https://api.openai.com.example.org/v1", "http://127.0.0.1:1/v1"):
        assert known_price(other, "gpt-4o-mini") is None


def test_an_endpoint_shows_neither_key_nor_password() -> None:
    shown = repr(Endpoint("cloud", "https://me:pass@example.org/v1", "m", "sk-secret"))
    assert "secret" not in shown
    assert "pass@" not in shown
